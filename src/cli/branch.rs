//! `teddy branch TURN`: creates another attempt at a turn.

use clap::Args;

use super::print::{print_text, say};
use crate::app::branch;
use crate::app::environment::Environment;
use crate::error::Result;

/// The arguments of `teddy branch`.
#[derive(Debug, Args)]
pub struct BranchArgs {
    /// Turn (`02`, `NAME/02` or a path inside it), or a session (its last turn).
    pub turn: String,
    /// Task of this attempt; default: the turn's task.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
}

/// Runs the command.
pub fn run(env: &Environment, args: &BranchArgs) -> Result<()> {
    let name = branch::branch(env, &args.turn, args.message.as_deref())?;
    print_text(&format!("created branch {name}\n"))?;
    say(&format!("continue with: teddy resume {name}"));
    Ok(())
}
