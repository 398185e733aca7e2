//! `teddy explain PATH`: a file's score with its reasons, and ways to raise it.

use super::args::ExplainArgs;
use super::output::{print_json, print_text};
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::explain::{ExplainRequest, explain};
use crate::error::Result;

/// Runs the command.
pub fn run(env: &Environment, args: &ExplainArgs) -> Result<()> {
    let request = ExplainRequest { path: args.path.clone(), task: args.task.clone(), session: args.session.clone() };
    let progress = ScanProgress::default();
    let explained = explain(env, &request, &progress)?;
    drop(progress);
    if args.json { print_json(&explained.json()) } else { print_text(&explained.text()) }
}
