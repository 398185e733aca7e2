//! `teddy setup AGENT`: shows the change that gives an agent access, and writes it after a confirmation.

use std::io::{BufRead, IsTerminal, Write};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::print::{print_text, say};
use crate::app::environment::Environment;
use crate::app::setup::{self, Agent, FileChange};
use crate::error::{Error, Result};
use crate::text::printable;

/// Unchanged lines shown around a change.
const AROUND: usize = 2;

/// The arguments of `teddy setup`.
#[derive(Debug, Args)]
pub struct SetupArgs {
    /// The agent; with --undo, the default is every agent.
    #[arg(value_name = "AGENT", value_parser = agents(), required_unless_present = "undo")]
    pub agent: Option<Agent>,
    /// Remove the entries that `teddy setup` added.
    #[arg(long)]
    pub undo: bool,
    /// Write without asking.
    #[arg(long)]
    pub yes: bool,
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    PossibleValuesParser::new(Agent::ALL.map(Agent::name)).try_map(|name| {
        Agent::ALL.into_iter().find(|agent| agent.name() == name).ok_or_else(|| "unknown agent".to_owned())
    })
}

/// Runs the command.
pub fn run(env: &Environment, args: &SetupArgs) -> Result<()> {
    let chosen = args.agent.map_or_else(|| Agent::ALL.to_vec(), |agent| vec![agent]);
    let mut changes: Vec<FileChange> = Vec::new();
    for agent in chosen {
        for change in setup::changes(env, agent, args.undo)? {
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
    }
    if changes.is_empty() {
        say(if args.undo { "nothing to remove" } else { "already set up" });
        return Ok(());
    }
    for change in &changes {
        print_text(&described(env, change))?;
    }
    if !args.yes && !confirmed()? {
        say("nothing was written");
        return Ok(());
    }
    setup::apply(env, &changes)?;
    for change in &changes {
        let verb = if change.after.is_some() { "wrote" } else { "removed" };
        say(&format!("{verb} {}", env.shown(&change.path)));
    }
    Ok(())
}

/// Asks for confirmation in a terminal; returns false without a terminal.
fn confirmed() -> Result<bool> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        say("no terminal to ask in; write these changes with --yes");
        return Ok(false);
    }
    let failed = |error| Error::io("read", std::path::Path::new("the answer"), error);
    eprint!("Write these changes? [y/N] ");
    std::io::stderr().flush().map_err(failed)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Formats a change as a diff. The lines that teddy adds or removes form one block.
fn described(env: &Environment, change: &FileChange) -> String {
    let lines = |text: &Option<String>| -> Vec<String> {
        text.iter().flat_map(|text| text.lines()).map(|line| printable(line).into_owned()).collect()
    };
    let (before, after) = (lines(&change.before), lines(&change.after));
    let start = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let left = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev()).take(left).take_while(|(one, other)| one == other).count();
    let state = match (&change.before, &change.after) {
        (None, _) => " (new)",
        (_, None) => " (removed)",
        _ => "",
    };
    let mut text = format!("{}{state}\n", env.shown(&change.path));
    let mut show = |mark: char, lines: &[String]| {
        for line in lines {
            text.push_str(&format!("{mark} {line}\n"));
        }
    };
    show(' ', &before[start.saturating_sub(AROUND)..start]);
    show('-', &before[start..before.len() - end]);
    show('+', &after[start..after.len() - end]);
    show(' ', &before[before.len() - end..(before.len() - end + AROUND).min(before.len())]);
    text
}
