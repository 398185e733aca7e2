//! Tests of the guarantees on pinned and dropped lines.

use super::*;
use teddy::place::Span;

/// A change that a person makes to the pinned lines.
#[derive(Debug, Clone)]
enum Change {
    Include(Span),
    Drop(Span),
    /// Pin the lines in the payload; this changes no other lines.
    AsShown,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let span = || (1u32..46, 0u32..12).prop_map(|(first, more)| (first, (first + more).min(48)));
    let change = prop_oneof![
        3 => span().prop_map(Change::Include),
        3 => span().prop_map(Change::Drop),
        1 => Just(Change::AsShown),
    ];
    prop::collection::vec(change, 1..7)
}

/// A file in which every line is unique, as functions of six lines.
fn text(language: &str) -> String {
    let line = |number: u32| match (number % 6, language) {
        (1, "py") => format!("def step_{number}(order):  # {}\n", mark(number)),
        (0, "py") => format!("    return \"{}\"\n", mark(number)),
        (_, "py") => format!("    order.total += len(\"{}\")\n", mark(number)),
        _ => format!("The refund of {} is rounded.\n", mark(number)),
    };
    (1..=48).map(line).collect()
}

fn mark(line: u32) -> String {
    format!("only{line:03}here")
}

proptest! {
    #![proptest_config(few(40))]

    #[test]
    fn pinned_lines_are_in_the_payload_and_dropped_ones_are_not(
        path in prop::sample::select(vec!["src/pay.py", "docs/guide.md", "notes.txt"]),
        format in formats(), tokenizer in tokenizers(), limit in limits(), fill: bool, changes in changes(),
    ) {
        let text = text(path.rsplit('.').next().unwrap());
        let project = Project::of(&[(path, &text), ("src/refund.py", "def refund(order):\n    return order\n")]);
        let mut bench = project.bench(format, tokenizer, limit, fill);
        let item = select::select(bench.bench.corpus(), path).unwrap()[0];
        bench.bench.apply(&Action::Exclude(vec![item])).unwrap();
        let state = |bench: &Bench| (bench.bench.placement().clone(), bench.renderer.render(bench.bench.placement()));
        let mut states = vec![state(&bench)];
        let mut wanted: HashSet<u32> = HashSet::new();
        for change in changes {
            let action = match change {
                Change::Include(span) => bench.bench.including(item, &[PinnedLines::range(span)]),
                Change::Drop(span) => bench.bench.dropping(item, &[span]),
                Change::AsShown if wanted.is_empty() => continue,
                Change::AsShown => Ok(bench.bench.as_shown(&[item])),
            };
            let lines = |(first, last): Span| first..=last;
            let changes = match change {
                Change::Include(span) => lines(span).any(|line| !wanted.contains(&line)),
                Change::Drop(span) => lines(span).any(|line| wanted.contains(&line)),
                Change::AsShown => true,
            };
            prop_assert_eq!(action.is_ok(), changes, "{:?}: {:?}", change, action);
            let Ok(action) = action else { continue };
            match change {
                Change::Include(span) => wanted.extend(lines(span)),
                Change::Drop(span) => wanted.retain(|line| !lines(span).contains(line)),
                Change::AsShown => {}
            }
            if wanted.is_empty() {
                // No lines remain, so the score decides again.
                prop_assert_eq!(action, Action::Clear(vec![item]));
                break;
            }
            bench.bench.apply(&action).unwrap();
            states.push(state(&bench));
            check_budget(&bench, format, tokenizer)?;
            check_entries(&project, &bench)?;
            let (placement, payload) = states.last().unwrap();
            let placed = placement.placed.iter().find(|placed| placed.item == item).unwrap();
            prop_assert_eq!((placed.tier, placed.overridden), (Tier::Raw, Some(Override::Pin)));
            for line in 1..=48 {
                prop_assert_eq!(payload.contains(&mark(line)), wanted.contains(&line), "line {} in {}", line, payload);
            }
        }
        for before in states.iter().rev().skip(1) {
            bench.bench.undo().unwrap();
            prop_assert!(&state(&bench) == before, "undo restores to the byte");
        }
        for after in states.iter().skip(1) {
            bench.bench.redo().unwrap();
            prop_assert!(&state(&bench) == after, "redo restores to the byte");
        }
        let mut resumed = project.bench(format, tokenizer, limit, fill);
        resumed.bench.restore(bench.bench.steps().to_vec(), Vec::new());
        prop_assert!(&state(&resumed) == states.last().unwrap(), "the steps alone restore the state");
    }
}
