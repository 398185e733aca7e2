//! `teddy resume`: reopens the turn that is open, or starts the next one.

use super::args::ResumeArgs;
use super::output;
use super::progress::ScanProgress;
use crate::app::answer::{self, Document};
use crate::app::environment::World;
use crate::app::resume::{self, NextStep};
use crate::error::Result;

/// Runs the command.
pub fn run(world: &World, args: &ResumeArgs) -> Result<()> {
    output::check(world, &args.output)?;
    let request = args.request();
    let (step, kept) = resume::decide(world, &request)?;
    if let Some(kept) = kept {
        output::say(&kept);
    }
    if let NextStep::AwaitReport(turn) = &step {
        output::print_document(&answer::read(world, turn, Document::Plan)?.unwrap_or_default())?;
        return Err(resume::awaits_report(world, turn));
    }
    let finished = resume::resume(world, step, &request, &ScanProgress::default())?;
    output::finish(world, &finished, &args.output)
}
