//! What the screen asks of the rest of the program. Every call may block, so all of them run off the screen's thread.

mod answers;
mod project;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::pipeline::ScanObserver;
use crate::deliver::{Confirmation, Delivery};
use crate::error::Result;
use crate::gather::progress::ScannedFile;
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::Placement;
use crate::render::{Format, Renderer};
use crate::score::{Classification, Complexity, QuickScorer, TaskType};
use crate::workbench::Workbench;

pub use project::{ProjectBackend, StartRequest};

/// What to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenTarget {
    /// What the command line named; it has been looked up already.
    Named,
    /// A new session for this task.
    Plan(String),
    /// The session of this name, where it was left.
    Resume(String),
}

/// How far a scan is.
#[derive(Debug, Clone)]
pub enum Progress {
    /// How the files that come are to be looked at.
    Looking(Arc<QuickScorer>),
    /// These files were read since the last word.
    Found(Vec<ScannedFile>),
    /// Everything is read and is being scored and placed.
    Scoring,
}

/// What a person can change about the task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSettings {
    /// What is to be done.
    pub text: String,
    /// What kind of work it is; `None` leaves it to the task's words.
    pub task_type: Option<TaskType>,
    /// How much work it is; `None` leaves it to the scores.
    pub complexity: Option<Complexity>,
    /// The payload's format.
    pub format: Format,
    /// When the work is done.
    pub done: Vec<String>,
}

/// How the list was left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListState {
    /// The order's name.
    pub sort: Option<String>,
    /// The path under the cursor.
    pub cursor: Option<String>,
    /// The filter.
    pub filter: Option<String>,
}

/// What the header and the forms say about the turn.
#[derive(Debug, Clone)]
pub struct TurnInfo {
    /// The session's name.
    pub session: String,
    /// The turn's id.
    pub turn: String,
    /// The task and what the person chose about it.
    pub form: TaskSettings,
    /// The type and the complexity in force, and why.
    pub classification: Classification,
    /// How tokens are counted.
    pub tokenizer: &'static str,
    /// What the person should know.
    pub notes: Vec<String>,
    /// Items that changed since the last turn, or against the head commit.
    pub changed: HashSet<ItemId>,
    /// Sources of this turn's own payload that changed after it was written.
    pub stale: HashSet<ItemId>,
    /// What `changed` is measured against, in words.
    pub since: String,
    /// How the list was left.
    pub left: ListState,
}

/// What a payload is made from.
#[derive(Clone)]
pub struct TurnSnapshot {
    /// What is where, and what was decided.
    pub bench: Arc<Workbench>,
    /// Writes the payload.
    pub renderer: Arc<dyn Renderer>,
    /// What the header says.
    pub about: Arc<TurnInfo>,
}

/// A turn, scanned, scored and placed.
pub struct LoadedTurn {
    /// What is where, and what was decided.
    pub bench: Workbench,
    /// Writes the payload.
    pub renderer: Arc<dyn Renderer>,
    /// What the header says.
    pub about: TurnInfo,
}

/// A turn that has a plan and waits for its report: there is nothing to curate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredTurn {
    /// The session's name.
    pub session: String,
    /// The turn's id.
    pub turn: String,
    /// The plan, secrets replaced.
    pub plan: String,
}

/// What opening a turn leads to.
pub enum Opening {
    /// Items to curate.
    Turn(Box<LoadedTurn>),
    /// A plan that waits for its report.
    Planned(AnsweredTurn),
}

/// What was written into the turn.
pub struct SavedPayload {
    /// The payload's file.
    pub path: PathBuf,
    /// The payload.
    pub text: String,
}

/// How a file differs from an earlier text of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileDiff {
    /// What it is compared with, in words; empty where there is nothing to compare with, and `text` says why.
    pub since: String,
    /// The difference as git prints it; empty where there is none.
    pub text: String,
}

/// Something that was taken for a secret, or that the person said is none. Never its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// The file, or the label of what it stands in.
    pub path: String,
    /// Its line, from 1.
    pub line: u32,
    /// The rule that found it.
    pub rule: String,
    /// Whether it stays as it is.
    pub allowed: bool,
}

/// Where a report comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportSource {
    /// The text itself.
    Text(String),
    /// The path of a file that holds it.
    File(String),
}

/// A text about the turn that the screen can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InfoPage {
    /// Its phase, evidence, what changed since the last payload, the plan, the handoff.
    Turn,
    /// Which budgets were too tight and which too loose.
    Advice,
    /// Whether its payload can be put together again.
    Replay,
}

impl InfoPage {
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Turn => "Turn",
            Self::Advice => "Budgets so far",
            Self::Replay => "Replay",
        }
    }
}

/// Something done with the turn that ends with a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClipboardAction {
    /// Copies an item in the payload's form.
    Fetch(ItemId),
    /// Keeps the clipboard as the turn's plan.
    Answer,
    /// Checks the acknowledgement on the clipboard.
    Acknowledge,
}

/// A sentence on something that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The sentence.
    pub said: String,
    /// What else is worth knowing. It comes last: a narrow screen may have no room for it.
    pub note: Option<String>,
    /// Whether it is certain: a copy that only the terminal took may have reached nobody.
    pub certain: bool,
}

impl Outcome {
    /// What a delivery comes to, in a sentence around its outcome.
    pub fn of(delivery: &Delivery, sentence: impl FnOnce(&str) -> String) -> Self {
        let certain = delivery.confirmed == Confirmation::Confirmed;
        Self { said: sentence(&delivery.outcome()), note: delivery.note.clone(), certain }
    }

