//! The library's error type: what happened, where, and a hint.

use std::io;
use std::path::{Path, PathBuf};

use crate::platform::files::lacks_locks;
use crate::text::printable;

/// Result type of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// All errors, with the messages shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Wrong usage or bad input without a more specific variant.
    #[error("{what}")]
    Input {
        /// Message, including the value.
        what: String,
        /// Hint.
        hint: String,
    },
    /// A negative result: a file is stale, nothing was found, or there is nothing to do.
    #[error("{what}")]
    Negative {
        /// Message.
        what: String,
        /// Hint.
        hint: String,
    },
    /// An action that would change nothing.
    #[error("{what}")]
    NoEffect {
        /// Reason why it would change nothing.
        what: String,
        /// Hint.
        hint: String,
    },
    /// A file that cannot be parsed.
    #[error("cannot parse {}:{line}:{column}: {why}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// 1-based line number.
        line: usize,
        /// 1-based column number.
        column: usize,
        /// Message of the parser.
        why: String,
    },
    /// A name that does not exist.
    #[error("{kind} `{name}` not found")]
    Missing {
        /// Kind of object: session, turn, memo, file.
        kind: &'static str,
        /// The given name.
        name: String,
        /// The most similar existing name.
        nearest: Option<String>,
    },
    /// A path outside the project.
    #[error("`{entry}` is outside the project")]
    Outside {
        /// The given path.
        entry: String,
    },
    /// Another process has the session open.
    #[error("session `{session}` is open in another teddy (process {pid})")]
    Locked {
        /// The session's name.
        session: String,
        /// Id of that process.
        pid: u32,
    },
    /// A file system error.
    #[error("cannot {action} {}: {}", .path.display(), in_words(.source))]
    Io {
        /// Attempted action: read, write, create, …
        action: &'static str,
        /// Path it was attempted on.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Copying failed.
    #[error("cannot copy to the clipboard{}", tried_lines(.tried))]
    NoClipboard {
        /// Methods tried, with the reason each failed.
        tried: Vec<(String, String)>,
        /// File in which the text was saved, if any.
        saved: Option<PathBuf>,
    },
    /// The clipboard cannot be read.
    #[error("cannot read the clipboard{}", tried_lines(.tried))]
    ClipboardUnread {
        /// Methods tried, with the reason each failed.
        tried: Vec<(String, String)>,
    },
    /// An external program failed.
    #[error("{what}")]
    Program {
        /// Message, naming the program.
        what: String,
        /// Hint.
        hint: String,
    },
    /// An error of git.
    #[error("git: {0}")]
    Git(String),
}

impl Error {
    /// Wrong usage or bad input.
    pub fn input(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Input { what: what.into(), hint: hint.into() }
    }

    /// A negative result, such as a stale file or an empty search.
    pub fn negative(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Negative { what: what.into(), hint: hint.into() }
    }

    /// An action that would change nothing.
    pub fn no_effect(what: impl Into<String>) -> Self {
        Self::NoEffect { what: what.into(), hint: String::new() }
    }

    /// An I/O error on `path`; `action` is the attempted action.
    pub fn io(action: &'static str, path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Io { action, path: path.as_ref().to_path_buf(), source }
    }

    /// A JSON error in `path`. The location appears only once in the message.
    pub fn json(path: impl Into<PathBuf>, error: &serde_json::Error) -> Self {
        let said = error.to_string();
        let why = said.split(" at line ").next().unwrap_or(&said).to_owned();
        Self::Syntax { path: path.into(), line: error.line().max(1), column: error.column().max(1), why }
    }

    /// Records where the text that could not be copied was saved.
    #[must_use]
    pub fn saved_in(self, path: impl Into<PathBuf>) -> Self {
        match self {
            Self::NoClipboard { tried, .. } => Self::NoClipboard { tried, saved: Some(path.into()) },
            other => other,
        }
    }

