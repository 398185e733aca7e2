//! The rank: a base by priority class, plus additions for the task type, mentions, recency and evidence. A file's size
//! has no effect on its rank; `place` considers it, because it knows the budget.

use super::evidence::Evidence;
use super::scores::{Criterion, Signal};
use super::task::TaskType;
use super::weights::Weights;
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;
use crate::ids::FileId;

/// Amount added to the rank of files that evidence points to, so that they rank above files with matching words only.
const POINTED_AT: f64 = 500.0;

/// The five priority classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Priority {
    /// A file that is hardly relevant.
    #[default]
    Minimal,
    /// Sometimes useful.
    Low,
    /// Useful.
    Medium,
    /// Highly relevant.
    High,
    /// Essential.
    Critical,
}

impl Priority {
    /// Base of the rank in this class.
    fn base(self, weights: &Weights) -> f64 {
        match self {
            Self::Critical => weights.critical,
            Self::High => weights.high,
            Self::Medium => weights.medium,
            Self::Low => weights.low,
            Self::Minimal => weights.minimal,
        }
    }

    /// Name in JSON and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Minimal => "minimal",
        }
    }
}

/// A file to rank, compared with the others.
#[derive(Debug, Clone, Copy)]
pub struct RankedFile {
    /// File.
    pub file: FileId,
    /// Evidence relative to the best file.
    pub share: f64,
    /// True if the file is a likely target, at any confidence.
    pub is_target: bool,
    /// True if the task type needs the file in addition to the targets.
    pub is_needed: bool,
}

/// One file's class and rank.
pub fn rank(
    corpus: &Corpus,
    evidence: &Evidence,
    signals: &[Signal],
    (kind, weights): (TaskType, &Weights),
    standing: &RankedFile,
) -> (Priority, f64) {
    let RankedFile { file, share, is_target, is_needed } = *standing;
    let has = |criterion| signals.iter().any(|signal| signal.criterion == criterion);
    let entry = &corpus.files[file];
    let priority = priority(corpus, evidence, signals, standing);
    let mut rank = priority.base(weights);
    rank += match kind {
        TaskType::Debug if is_target || is_needed || evidence.places.contains_key(&file) => weights.debug_boost,
        TaskType::Test if is_needed && !is_target || is_test(entry.role) && has(Criterion::TestOf) => {
            weights.test_boost
        }
        TaskType::Implement if is_target => weights.implement_boost,
        TaskType::Refactor if is_target || is_needed || has(Criterion::OneHop) => weights.refactor_boost,
        TaskType::Analyze if is_needed => weights.analyze_boost,
        TaskType::Review if is_needed => weights.review_boost,
        TaskType::Docs if entry.role == Role::Doc && share > 0.1 => weights.docs_boost,
        _ => 0.0,
    };
    if evidence.focus.iter().any(|focus| focus.file == file) {
        rank += POINTED_AT;
    }
    // The confidence of a target already takes names into account, even if they are not enough for points.
    if is_target || has(Criterion::Named) {
        rank += 20.0;
    }
    if has(Criterion::Recent) {
        rank += 10.0;
    }
    (priority, rank + 1000.0 * share)
}

fn is_test(role: Role) -> bool {
    matches!(role, Role::Test | Role::TestSupport)
}

/// The priority class of a file.
fn priority(corpus: &Corpus, evidence: &Evidence, signals: &[Signal], standing: &RankedFile) -> Priority {
    let RankedFile { file, share, is_target, .. } = *standing;
    let has = |criterion| signals.iter().any(|signal| signal.criterion == criterion);
    match corpus.files[file].role {
        _ if evidence.places.contains_key(&file) && is_target => Priority::Critical,
        _ if is_target || has(Criterion::PlanStep) => Priority::High,
        Role::Source if share > 0.3 => Priority::Medium,
        role if is_test(role) && has(Criterion::TestOf) => Priority::Medium,
        Role::Source | Role::Config if has(Criterion::OneHop) || has(Criterion::SameModule) || share > 0.1 => {
            Priority::Low
        }
        _ => Priority::Minimal,
    }
}
