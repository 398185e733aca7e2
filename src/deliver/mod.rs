//! Delivers payloads to the clipboard, a file or standard output, and reports how certain each delivery is.

mod clipboard;
mod file;
mod receipt;
mod stdout;

use std::path::PathBuf;

use serde::{Serialize, Serializer};

pub use clipboard::{ClipboardEnv, SERVE_COMMAND, Terminal, from_clipboard, serve, to_clipboard, ways};
pub use file::{keep_source, to_file};
pub use receipt::{Receipt, TierTokens, reusable_text};
pub use stdout::to_stdout;

use crate::Result;

/// Destination of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file, pipe or device.
    File(PathBuf),
    /// The first clipboard that works.
    Clipboard,
}

/// One delivery of a payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// Method.
    pub way: Channel,
    /// Certainty that it arrived.
    pub confirmed: Confirmation,
    /// Number of bytes delivered.
    pub bytes: usize,
    /// Note for the person.
    pub note: Option<String>,
}

/// Delivery methods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Channel {
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

/// How certain it is that the payload was delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// The receiver confirmed it.
    Confirmed,
    /// It was sent; there is no confirmation.
    Unconfirmed,
}

/// Sends `text` to a destination.
pub fn deliver(text: &str, destination: &Destination, env: &ClipboardEnv) -> Result<Delivery> {
    match destination {
        Destination::Stdout => to_stdout(text),
        Destination::File(path) => to_file(path, text),
        Destination::Clipboard => to_clipboard(text, env),
    }
}

/// Replaces invalid Unicode in paths, because JSON must be Unicode.
fn lossy<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
