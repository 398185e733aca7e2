//! The command line: arguments, and one file a command that parses, calls a use case and prints.
//!
//! | shared by the commands | module |
//! | --- | --- |
//! | arguments | `args`, `requests`, `redact_args` |
//! | output | `output`, `parts`, `pipe`, `table`, `json`, `progress` |
//! | the screen | `screen`, `welcome` |

mod ack;
mod answer;
pub mod args;
mod branch;
mod completions;
mod doctor;
mod explain;
mod fetch;
mod handoff;
mod init;
mod json;
mod log;
mod man;
mod memo;
mod output;
mod pack;
mod parts;
mod pipe;
mod plan;
mod progress;
mod redact_args;
pub mod redactions;
mod replay;
mod requests;
mod resume;
pub mod screen;
mod sessions;
mod show;
mod table;
mod tour;
mod verify;
mod welcome;

use args::{Cli, Command};
use clap::Parser;

use crate::app::environment::Environment;
use crate::app::screen::Screen;
use crate::app::trace;
use crate::deliver::{self, SERVE_COMMAND};
use crate::error::{Error, Result};
use crate::redact::message;
use crate::text::printable;

/// Reads the command line, does what it says, and returns the exit code.
pub fn main(screen: &dyn Screen) -> u8 {
    let mut arguments = std::env::args_os().skip(1);
    // Not for people, so not among the commands that help and completions offer.
    let serves = arguments.next().is_some_and(|first| first == SERVE_COMMAND) && arguments.next().is_none();
    let done = if serves {
        deliver::serve()
    } else {
        match Cli::try_parse() {
            Ok(mut cli) => redact_args::clean(&mut cli).and_then(|()| traced(&cli, screen)),
            Err(error) => return answer(&error),
        }
    };
    done.map_or_else(
        |error| {
            report(&error);
            error.exit_code()
        },
        |()| 0,
    )
}

/// Runs a command, traced where that is asked for.
fn traced(cli: &Cli, screen: &dyn Screen) -> Result<()> {
    let log = trace::start(cli.verbose)?;
    let done = run(cli, screen);
    match &done {
        Ok(()) => trace::note("done"),
        Err(error) => trace::note(&format!("exit {}: {error}", error.exit_code())),
    }
    if let Some(log) = log {
        output::say(&format!("traced in {}", log.display()));
    }
    done
}

/// Prints help, the version, or what is wrong with the call.
fn answer(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        let _ = error.print();
        return 0;
    }
    // The message repeats what was given, which may be anything.
    for line in error.render().to_string().lines() {
        eprintln!("{}", printable(&message(line)));
    }
    2
}

/// Runs a command that was parsed.
fn run(cli: &Cli, screen: &dyn Screen) -> Result<()> {
    if let Some(theme) = &cli.theme {
        screen.check_theme(theme)?;
    }
    // These need no project, and must work where one is broken.
    match &cli.command {
        Some(Command::Completions { shell }) => return completions::run(*shell),
        Some(Command::Man(args)) => return man::run(args),
        Some(Command::Tour) => return tour::run(cli, screen),
        _ => {}
    }
    let env = Environment::open(cli.directory.as_deref())?;
    if shown_on_screen(cli, screen)? {
        return Ok(());
    }
    match &cli.command {
        None if env.project.is_none() => welcome::run(&env),
        None => sessions::run(&env, false),
        Some(Command::Init) => init::run(&env),
        Some(Command::Plan(args)) => plan::run(&env, args),
        Some(Command::Resume(args)) => resume::run(&env, args),
        Some(Command::Sessions(args)) => match &args.command {
            Some(change) => sessions::change(&env, change),
            None => sessions::run(&env, args.json),
        },
        Some(Command::Show(args)) => show::run(&env, args),
        Some(Command::Memo(args)) => memo::run(&env, &args.command),
        Some(Command::Explain(args)) => explain::run(&env, args),
        Some(Command::Verify(args)) => verify::run(&env, args),
        Some(Command::Pack(args)) => pack::run(&env, args),
        Some(Command::Doctor(args)) => doctor::run(&env, args),
        Some(Command::Ack(args)) => ack::run(&env, args),
        Some(Command::Log(args)) => log::run(&env, args, cli.ascii),
        Some(Command::Handoff(args)) => handoff::run(&env, args, screen),
        Some(Command::Redactions(args)) => redactions::run(&env, args),
        Some(Command::Completions { .. } | Command::Man(_) | Command::Tour) => Ok(()),
        Some(Command::Answer(args)) => answer::run(&env, args),
        Some(Command::Branch(args)) => branch::run(&env, args),
        Some(Command::Fetch(args)) => fetch::run(&env, args),
        Some(Command::Replay(args)) => replay::run(&env, args),
    }
}

/// Opens the screen if it is wanted; returns true if it was.
fn shown_on_screen(cli: &Cli, on: &dyn Screen) -> Result<bool> {
    match &cli.command {
        None if screen::has_terminal() => screen::sessions(cli, on).map(|()| true),
        Some(Command::Plan(args)) if screen::wanted(&args.output) => screen::plan(cli, args, on).map(|()| true),
        Some(Command::Resume(args)) if screen::wanted(&args.output) => screen::resume(cli, args, on).map(|()| true),
        _ => Ok(false),
    }
}

/// Prints an error the way every command does: what happened, then what to do next.
pub fn report(error: &Error) {
    for line in error.to_string().lines() {
        eprintln!("teddy: {}", printable(&message(line)));
    }
    if let Some(hint) = error.hint() {
        for line in hint.lines() {
            eprintln!("  hint: {}", printable(&message(line)));
        }
    }
}