    /// The same in a longer sentence.
    #[must_use]
    pub fn within(self, sentence: impl FnOnce(&str) -> String) -> Self {
        Self { said: sentence(&self.said), ..self }
    }

    /// All of it, what matters most first.
    pub fn text(&self) -> String {
        match &self.note {
            Some(note) => format!("{}: {note}", self.said),
            None => self.said.clone(),
        }
    }
}

impl From<String> for Outcome {
    fn from(said: String) -> Self {
        Self { said, note: None, certain: true }
    }
}

/// One line of the list of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Its name.
    pub name: String,
    /// Its goal's first line.
    pub goal: String,
    /// How many turns it has.
    pub turns: usize,
    /// How far the last one is.
    pub state: String,
    /// The tokens of the payload delivered last, where there is one.
    pub tokens: Option<usize>,
    /// Whether they are only estimated.
    pub estimated: bool,
    /// When it was touched last: `2026-11-16 05:32`.
    pub touched: String,
    /// The summary of the payload delivered last, or the goal.
    pub preview: String,
}

/// What the screen asks of the rest of the program.
pub trait Backend: Send + Sync + 'static {
    /// The project's root.
    fn root(&self) -> PathBuf;
    /// What has to be made before anything can be kept, for the first-run screen; nothing once `.teddy/` is there.
    fn to_be_made(&self) -> Vec<String>;
    /// Makes `.teddy/`, and says what was made.
    fn init(&self) -> Result<Vec<String>>;
    /// Scans, scores and places; makes the session and the turn where they are new. Once the observer does not want it any
    /// more it ends, and nothing is made.
    fn open(&self, entry: &OpenTarget, observer: &dyn ScanObserver) -> Result<Opening>;
    /// Keeps a report of a turn that has a plan, given as a text or as the path of one; returns a sentence.
    fn report(&self, turn: &AnsweredTurn, report: &ReportSource) -> Result<String>;
    /// Takes a turn's plan back; returns a sentence.
    fn take_back(&self, turn: &AnsweredTurn) -> Result<String>;
    /// The same turn, read again from disk.
    fn rescan(&self, observer: &dyn ScanObserver) -> Result<LoadedTurn>;
    /// The same files for another task, type, complexity or format; kept in the turn.
    fn reshape(&self, bench: &Workbench, form: &TaskSettings) -> Result<LoadedTurn>;
    /// Keeps what was decided, and how the list was left.
    fn keep(&self, bench: &Workbench, left: &ListState) -> Result<()>;
    /// Writes the payload and what goes with it into the turn.
    fn write(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>) -> Result<SavedPayload>;
    /// Copies a text.
    fn copy(&self, text: &str) -> Result<Delivery>;
    /// Copies a payload, or the next part of it where it goes out in parts.
    fn copy_payload(&self, text: &str, _tokenizer: Tokenizer) -> Result<Outcome> {
        self.copy(text).map(|delivery| Outcome::of(&delivery, ToOwned::to_owned))
    }
    /// The payload of a placement and its number of tokens.
    fn payload(&self, renderer: &Arc<dyn Renderer>, placement: &Placement) -> (String, usize) {
        (renderer.render(placement), placement.usage.total)
    }
    /// What changed in a file since the last turn, or against the head commit.
    fn diff(&self, bench: &Workbench, item: ItemId) -> FileDiff;
    /// What was replaced as a secret in what was read for this workbench, and what was allowed in this project.
    fn redactions(&self, bench: &Workbench) -> Result<Vec<Redaction>>;
    /// Says that it is no secret, or takes that back; returns a sentence.
    fn allow(&self, redaction: &Redaction) -> Result<String>;
    /// Does something with the turn that is open.
    fn deed(&self, deed: ClipboardAction, bench: &Workbench) -> Result<Outcome>;
    /// A text about the turn that is open; lines that begin with `# ` are headings.
    fn paper(&self, paper: InfoPage, bench: &Workbench) -> Result<String>;
    /// The memos.
    fn memos(&self) -> Result<Vec<String>>;
    /// Appends a memo; returns a sentence.
    fn add_memo(&self, text: &str) -> Result<String>;
    /// Removes a memo by its number, from 1.
    fn remove_memo(&self, number: usize) -> Result<()>;
    /// The file that holds the memos.
    fn memos_file(&self) -> Option<PathBuf>;
    /// The sessions, the one touched last first.
    fn sessions(&self) -> Result<Vec<SessionRow>>;
    /// Gives a session another name; returns the one it has now.
    fn rename(&self, session: &str, name: &str) -> Result<String>;
    /// Makes a branch of a session's last turn; returns its name.
    fn branch(&self, session: &str) -> Result<String>;
    /// Deletes a session with everything in it.
    fn delete(&self, session: &str) -> Result<()>;
    /// Ends the work on the turn that is open: its lists are brought up to date and its lock is released.
    fn close(&self, last: Option<&TurnSnapshot>);
    /// Whether a file in `.teddy/` is as teddy itself left it, so that nothing has to be read again.
    fn is_own_write(&self, path: &Path) -> bool;
    /// Where the terminal is written to, so that a copy through it never lands inside a frame.
    fn share_terminal(&self, out: Arc<Mutex<dyn Write + Send>>);
    /// A path for a message.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.root()).unwrap_or(path).display().to_string()
    }
}
