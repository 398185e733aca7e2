//! `teddy resume`: reopens the turn that is open, or starts the next one.

use super::agreed;
use super::args::{OutputArgs, ResumeArgs, ShapeArgs};
use super::output::{self, Made};
use super::run::{Inputs, Run};
use super::shape::Shape;
use super::standing::Context;
use super::store;
use super::world::World;
use crate::error::{Error, Result};
use crate::project::lock::Lock;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{Project, memos};
use crate::workbench::Step;

/// Runs the command.
pub fn run(world: &World, args: &ResumeArgs) -> Result<()> {
    output::check(world, &args.output)?;
    let project = world.project()?;
    let (session, turn) = session::locate(project, &world.cwd, args.session.as_deref())?;
    let Some(id) = turn.or_else(|| turn::latest_turn(&session)) else {
        return start_next(world, &session, args.message.as_deref(), &args.shape, &args.output);
    };
    let turn = Turn::open(&session, id)?;
    match turn.state() {
        TurnState::Open | TurnState::Delivered => reopen(world, turn, args),
        TurnState::Planned => show_plan(world, &turn),
        TurnState::Done => start_next(world, &session, args.message.as_deref(), &args.shape, &args.output),
    }
}

fn reopen(world: &World, turn: Turn, args: &ResumeArgs) -> Result<()> {
    let project = world.project()?;
    let session = turn.session();
    // The lock before the record, so that nobody changes it in between.
    let lock = open_for_writing(project, session, &args.output)?;
    let mut record = turn.record()?;
    if let Some(message) = &args.message {
        record.message.clone_from(message);
    }
    let context = Context::load(project, Some(session), Some((&turn, &record)))?;
    let (mut steps, mut undone) = store::steps(&record)?;
    if !context.edits.is_empty() {
        steps.extend(context.edits.iter().cloned());
        undone.clear();
    }
    let before = previous(session, &turn)?;
    let task = if record.message.is_empty() { session.meta()?.goal().to_owned() } else { record.message.clone() };
    let carried = Carried { task, before, context, steps: (steps, undone) };
    let inputs = inputs(world, session, turn.id().to_string(), &mut record, &args.shape, &args.output, carried)?;
    let run = Run::start(world, inputs, &args.shape)?;
    if args.output.dry_run {
        return output::finish(world, &run, &args.output, &Made::default());
    }
    store::save(project, &turn, &run, &mut record)?;
    drop(lock);
    output::finish(world, &run, &args.output, &Made { paths: Vec::new(), turn: Some(turn) })
}

/// Starts the turn after the latest one: its files carried over, its plan and report as history.
pub fn start_next(
    world: &World,
    session: &Session,
    message: Option<&str>,
    shape: &ShapeArgs,
    out: &OutputArgs,
) -> Result<()> {
    let project = world.project()?;
    let lock = open_for_writing(project, session, out)?;
    let (mut record, carried, list) = next_record(project, session, message)?;
    let id = turn::next_turn(session).to_string();
    let inputs = inputs(world, session, id, &mut record, shape, out, carried)?;
    let run = Run::start(world, inputs, shape)?;
    if out.dry_run {
        return output::finish(world, &run, out, &Made::default());
    }
    let turn = store::create(session, &run, &mut record, &list)?;
    drop(lock);
    output::finish(world, &run, out, &Made { paths: Vec::new(), turn: Some(turn) })
}

/// Takes the session's lock and sweeps what dead processes left; a dry run only looks.
fn open_for_writing(project: &Project, session: &Session, out: &OutputArgs) -> Result<Option<Lock>> {
    if out.dry_run {
        return Ok(None);
    }
    let lock = Lock::acquire(session.dir())?;
    project.sweep();
    Ok(Some(lock))
}

/// The record of a session's next turn, what it takes over, and the list that it carries on.
pub fn next_record(
    project: &Project,
    session: &Session,
    message: Option<&str>,
) -> Result<(TurnRecord, Carried, String)> {
    let meta = session.meta()?;
    let mut record = TurnRecord::default();
    message.unwrap_or(meta.goal()).clone_into(&mut record.message);
    let before = turn::latest_turn(session).map(|id| Turn::open(session, id)).transpose()?;
    let mut context = Context::load(project, Some(session), None)?;
    let mut list = String::new();
    if let Some(before) = &before {
        let old = before.record()?;
        (record.budget, record.window, record.format) = (old.budget, old.window, old.format);
        (record.model, record.tokenizer, record.fill) = (old.model, old.tokenizer, old.fill);
        record.phase = old.phase;
        record.carried = context.carry_over(project, before)?;
        list = project.read(&before.context_file())?.unwrap_or_default();
    }
    let task = super::plan::not_empty(record.message.clone())?;
    Ok((record, Carried { task, before, context, steps: (Vec::new(), Vec::new()) }, list))
}

/// What a turn brings along from disk.
pub struct Carried {
    /// What is to be done.
    pub task: String,
    /// The turn before it.
    pub before: Option<Turn>,
    /// What the `.context` files say.
    pub context: Context,
    /// Steps of an earlier run, done and undone.
    pub steps: (Vec<Step>, Vec<Step>),
}

/// What a run of this turn is about.
pub fn inputs(
    world: &World,
    session: &Session,
    turn: String,
    record: &mut TurnRecord,
    shape: &ShapeArgs,
    out: &OutputArgs,
    carried: Carried,
) -> Result<Inputs> {
    let project = world.project()?;
    let mut history = Vec::new();
    let mut plan = None;
    if let Some(before) = &carried.before {
        for (name, path) in [("plan", before.plan_file()), ("report", before.report_file())] {
            let Some(text) = project.read(&path)? else { continue };
            if name == "plan" {
                plan = Some(text.clone());
            }
            history.push((format!("{}/{name}.md", before.id()), text));
        }
    }
    let agreed = agreed::of(project, session, carried.before.as_ref(), record)?;
    Ok(Inputs {
        agreed,
        shape: Shape::settle(shape, record, &world.config)?,
        session: session.name().to_owned(),
        turn,
        plan,
        memos: memos::load(project)?,
        history,
        context: carried.context,
        steps: carried.steps,
        output: out.output.clone(),
        dry_run: out.dry_run,
        task: carried.task,
    })
}

/// The turn before this one, by number.
pub fn previous(session: &Session, turn: &Turn) -> Result<Option<Turn>> {
    let before = turn::turns(session).into_iter().filter(|id| *id < turn.id()).max();
    before.map(|id| Turn::open(session, id)).transpose()
}

/// A plan waits for its report: show it, and say where the report goes.
fn show_plan(world: &World, turn: &Turn) -> Result<()> {
    let plan = world.project()?.read(&turn.plan_file())?.unwrap_or_default();
    output::print_document(&plan)?;
    Err(Error::negative(
        format!("turn {} of `{}` has a plan and waits for its report", turn.id(), turn.session().name()),
        format!(
            "carry the plan out, write what came of it to {}, then: teddy resume",
            world.shown(&turn.report_file())
        ),
    ))
}
