//! Messages to the screen, and the effects it requests.

use std::collections::HashSet;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::background::Brightness;
use super::pane::{PaneText, PaneView};
use super::state::layer::Goal;
use crate::app::backend::{
    ClipboardAction, InfoPage, ListState, LoadedTurn, OpenTarget, Outcome, Progress, Redaction, Scope, SessionRow,
    TaskSettings, TurnInfo, TurnSnapshot,
};
use crate::error::Error;
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::Usage;
use crate::workbench::{Action, Workbench};

/// Number of a request; a late answer to an older one is dropped.
pub type Generation = u64;

/// An event.
pub enum Message {
    Key(KeyEvent),
    Paste(String),
    /// A mouse event with its time in milliseconds.
    Mouse(MouseEvent, u64),
    Resize(u16, u16),
    /// The terminal reported its background.
    Background(Brightness),
    /// Files changed on disk.
    Changed(Vec<String>),
    /// The answer of a job.
    Answer(Box<Answer>),
}

/// Answers of jobs.
pub enum Answer {
    Progress(Generation, Progress),
    /// Number of files whose tokens are counted.
    Counted(Generation, usize),
    Opened(Generation, Result<Box<LoadedTurn>, Error>),
    Rescanned(Generation, Result<LoadedTurn, Error>),
    Reshaped(Generation, Result<LoadedTurn, Error>),
    Preview(Generation, Preview),
    Shown(Generation, Box<PaneText>),
    /// The items whose content contains a text.
    TextFound(Generation, String, HashSet<ItemId>),
    Payload(Generation, String, usize),
    /// Outcome of an action, as a message.
    Said(Result<Outcome, Error>),
    Kept(Result<(), Error>),
    Made(Result<Vec<String>, Error>),
    Memos(Result<Vec<String>, Error>),
    Redactions(Result<Vec<Redaction>, Error>),
    Page(InfoPage, Result<String, Error>),
    /// The clipboard was saved as the answer.
    Answered(Result<Outcome, Error>),
    /// A false positive was allowed or revoked.
    Allowed(Result<String, Error>),
    Sessions(Result<Vec<SessionRow>, Error>),
    /// The answer of the open turn was undone.
    Unanswered(Result<String, Error>),
    /// The typed text could not be used.
    Refused(Goal, String, Error),
    /// The handoff, for editing.
    Handoff(Result<String, Error>),
    /// The handoff was written; includes the text, in case it must be corrected.
    HandoffSaved(String, Result<String, Error>),
    /// A text returned by the editor.
    Edited(Result<Option<String>, Error>),
    /// A job panicked, with this message.
    Panicked(String),
}

/// Effect of a change on the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preview {
    /// The change.
    pub verb: Verb,
    /// Tokens of the tiers after the change.
    pub usage: Usage,
}

/// The two previewed changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Pin,
    Demote,
}

/// An effect that `update` requests.
pub enum Effect {
    Open(Generation, OpenTarget),
    Rescan(Generation),
    /// Counts the tokens of all files; the second corpus is from an earlier scan.
    Count(Generation, Arc<Workbench>, Option<Arc<Corpus>>),
    /// Drops the results of an older scan.
    Cancel(Generation),
    Reshape(Generation, Arc<Workbench>, TaskSettings),
    Preview(Generation, Arc<Workbench>, Verb, Action),
    /// Creates a view of an item for this number of columns.
    Show(Generation, Arc<Workbench>, Arc<TurnInfo>, ItemId, PaneView, u16),
    /// Searches contents for a text.
    SearchText(Generation, Arc<Workbench>, String),
    Payload(Generation, TurnSnapshot),
    Keep(Arc<Workbench>, ListState),
    Write(TurnSnapshot),
    Copy(TurnSnapshot),
    /// Copies a payload of only these items.
    CopySome(TurnSnapshot, Vec<ItemId>),
    CopyText(String, String),
    /// Creates `.teddy/`, kept out of git or not.
    Init(bool),
    Memos,
    Redactions(Arc<Workbench>),
    Page(InfoPage, Arc<Workbench>),
    Clipboard(ClipboardAction, Arc<Workbench>),
    /// Allows a false positive, or revokes it.
    Allow(Redaction),
    /// Undoes the answer of the open turn.
    UndoAnswer,
    /// Asks for the handoff of the open turn.
    Handoff,
    SaveHandoff(String),
    /// Stores pins of these paths for later turns.
    StorePins(Scope, Vec<String>),
    AddMemo(String),
    RemoveMemo(usize),
    Sessions,
    Rename(String, String),
    Branch(String),
    Delete(String),
    /// Leaves the screen to edit a project file in `$EDITOR`.
    EditFile(String, u32),
    /// Leaves the screen to edit the memos in `$EDITOR`.
    EditMemos,
    /// Leaves the screen to edit a text in `$EDITOR`.
    EditText(String),
    Suspend,
    Close(Option<TurnSnapshot>),
    Quit,
}
