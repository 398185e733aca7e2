//! `teddy sessions`: every session, the one touched last first.

use std::time::UNIX_EPOCH;

use serde_json::json;

use super::args::SessionsCommand;
use super::output::{print_json, print_text, say};
use super::world::World;
use crate::error::{Error, Result};
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::project::{clock, rearrange};
use crate::text::{counted, printable};

/// What a list says about one session.
struct Row {
    name: String,
    goal: String,
    turns: usize,
    state: String,
    touched: String,
}

/// Runs the command.
pub fn run(world: &World, as_json: bool) -> Result<()> {
    let sessions = world.project.as_ref().map(session::list).unwrap_or_default();
    let rows: Vec<Row> = sessions.iter().map(row).collect();
    if as_json {
        let list: Vec<_> = rows
            .iter()
            .map(|row| json!({"name": row.name, "goal": row.goal, "turns": row.turns, "state": row.state, "touched": row.touched}))
            .collect();
        return print_json(&json!(list).to_string());
    }
    if rows.is_empty() {
        say("there are no sessions here yet; start one: teddy plan \"Add refunds to the payment service\"");
        return Ok(());
    }
    let widest = rows.iter().map(|row| row.name.len()).max().unwrap_or_default().min(60);
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let turns = counted(row.turns, "turn");
            let goal = printable(&row.goal).into_owned();
            format!(
                "{:<widest$}  {:>8}  {:<9}  {}  {goal}\n",
                printable(&row.name),
                turns,
                row.state,
                &row.touched[..10]
            )
        })
        .collect();
    print_text(&lines.concat())
}

/// Renames or deletes a session.
pub fn change(world: &World, command: &SessionsCommand) -> Result<()> {
    let find = |name: &str| session::find(world.project()?, &world.cwd, name);
    match command {
        SessionsCommand::Rename { session, name } => {
            let session = find(session)?;
            let renamed = rearrange::rename(&session, name)?;
            print_text(&format!("{} is now {}\n", printable(session.name()), printable(renamed.name())))
        }
        SessionsCommand::Delete { session, yes } => {
            let session = find(session)?;
            let turns = turn::turns(&session).len();
            let what = if turns == 1 { "its turn".to_owned() } else { format!("its {turns} turns") };
            if !yes {
                return Err(Error::input(
                    format!("`{}` would be deleted for good, with {what}", session.name()),
                    format!("if that is meant: teddy sessions delete {} --yes", session.name()),
                ));
            }
            rearrange::delete(&session)?;
            print_text(&format!("deleted {} with {what}\n", printable(session.name())))
        }
    }
}

fn row(session: &Session) -> Row {
    let turns = turn::turns(session);
    let state = turns.last().and_then(|id| Turn::open(session, *id).ok()).map_or(TurnState::Open, |turn| turn.state());
    // A broken session.yaml must not hide the session; `show` tells what is wrong with it.
    let goal = match session.meta() {
        Ok(meta) => meta.goal().lines().next().unwrap_or_default().to_owned(),
        Err(error) => format!("({error})"),
    };
    let touched = session.touched().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Row {
        name: session.name().to_owned(),
        goal,
        turns: turns.len(),
        state: state.to_string(),
        touched: clock::iso(touched.cast_signed()),
    }
}
