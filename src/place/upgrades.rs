//! The forms of one item by increasing size: a small excerpt, larger excerpts, the full file.
//!
//! Each form costs more and has a higher value than the one before, but a lower value per token. Repeatedly taking the
//! best step of any item therefore spends tokens where they are worth most.

use std::ops::RangeInclusive;

/// Value of the full file relative to its changed lines. It is slightly above 1, because the full file also contains
/// the context of the changes.
const WHOLE: f64 = 1.1;

/// Maximum size of an excerpt relative to its file. Larger excerpts are replaced by the full file.
const NEARLY_WHOLE: f64 = 0.85;

/// A form that an item may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Upgrade {
    /// Tokens of the form.
    pub tokens: usize,
    /// Value of the form.
    pub worth: f64,
    /// True for the full item.
    pub whole: bool,
}

/// The forms of one item, starting with the current one.
#[derive(Debug)]
pub(super) struct UpgradePath {
    forms: Vec<Upgrade>,
    at: usize,
    /// Index of the next form.
    next: usize,
}

impl UpgradePath {
    /// Upper bound of the value per token of an item with this value and at least this cost.
    pub fn at_most(value: f64, tokens: usize) -> f64 {
        value * WHOLE / tokens.max(1) as f64
    }

    /// The forms of an item that takes `tokens.start` now and may take up to `tokens.end`. The last form is the full
    /// item. `cuts` are excerpts, each with its tokens and the share of the change that it is expected to contain.
    pub fn new(
        value: f64,
        tokens: RangeInclusive<usize>,
        whole: usize,
        cuts: impl IntoIterator<Item = (usize, f64)>,
    ) -> Self {
        let (from, most) = tokens.into_inner();
        let mut start = Upgrade { tokens: from, worth: 0.0, whole: false };
        let mut forms = Vec::new();
        for (tokens, share) in cuts {
            let form = Upgrade { tokens, worth: value * share, whole: false };
            if tokens <= from {
                start.worth = form.worth.max(start.worth);
            } else if (tokens as f64) < NEARLY_WHOLE * whole as f64 {
                forms.push(form);
            }
        }
        forms.push(Upgrade { tokens: whole, worth: value * WHOLE, whole: true });
        let mut path: Vec<Upgrade> = vec![start];
        // Smaller forms may fit even if a larger one does not.
        for form in forms.into_iter().filter(|form| form.tokens <= most) {
            // A form that is worth no more per token than the next one is skipped.
            while let [.., before, last] = path[..]
                && step(before, last) <= step(last, form)
            {
                path.pop();
            }
            path.push(form);
        }
        Self { forms: path, at: 0, next: 1 }
    }

    /// The current form.
    pub fn form(&self) -> Upgrade {
        self.forms[self.at]
    }

    /// Tokens of the next step and its worth per token; `None` at the last form.
    pub fn step(&self) -> Option<(usize, f64)> {
        let next = self.forms.get(self.next)?;
        Some((next.tokens.saturating_sub(self.form().tokens), step(self.form(), *next)))
    }

    /// Takes the step.
    pub fn climb(&mut self) {
        self.at = self.next;
        self.next += 1;
    }

    /// Skips the next form; the step after this leads to the form that follows it.
    pub fn pass_by(&mut self) {
        self.next += 1;
    }
}

fn step(from: Upgrade, to: Upgrade) -> f64 {
    (to.worth - from.worth) / (to.tokens.saturating_sub(from.tokens)).max(1) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn climbed(mut path: UpgradePath) -> Vec<(usize, bool, f64)> {
        let mut forms = Vec::new();
        while let Some((_, gain)) = path.step() {
            path.climb();
            forms.push((path.form().tokens, path.form().whole, gain));
        }
        forms
    }

    #[test]
    fn an_excerpt_with_most_of_the_change_precedes_the_full_file() {
        let forms = climbed(UpgradePath::new(1.0, 0..=20_000, 10_000, [(1_000, 0.7), (2_000, 0.8), (9_000, 0.95)]));
        let forms: Vec<(usize, bool)> = forms.iter().map(|form| (form.0, form.1)).collect();
        // An excerpt of nearly the whole file is omitted, because the full file follows.
        assert_eq!(forms, [(1_000, false), (2_000, false), (10_000, true)]);
    }

    #[test]
    fn files_that_are_too_large_get_larger_excerpts() {
        let cuts = [(1_000, 0.1), (3_000, 0.4), (8_000, 0.9)];
        let forms = climbed(UpgradePath::new(1.0, 0..=9_999, 10_000, cuts));
        assert_eq!(forms.iter().map(|form| form.0).collect::<Vec<_>>(), [3_000, 8_000]);
        let forms = climbed(UpgradePath::new(1.0, 0..=10_000, 10_000, cuts));
        assert_eq!(forms.iter().map(|form| form.0).collect::<Vec<_>>(), [3_000, 10_000]);
        assert!(climbed(UpgradePath::new(1.0, 0..=900, 10_000, cuts)).is_empty());
    }

    #[test]
    fn included_forms_cost_nothing_again() {
        let mut path = UpgradePath::new(1.0, 1_000..=5_000, 4_000, [(500, 0.3), (1_000, 0.6), (2_000, 0.9)]);
        assert_eq!(path.form(), Upgrade { tokens: 1_000, worth: 0.6, whole: false });
        assert_eq!(path.step().map(|step| step.0), Some(1_000));
        path.pass_by();
        assert_eq!(path.step().map(|step| step.0), Some(3_000));
        path.pass_by();
        assert_eq!(path.step(), None);
    }

    proptest! {
        #[test]
        fn each_step_has_a_cost_and_a_decreasing_value(
            value in 0.001f64..1.0,
            whole in 100usize..50_000,
            cuts in prop::collection::vec((1usize..3_000, 0.0f64..0.3), 0..40),
        ) {
            let cuts = cuts.iter().scan((0, 0.0), |sum, (tokens, share)| {
                *sum = (sum.0 + tokens, f64::min(sum.1 + share, 1.0));
                Some(*sum)
            });
            let forms = climbed(UpgradePath::new(value, 0..=whole, whole, cuts));
            prop_assert_eq!(forms.last().map(|form| (form.0, form.1)), Some((whole, true)));
            prop_assert!(forms.windows(2).all(|pair| pair[0].0 < pair[1].0), "{:?}", forms);
            prop_assert!(forms.windows(2).all(|pair| pair[0].2 > pair[1].2), "{:?}", forms);
        }
    }
}
