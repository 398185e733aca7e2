//! What a run prints and where the payload goes: the document to standard output, everything else to standard error.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use super::args::OutputArgs;
use super::run::Run;
use super::world::World;
use super::{json, table};
use crate::deliver::{self, ClipboardEnv, Delivery, Destination, Receipt, TierTokens};
use crate::error::{Error, Result};
use crate::place::Tier;
use crate::project::session::Session;
use crate::text::printable;

/// What a run made on disk.
#[derive(Default)]
pub struct Made {
    /// What `init` made.
    pub paths: Vec<PathBuf>,
    /// The session.
    pub session: Option<Session>,
    /// The payload's copy in the turn.
    pub saved: Option<PathBuf>,
}

/// Refuses a destination that cannot work before anything is written.
pub fn check(world: &World, args: &OutputArgs) -> Result<()> {
    let Some(path) = &args.output else { return Ok(()) };
    let path = world.cwd.join(path);
    if path.is_dir() {
        return Err(Error::input(format!("{} is a directory", path.display()), "name a file in it with -o"));
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => Err(Error::input(
            format!("{} does not exist", parent.display()),
            "make the directory first, or name another file with -o",
        )),
        _ => Ok(()),
    }
}

/// Sends the payload where it was asked to go, and says how that went.
pub fn finish(world: &World, run: &Run, args: &OutputArgs, made: &Made) -> Result<()> {
    for path in &made.paths {
        say(&format!("created {}", world.shown(path)));
    }
    for note in &run.notes {
        say(&format!("note: {note}"));
    }
    for refused in &world.config.refused {
        say(&format!("note: {}: `{}` is ignored: {}", world.shown(&refused.0), refused.1, refused.2));
    }
    let terminal = std::io::stdout().is_terminal();
    if args.json {
        print_text(&json::plan(world, run, made))?;
    } else if terminal && !args.stdout {
        print_text(&table::placement(run, terminal_width()))?;
    }
    let payload = run.payload();
    let mut receipt = receipt(run, made);
    let result = destinations(world, args, terminal)
        .iter()
        .try_for_each(|destination| send(&payload, destination, &mut receipt, made));
    say_lines(&receipt.to_string());
    if run.placement().over > 0 {
        say(&format!(
            "over budget by {} tokens: the pins alone need {} of {}",
            crate::text::thousands(run.placement().over),
            crate::text::thousands(run.placement().usage.total),
            crate::text::thousands(run.placement().limit),
        ));
    }
    result
}

fn send(payload: &str, destination: &Destination, receipt: &mut Receipt, made: &Made) -> Result<()> {
    let env = ClipboardEnv::from_process();
    let delivery: Delivery = deliver::deliver(payload, destination, &env).map_err(|error| match &made.saved {
        Some(saved) => error.saved_in(saved),
        None => error,
    })?;
    receipt.deliveries.push(delivery);
    Ok(())
}

fn destinations(world: &World, args: &OutputArgs, terminal: bool) -> Vec<Destination> {
    let mut destinations = Vec::new();
    if let Some(path) = &args.output {
        destinations.push(Destination::File(world.cwd.join(path)));
    }
    if args.copy {
        destinations.push(Destination::Clipboard);
    }
    // Without a terminal the payload is what the next program in the pipe wants.
    if args.stdout || (destinations.is_empty() && !terminal && !args.json) {
        destinations.push(Destination::Stdout);
    }
    destinations
}

fn receipt(run: &Run, made: &Made) -> Receipt {
    let placement = run.placement();
    let tier = |tier: Tier, tokens: usize| TierTokens { items: placement.tier(tier).count(), tokens };
    Receipt {
        raw: tier(Tier::Raw, placement.usage.raw),
        linked: tier(Tier::Linked, placement.usage.linked),
        summary: tier(Tier::Summary, placement.usage.summary),
        total: placement.usage.total,
        limit: placement.limit,
        deliveries: Vec::new(),
        saved: made.saved.clone(),
    }
}

/// Prints to standard output; a pipe that closed early is not an error.
pub fn print_text(text: &str) -> Result<()> {
    deliver::to_stdout(text).map(drop)
}

/// One line for the person, harmless whatever is in it.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(line));
}

fn say_lines(text: &str) {
    text.lines().for_each(say);
}

fn terminal_width() -> usize {
    crossterm::terminal::size().map_or(100, |(columns, _)| usize::from(columns).clamp(50, 200))
}
