//! What the screen shows of sessions and of a turn that has a plan.

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use super::world::World;
use crate::error::Result;
use crate::project::clock;
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnState};
use crate::text::printable;
use crate::tui::{Planned, SessionRow};

/// What the screen shows of a turn that has a plan.
pub fn planned(world: &World, turn: &Turn) -> Result<Planned> {
    let plan = world.project()?.read(&turn.plan_file())?.unwrap_or_default();
    let (plan, _) = world.redaction()?.redact(&plan, "plan.md");
    Ok(Planned { session: turn.session().name().to_owned(), turn: turn.id().to_string(), plan: plan.into_owned() })
}

/// One line of the list of sessions.
pub fn row(world: &World, session: &Session) -> SessionRow {
    let turns = turn::turns(session);
    let last = turns.last().and_then(|id| Turn::open(session, *id).ok());
    let state = last.as_ref().map_or(TurnState::Open, Turn::state);
    let goal = session.meta().map_or_else(|error| format!("({error})"), |meta| meta.goal().to_owned());
    let touched = session.touched().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let touched = clock::iso(touched.cast_signed());
    let delivered = turns.iter().rev().filter_map(|id| Turn::open(session, *id).ok());
    let read = |path: PathBuf| world.project.as_ref().and_then(|project| project.read_payload(&path).ok().flatten());
    let (mut tokens, mut estimated) = (None, false);
    let mut preview = None;
    for turn in delivered {
        let Some(text) = read(turn.checkpoint_file()) else { continue };
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let held = &value["context_summary"];
        tokens = held["tokens_used"].as_u64().map(|tokens| tokens as usize);
        estimated = held["estimated"] == true;
        preview = read(turn.delivered_file()).as_deref().and_then(summary);
        break;
    }
    SessionRow {
        name: session.name().to_owned(),
        goal: goal.lines().next().unwrap_or_default().to_owned(),
        turns: turns.len(),
        state: state.to_string(),
        tokens,
        estimated,
        touched: touched.get(..16).unwrap_or(&touched).replace('T', " "),
        preview: preview.unwrap_or_else(|| printable(&goal).into_owned()),
    }
}

/// The SUMMARY section of a payload, or its beginning.
fn summary(payload: &str) -> Option<String> {
    let heading = |line: &str| line == "## SUMMARY" || line == "<summary>";
    let at = payload.lines().position(heading)?;
    let lines =
        payload.lines().skip(at + 1).take_while(|line| !line.starts_with("## ") && *line != "</summary>").take(30);
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
