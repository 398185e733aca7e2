//! Down the ranking, tier by tier, until the budget is used.
//!
//! The frame (META, the map, the findings) is only known once the items are placed, and the items only once the frame's
//! share is known. So the walk is repeated with the frame it led to; it settles after one or two rounds, and whatever
//! is then still over steps down, lowest first.

use rayon::prelude::*;

use super::{Form, Placed, Placement, Request, Ruling, Tier, Usage};

/// Scores from here on belong into RAW.
pub const RAW_FROM: u8 = 7;
/// Scores from here on belong into LINKED.
pub const LINKED_FROM: u8 = 4;
/// How many items below the RAW band `fill` looks at before it gives up on finding one that fits.
const FILL_DEPTH: usize = 400;
/// After this many that did not fit, a tier counts as full.
const PATIENCE: usize = 12;
/// Less than this is not worth looking for something that fits.
const CRUMBS: usize = 60;
/// Costs that are counted ahead at once, on all cores.
const AHEAD: usize = 24;
const ROUNDS: usize = 4;

pub(super) fn place(request: &Request<'_>) -> Placement {
    let usable = request.budget.usable();
    let mut walk = Walk::new(request);
    let pins = walk.pins_alone();
    if pins.total > usable {
        let mut placement = walk.finish(pins);
        placement.over = pins.total - usable;
        return placement;
    }
    let mut frame = pins.total.saturating_sub(walk.spent());
    for round in 1..=ROUNDS {
        walk = Walk::new(request);
        walk.run(usable.saturating_sub(frame));
        let usage = request.costs.usage(&walk.placement());
        let actual = usage.total.saturating_sub(walk.spent());
        if usage.total <= usable && (usable - usage.total < CRUMBS || actual + CRUMBS > frame || round == ROUNDS) {
            return walk.finish(usage);
        }
        frame = actual;
    }
    walk.step_down(usable)
}

/// One walk down the ranking.
struct Walk<'a> {
    request: &'a Request<'a>,
    /// Pins, then links, then the ranking, then what is excluded.
    order: Vec<usize>,
    placed: Vec<Placed>,
    raw: usize,
    linked: usize,
    summary: usize,
}

impl<'a> Walk<'a> {
    fn new(request: &'a Request<'a>) -> Self {
        let class = |item: &usize| match request.decision(*item).map(|decision| decision.ruling) {
            Some(Ruling::Pin) => 0,
            Some(Ruling::Link) => 1,
            Some(Ruling::Exclude) => 3,
            _ => 2,
        };
        let mut order = request.scores.order.clone();
        // Stable, so the ranking holds inside each class.
        order.sort_by_key(class);
        let placed = order
            .iter()
            .map(|item| Placed {
                item: *item,
                tier: Tier::Out,
                form: Form::Absent,
                tokens: 0,
                whole_tokens: None,
                ruling: request.decision(*item).map(|decision| decision.ruling),
                held_back: None,
            })
            .collect();
        Self { request, order, placed, raw: 0, linked: 0, summary: 0 }
    }

    /// What the items cost, without the frame.
    fn spent(&self) -> usize {
        self.raw + self.linked + self.summary
    }

    fn placement(&self) -> Placement {
        Placement { placed: self.placed.clone(), usage: Usage::default(), limit: self.request.budget.limit, over: 0 }
    }

    fn finish(self, usage: Usage) -> Placement {
        Placement { placed: self.placed, usage, limit: self.request.budget.limit, over: 0 }
    }

    /// Places the pins and says what the payload would be with nothing else.
    fn pins_alone(&mut self) -> Usage {
        self.pins();
        self.request.costs.usage(&self.placement())
    }

    fn pins(&mut self) {
        for at in 0..self.order.len() {
            if self.placed[at].ruling != Some(Ruling::Pin) {
                break;
            }
            let item = self.order[at];
            let spans = self.request.decision(item).map(|decision| decision.spans.clone()).unwrap_or_default();
            let form = if spans.is_empty() { Form::Whole } else { Form::Spans(spans) };
            match self.request.costs.inlined(item, &form) {
                Some(tokens) => self.put_raw(at, form, tokens),
                None => self.placed[at].held_back = Some("it cannot be read"),
            }
        }
    }

