//! `teddy resume`: reopens the turn that is open, or starts the next one.

use std::path::Path;

use super::active;
use super::agreed;
use super::answer::{self, Document};
use super::args::{OutputArgs, ResumeArgs, ShapeArgs};
use super::evidence;
use super::given::read_text;
use super::handoff;
use super::output::{self, Made};
use super::restore;
use super::run::{Inputs, Run};
use super::shape::Shape;
use super::standing::{self, Context};
use super::store;
use super::world::World;
use crate::error::{Error, Result};
use crate::place::Ruling;
use crate::project::checkpoint::{self, Checkpoint};
use crate::project::files::MAX_BYTES;
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
        no_report(args, "there is no turn yet")?;
        return start_next(world, &session, None, args.message.as_deref(), &args.shape, &args.output);
    };
    let turn = Turn::open(&session, id)?;
    let next = || start_next(world, &session, Some(&turn), args.message.as_deref(), &args.shape, &args.output);
    match (turn.state(), &args.report) {
        (TurnState::Open | TurnState::Delivered, _) => {
            if !carries_on(world, &turn, args)? {
                no_report(args, &format!("turn {} has no plan yet", turn.id()))?;
            }
            reopen(world, turn, args)
        }
        (TurnState::Planned, Some(file)) => {
            take_report(world, &turn, file, args)?;
            next()
        }
        (TurnState::Planned, None) => show_plan(world, &turn),
        (TurnState::Done, Some(_)) if is_repeated(world, &turn, args)? => next(),
        (TurnState::Done, _) => {
            no_report(args, &format!("turn {} has its report", turn.id()))?;
            next()
        }
    }
}

/// Whether the report that is given is the one that a turn has already: the call was cut short, and somebody repeats it. What
/// was not yet kept along with it is kept now.
pub fn is_repeated(world: &World, turn: &Turn, args: &ResumeArgs) -> Result<bool> {
    let Some(file) = &args.report else { return Ok(false) };
    let text = read_text(world, file, MAX_BYTES)?;
    let repeated = answer::is_kept(world, turn, Document::Report, &text)?;
    if repeated && !args.output.dry_run {
        answer::keep(world, turn, Document::Report, &text, false)?;
    }
    Ok(repeated)
}

/// The same where the next turn is there already.
pub fn carries_on(world: &World, turn: &Turn, args: &ResumeArgs) -> Result<bool> {
    match turn::before(turn.session(), turn)? {
        Some(before) => is_repeated(world, &before, args),
        None => Ok(false),
    }
}

/// A report belongs to a turn that has a plan.
pub fn no_report(args: &ResumeArgs, why: &str) -> Result<()> {
    match &args.report {
        Some(_) => Err(Error::input(
            format!("--report is given, but {why}"),
            "name the planned turn it belongs to, or leave --report away",
        )),
        None => Ok(()),
    }
}

/// Keeps the report that a planned turn waits for.
pub fn take_report(world: &World, turn: &Turn, file: &Path, args: &ResumeArgs) -> Result<()> {
    if args.output.dry_run {
        let what = "a dry run keeps no report, and without it the next turn cannot start";
        return Err(Error::input(what, "leave --dry-run away, or keep it first: teddy answer --report FILE"));
    }
    let text = read_text(world, file, MAX_BYTES)?;
    let kept = answer::keep(world, turn, Document::Report, &text, false)?;
    output::say(&format!("report of turn {} kept in {}", turn.id(), world.shown(&kept.path)));
    Ok(())
}

fn reopen(world: &World, turn: Turn, args: &ResumeArgs) -> Result<()> {
    let project = world.project()?;
    let session = turn.session();
    // The lock before the record, so that nobody changes it in between.
    let lock = open_for_writing(project, session, &args.output)?;
    let (mut record, asides) = restore::record(project, &turn, args.output.dry_run)?;
    if let Some(message) = &args.message {
        record.message.clone_from(message);
    }
    let context = Context::load(project, Some(session), Some((&turn, &record)))?;
    let (mut steps, mut undone) = store::steps(&record)?;
    if !context.edits.is_empty() {
        steps.extend(context.edits.iter().cloned());
        undone.clear();
    }
    let before = turn::before(session, &turn)?;
    let task = if record.message.is_empty() { session.meta()?.goal().to_owned() } else { record.message.clone() };
    let carried = Carried { task, before, context, steps: (steps, undone), notes: Vec::new(), asides };
    let inputs = inputs(world, session, turn.id().to_string(), &mut record, &args.shape, &args.output, carried)?;
    let run = Run::start(world, inputs, &args.shape)?;
    if args.output.dry_run {
        return output::finish(world, &run, &args.output, &Made::default());
    }
    store::save(project, &turn, &run, &mut record)?;
    drop(lock);
    output::finish(world, &run, &args.output, &Made { paths: Vec::new(), turn: Some(turn) })
}

