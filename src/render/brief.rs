//! What a payload says besides its items.

use std::collections::HashSet;

use crate::gather::tokens::Tokenizer;
use crate::place::Placement;
use crate::score::{Complexity, TaskType};

/// What a payload says besides its items.
#[derive(Debug, Clone)]
pub struct Brief {
    /// The task as the person wrote it.
    pub task: String,
    /// What kind of work it is.
    pub task_type: TaskType,
    /// How much work it is.
    pub complexity: Complexity,
    /// When the payload is made, in seconds since 1970.
    pub generated: i64,
    /// The limit in tokens, where a placement does not say under which it was made.
    pub limit: usize,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
    /// The session's name; empty outside one.
    pub session: String,
    /// The turn's name; empty outside one.
    pub turn: String,
    /// The memos' lines as they stand in their file, secrets replaced.
    pub memos: Option<String>,
    /// The paths that `global.context` and `session.context` name; what else is inlined is in the turn's own list.
    pub standing: HashSet<String>,
    /// Where the person works.
    pub system: SystemInfo,
    /// What the reader should know: what scoring found, problems with context lists.
    pub notes: Vec<String>,
}

impl Brief {
    /// The limit that a payload states: the one its placement was made under, since the person may have changed it.
    pub(super) fn limit_of(&self, placement: &Placement) -> usize {
        if placement.limit > 0 { placement.limit } else { self.limit }
    }
}

/// Where the person works.
#[derive(Debug, Clone, Default)]
pub struct SystemInfo {
    /// The project's directory.
    pub cwd: String,
    /// The operating system and its version.
    pub os: String,
    /// The login shell.
    pub shell: String,
}
