//! Opens, scans and delivers a turn.

use std::fs;
use std::path::PathBuf;

use super::context_rules::Context;
use super::environment::Environment;
use super::list_edits;
use super::options::{
    NextRequest, OutputOptions, PayloadRequest, ResumeRequest, TaskSettings, TermsRequest, TurnRequest,
};
use super::pins;
use super::pipeline::Run;
use super::redact_input;
use super::restore;
use super::resume::{self, NextStep, StoredTurn};
use super::run_inputs::{RunInputs, ScanObserver};
use super::save_turn::{self, FinishedRun, SavedFiles};
use super::session_terms;
use crate::error::{Error, Result};
use crate::project::lock::Lock;
use crate::project::session::{self, Session, SessionMeta};
use crate::project::turn::{self, Turn, TurnRecord};
use crate::project::{Project, clock, session_ops};
use crate::redact::Policy;
use crate::render::SessionTerms;

/// State of a turn, which decides the available actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TurnMode {
    /// Items can be overridden, and the payload can be delivered.
    #[default]
    Open,
    /// It has an answer: it is read-only until the answer is undone, and the next turn can be started.
    Answered,
    /// It is finished and read-only; the next turn can be started.
    Finished,
}

/// The turn that the person is working on.
pub struct ActiveTurn {
    inputs: Option<RunInputs>,
    /// Options of the command. Their overrides are applied only once.
    pub options: PayloadRequest,
    /// Contents of `turn.yaml`.
    pub record: TurnRecord,
    /// The session; `None` until it is created.
    pub session: Option<Session>,
    /// The turn; `None` until it is created.
    pub turn: Option<Turn>,
    /// The task.
    pub task: String,
    /// Acceptance criteria, constraints and decisions of a new session.
    terms: SessionTerms,
    /// `turn.context` as last read or written; for a new turn, the list of the previous turn.
    pub list: String,
    /// State of the turn; only an open turn is written.
    pub mode: TurnMode,
    /// Lock of the session, held while the turn is open.
    lock: Option<Lock>,
}

/// Opens the turn for `teddy resume`, read-only if it is answered or finished. Also returns a message if a report was
/// saved.
pub fn resume(env: &Environment, args: &ResumeRequest) -> Result<(ActiveTurn, Option<String>)> {
    let (step, message) = resume::decide(env, args)?;
    let turn = match step {
        NextStep::AwaitReport(turn) => view(env, &turn, TurnMode::Answered)?,
        NextStep::View(turn) => view(env, &turn, TurnMode::Finished)?,
        step => self::step(env, step, args.message.as_deref(), &args.payload, &args.output)?,
    };
    Ok((turn, message))
}

/// Opens a turn only for viewing: it is not locked, and nothing is written.
fn view(env: &Environment, turn: &Turn, mode: TurnMode) -> Result<ActiveTurn> {
    let out = OutputOptions { dry_run: true, ..OutputOptions::default() };
    let mut active = reopen(env, turn, None, &PayloadRequest::default(), &out)?;
    active.mode = mode;
    Ok(active)
}

/// Saves the report of a turn, and opens the turn that follows it.
pub fn after(env: &Environment, request: &NextRequest) -> Result<ActiveTurn> {
    let session = session::find(env.project()?, &env.cwd, &request.session)?;
    let before = Turn::open(&session, turn::existing(&session, &request.turn)?)?;
    if !request.report.trim().is_empty() {
        resume::save_report(env, &before, &request.report)?;
    }
    let (flags, message) = flags(env, &request.request)?;
    let message = Some(message).filter(|message| !message.trim().is_empty());
    let step = NextStep::Start { session, before: Some(before) };
    self::step(env, step, message.as_deref(), &flags, &OutputOptions::default())
}

/// Converts a form to payload options and a task, with secrets redacted.
pub fn flags(env: &Environment, request: &TurnRequest) -> Result<(PayloadRequest, String)> {
    let settings = &request.settings;
    let (task, redaction_notes) = redact_input::without_secrets(&*env.redaction()?, "the task", settings.text.trim());
    let flags = PayloadRequest {
        redaction_notes,
        budget: request.budget,
        task_type: settings.task_type,
        complexity: settings.complexity,
        format: settings.format,
        phase: settings.phase,
        evidence: settings.evidence.iter().map(PathBuf::from).collect(),
        ..PayloadRequest::default()
    };
    Ok((flags, task))
}

/// Opens the turn for the step that the session continues with.
pub fn step(
    env: &Environment,
    step: NextStep,
    message: Option<&str>,
    flags: &PayloadRequest,
    out: &OutputOptions,
) -> Result<ActiveTurn> {
    match step {
        NextStep::Reopen(turn) => reopen(env, &turn, message, flags, out),
        NextStep::Start { session, before } => next(env, session, before.as_ref(), message, flags, out),
        NextStep::AwaitReport(turn) => Err(resume::awaits_report(env, &turn)),
        NextStep::View(turn) => Err(resume::is_finished(&turn)),
    }
}

