//! The task: its text, what kind of work it is, and how much.

use crate::error::{Error, Result};
use crate::gather::evidence::Place;

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
}

impl TaskType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Implement, Self::Debug, Self::Refactor, Self::Test, Self::Analyze];

    /// Its name in flags, files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Implement => "implement",
            Self::Debug => "debug",
            Self::Refactor => "refactor",
            Self::Test => "test",
            Self::Analyze => "analyze",
        }
    }

    /// The type of that name.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
            Error::input(format!("there is no task type `{name}`"), "use implement, debug, refactor, test or analyze")
        })
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
    pub focus: &'a [Place],
}
