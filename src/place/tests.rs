//! Tests of tiers, limits and overrides, with simple costs that can be computed by hand.

use std::collections::HashSet;

use super::*;
use crate::gather::item::{ItemKind, Source};
use crate::gather::tokens::{DEFAULT, Tokenizer};
use crate::ids::{FileId, ItemId};
use crate::score::Score;

const FRAME: usize = 500;
const LINK: usize = 20;
const MENTION: usize = 10;

/// A renderer that only counts: the fixed parts have a constant size, and each item has a given size.
pub(super) struct FixedCosts {
    sizes: Vec<usize>,
    /// Items without text.
    gone: HashSet<usize>,
    /// Growth of the fixed parts for each mentioned item.
    pub growth: usize,
    /// Growth of the fixed parts for each omitted item.
    pub left_out: usize,
    /// True if the format has no references and no mentions.
    bare: bool,
    /// Cost of a skeleton in addition to its kept lines; `None` if there are no skeletons.
    pub skeleton: Option<usize>,
    /// Fraction of an item that an excerpt format shows.
    pub excerpt: Option<usize>,
}

impl Costs for FixedCosts {
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize> {
        let size = *self.sizes.get(item.index()).filter(|_| !self.gone.contains(&item.index()))?;
        match form {
            Form::Whole => Some(size),
            Form::Spans(spans) => Some(lines(spans)),
            Form::Skeleton(spans) => Some(lines(spans) + self.skeleton?),
            Form::Link | Form::Mention | Form::Absent => None,
        }
    }

    fn linked(&self, _item: ItemId) -> usize {
        if self.bare { 0 } else { LINK }
    }

    fn mentioned(&self, _item: ItemId) -> usize {
        if self.bare { 0 } else { MENTION }
    }

    fn excerpt_limit(&self, _room: usize) -> Option<usize> {
        self.excerpt
    }

    fn usage(&self, placement: &Placement) -> Usage {
        let of = |tier| placement.tier(tier).map(|placed| placed.tokens).sum::<usize>();
        let (raw, linked, summary) = (of(Tier::Raw), of(Tier::Linked), of(Tier::Summary));
        let spoken_of = placement.placed.iter().filter(|placed| placed.tier != Tier::Out).count();
        let left_out = placement.placed.len() - spoken_of;
        let frame = FRAME + spoken_of * self.growth + left_out * self.left_out;
        Usage { raw, linked, summary, total: frame + raw + linked + summary }
    }
}

/// Counts each line as one token.
fn lines(spans: &[Span]) -> usize {
    spans.iter().map(|(first, last)| (last - first + 1) as usize).sum()
}

/// Items by score and size, best first.
pub(super) struct Case {
    items: Vec<Item>,
    pub scores: Scores,
    pub costs: FixedCosts,
    decisions: Decisions,
    pub limit: usize,
    pub fill: bool,
    tokenizer: Tokenizer,
}

impl Case {
    pub fn new(items: &[(u8, usize)], limit: usize) -> Self {
        let path = |index: usize| format!("f{index:02}.rs");
        let item = |index: usize| Item {
            kind: ItemKind::File,
            path: path(index),
            source: Source::File(FileId::new(index)),
            about: None,
        };
        let score = |(index, (points, _)): (usize, &(u8, usize))| Score {
            points: *points,
            rank: 1000.0 - index as f64,
            ..Score::default()
        };
        Self {
            items: (0..items.len()).map(item).collect(),
            scores: Scores {
                items: items.iter().enumerate().map(score).collect(),
                order: ItemId::all(items.len()).collect(),
                ..Scores::default()
            },
            costs: FixedCosts {
                sizes: items.iter().map(|(_, size)| *size).collect(),
                gone: HashSet::new(),
                growth: 0,
                left_out: 0,
                bare: false,
                skeleton: None,
                excerpt: None,
            },
            decisions: Decisions::new(),
            limit,
            fill: false,
            tokenizer: DEFAULT,
        }
    }

    pub fn with_override(mut self, item: usize, decision: Decision) -> Self {
        self.decisions.insert(ItemId::new(item), decision);
        self
    }

    pub fn filled(self) -> Self {
        Self { fill: true, ..self }
    }

    pub fn place(&self) -> Placement {
        let budget = Budget { limit: self.limit, split: Split::default(), tokenizer: self.tokenizer };
        let Self { items, scores, decisions, costs, fill, .. } = self;
        PlacementRequest { items, scores, decisions, budget, fill: *fill, costs }.place()
    }

