//! `teddy branch TURN`: another attempt at a turn, beside it.

use clap::Args;

use super::output::{print_text, say};
use super::world::World;
use crate::error::{Error, Result};
use crate::project::rearrange;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn};

/// What `teddy branch` takes.
#[derive(Debug, Args)]
pub struct BranchArgs {
    /// The turn: `02` of the session touched last, `NAME/02`, or a path in it; of a session, its last turn.
    pub turn: String,
    /// What this attempt is about; without it what the turn is about.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
}

/// Runs the command.
pub fn run(world: &World, args: &BranchArgs) -> Result<()> {
    let (session, id) = session::locate(world.project()?, &world.cwd, Some(&args.turn))?;
    let name = match id {
        Some(id) => named(&rearrange::branch(&Turn::open(&session, id)?, args.message.as_deref())?),
        None => of_last(&session, args.message.as_deref())?,
    };
    print_text(&format!("branched: {name}\n"))?;
    say(&format!("go on with: teddy resume {name}"));
    Ok(())
}

/// Makes a branch of a session's last turn; returns `session/turn`. The screen calls this too.
pub fn of_last(session: &Session, message: Option<&str>) -> Result<String> {
    let none = || {
        let what = format!("`{}` has no turn to branch from", session.name());
        Error::negative(what, format!("start one: teddy resume {}", session.name()))
    };
    let last = Turn::open(session, turn::latest_turn(session).ok_or_else(none)?)?;
    rearrange::branch(&last, message).map(|turn| named(&turn))
}

fn named(turn: &Turn) -> String {
    format!("{}/{}", turn.session().name(), turn.id())
}
