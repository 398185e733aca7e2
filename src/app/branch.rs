//! Branches: other attempts at the same turn.

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::project::session::{self, Session};
use crate::project::session_ops;
use crate::project::turn::{self, Turn};

/// Creates a branch of a turn, or of a session's last turn; returns `session/turn`.
pub fn branch(env: &Environment, which: &str, message: Option<&str>) -> Result<String> {
    let (session, id) = session::locate(env.project()?, &env.cwd, Some(which))?;
    match id {
        Some(id) => Ok(named(&session_ops::branch(&Turn::open(&session, id)?, message)?)),
        None => of_last(&session, message),
    }
}

/// Creates a branch of a session's last turn; returns `session/turn`.
pub fn of_last(session: &Session, message: Option<&str>) -> Result<String> {
    let none = || {
        let what = format!("`{}` has no turn to branch from", session.name());
        Error::negative(what, format!("start one: teddy resume {}", session.name()))
    };
    let last = Turn::open(session, turn::latest_turn(session).ok_or_else(none)?)?;
    session_ops::branch(&last, message).map(|turn| named(&turn))
}

fn named(turn: &Turn) -> String {
    format!("{}/{}", turn.session().name(), turn.id())
}
