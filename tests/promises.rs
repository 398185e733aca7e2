//! Tests of the budget's guarantees on generated projects, with the real gather, score, place and renderers.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "promised/lines.rs"]
mod lines;
mod promised;

use std::collections::HashSet;
use std::sync::Arc;

use promised::{Bench, Files, Project, files, oracle};
use proptest::prelude::*;
use proptest::test_runner::Config;
use teddy::gather::tokens::Tokenizer;
use teddy::ids::ItemId;
use teddy::place::{Form, Override, PinnedLines, PlacedItem, Placement, Tier};
use teddy::redact::Policy;
use teddy::render::parse::BlockKind;
use teddy::render::{Format, pack, parse};
use teddy::workbench::{Action, select};

/// Number of tokens that auto-fill may leave free without searching for smaller items.
const CRUMBS: usize = 60;

fn tokenizers() -> impl Strategy<Value = Tokenizer> {
    let names = vec!["o200k_base", "cl100k_base", "estimate"];
    prop::sample::select(names).prop_map(|name| Tokenizer::named(name).unwrap())
}

fn formats() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

fn limits() -> impl Strategy<Value = usize> {
    prop_oneof![1_000usize..2_500, 2_500usize..9_000, 9_000usize..40_000]
}

/// Number of cases; `PROPTEST_CASES` overrides it.
fn few(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    Config { cases: asked.unwrap_or(cases), max_shrink_iters: 200, failure_persistence: None, ..Config::default() }
}

/// Actions of a person; item numbers wrap around.
fn actions(most: usize) -> impl Strategy<Value = Vec<Action>> {
    let items = || prop::collection::vec((0usize..18).prop_map(ItemId::new), 1..4);
    let action = prop_oneof![
        3 => items().prop_map(Action::Pin),
        2 => items().prop_map(Action::Link),
        4 => items().prop_map(Action::Demote),
        4 => items().prop_map(Action::Promote),
        2 => items().prop_map(Action::Exclude),
        1 => items().prop_map(Action::Clear),
        2 => (items(), 1u32..30, 0u32..9).prop_map(|(items, first, more)| {
            let lines = vec![PinnedLines::range((first, first + more))];
            Action::PinLines(items.into_iter().map(|item| (item, lines.clone())).collect())
        }),
        1 => limits().prop_map(Action::Limit),
        1 => any::<bool>().prop_map(Action::Fill),
    ];
    prop::collection::vec(action, 0..most)
}

/// The same actions with existing items.
fn on(project: &Project, action: &Action) -> Action {
    let count = project.corpus.items.len();
    let wrapped = |items: &[ItemId]| items.iter().map(|item| ItemId::new(item.index() % count)).collect::<Vec<_>>();
    match action {
        Action::Pin(items) => Action::Pin(wrapped(items)),
        Action::Link(items) => Action::Link(wrapped(items)),
        Action::Demote(items) => Action::Demote(wrapped(items)),
        Action::Promote(items) => Action::Promote(wrapped(items)),
        Action::Exclude(items) => Action::Exclude(wrapped(items)),
        Action::Clear(items) => Action::Clear(wrapped(items)),
        Action::PinLines(pins) => {
            let files = wrapped(&pins.iter().map(|(item, _)| *item).collect::<Vec<_>>());
            let files = files.into_iter().filter(|item| item.index() < project.corpus.files.len());
            Action::PinLines(files.zip(pins).map(|(item, (_, lines))| (item, lines.clone())).collect())
        }
        Action::Limit(_) | Action::Fill(_) => action.clone(),
    }
}

/// Applies the actions; an invalid one is refused and changes nothing.
fn act(project: &Project, bench: &mut Bench, actions: &[Action]) {
    for action in actions {
        let action = on(project, action);
        let before = bench.bench.placement().clone();
        if bench.bench.apply(&action).is_err() {
            assert_eq!(&before, bench.bench.placement());
        }
    }
}

fn usable(placement: &Placement, tokenizer: Tokenizer) -> usize {
    tokenizer.usable(placement.limit)
}

