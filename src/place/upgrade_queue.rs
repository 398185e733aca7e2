//! A queue of upgrades for all candidates. The step with the highest value per token is taken first.
//!
//! Costs are counted as late as possible. A step is taken as soon as its value per token exceeds the upper bound of
//! every candidate that is not counted yet.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::upgrades::{Upgrade, UpgradePath};

/// A candidate whose tokens are not counted yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Upper bound of its value.
    pub value: f64,
    /// Likelihood that the change touches it.
    pub likely: f64,
    /// Lower bound of its tokens in full.
    pub least: usize,
    /// Maximum number of tokens that it may take.
    pub most: usize,
    /// True if it may become an excerpt.
    pub may_be_cut: bool,
    /// True if its first step is taken even if the step is not worth its tokens.
    pub wanted: bool,
    /// Maximum share of RAW that it may take.
    pub share: f64,
    /// True if better candidates that are absent take precedence over it. False for tests and documents.
    pub in_order: bool,
}

/// Sizes of excerpts.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExcerptSizes {
    /// Minimum full size of an item that becomes an excerpt.
    pub from: usize,
    /// Smallest useful excerpt.
    pub least: usize,
}

/// The candidates in order of rank, each with its current form.
pub(super) struct UpgradeQueue {
    candidates: Vec<Candidate>,
    cuts: ExcerptSizes,
    /// Totals of RAW so far.
    raw: RawTotals,
    /// True to skip steps that are not worth their tokens.
    only_worthwhile: bool,
    /// Steps that would give an unlikely file too large a part of RAW. They are postponed, because RAW may still grow.
    deferred: Vec<QueuedStep>,
    /// Absent candidates whose smallest form did not fit, with its tokens.
    refused: Vec<(usize, usize)>,
    /// Candidates that are not counted yet, best last.
    unknown: Vec<QueuedStep>,
    known: Vec<Option<OpenCandidate>>,
    steps: BinaryHeap<QueuedStep>,
}

struct OpenCandidate {
    whole: usize,
    path: UpgradePath,
    climbed: bool,
}

impl UpgradeQueue {
    /// Creates a queue of these candidates, best ranked first.
    pub fn new(candidates: Vec<Candidate>, cuts: ExcerptSizes, raw: RawTotals, only_worthwhile: bool) -> Self {
        let step = |(index, candidate): (usize, &Candidate)| {
            let least = if candidate.may_be_cut { candidate.least.min(cuts.least) } else { candidate.least };
            QueuedStep { gain: first_gain(candidate, UpgradePath::at_most(candidate.value, least)), index }
        };
        let mut unknown: Vec<QueuedStep> = candidates.iter().enumerate().map(step).collect();
        let least = if only_worthwhile { LEAST_GAIN } else { 0.0 };
        unknown.retain(|step| step.gain >= least);
        unknown.sort_unstable();
        let known = candidates.iter().map(|_| None).collect();
        let (refused, deferred, steps) = (Vec::new(), Vec::new(), BinaryHeap::new());
        Self { candidates, cuts, raw, only_worthwhile, deferred, refused, unknown, known, steps }
    }

    /// The next candidates to count, at most `count`: candidates that may have the best step, and absent candidates
    /// that rank higher.
    pub fn take_unknown(&mut self, count: usize) -> Vec<usize> {
        let best = self.steps.peek();
        if self.unknown.last().is_some_and(|next| best.is_none_or(|best| best < next)) {
            let next = self.unknown.split_off(self.unknown.len().saturating_sub(count));
            return next.into_iter().map(|step| step.index).collect();
        }
        let Some((index, (_, total))) = best.and_then(|best| Some((best.index, self.next_step(best.index)?))) else {
            return Vec::new();
        };
        if !self.candidates[index].in_order {
            return Vec::new();
        }
        let smallest = |candidate: &Candidate| if candidate.may_be_cut { 0 } else { candidate.least };
        let candidates = &self.candidates;
        let stands_before = |step: &mut QueuedStep| {
            let candidate = &candidates[step.index];
            step.index < index && candidate.in_order && smallest(candidate) <= total
        };
        self.unknown.extract_if(.., stands_before).take(count).map(|step| step.index).collect()
    }