/// Starts the session's next turn, which carries on `before`, else the latest one: its files carried over, its plan and
/// report as history.
pub fn start_next(
    world: &World,
    session: &Session,
    before: Option<&Turn>,
    message: Option<&str>,
    shape: &ShapeArgs,
    out: &OutputArgs,
) -> Result<()> {
    let project = world.project()?;
    let lock = open_for_writing(project, session, out)?;
    let (mut record, carried, list) = next_record(project, session, before, message)?;
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
    before: Option<&Turn>,
    message: Option<&str>,
) -> Result<(TurnRecord, Carried, String)> {
    let meta = session.meta()?;
    let mut record = TurnRecord::default();
    message.unwrap_or(meta.goal()).clone_into(&mut record.message);
    let before = match before {
        Some(before) => Some(before.clone()),
        None => turn::latest_turn(session).map(|id| Turn::open(session, id)).transpose()?,
    };
    let mut context = Context::load(project, Some(session), None)?;
    let mut list = String::new();
    let (mut steps, mut notes) = (Vec::new(), Vec::new());
    if let Some(before) = &before {
        let old = checkpoint::recall(before)?.record;
        (record.budget, record.window, record.format) = (old.budget, old.window, old.format.clone());
        (record.model, record.tokenizer, record.fill) = (old.model.clone(), old.tokenizer.clone(), old.fill);
        (record.phase, record.profile, record.only) = (old.phase, old.profile.clone(), old.only.clone());
        record.after = Some(before.id().to_string());
        list = project.read(&before.context_file())?.unwrap_or_default();
        if let Some(plan) = project.read(&before.plan_file())? {
            let asked = active::apply(project, session, before, &plan, &list)?;
            (list, steps, notes) = (asked.list, asked.steps, asked.notes);
        }
        record.carried = context.carry_over(project, &list);
        let (decided, _) = store::steps(&old)?;
        let pinned = standing::ruled(&decided, Ruling::Pin);
        let by_score = old.raw.iter().filter(|path| !pinned.contains(path.as_str()));
        context.by_score = by_score.cloned().collect();
    }
    let task = super::plan::not_empty(record.message.clone())?;
    Ok((record, Carried { task, before, context, steps: (steps, Vec::new()), notes, asides: Vec::new() }, list))
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
    /// What the person and the reader of the payload should know about it.
    pub notes: Vec<String>,
    /// What only the person should know.
    pub asides: Vec<String>,
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
    let delivered = carried.before.as_ref().and_then(|before| delivered_last(session, before));
    let mut plan = None;
    // A session of another program: its goal is one line of this.
    if !session.meta_file().is_file()
        && let Some(request) = session.initial_request()
    {
        history.push(("initial_request.md".to_owned(), request));
    }
    if let Some(before) = &carried.before {
        for (name, path) in [("plan", before.plan_file()), ("report", before.report_file())] {
            let Some(text) = project.read(&path)? else { continue };
            if name == "plan" {
                plan = Some(text.clone());
            }
            history.push((format!("{}/{name}.md", before.id()), text));
        }
    }
    let shape_of = Shape::settle(shape, record, world)?;
    let (mut handed, mut notes) = (None, carried.notes);
    if let Some(before) = &carried.before {
        let (seen, problems) = handoff::seen_after(world, before, record.phase)?;
        notes.extend(problems);
        if let Some(seen) = seen {
            handed = Some(seen.result);
            history.push((format!("{}/handoff", before.id()), seen.text));
        }
    }
    let evidence = evidence::of_turn(world, turn_of(session, &turn).as_ref(), record, &shape.evidence)?;
    let agreed = agreed::of(project, session, carried.before.as_ref(), record)?;
    Ok(Inputs {
        agreed,
        shape: shape_of,
        session: session.name().to_owned(),
        turn,
        plan,
        memos: memos::load(project)?,
        history,
        delivered: delivered.map(Box::new),
        handed,
        evidence,
        notes,
        context: carried.context,
        steps: carried.steps,
        asides: carried.asides,
        output: out.to.output.clone(),
        dry_run: out.dry_run,
        task: carried.task,
    })
}

/// What was delivered last in this turn or one that it carries on.
pub fn delivered_last(session: &Session, turn: &Turn) -> Option<Checkpoint> {
    let mut at = Some(turn.clone());
    // Records are files that anybody can edit: a circle of turns must end.
    let mut seen = Vec::new();
    while let Some(turn) = at.take().filter(|turn| !seen.contains(&turn.id())) {
        if turn.state() != TurnState::Open
            && let Some(found) = checkpoint::load(&turn)
        {
            return Some(found);
        }
        seen.push(turn.id());
        at = turn::before(session, &turn).ok().flatten();
    }
    None
}

/// The turn of this name, if it is on disk already.
fn turn_of(session: &Session, id: &str) -> Option<Turn> {
    Turn::open(session, turn::TurnId::of_directory(id)?).ok()
}

/// A plan waits for its report: show it, and say where the report goes.
fn show_plan(world: &World, turn: &Turn) -> Result<()> {
    let plan = answer::read(world, turn, Document::Plan)?.unwrap_or_default();
    output::print_document(&plan)?;
    Err(Error::negative(
        format!("turn {} of `{}` has a plan and waits for its report", turn.id(), turn.session().name()),
        format!(
            "carry the plan out, then go on with what came of it: teddy resume --report FILE (it is kept in {})",
            world.shown(&turn.report_file())
        ),
    ))
}
