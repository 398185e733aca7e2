//! Items and frame within the limit.
//!
//! The frame (META, the map, the findings) is only known once the items are placed, and the items only once the frame's
//! share is known. So the walk is repeated with the frame it led to; it settles after one or two rounds, and whatever
//! is then still over steps down, lowest first.

use super::walk::{CRUMBS, Walk};
use super::{Form, Placement, Request, Ruling, Tier, Usage};

/// How many items below the RAW band `fill` looks at before it gives up on finding one that fits.
const FILL_DEPTH: usize = 400;
/// How many items are tried one by one in what the rounds left free.
const TRIED: usize = 8;
const ROUNDS: usize = 4;

pub(super) fn place(request: &Request<'_>) -> Placement {
    let usable = request.budget.usable();
    let pins = Walk::with_pins(request);
    let alone = pins.usage();
    if alone.total > usable {
        return Placement { over: alone.total - usable, ..pins.finish(alone) };
    }
    let (mut walk, mut usage) = rounds(&pins, alone, usable, Walk::run);
    if usage.total > usable {
        match step_down(walk, usable) {
            Some(fitting) => (walk, usage) = fitting,
            // What is said about the left out takes room too; the pins alone are known to fit.
            None => return pins.finish(alone),
        }
    }
    if request.fill {
        let lean = with_fewer_links(&walk, usable);
        let lean_usage = lean.usage();
        if lean_usage.total <= usable {
            (walk, usage) = (lean, lean_usage);
        }
        (walk, usage) = fill_up(&walk, usage, usable);
    }
    walk.finish(usage)
}

/// Walks on from `start` until the frame that was reckoned with is the one it led to. The last try may be over.
fn rounds<'a>(
    start: &Walk<'a>,
    usage: Usage,
    usable: usize,
    go_on: impl Fn(&mut Walk<'a>, usize),
) -> (Walk<'a>, Usage) {
    let mut frame = usage.total.saturating_sub(start.spent());
    let mut round = 1;
    loop {
        let mut walk = start.clone();
        go_on(&mut walk, usable.saturating_sub(frame));
        let usage = walk.usage();
        let actual = usage.total.saturating_sub(walk.spent());
        let fits = usage.total <= usable && (usable - usage.total < CRUMBS || actual + CRUMBS > frame);
        if fits || round == ROUNDS {
            return (walk, usage);
        }
        frame = actual;
        round += 1;
    }
}

/// While the whole is over the limit, the lowest of the fullest tier steps down. Pins stay.
fn step_down(mut walk: Walk<'_>, usable: usize) -> Option<(Walk<'_>, Usage)> {
    loop {
        let usage = walk.usage();
        if usage.total <= usable {
            return Some((walk, usage));
        }
        let at = lowest_of_fullest(&walk, usable)?;
        let before = walk.placement.placed[at].clone();
        walk.put(at, Tier::Out, Form::Absent, 0);
        let placed = &mut walk.placement.placed[at];
        placed.held_back = Some("it does not fit");
        if before.form == Form::Whole {
            placed.whole_tokens = Some(before.tokens);
        }
        if before.tier == Tier::Raw && walk.is_file(at) && walk.has_links(at) {
            walk.try_link(at, usize::MAX);
        } else if before.tier != Tier::Summary && walk.has_mentions(at) {
            walk.try_mention(at, usize::MAX);
        }
    }
}

fn lowest_of_fullest(walk: &Walk<'_>, usable: usize) -> Option<usize> {
    let shares = walk.request.budget.split.of(usable);
    let lowest = |tier: Tier| {
        walk.placement.placed.iter().rposition(|placed| placed.tier == tier && placed.ruling != Some(Ruling::Pin))
    };
    let fullness = |used: usize, share: usize| used.saturating_mul(1000) / share.max(1);
    let mut tiers = [
        (fullness(walk.raw, shares.raw), Tier::Raw),
        (fullness(walk.linked, shares.linked), Tier::Linked),
        (fullness(walk.summary, shares.summary), Tier::Summary),
    ];
    tiers.sort_by(|a, b| b.cmp(a));
    tiers.into_iter().find_map(|(_, tier)| lowest(tier))
}