    /// Returns true if the item may become an excerpt.
    pub fn may_be_cut(&self, index: usize) -> bool {
        self.candidates[index].may_be_cut
    }

    /// Returns true if an item of this size should become an excerpt.
    pub fn is_worth_cutting(&self, index: usize, whole: usize) -> bool {
        self.may_be_cut(index) && whole >= self.cuts.from
    }

    /// Maximum tokens that an item may take.
    pub fn most(&self, index: usize) -> usize {
        self.candidates[index].most
    }

    /// Sets the possible forms of a candidate that takes `from` tokens now and `whole` in full.
    pub fn open(&mut self, index: usize, from: usize, whole: usize, cuts: Vec<(usize, f64)>) {
        let candidate = &self.candidates[index];
        let cuts = cuts.into_iter().filter(|cut| cut.0 >= self.cuts.least || cut.0 <= from);
        let path = UpgradePath::new(candidate.value, from..=candidate.most.max(from), whole, cuts);
        let gain = path.step().map(|(_, gain)| if from == 0 { first_gain(candidate, gain) } else { gain });
        self.known[index] = Some(OpenCandidate { whole, path, climbed: false });
        self.push(index, gain);
    }

    fn push(&mut self, index: usize, gain: Option<f64>) {
        self.steps.extend(gain.map(|gain| QueuedStep { gain, index }));
    }

    /// Takes the best step if it fits into `left`, is worth its tokens and does not displace a better item. Returns the
    /// tokens taken, or `None` if no steps are left.
    pub fn climb(&mut self, left: usize) -> Option<usize> {
        let step = self.steps.pop()?;
        let QueuedStep { index, gain } = step;
        let (tokens, total) = self.next_step(index)?;
        let candidate = &self.candidates[index];
        if self.only_worthwhile && gain < self.raw.least_gain(candidate.likely) {
            return Some(0);
        }
        if !self.raw.may_hold(total, tokens, candidate.share) {
            self.deferred.push(step);
            return Some(0);
        }
        // A better item is never omitted in favour of a worse one that takes as many tokens.
        let in_order = candidate.in_order;
        let keeps_out = in_order && self.refused.iter().any(|(better, size)| *better < index && *size <= total);
        if tokens <= left && !keeps_out {
            if let Some(better) = self.absent_before(index, total).filter(|_| in_order) {
                return Some(self.take_first(better, left, step));
            }
            return Some(self.take(index));
        }
        self.pass_by(index);
        Some(0)
    }

    /// Tokens of the item's next step, and its total after that step.
    fn next_step(&self, index: usize) -> Option<(usize, usize)> {
        let known = self.known[index].as_ref()?;
        let (tokens, _) = known.path.step()?;
        Some((tokens, known.path.form().tokens + tokens))
    }

    /// The first absent item that ranks higher and whose smallest form takes at most `total`.
    fn absent_before(&self, index: usize, total: usize) -> Option<usize> {
        (0..index).find(|better| {
            let is_absent = self.known[*better].as_ref().is_some_and(|known| known.path.form().tokens == 0);
            is_absent
                && self.candidates[*better].in_order
                && self.next_step(*better).is_some_and(|(_, smallest)| smallest <= total)
                && !self.refused.iter().any(|refused| refused.0 == *better)
        })
    }

    /// Takes the first step of the better item, and puts the step of the worse one back into the queue.
    fn take_first(&mut self, better: usize, left: usize, lesser: QueuedStep) -> usize {
        self.steps.push(lesser);
        let Some((tokens, total)) = self.next_step(better) else { return 0 };
        self.steps.retain(|step| step.index != better);
        self.deferred.retain(|step| step.index != better);
        if tokens <= left && self.raw.may_hold(total, tokens, self.candidates[better].share) {
            return self.take(better);
        }
        self.refused.push((better, total));
        self.pass_by(better);
        0
    }

