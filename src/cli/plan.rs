//! `teddy plan` and `teddy review`: a new session, or the next turn of one.

use super::args::OutputArgs;
use super::output;
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::options::PlanRequest;
use crate::app::plan;
use crate::error::Result;

/// Runs the command.
pub fn run(env: &Environment, request: &PlanRequest, output: &OutputArgs) -> Result<()> {
    output::check(env, output)?;
    let finished = plan::plan(env, request, &ScanProgress::default())?;
    output::finish(env, &finished, output)
}
