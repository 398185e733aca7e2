//! `teddy plan`: a new session, or the next turn of one.

use super::args::PlanArgs;
use super::output;
use super::progress::ScanProgress;
use crate::app::environment::World;
use crate::app::plan;
use crate::error::Result;

/// Runs the command.
pub fn run(world: &World, args: &PlanArgs) -> Result<()> {
    output::check(world, &args.output)?;
    let finished = plan::plan(world, &args.request(), &ScanProgress::default())?;
    output::finish(world, &finished, &args.output)
}
