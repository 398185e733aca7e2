//! Opens the screen where there is a terminal.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use super::args::{Cli, OutputArgs, PlanArgs, ResumeArgs};
pub use super::desk::CliDesk;
use super::desk::{Asked, held};
use super::prepare;
use crate::error::Result;
use crate::tui::{self, Desk, Entry, Looks};

/// Whether the screen is wanted: a terminal on both sides, and no flag that says where the payload goes.
pub fn wanted(args: &OutputArgs) -> bool {
    let elsewhere = args.to.is_given() || args.no_tui || args.json || args.dry_run || args.pipe.is_some();
    !elsewhere && has_terminal()
}

/// Whether a person can look and type.
pub fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Opens the workbench for `teddy plan`.
pub fn plan(cli: &Cli, args: &PlanArgs) -> Result<()> {
    let desk = CliDesk::open_with(cli.directory.as_deref(), looks(cli))?;
    super::output::check(&desk.world(), &args.output)?;
    *held(&desk.split) = args.output.split;
    let prepared = prepare::plan(&desk.world(), args)?;
    *held(&desk.asked) = Some(Asked::Plan(args.clone()));
    desk.show(Some(prepared))
}

/// Opens the workbench for `teddy resume`, or the plan of a turn that waits for its report.
pub fn resume(cli: &Cli, args: &ResumeArgs) -> Result<()> {
    let desk = CliDesk::open_with(cli.directory.as_deref(), looks(cli))?;
    super::output::check(&desk.world(), &args.output)?;
    *held(&desk.split) = args.output.split;
    let prepared = prepare::resume(&desk.world(), args)?;
    *held(&desk.asked) = Some(Asked::Resume(args.clone()));
    desk.show(prepared)
}

/// Opens the list of sessions.
pub fn sessions(cli: &Cli) -> Result<()> {
    let desk: Arc<dyn Desk> = CliDesk::open_with(cli.directory.as_deref(), looks(cli))?;
    tui::run(&desk, None)
}

/// Opens the workbench on a session of a project that goes away afterwards.
pub fn tour(cli: &Cli, project: &Path, session: &str) -> Result<()> {
    let desk = CliDesk::open_with(Some(project), looks(cli))?;
    let mut prepared = prepare::named(&desk.world(), session)?;
    prepared.aside("this is an example to try every key on: nothing of yours is touched, ? lists the keys, q leaves");
    *held(&desk.named) = Some(prepared);
    let desk: Arc<dyn Desk> = desk;
    tui::run(&desk, Some(Entry::Named))
}

fn looks(cli: &Cli) -> Looks {
    Looks { asked: cli.theme.clone(), configured: None, ascii: cli.ascii }
}
