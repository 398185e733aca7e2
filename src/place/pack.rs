//! Which items are inlined when not all of them fit: each by what it is worth for its size.
//!
//! An item's worth is its evidence, and never less than that of an item ranked below it; what it is weighed by falls
//! slowly with its size. So of two items of the same size the better ranked one always comes first, and a large one
//! gives way to several small ones only where their evidence is nearly as good. A probable target that is too large for
//! that still gets in, cut to where the change will be, before lesser files fill the rest.

use super::walk::{CRUMBS, EXCERPTS, NOT_WHOLE, SMALLEST_CUT, Saved, UNREADABLE, Walk, on_all_cores};
use super::{Form, Span, Tier};

/// How slowly: worth times size to minus this. Found by trying on the development tasks; see docs/scoring.md.
const SIZE_EXPONENT: f64 = 0.2;
/// Size says nothing about a file that is smaller than this.
const SMALL: usize = 500;
/// Costs that are counted ahead at once, on all cores.
const AHEAD: usize = 24;
/// Cuts that are prepared at once.
const CUT_AHEAD: usize = 4;
/// A target that is surer than this gets a place of its own, cut if need be.
const SURE: f32 = 0.1;
/// Each so many tokens of room hold one target that is cut.
const ROOM_A_CUT: usize = 6_000;
/// Which part of the room such a cut may take.
const CUT_SHARE: usize = 12;
/// The same for the one file that evidence points to: the lines that it names are what the person came with. Several share it.
const POINTED_SHARE: usize = 3;
/// How often it is asked again which targets the others left no room for.
const ROUNDS: usize = 3;
/// How many of the lines that did not fit are tried one by one.
const TRIED: usize = 4;

/// An item whose cost is known.
struct Counted {
    key: f64,
    /// Where it is among the candidates: the better one first where keys are equal.
    index: usize,
    whole: Option<usize>,
}

