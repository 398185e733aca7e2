//! Snapshots of a project that is larger than its payload, with items of every kind and form: each format's payload,
//! and the result of parsing it.

use std::sync::Arc;

use super::samples::{self, PLAIN, item};
use super::{Format, PayloadMeta, Renderer, Wrapper, fetched, landmarks, parse, renderer, verbatim, verify};
use crate::gather::Corpus;
use crate::gather::tokens::{DEFAULT, Tokenizer};
use crate::ids::ItemId;
use crate::place::{Decision, Decisions, Form, Override, PinnedLines, Placement, PlacementRequest, Split, Tier};
use crate::project::config::Template;
use crate::score::Scores;

/// Files in several languages and directories, one of them large, one with a secret, and items that are not files.
fn crowded_project() -> (tempfile::TempDir, Arc<Corpus>) {
    let step = |at: usize| {
        let lines: Vec<String> = (0..7).map(|line| format!("    order.total += {at} * {line}\n")).collect();
        format!("def step_{at}(order):\n{}    return order\n\n\n", lines.concat())
    };
    let large: String = (0..32).map(step).collect();
    let secret = format!("TOKEN = \"{}{}\"\nimport os\n", "qZ7vT2mXw9", "Lk4RbPzW8n");
    let modules: Vec<(String, String)> = (0..24)
        .map(|at| (format!("lib/part{}/module{at:02}.js", at % 3), format!("export const part{at} = {at};\n")))
        .collect();
    let mut files = PLAIN.to_vec();
    files.extend([
        ("src/steps.py", large.as_str()),
        ("src/settings.py", secret.as_str()),
        ("docs/guide.md", "# Guide\n\n## Refunds\n\nA refund goes back.\n"),
        ("web/a b`c.ts", "export class Cart { total = 0 }\n"),
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
    ]);
    files.extend(modules.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let (dir, mut corpus) = samples::corpus(&files);
    samples::add_one_of_each(&mut corpus);
    (dir, Arc::new(corpus))
}

fn scores(corpus: &Corpus) -> Scores {
    let mut scores = samples::scores(corpus);
    let steps = item(corpus, "src/steps.py");
    (scores.items[steps].points, scores.items[steps].hot) = (9, vec![(1, 9), (45, 53), (221, 231)].into());
    for (index, score) in scores.items.iter_mut().enumerate() {
        (score.rank, score.evidence) = (1.0 / (index + 1) as f64, 0.5);
    }
    // Items are in the scorer's order: by the tier that their points suggest, then by rank.
    let tier = |item: &ItemId| match scores.items[*item].points {
        7.. => 0,
        4..7 => 1,
        1..4 => 2,
        0 => 3,
    };
    let mut order = scores.order.clone();
    order.sort_by_key(tier);
    Scores { order, ..scores }
}

fn make(format: Format, corpus: &Arc<Corpus>, meta: PayloadMeta) -> Box<dyn Renderer> {
    renderer(format, Arc::clone(corpus), Arc::new(scores(corpus)), meta)
}

/// The placement at this limit, with one file excluded, one pinned and one demoted.
fn place(costs: &dyn Renderer, corpus: &Corpus, limit: usize, fill: bool) -> Placement {
    let decisions = Decisions::from([
        (item(corpus, "src/mail.py"), Decision::whole(Override::Exclude)),
        (item(corpus, "docs/guide.md"), Decision::pinned(vec![PinnedLines::range((3, 5))])),
        (item(corpus, "README.md"), Decision::moved_to(Tier::Linked)),
    ]);
    let budget = crate::place::Budget { limit, split: Split::default(), tokenizer: DEFAULT };
    let scores = scores(corpus);
    PlacementRequest { items: &corpus.items, scores: &scores, decisions: &decisions, budget, fill, costs }.place()
}

fn meta() -> PayloadMeta {
    let task = "Add refund capability\n\nRefunds may be *partial*, and `late`.\n- not twice\n";
    PayloadMeta { notes: vec!["session.context: `gone.rs` is nowhere".to_owned()], ..samples::meta(task, DEFAULT) }
}

#[test]
fn every_format_of_a_crowded_project() {
    let (_dir, corpus) = crowded_project();
    for format in Format::ALL {
        let renderer = make(format, &corpus, meta());
        for (limit, fill) in [(1_500, false), (4_000, true)] {
            let placement = place(renderer.as_ref(), &corpus, limit, fill);
            let text = renderer.render(&placement);
            let usage = renderer.usage(&placement);
            assert_eq!(usage, placement.usage, "{format:?} {limit}");
            assert_eq!(DEFAULT.count(&text), usage.total, "{format:?} {limit}");
            assert!(!text.contains("qZ7vT2mXw9") && !text.contains("mail.py"), "{text}");
            insta::assert_snapshot!(format!("crowded_{format:?}_{limit}"), format!("{usage:?}\n{text}"));
        }
    }
}

/// After a change of the limit, nothing cached for another limit is used.
#[test]
fn a_reused_renderer_gives_the_same_result_as_a_new_one() {
    let (_dir, corpus) = crowded_project();
    for format in Format::ALL {
        let kept = make(format, &corpus, meta());
        for (limit, fill) in [(4_000, true), (1_500, true), (9_000, true), (1_500, false)] {
            let fresh = make(format, &corpus, meta());
            let placement = place(fresh.as_ref(), &corpus, limit, fill);
            assert_eq!(kept.render(&placement), fresh.render(&placement), "{format:?} {limit}");
            assert_eq!(kept.usage(&placement), fresh.usage(&placement), "{format:?} {limit}");
        }
    }
}

#[test]
fn parsed_payloads_match_their_placement() {
    let (dir, corpus) = crowded_project();
    for format in [Format::Hybrid, Format::Xml] {
        let renderer = make(format, &corpus, meta());
        let text = renderer.render(&place(renderer.as_ref(), &corpus, 4_000, true));
        let payload = parse(&text).unwrap();
        let lines: Vec<&str> = landmarks(&text).into_iter().filter_map(|at| text.lines().nth(at)).collect();
        let verdict = verify(&text, dir.path());
        insta::assert_snapshot!(format!("read_{format:?}"), format!("{payload:#?}\n{lines:#?}\n{verdict:#?}"));
    }
}

#[test]
fn estimated_and_exact_counts_are_of_the_same_payload() {
    let (_dir, corpus) = crowded_project();
    for format in Format::ALL {
        let renderer = make(format, &corpus, PayloadMeta { tokenizer: Tokenizer::Estimate, ..meta() });
        let placement = place(renderer.as_ref(), &corpus, 4_000, true);
        let text = renderer.render(&placement);
        assert_eq!(renderer.usage(&placement).total, Tokenizer::Estimate.count(&text), "{format:?}");
    }
}

#[test]
fn every_format_but_the_pack_has_the_users_template() {
    let (_dir, corpus) = crowded_project();
    let template = Template { before: Some("Before {{task}}.".to_owned()), after: Some("After.".to_owned()) };
    for format in Format::ALL {
        let plain = make(format, &corpus, meta());
        let wrapper = Wrapper::of(&template).unwrap();
        let framed = make(format, &corpus, PayloadMeta { wrapper, ..meta() });
        let placement = place(plain.as_ref(), &corpus, 9_000, true);
        let (without, with) = (plain.render(&placement), framed.render(&placement));
        if format == Format::Pack {
            assert_eq!(with, without);
            continue;
        }
        // The template is not part of any item's cost.
        for item in ItemId::all(corpus.items.len()) {
            for form in [Form::Whole, Form::Spans(vec![(1, 2)]), Form::Link] {
                assert_eq!(framed.inlined(item, &form), plain.inlined(item, &form), "{format:?} {item:?}");
            }
            let costs = |of: &dyn Renderer| (of.linked(item), of.mentioned(item), of.excerpt_limit(9_000));
            assert_eq!(costs(framed.as_ref()), costs(plain.as_ref()), "{format:?} {item:?}");
        }
        assert!(with.starts_with("Before ") && with.trim_end().ends_with("After."), "{format:?}: {with}");
        assert_eq!(framed.usage(&placement).total, DEFAULT.count(&with), "{format:?}");
        assert_eq!(with.contains("---\n\nAfter."), format != Format::Xml, "{format:?}");
    }
}

#[test]
fn forms_contain_lines_verbatim() {
    let (_dir, corpus) = crowded_project();
    let steps = item(&corpus, "src/steps.py");
    let of = |form: Form| verbatim(&corpus, steps, &form);
    assert_eq!(of(Form::Whole), [(1, 352)]);
    assert_eq!(of(Form::Spans(vec![(5, 6), (101, 102)])), [(5, 6), (101, 102)]);
    let skeleton = of(Form::Skeleton(vec![(47, 48)]));
    assert!(skeleton.iter().any(|(first, last)| *first <= 47 && *last >= 48), "{skeleton:?}");
    assert!(skeleton.iter().all(|(first, last)| last - first < 100), "{skeleton:?}");
    for form in [Form::Link, Form::Mention, Form::Absent] {
        assert_eq!(of(form), []);
    }
    assert_eq!(verbatim(&corpus, item(&corpus, "memo:1"), &Form::Skeleton(vec![(1, 1)])), []);
}

#[test]
fn fetched_items_form_a_document() {
    let (_dir, corpus) = crowded_project();
    let (guide, memo) = (item(&corpus, "docs/guide.md"), item(&corpus, "memo:1"));
    let wanted = [(guide, Form::Spans(vec![(3, 5)])), (memo, Form::Whole)];
    let (text, tokens) = fetched(&corpus, &wanted, DEFAULT, false).unwrap();
    assert_eq!(tokens, DEFAULT.count(&text));
    insta::assert_snapshot!("fetched", text);
    let (alone, _) = fetched(&corpus, &wanted[1..], DEFAULT, false).unwrap();
    assert!(alone.contains("### RAW:fetched\n") && alone.contains("pnpm"), "{alone}");
    let refused = fetched(&corpus, &[(memo, Form::Skeleton(vec![(1, 1)]))], DEFAULT, false).unwrap_err();
    assert!(refused.contains("memo:1"), "{refused}");
}

#[test]
fn counted_items_are_known() {
    let (_dir, corpus) = samples::corpus(&samples::PLAIN);
    let corpus = Arc::new(corpus);
    let item = samples::item(&corpus, "src/payment.py");
    for format in Format::ALL.into_iter().filter(|format| *format != Format::Pack) {
        let new = || renderer(format, Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), samples::plain_meta());
        let fresh = new();
        assert!(!fresh.is_known(item, &Form::Whole), "{format:?}");
        assert!(fresh.inlined(item, &Form::Whole).is_some_and(|tokens| tokens > 0), "{format:?}");
        assert!(fresh.is_known(item, &Form::Whole) && !fresh.is_known(item, &Form::Spans(vec![(1, 2)])), "{format:?}");
        let fresh = new();
        let known = fresh.is_known(item, &Form::Link);
        let linked = fresh.linked(item);
        assert!(fresh.is_known(item, &Form::Link), "{format:?}");
        assert_eq!(known, linked == 0, "{format:?}: only what costs nothing is known before");
    }
}

#[test]
fn a_mention_costs_the_tokens_that_it_adds() {
    let (_dir, corpus) = samples::corpus(&PLAIN);
    let corpus = Arc::new(corpus);
    let item = item(&corpus, "src/mail.py");
    for format in Format::ALL {
        let renderer = renderer(format, Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), samples::plain_meta());
        // The first mention also adds a heading and a clause of the first sentence.
        let mention = |item| samples::placed(item, Tier::Summary, Form::Mention);
        let first = ItemId::all(corpus.items.len()).find(|first| *first != item).unwrap();
        let (one, both) =
            (samples::placement(vec![mention(first)]), samples::placement(vec![mention(first), mention(item)]));
        let added = renderer.usage(&both).summary - renderer.usage(&one).summary;
        let cost = renderer.mentioned(item);
        assert_eq!(cost > 0, matches!(format, Format::Hybrid | Format::Xml), "{format:?}");
        assert!(added <= cost + 8 && cost <= added + 8, "{format:?}: {added} for {cost}");
    }
}