/// Checks that the payload's figures are correct and within the limit, unless pins alone exceed it.
fn check_budget(bench: &Bench, format: Format, tokenizer: Tokenizer) -> Result<(), TestCaseError> {
    let placement = bench.bench.placement();
    let payload = bench.renderer.render(placement);
    let count = oracle(tokenizer, &payload);
    prop_assert_eq!(count, placement.usage.total, "{:?} {:?}", format, tokenizer);
    let over = count.saturating_sub(usable(placement, tokenizer));
    prop_assert_eq!(placement.over, over);
    if over > 0 {
        let others = placement.placed.iter().filter(|placed| placed.overridden != Some(Override::Pin));
        prop_assert!(others.into_iter().all(|placed| placed.tier == Tier::Out));
    }
    if format == Format::Pack {
        let pack = pack::json::read(&payload, &Policy::default());
        prop_assert!(pack.is_ok(), "{:?}", pack);
        let whole = placement.tier(Tier::Raw).filter(|placed| placed.form == Form::Whole);
        prop_assert!(whole.into_iter().all(|placed| placed.overridden == Some(Override::Pin)));
    }
    if format == Format::Hybrid {
        let read = parse(&payload).unwrap();
        prop_assert_eq!(read.meta.used, Some(count));
        prop_assert_eq!(read.meta.limit, Some(placement.limit));
        let (raw, linked) = (placement.tier(Tier::Raw).count(), placement.tier(Tier::Linked).count());
        prop_assert_eq!(read.meta.items, Some((raw, linked)));
    }
    Ok(())
}

/// Content of a file in a pack.
fn excerpt(payload: &str, path: &str) -> Option<String> {
    let pack = pack::json::read(payload, &Policy::default()).unwrap();
    let files = pack.relevant_files.iter().map(|file| (&file.path, &file.excerpt));
    let mut all = files.chain(pack.doc_refs.iter().map(|doc| (&doc.path, &doc.excerpt)));
    all.find(|(known, _)| *known == path).and_then(|(_, excerpt)| excerpt.clone())
}

/// Checks that form and tier of every entry agree, and that only excerpts have a note.
fn check_entries(project: &Project, Bench { bench, renderer }: &Bench) -> Result<(), TestCaseError> {
    let placement = bench.placement();
    let mut items: Vec<usize> = placement.placed.iter().map(|placed| placed.item.index()).collect();
    items.sort_unstable();
    prop_assert!(items.into_iter().eq(0..project.corpus.items.len()));
    let active: HashSet<ItemId> = placement.active().map(|placed| placed.item).collect();
    for placed in placement.placed.iter().filter(|placed| !active.contains(&placed.item)) {
        prop_assert_eq!(placed, &PlacedItem::out(placed.item), "what nobody counts as active is plainly out");
    }
    // A payload rendered without the cache is the same.
    let unaware = Placement { active: None, ..placement.clone() };
    prop_assert!(renderer.render(placement) == renderer.render(&unaware));
    for placed in &placement.placed {
        let agrees = match placed.form {
            Form::Whole | Form::Spans(_) | Form::Skeleton(_) => placed.tier == Tier::Raw,
            Form::Link => placed.tier == Tier::Linked,
            Form::Mention => placed.tier == Tier::Summary,
            Form::Absent => placed.tier == Tier::Out && placed.tokens == 0,
        };
        prop_assert!(agrees, "{placed:?}");
        if placed.form == Form::Whole {
            prop_assert!(placed.held_back.is_none() && placed.whole_tokens.is_none(), "{placed:?}");
        }
        let allowed = match placed.overridden {
            Some(Override::Pin) => placed.tier == Tier::Raw || placed.held_back.is_some(),
            Some(Override::Link) => placed.tier >= Tier::Linked,
            Some(Override::Demote(ceiling)) => placed.tier >= ceiling,
            Some(Override::Exclude) => placed.tier == Tier::Out,
            None => true,
        };
        prop_assert!(allowed, "{placed:?}");
    }
    Ok(())
}

/// Candidates without an override, best first, with their cost in full. Bulky generated files enter RAW only if pinned.
fn without_override(bench: &Bench, floor: u8) -> impl Iterator<Item = (&PlacedItem, usize)> {
    let scores = bench.bench.scores();
    let wanted = move |placed: &&PlacedItem| {
        let score = &scores.items[placed.item];
        placed.overridden.is_none() && !score.bulk && score.points >= floor && (score.points > 0 || score.rank > 0.0)
    };
    let placed = bench.bench.placement().placed.iter().filter(wanted);
    placed.filter_map(|placed| Some((placed, bench.renderer.inlined(placed.item, &Form::Whole)?)))
}

