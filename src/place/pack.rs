//! Chooses the contents of RAW if not everything fits, so that the budget goes to the most valuable items.
//!
//! The value of a file is its likelihood to change, and never less than the value of a file ranked below it. The value
//! of a test is the likelihood that the change touches it. The value of an excerpt is in proportion to the share of the
//! change that it is expected to contain. This has three effects. Of two files of the same size, the better ranked is
//! included first. A large file is omitted in favour of several small ones that are worth more together. A likely
//! target that is too large is included as an excerpt before less likely files use up the budget.

use super::placer::{
    AHEAD, CRUMBS, EXCERPTS, NOT_WHOLE, PackingStop, Placer, RAW_FROM, SMALLEST_CUT, UNREADABLE, on_all_cores,
};
use super::upgrade_queue::{Candidate, ExcerptSizes, RawTotals, SMALL, UpgradeQueue};
use super::{Form, PlacedItem, Tier};
use crate::ids::{ItemId, PlacedId};

/// Lower bound for the cost of any item, including its heading.
const SMALLEST: usize = 16;
/// Maximum number of candidates that may become excerpts.
const MOST_CUT: usize = 40;
/// Minimum size of a file that may become an excerpt. In a small budget, the minimum is a fraction of the budget.
const CUT_FROM: usize = 1_200;
const CUT_FROM_PART: usize = 8;
/// Minimum size of an excerpt while other candidates are not included yet. In a small budget, the minimum is a fraction
/// of the budget.
const LEAST_CUT: usize = 400;
const LEAST_CUT_PART: usize = 16;
/// Divisor of the budget: a file that evidence points to may take a third. If there are several of these files, they
/// divide this third, but each may take at least a twelfth of the budget.
const POINTED_SHARE: usize = 3;
const LEAST_SHARE: usize = 12;
/// A file with a lower confidence may take only a share of RAW. Without auto-fill, the share is at most
/// `SHARE_OF_CONFIDENCE` times its confidence.
const EVEN: f64 = 0.5;
const UNSURE_SHARE: f64 = 0.24;
const SHARE_OF_CONFIDENCE: f64 = 0.6;
/// Maximum number of targets with at least `EVEN` confidence that auto-fill includes in full, and the part of the
/// available space that each may take, in tenths.
const SUREST: usize = 2;
const SUREST_TENTHS: usize = 8;
/// Maximum tokens of a test or document, and the divisor for the part of the budget that it may take.
const MOST_SUPPORTING: usize = 900;
const SUPPORTING_PART: usize = 16;
/// Value of a test or document relative to a source file that is equally likely to change.
const SUPPORTING_WORTH: f64 = 0.3;
/// Value of an item that has enough points for RAW but no other evidence.
const BY_POINTS: f64 = 0.02;
/// Maximum number of rounds in which files that evidence points to are placed again.
const ROUNDS: usize = 3;

