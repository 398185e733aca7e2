//! The inputs of a run, and the observer of its scan.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context_rules::Context;
use super::evidence::Evidence;
use super::payload_options::PayloadOptions;
use crate::gather::progress::{NoObserver, WalkObserver};
use crate::handoff::BudgetResult;
use crate::project::checkpoint::Checkpoint;
use crate::render::{PreviousPayload, SessionTerms};
use crate::score::QuickScorer;
use crate::workbench::Step;

/// An observer of a scan.
pub trait ScanObserver: WalkObserver {
    /// Files below this root are about to be read.
    fn reading(&self, _root: &Path) {}
    /// Provides the quick scorer for files that are shown as they are found.
    fn looking(&self, _glance: Arc<QuickScorer>) {}
    /// All files are read; scoring and placing begin.
    fn scoring(&self) {}
    /// A new step begins, with this many parts (0 if unknown).
    fn step(&self, _what: &str, _parts: usize) {}
    /// More parts of the current step are done.
    fn advance(&self, _parts: usize) {}
}

impl ScanObserver for NoObserver {}

/// The inputs of a run.
#[derive(Clone)]
pub struct RunInputs {
    /// The task.
    pub task: String,
    /// The plan: the answer of the previous turn, or a plan that the person provided.
    pub plan: Option<String>,
    /// True if the person provided the plan; it is stored with the turn.
    pub own_plan: bool,
    /// The session's name; for a session not yet saved, the name that it will get.
    pub session: String,
    /// The turn's id, such as `01`.
    pub turn: String,
    /// Payload options.
    pub options: PayloadOptions,
    /// Memos.
    pub memos: Vec<String>,
    /// Texts from earlier turns, with labels.
    pub history: Vec<(String, String)>,
    /// Files that agents fetched during the previous turn, with the reason to show.
    pub requested: Vec<(String, String)>,
    /// The payload that was delivered last.
    pub previous: Option<Arc<PreviousPayload>>,
    /// The checkpoint of the payload that was delivered last.
    pub delivered: Option<Box<Checkpoint>>,
    /// The truncation of the handoffs in `history`, for the budget log.
    pub handoff_budget: Option<BudgetResult>,
    /// Logs and stack traces.
    pub evidence: Vec<Evidence>,
    /// The `.context` files and their problems.
    pub context: Context,
    /// Steps of an earlier run: active and undone.
    pub steps: (Vec<Step>, Vec<Step>),
    /// Notes for the person and for the reader of the payload.
    pub notes: Vec<String>,
    /// Notes for the person only.
    pub private_notes: Vec<String>,
    /// The session's acceptance criteria, constraints and decisions.
    pub terms: SessionTerms,
    /// File that the payload is written to; it is not a candidate.
    pub output: Option<PathBuf>,
    /// True to write only the cache and to run no command.
    pub dry_run: bool,
}

impl RunInputs {
    /// The words that files are scored by. A task that teddy wrote itself has none.
    pub(super) fn words(&self) -> &str {
        if self.options.described { "" } else { &self.task }
    }
}
