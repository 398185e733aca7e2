//! What one item may become for more and more tokens: cut to a few lines, to more of them, whole.
//!
//! Each rung costs more than the one before and is worth more, and each step is worth less for its tokens than the last. So
//! taking the best step of any item, again and again, spends tokens where they are worth most.

use std::ops::RangeInclusive;

/// What the full item is worth, against the lines that will change alone: a little more, for nobody has to guess what else is in it.
const WHOLE: f64 = 1.1;

/// Cuts that would take a larger part of the whole make no sense.
const NEARLY_WHOLE: f64 = 0.85;

/// One thing that an item may become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rung {
    /// What it costs.
    pub tokens: usize,
    /// What it is worth.
    pub worth: f64,
    /// Whether it is the whole item.
    pub whole: bool,
}

/// The rungs of one item, the first of which is where it is.
#[derive(Debug)]
pub(super) struct Ladder {
    rungs: Vec<Rung>,
    at: usize,
    /// The rung that is tried next.
    next: usize,
}

impl Ladder {
    /// The most that a token can be worth in an item of this value that costs at least so much.
    pub fn at_most(value: f64, tokens: usize) -> f64 {
        value * WHOLE / tokens.max(1) as f64
    }

    /// The ladder of an item that costs `tokens.start` as it is and may cost `tokens.end`. At its top it is whole, for so many tokens; `cuts` are
    /// what it may be before: their tokens, and the share of its changes that they will hold.
    pub fn new(
        value: f64,
        tokens: RangeInclusive<usize>,
        whole: usize,
        cuts: impl IntoIterator<Item = (usize, f64)>,
    ) -> Self {
        let (from, most) = tokens.into_inner();
        let mut start = Rung { tokens: from, worth: 0.0, whole: false };
        let mut rungs = Vec::new();
        for (tokens, share) in cuts {
            let rung = Rung { tokens, worth: value * share, whole: false };
            if tokens <= from {
                start.worth = rung.worth.max(start.worth);
            } else if (tokens as f64) < NEARLY_WHOLE * whole as f64 {
                rungs.push(rung);
            }
        }
        rungs.push(Rung { tokens: whole, worth: value * WHOLE, whole: true });
        let mut ladder: Vec<Rung> = vec![start];
        // One that is out of reach says nothing against those below it.
        for rung in rungs.into_iter().filter(|rung| rung.tokens <= most) {
            // A rung that is no better for its tokens than the next one is passed over.
            while let [.., before, last] = ladder[..]
                && step(before, last) <= step(last, rung)
            {
                ladder.pop();
            }
            ladder.push(rung);
        }
        Self { rungs: ladder, at: 0, next: 1 }
    }

    /// Where the item is.
    pub fn rung(&self) -> Rung {
        self.rungs[self.at]
    }

    /// What the next step costs, and what it is worth for each token; none at the top.
    pub fn step(&self) -> Option<(usize, f64)> {
        let next = self.rungs.get(self.next)?;
        Some((next.tokens.saturating_sub(self.rung().tokens), step(self.rung(), *next)))
    }

    /// Takes the step.
    pub fn climb(&mut self) {
        self.at = self.next;
        self.next += 1;
    }

    /// Leaves the step out: the next one leads past it.
    pub fn pass_by(&mut self) {
        self.next += 1;
    }
}

fn step(from: Rung, to: Rung) -> f64 {
    (to.worth - from.worth) / (to.tokens.saturating_sub(from.tokens)).max(1) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn climbed(mut ladder: Ladder) -> Vec<(usize, bool, f64)> {
        let mut rungs = Vec::new();
        while let Some((_, gain)) = ladder.step() {
            ladder.climb();
            rungs.push((ladder.rung().tokens, ladder.rung().whole, gain));
        }
        rungs
    }

    #[test]
    fn a_cut_that_holds_most_of_the_change_comes_before_the_whole() {
        let rungs = climbed(Ladder::new(1.0, 0..=20_000, 10_000, [(1_000, 0.7), (2_000, 0.8), (9_000, 0.95)]));
        let forms: Vec<(usize, bool)> = rungs.iter().map(|rung| (rung.0, rung.1)).collect();
        // An excerpt of nearly everything makes no sense beside the full file.
        assert_eq!(forms, [(1_000, false), (2_000, false), (10_000, true)]);
    }

    #[test]
    fn what_cannot_be_whole_is_cut_the_more() {
        let cuts = [(1_000, 0.1), (3_000, 0.4), (8_000, 0.9)];
        let rungs = climbed(Ladder::new(1.0, 0..=9_999, 10_000, cuts));
        assert_eq!(rungs.iter().map(|rung| rung.0).collect::<Vec<_>>(), [3_000, 8_000]);
        let rungs = climbed(Ladder::new(1.0, 0..=10_000, 10_000, cuts));
        assert_eq!(rungs.iter().map(|rung| rung.0).collect::<Vec<_>>(), [3_000, 10_000]);
        assert!(climbed(Ladder::new(1.0, 0..=900, 10_000, cuts)).is_empty());
    }

    #[test]
    fn what_is_there_already_costs_nothing_again() {
        let mut ladder = Ladder::new(1.0, 1_000..=5_000, 4_000, [(500, 0.3), (1_000, 0.6), (2_000, 0.9)]);
        assert_eq!(ladder.rung(), Rung { tokens: 1_000, worth: 0.6, whole: false });
        assert_eq!(ladder.step().map(|step| step.0), Some(1_000));
        ladder.pass_by();
        assert_eq!(ladder.step().map(|step| step.0), Some(3_000));
        ladder.pass_by();
        assert_eq!(ladder.step(), None);
    }

    proptest! {
        #[test]
        fn each_step_costs_something_and_is_worth_less_than_the_last(
            value in 0.001f64..1.0,
            whole in 100usize..50_000,
            cuts in prop::collection::vec((1usize..3_000, 0.0f64..0.3), 0..40),
        ) {
            let cuts = cuts.iter().scan((0, 0.0), |sum, (tokens, share)| {
                *sum = (sum.0 + tokens, f64::min(sum.1 + share, 1.0));
                Some(*sum)
            });
            let rungs = climbed(Ladder::new(value, 0..=whole, whole, cuts));
            prop_assert_eq!(rungs.last().map(|rung| (rung.0, rung.1)), Some((whole, true)));
            prop_assert!(rungs.windows(2).all(|pair| pair[0].0 < pair[1].0), "{:?}", rungs);
            prop_assert!(rungs.windows(2).all(|pair| pair[0].2 > pair[1].2), "{:?}", rungs);
        }
    }
}
