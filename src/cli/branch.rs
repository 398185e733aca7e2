//! `teddy branch TURN`: another attempt at a turn, beside it.

use clap::Args;

use super::output::{print_text, say};
use crate::app::branch;
use crate::app::environment::Environment;
use crate::error::Result;

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
pub fn run(env: &Environment, args: &BranchArgs) -> Result<()> {
    let name = branch::branch(env, &args.turn, args.message.as_deref())?;
    print_text(&format!("branched: {name}\n"))?;
    say(&format!("go on with: teddy resume {name}"));
    Ok(())
}
