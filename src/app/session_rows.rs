//! Sessions as rows of a list, and turns that await a report.

use std::time::UNIX_EPOCH;

use super::backend::{AnsweredTurn, SessionRow};
use super::environment::Environment;
use crate::error::Result;
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnState};
use crate::project::{checkpoint, clock};
use crate::redact::message;

/// What the screen shows of a turn that has a plan.
pub fn planned(env: &Environment, turn: &Turn) -> Result<AnsweredTurn> {
    let plan = env.project()?.read(&turn.plan_file())?.unwrap_or_default();
    let (plan, _) = env.redaction()?.redact(&plan, "plan.md");
    Ok(AnsweredTurn { session: turn.session().name().to_owned(), turn: turn.id().to_string(), plan: plan.into_owned() })
}

/// What every list says about a session.
pub struct SessionSummary {
    /// Its name.
    pub name: String,
    /// What it is for, secrets replaced; where that cannot be read, why: `show` tells more.
    pub goal: String,
    /// How many turns it has.
    pub turns: usize,
    /// How far the last one is.
    pub state: TurnState,
    /// When it was touched last, in ISO 8601.
    pub touched: String,
}

impl SessionSummary {
    /// What there is to say about this one.
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

    /// The first line of what it is for.
    pub fn heading(&self) -> &str {
        self.goal.lines().next().unwrap_or_default()
    }

    /// The day on which it was touched last.
    pub fn day(&self) -> &str {
        self.touched.split('T').next().unwrap_or_default()
    }
}

/// One line of the screen's list of sessions.
pub fn row(env: &Environment, session: &Session) -> SessionRow {
    let listed = SessionSummary::of(session);
    let heading = listed.heading().to_owned();
    let SessionSummary { name, goal, turns, state, touched } = listed;
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

/// The SUMMARY section of a payload, or its beginning.
fn summary(payload: &str) -> Option<String> {
    let heading = |line: &str| line == "## SUMMARY" || line == "<summary>";
    let at = payload.lines().position(heading)?;
    let lines =
        payload.lines().skip(at + 1).take_while(|line| !line.starts_with("## ") && *line != "</summary>").take(30);
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
