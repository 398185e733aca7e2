//! The interface between the screen and the rest of the program: requests, and the answers to them.

mod agents;
mod delivery;
mod handle;
mod project;
mod records;
mod request;
mod turns;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::run_inputs::ScanObserver;
use crate::deliver::{Confirmation, Delivery};
use crate::gather::progress::ScannedFile;
use crate::ids::ItemId;
use crate::render::{Renderer, ReusablePrefix};
use crate::score::{Classification, QuickScorer};
use crate::workbench::Workbench;

pub use super::delta::FileDiff;
pub use super::open_turn::TurnMode;
pub use super::options::{NextRequest, Scope, TaskSettings, TurnRequest};
pub use super::redactions::Redaction;
pub use super::sessions::{SessionRow, TurnRow};
pub use project::{ProjectBackend, StartRequest};
pub use request::{Changed, Reply, Request};

/// Entry point of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenTarget {
    /// The turn named on the command line.
    Named,
    /// A new session for this task.
    Plan(String),
    /// The session with this name, as it was left; `NAME/01` is one of its turns.
    Resume(String),
    /// A new session described by a form.
    New(Box<TurnRequest>),
    /// The turn after this one.
    Next(Box<NextRequest>),
    /// The form for a new session.
    Form,
    /// The turn named on the command line, with the tour.
    Tour,
}

/// Progress of a scan.
#[derive(Debug, Clone)]
pub enum Progress {
    /// The quick scorer for files as they arrive.
    Looking(Arc<QuickScorer>),
    /// Files read since the last report.
    Found(Vec<ScannedFile>),
    /// All files are read and are being scored and placed.
    Scoring,
}

/// State of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListState {
    /// Sort order.
    pub sort: Option<String>,
    /// Path under the cursor.
    pub cursor: Option<String>,
    /// Filter text.
    pub filter: Option<String>,
}

/// Facts about the turn for the header and the forms.
#[derive(Debug, Clone)]
pub struct TurnInfo {
    /// Session name.
    pub session: String,
    /// Turn id.
    pub turn: String,
    /// State of the turn.
    pub mode: TurnMode,
    /// Names of the evidence.
    pub evidence: Vec<String>,
    /// The session's goal.
    pub goal: String,
    /// The task and its settings.
    pub form: TaskSettings,
    /// Type and complexity, with reasons.
    pub classification: Classification,
    /// Tokenizer.
    pub tokenizer: &'static str,
    /// Dollars per million input tokens, if configured.
    pub price_per_million: Option<f64>,
    /// Notes for the person.
    pub notes: Vec<String>,
    /// Items that changed since the last turn, or since the head commit.
    pub changed: HashSet<ItemId>,
    /// Sources that changed after this turn's payload was written.
    pub stale: HashSet<ItemId>,
    /// Name of the version that `changed` is compared with.
    pub since: String,
    /// State of the list.
    pub left: ListState,
}

/// Everything needed to render a payload.
#[derive(Clone)]
pub struct TurnSnapshot {
    /// Placement and overrides.
    pub bench: Arc<Workbench>,
    /// Renders the payload.
    pub renderer: Arc<dyn Renderer>,
}

/// A turn, scanned, scored and placed.
pub struct LoadedTurn {
    /// Placement and overrides.
    pub bench: Workbench,
    /// Renders the payload.
    pub renderer: Arc<dyn Renderer>,
    /// Facts for the header.
    pub about: TurnInfo,
}

/// The saved payload.
pub struct SavedPayload {
    /// The payload's file.
    pub path: PathBuf,
    /// Text of the payload.
    pub text: String,
}

/// A request of an agent during the open turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRow {
    /// Time of day: `14:03:22`.
    pub at: String,
    /// The tool.
    pub tool: String,
    /// The requested entries, or the task.
    pub asked: String,
    /// The files or lines that it names, in the notation of `--pin`.
    pub pins: Vec<String>,
    /// The tokens of the answer.
    pub tokens: Option<usize>,
    /// The outcome.
    pub outcome: AgentOutcome,
}

impl AgentRow {
    /// Returns true if the request waits for the person's permission.
    pub fn waits(&self) -> bool {
        matches!(self.outcome, AgentOutcome::Waiting(_))
    }
}

/// The outcome of an agent's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentOutcome {
    /// It was answered.
    Answered,
    /// It was refused; the value is the reason.
    Refused(String),
    /// It waits for the person's permission; the value is its id.
    Waiting(String),
}

/// A payload for the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewedPayload {
    /// The text.
    pub text: String,
    /// Number of tokens in the text.
    pub tokens: usize,
    /// The beginning that it shares with the previous payload.
    pub reusable: Option<ReusablePrefix>,
}

/// A page about the turn for the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InfoPage {
    /// Phase, evidence, changes since the last payload, answer and handoff.
    Turn,
    /// Budget statistics.
    Advice,
    /// Reproducibility of the payload.
    Replay,
}

impl InfoPage {
    /// Heading of the page.
    pub fn title(self) -> &'static str {
        match self {
            Self::Turn => "Turn",
            Self::Advice => "Budget statistics",
            Self::Replay => "Replay",
        }
    }
}

/// A clipboard action on the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClipboardAction {
    /// Copies an item in the payload's form.
    Fetch(ItemId),
    /// Saves the clipboard as the turn's answer and checks the acknowledgement in it.
    Answer,
    /// Checks the acknowledgement on the clipboard.
    Acknowledge,
}

/// A message about a completed action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The message.
    pub message: String,
    /// Details, shown last because a narrow screen may not have space for them.
    pub note: Option<String>,
    /// False if success is uncertain, for example after an unconfirmed copy through the terminal.
    pub certain: bool,
}

impl Outcome {
    /// A message with the outcome of a delivery.
    pub fn of(delivery: &Delivery, sentence: impl FnOnce(&str) -> String) -> Self {
        let certain = delivery.confirmed == Confirmation::Confirmed;
        Self { message: sentence(&delivery.outcome()), note: delivery.note.clone(), certain }
    }

    /// Replaces the message with a sentence that contains it.
    #[must_use]
    pub fn within(self, sentence: impl FnOnce(&str) -> String) -> Self {
        Self { message: sentence(&self.message), ..self }
    }

    /// The message followed by the note.
    pub fn text(&self) -> String {
        match &self.note {
            Some(note) => format!("{}: {note}", self.message),
            None => self.message.clone(),
        }
    }
}

impl From<String> for Outcome {
    fn from(message: String) -> Self {
        Self { message, note: None, certain: true }
    }
}

/// Facts about the project that are known before its files are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectFacts {
    /// Root of the project.
    pub root: PathBuf,
    /// Paths that will be created, for the first-run screen; empty once `.teddy/` exists.
    pub to_be_made: Vec<String>,
    /// True if `.teddy/` can be kept out of git.
    pub can_keep_out_of_git: bool,
    /// The file that holds the memos, once `.teddy/` exists.
    pub memos_file: Option<PathBuf>,
}

/// The screen's access to the rest of the program.
pub trait Backend: Send + Sync + 'static {
    /// Facts about the project.
    fn facts(&self) -> ProjectFacts;
    /// Handles a request, which may take long. The observer receives a scan's progress and can cancel the scan.
    fn handle(&self, request: Request, observer: &dyn ScanObserver) -> Reply;
    /// Returns true if a file in `.teddy/` is unchanged since teddy wrote it, so that nothing has to be read again.
    fn is_own_write(&self, path: &Path) -> bool;
    /// Sets the terminal's writer, so that copying through it never interrupts a frame.
    fn share_terminal(&self, out: Arc<Mutex<dyn Write + Send>>);
}
