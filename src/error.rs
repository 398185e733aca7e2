//! The one error type of the library: what happened, where, and what to do next.

use std::io;
use std::path::{Path, PathBuf};

use crate::text::printable;

/// What every fallible function of the library returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong, in the words the person reads.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A wrong call or bad input that no more specific variant names.
    #[error("{what}")]
    Input {
        /// What is wrong, with the value that was given.
        what: String,
        /// What to do next.
        hint: String,
    },
    /// The answer is no: stale, nothing found, nothing to do.
    #[error("{what}")]
    Negative {
        /// What was asked and what the answer is.
        what: String,
        /// What to do next.
        hint: String,
    },
    /// An action that would change nothing.
    #[error("{what}")]
    NoEffect {
        /// Why it would change nothing.
        what: String,
        /// What to do next.
        hint: String,
    },
    /// A file that should be YAML or JSON is not.
    #[error("{}:{line}:{column}: {why}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// What the parser found there.
        why: String,
    },
    /// A name that is not there, with the nearest one that is.
    #[error("there is no {kind} `{name}`")]
    Missing {
        /// What was looked for: session, turn, memo, file.
        kind: &'static str,
        /// The name that was given.
        name: String,
        /// The nearest name that exists.
        nearest: Option<String>,
    },
    /// A path that leads outside the project.
    #[error("`{entry}` is outside the project")]
    Outside {
        /// The path as it was given.
        entry: String,
    },
    /// Another teddy holds the session.
    #[error("another teddy (process {pid}) has session `{session}` open")]
    Locked {
        /// The session's name.
        session: String,
        /// The process that holds it.
        pid: u32,
    },
    /// The file system said no.
    #[error("cannot {action} {}: {}", .path.display(), in_words(.source))]
    Io {
        /// What was tried: read, write, create, …
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// No way to the clipboard was open.
    #[error("the copy reached no clipboard{}", tried_lines(.tried))]
    NoClipboard {
        /// What was tried, and why each way failed.
        tried: Vec<(String, String)>,
        /// The file that holds the same text, once the caller has said so.
        saved: Option<PathBuf>,
    },
    /// No clipboard could be read.
    #[error("the clipboard could not be read{}", tried_lines(.tried))]
    ClipboardUnread {
        /// What was tried, and why each way failed.
        tried: Vec<(String, String)>,
    },
    /// A program that was to do something did not.
    #[error("{what}")]
    Program {
        /// Which program, and what became of it.
        what: String,
        /// What to do next.
        hint: String,
    },
    /// git said no where an answer was needed.
    #[error("git: {0}")]
    Git(String),
}

impl Error {
    /// A wrong call or bad input.
    pub fn input(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Input { what: what.into(), hint: hint.into() }
    }

    /// A negative answer.
    pub fn negative(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Negative { what: what.into(), hint: hint.into() }
    }

    /// An action that would change nothing.
    pub fn no_effect(what: impl Into<String>) -> Self {
        Self::NoEffect { what: what.into(), hint: String::new() }
    }

    /// An input or output error on `path` while trying to `action` it.
    pub fn io(action: &'static str, path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Io { action, path: path.as_ref().to_path_buf(), source }
    }

    /// What the parser of JSON found wrong in `path`, with the place said once.
    pub fn json(path: impl Into<PathBuf>, error: &serde_json::Error) -> Self {
        let said = error.to_string();
        let why = said.split(" at line ").next().unwrap_or(&said).to_owned();
        Self::Syntax { path: path.into(), line: error.line().max(1), column: error.column().max(1), why }
    }

    /// Says which file holds what could not be copied.
    #[must_use]
    pub fn saved_in(self, path: impl Into<PathBuf>) -> Self {
        match self {
            Self::NoClipboard { tried, .. } => Self::NoClipboard { tried, saved: Some(path.into()) },
            other => other,
        }
    }

    /// The exit code: 1 a negative answer, 2 a wrong call or bad input, 3 the environment.
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

    /// What to do next, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Input { hint, .. }
            | Self::Negative { hint, .. }
            | Self::NoEffect { hint, .. }
            | Self::Program { hint, .. } => (!hint.is_empty()).then(|| hint.clone()),
            Self::Syntax { path, .. } => Some(format!("mend {} or move it away; nothing was changed", path.display())),
            Self::Missing { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::Missing { kind: "session", .. } => Some("`teddy sessions` lists them".to_owned()),
            Self::Missing { kind: "turn", .. } => Some("`teddy show` lists the turns".to_owned()),
            Self::Missing { kind: "memo", .. } => Some("`teddy memo list` shows them with their numbers".to_owned()),
            Self::Missing { .. } => Some("check the name; a path counts from where you are".to_owned()),
            Self::Git(_) => None,
            Self::Outside { .. } => Some("name a path below the project's root".to_owned()),
            Self::Locked { .. } => Some("close it there, or wait until it is done".to_owned()),
            Self::NoClipboard { saved: Some(path), .. } => {
                Some(format!("the payload is in {}; open it there", printable(&path.to_string_lossy())))
            }
            Self::NoClipboard { saved: None, .. } => Some("write it to a file instead: `-o FILE`".to_owned()),
            Self::ClipboardUnread { .. } => Some("give it as a file, or on standard input with `-`".to_owned()),
            Self::Io { source, path, action } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Some(match *action {
                    "read" | "open" | "enter" | "run" => format!("check who may {action} it"),
                    // What is to be made or moved is up to the directory that holds it.
                    "create" | "lock" | "rename" | "delete" => {
                        format!("check who may write to {}", path.parent().unwrap_or(path).display())
                    }
                    _ => format!("check who may write to {}", path.display()),
                }),
                io::ErrorKind::NotFound if *action == "run" => {
                    Some("set VISUAL or EDITOR to an editor that is installed".to_owned())
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    Some("free some space and try again; what was there before is unchanged".to_owned())
                }
                _ => None,
            },
        }
    }
}

/// What the system answered, without the number that it has for it.
fn in_words(error: &io::Error) -> String {
    let said = error.to_string();
    said.split_once(" (os error ").map_or(said.as_str(), |(words, _)| words).to_owned()
}

/// One line for each way that was tried.
fn tried_lines(tried: &[(String, String)]) -> String {
    tried.iter().flat_map(|(way, why)| ["\n  ".into(), printable(way), ": ".into(), printable(why)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_said_without_its_number() {
        let missing = io::Error::from_raw_os_error(2);
        assert!(missing.to_string().contains("(os error 2)"));
        let said = Error::io("read", "notes.md", missing).to_string();
        assert!(said.starts_with("cannot read notes.md: ") && !said.contains("os error"), "{said}");
    }

    #[test]
    fn an_editor_that_is_not_there_can_be_named() {
        let error = Error::io("run", "vi", io::Error::from(io::ErrorKind::NotFound));
        assert!(error.hint().is_some_and(|hint| hint.contains("EDITOR")));
    }

    #[test]
    fn whoever_may_not_is_told_where_to_look() {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        for (action, hint) in [
            ("read", "check who may read it"),
            ("create", "check who may write to /shop"),
            ("lock", "check who may write to /shop"),
            ("write", "check who may write to /shop/.teddy"),
        ] {
            assert_eq!(Error::io(action, "/shop/.teddy", denied()).hint().as_deref(), Some(hint), "{action}");
        }
    }
}
