//! The task to score: its text, type and evidence.

use super::classify::{Inference, has_content};
use crate::gather::evidence::EvidenceLocation;
pub use crate::project::task::{Complexity, TaskType};

/// The task as the person gave it.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The text.
    pub text: &'a str,
    /// The current plan, where there is one.
    pub plan: Option<&'a str>,
    /// Places that evidence points to, the most telling first.
    pub focus: &'a [EvidenceLocation],
    /// The kind of work, given or inferred.
    pub task_type: TaskType,
    /// True if a person gave the type.
    pub is_type_given: bool,
}

impl<'a> Task<'a> {
    /// A task of the default type, for what does not depend on the type.
    pub fn untyped(text: &'a str) -> Self {
        Self { text, plan: None, focus: &[], task_type: TaskType::DEFAULT, is_type_given: false }
    }

    /// Returns true if there is something to choose files by: a text with content, or a plan.
    pub fn has_content(&self) -> bool {
        self.plan.is_some() || has_content(self.text)
    }

    /// A task that is only a text, of the type that the text implies.
    pub fn new(text: &'a str) -> Self {
        let task_type = Inference::new(text).task_type.unwrap_or(TaskType::DEFAULT);
        Self { task_type, ..Self::untyped(text) }
    }
}
