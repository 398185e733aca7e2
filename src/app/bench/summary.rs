//! Averages over the measured commits.

use super::{BenchReport, Limit, MeasuredCommit, System};

/// Averages of a system at a limit; each share is between 0 and 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Averages {
    /// Share of the changed lines that are in RAW.
    pub lines: f64,
    /// Share of the changed ranges whose whole function is in RAW.
    pub functions: f64,
    /// Share of the changed tests that are in RAW; `None` if no commit changed a test.
    pub tests: Option<f64>,
    /// Share of RAW's tokens that belong to changed files.
    pub useful: f64,
    /// Tokens in RAW.
    pub tokens: f64,
    /// Share of the commits whose changed lines are all in RAW.
    pub complete: f64,
}

impl BenchReport {
    /// The averages of a system at a limit; `None` if it was not measured.
    pub fn averages(&self, system: System, limit: Limit) -> Option<Averages> {
        let measures: Vec<_> = self.commits.iter().filter_map(|commit| commit.measures(system, limit)).collect();
        if measures.is_empty() {
            return None;
        }
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let values: Vec<f64> = values.collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        Some(Averages {
            lines: mean(&mut measures.iter().map(|one| one.lines))?,
            functions: mean(&mut measures.iter().map(|one| one.functions))?,
            tests: mean(&mut measures.iter().filter_map(|one| one.tests)),
            useful: mean(&mut measures.iter().map(|one| one.useful))?,
            tokens: mean(&mut measures.iter().map(|one| one.tokens as f64))?,
            complete: mean(&mut measures.iter().map(|one| if one.lines >= 1.0 { 1.0 } else { 0.0 }))?,
        })
    }

    /// Half the width of the 95% confidence interval of the average share of changed lines.
    pub fn margin(&self, system: System, limit: Limit) -> Option<f64> {
        let lines: Vec<f64> =
            self.commits.iter().filter_map(|commit| Some(commit.measures(system, limit)?.lines)).collect();
        if lines.len() < 2 {
            return None;
        }
        let count = lines.len() as f64;
        let mean = lines.iter().sum::<f64>() / count;
        let variance = lines.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Some(1.96 * (variance / count).sqrt())
    }

    /// Mean of 1 / position of the first changed file in the ranking.
    pub fn reciprocal_rank(&self, system: System) -> f64 {
        let of = |commit: &MeasuredCommit| {
            let first = commit.first.iter().find(|(known, _)| *known == system).and_then(|(_, first)| *first);
            first.map_or(0.0, |first| 1.0 / first as f64)
        };
        self.commits.iter().map(of).sum::<f64>() / self.commits.len().max(1) as f64
    }

    /// Median 1-based position of the first changed file. A commit without a ranked changed file counts as last.
    pub fn median_rank(&self, system: System) -> Option<usize> {
        let first = |commit: &MeasuredCommit| {
            let found = commit.first.iter().find(|(known, _)| *known == system).and_then(|(_, first)| *first);
            found.unwrap_or(usize::MAX)
        };
        let mut ranks: Vec<usize> = self.commits.iter().map(first).collect();
        ranks.sort_unstable();
        ranks.get(ranks.len().saturating_sub(1) / 2).copied().filter(|rank| *rank < usize::MAX)
    }

    /// The commits with the fewest changed lines at [`BenchReport::focus`], worst first. Commits whose changed lines
    /// are all in RAW are omitted.
    pub fn worst(&self, count: usize) -> Vec<&MeasuredCommit> {
        let lines = |commit: &&MeasuredCommit| commit.measures(System::Teddy, self.focus).map_or(1.0, |one| one.lines);
        let mut worst: Vec<&MeasuredCommit> =
            self.commits.iter().filter(|commit| lines(commit) < 1.0 && !commit.missed.is_empty()).collect();
        worst.sort_by(|a, b| lines(a).total_cmp(&lines(b)));
        worst.truncate(count);
        worst
    }
}
