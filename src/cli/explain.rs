//! `teddy explain PATH`: a file's score with its reasons, and ways to raise it.

use clap::Args;

use super::print::{print_json, print_text};
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::explain::{ExplainRequest, explain};
use crate::error::Result;

/// The arguments of `teddy explain`.
#[derive(Debug, Args, Clone)]
pub struct ExplainArgs {
    /// The file.
    pub path: String,
    /// The task; default: the task of the most recently used session.
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// Use this session's task.
    #[arg(long, value_name = "NAME", conflicts_with = "task")]
    pub session: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &ExplainArgs) -> Result<()> {
    let request = ExplainRequest { path: args.path.clone(), task: args.task.clone(), session: args.session.clone() };
    let progress = ScanProgress::default();
    let explained = explain(env, &request, &progress)?;
    drop(progress);
    if args.json { print_json(&explained.json()) } else { print_text(&explained.text()) }
}
