//! A turn made ready for a scan: looked up, locked and read; and what it leaves on disk afterwards.

use std::fs;

use super::backend::TaskSettings;
use super::context_rules::Context;
use super::environment::Environment;
use super::evidence;
use super::options::{OutputOptions, PayloadRequest, PlanRequest, ResumeRequest};
use super::pipeline::{Inputs, Run, ScanObserver};
use super::plan;
use super::redact_input;
use super::restore;
use super::resume::{self, Carried, NextStep};
use super::save_turn::{self, FinishedRun, Saved};
use crate::error::{Error, Result};
use crate::place::Override;
use crate::project::lock::Lock;
use crate::project::session::{self, Session, SessionMeta};
use crate::project::turn::{self, Turn, TurnRecord};
use crate::project::{Project, clock};
use crate::redact::Policy;
use crate::workbench::Verb;

/// A turn that can be scanned for.
pub struct Prepared {
    inputs: Option<Inputs>,
    /// The flags, whose overrides hold once.
    pub flags: PayloadRequest,
    /// What the person decided.
    pub record: TurnRecord,
    /// The session, once there is one.
    pub session: Option<Session>,
    /// The turn, once there is one.
    pub turn: Option<Turn>,
    /// What is to be done.
    pub task: String,
    done: Vec<String>,
    /// `turn.context` as we know it; before there is a turn, the list that it carries on.
    pub list: String,
    /// Held as long as the turn is open.
    lock: Option<Lock>,
}

/// For `teddy plan` on the screen.
pub fn plan(env: &Environment, args: &PlanRequest) -> Result<Prepared> {
    if let Some(name) = &args.session {
        let session = session::find(env.project()?, &env.cwd, name)?;
        plan::refuse_planned(env, &session)?;
        let step = NextStep::Start { session, before: None };
        return self::step(env, step, args.message.as_deref(), &args.payload, &args.output);
    }
    let (text, payload) = plan::task(env, args)?;
    task(env, &PlanRequest { payload, ..args.clone() }, text)
}

/// For `teddy resume` on the screen; `None` where a plan waits for its report and there is nothing to curate. A report that
/// was kept comes with a sentence.
pub fn resume(env: &Environment, args: &ResumeRequest) -> Result<(Option<Prepared>, Option<String>)> {
    let (step, kept) = resume::decide(env, args)?;
    if let NextStep::AwaitReport(_) = step {
        return Ok((None, kept));
    }
    let prepared = self::step(env, step, args.message.as_deref(), &args.payload, &args.output)?;
    Ok((Some(prepared), kept))
}

/// The turn that a session goes on with.
pub fn step(
    env: &Environment,
    step: NextStep,
    message: Option<&str>,
    flags: &PayloadRequest,
    out: &OutputOptions,
) -> Result<Prepared> {
    match step {
        NextStep::Reopen(turn) => reopen(env, &turn, message, flags, out),
        NextStep::Start { session, before } => next(env, session, before.as_ref(), message, flags, out),
        NextStep::AwaitReport(turn) => Err(resume::awaits_report(env, &turn)),
    }
}

/// For a session chosen on the screen.
pub fn named(env: &Environment, name: &str) -> Result<Prepared> {
    let args = ResumeRequest { session: Some(name.to_owned()), ..ResumeRequest::default() };
    resume(env, &args)?.0.ok_or_else(|| {
        Error::negative(
            format!("`{name}` has a plan and waits for its report"),
            "carry the plan out and keep what came of it (teddy answer --report FILE), then open it again",
        )
    })
}

/// For a new session.
pub fn task(env: &Environment, args: &PlanRequest, task: String) -> Result<Prepared> {
    let mut record = TurnRecord::default();
    record.message.clone_from(&task);
    let now = clock::now()?;
    let name = match &env.project {
        Some(project) => session::free_name(project, &task, now),
        None => session::name_for(&task, now),
    };
    let mut inputs = plan::inputs(env, args, &task, &name, &mut record)?;
    inputs.evidence = evidence::read(env, &args.payload.evidence)?;
    Ok(Prepared {
        inputs: Some(inputs),
        flags: args.payload.clone(),
        record,
        session: None,
        turn: None,
        task,
        done: args.definition_of_done.clone(),
        list: String::new(),
        lock: None,
    })
}

