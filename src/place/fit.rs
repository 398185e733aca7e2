//! Fits the items and the fixed parts of the payload into the limit.
//!
//! The size of the fixed parts (META, the map, the findings) depends on the placed items, and the space left for items
//! depends on that size. Placing is therefore repeated with the size from the previous round, until the size no longer
//! changes, which takes one or two rounds. If the payload is still too large, the lowest items are demoted.

use super::placer::PackingStop;
use super::placer::{CRUMBS, Placer};
use crate::ids::{ItemId, PlacedId};

use super::{Form, Override, PlacedItem, Placement, PlacementRequest, Tier, Usage};

/// Number of items that are tried one by one to fill the tokens that the rounds left free.
const TRIED: usize = 8;
const ROUNDS: usize = 4;
/// Tokens that auto-fill leaves free for headings, one value for each attempt.
const SPARE: [usize; 3] = [0, 200, 1_000];

pub(super) fn place(request: &PlacementRequest<'_>) -> Placement {
    let usable = request.budget.usable();
    let mut placer = Placer::with_pins(request);
    let alone = placer.usage();
    if alone.total > usable {
        return Placement { over: alone.total - usable, ..placer.finish(alone) };
    }
    let pins = placer.save();
    let mut usage = rounds(&mut placer, alone, usable, Placer::run);
    if usage.total > usable {
        let Some(fitting) = step_down(&mut placer, usable) else {
            // Notes about omitted items also take tokens, so only the pins certainly fit.
            placer.back_to(&pins);
            return placer.finish(alone);
        };
        usage = fitting;
    }
    if request.fill {
        usage = fill(&mut placer, usage, usable);
    }
    placer.finish(usage)
}

pub(super) fn place_again(request: &PlacementRequest<'_>, wanted: &[(ItemId, Tier, Form)]) -> (Placement, usize) {
    let usable = request.budget.usable();
    let mut placer = Placer::with_items(request, wanted);
    let all = placer.usage();
    let usage = if all.total <= usable { Some(all) } else { step_down(&mut placer, usable) };
    let usage = usage.unwrap_or_else(|| placer.usage());
    let placement = placer.finish(usage);
    (Placement { over: usage.total.saturating_sub(usable), ..placement }, all.total)
}

/// Fills the free budget. If the result does not fit, nothing is added. Items that are already placed are never
/// removed.
fn fill(placer: &mut Placer<'_>, before: Usage, usable: usize) -> Usage {
    let start = placer.save();
    for spare in SPARE {
        let mut usage = rounds(placer, before, usable.saturating_sub(spare), Placer::run_full);
        if usage.total <= usable {
            top_up(placer, &mut usage, usable);
            return link_the_rest(placer, usage, usable);
        }
        placer.back_to(&start);
    }
    before
}

/// Repeats placing from the same start until the fixed parts have the size that was assumed. The last attempt may
/// exceed the limit.
fn rounds<'a>(placer: &mut Placer<'a>, usage: Usage, usable: usize, go_on: impl Fn(&mut Placer<'a>, usize)) -> Usage {
    let start = placer.save();
    let mut frame = usage.total.saturating_sub(placer.spent());
    let mut round = 1;
    loop {
        go_on(placer, usable.saturating_sub(frame));
        let usage = placer.usage();
        let actual = usage.total.saturating_sub(placer.spent());
        let fits = usage.total <= usable && (usable - usage.total < CRUMBS || actual + CRUMBS > frame);
        if fits || round == ROUNDS {
            return usage;
        }
        placer.back_to(&start);
        frame = actual;
        round += 1;
    }
}

/// Demotes the lowest item of the fullest tier while the payload exceeds the limit. Pins are not demoted.
fn step_down(placer: &mut Placer<'_>, usable: usize) -> Option<Usage> {
    loop {
        let usage = placer.usage();
        if usage.total <= usable {
            return Some(usage);
        }
        let at = lowest_of_fullest(placer, usable)?;
        let before = placer.placement.placed[at].clone();
        placer.put(at, Tier::Out, Form::Absent, 0);
        let demoted = placer.edit(at);
        demoted.held_back = Some("it does not fit");
        if before.form == Form::Whole {
            demoted.whole_tokens = Some(before.tokens);
        }
        if before.tier == Tier::Raw && placer.is_file(at) && placer.has_links(at) {
            placer.try_link(at, usize::MAX);
        } else if before.tier != Tier::Summary && placer.has_mentions(at) {
            placer.try_mention(at, usize::MAX);
        }
    }
}

fn lowest_of_fullest(placer: &Placer<'_>, usable: usize) -> Option<PlacedId> {
    let shares = placer.request.budget.split.of(usable);
    let lowest = |tier: Tier| {
        let may_go = |placed: &PlacedItem| placed.tier == tier && placed.overridden != Some(Override::Pin);
        placer.placement.placed.iter().rposition(may_go).map(PlacedId::new)
    };
    let fullness = |used: usize, share: usize| used.saturating_mul(1000) / share.max(1);
    let mut tiers = [
        (fullness(placer.raw, shares.raw), Tier::Raw),
        (fullness(placer.linked, shares.linked), Tier::Linked),
        (fullness(placer.summary, shares.summary), Tier::Summary),
    ];
    tiers.sort_by(|a, b| b.cmp(a));
    tiers.into_iter().find_map(|(_, tier)| lowest(tier))
}

/// Adds references if too few tokens are left for content, up to the share of LINKED.
fn link_the_rest(placer: &mut Placer<'_>, usage: Usage, usable: usize) -> Usage {
    let before = placer.save();
    let share = placer.request.budget.split.of(usable).linked;
    let free = usable - usage.total;
    // The first item of a group also adds the group's heading.
    for headings in [0, CRUMBS, 4 * CRUMBS] {
        placer.references(share.min(placer.linked + free.saturating_sub(headings)), 0);
        let with_them = placer.usage();
        if with_them.total <= usable {
            return with_them;
        }
        placer.back_to(&before);
    }
    usage
}

/// Adds items that fit into the remaining tokens. The rounds leave tokens free, because they assume the largest cost of
/// each item.
fn top_up(placer: &mut Placer<'_>, usage: &mut Usage, usable: usize) {
    let mut refused = usize::MAX;
    if placer.request.costs.excerpt_limit(usable).is_some() {
        return;
    }
    let mut tries = TRIED;
    for at in placer.fillers() {
        if tries == 0 || usable - usage.total < CRUMBS {
            break;
        }
        let Some(whole) = placer.whole_costs(&[at])[0] else { continue };
        let room = usable - usage.total + placer.spent();
        if whole >= refused || whole > placer.most_tokens(at, room, PackingStop::Full) {
            continue;
        }
        if whole > usable - usage.total + placer.placement.placed[at].tokens {
            refused = whole;
            continue;
        }
        tries -= 1;
        let before = placer.placement.placed[at].clone();
        placer.put(at, Tier::Raw, Form::Whole, whole);
        let with_it = placer.usage();
        if with_it.total <= usable {
            *usage = with_it;
        } else {
            placer.put_back(at, before);
            refused = whole;
        }
    }
}
