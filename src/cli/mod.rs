//! The command line: one file a command. Settles flags, wires the five verbs, prints.

pub mod args;
mod completions;
mod doctor;
mod explain;
mod init;
mod json;
mod memo;
mod output;
mod plan;
mod prepare;
mod resume;
mod run;
pub mod screen;
mod sessions;
mod shape;
mod show;
mod standing;
mod store;
mod table;
mod verify;
mod world;

use args::{Cli, Command};
use world::World;

use crate::deliver;
use crate::error::{Error, Result};
use crate::text::printable;

/// Runs a command that was parsed.
pub fn run(cli: &Cli) -> Result<()> {
    match &cli.command {
        // These two need no project, and must work where one is broken.
        Some(Command::Completions { shell }) => return completions::run(*shell),
        Some(Command::ClipboardServe) => return deliver::serve(),
        _ => {}
    }
    let world = World::open(cli.directory.as_deref())?;
    if shown_on_screen(cli)? {
        return Ok(());
    }
    match &cli.command {
        None => sessions::run(&world, false),
        Some(Command::Init) => init::run(&world),
        Some(Command::Plan(args)) => plan::run(&world, args),
        Some(Command::Resume(args)) => resume::run(&world, args),
        Some(Command::Sessions(args)) => sessions::run(&world, args.json),
        Some(Command::Show(args)) => show::run(&world, args),
        Some(Command::Memo(args)) => memo::run(&world, &args.command),
        Some(Command::Explain(args)) => explain::run(&world, args),
        Some(Command::Verify(args)) => verify::run(&world, args),
        Some(Command::Doctor(args)) => doctor::run(&world, args),
        Some(Command::Completions { .. } | Command::ClipboardServe) => Ok(()),
    }
}

/// Opens the screen where one is wanted; true if that was all there was to do.
fn shown_on_screen(cli: &Cli) -> Result<bool> {
    let directory = cli.directory.as_deref();
    match &cli.command {
        None if screen::has_terminal() => screen::sessions(directory).map(|()| true),
        Some(Command::Plan(args)) if screen::wanted(&args.output) => screen::plan(directory, args).map(|()| true),
        Some(Command::Resume(args)) if screen::wanted(&args.output) => screen::resume(directory, args),
        _ => Ok(false),
    }
}

/// Prints an error the way every command does: what happened, then what to do next.
pub fn report(error: &Error) {
    for line in error.to_string().lines() {
        eprintln!("teddy: {}", printable(line));
    }
    if let Some(hint) = error.hint() {
        for line in hint.lines() {
            eprintln!("  hint: {}", printable(line));
        }
    }
}
