//! A candidate for the payload: a file, document, memo, diff or earlier answer.

use crate::ids::FileId;
use std::sync::Arc;

/// Kind of item; decides its group in the payload and its name in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    /// A text file.
    File,
    /// A key document: README, plan, architecture, decision record, standard.
    Doc,
    /// One memo from `.teddy/memos.yaml`.
    Memo,
    /// Uncommitted changes to one file, as a diff.
    Changes,
    /// Changes since the last delivered payload.
    Delta,
    /// Overview of the changes under review.
    Review,
    /// Recent commits that changed a likely target.
    Commits,
    /// A log or stack trace that the person passed.
    Evidence,
    /// Answer, report or handoff of an earlier turn.
    History,
    /// Output of a command from the user's configuration.
    Command,
}

impl ItemKind {
    /// The name in JSON and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Doc => "doc",
            Self::Memo => "memo",
            Self::Changes => "changes",
            Self::Delta => "delta",
            Self::Review => "review",
            Self::Commits => "commits",
            Self::Evidence => "evidence",
            Self::History => "history",
            Self::Command => "command",
        }
    }

    /// Returns true if the item is a project file, with a path, lines and a language.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Doc)
    }
}

/// A candidate for the payload.
#[derive(Debug, Clone)]
pub struct Item {
    /// Kind of item.
    pub kind: ItemKind,
    /// The file's path, or a label such as `memo:3` or `changes:src/a.rs` that no file can have.
    pub path: String,
    /// Source of the text.
    pub source: Source,
    /// The file that an item belongs to, such as the file of a diff. Excluding that file also excludes the item.
    pub about: Option<FileId>,
}

/// Source of an item's text.
#[derive(Debug, Clone)]
pub enum Source {
    /// Index into [`Corpus::files`](super::corpus::Corpus::files).
    File(FileId),
    /// Text that was created while gathering. It is already redacted.
    Text(Arc<str>),
}
