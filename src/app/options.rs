//! Requests from the front ends to the use cases, as plain types.

use std::path::PathBuf;

use crate::handoff::Phase;
use crate::project::config::RequestPosition;
use crate::project::task::{Complexity, TaskType};
use crate::render::Format;

/// The base that a branch or the working tree is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseRequest {
    /// The merge base with the main branch.
    MainBranch,
    /// The merge base with this branch, tag or commit.
    Named(String),
}

/// Payload options. Options that are not set are taken from the turn or the configuration.
#[derive(Debug, Default, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct PayloadRequest {
    /// The token limit.
    pub budget: Option<usize>,
    /// A model's context window, instead of a budget.
    pub window: Option<usize>,
    /// True to turn on auto-fill.
    pub fill: bool,
    /// Patterns to pin.
    pub pin: Vec<String>,
    /// Level at which the pins are stored for later turns.
    pub store: Option<Scope>,
    /// Patterns to demote.
    pub demote: Vec<String>,
    /// Patterns to exclude.
    pub exclude: Vec<String>,
    /// Patterns to link.
    pub link: Vec<String>,
    /// Patterns that every file must match.
    pub only: Vec<String>,
    /// A profile of the configuration.
    pub profile: Option<String>,
    /// The payload's format.
    pub format: Option<Format>,
    /// The model whose tokenizer is used.
    pub model: Option<String>,
    /// The tokenizer's encoding.
    pub tokenizer: Option<String>,
    /// Task type.
    pub task_type: Option<TaskType>,
    /// Complexity.
    pub complexity: Option<Complexity>,
    /// The phase.
    pub phase: Option<Phase>,
    /// True to omit the acknowledgement template.
    pub no_ack: bool,
    /// Position of the request.
    pub request: Option<RequestPosition>,
    /// True to number the lines of files.
    pub line_numbers: bool,
    /// True to order the payload by priority instead of for reuse of its beginning.
    pub no_reuse: bool,
    /// Logs and stack traces; `-` is standard input.
    pub evidence: Vec<PathBuf>,
    /// The base of a review.
    pub base: Option<BaseRequest>,
    /// Include files up to this many imports away from the pinned ones.
    pub hops: Option<u8>,
    /// Terms added to the session.
    pub terms: TermsRequest,
    /// Notes on secrets that were redacted in the arguments.
    pub redaction_notes: Vec<String>,
}

/// Terms of a session, which apply from this turn on.
#[derive(Debug, Default, Clone)]
pub struct TermsRequest {
    /// Acceptance criteria.
    pub definition_of_done: Vec<String>,
    /// Constraints on the work.
    pub constraints: Vec<String>,
    /// Decisions already made.
    pub decisions: Vec<String>,
}

/// Limits on writing.
#[derive(Debug, Default, Clone)]
pub struct OutputOptions {
    /// File that the payload is written to; it is not a candidate.
    pub file: Option<PathBuf>,
    /// True to write only the cache.
    pub dry_run: bool,
}

/// A new session, or the next turn of one.
#[derive(Debug, Default, Clone)]
pub struct PlanRequest {
    /// The task.
    pub task: Option<String>,
    /// File with the task; `-` is standard input.
    pub task_file: Option<PathBuf>,
    /// The session whose next turn is planned.
    pub session: Option<String>,
    /// The next turn's message.
    pub message: Option<String>,
    /// A file with a plan for the first turn; `-` is standard input.
    pub plan_file: Option<PathBuf>,
    /// Payload options.
    pub payload: PayloadRequest,
    /// Limits on writing.
    pub output: OutputOptions,
}

/// A session to continue.
#[derive(Debug, Default, Clone)]
pub struct ResumeRequest {
    /// A session, a turn or a path in one; default: the most recently used session.
    pub session: Option<String>,
    /// The turn's message.
    pub message: Option<String>,
    /// File with the report on the turn.
    pub report: Option<PathBuf>,
    /// Payload options.
    pub payload: PayloadRequest,
    /// Limits on writing.
    pub output: OutputOptions,
}

/// Level at which a pin is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All turns of the session: `session.context`.
    Session,
    /// All sessions: `global.context`.
    Project,
}

/// Parts of the task that a person can change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskSettings {
    /// Text of the task.
    pub text: String,
    /// Task type; `None` infers it from the task.
    pub task_type: Option<TaskType>,
    /// Complexity; `None` infers it from the scores.
    pub complexity: Option<Complexity>,
    /// The payload's format; `None` is the configured one.
    pub format: Option<Format>,
    /// The phase.
    pub phase: Option<Phase>,
    /// Logs and stack traces to add, by path.
    pub evidence: Vec<String>,
    /// The acceptance criteria.
    pub done: Vec<String>,
}

/// A turn described by a form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnRequest {
    /// The task and its settings.
    pub settings: TaskSettings,
    /// The token limit, if the person set one.
    pub budget: Option<usize>,
}

/// The next turn described by a form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NextRequest {
    /// The session's name.
    pub session: String,
    /// Id of the previous turn.
    pub turn: String,
    /// Report on that turn; empty if there is none.
    pub report: String,
    /// The next turn; if its task is empty, the session's goal is used.
    pub request: TurnRequest,
}