/// Creates the payload of the turn that the session continues with.
pub fn create_payload(
    env: &Environment,
    next: NextStep,
    request: &ResumeRequest,
    observer: &dyn ScanObserver,
) -> Result<FinishedRun> {
    step(env, next, request.message.as_deref(), &request.payload, &request.output)?
        .deliver(env, &request.output, observer)
}

/// Opens a session selected on the screen.
pub fn named(env: &Environment, name: &str) -> Result<ActiveTurn> {
    let args = ResumeRequest { session: Some(name.to_owned()), ..ResumeRequest::default() };
    resume(env, &args).map(|(turn, _)| turn)
}

/// Prepares a session for writing: locks it, removes temporary files of processes that no longer run, restores
/// `session.yaml` if necessary, and saves added terms in it. A dry run does none of this. Returns a note about a
/// restored file.
fn open_for_writing(
    project: &Project,
    session: &Session,
    terms: &TermsRequest,
    out: &OutputOptions,
) -> Result<(Option<Lock>, Option<String>)> {
    if out.dry_run {
        return Ok((None, None));
    }
    let lock = Lock::acquire(session.dir())?;
    project.sweep();
    let note = restore::session_meta(session)?;
    session_terms::store(session, terms)?;
    Ok((Some(lock), note))
}

fn reopen(
    env: &Environment,
    turn: &Turn,
    message: Option<&str>,
    flags: &PayloadRequest,
    out: &OutputOptions,
) -> Result<ActiveTurn> {
    let project = env.project()?;
    let session = turn.session().clone();
    // Takes the lock before reading the record, so that no other process changes the record in between.
    let (lock, session_note) = open_for_writing(project, &session, &flags.terms, out)?;
    let (mut record, mut private_notes) = restore::record(project, turn, out.dry_run)?;
    private_notes.extend(session_note);
    if let Some(message) = message {
        record.described &= message == record.message;
        message.clone_into(&mut record.message);
    }
    let task = resume::task_or_goal(&session, &record.message)?;
    let mut active = ActiveTurn {
        inputs: None,
        options: flags.clone(),
        record,
        session: Some(session),
        turn: Some(turn.clone()),
        task,
        terms: SessionTerms::default(),
        list: String::new(),
        mode: TurnMode::Open,
        lock,
    };
    let (mut steps, mut undone) = save_turn::steps(&active.record)?;
    let mut inputs = inputs(env, &mut active, flags, out)?;
    if !inputs.steps.0.is_empty() {
        steps.append(&mut inputs.steps.0);
        undone.clear();
    }
    inputs.steps = (steps, undone);
    inputs.private_notes = private_notes;
    active.inputs = Some(inputs);
    Ok(active)
}

fn next(
    env: &Environment,
    session: Session,
    before: Option<&Turn>,
    message: Option<&str>,
    flags: &PayloadRequest,
    out: &OutputOptions,
) -> Result<ActiveTurn> {
    let project = env.project()?;
    let (lock, session_note) = open_for_writing(project, &session, &flags.terms, out)?;
    let (mut record, mut stored, list) = resume::next_record(project, &session, before, message)?;
    stored.private_notes.extend(session_note);
    let task = stored.task.clone();
    let id = turn::next_turn(&session).to_string();
    let inputs = resume::inputs(env, &session, id, &mut record, flags, out, stored)?;
    Ok(ActiveTurn {
        inputs: Some(inputs),
        options: flags.clone(),
        record,
        session: Some(session),
        turn: None,
        task,
        terms: SessionTerms::default(),
        list,
        mode: TurnMode::Open,
        lock,
    })
}

/// The error for an action that requires an open turn.
pub fn no_turn() -> Error {
    Error::negative("no turn is open", "open one from the list of sessions, or start one: teddy plan")
}

/// The inputs of a turn on disk.
fn inputs(env: &Environment, turn: &mut ActiveTurn, flags: &PayloadRequest, out: &OutputOptions) -> Result<RunInputs> {
    let project = env.project()?;
    let (Some(session), Some(on_disk)) = (&turn.session, &turn.turn) else {
        return Err(no_turn());
    };
    let before = turn::before(session, on_disk)?;
    let context = Context::load(project, Some(session), Some((on_disk, &turn.record)))?;
    // The record is updated below, so calling this twice does not apply the edits twice.
    let edits = context.edits.clone();
    list_edits::record_edits(&mut turn.record, &edits);
    turn.list = project.read(&on_disk.context_file())?.unwrap_or_default();
    let stored = StoredTurn {
        task: turn.task.clone(),
        before,
        context,
        steps: (edits, Vec::new()),
        notes: Vec::new(),
        private_notes: Vec::new(),
    };
    resume::inputs(env, session, on_disk.id().to_string(), &mut turn.record, flags, out, stored)
}

