//! What reaches the screen, and what it asks for in return.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::pane::{PaneText, PaneView};
use super::state::layer::Goal;
use crate::app::backend::{
    AnsweredTurn, ClipboardAction, InfoPage, ListState, LoadedTurn, OpenTarget, Opening, Outcome, Progress, Redaction,
    ReportSource, SessionRow, TaskSettings, TurnInfo, TurnSnapshot,
};
use crate::error::Error;
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::Usage;
use crate::workbench::{Action, Workbench};

/// The number of a question; a late answer to an old one is dropped.
pub type Generation = u64;

/// Something that happened.
pub enum Message {
    Key(KeyEvent),
    Paste(String),
    /// A mouse event, and when it came, in milliseconds.
    Mouse(MouseEvent, u64),
    Resize(u16, u16),
    /// Files changed on disk.
    Changed(Vec<String>),
    /// A job's answer.
    Answer(Box<Answer>),
}

/// What a job has to say.
pub enum Answer {
    Progress(Generation, Progress),
    /// So many files' tokens are counted.
    Counted(Generation, usize),
    Opened(Generation, Result<Opening, Error>),
    Rescanned(Generation, Result<LoadedTurn, Error>),
    Reshaped(Generation, Result<LoadedTurn, Error>),
    Preview(Generation, Preview),
    Shown(Generation, Box<PaneText>),
    Payload(Generation, String, usize),
    /// The outcome of something that ends with a sentence.
    Said(Result<Outcome, Error>),
    Kept(Result<(), Error>),
    Made(Result<Vec<String>, Error>),
    Memos(Result<Vec<String>, Error>),
    Redactions(Result<Vec<Redaction>, Error>),
    Paper(InfoPage, Result<String, Error>),
    /// The clipboard was kept as the plan.
    Answered(Result<Outcome, Error>),
    /// Something is or is no longer a secret.
    Allowed(Result<String, Error>),
    Sessions(Result<Vec<SessionRow>, Error>),
    /// A report was kept, or the plan taken back.
    Reported(Result<String, Error>),
    /// What was typed for this goal could not be done.
    Refused(Goal, String, Error),
    /// A text that came back from the editor.
    Edited(Result<Option<String>, Error>),
    /// A job ended in a panic: what it said.
    Panicked(String),
}

/// What a change would do to the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preview {
    /// The change.
    pub verb: Verb,
    /// What the tiers would hold.
    pub usage: Usage,
}

/// The two changes that are previewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Pin,
    Demote,
}

/// Something to be done outside of `update`.
pub enum Effect {
    Open(Generation, OpenTarget),
    Rescan(Generation),
    /// Counts every file's tokens; the second corpus is an older reading of the project.
    Count(Generation, Arc<Workbench>, Option<Arc<Corpus>>),
    /// Drops the results of an older scan.
    Cancel(Generation),
    Reshape(Generation, Arc<Workbench>, TaskSettings),
    Preview(Generation, Arc<Workbench>, Verb, Action),
    /// Makes a view of an item for so many columns.
    Show(Generation, Arc<Workbench>, Arc<TurnInfo>, ItemId, PaneView, u16),
    Payload(Generation, TurnSnapshot),
    Keep(Arc<Workbench>, ListState),
    Write(TurnSnapshot),
    Copy(TurnSnapshot),
    /// Copies a payload of these items alone.
    CopySome(TurnSnapshot, Vec<ItemId>),
    CopyText(String, String),
    Init,
    Memos,
    Redactions(Arc<Workbench>),
    Paper(InfoPage, Arc<Workbench>),
    Deed(ClipboardAction, Arc<Workbench>),
    /// Says that it is no secret, or takes that back.
    Allow(Redaction),
    Report(AnsweredTurn, ReportSource),
    /// Takes the plan back.
    TakeBack(AnsweredTurn),
    AddMemo(String),
    RemoveMemo(usize),
    Sessions,
    Rename(String, String),
    Branch(String),
    Delete(String),
    /// Leave the screen for `$EDITOR` on a file of the project.
    EditFile(String, u32),
    /// Leave the screen for `$EDITOR` on the memos.
    EditMemos,
    /// Leave the screen for `$EDITOR` on a text.
    EditText(String),
    Suspend,
    Close(Option<TurnSnapshot>),
    Quit,
}
