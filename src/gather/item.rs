//! One candidate for the payload: a file, a document, a memo, a diff, a past plan.

use crate::ids::FileId;
use std::sync::Arc;

/// What an item is; the JSON output and the payload's groups follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    /// A text file of the project.
    File,
    /// A file that is part of the contract: README, plan, architecture, decision record, standard.
    Doc,
    /// One line of `.teddy/memos.yaml`.
    Memo,
    /// What is changed in the working tree, as a diff.
    Changes,
    /// What changed since the last payload was delivered.
    Delta,
    /// Recent commits that touched the files the task is about.
    Commits,
    /// A log or a stack trace that the person gave.
    Evidence,
    /// The plan, the report or the handoff of an earlier turn.
    History,
    /// What a command from the user's own configuration printed.
    Command,
}

impl ItemKind {
    /// The kind's name in JSON and in filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Doc => "doc",
            Self::Memo => "memo",
            Self::Changes => "changes",
            Self::Delta => "delta",
            Self::Commits => "commits",
            Self::Evidence => "evidence",
            Self::History => "history",
            Self::Command => "command",
        }
    }

    /// Whether the item is a file of the project, so that it has a path, lines and a language.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Doc)
    }
}

/// One candidate for the payload.
#[derive(Debug, Clone)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The file's path, or a label such as `memo:3` or `changes:working-tree` that no file can have.
    pub path: String,
    /// Where its text comes from.
    pub source: Source,
    /// The file it speaks of, for what is not a file itself: excluding that file excludes this too.
    pub about: Option<FileId>,
}

/// Where an item's text comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The file at this index of [`Corpus::files`](super::corpus::Corpus::files).
    File(FileId),
    /// Text made while gathering, already free of secrets.
    Text(Arc<str>),
}