    fn take(&mut self, index: usize) -> usize {
        let Some(known) = self.known[index].as_mut() else { return 0 };
        let tokens = known.path.step().map_or(0, |(tokens, _)| tokens);
        known.path.climb();
        known.climbed = true;
        let gain = known.path.step().map(|(_, gain)| gain);
        self.push(index, gain);
        self.raw.add(tokens, self.candidates[index].likely);
        self.steps.extend(self.deferred.drain(..));
        tokens
    }

    fn pass_by(&mut self, index: usize) {
        let Some(known) = self.known[index].as_mut() else { return };
        if known.path.form().tokens == 0 && !self.refused.iter().any(|refused| refused.0 == index) {
            let smallest = known.path.step().map_or(usize::MAX, |(tokens, _)| tokens);
            self.refused.push((index, smallest));
        }
        known.path.pass_by();
        let gain = known.path.step().map(|(_, gain)| gain);
        self.push(index, gain);
    }

    /// Returns true if a step of the item did not fit.
    pub fn was_refused(&self, index: usize) -> bool {
        self.refused.iter().any(|refused| refused.0 == index)
    }

    /// Items that took a step, with their current form.
    pub fn taken(&self) -> impl Iterator<Item = (usize, Upgrade)> + '_ {
        let known = self.known.iter().enumerate().filter_map(|(index, known)| Some((index, known.as_ref()?)));
        known.filter(|(_, known)| known.climbed).map(|(index, known)| (index, known.path.form()))
    }

    /// Size of each item in full, best ranked first. `Err` contains a lower bound if the size is not counted.
    pub fn sizes(&self) -> impl Iterator<Item = (usize, Result<usize, usize>)> + '_ {
        let size = |(index, known): (usize, &Option<OpenCandidate>)| {
            (index, known.as_ref().map(|known| known.whole).ok_or(self.candidates[index].least))
        };
        self.known.iter().enumerate().map(size)
    }
}

/// Tokens of RAW, and the part of them that is expected to be in files that change.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RawTotals {
    /// All tokens.
    pub tokens: usize,
    /// Tokens multiplied by the likelihood that they matter.
    pub relevant: f64,
    /// A lower bound for the final size of RAW.
    pub expected: usize,
}

impl RawTotals {
    pub fn add(&mut self, tokens: usize, likely: f64) {
        self.tokens += tokens;
        self.relevant += tokens as f64 * likely;
    }

    /// Minimum value per token of a step. It is higher while RAW is small and precise, because unneeded tokens then
    /// dilute RAW most. It is also higher when RAW is large and has enough content.
    fn least_gain(self, likely: f64) -> f64 {
        let tokens = self.tokens.max(SMALL) as f64;
        let dilutes = (self.relevant / tokens - likely).max(0.0) / tokens;
        let fullness = (self.tokens as f64 / LARGE).powi(3);
        LEAST_GAIN * (1.0 + fullness) + DILUTION * dilutes
    }

    /// Returns true if a file of `total` tokens may take this share of RAW, and RAW is large enough after a step of
    /// `tokens`. Small files are always accepted.
    fn may_hold(self, total: usize, tokens: usize, share: f64) -> bool {
        total <= SMALL || total as f64 <= share * self.expected.max(self.tokens + tokens) as f64
    }
}

/// Size of a small file and of a small RAW, in tokens.
pub(super) const SMALL: usize = 3_000;
/// Minimum value per token of a step.
const LEAST_GAIN: f64 = 1.4e-6;
/// Size of RAW above which the minimum value of a step increases. Otherwise vague tasks would collect tens of thousands
/// of tokens.
const LARGE: f64 = 24_000.0;
/// Weight of dilution in the minimum value of a step.
const DILUTION: f64 = 0.13;

/// Value per token of an item's first step. It is raised if the item is always included.
fn first_gain(candidate: &Candidate, gain: f64) -> f64 {
    if candidate.wanted { gain.max(WANTED) } else { gain }
}

/// Value per token of the first step of an item that is always included. It is lower than that of a likely target and
/// higher than that of skipped steps.
pub(super) const WANTED: f64 = 3e-5;

/// A possible step of an item, ordered by value per token, then by rank.
#[derive(Debug)]
struct QueuedStep {
    /// Value per token.
    gain: f64,
    /// Position of the item in the ranking.
    index: usize,
}

