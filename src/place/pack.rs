//! Which items are inlined when not all of them fit: tokens go where they are worth most.
//!
//! An item's value is how sure it is to change, by its evidence; never less than that of an item ranked below it. It is worth its value
//! and some more if it is whole, and of its value the share of the change that a cut will hold. So of two items of the same size the better
//! ranked one comes first, a large one gives way to several small ones where these are worth more together, and a probable target that is
//! too large gets in cut to where the change will be, before lesser files fill the rest.

use super::offers::{Cuts, Offers};
use super::walk::{CRUMBS, EXCERPTS, NOT_WHOLE, SMALLEST_CUT, UNREADABLE, Walk, on_all_cores};
use super::{Form, Tier};

/// No item costs less, with what stands around it.
const SMALLEST: usize = 16;
/// Costs that are counted ahead at once, on all cores.
const AHEAD: usize = 24;
/// So many of the candidates that can be cut are cut where that is worth it.
const MOST_CUT: usize = 16;
/// Smaller ones are not cut before others fill the room; in a small room those below a part of it.
const CUT_FROM: usize = 1_200;
const CUT_FROM_PART: usize = 8;
/// Less than this of one says too little while others wait; in a small room less than a part of it.
const LEAST_CUT: usize = 400;
const LEAST_CUT_PART: usize = 16;
/// Which part of the room the one file may take that evidence points to: the lines that it names are what the person came with. Several
/// share it, each down to a twelfth.
const POINTED_SHARE: usize = 3;
const LEAST_SHARE: usize = 12;
/// A target that is surer than this is inlined whole before anything is weighed: so many of them, each up to so many tenths of the room.
const RATHER_THAN_NOT: f64 = 0.5;
const SUREST: usize = 2;
const SUREST_TENTHS: usize = 8;
/// How often it is asked again what evidence points to and the others left no room for.
const ROUNDS: usize = 3;

