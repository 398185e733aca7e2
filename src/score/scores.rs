//! The result of scoring: points with their reasons, and a rank.

use std::sync::Arc;

pub use super::hot_lines::HotLines;
pub use super::rank::Priority;
use super::required::RequiredGroup;
use crate::ids::{FileId, ItemId};

/// A criterion: one of the nine, or one for items that are not files, for task types, agents, reviews, neighbours and
/// the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// The task names the file or a symbol that it defines.
    Named,
    /// The current plan mentions the file.
    PlanStep,
    /// The task will change the file.
    Modified,
    /// Imports, or is imported by, a file that will change.
    OneHop,
    /// Two imports away from a file that will change.
    TwoHop,
    /// In the directory of a file that will change.
    SameModule,
    /// In the top-level directory of a file that will change.
    SameDomain,
    /// Changed in the last 30 days.
    Recent,
    /// The test of a file that will change.
    TestOf,
    /// An item that is not a file: a memo, a change, or a plan.
    Given,
    /// The task type needs it; worth this many points.
    TaskType(i8),
    /// An agent fetched it during the previous turn.
    Requested,
    /// Changed since the base of the review.
    Changed,
    /// Uses, extends or overrides a definition that changed.
    UsesChanged,
    /// Tests a definition that changed.
    TestsChanged,
    /// A document that mentions what changed.
    MentionsChanged,
    /// A few imports away from a pinned file.
    Neighbour,
    /// A glob in the configuration matches it; worth this many points.
    Boost(i8),
}

impl Criterion {
    /// The nine criteria that a file can meet.
    pub const ALL: [Self; 9] = [
        Self::Named,
        Self::PlanStep,
        Self::Modified,
        Self::OneHop,
        Self::TwoHop,
        Self::SameModule,
        Self::SameDomain,
        Self::Recent,
        Self::TestOf,
    ];

    /// Points of the criterion.
    pub fn points(self) -> i8 {
        match self {
            Self::TaskType(points) | Self::Boost(points) => points,
            Self::Given => 7,
            Self::Changed => 6,
            Self::UsesChanged | Self::TestsChanged | Self::Neighbour => 5,
            Self::MentionsChanged => 4,
            Self::Named | Self::Modified => 3,
            Self::PlanStep | Self::OneHop | Self::SameModule | Self::TestOf | Self::Requested => 2,
            Self::TwoHop | Self::SameDomain | Self::Recent => 1,
        }
    }

    /// Short name in JSON and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::PlanStep => "in the plan",
            Self::Modified => "to be modified",
            Self::OneHop => "1-hop dependency",
            Self::TwoHop => "2-hop dependency",
            Self::SameModule => "same module",
            Self::SameDomain => "same domain",
            Self::Recent => "recently changed",
            Self::TestOf => "test of a target",
            Self::Given => "given",
            Self::TaskType(_) => "task type",
            Self::Requested => "requested",
            Self::Changed => "changed",
            Self::UsesChanged => "uses a change",
            Self::TestsChanged => "tests a change",
            Self::MentionsChanged => "mentions a change",
            Self::Neighbour => "neighbour of a pin",
            Self::Boost(_) => "boost",
        }
    }

    /// Advice on meeting the criterion, for `teddy explain`.
    pub fn how_to_earn(self) -> &'static str {
        match self {
            Self::Named => "name the file, or something that it defines, in the task",
            Self::PlanStep => "mention the file in the current plan",
            Self::Modified => "describe the change in the words that the file uses",
            Self::OneHop => "be imported by, or import, a file that will change",
            Self::TwoHop => "be two imports away from a file that will change",
            Self::SameModule => "be in the same directory as a file that will change",
            Self::SameDomain => "be in the same top-level directory as a file that will change",
            Self::Recent => "have changed in the last 30 days",
            Self::TestOf => "be the test of a file that will change",
            Self::Given => "be a memo, a change in the working tree, or part of the session",
            Self::TaskType(_) => "be needed by the task type, such as a fixture for a test task",
            Self::Requested => "be fetched by an agent during the previous turn",
            Self::Changed => "have changed since the base of the review",
            Self::UsesChanged => "use, extend or override a definition that changed",
            Self::TestsChanged => "test a definition that changed",
            Self::MentionsChanged => "mention a definition or file that changed",
            Self::Neighbour => "be a few imports away from a pinned file (--hops N)",
            Self::Boost(_) => "match a glob under `boosts` in the configuration",
        }
    }
}

/// A criterion that an item meets, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// The criterion.
    pub criterion: Criterion,
    /// The reason: which name, which import, which commit. Shared, because it can apply to all files of a directory.
    pub why: Arc<str>,
}

/// The score of an item.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// The sum of the signals' points, limited to 0 to 10.
    pub points: u8,
    /// Reasons, whose points add up to `points` before the limit.
    pub signals: Vec<Signal>,
    /// Rank, which orders items with equal points.
    pub rank: f64,
    /// The class that the rank starts from.
    pub priority: Priority,
    /// The sum of the evidence, relative to the best file's.
    pub evidence: f64,
    /// Confidence that the file will change, from 0 to 1. It is 1 for items given with the task.
    pub likely: f64,
    /// Evidence that is too weak for points, but explains the file's rank.
    pub weak_evidence: Option<String>,
    /// Lines that are most likely to change, best first; excerpts start with these.
    pub hot: HotLines,
    /// True if evidence points to the file. Its first likely lines are then those of the evidence.
    pub pointed: bool,
    /// True for bulky generated files such as lock files. They enter RAW only if a person pins them.
    pub bulk: bool,
}

impl Score {
    /// Returns true if the item meets a criterion.
    pub fn has(&self, criterion: Criterion) -> bool {
        self.signals.iter().any(|signal| signal.criterion == criterion)
    }
}

/// The scores of all items for one task.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    /// Scores by index of the item in the corpus.
    pub items: Vec<Score>,
    /// Indices of the items by rank, best first.
    pub order: Vec<ItemId>,
    /// Files that the task will probably change, best first, with their confidence (0 to 1).
    pub targets: Vec<(FileId, f32)>,
    /// Tests of the change, and documents if the task asks for them, with the likelihood that they change, from 0 to 1.
    pub supporting: Vec<(FileId, f32)>,
    /// True if the task has no content: a file is included only if a person, a context list or evidence selects it.
    pub no_content: bool,
    /// Content that is placed before the ranking.
    pub required: Vec<RequiredGroup>,
    /// Notes for the person, such as a named file that does not exist, or a task that has nothing in common with the
    /// project.
    pub notes: Vec<String>,
}
