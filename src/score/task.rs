//! The task to score: its text, type and evidence.

use super::classify::{Inference, has_content};
use crate::gather::evidence::EvidenceLocation;
pub use crate::project::task::{Complexity, TaskType};

/// The task as the person gave it.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The text.
    pub text: &'a str,
    /// The plan, if there is one.
    pub plan: Option<&'a str>,
    /// Locations that evidence points to, most relevant first.
    pub focus: &'a [EvidenceLocation],
    /// Task type, set or inferred.
    pub task_type: TaskType,
    /// True if a person gave the type.
    pub is_type_given: bool,
}

impl<'a> Task<'a> {
    /// A task of the default type, for uses that do not depend on the type.
    pub fn untyped(text: &'a str) -> Self {
        Self { text, plan: None, focus: &[], task_type: TaskType::DEFAULT, is_type_given: false }
    }

    /// Returns true if the task has content or a plan, from which files can be chosen.
    pub fn has_content(&self) -> bool {
        self.plan.is_some() || has_content(self.text)
    }

    /// A task without a plan or evidence; its type is inferred.
    pub fn new(text: &'a str) -> Self {
        let task_type = Inference::new(text).task_type.unwrap_or(TaskType::DEFAULT);
        Self { task_type, ..Self::untyped(text) }
    }
}