impl Placer<'_> {
    /// Inlines the best candidates, or excerpts of them, within `room`.
    pub fn inline_best(&mut self, candidates: &[PlacedId], room: usize, depth: PackingStop) {
        if self.request.costs.excerpt_limit(room).is_some() {
            return self.excerpts(candidates, room);
        }
        let pointed: Vec<PlacedId> = candidates.iter().copied().filter(|at| self.is_pointed_at(*at)).collect();
        if depth == PackingStop::Full {
            self.complete_surest(candidates, room);
        }
        let mut before = self.save();
        self.pack(candidates, room, depth);
        for _ in 0..ROUNDS {
            let without = |at: &PlacedId| !before.is_raw(*at) && self.placement.placed[*at].form != Form::Whole;
            let crowded_out: Vec<PlacedId> = pointed.iter().copied().filter(without).collect();
            if crowded_out.is_empty() {
                break;
            }
            self.back_to(&before);
            let most = room / (POINTED_SHARE * pointed.len()).min(LEAST_SHARE);
            for at in crowded_out {
                let left = room.saturating_sub(self.spent()).min(most);
                match self.request.costs.inlined(self.item(at), &Form::Whole) {
                    Some(whole) if whole <= left => self.put(at, Tier::Raw, Form::Whole, whole),
                    _ => {
                        if let Some((form, tokens)) = self.cut(at, left) {
                            self.put(at, Tier::Raw, form, tokens);
                        }
                    }
                }
            }
            before = self.save();
            self.pack(candidates, room, depth);
        }
    }

    /// Includes the most certain targets in full before other items use up the available space.
    fn complete_surest(&mut self, candidates: &[PlacedId], room: usize) {
        let is_sure = |at: &PlacedId| self.is_file(*at) && self.confidence(*at) >= EVEN;
        let surest: Vec<PlacedId> = candidates.iter().copied().filter(is_sure).take(SUREST).collect();
        for at in surest {
            let Some(whole) = self.request.costs.inlined(self.item(at), &Form::Whole) else { continue };
            let others = self.spent() - self.placement.placed[at].tokens;
            if whole <= room / 10 * SUREST_TENTHS && others + whole <= room {
                self.put(at, Tier::Raw, Form::Whole, whole);
            }
        }
    }

    /// Maximum share of RAW that the item may take.
    fn share_of_raw(&self, at: PlacedId, depth: PackingStop) -> f64 {
        let confidence = self.confidence(at);
        if !self.is_file(at) || self.is_pointed_at(at) || confidence >= EVEN {
            return 1.0;
        }
        match depth {
            PackingStop::Worthwhile => UNSURE_SHARE.min(SHARE_OF_CONFIDENCE * confidence),
            PackingStop::Full => UNSURE_SHARE,
        }
    }

    /// Maximum tokens that the item may take in a RAW of this size.
    pub fn most_tokens(&self, at: PlacedId, raw: usize, depth: PackingStop) -> usize {
        let share = self.share_of_raw(at, depth);
        if share < 1.0 { SMALL.max((raw as f64 * share) as usize) } else { usize::MAX }
    }

    /// Includes the candidates in order, each as an excerpt, for a format that has only excerpts.
    fn excerpts(&mut self, candidates: &[PlacedId], room: usize) {
        for ahead in candidates.chunks(AHEAD) {
            if self.spent() + CRUMBS > room {
                break;
            }
            self.find_hot(ahead.to_vec());
            for (at, whole) in ahead.iter().zip(self.whole_costs(ahead)) {
                self.inline(*at, whole, room, true, &mut 0);
            }
        }
    }

    /// The likelihood that the change touches the item.
    pub fn confidence(&self, at: PlacedId) -> f64 {
        self.request.scores.items[self.item(at)].likely
    }

    /// Returns true if evidence points to the item.
    pub fn is_pointed_at(&self, at: PlacedId) -> bool {
        self.request.scores.items[self.item(at)].pointed
    }

    /// Returns true for a test or document that the change will probably touch.
    pub fn is_supporting(&self, at: PlacedId) -> bool {
        let item = self.item(at);
        self.request.scores.supporting.iter().any(|(supporting, _)| ItemId::from(*supporting) == item)
    }

    /// The value of each candidate. The value of a file is never less than that of a file ranked below it. Tests and
    /// documents have separate values. Of two equally likely files, the one with more evidence is worth more, which
    /// gave the best results in docs/scoring.md.
    fn values(&self, candidates: &[PlacedId]) -> Vec<f64> {
        let mut most: f64 = 0.0;
        let value = |at: &PlacedId| {
            if self.is_supporting(*at) {
                return SUPPORTING_WORTH * self.confidence(*at);
            }
            let likely = self.confidence(*at) * self.request.scores.items[self.item(*at)].evidence.powi(2);
            most = most.max(likely);
            if self.points(*at) >= RAW_FROM { most.max(BY_POINTS) } else { most }
        };
        let mut values: Vec<f64> = candidates.iter().rev().map(value).collect();
        values.reverse();
        values
    }

    /// Repeatedly takes the best step of any candidate, if the step fits and is worth its tokens.
    fn pack(&mut self, candidates: &[PlacedId], room: usize, depth: PackingStop) {
        let mut queue = self.upgrade_queue(candidates, room, depth);
        let mut spent = self.spent();
        loop {
            // If too few tokens are left, no candidate has to be counted.
            let mut next = if spent + CRUMBS <= room { queue.take_unknown(AHEAD) } else { Vec::new() };
            while !next.is_empty() {
                self.open(&mut queue, &next, candidates);
                next = queue.take_unknown(AHEAD);
            }
            let Some(taken) = queue.climb(room.saturating_sub(spent)) else { break };
            spent += taken;
        }
        self.inline_taken(candidates, &queue);
        let raw = if depth == PackingStop::Full { room } else { self.raw };
        let mut refused = usize::MAX;
        for (index, size) in queue.sizes() {
            let at = candidates[index];
            let placed = &self.placement.placed[at];
            match size {
                _ if placed.form == Form::Whole || self.is_supporting(at) && placed.tier == Tier::Raw => {}
                _ if depth == PackingStop::Worthwhile && !queue.was_refused(index) => self.note_size(at, size),
                Ok(whole) => {
                    let most = queue.most(index).min(self.most_tokens(at, raw, depth).min(room));
                    let room = room.min(self.spent() - placed.tokens + most);
                    self.inline(at, Some(whole), room, queue.may_be_cut(index), &mut refused);
                }
                // The item's size is unknown, so no item that may be larger is included after it.
                Err(least) => refused = refused.min(least),
            }
        }
    }

    /// Records the full size of an excerpt. The excerpt is not marked as held back, because enough tokens are left.
    fn note_size(&mut self, at: PlacedId, size: Result<usize, usize>) {
        if let Ok(whole) = size
            && self.placement.placed[at].tier == Tier::Raw
        {
            self.edit(at).whole_tokens = Some(whole);
        }
    }

    /// The queue of upgrades, before anything is counted.
    fn upgrade_queue(&self, candidates: &[PlacedId], room: usize, depth: PackingStop) -> UpgradeQueue {
        let mut left = MOST_CUT;
        let values = self.values(candidates);
        let most_supporting = MOST_SUPPORTING.min(room / SUPPORTING_PART);
        let candidate = |(at, value): (&PlacedId, &f64)| {
            let may_be_cut = left > 0 && self.can_be_cut(*at);
            left -= usize::from(may_be_cut);
            let is_supporting = self.is_supporting(*at);
            let most = if is_supporting { most_supporting } else { room };
            Candidate {
                value: *value,
                likely: self.confidence(*at),
                least: self.request.costs.at_least(self.item(*at)).max(SMALLEST),
                most,
                may_be_cut,
                wanted: self.points(*at) >= RAW_FROM,
                share: self.share_of_raw(*at, depth),
                in_order: !is_supporting,
            }
        };
        let all = candidates.iter().zip(&values).map(candidate).collect();
        let cuts = ExcerptSizes {
            from: CUT_FROM.min(room / CUT_FROM_PART),
            least: LEAST_CUT.min(room / LEAST_CUT_PART).max(SMALLEST_CUT),
        };
        let relevant = |placed: &PlacedItem| placed.tokens as f64 * self.request.scores.items[placed.item].likely;
        let raw = RawTotals {
            tokens: self.raw + self.removed_totals.tokens,
            relevant: self.placement.tier(Tier::Raw).map(relevant).sum::<f64>() + self.removed_totals.relevant,
            expected: if depth == PackingStop::Full { room } else { 0 },
        };
        UpgradeQueue::new(all, cuts, raw, depth == PackingStop::Worthwhile)
    }

    /// Counts the tokens of the next candidates and finds their likeliest lines.
    fn open(&mut self, queue: &mut UpgradeQueue, next: &[usize], candidates: &[PlacedId]) {
        let ahead: Vec<PlacedId> = next.iter().map(|index| candidates[*index]).collect();
        let costs = self.whole_costs(&ahead);
        let known = next.iter().copied().zip(costs.iter().copied());
        // A file that is already included in full need not be parsed.
        let to_cut: Vec<PlacedId> = known
            .clone()
            .filter(|(index, whole)| whole.is_some_and(|whole| queue.is_worth_cutting(*index, whole)))
            .map(|(index, _)| candidates[index])
            .filter(|at| self.placement.placed[*at].form != Form::Whole)
            .collect();
        self.find_hot(to_cut.clone());
        for (index, whole) in known {
            let at = candidates[index];
            let Some(whole) = whole else {
                self.edit(at).held_back = Some(UNREADABLE);
                continue;
            };
            let placed = &self.placement.placed[at];
            let from = if placed.tier == Tier::Raw { placed.tokens } else { 0 };
            let cuts = if to_cut.contains(&at) { self.cuts(at, whole) } else { Vec::new() };
            queue.open(index, from, whole, cuts);
        }
    }

    /// Includes every candidate in its final form.
    fn inline_taken(&mut self, candidates: &[PlacedId], queue: &UpgradeQueue) {
        let mut cut: Vec<(PlacedId, usize)> = Vec::new();
        for (index, form) in queue.taken() {
            if form.whole {
                self.put(candidates[index], Tier::Raw, Form::Whole, form.tokens);
            } else {
                cut.push((candidates[index], form.tokens));
            }
        }
        // The first count is slow, so it runs on all cores. The loop below then reads the cached counts.
        on_all_cores(&cut, |(at, tokens)| {
            self.cut(*at, *tokens);
        });
        for (at, tokens) in cut {
            if let Some((form, tokens)) = self.cut(at, tokens) {
                self.put(at, Tier::Raw, form, tokens);
            }
        }
    }

    pub fn whole_costs(&self, ahead: &[PlacedId]) -> Vec<Option<usize>> {
        self.count_ahead(ahead.iter().map(|at| (self.item(*at), &Form::Whole)));
        ahead.iter().map(|at| self.request.costs.inlined(self.item(*at), &Form::Whole)).collect()
    }

    /// Includes the item in full, or as an excerpt that fits. If it does not fit, no other item that is as large is
    /// included after it, so a better item is never omitted in favour of a worse one.
    fn inline(&mut self, at: PlacedId, whole: Option<usize>, room: usize, may_be_cut: bool, refused: &mut usize) {
        let Some(whole) = whole else {
            self.edit(at).held_back = Some(UNREADABLE);
            return;
        };
        let before = self.placement.placed[at].tokens;
        let others = self.spent() - before;
        let excerpt = self.request.costs.excerpt_limit(room);
        if excerpt.is_none() && whole < *refused && others + whole <= room {
            self.put(at, Tier::Raw, Form::Whole, whole);
            return;
        }
        *refused = whole.min(*refused);
        // A format that has only excerpts uses them even if the whole item would fit.
        let (reason, counted) = if excerpt.is_some() { (EXCERPTS, None) } else { (NOT_WHOLE, Some(whole)) };
        let placed = self.edit(at);
        (placed.held_back, placed.whole_tokens) = (Some(reason), counted);
        if !may_be_cut {
            return;
        }
        let cut_before = if self.placement.placed[at].tier == Tier::Raw { before } else { 0 };
        let most = room.saturating_sub(others).min(whole).min(excerpt.unwrap_or(usize::MAX));
        let cut = self.cut(at, most).or_else(|| excerpt.and_then(|_| self.bare_skeleton(at, most)));
        if let Some((form, tokens)) = cut
            && tokens > cut_before
        {
            self.put(at, Tier::Raw, form, tokens);
        }
    }
}
