//! The rank: a base by priority class, and additions for the task type, mentions, recency and evidence. The size of a
//! file is not considered here but in `place`, where there is a budget.

use super::evidence::Evidence;
use super::scores::{Criterion, Signal};
use super::task::TaskType;
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;
use crate::ids::FileId;

/// Files that evidence points to rank above files that only words point to.
const POINTED_AT: f64 = 500.0;

/// The five priority classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Rarely useful.
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
    /// Base of the rank.
    pub fn base(self) -> f64 {
        match self {
            Self::Critical => 1000.0,
            Self::High => 800.0,
            Self::Medium => 500.0,
            Self::Low => 200.0,
            Self::Minimal => 100.0,
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
    /// True if the file is a target of any confidence.
    pub is_target: bool,
}

/// The rank of a file.
pub fn rank(corpus: &Corpus, evidence: &Evidence, signals: &[Signal], kind: TaskType, standing: &RankedFile) -> f64 {
    let RankedFile { file, share, is_target } = *standing;
    let has = |criterion| signals.iter().any(|signal| signal.criterion == criterion);
    let entry = &corpus.files[file];
    let mut rank = priority(corpus, evidence, signals, standing).base();
    rank += match kind {
        TaskType::Debug if is_target || evidence.places.contains_key(&file) => 300.0,
        TaskType::Test if matches!(entry.role, Role::Test | Role::TestSupport) && has(Criterion::TestOf) => 250.0,
        TaskType::Implement if is_target => 400.0,
        TaskType::Refactor if is_target || has(Criterion::OneHop) => 200.0,
        TaskType::Review if is_dirty(corpus, file) => 400.0,
        TaskType::Docs if entry.role == Role::Doc && share > 0.1 => 250.0,
        _ => 0.0,
    };
    if evidence.focus.iter().any(|focus| focus.file == file) {
        rank += POINTED_AT;
    }
    // Names are already included in the confidence of a target, whether or not they are enough for points.
    if is_target || has(Criterion::Named) {
        rank += 20.0;
    }
    if has(Criterion::Recent) {
        rank += 10.0;
    }
    rank + 1000.0 * share
}

/// Returns true if the working tree has changes in the file.
fn is_dirty(corpus: &Corpus, file: FileId) -> bool {
    let path = &corpus.files[file].path;
    corpus.git.as_ref().is_some_and(|git| git.dirty.iter().any(|(dirty, _)| dirty == path))
}

/// The priority class of a file.
pub fn priority(corpus: &Corpus, evidence: &Evidence, signals: &[Signal], standing: &RankedFile) -> Priority {
    let RankedFile { file, share, is_target } = *standing;
    let has = |criterion| signals.iter().any(|signal| signal.criterion == criterion);
    match corpus.files[file].role {
        _ if evidence.places.contains_key(&file) && is_target => Priority::Critical,
        _ if is_target || has(Criterion::PlanStep) => Priority::High,
        Role::Source if share > 0.3 => Priority::Medium,
        Role::Test | Role::TestSupport if has(Criterion::TestOf) => Priority::Medium,
        Role::Source | Role::Config if has(Criterion::OneHop) || has(Criterion::SameModule) || share > 0.1 => {
            Priority::Low
        }
        _ => Priority::Minimal,
    }
}
