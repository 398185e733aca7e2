//! `teddy verify FILE`: is the payload whole, and are its sources still what they were?

use std::path::Path;

use super::args::VerifyArgs;
use super::output::{print_text, say};
use super::plan::read_text;
use super::show;
use super::world::World;
use crate::error::{Error, Result};
use crate::project::turn::{self, Turn};
use crate::project::{PAYLOAD_BYTES, session};
use crate::render;
use crate::text::printable;

/// Runs the command: 0 fresh, 1 stale, 2 damaged.
pub fn run(world: &World, args: &VerifyArgs) -> Result<()> {
    let (name, text) = match &args.file {
        Some(file) if file == Path::new("-") => ("standard input".to_owned(), read_text(world, file, PAYLOAD_BYTES)?),
        Some(file) => (file.display().to_string(), read_text(world, file, PAYLOAD_BYTES)?),
        None => last(world)?,
    };
    if let Some(format) = without_hashes(&text) {
        let what = format!("{name} is in the {format} format, which carries no hashes");
        return Err(Error::input(what, "only hybrid payloads and packs can be verified: --format hybrid"));
    }
    let verdict = render::verify(&text, &world.root);
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
        let what = format!("{name} is not the payload that was made");
        return Err(Error::input(what, "make it again: teddy resume"));
    }
    let stale = verdict.changed.len() + verdict.missing.len();
    if stale > 0 {
        let what = format!("{name} is stale: {stale} of {} sources changed since", verdict.sources);
        return Err(Error::negative(what, "make it again: teddy resume"));
    }
    print_text(&format!("{name} is whole; its {} sources are unchanged\n", verdict.sources))
}

/// The format of a payload that says nothing about its sources, as far as it can be told.
fn without_hashes(text: &str) -> Option<&'static str> {
    if text.trim_start().starts_with("# Agent Invocation Payload") {
        return Some("invocation");
    }
    // A user's own header may say anything; the two headings are the format's own.
    let has = |heading: &str| text.lines().any(|line| line == heading);
    let prompt = has("## Project Structure") && has("## Request") && !has("## META");
    prompt.then_some("prompt")
}

fn last(world: &World) -> Result<(String, String)> {
    let (session, _) = session::locate(world.project()?, &world.cwd, None)?;
    let none = || Error::negative(format!("`{}` has no turn yet", session.name()), "name a file");
    let turn = Turn::open(&session, turn::latest_turn(&session).ok_or_else(none)?)?;
    Ok((world.shown(&turn.delivered_file()), show::payload(world, &turn)?))
}
