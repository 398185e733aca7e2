//! `teddy resume`: reopens a session's open turn, or starts the next one.

use super::args::ResumeArgs;
use super::output;
use super::progress::ScanProgress;
use crate::app::answer::{self, Document};
use crate::app::environment::Environment;
use crate::app::resume::{self, NextStep};
use crate::app::show;
use crate::error::Result;

/// Runs the command.
pub fn run(env: &Environment, args: &ResumeArgs) -> Result<()> {
    output::check(env, &args.output)?;
    let request = args.request();
    let (step, message) = resume::decide(env, &request)?;
    if let Some(message) = message {
        output::say(&message);
    }
    if let NextStep::AwaitReport(turn) = &step {
        output::print_document(&answer::read(env, turn, Document::Plan)?.unwrap_or_default())?;
        return Err(resume::awaits_report(env, turn));
    }
    if let NextStep::View(turn) = &step {
        output::print_document(&show::payload(env, turn)?)?;
        output::say(&format!("turn {} of {} is finished; this is its payload", turn.id(), turn.session().name()));
        output::say(&format!("start the next turn: teddy resume {} -m TASK", turn.session().name()));
        return Ok(());
    }
    let finished = resume::resume(env, step, &request, &ScanProgress::default())?;
    output::finish(env, &finished, &args.output)
}
