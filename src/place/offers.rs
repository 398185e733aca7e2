//! Which step of which item is worth most for its tokens.
//!
//! Costs are counted as late as possible: an item that nobody counted yet cannot come before a step that is worth more for its tokens than
//! the smallest that the item may be.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::ladder::{Ladder, Rung};

/// Which cuts are offered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cuts {
    /// Of items that cost at least so much whole.
    pub from: usize,
    /// Cuts that cost at least so much.
    pub least: usize,
}

/// The candidates by their places in the ranking, and how far each came.
pub(super) struct Offers {
    values: Vec<f64>,
    may_be_cut: Vec<bool>,
    cuts: Cuts,
    /// What there is room for.
    room: usize,
    /// What each costs whole at least.
    least: Vec<usize>,
    /// Those that did not fit whole and are not there at all, and what each would cost.
    refused: Vec<(usize, usize)>,
    /// The best last.
    unknown: Vec<Step>,
    known: Vec<Option<Known>>,
    steps: BinaryHeap<Step>,
}

struct Known {
    whole: usize,
    ladder: Ladder,
    climbed: bool,
}

impl Offers {
    /// Offers of these values that cost at least so much whole.
    pub fn new(values: Vec<f64>, least: Vec<usize>, may_be_cut: Vec<bool>, cuts: Cuts, room: usize) -> Self {
        let step = |(index, least): (usize, usize)| {
            let least = if may_be_cut[index] { least.min(cuts.least) } else { least };
            Step { gain: Ladder::at_most(values[index], least), index }
        };
        let mut unknown: Vec<Step> = least.iter().copied().enumerate().map(step).collect();
        unknown.sort_unstable();
        let known = values.iter().map(|_| None).collect();
        let (steps, refused) = (BinaryHeap::new(), Vec::new());
        Self { values, may_be_cut, cuts, room, least, refused, unknown, known, steps }
    }

    /// Whether one that nobody counted yet may be the best.
    pub fn best_is_unknown(&self) -> bool {
        self.unknown.last().is_some_and(|next| self.steps.peek().is_none_or(|best| best < next))
    }

    /// The next that are to be counted.
    pub fn take_unknown(&mut self, count: usize) -> Vec<usize> {
        let next = self.unknown.split_off(self.unknown.len().saturating_sub(count));
        next.into_iter().map(|step| step.index).collect()
    }

    /// Whether the item may be cut at all.
    pub fn may_be_cut(&self, index: usize) -> bool {
        self.may_be_cut[index]
    }

    /// Whether the item may be cut before others fill the room.
    pub fn is_worth_cutting(&self, index: usize, whole: usize) -> bool {
        self.may_be_cut[index] && whole >= self.cuts.from
    }

    /// What the item may become: it costs `from` as it is, and `whole` whole.
    pub fn open(&mut self, index: usize, from: usize, whole: usize, cuts: Vec<(usize, f64)>) {
        let cuts = cuts.into_iter().filter(|cut| cut.0 >= self.cuts.least || cut.0 <= from);
        let ladder = Ladder::new(self.values[index], from..=self.room + from, whole, cuts);
        self.steps.extend(ladder.step().map(|(_, gain)| Step { gain, index }));
        self.known[index] = Some(Known { whole, ladder, climbed: false });
    }

    /// Takes the best step, if it costs no more than `left` and keeps no better item out, and says what that took; none if there are no more.
    pub fn climb(&mut self, left: usize) -> Option<usize> {
        let Step { index, .. } = self.steps.pop()?;
        let known = self.known[index].as_mut()?;
        let (tokens, _) = known.ladder.step()?;
        let (whole, to_the_top) = (known.whole, known.ladder.leads_to_the_top());
        // A better item never makes way for a lesser one that is as large.
        let is_ahead = |(better, size): &(usize, usize)| *better < index && *size <= whole;
        let taken = if tokens > left || to_the_top && self.refused.iter().any(is_ahead) {
            if to_the_top && known.ladder.rung().tokens == 0 {
                self.refused.push((index, whole));
            }
            known.ladder.pass_by();
            0
        } else {
            known.ladder.climb();
            known.climbed = true;
            tokens
        };
        self.steps.extend(known.ladder.step().map(|(_, gain)| Step { gain, index }));
        Some(taken)
    }

