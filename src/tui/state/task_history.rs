//! Changes to the task, undone and redone in their order among the overrides.

use crate::app::backend::TaskSettings;

/// A change to the task.
#[derive(Debug, Clone)]
struct TaskChange {
    before: TaskSettings,
    after: TaskSettings,
    /// Number of overrides made before it.
    steps: usize,
}

/// Changes to the task while the screen is open.
#[derive(Debug, Clone, Default)]
pub struct TaskHistory {
    done: Vec<TaskChange>,
    undone: Vec<TaskChange>,
}

impl TaskHistory {
    /// Adds a change that was made after this many overrides.
    pub fn add(&mut self, before: TaskSettings, after: TaskSettings, steps: usize) {
        self.undone.clear();
        self.done.push(TaskChange { before, after, steps });
    }

    /// Undoes the last change if no override followed; returns the task before it.
    pub fn undo(&mut self, steps: usize) -> Option<TaskSettings> {
        let change = self.done.pop_if(|change| change.steps >= steps)?;
        let before = change.before.clone();
        self.undone.push(change);
        Some(before)
    }

    /// Redoes the change that was undone last, if it is the next step to redo; returns the task after it.
    pub fn redo(&mut self, steps: usize) -> Option<TaskSettings> {
        let change = self.undone.pop_if(|change| change.steps == steps)?;
        let after = change.after.clone();
        self.done.push(change);
        Some(after)
    }

    /// Returns true if a change to the task can be undone, if necessary after undoing the overrides that followed it.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Returns true if a change to the task is the next to redo.
    pub fn can_redo(&self, steps: usize) -> bool {
        self.undone.last().is_some_and(|change| change.steps == steps)
    }
}
