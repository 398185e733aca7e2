//! What a growing budget holds: a row a limit, so that every change of a share, a bound or an order shows.

use super::tests::{Case, pin};
use super::*;
use crate::ids::ItemId;

type Scene = (&'static str, fn() -> Case);

/// Items whose evidence falls off slowly, how sure they are fast, and their sizes in no way.
fn mixed() -> Case {
    let mut case = Case::new(&[(9, 700), (9, 2_400), (8, 300), (7, 900), (7, 120), (5, 400), (4, 80), (2, 60)], 0);
    let evidence = [1.0, 0.95, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1];
    let likely = [0.45, 0.4, 0.2, 0.15, 0.08, 0.04, 0.02, 0.01];
    for (score, (evidence, likely)) in case.scores.items.iter_mut().zip(evidence.into_iter().zip(likely)) {
        (score.evidence, score.likely) = (evidence, likely);
    }
    case
}

/// The same with lines that stand out in the larger ones.
fn with_lines() -> Case {
    let mut case = mixed();
    case.scores.items[0].hot = vec![(10, 200), (300, 350), (400, 420)].into();
    case.scores.items[1].hot = vec![(900, 1_299), (1, 250), (2_000, 2_030)].into();
    case.scores.items[3].hot = vec![(1, 100), (200, 500), (600, 650), (700, 720)].into();
    case
}

/// Files of nearly the same evidence, small ones that leave no room for the large one among the first.
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
    ("a pin", || with_lines().ruled(3, pin()).filled()),
    ("a pinned span", || with_lines().ruled(1, Decision { spans: vec![(5, 304)], ..pin() })),
    ("moved", || {
        mixed().ruled(0, Decision::moved_to(Tier::Linked)).ruled(2, Decision::moved_to(Tier::Summary)).filled()
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
    ("a frame that grows", || {
        let mut case = mixed();
        case.costs.growth = 110;
        case
    }),
    ("a frame that grows, fill", || {
        let mut case = with_lines().filled();
        case.costs.growth = 110;
        case
    }),
    ("a frame that tells of the left out", || {
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

const LIMITS: [usize; 12] = [1_000, 1_200, 1_450, 1_700, 2_000, 2_400, 3_000, 3_800, 4_700, 5_600, 7_000, 12_000];

/// Tiers as letters, a small `r` with how many of its lines where it is cut, and what is used.
fn row(case: &Case) -> String {
    let placement = case.place();
    let cut: Vec<String> = placement
        .placed
        .iter()
        .filter_map(|placed| match &placed.form {
            Form::Spans(spans) => Some(format!("{}:{}", placed.item.index(), spans.len())),
            Form::Skeleton(spans) => Some(format!("{}:skeleton {}", placed.item.index(), spans.len())),
            _ => None,
        })
        .collect();
    let usage = placement.usage;
    let over = if placement.over > 0 { format!(" over {}", placement.over) } else { String::new() };
    format!("{} {}+{}+{}={}{over} {}", case.tiers(), usage.raw, usage.linked, usage.summary, usage.total, cut.join(" "))
        .trim_end()
        .to_owned()
}

fn table() -> String {
    let mut out = String::from("\n");
    for (name, make) in SCENES {
        out.push_str(&format!("{name}\n"));
        for limit in LIMITS {
            let mut case = make();
            case.limit = limit;
            out.push_str(&format!("{limit:>6} {}\n", row(&case)));
        }
    }
    out
}

#[test]
fn every_scene_at_every_limit() {
    assert_eq!(table(), TABLE);
}

/// Whatever the scene: within the limit unless pins alone are over, never a part of an excluded one, every reason where one is due.
#[test]
fn what_holds_in_every_scene() {
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

/// Where nothing grows but the items, `fill` leaves no room that a small one would fit into.
#[test]
fn fill_leaves_no_room_that_the_smallest_left_would_fit_into() {
    for limit in (1_000..6_000).step_by(50) {
        let mut case = mixed().filled();
        case.limit = limit;
        let placement = case.place();
        let left = placement.placed.iter().filter(|placed| placed.tier != Tier::Raw);
        let costs = left.filter_map(|placed| case.costs.inlined(placed.item, &Form::Whole));
        let room = limit - placement.usage.total;
        // Less than 60 is not looked at.
        assert!(
            costs.min().is_none_or(|smallest| smallest > room || room < 60),
            "{limit}: {room} free: {}",
            case.tiers()
        );
    }
}

#[test]
fn tiers_forms_and_rulings_have_names_and_neighbours() {
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
fn only_some_items_are_kept_and_no_other_stays_a_pin() {
    let case = Case::new(&[(9, 10), (9, 10), (5, 10), (0, 10)], 20_000).ruled(1, pin()).ruled(3, pin());
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
fn limits_go_with_the_task_and_the_window() {
    use crate::score::Complexity;
    let limits = Limits::default();
    assert_eq!(
        [Complexity::Simple, Complexity::Medium, Complexity::Complex].map(|of| limits.of(of)),
        [25_000, 70_000, 100_000]
    );
    let within = limits.within(Limits { simple: 30_000, medium: 60_000, complex: 9_000 });
    assert_eq!(within, Limits { simple: 25_000, medium: 60_000, complex: 9_000 });
    assert_eq!(budget::of_window(200_000), 100_000);
}

#[rustfmt::skip]
const TABLE: &str = r"
scores
  1000 --R-R--- 420+0+0=920
  1200 L-R-R-R- 500+20+0=1020
  1450 RL--R--- 820+20+0=1340
  1700 RLRLS-R- 1080+40+10=1630
  2000 RLRLRSR- 1200+40+10=1750
  2400 RLRLRRRS 1600+40+10=2150
  3000 RLRRRLRS 2100+40+10=2650
  3800 RLRRRRRS 2500+20+10=3030
  4700 RRRLRLRS 3600+40+10=4150
  5600 RRRRRLRS 4500+20+10=5030
  7000 RRRRRRRS 4900+0+10=5410
 12000 RRRRRRRS 4900+0+10=5410
fill
  1000 L-R-R--R 480+20+0=1000
  1200 LLRLRLRR 560+80+0=1140
  1450 RLL-R-R- 900+40+0=1440
  1700 RLRLS-RR 1140+40+10=1690
  2000 RLRLRLRR 1260+60+0=1820
  2400 RLRLRRRR 1660+40+0=2200
  3000 RLRRRLRR 2160+40+0=2700
  3800 RLRRRRRR 2560+20+0=3080
  4700 RRRLRRRR 4060+20+0=4580
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
lines
  1000 --R-R--- 420+0+0=920
  1200 rLR----- 563+20+0=1083 0:3
  1450 RL--R--- 820+20+0=1340
  1700 RLRLS-R- 1080+40+10=1630
  2000 RLRLRSR- 1200+40+10=1750
  2400 RLRLRRRS 1600+40+10=2150
  3000 RrRrRLLS 2223+40+10=2773 1:3 3:3
  3800 RrRrRRRS 2754+0+10=3264 1:3 3:4
  4700 RrRRRRRS 3181+0+10=3691 1:3
  5600 RRRRRLRS 4500+20+10=5030
  7000 RRRRRRRS 4900+0+10=5410
 12000 RRRRRRRS 4900+0+10=5410
lines, fill
  1000 L-R-R--R 480+20+0=1000
  1200 rLRL--R- 643+40+0=1183 0:3
  1450 RLL-R-R- 900+40+0=1440
  1700 RLRLS-RR 1140+40+10=1690
  2000 RLRLRLRR 1260+60+0=1820
  2400 RLRLRRRR 1660+40+0=2200
  3000 RrRrRLRR 2414+20+0=2934 1:3 3:4
  3800 RrRRRRRR 3241+0+0=3741 1:3
  4700 RrRRRRRR 3241+0+0=3741 1:3
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
skeletons
  1000 L-R-R--R 480+20+0=1000
  1200 rLRLL--- 623+60+0=1183 0:skeleton 3
  1450 RLL-R-R- 900+40+0=1440
  1700 RLRLS-RR 1140+40+10=1690
  2000 RLRLRLRR 1260+60+0=1820
  2400 RLRLRRRR 1660+40+0=2200
  3000 RrRrRLRR 2233+20+0=2753 1:skeleton 3 3:skeleton 3
  3800 RrRrRRRR 2934+0+0=3434 1:skeleton 3 3:skeleton 4
  4700 RrRRRRRR 3301+0+0=3801 1:skeleton 3
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
dear skeletons
  1000 L-R-R--R 480+20+0=1000
  1200 rL--R-RR 663+20+0=1183 0:skeleton 3
  1450 RLL-R-R- 900+40+0=1440
  1700 RLRLS-RR 1140+40+10=1690
  2000 RLRLRLRR 1260+60+0=1820
  2400 RLRLRRRR 1660+40+0=2200
  3000 RrRrRLRR 2393+20+0=2913 1:skeleton 3 3:skeleton 3
  3800 RrRrRRRR 3094+0+0=3594 1:skeleton 3 3:skeleton 4
  4700 RrRRRRRR 3381+0+0=3881 1:skeleton 3
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
excerpts
  1000 rrLL---- 443+40+0=983 0:skeleton 3 1:skeleton 0
  1200 rrrrLL-- 654+40+0=1194 0:skeleton 3 1:skeleton 1 2:skeleton 0 3:skeleton 0
  1450 rrrrLL-- 904+40+0=1444 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 0
  1700 rrrrrLS- 1166+20+10=1696 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0
  2000 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
  2400 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
  3000 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
  3800 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
  4700 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
  5600 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
  7000 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
 12000 rrrrrrLL 1256+40+0=1796 0:skeleton 3 1:skeleton 2 2:skeleton 0 3:skeleton 3 4:skeleton 0 5:skeleton 0
a pin
  1000 ---R---- 900+0+0=1400 over 400
  1200 ---R---- 900+0+0=1400 over 200
  1450 LL-R---- 900+40+0=1440
  1700 LLLRRLR- 1100+80+0=1680
  2000 LLRRRLRL 1400+80+0=1980
  2400 RLLRRLRL 1800+80+0=2380
  3000 RrRRRLRR 2410+20+0=2930 1:1
  3800 RrRRRRRR 2991+0+0=3491 1:2
  4700 RrRRRRRR 3241+0+0=3741 1:3
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
a pinned span
  1000 -r--R--- 420+0+0=920 1:1
  1200 LrR----- 600+20+0=1120 1:1
  1450 LrR-R-R- 800+20+0=1320 1:1
  1700 RrLLS-R- 1080+40+10=1630 1:1
  2000 RrRLLS-- 1300+40+10=1850 1:1
  2400 RrRLRLRS 1500+40+10=2050 1:1
  3000 RrRrRRRS 2072+0+10=2582 1:1 3:3
  3800 RrRRRRRS 2800+0+10=3310 1:1
  4700 RrRRRRRS 2800+0+10=3310 1:1
  5600 RrRRRRRS 2800+0+10=3310 1:1
  7000 RrRRRRRS 2800+0+10=3310 1:1
 12000 RrRRRRRS 2800+0+10=3310 1:1
moved
  1000 LLSLRLRR 260+80+10=850
  1200 L-S-RRRR 660+20+10=1190
  1450 LLSLRRRR 660+60+10=1230
  1700 LLSRRLRL 1100+80+10=1690
  2000 LLSRRLRR 1160+60+10=1730
  2400 LLSRRRRR 1560+40+10=2110
  3000 LLSRRRRR 1560+40+10=2110
  3800 LRSLRRRR 3060+40+10=3610
  4700 LRSRRRRR 3960+20+10=4490
  5600 LRSRRRRR 3960+20+10=4490
  7000 LRSRRRRR 3960+20+10=4490
 12000 LRSRRRRR 3960+20+10=4490
pointed at
  1000 L-R-R--R 480+20+0=1000
  1200 rLRL--R- 643+40+0=1183 0:3
  1450 LrRLRLRR 841+60+0=1401 1:2
  1700 RrLLL-RR 1121+60+0=1681 1:2
  2000 RrLLRLRR 1391+60+0=1951 1:2
  2400 RrRLRLRR 1691+40+0=2231 1:2
  3000 RrRrRLRR 2113+20+0=2633 1:3 3:3
  3800 RrRRRRRR 3241+0+0=3741 1:3
  4700 RrRRRRRR 3241+0+0=3741 1:3
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
two pointed at
  1000 L-R-R--R 480+20+0=1000
  1200 rLRL--R- 643+40+0=1183 0:3
  1450 RLL-R-R- 900+40+0=1440
  1700 RLRLS-RR 1140+40+10=1690
  2000 RLRLRLRR 1260+60+0=1820
  2400 RrRrRLRR 1713+20+0=2233 1:2 3:3
  3000 RrRrRRRR 2113+0+0=2613 1:2 3:3
  3800 RrRRRRRR 3241+0+0=3741 1:3
  4700 RrRRRRRR 3241+0+0=3741 1:3
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
crowded
  1000 LrLLL--- 251+80+0=831 1:1
  1200 LrLLLL-- 552+100+0=1152 1:2
  1450 LrLrLLLL 803+120+0=1423 1:2 3:1
  1700 RrLS---- 1151+20+10=1681 1:1
  2000 RrLrLLL- 1402+80+0=1982 1:1 3:1
  2400 RrLrLLLL 1703+100+0=2303 1:2 3:1
  3000 RrLrLLLL 2004+100+0=2604 1:2 3:2
  3800 RrLrLRLL 3004+80+0=3584 1:2 3:2
  4700 RrLrLRRL 4104+60+0=4664 1:2 3:2
  5600 RrLrLRRL 4104+60+0=4664 1:2 3:2
  7000 RrLrRRRL 5304+40+0=5844 1:2 3:2
 12000 RrRrRRRR 8004+0+0=8504 1:2 3:2
crowded, a target
  1000 LrLLL--- 251+80+0=831 1:1
  1200 LrLLLL-- 552+100+0=1152 1:2
  1450 LrLrLLLL 803+120+0=1423 1:2 3:1
  1700 RrLS---- 1151+20+10=1681 1:1
  2000 RrLrLLL- 1402+80+0=1982 1:1 3:1
  2400 RrLrLLLL 1703+100+0=2303 1:2 3:1
  3000 RrLrLLLL 2004+100+0=2604 1:2 3:2
  3800 RrRrLLLL 3103+80+0=3683 1:2 3:1
  4700 RrLrLRRL 4104+60+0=4664 1:2 3:2
  5600 RrRrLRLL 4404+60+0=4964 1:2 3:2
  7000 RrLrRRRL 5304+40+0=5844 1:2 3:2
 12000 RrRrRRRR 8004+0+0=8504 1:2 3:2
a frame that grows
  1000 ----R-R- 200+0+0=920
  1200 --R-R--- 420+0+0=1140
  1450 L-R-R-L- 420+40+0=1400
  1700 RL--R--- 820+20+0=1670
  2000 RLS-R-R- 900+20+10=1980
  2400 RLRLS--- 1000+40+10=2100
  3000 RLRLRLRS 1200+60+10=2650
  3800 RLRRRLRS 2100+40+10=3530
  4700 RLRRRRRS 2500+20+10=3910
  5600 RRRLRLRS 3600+40+10=5030
  7000 RRRRRRRS 4900+0+10=6290
 12000 RRRRRRRS 4900+0+10=6290
a frame that grows, fill
  1000 ----R-R- 200+0+0=920
  1200 ----R-RR 260+0+0=1090
  1450 rLL---R- 343+40+0=1323 0:3
  1700 RL--R--- 820+20+0=1670
  2000 RLL-R-R- 900+40+0=1990
  2400 RLRLR--R 1180+40+0=2380
  3000 RrRLRLRR 1541+40+0=2961 1:2
  3800 RrRrRLRL 2333+40+0=3753 1:3 3:3
  4700 RrRRRRRR 3241+0+0=4621 1:3
  5600 RrRRRRRR 3241+0+0=4621 1:3
  7000 RRRRRRRR 4960+0+0=6340
 12000 RRRRRRRR 4960+0+0=6340
a frame that tells of the left out
  1000 -------- 0+0+0=1540 over 540
  1200 -------- 0+0+0=1540 over 340
  1450 -------- 0+0+0=1540 over 90
  1700 LLR-R-R- 500+40+0=1430
  2000 RL--R--- 820+20+0=1990
  2400 RLRLRRRR 1660+40+0=2200
  3000 RLRRRLRR 2160+40+0=2700
  3800 RLRRRRRR 2560+20+0=3080
  4700 RRRLRRRR 4060+20+0=4580
  5600 RRRRRRRR 4960+0+0=5460
  7000 RRRRRRRR 4960+0+0=5460
 12000 RRRRRRRR 4960+0+0=5460
many
  1000 RR---------RR--------------------------- 448+0+0=948
  1200 RRRL-------RR--------------------------- 612+20+0=1132
  1450 RRRRL------RR--------------------------- 813+20+0=1333
  1700 RRRRRLLS---RR--------------------------- 1051+40+10=1601
  2000 RRRRRRLLS--RR--------------------------- 1326+40+10=1876
  2400 RRRRRRRLLLSRR--------------------------- 1638+60+10=2208
  3000 RRRRRRRRLLLRRLSS------------------------ 1987+80+20=2587
  3800 RRRRRRRRRRLRRLLLLSSS-------------------- 2796+100+30=3426
  4700 RRRRRRRRRRRRRLLLLLLLSSSS---------------- 3256+140+40=3936
  5600 RRRRRRRRRRRRRLLLLLLLLLSSSSS------------- 3256+180+50=3986
  7000 RRRRRRRRRRRRRLLLLLLLLLLLSSSSSS---------- 3256+220+60=4036
 12000 RRRRRRRRRRRRRLLLLLLLLLLLLSSSSSSSSSSS---- 3256+240+110=4106
many, fill
  1000 RRLL-------R---------------------------- 314+40+0=979
  1200 RR---------RR---------R----------------- 552+0+0=1177
  1450 RRRL-------RR---------R----------------- 716+20+0=1411
  1700 RRRRLL-----RR---------R----------------- 917+40+0=1682
  2000 RRRRRLLL---RR---------R----------------- 1155+60+0=1990
  2400 RRRRRRLLS--RRR-------------------------- 1497+40+10=2347
  3000 RRRRRRRRLLLRRLSS------------------------ 1987+80+20=2987
  3800 RRRRRRRRRLLRRRLLLS----R----------------- 2648+100+10=3733
  4700 RRRRRRRRRRRRRLLLLLLLLLRL---------------- 3360+200+0=4660
  5600 RRRRRRRRRRRRRRRRRLLLLLRSSSS------------- 4266+100+40=5581
  7000 RRRRRRRRRRRRRRRRRRRRLLRRLLLSSS---R------ 5586+100+30=6991
 12000 RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRLL 10231+40+0=11771
";
