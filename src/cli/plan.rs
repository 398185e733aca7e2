//! `teddy plan` and `teddy review`: a new session, or the next turn of one.

use std::path::PathBuf;

use clap::Args;

use super::args::{OutputArgs, PayloadArgs, TermsArgs};
use super::output;
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::options::{BaseRequest, PayloadRequest, PlanRequest};
use crate::app::plan;
use crate::error::Result;

/// The arguments of `teddy plan`.
#[derive(Debug, Args, Clone)]
pub struct PlanArgs {
    /// The task, in your own words.
    pub task: Option<String>,
    /// Read the task from a file; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "task")]
    pub task_file: Option<PathBuf>,
    /// Start this session's next turn instead of a new session.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["task", "task_file"])]
    pub session: Option<String>,
    /// The next turn's task; default: the session's goal.
    #[arg(short, long, value_name = "TEXT", requires = "session")]
    pub message: Option<String>,
    #[command(flatten)]
    pub terms: TermsArgs,
    /// Existing plan; the files it names score higher; default: `plan` in the configuration.
    #[arg(long, value_name = "FILE", conflicts_with = "session")]
    pub plan: Option<PathBuf>,
    /// Include the changes since the merge base of HEAD and this branch, tag or commit, and what they affect.
    #[arg(long, value_name = "BASE")]
    pub base: Option<String>,
    #[command(flatten)]
    pub payload: PayloadArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl PlanArgs {
    /// The request for a plan.
    pub fn request(&self) -> PlanRequest {
        PlanRequest {
            task: self.task.clone(),
            task_file: self.task_file.clone(),
            session: self.session.clone(),
            message: self.message.clone(),
            plan_file: self.plan.clone(),
            payload: PayloadRequest {
                base: self.base.clone().map(BaseRequest::Named),
                terms: self.terms.request(),
                ..self.payload.request()
            },
            output: self.output.options(),
        }
    }
}

/// Runs the command.
pub fn run(env: &Environment, request: &PlanRequest, output: &OutputArgs) -> Result<()> {
    output::check(env, output)?;
    let finished = plan::plan(env, request, &ScanProgress::default())?;
    output::finish(env, &finished, output)
}
