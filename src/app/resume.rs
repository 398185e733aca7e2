//! Decides which turn a session continues with, for the command line and the screen.

use std::path::Path;
use std::sync::Arc;

use super::active_context;
use super::answer::{self, Document};
use super::context_rules::{self, Context};
use super::environment::Environment;
use super::evidence;
use super::handoff;
use super::input::{not_empty, read_text};
use super::options::{OutputOptions, PayloadRequest, ResumeRequest};
use super::payload_options::PayloadOptions;
use super::replay;
use super::run_inputs::RunInputs;
use super::save_turn;
use super::session_terms;
use crate::error::{Error, Result};
use crate::place::Override;
use crate::project::active_context::without_removals;
use crate::project::checkpoint::{self, Checkpoint};
use crate::project::files::MAX_BYTES;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{Project, agent_requests, memos};
use crate::render::{Format, PreviousPayload};
use crate::workbench::Step;

/// The step that a session continues with.
pub enum NextStep {
    /// Reopens an open turn and creates its payload again.
    Reopen(Turn),
    /// Starts the next turn.
    Start {
        /// The session.
        session: Session,
        /// The turn to continue; without it, the latest one.
        before: Option<Turn>,
    },
    /// Waits for the report on an answered turn.
    AwaitReport(Turn),
    /// Shows a finished turn that was named explicitly.
    View(Turn),
}

/// Decides how a session continues. If a report is given for an answered turn, saves it and returns a message.
pub fn decide(env: &Environment, request: &ResumeRequest) -> Result<(NextStep, Option<String>)> {
    let (session, named) = session::locate(env.project()?, &env.cwd, request.session.as_deref())?;
    let Some(id) = named.or_else(|| turn::latest_turn(&session)) else {
        no_report(request, "the session has no turn yet")?;
        return Ok((NextStep::Start { session, before: None }, None));
    };
    let turn = Turn::open(&session, id)?;
    match (turn.state(), &request.report) {
        (TurnState::Open | TurnState::Delivered, _) => {
            if !is_repeated_for_previous(env, &turn, request)? {
                no_report(request, &format!("turn {} has no answer yet", turn.id()))?;
            }
            Ok((NextStep::Reopen(turn), None))
        }
        // The report is optional: a message starts the next turn without one.
        (TurnState::Planned, None) if request.message.is_some() => {
            Ok((NextStep::Start { session, before: Some(turn) }, None))
        }
        (TurnState::Planned, None) if is_continued(&turn)? => Ok((NextStep::View(turn), None)),
        (TurnState::Planned, None) => Ok((NextStep::AwaitReport(turn), None)),
        (TurnState::Planned, Some(file)) => {
            let message = take_report(env, &turn, file, request)?;
            Ok((NextStep::Start { session, before: Some(turn) }, Some(message)))
        }
        (TurnState::Done, None) if named.is_some() && request.message.is_none() => Ok((NextStep::View(turn), None)),
        (TurnState::Done, _) => {
            if !is_repeated(env, &turn, request)? {
                no_report(request, &format!("turn {} has its report", turn.id()))?;
            }
            Ok((NextStep::Start { session, before: Some(turn) }, None))
        }
    }
}