    /// The tier of each item as a letter; `r` is an excerpt in RAW.
    pub fn tiers(&self) -> String {
        let placement = self.place();
        let letter = |item: ItemId| {
            let placed = placement.placed.iter().find(|placed| placed.item == item).unwrap();
            match (placed.tier, &placed.form) {
                (Tier::Raw, Form::Whole) => 'R',
                (Tier::Raw, _) => 'r',
                (Tier::Linked, _) => 'L',
                (Tier::Summary, _) => 'S',
                (Tier::Out, _) => '-',
            }
        };
        ItemId::all(self.items.len()).map(letter).collect()
    }
}

pub(super) fn pin() -> Decision {
    Decision::whole(Override::Pin)
}

#[test]
fn scores_determine_tiers() {
    let case = Case::new(&[(10, 100), (7, 100), (6, 100), (4, 100), (3, 100), (1, 100), (0, 100)], 20_000);
    assert_eq!(case.tiers(), "RRLLSS-");
}

#[test]
fn items_that_do_not_fit_are_linked_and_smaller_ones_included() {
    // The fixed parts leave 1,500 of 2,000 tokens, and RAW gets 1,350 of them.
    let case = Case::new(&[(9, 1000), (9, 800), (8, 300), (7, 40)], 2_000);
    assert_eq!(case.tiers(), "RLRR");
    let placement = case.place();
    assert_eq!(placement.placed[1].whole_tokens, Some(800));
    assert!(placement.placed[1].held_back.is_some());
    assert_eq!(placement.placed[2].held_back, None);
}

#[test]
fn items_that_do_not_fit_become_excerpts_of_hot_lines() {
    let mut case = Case::new(&[(9, 1000), (9, 800)], 2_000);
    case.scores.items[1].hot = vec![(1, 200), (300, 399), (500, 700)].into();
    assert_eq!(case.tiers(), "Rr");
    assert_eq!(case.place().placed[1].form, Form::Spans(vec![(1, 200), (300, 399)]));
}

#[test]
fn each_tier_stays_within_its_share() {
    // LINKED gets two fifths of 9% of 1,500, enough for two links. SUMMARY gets 1%, enough for one mention.
    let case = Case::new(&[(5, 10); 12], 2_000);
    assert_eq!(case.tiers(), "LLS---------");
}

#[test]
fn overrides_set_the_tier_or_an_upper_limit() {
    let scores: [(u8, usize); 4] = [(9, 100), (5, 100), (2, 100), (0, 100)];
    let whole = Decision::whole;
    let cases = [
        (pin(), "RRRR"),
        (whole(Override::Link), "LLLL"),
        // Sets an upper limit; the item's score decides whether the item reaches this tier.
        (whole(Override::Demote(Tier::Linked)), "LLS-"),
        (whole(Override::Demote(Tier::Summary)), "SSS-"),
        (whole(Override::Demote(Tier::Out)), "----"),
        // Moved to this tier regardless of the score.
        (Decision::moved_to(Tier::Linked), "LLLL"),
        (Decision::moved_to(Tier::Summary), "SSSS"),
        (Decision::moved_to(Tier::Out), "----"),
        (whole(Override::Exclude), "----"),
    ];
    for (decision, expected) in cases {
        let case = (0..4).fold(Case::new(&scores, 20_000), |case, item| case.with_override(item, decision.clone()));
        assert_eq!(case.tiers(), expected, "{decision:?}");
    }
}

#[test]
fn overridden_items_come_first() {
    let case = Case::new(&[(9, 10), (8, 10), (3, 10), (0, 10)], 20_000)
        .with_override(3, pin())
        .with_override(2, Decision::whole(Override::Link))
        .with_override(0, Decision::whole(Override::Exclude));
    let order: Vec<usize> = case.place().placed.iter().map(|placed| placed.item.index()).collect();
    assert_eq!(order, [3, 2, 1, 0]);
}

#[test]
fn items_about_an_excluded_file_are_excluded() {
    let mut case = Case::new(&[(9, 10), (9, 10)], 20_000)
        .with_override(0, Decision::whole(Override::Exclude))
        .with_override(1, pin());
    case.items[1].kind = ItemKind::Changes;
    case.items[1].about = Some(FileId::new(0));
    assert_eq!(case.tiers(), "--");
}

