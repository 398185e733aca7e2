//! Opens the screen for a command, where there is a terminal.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use super::args::{Cli, OutputArgs, PlanArgs, ResumeArgs};
use super::output::{self, say};
use crate::app::backend::{AskedFor, Backend, Entry, ProjectBackend};
use crate::app::open_turn;
use crate::app::screen::{Appearance, Screen};
use crate::error::Result;

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
pub fn plan(cli: &Cli, args: &PlanArgs, screen: &dyn Screen) -> Result<()> {
    let backend = ProjectBackend::open(cli.directory.as_deref())?;
    output::check(&backend.env(), &args.output)?;
    let request = args.request();
    let prepared = open_turn::plan(&backend.env(), &request)?;
    backend.name(Some(prepared), Some(AskedFor::Plan(request)), args.output.split);
    show(cli, &backend, screen)
}

/// Opens the workbench for `teddy resume`, or the plan of a turn that waits for its report.
pub fn resume(cli: &Cli, args: &ResumeArgs, screen: &dyn Screen) -> Result<()> {
    let backend = ProjectBackend::open(cli.directory.as_deref())?;
    output::check(&backend.env(), &args.output)?;
    let request = args.request();
    let (prepared, kept) = open_turn::resume(&backend.env(), &request)?;
    if let Some(kept) = kept {
        say(&kept);
    }
    backend.name(prepared, Some(AskedFor::Resume(request)), args.output.split);
    show(cli, &backend, screen)
}

/// Opens the list of sessions.
pub fn sessions(cli: &Cli, screen: &dyn Screen) -> Result<()> {
    let backend = ProjectBackend::open(cli.directory.as_deref())?;
    run(cli, &backend, None, screen)
}

/// Opens the workbench on a session of a project that goes away afterwards.
pub fn tour(cli: &Cli, project: &Path, session: &str, screen: &dyn Screen) -> Result<()> {
    let backend = ProjectBackend::open(Some(project))?;
    let mut prepared = open_turn::named(&backend.env(), session)?;
    prepared.aside("this is an example to try every key on: nothing of yours is touched, ? lists the keys, q leaves");
    backend.name(Some(prepared), None, None);
    run(cli, &backend, Some(Entry::Named), screen)
}

/// Opens the screen on what was named; afterwards it is said how to go on.
fn show(cli: &Cli, backend: &Arc<ProjectBackend>, screen: &dyn Screen) -> Result<()> {
    run(cli, backend, Some(Entry::Named), screen)?;
    if let Some(words) = backend.last_words() {
        say(&words);
    }
    Ok(())
}

fn run(cli: &Cli, backend: &Arc<ProjectBackend>, entry: Option<Entry>, screen: &dyn Screen) -> Result<()> {
    let config = &backend.env().config;
    let appearance = Appearance {
        theme_option: cli.theme.clone(),
        configured_theme: config.theme.clone(),
        ascii: cli.ascii || config.ascii,
    };
    let backend: Arc<dyn Backend> = Arc::clone(backend) as _;
    screen.run(&backend, entry, &appearance)
}
