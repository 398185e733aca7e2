//! Requests of the screen, and the replies.

use std::sync::Arc;

use super::{
    AgentRow, ClipboardAction, FileDiff, InfoPage, ListState, LoadedTurn, OpenTarget, Outcome, PreviewedPayload,
    Redaction, Scope, SessionRow, TaskSettings, TurnSnapshot,
};
use crate::error::{Error, Result};
use crate::ids::ItemId;
use crate::workbench::Workbench;

/// A request of the screen. Requests may take long, so they are handled outside the screen's thread.
pub enum Request {
    /// Creates `.teddy/`.
    Init {
        /// Also keeps it out of git.
        keep_out_of_git: bool,
    },
    /// Scans, scores and places; creates the session and the turn if they are new.
    Open(OpenTarget),
    /// Reads the open turn again from disk.
    Rescan,
    /// Scores the same files for another task, type, complexity or format, and saves these in the turn.
    Reshape(Arc<Workbench>, TaskSettings),
    /// Saves overrides and the state of the list.
    Save(Arc<Workbench>, ListState),
    /// Closes the open turn: updates its lists and releases its lock.
    Close(Option<TurnSnapshot>),
    /// Undoes the answer of the open turn.
    UndoAnswer,
    /// Renders the payload.
    Render(TurnSnapshot),
    /// Writes the payload and its records to the turn.
    Write(TurnSnapshot),
    /// Writes the payload and copies it.
    Copy(TurnSnapshot),
    /// Copies a payload of only these items; nothing in the turn changes.
    CopyItems(TurnSnapshot, Vec<ItemId>),
    /// Copies text.
    CopyText {
        /// The text.
        text: String,
        /// Name of the text in the message.
        what: String,
    },
    /// Copies an item, or reads an answer or an acknowledgement from the clipboard.
    Clipboard(ClipboardAction, Arc<Workbench>),
    /// The changes of a file since the last turn, or since the head commit.
    Diff(Arc<Workbench>, ItemId),
    /// A page about the open turn; lines that begin with `# ` are headings.
    Page(InfoPage, Arc<Workbench>),
    /// Secrets redacted in the content read so far, and the allowed values of this project.
    Redactions(Arc<Workbench>),
    /// Allows a false positive, or redacts it again.
    Allow(Redaction),
    /// The agent requests of the open turn. Requests that wait for permission come first; the rest are sorted newest
    /// first.
    AgentRequests,
    /// Allows or denies a waiting request of an agent.
    AnswerAgent {
        /// The request's id.
        id: String,
        /// True to allow it.
        allow: bool,
    },
    /// Makes the task the session's goal and names the session after it.
    Retitle,
    /// Requests the handoff of the open turn, as text for the editor.
    Handoff,
    /// Writes the edited handoff.
    SaveHandoff(String),
    /// Stores the pins of these paths in a `.context` list, or removes them if all are stored there.
    StorePins(Scope, Vec<String>),
    /// All memos, in file order.
    Memos,
    /// Appends a memo.
    AddMemo(String),
    /// Removes a memo by its 1-based number.
    RemoveMemo(usize),
    /// All sessions, most recently used first.
    Sessions,
    /// Renames a session.
    Rename {
        /// Its name.
        session: String,
        /// Its new name.
        name: String,
    },
    /// Creates a branch of a session's last turn.
    Branch(String),
    /// Deletes a session with everything in it.
    Delete(String),
}

/// A list that a request has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// None.
    Nothing,
    /// The files, which must be read again.
    Texts,
    /// The memos.
    Memos,
    /// The sessions.
    Sessions,
    /// The requests of agents.
    AgentRequests,
}

/// The answer to a request.
pub enum Reply {
    /// No message.
    Nothing,
    /// A message, and the list to refresh.
    Done(Outcome, Changed),
    /// The request failed.
    Failed(Error),
    /// The typed text is invalid, so the person has to correct it.
    Refused {
        /// The request with the text.
        request: Box<Request>,
        /// The reason.
        error: Error,
    },
    /// Paths that were created.
    Created(Vec<String>),
    /// The turn is open, or could not be opened.
    Opened(Result<Box<LoadedTurn>>),
    /// The open turn was read again.
    Rescanned(Result<Box<LoadedTurn>>),
    /// The open turn was scored for another task.
    Reshaped(Result<Box<LoadedTurn>>),
    /// The answer was undone, with a message.
    AnswerUndone(String),
    /// The payload.
    Payload(PreviewedPayload),
    /// Changes of a file.
    Diff(FileDiff),
    /// A page, or the reason why there is none.
    Page(InfoPage, Result<String>),
    /// Redactions and allowed values.
    Redactions(Vec<Redaction>),
    /// The requests of agents.
    AgentRequests(Vec<AgentRow>),
    /// The clipboard was saved as the answer.
    Answered(Outcome),
    /// The handoff, as text for the editor.
    Handoff(String),
    /// All memos.
    Memos(Vec<String>),
    /// All sessions.
    Sessions(Vec<SessionRow>),
}