/// What LINKED's share is divided by when the budget is filled: who fills wants content, not references.
const LINKS_KEPT: usize = 2;

/// The lowest links give way to what `fill` will inline; those that the person asked for stay.
fn with_fewer_links<'a>(walk: &Walk<'a>, usable: usize) -> Walk<'a> {
    let mut walk = walk.clone();
    let share = walk.request.budget.split.of(usable).linked / LINKS_KEPT;
    for at in (0..walk.len()).rev() {
        if walk.linked <= share {
            break;
        }
        let placed = &walk.placement.placed[at];
        if placed.tier == Tier::Linked && placed.ruling.is_none() {
            walk.put(at, Tier::Out, Form::Absent, 0);
        }
    }
    walk
}

/// Goes on down the ranking, whatever the score, until RAW is full. What is there stays.
fn fill_up<'a>(base: &Walk<'a>, usage: Usage, usable: usize) -> (Walk<'a>, Usage) {
    let (mut walk, mut usage) = rounds(base, usage, usable, |walk, room| {
        let shares = walk.request.budget.split.of(room);
        let left = room.saturating_sub(walk.raw + walk.summary);
        walk.references((shares.linked / LINKS_KEPT).min(left), 0);
        let candidates = candidates(walk);
        walk.inline_each(&candidates, room);
    });
    // The last that came in goes first; with all of them gone this is the base, which fits.
    let mut from = walk.len();
    let mut refused = usize::MAX;
    while usage.total > usable {
        let changed = |at: &usize| walk.placement.placed[*at] != base.placement.placed[*at];
        let Some(at) = (0..from).rev().find(changed) else { break };
        if walk.placement.placed[at].form == Form::Whole {
            refused = refused.min(walk.placement.placed[at].tokens);
        }
        walk.put_as_in(at, base);
        from = at;
        usage = walk.usage();
    }
    top_up(&mut walk, &mut usage, usable, refused);
    link_the_rest(walk, usage, usable)
}

/// What no content fits into holds references, up to the whole share of LINKED.
fn link_the_rest(walk: Walk<'_>, usage: Usage, usable: usize) -> (Walk<'_>, Usage) {
    let share = walk.request.budget.split.of(usable).linked;
    let free = usable - usage.total;
    // A group that was not there yet brings a heading along.
    for headings in [0, CRUMBS, 4 * CRUMBS] {
        let mut linked = walk.clone();
        linked.references(share.min(walk.linked + free.saturating_sub(headings)), 0);
        let with_them = linked.usage();
        if with_them.total <= usable {
            return (linked, with_them);
        }
    }
    (walk, usage)
}

/// What `fill` may inline, best first: what is not in RAW, and what is there cut.
fn candidates(walk: &Walk<'_>) -> Vec<usize> {
    let open = |at: &usize| {
        let placed = &walk.placement.placed[*at];
        let improvable = placed.tier != Tier::Raw || placed.form != Form::Whole;
        improvable && placed.ruling != Some(Ruling::Pin) && walk.ceiling(*at) == Tier::Raw
    };
    let related = |at: &usize| walk.points(*at) > 0 || walk.rank(*at) > 0.0;
    (0..walk.len()).filter(open).take_while(related).take(FILL_DEPTH).collect()
}

/// The rounds reckon with what an item costs at most; what that leaves free may hold another one.
fn top_up(walk: &mut Walk<'_>, usage: &mut Usage, usable: usize, mut refused: usize) {
    let mut tries = TRIED;
    for at in candidates(walk) {
        if tries == 0 || usable - usage.total < CRUMBS {
            break;
        }
        let Some(whole) = walk.whole_costs(&[at])[0] else { continue };
        if whole >= refused {
            continue;
        }
        if whole > usable - usage.total + walk.placement.placed[at].tokens {
            refused = whole;
            continue;
        }
        tries -= 1;
        let before = walk.clone();
        walk.put(at, Tier::Raw, Form::Whole, whole);
        let with_it = walk.usage();
        if with_it.total <= usable {
            *usage = with_it;
        } else {
            walk.put_as_in(at, &before);
            refused = whole;
        }
    }
}