/// Checks that no item is missing from RAW while a lower-ranked one of the same or a larger size is included in full:
/// among items placed by points, and among those that auto-fill added to `before`.
fn check_order(bench: &Bench, before: Option<&Bench>) -> Result<(), TestCaseError> {
    let supporting: Vec<ItemId> = bench.bench.scores().supporting.iter().map(|(item, _)| ItemId::from(*item)).collect();
    let was_there = |item: ItemId| {
        before.is_some_and(|before| before.bench.placement().tier(Tier::Raw).any(|placed| placed.item == item))
    };
    let mut smallest_left_out = usize::MAX;
    for (placed, whole) in without_override(bench, if before.is_some() { 0 } else { 7 }) {
        if supporting.contains(&placed.item) || was_there(placed.item) {
            continue;
        }
        if placed.tier != Tier::Raw {
            smallest_left_out = smallest_left_out.min(whole);
        } else if placed.form == Form::Whole {
            prop_assert!(whole < smallest_left_out, "{placed:?} of {whole} is in, one of {smallest_left_out} is not");
        }
    }
    Ok(())
}

/// Checks that auto-fill only adds: no item leaves a tier or loses lines.
fn check_only_adds(before: &Bench, after: &Bench) -> Result<(), TestCaseError> {
    let after = after.bench.placement();
    for placed in &before.bench.placement().placed {
        let now = after.placed.iter().find(|now| now.item == placed.item).unwrap();
        prop_assert!(now.tier <= placed.tier, "{placed:?} became {now:?}");
        if let (Form::Spans(old) | Form::Skeleton(old), Form::Spans(new) | Form::Skeleton(new)) =
            (&placed.form, &now.form)
        {
            let kept = |span: &(u32, u32)| new.iter().any(|other| other.0 <= span.0 && span.1 <= other.1);
            prop_assert!(old.iter().all(kept), "{placed:?} became {now:?}");
        }
        prop_assert!(placed.form != Form::Whole || now.form == Form::Whole, "{placed:?} became {now:?}");
    }
    Ok(())
}

/// Checks that nothing more would fit.
fn check_full(bench: &Bench, tokenizer: Tokenizer) -> Result<(), TestCaseError> {
    let placement = bench.bench.placement();
    let limit = usable(placement, tokenizer);
    if placement.over > 0 || limit - placement.usage.total < CRUMBS {
        return Ok(());
    }
    let mut refused = usize::MAX;
    for (placed, whole) in without_override(bench, 0) {
        if placed.tier == Tier::Raw || whole >= refused {
            continue;
        }
        // A file that is unlikely to change takes at most about a quarter of RAW, and small files are exempt.
        let likely = bench.bench.scores().items[placed.item].likely;
        if likely < 0.5 && whole > (limit / 5).max(3_000) {
            continue;
        }
        let mut with_it = placement.clone();
        let entry = with_it.placed.iter_mut().find(|other| other.item == placed.item).unwrap();
        (entry.tier, entry.form) = (Tier::Raw, Form::Whole);
        (entry.whole_tokens, entry.held_back) = (None, None);
        let total = bench.renderer.usage(&with_it).total;
        prop_assert!(
            total > limit || whole + placement.usage.total > limit + placed.tokens,
            "{placed:?} of {whole} fits: {total} of {limit}"
        );
        refused = whole;
    }
    Ok(())
}

