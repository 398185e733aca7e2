//! A session with its turns, and a turn's payload, as they are on disk.

use std::path::PathBuf;

use super::ack::ack_file;
use super::environment::Environment;
use super::usage::{self, TurnUsage};
use crate::error::{Error, Result};
use crate::project::checkpoint;
use crate::project::session::{self, SessionMeta};
use crate::project::turn::{self, Turn, TurnId, TurnRecord, TurnState};

/// A session and its turns.
pub struct SessionOverview {
    /// The session's name.
    pub name: String,
    /// `session.yaml`.
    pub meta: SessionMeta,
    /// The turns, in order.
    pub turns: Vec<TurnOverview>,
}

/// One turn.
pub struct TurnOverview {
    /// Its id.
    pub id: TurnId,
    /// Its state.
    pub state: TurnState,
    /// `turn.yaml`.
    pub record: TurnRecord,
    /// The handoff, if there is one.
    pub handoff: Option<PathBuf>,
    /// The acknowledgement, if there is one.
    pub acknowledgement: Option<PathBuf>,
    /// The delivered payload, if there is one.
    pub payload: Option<PathBuf>,
    /// The items that were used, once there is an answer or a report.
    pub usage: Option<TurnUsage>,
}

/// The named session, or the most recently used one.
pub fn overview(env: &Environment, which: Option<&str>) -> Result<SessionOverview> {
    let (session, _) = session::locate(env.project()?, &env.cwd, which)?;
    let turns = turn::turns(&session).into_iter().map(|id| turn_overview(env, &Turn::open(&session, id)?));
    Ok(SessionOverview { name: session.name().to_owned(), meta: session.meta()?, turns: turns.collect::<Result<_>>()? })
}

fn turn_overview(env: &Environment, turn: &Turn) -> Result<TurnOverview> {
    let there = |file: PathBuf| Some(file).filter(|file| file.is_file());
    Ok(TurnOverview {
        id: turn.id(),
        state: turn.state(),
        record: checkpoint::load_record(turn)?.record,
        handoff: there(turn.handoff_file()),
        acknowledgement: there(ack_file(turn)),
        payload: there(turn.delivered_file()),
        usage: usage::of_turn(env, turn)?,
    })
}

/// The payload as delivered.
pub fn payload(env: &Environment, turn: &Turn) -> Result<String> {
    let none = || {
        let what = format!("turn {} of `{}` has no payload yet", turn.id(), turn.session().name());
        Error::negative(what, format!("create it: teddy resume {}/{}", turn.session().name(), turn.id()))
    };
    env.project()?.read_payload(&turn.delivered_file())?.ok_or_else(none)
}
