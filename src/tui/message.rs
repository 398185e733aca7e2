//! Messages to the screen, and the effects it requests.

use std::collections::HashSet;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::background::Brightness;
use super::highlight::LineRoles;
use super::pane::{PaneText, PaneView};
use crate::app::backend::{Progress, Reply, Request, TurnInfo};
use crate::error::Error;
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::Usage;
use crate::workbench::{Action, Workbench};

/// Number of a job. For most kinds, only the latest job's result is used.
pub type Generation = u64;

/// Kinds of jobs. A newer job of a kind replaces an older one, whose late result is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// Opens or reads a turn, or counts its tokens.
    Turn,
    /// Scores again for another task.
    Rescore,
    Preview,
    Pane,
    Search,
    Payload,
    Highlight,
    /// Writes something. Such jobs run in order and are never replaced.
    InOrder,
}

impl JobKind {
    /// Number of kinds whose jobs are replaced by newer ones.
    pub const REPLACED: usize = 7;

    /// Position in a table of the replaced kinds.
    pub fn slot(self) -> Option<usize> {
        (self != Self::InOrder).then_some(self as usize)
    }
}

/// A job's kind and number, which its results carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    pub kind: JobKind,
    pub generation: Generation,
}

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
    /// An agent made a request during the open turn, or no longer waits for an answer.
    AgentActivity,
    /// The person's editor was closed.
    Edited(Result<EditResult, Error>),
    /// A job's result.
    JobResult(Ticket, Box<JobResult>),
    /// A job panicked, with this message.
    Panicked(String),
}

/// The file or text that was edited.
pub enum EditResult {
    Text(String),
    File,
    Memos,
}

/// Results of jobs.
pub enum JobResult {
    Progress(Progress),
    /// Number of files whose tokens are counted.
    Counted(usize),
    Preview(Preview),
    Pane(PaneText),
    /// The roles of the payload's lines.
    Highlighted(Vec<LineRoles>),
    /// The searched text, and the items whose content contains it.
    TextFound(String, HashSet<ItemId>),
    Reply(Reply),
}

/// Effect of a change on the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preview {
    /// The change.
    pub verb: PreviewVerb,
    /// Tokens of the tiers after the change.
    pub usage: Usage,
}

/// The two previewed changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewVerb {
    Pin,
    Demote,
}

/// Work outside the screen's thread.
pub enum Job {
    /// Sends a request to the rest of the program.
    Request(Request),
    /// Counts the tokens of every file. The second corpus is from an earlier scan, whose counts are reused.
    Count(Arc<Workbench>, Option<Arc<Corpus>>),
    Preview(Arc<Workbench>, PreviewVerb, Action),
    /// Creates a view of an item for this many columns.
    Pane(Arc<Workbench>, Arc<TurnInfo>, ItemId, PaneView, u16),
    /// Colours the code in a payload.
    Highlight(Arc<str>),
    /// Searches contents for this text.
    Search(Arc<Workbench>, String),
}

/// Effects requested by `update`.
pub type Effects = Vec<Effect>;

/// An effect outside `update`.
pub enum Effect {
    Start(Ticket, Job),
    /// Stops older jobs of this kind.
    Cancel(Ticket),
    /// Leaves the screen to edit a file of the project in `$EDITOR`.
    EditFile(String, u32),
    /// Leaves the screen to edit the memos in `$EDITOR`.
    EditMemos,
    /// Leaves the screen to edit this text in `$EDITOR`.
    EditText(String),
    Suspend,
    Quit,
}
