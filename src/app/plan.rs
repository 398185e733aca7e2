//! A new session, or the next turn of one.

use std::fs;

use super::context_rules::Context;
use super::environment::Environment;
use super::evidence;
use super::input::read_text;
use super::open_turn;
use super::options::{PayloadRequest, PlanRequest};
use super::payload_options::Shape;
use super::pipeline::{Inputs, Run, ScanObserver};
use super::redact_input;
use super::resume::NextStep;
use super::save_turn::{self, FinishedRun, Saved};
use crate::error::{Error, Result};
use crate::project::lock::Lock;
use crate::project::session::{self, Session, SessionMeta};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{Project, clock, memos};
use crate::render::SessionTerms;

/// A task is something a person wrote; what is longer is a document that the task should name.
const TASK_BYTES: u64 = 1_000_000;

/// Makes the payload of a new session or of a session's next turn.
pub fn plan(env: &Environment, args: &PlanRequest, observer: &dyn ScanObserver) -> Result<FinishedRun> {
    evidence::check_stdin(args.task_file.as_deref(), &args.payload.evidence)?;
    match &args.session {
        Some(name) => {
            let session = session::find(env.project()?, &env.cwd, name)?;
            refuse_planned(env, &session)?;
            let step = NextStep::Start { session, before: None };
            let opened = open_turn::step(env, step, args.message.as_deref(), &args.payload, &args.output)?;
            opened.deliver(env, &args.output, observer)
        }
        None => new_session(env, args, observer),
    }
}

fn new_session(env: &Environment, args: &PlanRequest, observer: &dyn ScanObserver) -> Result<FinishedRun> {
    let (task, request) = task(env, args)?;
    let now = clock::now()?;
    let mut record = TurnRecord::default();
    record.message.clone_from(&task);
    let name = match &env.project {
        Some(project) => session::free_name(project, &task, now),
        None => session::name_for(&task, now),
    };
    let mut meta = SessionMeta::new(&task, now);
    meta.definition_of_done.clone_from(&args.definition_of_done);
    let given = evidence::read(env, &args.payload.evidence)?;
    let start = |name: &str, record: &mut TurnRecord| {
        let inputs = Inputs { evidence: given.clone(), ..inputs(env, args, &task, name, record)? };
        Run::start(env, inputs, &request, observer)
    };
    let run = start(&name, &mut record)?;
    if args.output.dry_run {
        return Ok(FinishedRun { run, saved: Saved::default() });
    }
    meta.task_type = run.classification.type_name().map(str::to_owned);
    meta.complexity = run.classification.complexity_name().map(str::to_owned);
    let (project, created) = env.project_or_init()?;
    project.sweep();
    let made = session::create(&project, &meta, now).and_then(|session| {
        // Another teddy may have taken the name meanwhile, and the payload names its session.
        let run = if session.name() == name { Ok(run) } else { start(session.name(), &mut record) };
        let made = run.and_then(|run| Ok((locked_turn(&session, &run, &mut record)?, run)));
        if made.is_err() {
            // NoObserver has seen the session yet.
            let _ = fs::remove_dir_all(session.dir());
        }
        made
    });
    match made {
        Ok((turn, run)) => Ok(FinishedRun { run, saved: Saved { created, turn: Some(turn) } }),
        Err(error) => {
            Project::undo_init(&created);
            Err(error)
        }
    }
}

/// What the first turn of a session of this name is about.
pub fn inputs(
    env: &Environment,
    args: &PlanRequest,
    task: &str,
    session: &str,
    record: &mut TurnRecord,
) -> Result<Inputs> {
    Ok(Inputs {
        shape: Shape::settle(&args.payload, record, env)?,
        session: session.to_owned(),
        turn: "01".to_owned(),
        plan: None,
        memos: env.project.as_ref().map(memos::load).transpose()?.unwrap_or_default(),
        history: Vec::new(),
        delivered: None,
        handed: None,
        evidence: Vec::new(),
        context: match &env.project {
            Some(project) => Context::load(project, None, None)?,
            None => Context::default(),
        },
        steps: (Vec::new(), Vec::new()),
        notes: Vec::new(),
        asides: Vec::new(),
        agreed: SessionTerms { definition_of_done: args.definition_of_done.clone(), ..SessionTerms::default() },
        output: args.output.file.clone(),
        dry_run: args.output.dry_run,
        task: task.to_owned(),
    })
}

fn locked_turn(session: &Session, run: &Run, record: &mut TurnRecord) -> Result<Turn> {
    let _lock = Lock::acquire(session.dir())?;
    save_turn::create(session, run, record, "")
}

/// A plan waits for its report: no turn is planned on top of it.
pub fn refuse_planned(env: &Environment, session: &Session) -> Result<()> {
    if let Some(latest) = turn::latest_turn(session) {
        let latest = Turn::open(session, latest)?;
        if latest.state() == TurnState::Planned {
            return Err(Error::input(
                format!("turn {} of `{}` has a plan and no report yet", latest.id(), session.name()),
                format!(
                    "see the plan: teddy resume {0}; go on with what came of it: teddy resume {0} --report FILE (it is kept \
                     in {1})",
                    session.name(),
                    env.shown(&latest.report_file())
                ),
            ));
        }
    }
    Ok(())
}

/// The task that the arguments give, and the flags with what was replaced in it.
pub fn task(env: &Environment, args: &PlanRequest) -> Result<(String, PayloadRequest)> {
    let mut request = args.payload.clone();
    let task = not_empty(match (&args.task, &args.task_file) {
        (Some(task), _) => task.clone(),
        (None, Some(file)) => {
            let text = read_text(env, file, TASK_BYTES)?;
            let (clean, told) = redact_input::without_secrets(&env.redaction()?, "the task", &text);
            request.told.extend(told);
            clean
        }
        (None, None) => {
            return Err(Error::input(
                "there is no task",
                "say what is to be done: teddy plan \"Add refunds to the payment service\", or name a file with --task-file",
            ));
        }
    })?;
    Ok((task, request))
}

/// The task, if it says something.
pub fn not_empty(task: String) -> Result<String> {
    if task.trim().is_empty() {
        return Err(Error::input("the task is empty", "say in a sentence or two what is to be done"));
    }
    Ok(task)
}
