//! `teddy plan`: starts a session, or its next turn.

use super::args::PlanArgs;
use super::output;
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::plan;
use crate::error::Result;

/// Runs the command.
pub fn run(env: &Environment, args: &PlanArgs) -> Result<()> {
    output::check(env, &args.output)?;
    let finished = plan::plan(env, &args.request(), &ScanProgress::default())?;
    output::finish(env, &finished, &args.output)
}
