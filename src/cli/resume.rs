//! `teddy resume`: reopens the turn that is open, or starts the next one.

use super::args::{OutputArgs, ResumeArgs, ShapeArgs};
use super::output::{self, Made};
use super::plan::make_turn;
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
        TurnState::Open | TurnState::Delivered => reopen(world, &turn, args),
        TurnState::Planned => show_plan(world, &turn),
        TurnState::Done => start_next(world, &session, args.message.as_deref(), &args.shape, &args.output),
    }
}

fn reopen(world: &World, turn: &Turn, args: &ResumeArgs) -> Result<()> {
    let project = world.project()?;
    let session = turn.session();
    // The lock before the record, so that nobody changes it in between.
    let lock = if args.output.dry_run { None } else { Some(Lock::acquire(session.dir())?) };
    let mut record = turn.record()?;
    if let Some(message) = &args.message {
        record.message.clone_from(message);
    }
    let context = Context::load(project, Some(session), Some((turn, &record)))?;
    let steps = store::steps(&record)?;
    let before = previous(session, turn)?;
    let task = if record.message.is_empty() { session.meta()?.goal().to_owned() } else { record.message.clone() };
    let inputs = inputs(
        world,
        project,
        session,
        turn.id().to_string(),
        &mut record,
        &args.shape,
        Carried { task, before, context, steps },
        args.output.dry_run,
    )?;
    let task = inputs.task.clone();
    let run = Run::start(world, inputs, &args.shape)?;
    if args.output.dry_run {
        return output::finish(world, &run, &args.output, &Made::default());
    }
    let saved = store::save(world, turn, &run, &mut record, &run.payload(), &task)?;
    drop(lock);
    output::finish(
        world,
        &run,
        &args.output,
        &Made { paths: Vec::new(), session: Some(session.clone()), saved: Some(saved) },
    )
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
    let lock = if out.dry_run { None } else { Some(Lock::acquire(session.dir())?) };
    let (mut record, before, context) = carried_over(project, session, message)?;
    let task = record.message.clone();
    let id = turn::next_turn(session).to_string();
    let carried = Carried { task, before, context, steps: (Vec::new(), Vec::new()) };
    let inputs = inputs(world, project, session, id, &mut record, shape, carried, out.dry_run)?;
    let task = inputs.task.clone();
    let run = Run::start(world, inputs, shape)?;
    if out.dry_run {
        return output::finish(world, &run, out, &Made::default());
    }
    let payload = run.payload();
    let turn = make_turn(session, &run, &mut record)?;
    let saved = store::save(world, &turn, &run, &mut record, &payload, &task)?;
    drop(lock);
    output::finish(world, &run, out, &Made { paths: Vec::new(), session: Some(session.clone()), saved: Some(saved) })
}

/// A new turn's record, the turn before it, and the lists with what it takes over.
pub fn carried_over(
    project: &Project,
    session: &Session,
    message: Option<&str>,
) -> Result<(TurnRecord, Option<Turn>, Context)> {
    let meta = session.meta()?;
    let mut record = TurnRecord::default();
    message.unwrap_or(meta.goal()).clone_into(&mut record.message);
    let before = turn::latest_turn(session).map(|id| Turn::open(session, id)).transpose()?;
    let mut context = Context::load(project, Some(session), None)?;
    if let Some(before) = &before {
        let old = before.record()?;
        (record.budget, record.window, record.format) = (old.budget, old.window, old.format);
        (record.model, record.tokenizer, record.fill) = (old.model, old.tokenizer, old.fill);
        record.phase = old.phase;
        record.carried = context.carry_over(project, before)?;
    }
    Ok((record, before, context))
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
    pub steps: (Vec<crate::workbench::Step>, Vec<crate::workbench::Step>),
}

/// What a run of this turn is about.
#[expect(clippy::too_many_arguments, reason = "the parts of one turn, each from its own file")]
pub fn inputs(
    world: &World,
    project: &Project,
    session: &Session,
    turn: String,
    record: &mut TurnRecord,
    shape: &ShapeArgs,
    carried: Carried,
    dry_run: bool,
) -> Result<Inputs> {
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
    Ok(Inputs {
        shape: Shape::settle(shape, record, &world.config)?,
        session: session.name().to_owned(),
        turn,
        plan,
        memos: memos::load(project)?,
        history,
        context: carried.context,
        steps: carried.steps,
        dry_run,
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
    output::print_text(&plan)?;
    Err(Error::negative(
        format!("turn {} of `{}` has a plan and waits for its report", turn.id(), turn.session().name()),
        format!(
            "carry the plan out, write what came of it to {}, then: teddy resume",
            world.shown(&turn.report_file())
        ),
    ))
}
