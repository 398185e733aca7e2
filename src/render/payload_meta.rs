//! Metadata of a payload.

use std::collections::HashSet;
use std::sync::Arc;

use super::prompt::Templates;
use super::reuse::PreviousPayload;
use super::template::Wrapper;
use crate::gather::tokens::Tokenizer;
use crate::place::Placement;
use crate::project::config::{PackSettings, RequestPosition};
use crate::project::session::Decision;
use crate::score::{Complexity, TaskType};

/// Everything that a payload contains in addition to its items.
#[derive(Debug, Clone)]
pub struct PayloadMeta {
    /// The task as the person wrote it.
    pub task: String,
    /// The type of the task.
    pub task_type: TaskType,
    /// The complexity of the task.
    pub complexity: Complexity,
    /// Time of creation, in seconds since 1970.
    pub generated: i64,
    /// Token limit, used if the placement has none.
    pub limit: usize,
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// The session's name; empty without a session.
    pub session: String,
    /// The turn's name; empty without a session.
    pub turn: String,
    /// The memos, redacted.
    pub memos: Vec<String>,
    /// The text of `memos.yaml`, redacted; empty without memos.
    pub memos_file: String,
    /// Settings of packs.
    pub pack: PackSettings,
    /// Paths listed in `global.context` and `session.context`. All other inlined files are listed in the context list
    /// of the turn.
    pub inherited_paths: HashSet<String>,
    /// The working directory and system.
    pub system: SystemInfo,
    /// Notes for the reader of the payload, such as notes from scoring and problems with context lists.
    pub notes: Vec<String>,
    /// The session's terms.
    pub terms: SessionTerms,
    /// Templates of the `prompt` format and of the instructions.
    pub templates: Templates,
    /// The user's text around the payload.
    pub wrapper: Wrapper,
    /// The person's choices about the text.
    pub style: PayloadStyle,
    /// The payload that was delivered last before this turn. Its unchanged files keep their order.
    pub previous: Option<Arc<PreviousPayload>>,
}

/// A person's choices about the text of a payload, in addition to its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayloadStyle {
    /// True to ask the reader for an acknowledgement.
    pub acknowledgement: bool,
    /// Position of the request.
    pub request: RequestPosition,
    /// True to number the lines of files.
    pub line_numbers: bool,
    /// True to start with the contents that the previous payload also contains (formats prompt and xml).
    pub reuse: bool,
}

impl Default for PayloadStyle {
    fn default() -> Self {
        Self { acknowledgement: true, request: RequestPosition::default(), line_numbers: false, reuse: true }
    }
}

/// The terms of a session, and the payload before this one.
#[derive(Debug, Clone, Default)]
pub struct SessionTerms {
    /// The session's goal; empty if the task is the goal.
    pub goal: String,
    /// The acceptance criteria.
    pub definition_of_done: Vec<String>,
    /// Constraints on the work.
    pub constraints: Vec<String>,
    /// Decisions made so far.
    pub decisions: Vec<Decision>,
    /// Decisions in handoffs. Text formats show the handoffs themselves.
    pub handed_over: Vec<Decision>,
    /// Phase of the session, if known: 1 is discovery, 2 is implementation, 3 is validation.
    pub phase: Option<u32>,
    /// The previous payload: its id, and the turn that it was created in.
    pub upstream: Option<(String, String)>,
}

impl PayloadMeta {
    /// The limit shown in a payload. The placement's limit takes precedence, because the person may have changed it.
    pub(super) fn limit_of(&self, placement: &Placement) -> usize {
        if placement.limit > 0 { placement.limit } else { self.limit }
    }
}

/// The working directory and system.
#[derive(Debug, Clone, Default)]
pub struct SystemInfo {
    /// The directory in which teddy was started.
    pub cwd: String,
    /// The project's directory, to which paths are relative.
    pub root: String,
    /// The operating system and its version.
    pub os: String,
    /// The login shell.
    pub shell: String,
}