impl Walk<'_> {
    /// Inlines what is worth it among the candidates, best first, while everything together stays within `room`.
    pub fn inline_best(&mut self, candidates: &[usize], room: usize) {
        if self.request.costs.excerpt_limit(room).is_some() {
            return self.excerpts(candidates, room);
        }
        let pointed: Vec<usize> = candidates.iter().copied().filter(|at| self.is_pointed_at(*at)).collect();
        self.inline_surest(candidates, room);
        let mut before = self.save();
        self.pack(candidates, room);
        for _ in 0..ROUNDS {
            let without = |at: &usize| !before.is_raw(*at) && self.placement.placed[*at].form != Form::Whole;
            let crowded_out: Vec<usize> = pointed.iter().copied().filter(without).collect();
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
            self.pack(candidates, room);
        }
    }

    /// The candidates one after the other, where the format shows a part of each.
    fn excerpts(&mut self, candidates: &[usize], room: usize) {
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

    /// The first candidates, while each will rather change than not: whole, however many small files that keeps out. What was
    /// given with the task stands before them, and comes with them where it is small.
    fn inline_surest(&mut self, candidates: &[usize], room: usize) {
        let mut left = SUREST;
        for at in candidates.iter().copied() {
            let is_file = self.is_file(at);
            if left == 0 || is_file && self.confidence(at) < RATHER_THAN_NOT {
                break;
            }
            let Some(whole) = self.request.costs.inlined(self.item(at), &Form::Whole) else { break };
            let most = if is_file { room / 10 * SUREST_TENTHS } else { room / LEAST_SHARE };
            if whole <= most && self.spent() - self.placement.placed[at].tokens + whole <= room {
                self.put(at, Tier::Raw, Form::Whole, whole);
            } else if !is_file {
                break;
            }
            left -= usize::from(is_file);
        }
    }

    /// How sure it is that the item will be changed.
    fn confidence(&self, at: usize) -> f64 {
        self.request.scores.items[self.item(at)].likely
    }

    /// The value of each candidate: never less than that of one ranked below it. What is as sure counts more where it has more evidence: that is how
    /// the tasks of docs/scoring.md came out best.
    fn values(&self, candidates: &[usize]) -> Vec<f64> {
        let value = |at: &usize| self.confidence(*at) * self.request.scores.items[self.item(*at)].evidence.powi(2);
        let mut values: Vec<f64> = candidates.iter().map(value).collect();
        let mut most: f64 = 0.0;
        for value in values.iter_mut().rev() {
            most = most.max(*value);
            *value = most;
        }
        values
    }

    /// Whether evidence points to the item.
    fn is_pointed_at(&self, at: usize) -> bool {
        self.request.scores.items[self.item(at)].pointed
    }

    /// Takes the best step of any candidate, again and again, while it fits.
    fn pack(&mut self, candidates: &[usize], room: usize) {
        let mut offers = self.offers(candidates, room);
        let mut spent = self.spent();
        loop {
            // What no step fits into is not worth counting for.
            while spent + CRUMBS <= room && offers.best_is_unknown() {
                self.open(&mut offers, candidates);
            }
            let Some(taken) = offers.climb(room.saturating_sub(spent)) else { break };
            spent += taken;
        }
        self.inline_offers(candidates, &offers);
        let mut refused = usize::MAX;
        for (index, size) in offers.sizes() {
            let at = candidates[index];
            match size {
                _ if self.placement.placed[at].form == Form::Whole => {}
                Ok(whole) => self.inline(at, Some(whole), room, offers.may_be_cut(index), &mut refused),
                // Nobody counted it, so nothing that may be as large comes after it.
                Err(least) => refused = refused.min(least),
            }
        }
    }

    /// What each candidate is worth at most for its tokens, before anything of it is counted.
    fn offers(&self, candidates: &[usize], room: usize) -> Offers {
        let mut left = MOST_CUT;
        let values = self.values(candidates);
        let may_be_cut: Vec<bool> = candidates
            .iter()
            .map(|at| {
                let may_be = left > 0 && self.can_be_cut(*at);
                left -= usize::from(may_be);
                may_be
            })
            .collect();
        let least = candidates.iter().map(|at| self.request.costs.at_least(self.item(*at)).max(SMALLEST)).collect();
        let cuts = Cuts {
            from: CUT_FROM.min(room / CUT_FROM_PART),
            least: LEAST_CUT.min(room / LEAST_CUT_PART).max(SMALLEST_CUT),
        };
        Offers::new(values, least, may_be_cut, cuts, room.saturating_sub(self.spent()))
    }

    /// Counts what the next few cost, and finds where they may be cut.
    fn open(&mut self, offers: &mut Offers, candidates: &[usize]) {
        let next = offers.take_unknown(AHEAD);
        let ahead: Vec<usize> = next.iter().map(|index| candidates[*index]).collect();
        let costs = self.whole_costs(&ahead);
        let known = next.iter().copied().zip(costs.iter().copied());
        // What is whole already needs no parser to say where it could be cut.
        let to_cut: Vec<usize> = known
            .clone()
            .filter(|(index, whole)| whole.is_some_and(|whole| offers.is_worth_cutting(*index, whole)))
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
            offers.open(index, from, whole, cuts);
        }
    }

    /// Inlines each as far as it came.
    fn inline_offers(&mut self, candidates: &[usize], offers: &Offers) {
        let mut cut: Vec<(usize, usize)> = Vec::new();
        for (index, rung) in offers.taken() {
            if rung.whole {
                self.put(candidates[index], Tier::Raw, Form::Whole, rung.tokens);
            } else {
                cut.push((candidates[index], rung.tokens));
            }
        }
        // What fits is found by counting: on all cores, the first time. Then it is known.
        on_all_cores(&cut, |(at, tokens)| {
            self.cut(*at, *tokens);
        });
        for (at, tokens) in cut {
            if let Some((form, tokens)) = self.cut(at, tokens) {
                self.put(at, Tier::Raw, form, tokens);
            }
        }
    }

    pub fn whole_costs(&self, ahead: &[usize]) -> Vec<Option<usize>> {
        self.foresee(ahead.iter().map(|at| (self.item(*at), &Form::Whole)));
        ahead.iter().map(|at| self.request.costs.inlined(self.item(*at), &Form::Whole)).collect()
    }

    /// Inlines what fits of an item in what is left. Nothing as large as what was refused gets in after it: a better item never makes way
    /// for a lesser one.
    fn inline(&mut self, at: usize, whole: Option<usize>, room: usize, may_be_cut: bool, refused: &mut usize) {
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
