//! The turn that a session goes on with: the one that is open, or the next one.

use std::path::Path;

use super::active_context;
use super::answer::{self, Document};
use super::context_rules::{self, Context};
use super::environment::Environment;
use super::evidence;
use super::handoff;
use super::input::read_text;
use super::open_turn;
use super::options::{OutputOptions, PayloadRequest, ResumeRequest};
use super::payload_options::Shape;
use super::pipeline::{Inputs, ScanObserver};
use super::save_turn::{self, FinishedRun};
use super::session_terms;
use crate::error::{Error, Result};
use crate::place::Override;
use crate::project::checkpoint::{self, Checkpoint};
use crate::project::files::MAX_BYTES;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{Project, memos};
use crate::workbench::Step;

/// The step that a session goes on with.
pub enum NextStep {
    /// The turn is open: its payload is made again.
    Reopen(Turn),
    /// The next turn starts.
    Start {
        /// The session.
        session: Session,
        /// The turn that it carries on; without it the latest one.
        before: Option<Turn>,
    },
    /// The turn has a plan and waits for its report.
    AwaitReport(Turn),
}

/// Decides how a session goes on, for the screen and for the command line. A report that belongs to a planned turn is kept;
/// then there is a sentence that says so.
pub fn decide(env: &Environment, request: &ResumeRequest) -> Result<(NextStep, Option<String>)> {
    let (session, turn) = session::locate(env.project()?, &env.cwd, request.session.as_deref())?;
    let Some(id) = turn.or_else(|| turn::latest_turn(&session)) else {
        no_report(request, "there is no turn yet")?;
        return Ok((NextStep::Start { session, before: None }, None));
    };
    let turn = Turn::open(&session, id)?;
    match (turn.state(), &request.report) {
        (TurnState::Open | TurnState::Delivered, _) => {
            if !carries_on(env, &turn, request)? {
                no_report(request, &format!("turn {} has no plan yet", turn.id()))?;
            }
            Ok((NextStep::Reopen(turn), None))
        }
        (TurnState::Planned, None) => Ok((NextStep::AwaitReport(turn), None)),
        (TurnState::Planned, Some(file)) => {
            let kept = take_report(env, &turn, file, request)?;
            Ok((NextStep::Start { session, before: Some(turn) }, Some(kept)))
        }
        (TurnState::Done, _) => {
            if !is_repeated(env, &turn, request)? {
                no_report(request, &format!("turn {} has its report", turn.id()))?;
            }
            Ok((NextStep::Start { session, before: Some(turn) }, None))
        }
    }
}

/// Makes the payload of the turn that a session goes on with.
pub fn resume(
    env: &Environment,
    step: NextStep,
    request: &ResumeRequest,
    observer: &dyn ScanObserver,
) -> Result<FinishedRun> {
    let opened = open_turn::step(env, step, request.message.as_deref(), &request.payload, &request.output)?;
    opened.deliver(env, &request.output, observer)
}

/// The error for a turn that waits for its report.
pub fn awaits_report(env: &Environment, turn: &Turn) -> Error {
    Error::negative(
        format!("turn {} of `{}` has a plan and waits for its report", turn.id(), turn.session().name()),
        format!(
            "carry the plan out, then go on with what came of it: teddy resume --report FILE (it is kept in {})",
            env.shown(&turn.report_file())
        ),
    )
}

/// The turn's message, or the session's goal where it has none.
pub fn task_or_goal(session: &Session, message: &str) -> Result<String> {
    if message.is_empty() { Ok(session.meta()?.goal().to_owned()) } else { Ok(message.to_owned()) }
}

/// Whether the report that is given is the one that a turn has already: the call was cut short, and somebody repeats it. What
/// was not yet kept along with it is kept now.
fn is_repeated(env: &Environment, turn: &Turn, request: &ResumeRequest) -> Result<bool> {
    let Some(file) = &request.report else { return Ok(false) };
    let text = read_text(env, file, MAX_BYTES)?;
    let repeated = answer::is_kept(env, turn, Document::Report, &text)?;
    if repeated && !request.output.dry_run {
        answer::keep(env, turn, Document::Report, &text, false)?;
    }
    Ok(repeated)
}

/// The same where the next turn is there already.
fn carries_on(env: &Environment, turn: &Turn, request: &ResumeRequest) -> Result<bool> {
    match turn::before(turn.session(), turn)? {
        Some(before) => is_repeated(env, &before, request),
        None => Ok(false),
    }
}

/// A report belongs to a turn that has a plan.
fn no_report(request: &ResumeRequest, why: &str) -> Result<()> {
    match &request.report {
        Some(_) => Err(Error::input(
            format!("--report is given, but {why}"),
            "name the planned turn it belongs to, or leave --report away",
        )),
        None => Ok(()),
    }
}

/// Keeps the report that a planned turn waits for.
fn take_report(env: &Environment, turn: &Turn, file: &Path, request: &ResumeRequest) -> Result<String> {
    if request.output.dry_run {
        let what = "a dry run keeps no report, and without it the next turn cannot start";
        return Err(Error::input(what, "leave --dry-run away, or keep it first: teddy answer --report FILE"));
    }
    let text = read_text(env, file, MAX_BYTES)?;
    keep_report(env, turn, &text)
}

/// Keeps a report; returns a sentence.
pub fn keep_report(env: &Environment, turn: &Turn, text: &str) -> Result<String> {
    let kept = answer::keep(env, turn, Document::Report, text, false)?;
    Ok(format!("report of turn {} kept in {}", turn.id(), env.shown(&kept.path)))
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
        let old = checkpoint::load_record(before)?.record;
        (record.budget, record.window, record.format) = (old.budget, old.window, old.format.clone());
        (record.model, record.tokenizer, record.fill) = (old.model.clone(), old.tokenizer.clone(), old.fill);
        (record.phase, record.profile, record.only) = (old.phase, old.profile.clone(), old.only.clone());
        record.after = Some(before.id().to_string());
        list = project.read(&before.context_file())?.unwrap_or_default();
        if let Some(plan) = project.read(&before.plan_file())? {
            let asked = active_context::apply(project, session, before, &plan, &list)?;
            (list, steps, notes) = (asked.list, asked.steps, asked.notes);
        }
        record.carried = context.carry_over(project, &list);
        let (decided, _) = save_turn::steps(&old)?;
        let pinned = context_rules::ruled(&decided, Override::Pin);
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
    env: &Environment,
    session: &Session,
    turn: String,
    record: &mut TurnRecord,
    request: &PayloadRequest,
    out: &OutputOptions,
    carried: Carried,
) -> Result<Inputs> {
    let project = env.project()?;
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
    let shape_of = Shape::settle(request, record, env)?;
    let (mut handed, mut notes) = (None, carried.notes);
    if let Some(before) = &carried.before {
        let (seen, problems) = handoff::seen_after(env, before, record.phase)?;
        notes.extend(problems);
        if let Some(seen) = seen {
            handed = Some(seen.result);
            history.push((format!("{}/handoff", before.id()), seen.text));
        }
    }
    let evidence = evidence::of_turn(env, turn_of(session, &turn).as_ref(), record, &request.evidence)?;
    let agreed = session_terms::of(project, session, carried.before.as_ref(), record)?;
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
        output: out.file.clone(),
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