    fn run(&mut self, room: usize) {
        self.pins();
        let shares = self.request.budget.split.of(room);
        // Pins may take more than RAW's share; the other tiers then live on what is left.
        let left = room.saturating_sub(self.raw);
        self.rulings_to_link(left);
        self.raw_band(shares.raw.min(room.saturating_sub(self.linked)));
        self.references(shares.linked.min(room.saturating_sub(self.raw)).max(self.linked));
        self.mentions(shares.summary.min(room.saturating_sub(self.raw + self.linked)));
        if self.request.fill {
            self.fill(room.saturating_sub(self.linked + self.summary));
        }
    }

    fn points(&self, at: usize) -> u8 {
        self.request.scores.items[self.order[at]].points
    }

    /// The highest tier that a ruling leaves open.
    fn ceiling(&self, at: usize) -> Tier {
        match self.placed[at].ruling {
            Some(Ruling::Exclude) => Tier::Out,
            Some(Ruling::Link) => Tier::Linked,
            Some(Ruling::Demote(ceiling)) => ceiling,
            Some(Ruling::Pin) | None => Tier::Raw,
        }
    }

    fn free(&self, at: usize) -> bool {
        self.placed[at].tier == Tier::Out && self.placed[at].ruling != Some(Ruling::Pin)
    }

    fn rulings_to_link(&mut self, room: usize) {
        for at in 0..self.order.len() {
            match self.placed[at].ruling {
                Some(Ruling::Pin) => {}
                Some(Ruling::Link) => {
                    self.try_link(at, room);
                }
                _ => break,
            }
        }
    }

    /// Scores of 7 and more: whole where that fits, cut where only that fits.
    fn raw_band(&mut self, room: usize) {
        let band: Vec<usize> = (0..self.order.len())
            .filter(|at| self.free(*at) && self.ceiling(*at) == Tier::Raw && self.points(*at) >= RAW_FROM)
            .collect();
        self.inline_each(&band, room, usize::MAX);
    }

    /// Further down the ranking, whatever the score, while there is room.
    fn fill(&mut self, room: usize) {
        let rest: Vec<usize> = (0..self.order.len())
            .filter(|at| self.placed[*at].tier != Tier::Raw && self.ceiling(*at) == Tier::Raw)
            .take_while(|at| self.points(*at) > 0 || self.request.scores.items[self.order[*at]].rank > 0.0)
            .take(FILL_DEPTH)
            .collect();
        self.inline_each(&rest, room, FILL_DEPTH);
    }

    fn inline_each(&mut self, candidates: &[usize], room: usize, depth: usize) {
        for ahead in candidates[..candidates.len().min(depth)].chunks(AHEAD) {
            if self.raw + CRUMBS > room {
                break;
            }
            let items: Vec<usize> = ahead.iter().map(|at| self.order[*at]).collect();
            let costs: Vec<Option<usize>> =
                items.par_iter().map(|item| self.request.costs.inlined(*item, &Form::Whole)).collect();
            for (at, whole) in ahead.iter().zip(costs) {
                self.inline(*at, whole, room);
            }
        }
    }

    fn inline(&mut self, at: usize, whole: Option<usize>, room: usize) {
        let Some(whole) = whole else {
            self.placed[at].held_back = Some("it cannot be read");
            return;
        };
        if self.raw + whole <= room {
            self.take_back(at);
            self.put_raw(at, Form::Whole, whole);
            return;
        }
        self.placed[at].whole_tokens = Some(whole);
        let left = room.saturating_sub(self.raw);
        if let Some((form, tokens)) = self.cut(at, left) {
            self.take_back(at);
            self.put_raw(at, form, tokens);
        }
        self.placed[at].held_back = Some("it does not fit whole");
    }

    /// The best cut of an item that fits into what is left: its hot lines with the skeleton of the rest, or just those.
    fn cut(&self, at: usize, left: usize) -> Option<(Form, usize)> {
        let item = self.order[at];
        let hot = &self.request.scores.items[item].hot;
        let fits = |form: Form| {
            let tokens = self.request.costs.inlined(item, &form)?;
            (tokens <= left).then_some((form, tokens))
        };
        if hot.is_empty() || left < CRUMBS * 4 {
            return None;
        }
        let mut keep: Vec<super::Span> = Vec::new();
        let mut best = None;
        for span in hot {
            let mut next = keep.clone();
            next.push(*span);
            next.sort_unstable();
            let Some(cut) = fits(Form::Spans(next.clone())) else { continue };
            best = Some(cut);
            keep = next;
        }
        // The skeleton of the rest where it pays: it orients, and costs no more than the lines did.
        match (fits(Form::Skeleton(keep)), best) {
            (Some(skeleton), Some(spans)) if skeleton.1 <= spans.1 * 2 => Some(skeleton),
            (_, spans) => spans,
        }
    }

