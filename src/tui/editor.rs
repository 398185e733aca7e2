//! Runs the person's editor on a file or on text.

use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::platform::processes::{default_editor, split_command};

/// Command of the editor with its arguments, split as a shell would.
fn editor() -> Result<Vec<String>> {
    let named =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let fallback = default_editor();
    let command = named.unwrap_or_else(|| fallback.to_owned());
    split_command(&command)
        .ok_or_else(|| Error::input(format!("a quote is not closed in $EDITOR: {command}"), "close it, and try again"))
}

/// Runs the editor on a file and waits for it.
pub fn edit(path: &Path, line: u32) -> Result<()> {
    let words = editor()?;
    let Some((program, arguments)) = words.split_first() else {
        return Err(Error::input("$EDITOR is empty", "set it to your editor"));
    };
    let name = Path::new(program).file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut command = Command::new(program);
    command.args(arguments);
    match name.as_str() {
        "vi" | "vim" | "nvim" | "nano" | "emacs" | "emacsclient" | "kak" | "micro" | "joe" if line > 1 => {
            command.arg(format!("+{line}")).arg(path);
        }
        "hx" | "helix" | "subl" | "zed" if line > 1 => {
            command.arg(format!("{}:{line}", path.display()));
        }
        "code" | "codium" if line > 1 => {
            command.arg("-g").arg(format!("{}:{line}", path.display()));
        }
        _ => {
            command.arg(path);
        }
    }
    let status = command.status().map_err(|source| Error::io("run", program, source))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::negative(format!("{program} failed: {status}"), "nothing was changed"))
    }
}

/// Runs the editor on text; returns the edited text.
pub fn edit_text(text: &str) -> Result<String> {
    let file = tempfile::Builder::new().prefix("teddy-task-").suffix(".md").tempfile();
    let file = file.map_err(|source| Error::io("create", std::env::temp_dir(), source))?;
    std::fs::write(file.path(), text).map_err(|source| Error::io("write", file.path(), source))?;
    edit(file.path(), 1)?;
    std::fs::read_to_string(file.path()).map_err(|source| Error::io("read", file.path(), source))
}