/// For a new session that has no flags.
pub fn plain_task(env: &Environment, text: &str) -> Result<Prepared> {
    let (text, told) = redact_input::without_secrets(&env.redaction()?, "the task", text);
    let payload = PayloadRequest { told, ..PayloadRequest::default() };
    let args = PlanRequest { task: Some(text.clone()), payload, ..PlanRequest::default() };
    task(env, &args, plan::not_empty(text)?)
}

/// Takes the session's lock and sweeps what dead processes left; a dry run only looks.
fn open_for_writing(project: &Project, session: &Session, out: &OutputOptions) -> Result<Option<Lock>> {
    if out.dry_run {
        return Ok(None);
    }
    let lock = Lock::acquire(session.dir())?;
    project.sweep();
    Ok(Some(lock))
}

fn reopen(
    env: &Environment,
    turn: &Turn,
    message: Option<&str>,
    flags: &PayloadRequest,
    out: &OutputOptions,
) -> Result<Prepared> {
    let project = env.project()?;
    let session = turn.session().clone();
    // The lock before the record, so that nobody changes it in between.
    let lock = open_for_writing(project, &session, out)?;
    let (mut record, asides) = restore::record(project, turn, out.dry_run)?;
    if let Some(message) = message {
        message.clone_into(&mut record.message);
    }
    let task = resume::task_or_goal(&session, &record.message)?;
    let mut prepared = Prepared {
        inputs: None,
        flags: flags.clone(),
        record,
        session: Some(session),
        turn: Some(turn.clone()),
        task,
        done: Vec::new(),
        list: String::new(),
        lock,
    };
    let (mut steps, mut undone) = save_turn::steps(&prepared.record)?;
    let mut inputs = inputs(env, &mut prepared, flags, out)?;
    if !inputs.steps.0.is_empty() {
        steps.append(&mut inputs.steps.0);
        undone.clear();
    }
    inputs.steps = (steps, undone);
    inputs.asides = asides;
    prepared.inputs = Some(inputs);
    Ok(prepared)
}

fn next(
    env: &Environment,
    session: Session,
    before: Option<&Turn>,
    message: Option<&str>,
    flags: &PayloadRequest,
    out: &OutputOptions,
) -> Result<Prepared> {
    let project = env.project()?;
    let lock = open_for_writing(project, &session, out)?;
    let (mut record, carried, list) = resume::next_record(project, &session, before, message)?;
    let task = carried.task.clone();
    let id = turn::next_turn(&session).to_string();
    let inputs = resume::inputs(env, &session, id, &mut record, flags, out, carried)?;
    Ok(Prepared {
        inputs: Some(inputs),
        flags: flags.clone(),
        record,
        session: Some(session),
        turn: None,
        task,
        done: Vec::new(),
        list,
        lock,
    })
}

/// What is said where something needs a turn and none is open.
pub fn no_turn() -> Error {
    Error::negative("no turn is open", "open one from the list of sessions, or start one: teddy plan")
}

/// The inputs of a turn that is on disk.
fn inputs(env: &Environment, prepared: &mut Prepared, flags: &PayloadRequest, out: &OutputOptions) -> Result<Inputs> {
    let project = env.project()?;
    let (Some(session), Some(turn)) = (&prepared.session, &prepared.turn) else {
        return Err(no_turn());
    };
    let before = turn::before(session, turn)?;
    let context = Context::load(project, Some(session), Some((turn, &prepared.record)))?;
    // What the person did to the turn's list becomes steps, once: from now on the list is as we know it.
    let edits = context.edits.clone();
    for edit in &edits {
        match edit.verb {
            Verb::Rule(Override::Pin) => prepared.record.raw.extend(edit.targets.iter().cloned()),
            _ => prepared.record.raw.retain(|path| !edit.targets.contains(path)),
        }
    }
    prepared.list = project.read(&turn.context_file())?.unwrap_or_default();
    let carried = Carried {
        task: prepared.task.clone(),
        before,
        context,
        steps: (edits, Vec::new()),
        notes: Vec::new(),
        asides: Vec::new(),
    };
    resume::inputs(env, session, turn.id().to_string(), &mut prepared.record, flags, out, carried)
}

