//! `teddy verify FILE`: checks a payload's hashes, and lists the sources that changed.

use std::path::PathBuf;

use super::args::VerifyArgs;
use super::output::{print_text, say};
use super::show;
use crate::app::environment::Environment;
use crate::app::input::{is_stdin, read_text};
use crate::error::{Error, Result};
use crate::project::PAYLOAD_BYTES;
use crate::render;
use crate::text::{printable, thousands};

/// Runs the command; exit code 1 if a source changed, 2 if the payload is damaged.
pub fn run(env: &Environment, args: &VerifyArgs) -> Result<()> {
    let (name, text) = match args.files.as_slice() {
        [] => last(env)?,
        files => named(env, files)?,
    };
    if let Some(format) = without_hashes(&text) {
        let what = format!("{name} is in the {format} format, which has no hashes");
        return Err(Error::input(what, "only hybrid and xml payloads and packs can be verified: --format hybrid"));
    }
    let verdict = render::verify(&text, &env.root);
    let list = |what: &str, paths: &[String]| {
        for path in paths {
            say(&format!("{what}: {path}"));
        }
    };
    list("damaged", &verdict.damaged);
    list("changed", &verdict.changed);
    list("missing", &verdict.missing);
    let name = printable(&name).into_owned();
    if !verdict.damaged.is_empty() {
        let what = format!("{name} was changed after it was created");
        return Err(Error::input(what, "create it again: teddy resume"));
    }
    let stale = verdict.changed.len() + verdict.missing.len();
    if stale > 0 {
        let what = format!("{name} is stale: {stale} of {} sources changed since", verdict.sources);
        return Err(Error::negative(what, "create it again: teddy resume"));
    }
    let unchanged = match verdict.sources {
        1 => "source is".to_owned(),
        sources => format!("{} sources are", thousands(sources)),
    };
    print_text(&format!("{name} is intact; its {unchanged} unchanged\n"))
}

/// Reads the payload from a file, or from the files of its parts.
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
            "name every part: teddy verify out.*of3.md",
        )
    })?;
    Ok((name, text))
}

/// Name of the format, if the text is a payload in a format without hashes.
fn without_hashes(text: &str) -> Option<&'static str> {
    // A template may add text before the payload, so the format's headings are searched for.
    let has = |heading: &str| text.lines().any(|line| line == heading);
    if has("# Agent Invocation Payload") && !has("## META") {
        return Some("invocation");
    }
    let prompt = has("## Project Structure") && has("## Request") && !has("## META");
    prompt.then_some("prompt")
}

fn last(env: &Environment) -> Result<(String, String)> {
    let turn = env.turn(None)?;
    Ok((env.shown(&turn.delivered_file()), show::payload(env, &turn)?))
}