impl PartialEq for QueuedStep {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for QueuedStep {}

impl PartialOrd for QueuedStep {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueuedStep {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.index.cmp(&self.index))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The final forms of items with these values and sizes, if `ahead` items are counted at a time.
    fn taken(items: &[(f64, usize, bool)], room: usize, ahead: usize) -> Vec<(usize, usize, bool)> {
        let candidate = |(value, size, may_be_cut): &(f64, usize, bool)| Candidate {
            value: *value,
            likely: *value,
            least: size / 3,
            most: room,
            may_be_cut: *may_be_cut,
            wanted: false,
            share: 1.0,
            in_order: true,
        };
        let candidates = items.iter().map(candidate).collect();
        let mut queue =
            UpgradeQueue::new(candidates, ExcerptSizes { from: 1_000, least: 100 }, RawTotals::default(), false);
        let mut spent = 0;
        loop {
            loop {
                let next = queue.take_unknown(ahead);
                if next.is_empty() {
                    break;
                }
                for index in next {
                    let size = items[index].1;
                    let cuts = vec![(size / 10, 0.5), (size / 4, 0.8)];
                    queue.open(index, 0, size, if queue.is_worth_cutting(index, size) { cuts } else { Vec::new() });
                }
            }
            let Some(taken) = queue.climb(room - spent) else { break };
            spent += taken;
        }
        queue.taken().map(|(index, form)| (index, form.tokens, form.whole)).collect()
    }

    #[test]
    fn the_likeliest_item_becomes_an_excerpt_before_worse_ones_are_added() {
        let items = [(0.6, 20_000, true), (0.3, 900, true), (0.01, 900, true), (0.01, 900, true)];
        assert_eq!(taken(&items, 4_000, 1), [(0, 2_000, false), (1, 900, true), (2, 900, true)]);
    }

    #[test]
    fn an_unlikely_file_waits_until_raw_is_large_enough_for_it() {
        let candidate = |share, size: usize| Candidate {
            value: 0.4,
            likely: 0.4,
            least: size,
            most: 20_000,
            may_be_cut: false,
            wanted: false,
            share,
            in_order: true,
        };
        let climbed = |others: usize| {
            let mut candidates = vec![candidate(0.25, 4_000)];
            candidates.extend((0..others).map(|_| candidate(1.0, 3_000)));
            let mut queue =
                UpgradeQueue::new(candidates, ExcerptSizes { from: 1_000, least: 100 }, RawTotals::default(), false);
            let next = queue.take_unknown(9);
            for index in next {
                queue.open(index, 0, if index == 0 { 4_000 } else { 3_000 }, Vec::new());
            }
            while queue.climb(100_000).is_some() {}
            queue.taken().any(|(index, _)| index == 0)
        };
        assert!(!climbed(3));
        assert!(climbed(4));
    }

    #[test]
    fn steps_that_dilute_raw_are_skipped() {
        let raw = RawTotals { tokens: 5_000, relevant: 4_500.0, expected: 0 };
        assert!(raw.least_gain(0.9) < raw.least_gain(0.05));
        let larger = RawTotals { tokens: 20_000, relevant: 4_500.0, expected: 0 };
        assert!(larger.least_gain(0.05) < raw.least_gain(0.05));
    }

    proptest! {
        /// If an item takes at least as many tokens as the smallest form of a better item, the better item is included.
        #[test]
        fn a_better_item_is_included_if_a_worse_one_takes_as_much(
            mut items in prop::collection::vec((0.001f64..1.0, 50usize..20_000, any::<bool>()), 0..40),
            room in 0usize..60_000,
        ) {
            items.sort_by(|a, b| b.0.total_cmp(&a.0));
            let taken = taken(&items, room, 3);
            for (lesser, tokens, _) in &taken {
                for (better, (_, size, may_be_cut)) in items[..*lesser].iter().enumerate() {
                    let smallest = if *may_be_cut && *size >= 1_000 { size / 10 } else { *size };
                    prop_assert!(
                        smallest.max(100) > *tokens || taken.iter().any(|taken| taken.0 == better),
                        "{better} is absent, but {lesser} is included: {items:?}"
                    );
                }
            }
        }
    }
}
