//! Input from a named file, standard input or the clipboard.

use std::path::Path;

use super::environment::Environment;
use crate::deliver::{self, ClipboardEnv};
use crate::error::{Error, Result};
use crate::project::config::Clipboard;
use crate::project::files;

/// File name that stands for standard input.
pub const STDIN: &str = "-";

/// Returns true if a file name stands for standard input.
pub fn is_stdin(file: &Path) -> bool {
    file == Path::new(STDIN)
}

/// Reads a named file, or standard input for `-`.
pub fn read_text(env: &Environment, file: &Path, max_bytes: u64) -> Result<String> {
    if is_stdin(file) {
        return read_stdin(max_bytes);
    }
    let missing = || Error::Missing { kind: "file", name: file.to_string_lossy().into_owned(), nearest: None };
    files::read_named(&env.cwd.join(file), max_bytes)?.ok_or_else(missing)
}

/// Reads standard input.
pub fn read_stdin(max_bytes: u64) -> Result<String> {
    files::read_all(std::io::stdin().lock(), Path::new("standard input"), max_bytes)
}

/// Reads the clipboard, for `--clipboard`.
pub fn from_clipboard(env: &Environment) -> Result<String> {
    if env.config.clipboard == Clipboard::Off {
        return Err(Error::input(
            "--clipboard is not possible: the configuration has `clipboard: off`",
            "name a file, or change the configuration",
        ));
    }
    deliver::from_clipboard(&clipboard(env)).map(|(text, _)| text)
}

/// The clipboards that the configuration allows.
pub fn clipboard(env: &Environment) -> ClipboardEnv {
    ClipboardEnv { only: env.config.clipboard, ..ClipboardEnv::from_process() }
}

/// Rejects an empty task.
pub fn not_empty(task: String) -> Result<String> {
    if task.trim().is_empty() {
        return Err(Error::input("the task is empty", "describe what should be done in a sentence or two"));
    }
    Ok(task)
}
