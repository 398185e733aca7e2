//! Opens the screen for a command if there is a terminal.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use super::args::OutputArgs;
use super::commands::Cli;
use super::output;
use super::print::say;
use super::resume::ResumeArgs;
use crate::app::backend::{Backend, OpenTarget, ProjectBackend, StartRequest};
use crate::app::environment::Environment;
use crate::app::options::PlanRequest;
use crate::app::screen::{Appearance, Screen};
use crate::app::{open_turn, plan};
use crate::error::Result;

/// Returns true if the screen should open: there is a terminal, and no argument gives a destination.
pub fn wanted(args: &OutputArgs) -> bool {
    let elsewhere = args.to.is_given() || args.no_tui || args.json || args.dry_run || args.pipe.is_some();
    !elsewhere && has_terminal()
}

/// Returns true if input and output are a terminal.
pub fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Opens the workbench for `teddy plan` and `teddy review`.
pub fn plan(cli: &Cli, env: Environment, request: PlanRequest, output: &OutputArgs, screen: &dyn Screen) -> Result<()> {
    output::check(&env, output)?;
    let is_described = request.payload.base.is_some() || request.payload.hops.is_some();
    if request.task.is_none() && request.task_file.is_none() && request.session.is_none() && !is_described {
        let backend = ProjectBackend::new(env);
        backend.start_with(None, Some(StartRequest::Plan(request)), output.split);
        return show(cli, &backend, OpenTarget::Form, screen);
    }
    let turn = plan::open(&env, &request)?;
    let backend = ProjectBackend::new(env);
    backend.start_with(Some(turn), Some(StartRequest::Plan(request)), output.split);
    show(cli, &backend, OpenTarget::Named, screen)
}

/// Opens the workbench for `teddy resume`, read-only if the turn is answered or finished.
pub fn resume(cli: &Cli, env: Environment, args: &ResumeArgs, screen: &dyn Screen) -> Result<()> {
    output::check(&env, &args.output)?;
    let request = args.request();
    let (turn, message) = open_turn::resume(&env, &request)?;
    if let Some(message) = message {
        say(&message);
    }
    let backend = ProjectBackend::new(env);
    backend.start_with(Some(turn), Some(StartRequest::Resume(request)), args.output.split);
    show(cli, &backend, OpenTarget::Named, screen)
}

/// Opens the list of sessions.
pub fn sessions(cli: &Cli, env: Environment, screen: &dyn Screen) -> Result<()> {
    run(cli, &ProjectBackend::new(env), None, screen)
}

/// Opens the workbench on a new session of a temporary project, with the tour and the cursor on a path.
pub fn tour(cli: &Cli, project: &Path, request: &PlanRequest, path: &str, screen: &dyn Screen) -> Result<()> {
    let backend = ProjectBackend::open(Some(project))?;
    let mut turn = plan::open(&backend.env(), request)?;
    turn.select(path);
    backend.start_with(Some(turn), None, None);
    run(cli, &backend, Some(OpenTarget::Tour), screen)
}

/// Opens the screen on a turn or on the form for one, and prints how to continue.
fn show(cli: &Cli, backend: &Arc<ProjectBackend>, entry: OpenTarget, screen: &dyn Screen) -> Result<()> {
    run(cli, backend, Some(entry), screen)?;
    if let Some(message) = backend.farewell() {
        say(&message);
    }
    Ok(())
}

fn run(cli: &Cli, backend: &Arc<ProjectBackend>, entry: Option<OpenTarget>, screen: &dyn Screen) -> Result<()> {
    let config = &backend.env().config;
    let appearance = Appearance {
        theme_option: cli.theme.clone(),
        configured_theme: config.theme.clone(),
        ascii: cli.ascii || config.ascii,
    };
    let backend: Arc<dyn Backend> = Arc::clone(backend) as _;
    screen.run(&backend, entry, &appearance)
}