#[test]
fn taking_an_item_out_of_raw_shrinks_no_other() {
    // The second file is included in full, because RAW is large enough for a file of this confidence.
    let mut case = Case::new(&[(5, 9_000), (5, 4_000), (5, 500)], 40_000);
    for (score, (evidence, likely)) in case.scores.items.iter_mut().zip([(1.0, 0.8), (0.9, 0.5), (0.8, 0.3)]) {
        (score.evidence, score.likely) = (evidence, likely);
    }
    case.scores.items[1].hot = vec![(1, 600)].into();
    assert_eq!(case.tiers(), "RRR");
    for fill in [false, true] {
        case.fill = fill;
        for decision in [Decision::whole(Override::Exclude), Decision::moved_to(Tier::Linked)] {
            case.decisions = HashMap::from([(ItemId::new(0), decision)]);
            assert_eq!(&case.tiers()[1..], "RR");
        }
    }
}

#[test]
fn a_pin_may_name_lines() {
    let decision = Decision::pinned(vec![PinnedLines::range((10, 29))]);
    let case = Case::new(&[(0, 5000)], 2_000).with_override(0, decision);
    let placement = case.place();
    assert_eq!((&placement.placed[0].form, placement.placed[0].tokens), (&Form::Spans(vec![(10, 29)]), 20));
    assert_eq!(placement.over, 0);
}

#[test]
fn pins_that_exceed_the_limit_report_by_how_much_and_leave_no_room() {
    let case = Case::new(&[(0, 3_000), (9, 10), (5, 10)], 2_000)
        .with_override(0, pin())
        .with_override(2, Decision::whole(Override::Link));
    assert_eq!(case.tiers(), "R--");
    assert_eq!(case.place().over, 1_500);
    let estimated = Case { tokenizer: Tokenizer::Estimate, ..case };
    assert_eq!(estimated.place().over, 1_700);
}

#[test]
fn pins_may_use_the_shares_of_other_tiers() {
    let case = Case::new(&[(0, 1_490), (9, 30), (5, 10)], 2_000).with_override(0, pin());
    assert_eq!(case.tiers(), "RS-");
}

#[test]
fn a_link_that_does_not_fit_becomes_a_mention_with_a_reason() {
    let case = Case::new(&[(0, 1_485), (0, 10)], 2_000)
        .with_override(0, pin())
        .with_override(1, Decision::whole(Override::Link));
    assert_eq!(case.tiers(), "RS");
    assert!(case.place().placed[1].held_back.is_some());
    let none = Case::new(&[(0, 1_495), (0, 10)], 2_000)
        .with_override(0, pin())
        .with_override(1, Decision::whole(Override::Link));
    assert_eq!(none.tiers(), "R-");
}

#[test]
fn an_unreadable_item_is_reported_and_takes_no_room() {
    let mut case = Case::new(&[(9, 10), (9, 10)], 2_000).with_override(1, pin());
    case.costs.gone = HashSet::from([0, 1]);
    let placement = case.place();
    assert!(placement.placed.iter().all(|placed| placed.held_back == Some("it cannot be read")), "{placement:?}");
    assert_eq!(placement.usage.raw, 0);
}

#[test]
fn auto_fill_continues_by_rank_and_keeps_existing_items() {
    let items = [(9, 700), (9, 900), (5, 300), (3, 200), (0, 100), (0, 20)];
    assert_eq!(Case::new(&items, 2_000).tiers(), "RLLS--");
    assert_eq!(Case::new(&items, 2_000).filled().tiers(), "RLRRRR");
}

#[test]
fn auto_fill_completes_an_excerpt_before_it_adds_an_item() {
    let mut case = Case::new(&[(9, 1_000), (9, 430), (2, 100)], 2_000);
    (case.scores.items[0].evidence, case.scores.items[0].likely) = (1.0, 0.9);
    case.scores.items[1].hot = vec![(1, 250)].into();
    assert_eq!(case.tiers(), "RrS");
    assert_eq!(case.filled().tiers(), "RRL");
}

#[test]
fn auto_fill_removes_nothing() {
    let mut case = Case::new(&[(9, 900), (2, 900)], 2_000);
    case.scores.items[1].rank = 2_000.0;
    assert_eq!(case.tiers(), "RS");
    assert_eq!(case.filled().tiers(), "RL");
}

