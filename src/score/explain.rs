//! How an item got its score, and what would have raised it.

use super::scores::{Criterion, Scores, Signal};
use crate::gather::corpus::Corpus;

/// How an item got its score.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// Its points.
    pub points: u8,
    /// Its place in the order, from 1.
    pub place: usize,
    /// Its rank.
    pub rank: f64,
    /// The criteria that it meets.
    pub met: Vec<Signal>,
    /// The criteria that it does not meet, each with what would have earned it, the most points first.
    pub missing: Vec<Signal>,
}

/// Explains one item's score.
pub fn explain(corpus: &Corpus, scores: &Scores, item: usize) -> Explanation {
    let score = &scores.items[item];
    let place = scores.order.iter().position(|known| *known == item).map_or(0, |at| at + 1);
    let met: Vec<Criterion> = score.signals.iter().map(|signal| signal.criterion).collect();
    let mut missing: Vec<Signal> = Vec::new();
    if corpus.file_of(item).is_some() && score.points < 10 {
        for criterion in Criterion::ALL.into_iter().filter(|criterion| !met.contains(criterion)) {
            if criterion == Criterion::TwoHop && met.contains(&Criterion::OneHop) {
                continue;
            }
            missing.push(Signal { criterion, why: criterion.how_to_earn().to_owned() });
        }
        missing.sort_by_key(|signal| std::cmp::Reverse(signal.criterion.points()));
    }
    Explanation { points: score.points, place, rank: score.rank, met: score.signals.clone(), missing }
}