/// The same turn's inputs, read again. Rulings are the screen's by now, and flags have had their say.
pub fn again(env: &Environment, prepared: &mut Prepared) -> Result<(Inputs, PayloadRequest)> {
    let flags = PayloadRequest::default();
    Ok((inputs(env, prepared, &flags, &OutputOptions::default())?, flags))
}

impl Prepared {
    /// Tells the person something once the turn is open.
    pub fn aside(&mut self, said: &str) {
        if let Some(inputs) = &mut self.inputs {
            inputs.asides.push(said.to_owned());
        }
    }

    /// What the first scan is for.
    pub fn take_inputs(&mut self) -> Result<Inputs> {
        self.inputs.take().ok_or_else(|| Error::negative("this turn was opened already", "open it again: teddy resume"))
    }

    /// Scans, and saves the payload in the turn.
    pub fn deliver(
        mut self,
        env: &Environment,
        out: &OutputOptions,
        observer: &dyn ScanObserver,
    ) -> Result<FinishedRun> {
        let run = Run::start(env, self.take_inputs()?, &self.flags, observer)?;
        if out.dry_run {
            return Ok(FinishedRun { run, saved: Saved::default() });
        }
        let turn = match (&self.session, self.turn.take()) {
            (_, Some(turn)) => {
                save_turn::save(env.project()?, &turn, &run, &mut self.record)?;
                turn
            }
            (Some(session), None) => save_turn::create(session, &run, &mut self.record, &self.list)?,
            (None, None) => return Err(no_turn()),
        };
        Ok(FinishedRun { run, saved: Saved { created: Vec::new(), turn: Some(turn) } })
    }

    /// The turn before this one.
    pub fn before(&self) -> Option<Turn> {
        let (session, turn) = (self.session.as_ref()?, self.turn.as_ref()?);
        turn::before(session, turn).ok().flatten()
    }

    /// Makes the session and the turn where they are new, and keeps what flags decided.
    pub fn settle(&mut self, env: &Environment, run: &Run) -> Result<()> {
        let session = if let Some(session) = &self.session {
            session.clone()
        } else {
            let (project, _) = env.project_or_init()?;
            let mut meta = SessionMeta::new(&self.task, clock::now()?);
            meta.definition_of_done.clone_from(&self.done);
            meta.task_type = run.classification.known_type();
            meta.complexity = run.classification.known_complexity();
            let session = session::create(&project, &meta, clock::now()?)?;
            self.lock = Some(Lock::acquire(session.dir())?);
            self.session = Some(session.clone());
            session
        };
        if let Some(turn) = &self.turn {
            save_turn::record_overrides(&run.bench, &mut self.record)?;
            save_turn::keep_evidence(turn, run, &mut self.record)?;
            return turn.save(&mut self.record);
        }
        let turn = save_turn::create_open(&session, run, &mut self.record, &self.list)?;
        self.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        self.turn = Some(turn);
        Ok(())
    }

    /// Keeps another task, type, complexity, format or definition of done; says what was replaced in them.
    pub fn reshape(&mut self, policy: &Policy, form: &TaskSettings) -> Result<Vec<String>> {
        let mut told;
        (self.task, told) = redact_input::without_secrets(policy, "the task", &form.text);
        let mut done = Vec::with_capacity(form.done.len());
        for line in &form.done {
            let (clean, found) = redact_input::without_secrets(policy, "the definition of done", line);
            done.push(clean);
            told.extend(found);
        }
        self.record.message.clone_from(&self.task);
        self.record.task_type = form.task_type;
        self.record.complexity = form.complexity;
        self.record.format = Some(form.format);
        if let Some(turn) = &self.turn {
            turn.save(&mut self.record)?;
        }
        if let Some(session) = &self.session {
            let mut meta = session.meta()?;
            if meta.definition_of_done != done {
                meta.definition_of_done = done;
                session.save(&mut meta)?;
            }
        }
        Ok(told)
    }
}
