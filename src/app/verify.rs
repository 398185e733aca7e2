//! Checks a payload's hashes against its own text and against the sources.

use std::path::PathBuf;

use super::environment::Environment;
use super::input::{is_stdin, read_text};
use super::show;
use crate::error::{Error, Result};
use crate::project::PAYLOAD_BYTES;
use crate::render::{self, VerifyReport};

/// A payload that was checked.
pub struct VerifiedPayload {
    /// Its name for messages.
    pub name: String,
    /// The result.
    pub report: VerifyReport,
}

/// Verifies the payload in a file, or in the files of its parts; without files, the last delivered payload.
pub fn verify(env: &Environment, files: &[PathBuf]) -> Result<VerifiedPayload> {
    let (name, text) = if files.is_empty() { last(env)? } else { named(env, files)? };
    if let Some(format) = format_without_hashes(&text) {
        let what = format!("{name} is in the {format} format, which has no hashes");
        return Err(Error::input(what, "only hybrid and xml payloads and packs can be verified: --format hybrid"));
    }
    let report = render::verify(&text, &env.root);
    Ok(VerifiedPayload { name, report })
}

fn last(env: &Environment) -> Result<(String, String)> {
    let turn = env.turn(None)?;
    Ok((env.shown(&turn.delivered_file()), show::payload(env, &turn)?))
}

fn named(env: &Environment, files: &[PathBuf]) -> Result<(String, String)> {
    let texts: Result<Vec<String>> = files.iter().map(|file| read_text(env, file, PAYLOAD_BYTES)).collect();
    let name = match files {
        [file] if is_stdin(file) => "standard input".to_owned(),
        [file] => file.display().to_string(),
        files => format!("the payload in {} files", files.len()),
    };
    let text = render::split::join(&texts?).ok_or_else(|| {
        Error::input(
            format!("{name} is incomplete: these are not all parts of one payload"),
            "pass every part: teddy verify out.*of3.md",
        )
    })?;
    Ok((name, text))
}

/// The format of a payload that has no hashes; `None` for any other text.
fn format_without_hashes(text: &str) -> Option<&'static str> {
    // A template may have added text before the payload, so this searches all lines for the format's headings.
    let has = |heading: &str| text.lines().any(|line| line == heading);
    if has("# Agent Invocation Payload") && !has("## META") {
        return Some("invocation");
    }
    let prompt = has("## Project Structure") && has("## Request") && !has("## META");
    prompt.then_some("prompt")
}