proptest! {
    #![proptest_config(few(24))]

    #[test]
    fn the_payload_stays_within_its_budget_and_states_it(
        files in files(), format in formats(), tokenizer in tokenizers(), limits in prop::collection::vec(limits(), 2),
        fill: bool, done in actions(5),
    ) {
        let project = Project::new(&files);
        for limit in limits {
            let mut bench = project.bench(format, tokenizer, limit, fill);
            check_budget(&bench, format, tokenizer)?;
            check_entries(&project, &bench)?;
            act(&project, &mut bench, &done);
            check_budget(&bench, format, tokenizer)?;
            check_entries(&project, &bench)?;
        }
    }

    #[test]
    fn better_items_take_precedence_and_auto_fill_uses_all_room(
        files in files(), format in formats(), tokenizer in tokenizers(), limits in prop::collection::vec(limits(), 3),
        done in actions(3),
    ) {
        let project = Project::new(&files);
        // A limit or fill action would make the two workbenches equal.
        let done: Vec<Action> =
            done.into_iter().filter(|action| !matches!(action, Action::Limit(_) | Action::Fill(_))).collect();
        for limit in limits {
            let mut plain = project.bench(format, tokenizer, limit, false);
            act(&project, &mut plain, &done);
            let mut filled = project.bench(format, tokenizer, limit, false);
            act(&project, &mut filled, &done);
            filled.bench.apply(&Action::Fill(true)).unwrap();
            check_order(&plain, None)?;
            check_order(&filled, Some(&plain))?;
            check_only_adds(&plain, &filled)?;
            // Packs include only pinned files in full.
            if format != Format::Pack {
                check_full(&filled, tokenizer)?;
            }
        }
    }

    #[test]
    fn pinned_items_are_included_and_excluded_ones_do_not_appear(
        files in files(), format in formats(), tokenizer in tokenizers(), limit in limits(), fill: bool,
        pinned in prop::collection::vec(0usize..18, 0..3), excluded in prop::collection::vec(0usize..18, 1..4),
    ) {
        let project = Project::new(&files);
        let count = project.corpus.files.len();
        prop_assume!(count > 0);
        let excluded: Vec<ItemId> = excluded.iter().map(|item| ItemId::new(item % count)).collect();
        let pinned: Vec<ItemId> = pinned.iter().map(|item| ItemId::new(item % count)).filter(|item| !excluded.contains(item)).collect();
        let mut bench = project.bench(format, tokenizer, limit, fill);
        // The later override takes precedence over this pin.
        bench.bench.apply(&Action::Pin(excluded.clone())).unwrap();
        bench.bench.apply(&Action::Exclude(excluded.clone())).unwrap();
        if !pinned.is_empty() {
            bench.bench.apply(&Action::Pin(pinned.clone())).unwrap();
        }
        check_budget(&bench, format, tokenizer)?;
        let placement = bench.bench.placement();
        let payload = bench.renderer.render(placement);
        for item in pinned {
            let placed = placement.placed.iter().find(|placed| placed.item == item).unwrap();
            prop_assert_eq!((placed.tier, &placed.form), (Tier::Raw, &Form::Whole));
            let shown = &project.corpus.item_text(item).shown;
            if format == Format::Pack {
                let path = &project.corpus.items[item].path;
                prop_assert_eq!(excerpt(&payload, path), Some(shown.clone()));
            } else {
                prop_assert!(payload.contains(shown.as_str()));
            }
        }
        for item in excluded {
            let path = &project.corpus.items[item].path;
            // The name must not appear anywhere, for example in a tree.
            let name = path.rsplit('/').next().unwrap();
            prop_assert!(!payload.contains(name), "{path} is in {payload}");
            prop_assert!(!payload.contains(&Project::diff_mark(path)), "what speaks of {path} is in {payload}");
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(
        files in files(), format in formats(), tokenizer in tokenizers(), limit in limits(), fill: bool,
        done in actions(4),
    ) {
        let project = Project::new(&files);
        let again = project.again();
        let mut payloads = Vec::new();
        for project in [&project, &project, &again] {
            let mut bench = project.bench(format, tokenizer, limit, fill);
            act(project, &mut bench, &done);
            payloads.push((bench.renderer.render(bench.bench.placement()), bench.bench.placement().clone()));
        }
        prop_assert_eq!(&payloads[0], &payloads[1]);
        prop_assert_eq!(&payloads[0], &payloads[2]);
    }

    #[test]
    fn undo_and_redo_restore_every_byte(
        files in files(), format in formats(), tokenizer in tokenizers(), limit in limits(), fill: bool,
        done in actions(8),
    ) {
        let project = Project::new(&files);
        let mut bench = project.bench(format, tokenizer, limit, fill);
        let state = |bench: &Bench| (bench.bench.placement().clone(), bench.renderer.render(bench.bench.placement()));
        let mut states = vec![state(&bench)];
        for action in &done {
            let action = on(&project, action);
            let previewed = bench.bench.preview(&action).ok();
            let applied = bench.bench.apply(&action).is_ok();
            prop_assert_eq!(applied, previewed.is_some());
            if applied {
                prop_assert_eq!(previewed.as_ref(), Some(bench.bench.placement()));
                states.push(state(&bench));
            }
        }
        for before in states.iter().rev().skip(1) {
            bench.bench.undo().unwrap();
            prop_assert_eq!(&state(&bench), before);
        }
        prop_assert!(bench.bench.undo().is_err());
        for after in states.iter().skip(1) {
            bench.bench.redo().unwrap();
            prop_assert_eq!(&state(&bench), after);
        }
        prop_assert!(bench.bench.redo().is_err());
        // Another workbench that replays the steps has the same state.
        let mut resumed = project.bench(format, tokenizer, limit, fill);
        resumed.bench.restore(bench.bench.steps().to_vec(), bench.bench.undone().to_vec());
        prop_assert_eq!(&state(&resumed), states.last().unwrap());
    }

    #[test]
    fn demotion_and_promotion_go_step_by_step(
        files in files(), item in 0usize..18, pin_first: bool, fill: bool, tokenizer in tokenizers(),
    ) {
        let project = Project::new(&files);
        let item = ItemId::new(item % project.corpus.items.len());
        // The budget has room for everything, so that no step depends on the space left.
        let mut bench = project.bench(Format::Hybrid, tokenizer, 2_000_000, fill);
        let tier = |bench: &Bench| bench.bench.placement().placed.iter().find(|placed| placed.item == item).unwrap().tier;
        if pin_first {
            bench.bench.apply(&Action::Pin(vec![item])).unwrap();
            prop_assert_eq!(tier(&bench), Tier::Raw);
        }
        while tier(&bench) != Tier::Out {
            let below = tier(&bench).below();
            bench.bench.apply(&Action::Demote(vec![item])).unwrap();
            prop_assert_eq!(tier(&bench), below);
        }
        prop_assert!(bench.bench.apply(&Action::Demote(vec![item])).is_err());
        for expected in [Tier::Summary, Tier::Linked, Tier::Raw] {
            bench.bench.apply(&Action::Promote(vec![item])).unwrap();
            prop_assert_eq!(tier(&bench), expected);
        }
        prop_assert!(bench.bench.apply(&Action::Promote(vec![item])).is_err());
    }

    #[test]
    fn every_inlined_file_can_be_parsed_back_exactly_once(
        files in files(), tokenizer in tokenizers(), limit in limits(), fill: bool, done in actions(4),
    ) {
        let project = Project::new(&files);
        let mut bench = project.bench(Format::Hybrid, tokenizer, limit, fill);
        act(&project, &mut bench, &done);
        let placement = bench.bench.placement();
        let read = parse(&bench.renderer.render(placement)).unwrap();
        let blocks: Vec<_> = read.raw.iter().filter(|block| block.kind != BlockKind::Task).collect();
        prop_assert_eq!(blocks.len(), placement.tier(Tier::Raw).count());
        for placed in placement.tier(Tier::Raw) {
            let path = &project.corpus.items[placed.item].path;
            let same: Vec<_> = blocks.iter().filter(|block| &block.path == path).collect();
            prop_assert_eq!(same.len(), 1, "{}", path);
            prop_assert_eq!(same[0].form.name(), placed.form.name());
            if placed.form == Form::Whole {
                prop_assert_eq!(&same[0].content, &project.corpus.item_text(placed.item).shown);
                if let Some(written) = project.written(path) {
                    prop_assert_eq!(&same[0].content, &written);
                }
            }
        }
        let linked: Vec<&str> = read.linked.iter().map(|line| line.path.as_str()).collect();
        for placed in placement.tier(Tier::Linked) {
            let path = project.corpus.items[placed.item].path.as_str();
            prop_assert_eq!(linked.iter().filter(|other| **other == path).count(), 1, "{}", path);
        }
    }
}

#[test]
fn a_missing_pinned_file_is_reported() {
    let project = Project::of(&[("src/a.py", "x = 1\n"), ("src/b.py", "y = 2\n")]);
    std::fs::remove_file(project.corpus.root.join("src/b.py")).unwrap();
    let mut bench = project.bench(Format::Hybrid, Tokenizer::Estimate, 5_000, false);
    bench.bench.apply(&Action::Pin(select::select(bench.bench.corpus(), "src/b.py").unwrap())).unwrap();
    let payload = bench.renderer.render(bench.bench.placement());
    assert!(payload.contains("Not included: `src/b.py`"), "{payload}");
    assert_eq!(oracle(Tokenizer::Estimate, &payload), bench.bench.placement().usage.total);
}

#[test]
fn an_empty_project_has_a_payload() {
    let project = Project::new(&Files::default());
    for format in Format::ALL {
        let bench = project.bench(format, Tokenizer::Estimate, 1_000, true);
        assert!(!Arc::clone(&bench.renderer).render(bench.bench.placement()).is_empty());
    }
}
