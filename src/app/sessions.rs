//! Lists, renames and deletes sessions.

use std::time::UNIX_EPOCH;

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::project::{checkpoint, clock, session_ops};
use crate::redact::message;

/// A row of the list of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Session name.
    pub name: String,
    /// First line of the goal.
    pub goal: String,
    /// Its turns, in order.
    pub turns: Vec<TurnRow>,
    /// State of the last turn.
    pub state: String,
    /// Tokens of the last delivered payload, if any.
    pub tokens: Option<usize>,
    /// True if the tokens are an estimate.
    pub estimated: bool,
    /// Time of the last change: `2026-11-16 05:32`.
    pub touched: String,
    /// Summary of the last delivered payload, or the goal.
    pub preview: String,
}

/// A turn in the list of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRow {
    /// Turn id.
    pub id: String,
    /// State of the turn.
    pub state: String,
    /// The first line of its task.
    pub task: String,
}

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
        Self {
            name: session.name().to_owned(),
            goal: message(&goal).into_owned(),
            turns: turns.len(),
            state: last.as_ref().map_or(TurnState::Open, Turn::state),
            touched: clock::iso(touched(session)),
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

/// All sessions, most recently used first.
pub fn list(env: &Environment) -> Vec<SessionSummary> {
    let sessions = env.existing_project().map(session::list).unwrap_or_default();
    sessions.iter().map(SessionSummary::of).collect()
}

/// The rows of the screen's list of sessions.
pub fn rows(env: &Environment) -> Vec<SessionRow> {
    let sessions = env.existing_project().map(session::list).unwrap_or_default();
    sessions.iter().map(|session| row(env, session)).collect()
}

/// The session that a person named.
pub fn find(env: &Environment, name: &str) -> Result<Session> {
    session::find(env.project()?, &env.cwd, name)
}

/// Renames a session.
pub fn rename(env: &Environment, from: &str, to: &str) -> Result<(Session, Session)> {
    let session = find(env, from)?;
    let renamed = session_ops::rename(&session, to)?;
    Ok((session, renamed))
}

/// A session that has been deleted.
pub struct DeletedSession {
    /// Name.
    pub name: String,
    /// Number of turns that it had.
    pub turns: usize,
}

/// Deletes a session with everything in it. Without confirmation, the error says how to confirm.
pub fn delete(env: &Environment, name: &str, confirmed: bool) -> Result<DeletedSession> {
    let session = find(env, name)?;
    let turns = turn::turns(&session).len();
    if !confirmed {
        return Err(Error::input(
            format!("this would permanently delete `{}` with {}", session.name(), its_turns(turns)),
            format!("to confirm: teddy sessions delete {} --yes", session.name()),
        ));
    }
    session_ops::delete(&session)?;
    Ok(DeletedSession { name: session.name().to_owned(), turns })
}

/// A number of turns for a message: `its turn`, `its 3 turns`.
pub fn its_turns(turns: usize) -> String {
    if turns == 1 { "its turn".to_owned() } else { format!("its {turns} turns") }
}

/// Time of the last change, in seconds since 1970.
fn touched(session: &Session) -> i64 {
    session.touched().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()).cast_signed()
}

fn row(env: &Environment, session: &Session) -> SessionRow {
    let listed = SessionSummary::of(session);
    let heading = listed.heading().to_owned();
    let SessionSummary { name, goal, state, .. } = listed;
    let newest = turn::turns(session).into_iter().max();
    let turns = turn::turns(session).into_iter().filter_map(|id| Turn::open(session, id).ok());
    let turns = turns.map(|turn| {
        // The person continued without a report.
        let state = match turn.state() {
            TurnState::Planned if newest > Some(turn.id()) => TurnState::Done,
            state => state,
        };
        let task = checkpoint::load_record(&turn).map(|found| found.record.message).unwrap_or_default();
        let task = if task.is_empty() { goal.clone() } else { message(&task).into_owned() };
        let task = task.lines().next().unwrap_or_default().to_owned();
        TurnRow { id: turn.id().to_string(), state: state.to_string(), task }
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
        touched: clock::local(touched(session)),
        preview: preview.unwrap_or(goal),
        goal: heading,
    }
}

/// The SUMMARY section of a payload, or the beginning of a payload without one.
fn summary(payload: &str) -> Option<String> {
    let heading = |line: &str| line == "## SUMMARY" || line == "<summary>";
    let at = payload.lines().position(heading)?;
    let lines =
        payload.lines().skip(at + 1).take_while(|line| !line.starts_with("## ") && *line != "</summary>").take(30);
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