    /// Takes a link or a mention back, for an item that `fill` moves up.
    fn take_back(&mut self, at: usize) {
        match self.placed[at].tier {
            Tier::Linked => self.linked -= self.placed[at].tokens,
            Tier::Summary => self.summary -= self.placed[at].tokens,
            Tier::Raw | Tier::Out => {}
        }
    }

    fn put_raw(&mut self, at: usize, form: Form, tokens: usize) {
        self.raw += tokens;
        let placed = &mut self.placed[at];
        (placed.tier, placed.form, placed.tokens) = (Tier::Raw, form, tokens);
    }

    /// Scores of 4 and more, and what RAW had no room for; with `fill`, further down the ranking.
    fn references(&mut self, room: usize) {
        let lowest = if self.request.fill { 0 } else { LINKED_FROM };
        let mut misses = 0;
        for at in 0..self.order.len() {
            if misses > PATIENCE {
                break;
            }
            let open = self.free(at) && self.ceiling(at) <= Tier::Linked;
            let wanted = self.points(at) >= lowest && self.request.scores.items[self.order[at]].rank > 0.0;
            if open && wanted && self.is_file(at) && !self.try_link(at, room) {
                misses += 1;
            }
        }
    }

    fn is_file(&self, at: usize) -> bool {
        self.request.items[self.order[at]].kind.is_file()
    }

    fn try_link(&mut self, at: usize, room: usize) -> bool {
        let tokens = self.request.costs.linked(self.order[at]);
        if self.linked + tokens > room {
            return false;
        }
        self.linked += tokens;
        let placed = &mut self.placed[at];
        (placed.tier, placed.form, placed.tokens) = (Tier::Linked, Form::Link, tokens);
        true
    }

    /// Scores of 1 and more that are nowhere yet.
    fn mentions(&mut self, room: usize) {
        let mut misses = 0;
        for at in 0..self.order.len() {
            if misses > PATIENCE {
                break;
            }
            if self.free(at) && self.ceiling(at) <= Tier::Summary && self.points(at) > 0 && !self.try_mention(at, room)
            {
                misses += 1;
            }
        }
    }

    fn try_mention(&mut self, at: usize, room: usize) -> bool {
        let tokens = self.request.costs.mentioned(self.order[at]);
        if self.summary + tokens > room {
            return false;
        }
        self.summary += tokens;
        let placed = &mut self.placed[at];
        (placed.tier, placed.form, placed.tokens) = (Tier::Summary, Form::Mention, tokens);
        true
    }

    /// While the whole is over the limit, the lowest of the fullest tier steps down. Pins stay.
    fn step_down(mut self, usable: usize) -> Placement {
        loop {
            let usage = self.request.costs.usage(&self.placement());
            let Some(at) = (usage.total > usable).then(|| self.lowest_of_fullest(usable)).flatten() else {
                return self.finish(usage);
            };
            let tier = self.placed[at].tier;
            let tokens = std::mem::take(&mut self.placed[at].tokens);
            match tier {
                Tier::Raw => self.raw -= tokens,
                Tier::Linked => self.linked -= tokens,
                Tier::Summary | Tier::Out => self.summary -= tokens,
            }
            self.placed[at].tier = Tier::Out;
            self.placed[at].form = Form::Absent;
            self.placed[at].held_back = Some("it does not fit");
            if tier == Tier::Raw && self.is_file(at) {
                self.try_link(at, usize::MAX);
            } else if tier != Tier::Summary {
                self.try_mention(at, usize::MAX);
            }
        }
    }

    fn lowest_of_fullest(&self, usable: usize) -> Option<usize> {
        let shares = self.request.budget.split.of(usable);
        let lowest = |tier: Tier| {
            let movable = |at: &usize| self.placed[*at].tier == tier && self.placed[*at].ruling != Some(Ruling::Pin);
            (0..self.placed.len()).rev().find(movable)
        };
        let fullness = |used: usize, share: usize| used * 1000 / share.max(1);
        let mut tiers = [
            (fullness(self.raw, shares.raw), Tier::Raw),
            (fullness(self.linked, shares.linked), Tier::Linked),
            (fullness(self.summary, shares.summary), Tier::Summary),
        ];
        tiers.sort_by(|a, b| b.cmp(a));
        tiers.into_iter().find_map(|(_, tier)| lowest(tier))
    }
}