/// Reads the inputs of a turn on disk again, with additional evidence. The command's options are not applied again.
pub fn read_again(
    env: &Environment,
    turn: &mut ActiveTurn,
    evidence: &[String],
) -> Result<(RunInputs, PayloadRequest)> {
    let flags = PayloadRequest { evidence: evidence.iter().map(PathBuf::from).collect(), ..PayloadRequest::default() };
    let out = OutputOptions { dry_run: turn.mode != TurnMode::Open, ..OutputOptions::default() };
    Ok((inputs(env, turn, &flags, &out)?, flags))
}

/// Creates a session with its first turn, or nothing if that fails.
fn create_session(
    env: &Environment,
    meta: &SessionMeta,
    run: Run,
    rerun: impl FnOnce(&str) -> Result<Run>,
    record: &mut TurnRecord,
) -> Result<FinishedRun> {
    let (project, created) = env.project_or_init()?;
    project.sweep();
    let finished = session::create(project, meta, clock::now()?).and_then(|session| {
        let first_turn = || {
            // The payload contains the session's name, which another process may have taken in the meantime.
            let run = if session.name() == run.details.turn.0 { run } else { rerun(session.name())? };
            let payload = run.payload();
            let _lock = Lock::acquire(session.dir())?;
            let turn = save_turn::create(project, &session, run.selection(), &payload, record, "")?;
            Ok((run, payload, turn))
        };
        // No other process has seen the session yet.
        first_turn().inspect_err(|_: &Error| drop(fs::remove_dir_all(session.dir())))
    });
    match finished {
        Ok((run, payload, turn)) => Ok(FinishedRun { run, payload, saved: SavedFiles { created, turn: Some(turn) } }),
        Err(error) => {
            Project::undo_init(&created);
            Err(error)
        }
    }
}

/// Rejects a new review if nothing changed.
fn refuse_empty_review(run: &Run) -> Result<()> {
    match &run.bench.corpus().review {
        Some(review) if review.is_empty() => Err(Error::negative(
            format!("nothing to review: no changes since {}", review.base_short()),
            "name an earlier commit: teddy review HEAD~1",
        )),
        _ => Ok(()),
    }
}

impl ActiveTurn {
    /// The first turn of a session that does not exist yet.
    pub fn of_new_session(inputs: RunInputs, options: PayloadRequest, record: TurnRecord, task: String) -> Self {
        Self {
            terms: inputs.terms.clone(),
            inputs: Some(inputs),
            options,
            record,
            session: None,
            turn: None,
            task,
            list: String::new(),
            mode: TurnMode::Open,
            lock: None,
        }
    }

    /// Puts the cursor of the list on a path.
    pub fn select(&mut self, path: &str) {
        self.record.view.cursor = Some(path.to_owned());
    }

    /// The inputs of the first scan, which can be taken only once.
    pub fn take_inputs(&mut self) -> Result<RunInputs> {
        self.inputs.take().ok_or_else(|| Error::negative("this turn is already open", "open it again: teddy resume"))
    }

    /// Scans, saves the payload in the turn, and stores the pins of the options if requested.
    pub fn deliver(self, env: &Environment, out: &OutputOptions, observer: &dyn ScanObserver) -> Result<FinishedRun> {
        let (scope, paths) = (self.options.store, self.options.pin.clone());
        let finished = self.deliver_payload(env, out, observer)?;
        if let (Some(scope), Some(turn)) = (scope, &finished.saved.turn) {
            pins::store(env, Some(turn.session()), scope, &paths)?;
        }
        Ok(finished)
    }

    fn deliver_payload(
        mut self,
        env: &Environment,
        out: &OutputOptions,
        observer: &dyn ScanObserver,
    ) -> Result<FinishedRun> {
        let inputs = self.take_inputs()?;
        // Needed in case the session gets a different name than expected.
        let again = self.session.is_none().then(|| inputs.clone());
        let run = Run::start(env, inputs, &self.options, observer)?;
        if self.session.is_none() && self.record.described {
            refuse_empty_review(&run)?;
        }
        if out.dry_run {
            let payload = run.payload();
            return Ok(FinishedRun { run, payload, saved: SavedFiles::default() });
        }
        match (self.session.clone(), self.turn.take()) {
            (_, Some(turn)) => {
                let payload = run.payload();
                save_turn::save(env.project()?, &turn, run.selection(), &payload, &mut self.record)?;
                Ok(FinishedRun { run, payload, saved: SavedFiles { created: Vec::new(), turn: Some(turn) } })
            }
            (Some(session), None) => {
                let payload = run.payload();
                let project = env.project()?;
                let turn =
                    save_turn::create(project, &session, run.selection(), &payload, &mut self.record, &self.list)?;
                Ok(FinishedRun { run, payload, saved: SavedFiles { created: Vec::new(), turn: Some(turn) } })
            }
            (None, None) => {
                let rerun = |session: &str| match again {
                    Some(inputs) => {
                        Run::start(env, RunInputs { session: session.to_owned(), ..inputs }, &self.options, observer)
                    }
                    None => Err(no_turn()),
                };
                let meta = self.session_meta(&run)?;
                create_session(env, &meta, run, rerun, &mut self.record)
            }
        }
    }

