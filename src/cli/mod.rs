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
mod resume;
mod run;
mod sessions;
mod shape;
mod show;
mod standing;
mod store;
mod table;
mod verify;
mod world;

use args::{Cli, Command};
use clap::Parser;
use world::World;

use crate::deliver;
use crate::error::{Error, Result};
use crate::text::printable;

/// Reads the command line; the error is the exit code, once everything is said.
pub fn parse() -> std::result::Result<Cli, u8> {
    Cli::try_parse().map_err(|error| {
        if !error.use_stderr() {
            let _ = error.print();
            return 0;
        }
        // The message repeats what was given, which may be anything.
        for line in error.render().to_string().lines() {
            eprintln!("{}", printable(line));
        }
        2
    })
}

/// Runs a command that was parsed.
pub fn run(cli: &Cli) -> Result<()> {
    match &cli.command {
        // These two need no project, and must work where one is broken.
        Some(Command::Completions { shell }) => return completions::run(*shell),
        Some(Command::ClipboardServe) => return deliver::serve(),
        _ => {}
    }
    let world = World::open(cli.directory.as_deref())?;
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
