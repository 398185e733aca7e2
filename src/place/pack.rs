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
/// A target that is surer than this gets a place of its own, cut if need be.
const SURE: f32 = 0.1;
/// Each so many tokens of room hold one target that is cut.
const ROOM_A_CUT: usize = 6_000;
/// Which part of the room such a cut may take.
const CUT_SHARE: usize = 12;
/// The same for the one file that evidence points to: the lines that it names are what the person came with. Several share it.
const POINTED_SHARE: usize = 3;
/// A target that is surer than this is inlined whole before anything is weighed: so many of them, each up to so many tenths of the room.
const RATHER_THAN_NOT: f32 = 0.5;
const SUREST: usize = 2;
const SUREST_TENTHS: usize = 7;
/// How often it is asked again which targets the others left no room for.
const ROUNDS: usize = 3;
/// How often it is guessed what fits before it is searched for.
const GUESSES: usize = 4;
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
        self.inline_surest(candidates, room);
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

    /// The first candidates, while each will rather change than not: whole, however many small files that keeps out. What was
    /// given with the task stands before them, and comes with them where it is small.
    fn inline_surest(&mut self, candidates: &[usize], room: usize) {
        if self.request.costs.excerpt_limit(room).is_some() {
            return;
        }
        let mut left = SUREST;
        for at in candidates.iter().copied() {
            let is_file = self.is_file(at);
            if left == 0 || is_file && self.confidence(at) < RATHER_THAN_NOT {
                break;
            }
            let Some(whole) = self.request.costs.inlined(self.item(at), &Form::Whole) else { break };
            let most = if is_file { room / 10 * SUREST_TENTHS } else { room / CUT_SHARE };
            if whole <= most && self.spent() - self.placement.placed[at].tokens + whole <= room {
                self.put(at, Tier::Raw, Form::Whole, whole);
            } else if !is_file {
                break;
            }
            left -= usize::from(is_file);
        }
    }

    /// How sure it is that the item will be changed.
    fn confidence(&self, at: usize) -> f32 {
        let item = self.item(at);
        self.request.scores.targets.iter().find(|target| target.0 == item).map_or(0.0, |target| target.1)
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
            }
            let Some(best) = counted.pop() else { break };
            self.prepare_cuts(candidates, &best, &counted, room);
            self.inline(candidates[best.index], best.whole, room, &mut refused);
        }
    }

    /// Where the best one will be cut, and so will others: finding where takes a parser, so the other cores begin with those.
    fn prepare_cuts(&self, candidates: &[usize], best: &Counted, others: &[Counted], room: usize) {
        let left = room.saturating_sub(self.spent());
        let hot = |counted: &Counted| &self.request.scores.items[self.item(candidates[counted.index])].hot;
        // A format of excerpts cuts what would fit, too.
        let all = self.request.costs.excerpt_limit(room).is_some();
        let is_cut = |whole: usize| all || whole > left;
        let is_new = |counted: &&Counted| counted.whole.is_some_and(is_cut) && !hot(counted).is_found();
        if left < SMALLEST_CUT || !is_new(&best) {
            return;
        }
        for other in others.iter().rev().filter(is_new).take(2 * rayon::current_num_threads() - 1) {
            hot(other).find_ahead();
        }
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
        let counted = |form: Form| self.request.costs.inlined(item, &form).map(|tokens| (form, tokens));
        let fits = |form: Form| counted(form).filter(|(_, tokens)| *tokens <= left);
        let sorted = |spans: &[Span]| {
            let mut spans = spans.to_vec();
            spans.sort_unstable();
            spans
        };
        let mut best = None;
        let lines: Vec<usize> = hot.iter().map(|span| lines_of(&[*span])).collect();
        let whole = self.request.costs.inlined(item, &Form::Whole)?;
        let all = hot.iter().map(|(_, last)| *last).max().unwrap_or(1);
        let fitting = most_that_fit(&lines, left, whole as f64 / f64::from(all), |count| {
            let (form, tokens) = counted(Form::Spans(sorted(&hot[..count])))?;
            if tokens <= left {
                best = Some((form, tokens));
            }
            Some(tokens)
        });
        let mut keep = hot[..fitting].to_vec();
        for span in hot.iter().skip(fitting + 1).take(TRIED) {
            // One that would not fit if its lines cost half of what the others do is not worth the counting.
            let (kept, tokens) = best.as_ref().map_or((0, 0), |(_, tokens)| (lines_of(&keep), *tokens));
            if tokens + (tokens * lines_of(&[*span])).checked_div(2 * kept).unwrap_or(0) > left {
                continue;
            }
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

/// How many spans, from the first, cost `left` at most; `lines` says how long each is, and more lines cost more. Counting
/// is what takes time, so the answer is guessed from what a line costs; where a few guesses did not do, it is searched for by halving.
fn most_that_fit(
    lines: &[usize],
    left: usize,
    mut per_line: f64,
    mut cost: impl FnMut(usize) -> Option<usize>,
) -> usize {
    let mut upto = vec![0.0];
    upto.extend(lines.iter().scan(0.0, |sum, lines| {
        *sum += *lines as f64;
        Some(*sum)
    }));
    let (mut fitting, mut over) = (0, lines.len() + 1);
    let (mut known_lines, mut known_tokens) = (0.0, 0.0);
    for guesses in 0.. {
        if over - fitting <= 1 {
            break;
        }
        let middle = if guesses < GUESSES {
            let may_have = known_lines + (left as f64 - known_tokens) / per_line;
            upto.partition_point(|lines| *lines <= may_have).saturating_sub(1).clamp(fitting + 1, over - 1)
        } else {
            usize::midpoint(fitting, over)
        };
        let tokens = cost(middle);
        if let Some(tokens) = tokens {
            (known_lines, known_tokens) = (upto[middle], tokens as f64);
            per_line = (known_tokens / known_lines).max(f64::MIN_POSITIVE);
        }
        if tokens.is_some_and(|tokens| tokens <= left) {
            fitting = middle;
        } else {
            over = middle;
        }
    }
    fitting
}

fn lines_of(spans: &[Span]) -> usize {
    spans.iter().map(|(first, last)| (last - first + 1) as usize).sum()
}

/// What an item of this worth and size is weighed by.
fn key(worth: f64, size: usize) -> f64 {
    worth * (size.max(SMALL) as f64).powf(-SIZE_EXPONENT)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::most_that_fit;

    proptest! {
        #[test]
        fn what_fits_is_what_trying_all_finds(
            spans in prop::collection::vec((1usize..90, 0usize..900), 0..60),
            left in 0usize..9_000,
            per_line in 0.01f64..40.0,
            missing in any::<bool>(),
        ) {
            let lines: Vec<usize> = spans.iter().map(|(lines, _)| *lines).collect();
            let cost = |count: usize| spans[..count].iter().map(|(_, tokens)| tokens).sum::<usize>() + 12;
            let mut asked = Vec::new();
            let found = most_that_fit(&lines, left, per_line, |count| {
                asked.push(count);
                (!missing).then(|| cost(count))
            });
            let plain = if missing { 0 } else { (1..=lines.len()).rev().find(|count| cost(*count) <= left).unwrap_or(0) };
            prop_assert_eq!(found, plain);
            // Four guesses, then halving; what fits was asked about, so that the caller has seen it.
            prop_assert!(asked.len() <= 4 + 6, "{:?}", asked);
            prop_assert!(found == 0 || asked.contains(&found));
        }
    }

    #[test]
    fn lines_of_equal_cost_take_few_counts() {
        let mut asked = 0;
        let found = most_that_fit(&[10; 400], 3_000, 9.0, |count| {
            asked += 1;
            Some(count * 110)
        });
        assert_eq!(found, 27);
        assert!(asked <= 4, "{asked} counts");
    }
}