    /// How far those came that took a step.
    pub fn taken(&self) -> impl Iterator<Item = (usize, Rung)> + '_ {
        let known = self.known.iter().enumerate().filter_map(|(index, known)| Some((index, known.as_ref()?)));
        known.filter(|(_, known)| known.climbed).map(|(index, known)| (index, known.ladder.rung()))
    }

    /// What each costs whole, best ranked first; of those that were not counted, what they cost at least.
    pub fn sizes(&self) -> impl Iterator<Item = (usize, Result<usize, usize>)> + '_ {
        let size = |(index, known): (usize, &Option<Known>)| {
            (index, known.as_ref().map(|known| known.whole).ok_or(self.least[index]))
        };
        self.known.iter().enumerate().map(size)
    }
}

/// A step that an item may take: the best for its tokens first, and of equals that of the item ranked first.
#[derive(Debug)]
struct Step {
    /// What it is worth for each token.
    gain: f64,
    /// The item's place in the ranking.
    index: usize,
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Step {}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.index.cmp(&self.index))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is taken of items of these values and sizes, so many of which are counted at once, and how many were counted.
    fn taken(items: &[(f64, usize, bool)], room: usize, ahead: usize) -> Vec<(usize, usize, bool)> {
        let (values, least) = items.iter().map(|(value, size, _)| (*value, size / 3)).unzip();
        let cuts = Cuts { from: 1_000, least: 100 };
        let may_be_cut = items.iter().map(|item| item.2).collect();
        let mut offers = Offers::new(values, least, may_be_cut, cuts, room);
        let mut spent = 0;
        loop {
            while offers.best_is_unknown() {
                for index in offers.take_unknown(ahead) {
                    let size = items[index].1;
                    let cuts = vec![(size / 10, 0.5), (size / 4, 0.8)];
                    offers.open(index, 0, size, if offers.is_worth_cutting(index, size) { cuts } else { Vec::new() });
                }
            }
            let Some(taken) = offers.climb(room - spent) else { break };
            spent += taken;
        }
        offers.taken().map(|(index, rung)| (index, rung.tokens, rung.whole)).collect()
    }

    #[test]
    fn the_surest_is_cut_before_lesser_ones_are_whole() {
        let items = [(0.6, 20_000, true), (0.3, 900, true), (0.01, 900, true), (0.01, 900, true)];
        assert_eq!(taken(&items, 4_000, 1), [(0, 2_000, false), (1, 900, true), (2, 900, true)]);
    }

    #[test]
    fn one_that_is_cut_does_not_become_whole_past_a_better_one_of_its_size() {
        let items = [(0.3, 7_000, false), (0.2, 7_000, true), (0.19, 2_500, false)];
        let taken = taken(&items, 10_000, 3);
        assert!(!taken.contains(&(1, 7_000, true)) || taken.iter().any(|taken| taken.0 == 0), "{taken:?}");
    }

    #[test]
    fn what_comes_far_behind_is_not_counted_yet() {
        let cuts = Cuts { from: 1_000, least: 100 };
        let mut offers = Offers::new(vec![0.5, 0.4, 0.001], vec![200, 200, 200], vec![false; 3], cuts, 9_000);
        assert_eq!((offers.take_unknown(1), offers.best_is_unknown()), (vec![0], true));
        // For its tokens the first may be worth less than the second, whose size nobody knows; never less than the third.
        offers.open(0, 0, 600, Vec::new());
        assert_eq!((offers.best_is_unknown(), offers.take_unknown(1)), (true, vec![1]));
        offers.open(1, 0, 900, Vec::new());
        assert_eq!((offers.best_is_unknown(), offers.climb(9_000)), (false, Some(600)));
    }

    proptest! {
        #[test]
        fn counting_late_changes_nothing(
            mut items in prop::collection::vec((0.001f64..1.0, 50usize..20_000, any::<bool>()), 0..40),
            room in 0usize..60_000,
            ahead in 1usize..9,
        ) {
            items.sort_by(|a, b| b.0.total_cmp(&a.0));
            prop_assert_eq!(taken(&items, room, ahead), taken(&items, room, items.len().max(1)));
        }

        /// Nothing is left out while a lesser one that is as large is in.
        #[test]
        fn a_better_item_is_there_if_a_lesser_one_of_its_size_is(
            mut items in prop::collection::vec((0.001f64..1.0, 50usize..20_000, any::<bool>()), 0..40),
            room in 0usize..60_000,
        ) {
            items.sort_by(|a, b| b.0.total_cmp(&a.0));
            let taken = taken(&items, room, 3);
            for (lesser, ..) in taken.iter().filter(|taken| taken.2) {
                for better in 0..*lesser {
                    prop_assert!(
                        items[better].1 > items[*lesser].1 || taken.iter().any(|taken| taken.0 == better),
                        "{better} is not there, {lesser} is: {items:?}"
                    );
                }
            }
        }
    }
}
