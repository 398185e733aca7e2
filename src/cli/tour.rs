//! `teddy tour`: the workbench on a temporary copy of the bundled example project.

use super::commands::Cli;
use super::print::say;
use super::screen;
use crate::app::example_project;
use crate::app::options::{PayloadRequest, PlanRequest};
use crate::app::screen::Screen;
use crate::error::{Error, Result};

/// The tour's task.
const TASK: &str = "Refund part of a payment and record it in the ledger";

/// A budget that is too small for some items of the example.
const BUDGET: usize = 2_000;

/// Path of the item above the first one that did not fit and is only linked. The tour starts here and asks the person
/// to pin the next item.
const BEFORE_FIRST_STEP: &str = "payments/service.py";

/// Runs the command.
pub fn run(cli: &Cli, on: &dyn Screen) -> Result<()> {
    if !screen::has_terminal() {
        return Err(Error::input(
            "the tour needs the screen, and there is no terminal",
            "run it in a terminal, or try a plan here: teddy plan \"Add refunds\" --dry-run",
        ));
    }
    let copy = tempfile::Builder::new().prefix("teddy-tour-").tempdir();
    let copy = copy.map_err(|error| Error::io("create", std::env::temp_dir(), error))?;
    let project = copy.path().join("payments-example");
    example_project::write(&project)?;
    say("opening a temporary copy of an example project; your files are not touched");
    let payload = PayloadRequest { budget: Some(BUDGET), ..PayloadRequest::default() };
    let request = PlanRequest { task: Some(TASK.to_owned()), payload, ..PlanRequest::default() };
    screen::tour(cli, &project, &request, BEFORE_FIRST_STEP, on)?;
    say("removed the copy; start your own session: teddy plan \"Describe the task\"");
    Ok(())
}