    /// Exit code: 1 negative result, 2 wrong usage or bad input, 3 environment error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Negative { .. } | Self::NoEffect { .. } => 1,
            Self::Input { .. } | Self::Syntax { .. } | Self::Missing { .. } | Self::Outside { .. } => 2,
            Self::Locked { .. }
            | Self::Io { .. }
            | Self::NoClipboard { .. }
            | Self::ClipboardUnread { .. }
            | Self::Program { .. }
            | Self::Git(_) => 3,
        }
    }

    /// True if nothing went wrong: the result is negative, or there was nothing to do.
    pub fn is_negative(&self) -> bool {
        matches!(self, Self::Negative { .. } | Self::NoEffect { .. })
    }

    /// A hint on what to do next, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Input { hint, .. }
            | Self::Negative { hint, .. }
            | Self::NoEffect { hint, .. }
            | Self::Program { hint, .. } => (!hint.is_empty()).then(|| hint.clone()),
            Self::Syntax { .. } => Some("fix the file or move it aside; nothing was changed".to_owned()),
            Self::Missing { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::Missing { kind: "session", .. } => Some("`teddy sessions` lists all sessions".to_owned()),
            Self::Missing { kind: "turn", .. } => Some("`teddy show` lists the turns".to_owned()),
            Self::Missing { kind: "memo", .. } => Some("`teddy memo list` shows all memos".to_owned()),
            Self::Missing { .. } => Some("check the name; paths are relative to the current directory".to_owned()),
            Self::Git(_) => None,
            Self::Outside { .. } => Some("use a path inside the project".to_owned()),
            Self::Locked { .. } => Some("close it there or wait".to_owned()),
            Self::NoClipboard { saved: Some(path), .. } => {
                Some(format!("the payload was saved to {}", printable(&path.to_string_lossy())))
            }
            Self::NoClipboard { saved: None, .. } => Some("write it to a file instead: `-o FILE`".to_owned()),
            Self::ClipboardUnread { .. } => Some("use a file, or standard input with `-`".to_owned()),
            Self::Io { source, path, action } => match source.kind() {
                io::ErrorKind::PermissionDenied => Some(match *action {
                    "read" | "open" | "enter" | "run" => "check its permissions".to_owned(),
                    // Creating and renaming need write permission on the directory.
                    "create" | "lock" | "rename" | "delete" => {
                        format!("check the permissions of {}", path.parent().unwrap_or(path).display())
                    }
                    _ => format!("check the permissions of {}", path.display()),
                }),
                io::ErrorKind::ReadOnlyFilesystem => {
                    Some("make the file system writable; `teddy plan --dry-run` writes nothing".to_owned())
                }
                _ if lacks_locks(source) || source.kind() == io::ErrorKind::Unsupported => {
                    Some("move the project to a file system that supports locks and renames".to_owned())
                }
                io::ErrorKind::NotFound => match *action {
                    "run" => Some("set VISUAL or EDITOR to an installed editor".to_owned()),
                    "write" | "lock" | "append to" => {
                        Some("its directory was deleted; restore it and try again".to_owned())
                    }
                    _ => None,
                },
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    Some("free some space and try again; existing files are unchanged".to_owned())
                }
                _ => None,
            },
        }
    }
}

/// The system's message without its error number.
fn in_words(error: &io::Error) -> String {
    let said = error.to_string();
    said.split_once(" (os error ").map_or(said.as_str(), |(words, _)| words).to_owned()
}

/// One line for each method.
fn tried_lines(tried: &[(String, String)]) -> String {
    tried.iter().flat_map(|(way, why)| ["\n  ".into(), printable(way), ": ".into(), printable(why)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_are_shown_without_their_number() {
        let missing = io::Error::from_raw_os_error(2);
        assert!(missing.to_string().contains("(os error 2)"));
        let said = Error::io("read", "notes.md", missing).to_string();
        assert!(said.starts_with("cannot read notes.md: ") && !said.contains("os error"), "{said}");
    }

    #[test]
    fn a_missing_editor_gives_a_hint() {
        let error = Error::io("run", "vi", io::Error::from(io::ErrorKind::NotFound));
        assert!(error.hint().is_some_and(|hint| hint.contains("EDITOR")));
    }

    #[test]
    fn permission_errors_have_hints() {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        for (action, hint) in [
            ("read", "check its permissions"),
            ("create", "check the permissions of /shop"),
            ("lock", "check the permissions of /shop"),
            ("write", "check the permissions of /shop/.teddy"),
        ] {
            assert_eq!(Error::io(action, "/shop/.teddy", denied()).hint().as_deref(), Some(hint), "{action}");
        }
    }
}
