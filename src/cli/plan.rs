//! `teddy plan`: a new session, or the next turn of one.

use std::io::Read;
use std::path::Path;

use super::args::PlanArgs;
use super::output::{self, Made};
use super::run::{Inputs, Run};
use super::shape::Shape;
use super::standing::Context;
use super::store;
use super::world::World;
use crate::error::{Error, Result};
use crate::project::lock::Lock;
use crate::project::session::{self, Session, SessionMeta};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{clock, files, memos};

/// Runs the command.
pub fn run(world: &World, args: &PlanArgs) -> Result<()> {
    output::check(world, &args.output)?;
    match &args.session {
        Some(name) => next_turn(world, args, name),
        None => new_session(world, args),
    }
}

fn new_session(world: &World, args: &PlanArgs) -> Result<()> {
    let task = task(world, args)?;
    let mut record = TurnRecord::default();
    record.message.clone_from(&task);
    let inputs = Inputs {
        shape: Shape::settle(&args.shape, &mut record, &world.config)?,
        session: session::name_for(&task, clock::now()?),
        turn: "01".to_owned(),
        plan: None,
        memos: world.project.as_ref().map(memos::load).transpose()?.unwrap_or_default(),
        history: Vec::new(),
        context: match &world.project {
            Some(project) => Context::load(project, None, None)?,
            None => Context::default(),
        },
        steps: (Vec::new(), Vec::new()),
        dry_run: args.output.dry_run,
        task,
    };
    let task = inputs.task.clone();
    let run = Run::start(world, inputs, &args.shape)?;
    if args.output.dry_run {
        return output::finish(world, &run, &args.output, &Made::default());
    }
    let (project, made) = world.project_or_init()?;
    let mut meta = SessionMeta::new(&task, clock::now()?);
    meta.definition_of_done.clone_from(&args.definition_of_done);
    meta.task_type = Some(run.task_type.name().to_owned());
    meta.complexity = Some(run.complexity.name().to_owned());
    let session = session::create(&project, &meta, clock::now()?)?;
    let _lock = Lock::acquire(session.dir())?;
    let payload = run.payload();
    let turn = make_turn(&session, &run, &mut record)?;
    let saved = store::save(world, &turn, &run, &mut record, &payload, &task)?;
    output::finish(world, &run, &args.output, &Made { paths: made, session: Some(session), saved: Some(saved) })
}

/// Makes the session's next turn directory with what was decided.
pub fn make_turn(session: &Session, run: &Run, record: &mut TurnRecord) -> Result<Turn> {
    record.created = Some(clock::iso(clock::now()?));
    store::note_steps(run, record)?;
    Turn::create(session, turn::next_turn(session), record, &store::context_text(&record.raw))
}

fn next_turn(world: &World, args: &PlanArgs, name: &str) -> Result<()> {
    let project = world.project()?;
    let session = session::find(project, &world.cwd, name)?;
    refuse_planned(world, &session)?;
    super::resume::start_next(world, &session, args.message.as_deref(), &args.shape, &args.output)
}

/// A plan waits for its report: no turn is planned on top of it.
pub fn refuse_planned(world: &World, session: &Session) -> Result<()> {
    if let Some(latest) = turn::latest_turn(session) {
        let latest = Turn::open(session, latest)?;
        if latest.state() == TurnState::Planned {
            return Err(Error::input(
                format!("turn {} of `{}` has a plan and no report yet", latest.id(), session.name()),
                format!(
                    "put the report into {} and go on with: teddy resume {}",
                    world.shown(&latest.report_file()),
                    session.name()
                ),
            ));
        }
    }
    Ok(())
}

/// The task that the arguments give.
pub fn task(world: &World, args: &PlanArgs) -> Result<String> {
    let text = match (&args.task, &args.task_file) {
        (Some(task), _) => task.clone(),
        (None, Some(file)) => read_text(world, file)?,
        (None, None) => {
            return Err(Error::input(
                "there is no task",
                "say what is to be done: teddy plan \"Add refunds to the payment service\", or name a file with --task-file",
            ));
        }
    };
    if text.trim().is_empty() {
        return Err(Error::input("the task is empty", "say in a sentence or two what is to be done"));
    }
    Ok(text)
}

/// A file that the person named, or standard input for `-`.
pub fn read_text(world: &World, file: &Path) -> Result<String> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(|source| Error::io("read", "standard input", source))?;
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    let path = world.cwd.join(file);
    let missing = || Error::Missing { kind: "file", name: file.to_string_lossy().into_owned(), nearest: None };
    files::read_own(&path)?.ok_or_else(missing)
}