    fn session_meta(&self, run: &Run) -> Result<SessionMeta> {
        let mut meta = SessionMeta::new(&self.task, clock::now()?);
        meta.definition_of_done.clone_from(&self.terms.definition_of_done);
        meta.constraints.clone_from(&self.terms.constraints);
        meta.decisions.clone_from(&self.terms.decisions);
        meta.task_type = run.details.classification.known_type();
        meta.complexity = run.details.classification.known_complexity();
        Ok(meta)
    }

    /// The previous turn.
    pub fn before(&self) -> Option<Turn> {
        let (session, turn) = (self.session.as_ref()?, self.turn.as_ref()?);
        turn::before(session, turn).ok().flatten()
    }

    /// Creates the session and the turn if they are new, and saves the overrides from the options.
    pub fn save_opened(&mut self, env: &Environment, run: &Run) -> Result<()> {
        if self.mode != TurnMode::Open {
            return Ok(());
        }
        let session = if let Some(session) = &self.session {
            session.clone()
        } else {
            let (project, _) = env.project_or_init()?;
            let session = session::create(project, &self.session_meta(run)?, clock::now()?)?;
            self.lock = Some(Lock::acquire(session.dir())?);
            self.session = Some(session.clone());
            session
        };
        if let Some(scope) = self.options.store.take() {
            pins::store(env, Some(&session), scope, &self.options.pin)?;
        }
        if let Some(turn) = &self.turn {
            save_turn::record_overrides(&run.bench, &mut self.record)?;
            save_turn::store_evidence(turn, &run.details, &mut self.record)?;
            return turn.save(&mut self.record);
        }
        let turn = save_turn::create_open(&session, run.selection(), &mut self.record, &self.list)?;
        self.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        self.turn = Some(turn);
        Ok(())
    }

    /// Makes the task the session's goal and names the session after it; returns a message.
    pub fn retitle(&mut self) -> Result<String> {
        let (Some(session), Some(turn)) = (self.session.clone(), self.turn.clone()) else { return Err(no_turn()) };
        session.set_goal(&self.task)?;
        let name = session.name_for_goal(&self.task);
        if name == session.name() {
            return Ok("Updated the session's goal".to_owned());
        }
        // Renaming takes the lock itself.
        self.lock = None;
        let renamed = session_ops::rename(&session, &name);
        let now = renamed.as_ref().unwrap_or(&session);
        self.lock = Some(Lock::acquire(now.dir())?);
        self.turn = Some(Turn::open(now, turn.id())?);
        self.session = Some(now.clone());
        renamed.map(|_| format!("Updated the goal; the session is now {name}"))
    }

    /// Makes the turn read-only: it has its answer, so its payload and overrides stay as they are.
    pub fn set_answered(&mut self) {
        self.mode = TurnMode::Answered;
        self.lock = None;
    }

    /// Saves a changed task, type, complexity, format, phase or acceptance criteria; returns notes about redacted
    /// secrets.
    pub fn change_task(&mut self, policy: &Policy, form: &TaskSettings) -> Result<Vec<String>> {
        let mut notes;
        (self.task, notes) = redact_input::without_secrets(policy, "the task", &form.text);
        let mut criteria = Vec::with_capacity(form.done.len());
        for line in &form.done {
            let (clean, found) = redact_input::without_secrets(policy, "the acceptance criteria", line);
            criteria.push(clean);
            notes.extend(found);
        }
        self.record.described &= self.task == self.record.message;
        self.record.message.clone_from(&self.task);
        self.record.task_type = form.task_type;
        self.record.complexity = form.complexity;
        self.record.format = form.format;
        self.record.phase = form.phase;
        if let Some(turn) = &self.turn {
            turn.save(&mut self.record)?;
        }
        if let Some(session) = &self.session {
            let mut meta = session.meta()?;
            if meta.definition_of_done != criteria {
                meta.definition_of_done = criteria;
                session.save(&mut meta)?;
            }
        }
        Ok(notes)
    }
}
