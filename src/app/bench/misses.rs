//! Changed files that a payload lacks, and the reason for each.

use super::change::{CommitChange, FileChange};
use super::measure::{Measures, RawFile};
use crate::app::pipeline::Run;
use crate::place::{PlacedItem, Tier};
use crate::text::thousands;

/// A file whose changed lines are not all in RAW.
#[derive(Debug, Clone, PartialEq)]
pub struct Miss {
    /// Its path.
    pub path: String,
    /// Share of its changed lines that are in RAW.
    pub share: f64,
    /// 1-based position in the ranking; `None` if the file is not a candidate.
    pub rank: Option<usize>,
    /// The reason.
    pub reason: MissReason,
}

/// Reason for a miss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissReason {
    /// The scan skipped the file.
    Skipped(String),
    /// It is not a candidate, because an ignore file excludes it.
    Ignored,
    /// The excerpt contains other lines of the file.
    OtherLines,
    /// It ranked high enough to be linked, but better files used up the budget.
    NoRoom,
    /// Little in the message or the history points to it.
    LowRank,
}

/// A file at this position or later is missed because of its rank, not because the budget is full.
const LOW: usize = 30;

impl Miss {
    /// The reason as a short phrase.
    pub fn in_words(&self) -> String {
        let rank = self.rank.map(thousands).unwrap_or_default();
        match &self.reason {
            MissReason::Skipped(why) => format!("skipped: {why}"),
            MissReason::Ignored => "excluded by an ignore file".to_owned(),
            MissReason::OtherLines if self.share <= 0.0 => format!("rank {rank}, none in its excerpt"),
            MissReason::OtherLines => format!("rank {rank}, {:.0}% in its excerpt", (self.share * 100.0).floor()),
            MissReason::NoRoom => format!("rank {rank}, did not fit"),
            MissReason::LowRank => format!("rank {rank}, little evidence"),
        }
    }
}

/// The files that a payload lacks, in the order of the change.
pub(super) fn misses(run: &Run, change: &CommitChange, raw: &[RawFile]) -> Vec<Miss> {
    let miss = |file: &FileChange| {
        let alone = CommitChange { files: vec![file.clone()], tests: Vec::new() };
        let share = Measures::of(&alone, raw, None).lines;
        (share < 1.0).then(|| explain(run, file, share))
    };
    change.files.iter().filter_map(miss).collect()
}

fn explain(run: &Run, file: &FileChange, share: f64) -> Miss {
    let corpus = run.bench.corpus();
    let is_file = |placed: &&PlacedItem| corpus.file_of(placed.item).is_some();
    let of_file = |placed: &PlacedItem| corpus.file_of(placed.item).is_some_and(|found| found.path == file.path);
    let files: Vec<&PlacedItem> = run.placement().placed.iter().filter(is_file).collect();
    let found = files.iter().position(|placed| of_file(placed));
    let reason = match found.map(|at| (at, files[at].tier)) {
        Some((_, Tier::Raw)) => MissReason::OtherLines,
        Some((at, _)) if at < LOW => MissReason::NoRoom,
        Some(_) => MissReason::LowRank,
        None => corpus
            .skipped
            .iter()
            .find(|skipped| skipped.path == file.path)
            .map_or(MissReason::Ignored, |skipped| MissReason::Skipped(skipped.why.clone())),
    };
    Miss { path: file.path.clone(), share, rank: found.map(|at| at + 1), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short_phrases() {
        let miss = |share: f64, rank: Option<usize>, reason: MissReason| {
            Miss { path: "a.rs".to_owned(), share, rank, reason }.in_words()
        };
        assert_eq!(miss(0.0, Some(2), MissReason::OtherLines), "rank 2, none in its excerpt");
        assert_eq!(miss(0.999, Some(2), MissReason::OtherLines), "rank 2, 99% in its excerpt");
        assert_eq!(miss(0.0, Some(14), MissReason::NoRoom), "rank 14, did not fit");
        assert_eq!(miss(0.0, Some(1_047), MissReason::LowRank), "rank 1,047, little evidence");
        assert_eq!(miss(0.0, None, MissReason::Ignored), "excluded by an ignore file");
    }
}
