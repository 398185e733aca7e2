//! `teddy resume`: reopens a session's open turn, or starts the next one.

use std::path::PathBuf;

use clap::Args;

use super::args::{OutputArgs, PayloadArgs, TermsArgs};
use super::output;
use super::print::{print_document, say};
use super::progress::ScanProgress;
use crate::app::answer::{self, Document};
use crate::app::environment::Environment;
use crate::app::open_turn;
use crate::app::options::{PayloadRequest, ResumeRequest};
use crate::app::resume::{self, NextStep};
use crate::app::show;
use crate::error::Result;

/// The arguments of `teddy resume`.
#[derive(Debug, Args, Clone)]
pub struct ResumeArgs {
    /// A session, a turn (`NAME/02`), or a path inside one; default: the most recently used session.
    pub session: Option<String>,
    /// The turn's task.
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,
    /// Save this report on the work, and start the next turn.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub terms: TermsArgs,
    #[command(flatten)]
    pub payload: PayloadArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl ResumeArgs {
    /// The request to continue a session.
    pub fn request(&self) -> ResumeRequest {
        ResumeRequest {
            session: self.session.clone(),
            message: self.message.clone(),
            report: self.report.clone(),
            payload: PayloadRequest { terms: self.terms.request(), ..self.payload.request() },
            output: self.output.options(),
        }
    }
}

/// Runs the command.
pub fn run(env: &Environment, args: &ResumeArgs) -> Result<()> {
    output::check(env, &args.output)?;
    let request = args.request();
    let (step, message) = resume::decide(env, &request)?;
    if let Some(message) = message {
        say(&message);
    }
    if let NextStep::AwaitReport(turn) = &step {
        print_document(&answer::read(env, turn, Document::Plan)?.unwrap_or_default())?;
        return Err(resume::awaits_report(env, turn));
    }
    if let NextStep::View(turn) = &step {
        print_document(&show::payload(env, turn)?)?;
        say(&format!("turn {} of {} is finished; this is its payload", turn.id(), turn.session().name()));
        say(&format!("start the next turn: teddy resume {} -m TASK", turn.session().name()));
        return Ok(());
    }
    let finished = open_turn::create_payload(env, step, &request, &ScanProgress::default())?;
    output::finish(env, &finished, &args.output)
}
