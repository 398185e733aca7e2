//! Task type and complexity, as stored in `session.yaml`, `turn.yaml` and `checkpoint.json`.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskType {
    /// A new feature.
    Implement,
    /// A bug to fix.
    Debug,
    /// A change of structure without a change of behaviour.
    Refactor,
    /// Tests to write or fix.
    Test,
    /// A question about the code.
    Analyze,
    /// A change to review.
    Review,
    /// Documentation and comments.
    Docs,
}

impl TaskType {
    /// All types.
    pub const ALL: [Self; 7] =
        [Self::Implement, Self::Debug, Self::Refactor, Self::Test, Self::Analyze, Self::Review, Self::Docs];

    /// Type of a task without enough content to infer it.
    pub const DEFAULT: Self = Self::Implement;

    /// Name in flags, files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Implement => "implement",
            Self::Debug => "debug",
            Self::Refactor => "refactor",
            Self::Test => "test",
            Self::Analyze => "analyze",
            Self::Review => "review",
            Self::Docs => "docs",
        }
    }

    /// Parses a name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
            let hint = "use implement, debug, refactor, test, analyze, review or docs";
            Error::input(format!("unknown task type `{name}`"), hint)
        })
    }

    /// Returns true if the task asks for an answer instead of a change.
    pub fn only_answers(self) -> bool {
        matches!(self, Self::Analyze | Self::Review)
    }
}

/// Amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Complexity {
    /// One or two files.
    Simple,
    /// A handful of files.
    Medium,
    /// Many files, or a change of design.
    Complex,
}

impl Complexity {
    /// All complexities.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Medium, Self::Complex];

    /// Complexity of a task without enough content to infer it.
    pub const DEFAULT: Self = Self::Simple;

    /// Name in flags, files and payloads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Medium => "medium",
            Self::Complex => "complex",
        }
    }

    /// Parses a name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|known| known.name() == name)
            .ok_or_else(|| Error::input(format!("unknown complexity `{name}`"), "use simple, medium or complex"))
    }
}