#[test]
fn several_small_items_precede_a_large_one_that_is_hardly_better() {
    let sizes = [(9, 9_000), (9, 1_000), (9, 1_000), (9, 1_000), (9, 9_000)];
    let with = |likely: [f64; 5]| {
        let mut case = Case::new(&sizes, 11_000);
        for (score, likely) in case.scores.items.iter_mut().zip(likely) {
            (score.evidence, score.likely) = (1.0, likely);
        }
        case.tiers()
    };
    assert_eq!(with([0.4, 0.3, 0.2, 0.1, 0.09]), "LRRRL");
    assert_eq!(with([0.6, 0.04, 0.04, 0.04, 0.04]), "RLLLL");
    // A file that is unlikely to change may take only a fraction of RAW.
    assert_eq!(with([0.4, 0.04, 0.04, 0.04, 0.04]), "LRRRL");
    // A higher-ranked item is worth at least as much as a lower-ranked one.
    assert_eq!(with([0.04, 0.04, 0.04, 0.04, 0.4]), "LRRRL");
}

#[test]
fn at_equal_confidence_more_evidence_is_worth_more() {
    let with = |evidence: f64| {
        let mut case = Case::new(&[(9, 2_000), (9, 1_000), (9, 1_000)], 3_000);
        for (score, evidence) in case.scores.items.iter_mut().zip([1.0, evidence, evidence]) {
            (score.evidence, score.likely) = (evidence, 0.3);
        }
        case.tiers()
    };
    assert_eq!((with(0.9).as_str(), with(0.6).as_str()), ("LRR", "RLL"));
}

#[test]
fn a_large_likely_target_becomes_an_excerpt_before_worse_files_are_added() {
    let mut items = vec![(9, 40_000)];
    items.extend([(9, 2_000); 20]);
    let mut case = Case::new(&items, 20_000).filled();
    for score in &mut case.scores.items {
        (score.evidence, score.likely) = (0.8, 0.06);
    }
    let lines = vec![(1, 900), (2_000, 2_799), (3_000, 39_999)];
    (case.scores.items[0].evidence, case.scores.items[0].hot) = (1.0, lines.into());
    // A third of the change in 900 tokens is worth more than a file of 2,000 tokens with less than a third of the
    // confidence. The same holds for another third in 800 tokens.
    case.scores.items[0].likely = 0.2;
    assert_eq!(&case.tiers()[..2], "rR");
    assert_eq!(case.place().placed[0].form, Form::Spans(vec![(1, 900), (2_000, 2_799)]));
    // Even at the same confidence, no lower-ranked file takes as many tokens as the smallest excerpt of an absent
    // higher-ranked file.
    for score in &mut case.scores.items {
        (score.evidence, score.likely) = (0.8, 0.05);
    }
    assert_eq!(case.tiers().chars().next(), Some('r'));
}

#[test]
fn auto_fill_respects_overrides() {
    let case = Case::new(&[(2, 100), (2, 100)], 20_000)
        .with_override(0, Decision::whole(Override::Demote(Tier::Linked)))
        .filled();
    assert_eq!(case.tiers(), "LR");
}

#[test]
fn auto_fill_links_more_items_and_removes_the_reason() {
    // One item fills RAW, and no other fits. The other seventeen are linked, regardless of their scores.
    let mut items = vec![(9, 2_500)];
    items.extend([(5, 3_000); 7]);
    items.extend([(1, 3_000); 10]);
    let placement = Case::new(&items, 4_000).filled().place();
    let linked: Vec<&PlacedItem> = placement.tier(Tier::Linked).collect();
    assert_eq!(linked.len(), 17);
    assert!(linked.iter().all(|placed| placed.held_back.is_none_or(|why| !why.contains("link"))), "{linked:?}");
}

#[test]
fn formats_without_references_have_no_links_or_mentions() {
    for fill in [false, true] {
        let mut case = Case::new(&[(9, 10), (8, 9_000), (5, 9_000), (2, 9_000), (0, 9_000)], 2_000);
        (case.costs.bare, case.fill) = (true, fill);
        assert_eq!(case.tiers(), "R----");
        // The override is still stored, in case the format changes.
        assert_eq!(case.with_override(2, Decision::whole(Override::Link)).tiers(), "R-L--");
    }
}

#[test]
fn fixed_parts_that_grow_with_the_items_stay_within_the_limit() {
    for growth in [0, 3, 17, 60, 150] {
        for limit in [1_000, 1_500, 4_000] {
            for fill in [false, true] {
                let mut case =
                    Case::new(&[(9, 90), (8, 70), (8, 70), (7, 60), (5, 10), (4, 10), (3, 10)].repeat(6), limit);
                case.costs.growth = growth;
                case.fill = fill;
                let placement = case.place();
                assert!(placement.usage.total <= limit, "{growth} {limit} {fill}: {:?}", placement.usage);
                assert_eq!(placement.usage, case.costs.usage(&placement));
            }
        }
    }
}
