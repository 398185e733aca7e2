//! Requests of the front ends to the use cases, in plain types.

use std::path::PathBuf;

use super::backend::Scope;
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

/// Payload options. An option that is not set comes from the turn or the configuration.
#[derive(Debug, Default, Clone)]
pub struct PayloadRequest {
    /// The token limit.
    pub budget: Option<usize>,
    /// A model's context window, instead of a budget.
    pub window: Option<usize>,
    /// Auto-fill.
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
