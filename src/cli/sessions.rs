//! `teddy sessions`: lists the sessions, most recently used first; renames and deletes them.

use std::io::IsTerminal;

use serde_json::json;

use super::args::SessionsCommand;
use super::output::{print_json, print_text, say, terminal_width};
use crate::app::environment::Environment;
use crate::app::session_rows::SessionSummary;
use crate::error::{Error, Result};
use crate::project::{session, session_ops, turn};
use crate::text::{counted, fit_end, printable};

/// Runs the command.
pub fn run(env: &Environment, as_json: bool) -> Result<()> {
    let sessions = env.existing_project().map(session::list).unwrap_or_default();
    let rows: Vec<SessionSummary> = sessions.iter().map(SessionSummary::of).collect();
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
    let widest = rows.iter().map(|row| row.name.len()).max().unwrap_or_default().min(60);
    let width = if std::io::stdout().is_terminal() { terminal_width() } else { usize::MAX };
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let turns = counted(row.turns, "turn");
            let goal = printable(row.heading()).into_owned();
            let line = format!(
                "{:<widest$}  {:>8}  {:<9}  {}  {goal}",
                printable(&row.name),
                turns,
                row.state.to_string(),
                row.day()
            );
            format!("{}\n", fit_end(&line, width))
        })
        .collect();
    print_text(&lines.concat())
}

/// Renames or deletes a session.
pub fn change(env: &Environment, command: &SessionsCommand) -> Result<()> {
    let find = |name: &str| session::find(env.project()?, &env.cwd, name);
    match command {
        SessionsCommand::Rename { session, name } => {
            let session = find(session)?;
            let renamed = session_ops::rename(&session, name)?;
            print_text(&format!("{} is now {}\n", printable(session.name()), printable(renamed.name())))
        }
        SessionsCommand::Delete { session, yes } => {
            let session = find(session)?;
            let turns = turn::turns(&session).len();
            let what = if turns == 1 { "its turn".to_owned() } else { format!("its {turns} turns") };
            if !yes {
                return Err(Error::input(
                    format!("this would permanently delete `{}` with {what}", session.name()),
                    format!("to confirm: teddy sessions delete {} --yes", session.name()),
                ));
            }
            session_ops::delete(&session)?;
            print_text(&format!("deleted {} with {what}\n", printable(session.name())))
        }
    }
}
