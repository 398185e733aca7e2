//! Rows for lists of sessions.

use std::time::UNIX_EPOCH;

use super::backend::{SessionRow, TurnRow};
use super::environment::Environment;
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnState};
use crate::project::{checkpoint, clock};
use crate::redact::message;

/// Facts about a session for lists.
pub struct SessionSummary {
    /// Name.
    pub name: String,
    /// Goal, redacted, or the reason why it cannot be read.
    pub goal: String,
    /// Number of turns.
    pub turns: usize,
    /// State of the last turn.
    pub state: TurnState,
    /// Time of the last change, in ISO 8601.
    pub touched: String,
}

impl SessionSummary {
    /// The facts about a session.
    pub fn of(session: &Session) -> Self {
        let turns = turn::turns(session);
        let last = turns.last().and_then(|id| Turn::open(session, *id).ok());
        let goal = session.meta().map_or_else(|error| format!("({error})"), |meta| meta.goal().to_owned());
        let touched = session.touched().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self {
            name: session.name().to_owned(),
            goal: message(&goal).into_owned(),
            turns: turns.len(),
            state: last.as_ref().map_or(TurnState::Open, Turn::state),
            touched: clock::iso(touched.cast_signed()),
        }
    }

    /// First line of the goal.
    pub fn heading(&self) -> &str {
        self.goal.lines().next().unwrap_or_default()
    }

    /// Day of the last change.
    pub fn day(&self) -> &str {
        self.touched.split('T').next().unwrap_or_default()
    }
}

/// A row of the screen's list of sessions.
pub fn row(env: &Environment, session: &Session) -> SessionRow {
    let listed = SessionSummary::of(session);
    let heading = listed.heading().to_owned();
    let SessionSummary { name, goal, state, touched, .. } = listed;
    let turns = turn::turns(session).into_iter().filter_map(|id| Turn::open(session, id).ok());
    let turns = turns.map(|turn| {
        let task = checkpoint::load_record(&turn).map(|found| found.record.message).unwrap_or_default();
        let task = if task.is_empty() { goal.clone() } else { message(&task).into_owned() };
        let task = task.lines().next().unwrap_or_default().to_owned();
        TurnRow { id: turn.id().to_string(), state: turn.state().to_string(), task }
    });
    let turns = turns.collect();
    let mut opened = turn::turns(session).into_iter().rev().filter_map(|id| Turn::open(session, id).ok());
    let last = opened.find_map(|turn| Some((checkpoint::load(&turn).ok()??.context_summary, turn)));
    let read = |turn: &Turn| env.existing_project()?.read_payload(&turn.delivered_file()).ok().flatten();
    let preview = last.as_ref().and_then(|(_, turn)| summary(&read(turn)?));
    SessionRow {
        name,
        turns,
        state: state.to_string(),
        tokens: last.as_ref().map(|(held, _)| held.tokens_used),
        estimated: last.is_some_and(|(held, _)| held.estimated),
        touched: touched.get(..16).unwrap_or(&touched).replace('T', " "),
        preview: preview.unwrap_or(goal),
        goal: heading,
    }
}

/// The SUMMARY section of a payload, or else its beginning.
fn summary(payload: &str) -> Option<String> {
    let heading = |line: &str| line == "## SUMMARY" || line == "<summary>";
    let at = payload.lines().position(heading)?;
    let lines =
        payload.lines().skip(at + 1).take_while(|line| !line.starts_with("## ") && *line != "</summary>").take(30);
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
