//! A turn made ready for the screen: looked up, locked and read, but not scanned; and what it leaves on disk afterwards.

use std::fs;

use super::args::{OutputArgs, PlanArgs, ResumeArgs, ShapeArgs};
use super::plan;
use super::restore;
use super::resume::{self, Carried};
use super::run::{Inputs, Run};
use super::spoken;
use super::standing::Context;
use super::store;
use super::world::World;
use crate::error::{Error, Result};
use crate::place::Ruling;
use crate::project::clock;
use crate::project::lock::Lock;
use crate::project::session::{self, Session, SessionMeta};
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::redact::Policy;
use crate::tui::TaskSettings;
use crate::workbench::Verb;

/// A turn that can be scanned for.
pub struct Prepared {
    inputs: Option<Inputs>,
    /// The flags, whose rulings hold once.
    pub flags: ShapeArgs,
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

/// For `teddy plan`.
pub fn plan(world: &World, args: &PlanArgs) -> Result<Prepared> {
    if let Some(name) = &args.session {
        let project = world.project()?;
        let session = session::find(project, &world.cwd, name)?;
        plan::refuse_planned(world, &session)?;
        return next(world, session, None, args.message.as_deref(), &args.shape);
    }
    let (text, shape) = plan::task(world, args)?;
    task(world, &PlanArgs { shape, ..args.clone() }, text)
}

/// For `teddy resume`; `None` where a plan waits for its report and there is nothing to curate.
pub fn resume(world: &World, args: &ResumeArgs) -> Result<Option<Prepared>> {
    let project = world.project()?;
    let (session, id) = session::locate(project, &world.cwd, args.session.as_deref())?;
    let Some(id) = id.or_else(|| turn::latest_turn(&session)) else {
        resume::no_report(args, "there is no turn yet")?;
        return next(world, session, None, args.message.as_deref(), &args.shape).map(Some);
    };
    let turn = Turn::open(&session, id)?;
    match (turn.state(), &args.report) {
        (TurnState::Open | TurnState::Delivered, None) => {
            reopen(world, &turn, args.message.as_deref(), &args.shape).map(Some)
        }
        (TurnState::Planned, None) => Ok(None),
        (TurnState::Planned, Some(file)) => {
            resume::take_report(world, &turn, file, args)?;
            next(world, session, Some(&turn), args.message.as_deref(), &args.shape).map(Some)
        }
        (TurnState::Open | TurnState::Delivered, Some(_)) if resume::carries_on(world, &turn, args)? => {
            reopen(world, &turn, args.message.as_deref(), &args.shape).map(Some)
        }
        (TurnState::Done, Some(_)) if resume::is_repeated(world, &turn, args)? => {
            next(world, session, Some(&turn), args.message.as_deref(), &args.shape).map(Some)
        }
        (TurnState::Done, None) => next(world, session, Some(&turn), args.message.as_deref(), &args.shape).map(Some),
        (state, Some(_)) => resume::no_report(args, &format!("turn {} is {state}", turn.id())).map(|()| None),
    }
}

/// For a session chosen on the screen.
pub fn named(world: &World, name: &str) -> Result<Prepared> {
    let args = ResumeArgs {
        session: Some(name.to_owned()),
        message: None,
        report: None,
        shape: ShapeArgs::default(),
        output: OutputArgs::default(),
    };
    resume(world, &args)?.ok_or_else(|| {
        Error::negative(
            format!("`{name}` has a plan and waits for its report"),
            "carry the plan out and keep what came of it (teddy answer --report FILE), then open it again",
        )
    })
}

/// For a new session.
pub fn task(world: &World, args: &PlanArgs, task: String) -> Result<Prepared> {
    let mut record = TurnRecord::default();
    record.message.clone_from(&task);
    let now = clock::now()?;
    let name = match &world.project {
        Some(project) => session::free_name(project, &task, now),
        None => session::name_for(&task, now),
    };
    let mut inputs = plan::inputs(world, args, &task, &name, &mut record)?;
    inputs.evidence = super::evidence::read(world, &args.shape.evidence)?;
    Ok(Prepared {
        inputs: Some(inputs),
        flags: args.shape.clone(),
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
pub fn plain_task(world: &World, text: &str) -> Result<Prepared> {
    let (text, told) = spoken::without_secrets(&world.redaction()?, "the task", text);
    let args = PlanArgs {
        task: Some(text.clone()),
        task_file: None,
        session: None,
        message: None,
        definition_of_done: Vec::new(),
        shape: ShapeArgs { told, ..ShapeArgs::default() },
        output: OutputArgs::default(),
    };
    task(world, &args, plan::not_empty(text)?)
}

fn reopen(world: &World, turn: &Turn, message: Option<&str>, flags: &ShapeArgs) -> Result<Prepared> {
    let session = turn.session().clone();
    // The lock before the record, so that nobody changes it in between.
    let lock = Lock::acquire(session.dir())?;
    let (mut record, asides) = restore::record(world.project()?, turn, false)?;
    if let Some(message) = message {
        message.clone_into(&mut record.message);
    }
    let task = if record.message.is_empty() { session.meta()?.goal().to_owned() } else { record.message.clone() };
    let mut prepared = Prepared {
        inputs: None,
        flags: flags.clone(),
        record,
        session: Some(session),
        turn: Some(turn.clone()),
        task,
        done: Vec::new(),
        list: String::new(),
        lock: Some(lock),
    };
    let (mut steps, mut undone) = store::steps(&prepared.record)?;
    let mut inputs = inputs(world, &mut prepared, flags)?;
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
    world: &World,
    session: Session,
    before: Option<&Turn>,
    message: Option<&str>,
    flags: &ShapeArgs,
) -> Result<Prepared> {
    let project = world.project()?;
    let lock = Lock::acquire(session.dir())?;
    project.sweep();
    let (mut record, carried, list) = resume::next_record(project, &session, before, message)?;
    let task = carried.task.clone();
    let id = turn::next_turn(&session).to_string();
    let inputs = resume::inputs(world, &session, id, &mut record, flags, &OutputArgs::default(), carried)?;
    Ok(Prepared {
        inputs: Some(inputs),
        flags: flags.clone(),
        record,
        session: Some(session),
        turn: None,
        task,
        done: Vec::new(),
        list,
        lock: Some(lock),
    })
}

/// What is said where something needs a turn and none is open.
pub fn no_turn() -> Error {
    Error::negative("no turn is open", "open one from the list of sessions, or start one: teddy plan")
}

/// The inputs of a turn that is on disk.
fn inputs(world: &World, prepared: &mut Prepared, flags: &ShapeArgs) -> Result<Inputs> {
    let project = world.project()?;
    let before = prepared.before();
    let (Some(session), Some(turn)) = (&prepared.session, &prepared.turn) else {
        return Err(no_turn());
    };
    let context = Context::load(project, Some(session), Some((turn, &prepared.record)))?;
    // What the person did to the turn's list becomes steps, once: from now on the list is as we know it.
    let edits = context.edits.clone();
    for edit in &edits {
        match edit.verb {
            Verb::Rule(Ruling::Pin) => prepared.record.raw.extend(edit.targets.iter().cloned()),
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
    let out = OutputArgs::default();
    resume::inputs(world, session, turn.id().to_string(), &mut prepared.record, flags, &out, carried)
}

/// The same turn's inputs, read again. Rulings are the screen's by now, and flags have had their say.
pub fn again(world: &World, prepared: &mut Prepared) -> Result<(Inputs, ShapeArgs)> {
    let flags = ShapeArgs::default();
    Ok((inputs(world, prepared, &flags)?, flags))
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

    /// The turn before this one.
    pub fn before(&self) -> Option<Turn> {
        let (session, turn) = (self.session.as_ref()?, self.turn.as_ref()?);
        turn::before(session, turn).ok().flatten()
    }

    /// Makes the session and the turn where they are new, and keeps what flags decided.
    pub fn settle(&mut self, world: &World, run: &Run) -> Result<()> {
        let session = if let Some(session) = &self.session {
            session.clone()
        } else {
            let (project, _) = world.project_or_init()?;
            let mut meta = SessionMeta::new(&self.task, clock::now()?);
            meta.definition_of_done.clone_from(&self.done);
            meta.task_type = run.classification.type_name().map(str::to_owned);
            meta.complexity = run.classification.complexity_name().map(str::to_owned);
            let session = session::create(&project, &meta, clock::now()?)?;
            self.lock = Some(Lock::acquire(session.dir())?);
            self.session = Some(session.clone());
            session
        };
        if let Some(turn) = &self.turn {
            store::note_rulings(&run.bench, &mut self.record)?;
            store::keep_evidence(turn, run, &mut self.record)?;
            return turn.save(&mut self.record);
        }
        let turn = store::create_open(&session, run, &mut self.record, &self.list)?;
        self.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        self.turn = Some(turn);
        Ok(())
    }

    /// Keeps another task, type, complexity, format or definition of done; says what was replaced in them.
    pub fn reshape(&mut self, policy: &Policy, form: &TaskSettings) -> Result<Vec<String>> {
        let mut told;
        (self.task, told) = spoken::without_secrets(policy, "the task", &form.text);
        let mut done = Vec::with_capacity(form.done.len());
        for line in &form.done {
            let (clean, found) = spoken::without_secrets(policy, "the definition of done", line);
            done.push(clean);
            told.extend(found);
        }
        self.record.message.clone_from(&self.task);
        self.record.task_type = form.task_type.map(|kind| kind.name().to_owned());
        self.record.complexity = form.complexity.map(|size| size.name().to_owned());
        self.record.format = Some(form.format.name().to_owned());
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
