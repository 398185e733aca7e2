//! `teddy sessions`: lists the sessions, most recently used first; renames and deletes them.

use std::io::IsTerminal;

use clap::{Args, Subcommand};
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use super::print::{print_json, print_text, say, terminal_width};
use crate::app::environment::Environment;
use crate::app::sessions;
use crate::error::Result;
use crate::text::{counted, fit_end, printable};

/// The arguments of `teddy sessions`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct SessionsArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Option<SessionsCommand>,
}

/// Actions on sessions.
#[derive(Debug, Subcommand)]
pub enum SessionsCommand {
    /// Rename a session.
    Rename {
        /// Session to rename.
        session: String,
        /// New name: letters, digits and dashes.
        name: String,
    },
    /// Delete a session with all its turns.
    Delete {
        /// Session to delete.
        session: String,
        /// Confirm the deletion.
        #[arg(long)]
        yes: bool,
    },
}

/// Runs the command.
pub fn run(env: &Environment, as_json: bool) -> Result<()> {
    let rows = sessions::list(env);
    if as_json {
        let list: Vec<_> = rows
            .iter()
            .map(|row| json!({"name": row.name, "goal": row.heading(), "turns": row.turns, "state": row.state.to_string(), "touched": row.touched}))
            .collect();
        return print_json(&json!(list).to_string());
    }
    if rows.is_empty() {
        say("no sessions yet; start one: teddy plan \"Add refunds to the payment service\"");
        return Ok(());
    }
    let widest = rows.iter().map(|row| row.name.width()).max().unwrap_or_default().min(60);
    let width = if std::io::stdout().is_terminal() { terminal_width() } else { usize::MAX };
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let turns = counted(row.turns, "turn");
            let (name, goal) = (printable(&row.name), printable(row.heading()));
            let gap = " ".repeat(widest.saturating_sub(name.width()));
            let line = format!("{name}{gap}  {turns:>8}  {:<9}  {}  {goal}", row.state.to_string(), row.day());
            format!("{}\n", fit_end(&line, width))
        })
        .collect();
    print_text(&lines.concat())
}

/// Renames or deletes a session.
pub fn change(env: &Environment, command: &SessionsCommand) -> Result<()> {
    match command {
        SessionsCommand::Rename { session, name } => {
            let (from, to) = sessions::rename(env, session, name)?;
            print_text(&format!("{} is now {}\n", printable(from.name()), printable(to.name())))
        }
        SessionsCommand::Delete { session, yes } => {
            let deleted = sessions::delete(env, session, *yes)?;
            let turns = sessions::its_turns(deleted.turns);
            print_text(&format!("deleted {} with {turns}\n", printable(&deleted.name)))
        }
    }
}
