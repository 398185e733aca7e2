//! `teddy mcp`: serves agents on standard input and output.

use clap::Args;

use crate::app::agents::{AgentAccess, AgentServer};
use crate::app::environment::Environment;
use crate::error::Result;

/// The arguments of `teddy mcp`.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// The session or turn (`NAME/02`) that agents work on; default: the most recently used session.
    #[arg(long, value_name = "NAME[/TURN]")]
    pub session: Option<String>,
}

/// Runs the command.
pub fn run(env: &Environment, args: &McpArgs, server: &dyn AgentServer) -> Result<()> {
    server.serve(AgentAccess::new(env, args.session.clone()))
}