/// Returns true if a later turn continues this one.
fn is_continued(turn: &Turn) -> Result<bool> {
    for id in turn::turns(turn.session()) {
        let later = Turn::open(turn.session(), id)?;
        if turn::before(turn.session(), &later)?.is_some_and(|before| before.id() == turn.id()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The error for a turn that awaits its report.
pub fn awaits_report(env: &Environment, turn: &Turn) -> Error {
    Error::negative(
        format!("turn {} of `{}` has an answer and awaits its report", turn.id(), turn.session().name()),
        format!(
            "do the work, then continue with the report: teddy resume --report FILE (it is saved as {})",
            env.shown(&turn.report_file())
        ),
    )
}

/// The error for opening a finished turn for writing.
pub fn is_finished(turn: &Turn) -> Error {
    let (session, id) = (turn.session().name(), turn.id());
    Error::negative(
        format!("turn {id} of `{session}` is finished and can only be viewed"),
        format!(
            "show its payload: teddy show {session}/{id} --payload; start the next turn: teddy resume {session} -m TASK; \
             try the turn again: teddy branch {session}/{id}"
        ),
    )
}

/// The turn's message, or else the session's goal.
pub fn task_or_goal(session: &Session, message: &str) -> Result<String> {
    if message.is_empty() { Ok(session.meta()?.goal().to_owned()) } else { Ok(message.to_owned()) }
}

/// Returns true if the turn already has the given report, because an interrupted call is repeated. In that case,
/// completes the call.
fn is_repeated(env: &Environment, turn: &Turn, request: &ResumeRequest) -> Result<bool> {
    let Some(file) = &request.report else { return Ok(false) };
    let text = read_text(env, file, MAX_BYTES)?;
    let repeated = answer::is_saved(env, turn, Document::Report, &text)?;
    if repeated && !request.output.dry_run {
        answer::save(env, turn, Document::Report, &text, false)?;
    }
    Ok(repeated)
}

/// Like [`is_repeated`], for the case that the next turn already exists.
fn is_repeated_for_previous(env: &Environment, turn: &Turn, request: &ResumeRequest) -> Result<bool> {
    match turn::before(turn.session(), turn)? {
        Some(before) => is_repeated(env, &before, request),
        None => Ok(false),
    }
}

/// Rejects a report if there is no answered turn that it could belong to.
fn no_report(request: &ResumeRequest, why: &str) -> Result<()> {
    match &request.report {
        Some(_) => Err(Error::input(
            format!("--report is given, but {why}"),
            "name the turn that it belongs to, or omit --report",
        )),
        None => Ok(()),
    }
}

/// Saves the report of a turn that awaits one.
fn take_report(env: &Environment, turn: &Turn, file: &Path, request: &ResumeRequest) -> Result<String> {
    if request.output.dry_run {
        let what = "a dry run saves no report, and the next turn cannot start without it";
        return Err(Error::input(what, "omit --dry-run, or save it first: teddy answer --report FILE"));
    }
    let text = read_text(env, file, MAX_BYTES)?;
    save_report(env, turn, &text)
}

/// Saves a report; returns a message.
pub fn save_report(env: &Environment, turn: &Turn, text: &str) -> Result<String> {
    let saved = answer::save(env, turn, Document::Report, text, false)?;
    Ok(format!("saved the report of turn {} as {}", turn.id(), env.shown(&saved.path)))
}

/// Creates the record of a session's next turn; returns it with its inputs and the list of the previous turn.
pub fn next_record(
    project: &Project,
    session: &Session,
    before: Option<&Turn>,
    message: Option<&str>,
) -> Result<(TurnRecord, StoredTurn, String)> {
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
        (record.budget, record.window, record.format) = (old.budget, old.window, old.format);
        (record.model, record.tokenizer, record.fill) = (old.model.clone(), old.tokenizer.clone(), old.fill);
        (record.phase, record.profile, record.only) = (old.phase, old.profile.clone(), old.only.clone());
        (record.request, record.line_numbers, record.no_reuse) = (old.request, old.line_numbers, old.no_reuse);
        record.base.clone_from(&old.base);
        record.described = old.described && message.is_none_or(|message| message == old.message);
        record.after = Some(before.id().to_string());
        list = project.read(&before.context_file())?.unwrap_or_default();
        if let Some(plan) = project.read(&before.plan_file())? {
            let changes = active_context::apply(project, session, before, &plan, &list)?;
            (list, steps, notes) = (changes.list, changes.steps, changes.notes);
        }
        record.carried = context.carry_over(project, &list);
        let (decided, _) = save_turn::steps(&old)?;
        let pinned = context_rules::overridden(&decided, Override::Pin);
        let by_score = old.raw.iter().filter(|path| !pinned.contains(path.as_str()));
        context.by_score = by_score.cloned().collect();
    }
    let task = not_empty(record.message.clone())?;
    Ok((
        record,
        StoredTurn { task, before, context, steps: (steps, Vec::new()), notes, private_notes: Vec::new() },
        list,
    ))
}

/// The inputs of a turn that are stored on disk.
pub struct StoredTurn {
    /// The task.
    pub task: String,
    /// The previous turn.
    pub before: Option<Turn>,
    /// The `.context` files.
    pub context: Context,
    /// Steps of an earlier run: active and undone.
    pub steps: (Vec<Step>, Vec<Step>),
    /// Notes for the person and for the reader of the payload.
    pub notes: Vec<String>,
    /// Notes for the person only.
    pub private_notes: Vec<String>,
}

/// The inputs for a run of this turn.
pub fn inputs(
    env: &Environment,
    session: &Session,
    turn: String,
    record: &mut TurnRecord,
    request: &PayloadRequest,
    out: &OutputOptions,
    stored: StoredTurn,
) -> Result<RunInputs> {
    let project = env.project()?;
    // A broken file is an error even if there are no handoffs.
    handoff::check_manifests(project)?;
    let mut history = Vec::new();
    let delivered = stored.before.as_ref().and_then(|before| delivered_last(session, before));
    // A session of another program has its whole request in this file; the goal is only one line of it.
    if !session.meta_file().is_file()
        && let Some(request) = session.initial_request()
    {
        history.push(("initial_request.md".to_owned(), request));
    }
    if let Some(before) = &stored.before {
        for (name, path) in [("plan", before.plan_file()), ("report", before.report_file())] {
            let Some(text) = project.read(&path)? else { continue };
            history.push((format!("{}/{name}.md", before.id()), text));
        }
    }
    let plan = plan_in_force(project, session, &turn, stored.before.as_ref())?;
    let own_plan = stored.before.is_none() && plan.is_some();
    let options = PayloadOptions::resolve(request, record, env)?;
    let (mut handoff_budget, mut notes) = (None, stored.notes);
    if let Some(before) = &stored.before {
        let (seen, problems) = handoff::seen_after(env, before, record.phase)?;
        notes.extend(problems);
        if let Some(seen) = seen {
            handoff_budget = Some(seen.result);
            history.push((format!("{}/handoff", before.id()), seen.text));
        }
    }
    let evidence = evidence::of_turn(env, turn_of(session, &turn).as_ref(), record, &request.evidence)?;
    let terms = session_terms::of(project, session, stored.before.as_ref(), record, &request.terms)?;
    let reuses = options.style.reuse && matches!(options.format, Format::Prompt | Format::Xml);
    let previous = stored.before.as_ref().filter(|_| reuses);
    Ok(RunInputs {
        terms,
        options,
        session: session.name().to_owned(),
        turn,
        plan,
        own_plan,
        memos: memos::load(project)?,
        history,
        requested: stored.before.as_ref().map(|before| requested(project, before)).transpose()?.unwrap_or_default(),
        previous: previous.and_then(|before| previous_payload(project, session, before)),
        delivered: delivered.map(Box::new),
        handoff_budget,
        evidence,
        notes,
        context: stored.context,
        steps: stored.steps,
        private_notes: stored.private_notes,
        output: out.file.clone(),
        dry_run: out.dry_run,
        task: stored.task,
    })
}

/// The plan that a turn is based on: the answer of the previous turn, without the files that it removes. For the first
/// turn, the plan that the person provided.
pub fn plan_in_force(
    project: &Project,
    session: &Session,
    turn: &str,
    before: Option<&Turn>,
) -> Result<Option<String>> {
    match before {
        Some(before) => Ok(project.read(&before.plan_file())?.map(|plan| without_removals(&plan))),
        None => project.read(&session.dir().join(turn).join(save_turn::OWN_PLAN)),
    }
}

/// The files that agents fetched during a turn, without duplicates.
fn requested(project: &Project, turn: &Turn) -> Result<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for request in agent_requests::read(project, turn)?.into_iter().filter(|request| request.tool == "fetch") {
        for path in request.paths {
            if !found.iter().any(|(known, _)| *known == path) {
                found.push((path, format!("an agent fetched it during turn {}", turn.id())));
            }
        }
    }
    Ok(found)
}

/// The checkpoint of the last payload delivered in this turn or an earlier one.
pub fn delivered_last(session: &Session, turn: &Turn) -> Option<Checkpoint> {
    let mut at = Some(turn.clone());
    // Records can be edited by hand, so a cycle of turns is possible.
    let mut seen = Vec::new();
    while let Some(turn) = at.take().filter(|turn| !seen.contains(&turn.id())) {
        if turn.state() != TurnState::Open
            && let Some(found) = checkpoint::load(&turn).ok().flatten()
        {
            return Some(found);
        }
        seen.push(turn.id());
        at = turn::before(session, &turn).ok().flatten();
    }
    None
}

/// The payload that was delivered last in this turn or an earlier one, unless it cannot be read.
fn previous_payload(project: &Project, session: &Session, turn: &Turn) -> Option<Arc<PreviousPayload>> {
    let mut at = Some(turn.clone());
    let mut seen = Vec::new();
    while let Some(turn) = at.take().filter(|turn| !seen.contains(&turn.id())) {
        if let Ok(Some(text)) = project.read_payload(&turn.delivered_file()) {
            let recipe = replay::recipe(project, &turn).ok()?;
            return Some(Arc::new(PreviousPayload::new(text, &recipe)));
        }
        seen.push(turn.id());
        at = turn::before(session, &turn).ok().flatten();
    }
    None
}

/// The turn with this name, if it exists on disk.
fn turn_of(session: &Session, id: &str) -> Option<Turn> {
    Turn::open(session, turn::TurnId::of_directory(id)?).ok()
}
