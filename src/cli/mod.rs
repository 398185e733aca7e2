//! The command line: one file per command, which calls a use case and prints the result.
//!
//! | shared by the commands | module |
//! | --- | --- |
//! | arguments | `commands`, `args`, `redact_args` |
//! | output | `print`, `output`, `parts`, `pipe`, `table`, `json`, `progress`, `interrupt` |
//! | the screen | `screen`, `welcome` |

mod ack;
mod answer;
mod args;
mod bench;
mod branch;
pub mod commands;
mod completions;
mod doctor;
mod explain;
mod fetch;
mod handoff;
mod init;
mod interrupt;
mod json;
mod man;
mod mcp;
mod memo;
mod output;
mod pack;
mod parts;
mod pipe;
mod plan;
mod print;
mod progress;
mod redact_args;
mod redactions;
mod replay;
mod resume;
mod review;
mod screen;
mod sessions;
mod setup;
mod show;
mod stats;
mod table;
mod tour;
mod verify;
mod welcome;

use std::time::Instant;

use clap::{CommandFactory, Parser};
use commands::{Cli, Command};

use crate::app::agents::AgentServer;
use crate::app::debug_log;
use crate::app::environment::Environment;
use crate::app::screen::Screen;
use crate::deliver::{self, SERVE_COMMAND};
use crate::error::{Error, Result};
use crate::redact::message;
use crate::text::printable;

/// Parses the command line and runs the command; returns the exit code.
pub fn main(screen: &dyn Screen, agents: &dyn AgentServer) -> u8 {
    let mut arguments = std::env::args_os().skip(1);
    // An internal command that help and completions do not show.
    let serves = arguments.next().is_some_and(|first| first == SERVE_COMMAND) && arguments.next().is_none();
    let result = if serves {
        deliver::serve()
    } else {
        match Cli::try_parse() {
            Ok(cli) => run_logged(cli, screen, agents),
            Err(error) => return print_clap_message(&error),
        }
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            report(&error);
            error.exit_code()
        }
    }
}

/// Runs a command, with the debug log if it was requested.
fn run_logged(cli: Cli, screen: &dyn Screen, agents: &dyn AgentServer) -> Result<()> {
    let start = Instant::now();
    let log_file = debug_log::start(cli.verbose)?;
    let result = run(cli, screen, agents);
    let exit_code = result.as_ref().map_or_else(Error::exit_code, |()| 0);
    let error = result.as_ref().err().map(ToString::to_string).unwrap_or_default();
    log::debug!(target: debug_log::TARGET, exit_code, error, ms = debug_log::ms(start); "end");
    if let Some(path) = log_file {
        print::say(&format!("log written to {}", path.display()));
    }
    result
}

/// Prints help, the version, or a usage error.
fn print_clap_message(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        let _ = error.print();
        return 0;
    }
    // The message quotes the arguments, which may contain a secret.
    for line in error.render().to_string().lines() {
        eprintln!("{}", printable(&message(line)));
    }
    2
}

fn run(mut cli: Cli, screen: &dyn Screen, agents: &dyn AgentServer) -> Result<()> {
    if let Some(theme) = &cli.theme {
        screen.check_theme(theme)?;
    }
    // These commands need no project, and must work if it is broken.
    match &cli.command {
        Some(Command::Completions { shell }) => return completions::run(*shell, Cli::command()),
        Some(Command::Man(args)) => return man::run(args, Cli::command()),
        Some(Command::Tour) => return tour::run(&cli, screen),
        _ => {}
    }
    let env = Environment::open(cli.directory.as_deref())?;
    redact_args::clean(&mut cli, &env)?;
    match &cli.command {
        None if screen::has_terminal() => return screen::sessions(&cli, env, screen),
        Some(Command::Plan(args)) if screen::wanted(&args.output) => {
            return screen::plan(&cli, env, args.request(), &args.output, screen);
        }
        Some(Command::Review(args)) if screen::wanted(&args.output) => {
            return screen::plan(&cli, env, args.request(), &args.output, screen);
        }
        Some(Command::Resume(args)) if screen::wanted(&args.output) => return screen::resume(&cli, env, args, screen),
        _ => {}
    }
    match &cli.command {
        None if env.existing_project().is_none() => welcome::run(&env),
        None => sessions::run(&env, false),
        Some(Command::Init) => init::run(&env),
        Some(Command::Plan(args)) => plan::run(&env, &args.request(), &args.output),
        Some(Command::Review(args)) => plan::run(&env, &args.request(), &args.output),
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
        Some(Command::Stats(args)) => stats::run(&env, args, cli.ascii),
        Some(Command::Bench(args)) => bench::run(&env, args, cli.ascii),
        Some(Command::Handoff(args)) => handoff::run(&env, args, screen),
        Some(Command::Redactions(args)) => redactions::run(&env, args),
        Some(Command::Completions { .. } | Command::Man(_) | Command::Tour) => Ok(()),
        Some(Command::Answer(args)) => answer::run(&env, args),
        Some(Command::Branch(args)) => branch::run(&env, args),
        Some(Command::Fetch(args)) => fetch::run(&env, args),
        Some(Command::Replay(args)) => replay::run(&env, args),
        Some(Command::Setup(args)) => setup::run(&env, args),
        Some(Command::Mcp(args)) => mcp::run(&env, args, agents),
    }
}

/// Prints an error, followed by its hint.
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