impl Walk<'_> {
    /// Inlines what is worth it among the candidates, best first, while everything together stays within `room`.
    pub fn inline_best(&mut self, candidates: &[usize], room: usize) {
        let worth = self.worth(candidates);
        let pointed = candidates.iter().filter(|at| self.is_pointed_at(**at)).count();
        let mut before = self.save();
        self.pack(candidates, &worth, room);
        for _ in 0..ROUNDS {
            let crowded_out = self.crowded_out(candidates, &before, room);
            if crowded_out.is_empty() {
                break;
            }
            self.back_to(&before);
            let share = |walk: &Self, at| {
                if walk.is_pointed_at(at) { (POINTED_SHARE * pointed).min(CUT_SHARE) } else { CUT_SHARE }
            };
            // Where to cut is found by parsing, and what fits by counting: on all cores, the first time. Then both are known.
            if crowded_out.iter().any(|at| !self.request.scores.items[self.item(*at)].hot.is_found()) {
                on_all_cores(&crowded_out, |at| {
                    self.cut(*at, room / share(self, *at));
                });
            }
            for at in crowded_out {
                let left = room.saturating_sub(self.spent()).min(room / share(self, at));
                if let Some((form, tokens)) = self.cut(at, left) {
                    self.put(at, Tier::Raw, form, tokens);
                }
            }
            before = self.save();
            self.pack(candidates, &worth, room);
        }
    }

    /// What each candidate is worth: never less than one that is ranked below it.
    fn worth(&self, candidates: &[usize]) -> Vec<f64> {
        let mut worth: Vec<f64> =
            candidates.iter().map(|at| self.request.scores.items[self.item(*at)].evidence).collect();
        let mut most: f64 = 0.0;
        for value in worth.iter_mut().rev() {
            most = most.max(*value);
            *value = most;
        }
        worth
    }

    /// Whether evidence points to the item.
    fn is_pointed_at(&self, at: usize) -> bool {
        self.request.scores.items[self.item(at)].pointed
    }

    /// What evidence points to, and sure targets, that had no place before packing and got none whole.
    fn crowded_out(&self, candidates: &[usize], before: &Saved, room: usize) -> Vec<usize> {
        let sure = self.request.scores.targets.iter().filter(|(_, confidence)| *confidence >= SURE);
        let places = sure.filter_map(|(item, _)| candidates.iter().copied().find(|at| self.item(*at) == *item));
        let places = places.filter(|at| !self.is_pointed_at(*at)).take(room / ROOM_A_CUT);
        let first = candidates.iter().copied().filter(|at| self.is_pointed_at(*at)).chain(places);
        let without = |at: &usize| !before.is_raw(*at) && self.placement.placed[*at].form != Form::Whole;
        first.filter(without).collect()
    }

    /// Takes the candidates in the order of their keys. Costs are counted as late as possible: an item that nobody
    /// counted yet cannot come before one whose key is higher than a small file of its worth would have.
    fn pack(&mut self, candidates: &[usize], worth: &[f64], room: usize) {
        let mut counted: Vec<Counted> = Vec::new();
        let mut next = 0;
        let mut refused = usize::MAX;
        loop {
            while next < candidates.len()
                && self.spent() + CRUMBS <= room
                && counted.last().is_none_or(|best| best.key < key(worth[next], 0))
            {
                let ahead = &candidates[next..candidates.len().min(next + AHEAD)];
                let costs = self.whole_costs(ahead);
                counted.extend(costs.into_iter().enumerate().map(|(at, whole)| {
                    let index = next + at;
                    Counted { key: key(worth[index], whole.unwrap_or(0)), index, whole }
                }));
                counted.sort_by(|a, b| a.key.total_cmp(&b.key).then(b.index.cmp(&a.index)));
                next += ahead.len();
                self.prepare_cuts(candidates, &counted, room);
            }
            let Some(best) = counted.pop() else { break };
            self.inline(candidates[best.index], best.whole, room, &mut refused);
        }
    }

    /// Finds where to cut what will not fit as things stand: that takes a parser, so on all cores.
    fn prepare_cuts(&self, candidates: &[usize], counted: &[Counted], room: usize) {
        let mut left = room.saturating_sub(self.spent());
        let mut large = Vec::new();
        for Counted { index, whole, .. } in counted.iter().rev() {
            match whole {
                Some(whole) if *whole <= left => left -= whole,
                Some(_) => large.push(candidates[*index]),
                None => {}
            }
        }
        self.find_hot_lines(large.into_iter().take(CUT_AHEAD));
    }

    fn find_hot_lines(&self, places: impl Iterator<Item = usize>) {
        let hot = places.map(|at| &self.request.scores.items[self.item(at)].hot);
        on_all_cores(&hot.filter(|hot| !hot.is_found()).collect::<Vec<_>>(), |hot| {
            hot.find();
        });
    }

    pub fn whole_costs(&self, ahead: &[usize]) -> Vec<Option<usize>> {
        self.foresee(ahead.iter().map(|at| (self.item(*at), &Form::Whole)));
        ahead.iter().map(|at| self.request.costs.inlined(self.item(*at), &Form::Whole)).collect()
    }

    /// Nothing as large as what was refused gets in after it: a better item never makes way for a lesser one.
    fn inline(&mut self, at: usize, whole: Option<usize>, room: usize, refused: &mut usize) {
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
        // Where nothing is whole, nothing is cut for want of room.
        let (reason, counted) = if excerpt.is_some() { (EXCERPTS, None) } else { (NOT_WHOLE, Some(whole)) };
        let placed = self.edit(at);
        (placed.held_back, placed.whole_tokens) = (Some(reason), counted);
        let cut_before = if self.placement.placed[at].tier == Tier::Raw { before } else { 0 };
        let most = room.saturating_sub(others).min(whole).min(excerpt.unwrap_or(usize::MAX));
        let cut = self.cut(at, most).or_else(|| excerpt.and_then(|_| self.bare_skeleton(at, most)));
        if let Some((form, tokens)) = cut
            && tokens > cut_before
        {
            self.put(at, Tier::Raw, form, tokens);
        }
    }

    /// The skeleton of an item in which nothing stands out, for a format that would otherwise only name it.
    fn bare_skeleton(&self, at: usize, left: usize) -> Option<(Form, usize)> {
        let form = Form::Skeleton(Vec::new());
        let tokens = self.request.costs.inlined(self.item(at), &form)?;
        (tokens <= left).then_some((form, tokens))
    }

    /// The best cut of an item that fits into `left`: its hot lines, with the skeleton of the rest where that costs little.
    fn cut(&self, at: usize, left: usize) -> Option<(Form, usize)> {
        let item = self.item(at);
        if left < SMALLEST_CUT {
            return None;
        }
        let hot: &[Span] = &self.request.scores.items[item].hot;
        if hot.is_empty() {
            return None;
        }
        let fits = |form: Form| {
            let tokens = self.request.costs.inlined(item, &form)?;
            (tokens <= left).then_some((form, tokens))
        };
        let sorted = |spans: &[Span]| {
            let mut spans = spans.to_vec();
            spans.sort_unstable();
            spans
        };
        // More lines cost more, so the longest beginning of the list that fits is found by halving.
        let (mut best, mut fitting, mut over) = (None, 0, hot.len() + 1);
        while over - fitting > 1 {
            let middle = usize::midpoint(fitting, over);
            match fits(Form::Spans(sorted(&hot[..middle]))) {
                Some(cut) => (best, fitting) = (Some(cut), middle),
                None => over = middle,
            }
        }
        let mut keep = hot[..fitting].to_vec();
        for span in hot.iter().skip(fitting + 1).take(TRIED) {
            keep.push(*span);
            match fits(Form::Spans(sorted(&keep))) {
                Some(cut) => best = Some(cut),
                None => {
                    keep.pop();
                }
            }
        }
        // The skeleton of the rest orients, and may cost a quarter of what the lines do.
        match (fits(Form::Skeleton(sorted(&keep))), best) {
            (Some(skeleton), Some(spans)) if skeleton.1 <= spans.1 + spans.1 / 4 => Some(skeleton),
            (_, spans) => spans,
        }
    }
}

/// What an item of this worth and size is weighed by.
fn key(worth: f64, size: usize) -> f64 {
    worth * (size.max(SMALL) as f64).powf(-SIZE_EXPONENT)
}
