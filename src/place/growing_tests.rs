//! Tests of placement under growing budgets: properties in many scenes, and some examples.

use super::tests::{Case, pin};
use super::*;
use crate::ids::ItemId;

type Scene = (&'static str, fn() -> Case);

/// Items with slowly decreasing evidence, quickly decreasing confidence, and mixed sizes.
fn mixed() -> Case {
    let mut case = Case::new(&[(9, 700), (9, 2_400), (8, 300), (7, 900), (7, 120), (5, 400), (4, 80), (2, 60)], 0);
    let evidence = [1.0, 0.95, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1];
    let likely = [0.45, 0.4, 0.2, 0.15, 0.08, 0.04, 0.02, 0.01];
    for (score, (evidence, likely)) in case.scores.items.iter_mut().zip(evidence.into_iter().zip(likely)) {
        (score.evidence, score.likely) = (evidence, likely);
    }
    case
}

/// The same items, with likely lines for the larger ones.
fn with_lines() -> Case {
    let mut case = mixed();
    case.scores.items[0].hot = vec![(10, 200), (300, 350), (400, 420)].into();
    case.scores.items[1].hot = vec![(900, 1_299), (1, 250), (2_000, 2_030)].into();
    case.scores.items[3].hot = vec![(1, 100), (200, 500), (600, 650), (700, 720)].into();
    case
}

/// Files with nearly equal evidence. The small files would leave no space for a large one that ranks among the best.
fn crowded() -> Case {
    let mut case =
        Case::new(&[(9, 900), (9, 9_000), (9, 1_400), (8, 5_000), (8, 1_200), (8, 1_000), (7, 1_100), (7, 1_300)], 0);
    for (score, evidence) in case.scores.items.iter_mut().zip([1.0, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92]) {
        (score.evidence, score.likely) = (evidence, 0.3);
    }
    case.scores.items[1].hot = vec![(10, 260), (400, 700), (900, 3_900)].into();
    case.scores.items[3].hot = vec![(10, 260), (400, 700)].into();
    case.filled()
}

const SCENES: &[Scene] = &[
    ("scores", mixed),
    ("fill", || mixed().filled()),
    ("lines", with_lines),
    ("lines, fill", || with_lines().filled()),
    ("skeletons", || {
        let mut case = with_lines().filled();
        case.costs.skeleton = Some(60);
        case
    }),
    ("dear skeletons", || {
        let mut case = with_lines().filled();
        case.costs.skeleton = Some(140);
        case
    }),
    ("excerpts", || {
        let mut case = with_lines().filled();
        (case.costs.excerpt, case.costs.skeleton) = (Some(400), Some(90));
        case
    }),
    ("a pin", || with_lines().with_override(3, pin()).filled()),
    ("a pinned span", || with_lines().with_override(1, Decision::pinned(vec![PinnedLines::range((5, 304))]))),
    ("moved", || {
        mixed()
            .with_override(0, Decision::moved_to(Tier::Linked))
            .with_override(2, Decision::moved_to(Tier::Summary))
            .filled()
    }),
    ("pointed at", || {
        let mut case = with_lines().filled();
        case.scores.items[1].pointed = true;
        case
    }),
    ("two pointed at", || {
        let mut case = with_lines().filled();
        (case.scores.items[1].pointed, case.scores.items[3].pointed) = (true, true);
        case
    }),
    ("crowded", crowded),
    ("crowded, a target", || {
        let mut case = crowded();
        for score in &mut case.scores.items[2..] {
            score.likely = 0.05;
        }
        case
    }),
    ("growing fixed parts", || {
        let mut case = mixed();
        case.costs.growth = 110;
        case
    }),
    ("growing fixed parts, fill", || {
        let mut case = with_lines().filled();
        case.costs.growth = 110;
        case
    }),
    ("fixed parts that list omitted items", || {
        let mut case = mixed().filled();
        case.costs.left_out = 130;
        case
    }),
    ("many", || {
        let sizes: Vec<(u8, usize)> =
            (0..40).map(|index| ((40 - index) / 4, 90 + 37 * usize::from(index) % 400)).collect();
        Case::new(&sizes, 0)
    }),
    ("many, fill", || {
        let sizes: Vec<(u8, usize)> =
            (0..40).map(|index| ((40 - index) / 4, 90 + 37 * usize::from(index) % 400)).collect();
        let mut case = Case::new(&sizes, 0).filled();
        case.costs.growth = 25;
        case
    }),
];

/// The tiers as letters, best item first, and the tokens used. `r` is an excerpt in RAW.
fn row(scene: &str, limit: usize) -> String {
    let (_, make) = SCENES.iter().find(|(name, _)| *name == scene).unwrap();
    let mut case = make();
    case.limit = limit;
    let placement = case.place();
    let over = if placement.over > 0 { format!(" over {}", placement.over) } else { String::new() };
    format!("{} {}{over}", case.tiers(), placement.usage.total)
}

#[test]
fn a_few_budgets_as_examples() {
    let examples = [
        // The best item does not fit, so smaller ones are included.
        ("scores", 1_000, "--R-R--- 920"),
        // Without auto-fill, points decide: the last item remains a mention.
        ("scores", 12_000, "RRRRRRRS 5410"),
        ("fill", 12_000, "RRRRRRRR 5460"),
        // A large item becomes an excerpt.
        ("lines", 3_800, "RrRrRRRS 3264"),
        // A pin is included even if it exceeds the budget.
        ("a pin", 1_000, "---R---- 1400 over 400"),
        // Overrides apply at any budget: item 0 is linked, and item 2 is mentioned.
        ("moved", 12_000, "LRSRRRRR 4490"),
        // The lines that evidence points to, in item 1, take precedence over full files.
        ("pointed at", 1_450, "LrRLRLRR 1401"),
    ];
    for (scene, limit, expected) in examples {
        assert_eq!(row(scene, limit), expected, "{scene} at {limit}");
    }
}

/// In every scene, the total is within the limit unless pins alone exceed it, and every excerpt has a reason.
#[test]
fn properties_of_every_scene() {
    for (name, make) in SCENES {
        for limit in (1_000..6_000).step_by(70) {
            let mut case = make();
            case.limit = limit;
            let placement = case.place();
            assert!(
                placement.usage.total <= limit || placement.over == placement.usage.total - limit,
                "{name} {limit}"
            );
            assert_eq!(placement.usage, case.costs.usage(&placement), "{name} {limit}");
            for placed in &placement.placed {
                let cut = matches!(placed.form, Form::Spans(_) | Form::Skeleton(_)) && placed.overridden.is_none();
                let whole = (placed.tier, &placed.form) == (Tier::Raw, &Form::Whole);
                let explained = placed.held_back.is_some() || placed.whole_tokens.is_some();
                assert!(!cut || explained, "{name} {limit}: {placed:?}");
                assert!(
                    !whole || (placed.held_back.is_none() && placed.whole_tokens.is_none()),
                    "{name} {limit}: {placed:?}"
                );
                assert_eq!(placed.tier == Tier::Out, placed.form == Form::Absent, "{name} {limit}: {placed:?}");
            }
        }
    }
}

/// If items only grow, auto-fill leaves too few tokens for any small item.
#[test]
fn auto_fill_leaves_no_room_for_the_smallest_remaining_item() {
    for limit in (1_000..6_000).step_by(50) {
        let mut case = mixed().filled();
        case.limit = limit;
        let placement = case.place();
        let left = placement.placed.iter().filter(|placed| placed.tier != Tier::Raw);
        let costs = left.filter_map(|placed| case.costs.inlined(placed.item, &Form::Whole));
        let room = limit - placement.usage.total;
        // If fewer than 60 tokens are left, no item is searched for.
        assert!(
            costs.min().is_none_or(|smallest| smallest > room || room < 60),
            "{limit}: {room} free: {}",
            case.tiers()
        );
    }
}

#[test]
fn tiers_forms_and_overrides_have_names() {
    let tiers = [Tier::Raw, Tier::Linked, Tier::Summary, Tier::Out];
    assert_eq!(tiers.map(Tier::name), ["raw", "linked", "summary", "out"]);
    assert_eq!(tiers.map(Tier::below), [Tier::Linked, Tier::Summary, Tier::Out, Tier::Out]);
    assert_eq!(tiers.map(Tier::above), [Tier::Raw, Tier::Raw, Tier::Linked, Tier::Summary]);
    let spans = vec![(1, 2)];
    let forms =
        [Form::Whole, Form::Spans(spans.clone()), Form::Skeleton(spans), Form::Link, Form::Mention, Form::Absent];
    assert_eq!(forms.map(|form| form.name()), ["whole", "spans", "skeleton", "link", "mention", "none"]);
    let overrides = [Override::Pin, Override::Link, Override::Demote(Tier::Out), Override::Exclude];
    assert_eq!(overrides.map(Override::name), ["pin", "link", "demote", "exclude"]);
}

#[test]
fn a_placement_can_be_reduced_to_some_items() {
    let case = Case::new(&[(9, 10), (9, 10), (5, 10), (0, 10)], 20_000).with_override(1, pin()).with_override(3, pin());
    let some = case.place().only(&[ItemId::new(0), ItemId::new(3)]);
    let told: Vec<(usize, Tier, Option<Override>)> =
        some.placed.iter().map(|placed| (placed.item.index(), placed.tier, placed.overridden)).collect();
    assert_eq!(
        told,
        [(1, Tier::Out, None), (3, Tier::Raw, Some(Override::Pin)), (0, Tier::Raw, None), (2, Tier::Out, None)]
    );
    assert!(some.tier(Tier::Out).all(|placed| placed.form == Form::Absent));
}

#[test]
fn limits_depend_on_the_complexity_and_the_window() {
    use crate::score::Complexity;
    let limits = Limits::default();
    assert_eq!(
        [Complexity::Simple, Complexity::Medium, Complexity::Complex].map(|of| limits.of(of)),
        [25_000, 70_000, 100_000]
    );
    let within = limits.within(Limits { simple: 30_000, medium: 60_000, complex: 9_000 });
    assert_eq!(within, Limits { simple: 25_000, medium: 60_000, complex: 9_000 });
}

#[test]
fn without_auto_fill_at_most_sixteen_unsure_items_enter_raw() {
    let mut case = Case::new(&[(3, 100); 30], 100_000);
    for score in &mut case.scores.items {
        (score.likely, score.evidence) = (0.15, 1.0);
    }
    let count = |case: &Case| case.tiers().matches('R').count();
    assert_eq!(case.tiers()[..17], *"RRRRRRRRRRRRRRRRS");
    let case = case.with_override(3, Decision::whole(Override::Exclude));
    assert_eq!(count(&case), 16);
    assert_eq!(count(&case.filled()), 29);
}
