//! The task: its text, what kind of work it is, and how much.

use super::classify::Inference;
use crate::error::{Error, Result};
use crate::gather::evidence::EvidenceLocation;

/// What kind of work the task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskType {
    /// Something new.
    Implement,
    /// Something is wrong.
    Debug,
    /// The same, better made.
    Refactor,
    /// Tests.
    Test,
    /// Understanding.
    Analyze,
    /// Judging a change that is there.
    Review,
    /// Documents and comments.
    Docs,
}

impl TaskType {
    /// Every type.
    pub const ALL: [Self; 7] =
        [Self::Implement, Self::Debug, Self::Refactor, Self::Test, Self::Analyze, Self::Review, Self::Docs];

    /// The type in force where a task says too little to tell.
    pub const DEFAULT: Self = Self::Implement;

    /// Its name in flags, files and on the screen.
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

    /// The type of that name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
            let hint = "use implement, debug, refactor, test, analyze, review or docs";
            Error::input(format!("there is no task type `{name}`"), hint)
        })
    }

    /// Returns true if the task asks for an answer instead of a change.
    pub fn only_answers(self) -> bool {
        matches!(self, Self::Analyze | Self::Review)
    }
}

/// How much work the task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Complexity {
    /// One or two files.
    Simple,
    /// A handful of files.
    Medium,
    /// Many files, or a change of design.
    Complex,
}

impl Complexity {
    /// Every complexity.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Medium, Self::Complex];

    /// The complexity in force where a task says too little to tell.
    pub const DEFAULT: Self = Self::Simple;

    /// Its name in flags, files and payloads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Medium => "medium",
            Self::Complex => "complex",
        }
    }

    /// The complexity of that name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|known| known.name() == name)
            .ok_or_else(|| Error::input(format!("there is no complexity `{name}`"), "use simple, medium or complex"))
    }
}

/// The task as the person gave it.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// What it says.
    pub text: &'a str,
    /// The current plan, where there is one.
    pub plan: Option<&'a str>,
    /// Places that evidence points to, the most telling first.
    pub focus: &'a [EvidenceLocation],
    /// The kind of work, given or inferred.
    pub task_type: TaskType,
}

impl<'a> Task<'a> {
    /// A task of the default type, for what does not depend on the type.
    pub fn untyped(text: &'a str) -> Self {
        Self { text, plan: None, focus: &[], task_type: TaskType::DEFAULT }
    }

    /// A task that is only a text, of the type that the text implies.
    pub fn new(text: &'a str) -> Self {
        let task_type = Inference::new(text).task_type.unwrap_or(TaskType::DEFAULT);
        Self { task_type, ..Self::untyped(text) }
    }
}
