//! The only step that leaves the program: clipboard, file, standard output; each tells the truth about how it went.

mod clipboard;
mod file;
mod receipt;
mod stdout;

use std::path::PathBuf;

use serde::{Serialize, Serializer};

pub use clipboard::{ClipboardEnv, SERVE_COMMAND, Terminal, from_clipboard, serve, to_clipboard, ways};
pub use file::{keep_source, to_file};
pub use receipt::{Receipt, TierTokens};
pub use stdout::to_stdout;

use crate::Result;

/// The destination of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file, or something special that can be written to like one.
    File(PathBuf),
    /// Whatever clipboard can be reached.
    Clipboard,
}

/// One delivery of the payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// The way it went.
    pub way: Way,
    /// The certainty that it arrived.
    pub confirmed: Confirmation,
    /// The number of bytes delivered.
    pub bytes: usize,
    /// A note for the person.
    pub note: Option<String>,
}

/// The ways out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Way {
    /// Standard output.
    Stdout,
    /// A file.
    File(#[serde(serialize_with = "lossy")] PathBuf),
    /// The system's clipboard, without another program.
    Native,
    /// Another program: `wl-copy`, `xclip`, `xsel`, `pbcopy`, `clip.exe` or `tmux`.
    Helper(&'static str),
    /// An escape sequence that asks the terminal to fill its clipboard.
    Osc52,
}

/// The certainty of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// The other side said so.
    Confirmed,
    /// It was sent, and nobody can know.
    Unconfirmed,
}

/// Sends `text` to one destination.
pub fn deliver(text: &str, destination: &Destination, env: &ClipboardEnv) -> Result<Delivery> {
    match destination {
        Destination::Stdout => to_stdout(text),
        Destination::File(path) => to_file(path, text),
        Destination::Clipboard => to_clipboard(text, env),
    }
}

/// Paths need not be Unicode, JSON must be.
fn lossy<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
