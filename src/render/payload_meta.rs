//! What a payload says besides its items.

use std::collections::HashSet;

use super::prompt::Templates;
use super::template::Around;
use crate::gather::tokens::Tokenizer;
use crate::place::Placement;
use crate::project::config::PackSettings;
use crate::project::session::Decision;
use crate::score::{Complexity, TaskType};

/// What a payload says besides its items.
#[derive(Debug, Clone)]
pub struct PayloadMeta {
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
    /// The memos, secrets replaced.
    pub memos: Vec<String>,
    /// The text of `memos.yaml`, secrets replaced; empty without memos.
    pub memos_file: String,
    /// Settings of packs.
    pub pack: PackSettings,
    /// The paths that `global.context` and `session.context` name; what else is inlined is in the turn's own list.
    pub standing: HashSet<String>,
    /// Where the person works.
    pub system: SystemInfo,
    /// What the reader should know: what scoring found, problems with context lists.
    pub notes: Vec<String>,
    /// What the session agreed on.
    pub agreed: SessionTerms,
    /// The words of the `prompt` format.
    pub templates: Templates,
    /// Words of the user's own around the payload.
    pub around: Around,
    /// Whether the reader is asked to acknowledge the payload.
    pub acknowledgement: bool,
}

/// What a session agreed on, and what its turns before left.
#[derive(Debug, Clone, Default)]
pub struct SessionTerms {
    /// The session's goal; empty where the task is all there is.
    pub goal: String,
    /// When the work is done.
    pub definition_of_done: Vec<String>,
    /// What must hold on the way.
    pub constraints: Vec<String>,
    /// What has been decided so far.
    pub decisions: Vec<Decision>,
    /// 1 discovery, 2 implementation, 3 validation, where it is known.
    pub phase: Option<u32>,
    /// The payload that this one follows: its id, and the turn it was made in.
    pub upstream: Option<(String, String)>,
}

impl PayloadMeta {
    /// The limit that a payload states: the one its placement was made under, since the person may have changed it.
    pub(super) fn limit_of(&self, placement: &Placement) -> usize {
        if placement.limit > 0 { placement.limit } else { self.limit }
    }
}

/// Where the person works.
#[derive(Debug, Clone, Default)]
pub struct SystemInfo {
    /// The directory that teddy was started in.
    pub cwd: String,
    /// The project's directory, which paths start at.
    pub root: String,
    /// The operating system and its version.
    pub os: String,
    /// The login shell.
    pub shell: String,
}
