//! The backend of a project on disk, and what it knows of the turn that is open.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{About, Entry, Left, Opened, TaskSettings};
use crate::app::delta::{self, Delivered};
use crate::app::environment::Environment;
use crate::app::open_turn::{self, Prepared, no_turn};
use crate::app::options::{PayloadRequest, PlanRequest, ResumeRequest};
use crate::app::pipeline::Run;
use crate::deliver::ClipboardEnv;
use crate::error::{Error, Result};
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::render::{Format, Renderer};
use crate::workbench::Workbench;

/// What the command line asked for.
pub enum AskedFor {
    /// `teddy plan`.
    Plan(PlanRequest),
    /// `teddy resume`.
    Resume(ResumeRequest),
}

/// The turn that is open.
pub(super) struct OpenTurn {
    pub(super) prepared: Prepared,
    /// What the last run knew besides what the screen has.
    pub(super) last: Option<LastRun>,
    /// What the last turn before this one delivered.
    pub(super) delivered: Option<Delivered>,
}

/// What a run knows besides what the screen has.
pub(super) struct LastRun {
    task: String,
    format: Format,
    pub(super) part: Option<usize>,
    turn: (String, String),
    upper: HashSet<String>,
    handed: Option<crate::handoff::BudgetResult>,
    pub(super) places: Vec<crate::gather::evidence::EvidenceLocation>,
}

/// What the screen asks, answered with the same functions that the commands use.
pub struct ProjectBackend {
    directory: Option<PathBuf>,
    env: Mutex<Arc<Environment>>,
    /// What the command line named, until it is opened.
    pub(super) named: Mutex<Option<Prepared>>,
    /// What was asked for on the command line, to ask it again after a scan was cancelled.
    asked: Mutex<Option<AskedFor>>,
    /// Held while a turn is opened: one that was cancelled lets go of its session before the next takes it.
    pub(super) opening: Mutex<()>,
    /// The session that was opened last, to open it again after a scan was cancelled.
    pub(super) last: Mutex<Option<String>>,
    pub(super) open: Mutex<Option<OpenTurn>>,
    /// `memos.yaml` as it was written here last.
    pub(super) memos: Mutex<Option<String>>,
    pub(super) clipboard: Mutex<ClipboardEnv>,
    /// The most tokens of a part, where the command line says so.
    pub(super) split: Mutex<Option<usize>>,
    /// The payload that is copied in parts, and how many of them were.
    pub(super) copied: Mutex<Option<(String, usize)>>,
    state_dir: Mutex<Option<PathBuf>>,
}

/// What is behind a lock, whatever became of who held it.
pub(super) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProjectBackend {
    /// Looks around from a directory.
    pub fn open(directory: Option<&Path>) -> Result<Arc<Self>> {
        let env = Environment::open(directory)?;
        Ok(Arc::new(Self {
            directory: directory.map(Path::to_path_buf),
            env: Mutex::new(Arc::new(env)),
            named: Mutex::new(None),
            asked: Mutex::new(None),
            opening: Mutex::new(()),
            last: Mutex::new(None),
            open: Mutex::new(None),
            memos: Mutex::new(None),
            clipboard: Mutex::new(ClipboardEnv::from_process()),
            split: Mutex::new(None),
            copied: Mutex::new(None),
            state_dir: Mutex::new(None),
        }))
    }

    /// Opens what the command line named first, and again after a scan of it was cancelled.
    pub fn name(&self, prepared: Option<Prepared>, asked: Option<AskedFor>, split: Option<usize>) {
        *held(&self.named) = prepared;
        *held(&self.asked) = asked;
        *held(&self.split) = split;
    }

    /// Uses these clipboards instead of the machine's own.
    pub fn use_clipboard(&self, env: ClipboardEnv) {
        *held(&self.clipboard) = env;
    }

    /// Where we are.
    pub fn env(&self) -> Arc<Environment> {
        Arc::clone(&held(&self.env))
    }

    /// How to go on with the session that was open, once the screen is closed.
    pub fn last_words(&self) -> Option<String> {
        held(&self.last).as_ref().map(|name| format!("{name} is kept; go on with: teddy resume"))
    }

    /// The memos as they are now are our own, so nobody has to read the project again for them.
    pub(super) fn know_memos(&self) {
        let file = self.env().project.as_ref().map(crate::project::Project::memos_file);
        *held(&self.memos) = file.and_then(|file| std::fs::read_to_string(file).ok());
    }

    /// What the command line asked for, made ready again after a scan of it was cancelled.
    pub(super) fn asked_again(&self, env: &Environment) -> Result<Prepared> {
        if let Some(name) = held(&self.last).as_ref() {
            return open_turn::named(env, name);
        }
        let nothing = || Error::negative("nothing was asked for that could be opened again", "start again: teddy plan");
        match held(&self.asked).as_ref() {
            Some(AskedFor::Plan(args)) => open_turn::plan(env, args),
            Some(AskedFor::Resume(args)) => open_turn::resume(env, args)?.0.ok_or_else(nothing),
            None => Err(nothing()),
        }
    }

    /// Keeps the user's own state there instead of where the system says.
    pub fn use_state_dir(&self, dir: &Path) {
        *held(&self.state_dir) = Some(dir.to_path_buf());
        let _ = self.refresh();
    }

    /// The turn that an entry leads to, if it has a plan and waits for its report.
    pub(super) fn planned(&self, env: &Environment, entry: &Entry) -> Result<Option<Turn>> {
        let which = match (entry, held(&self.last).as_ref(), held(&self.asked).as_ref()) {
            (Entry::Resume(name), ..) | (Entry::Named, Some(name), _) => Some(name.clone()),
            (Entry::Named, None, Some(AskedFor::Resume(args))) => args.session.clone(),
            _ => return Ok(None),
        };
        let (session, id) = session::locate(env.project()?, &env.cwd, which.as_deref())?;
        let Some(id) = id.or_else(|| turn::latest_turn(&session)) else { return Ok(None) };
        let turn = Turn::open(&session, id)?;
        Ok((turn.state() == TurnState::Planned).then_some(turn))
    }

    pub(super) fn refresh(&self) -> Result<Arc<Environment>> {
        let mut env = Environment::open(self.directory.as_deref())?;
        if let Some(dir) = held(&self.state_dir).as_ref() {
            env.state_dir = Some(dir.clone());
        }
        let env = Arc::new(env);
        *held(&self.env) = Arc::clone(&env);
        Ok(env)
    }

    pub(super) fn session(&self, name: &str) -> Result<Session> {
        let env = self.env();
        session::find(env.project()?, &env.cwd, name)
    }

    /// The open turn's inputs, read again from disk, so that edited lists and memos count.
    pub(super) fn again(&self, env: &Environment) -> Result<(crate::app::pipeline::Inputs, PayloadRequest)> {
        let mut open = held(&self.open);
        let open = open.as_mut().ok_or_else(no_turn)?;
        open_turn::again(env, &mut open.prepared)
    }

    pub(super) fn opened(&self, run: Run, fresh: bool) -> Result<Opened> {
        let mut open = held(&self.open);
        let open = open.as_mut().ok_or_else(no_turn)?;
        open.last = Some(LastRun {
            task: run.task.clone(),
            format: run.format,
            part: run.part,
            turn: run.turn.clone(),
            upper: run.upper.clone(),
            handed: run.handed,
            places: run.places.clone(),
        });
        let prepared = &mut open.prepared;
        let record = &prepared.record;
        let session = prepared.session.as_ref();
        open.delivered = run.since.map(Delivered::from);
        let changed = delta::changed(open.delivered.as_ref(), run.bench.corpus());
        let own = prepared.turn.as_ref().and_then(|turn| Delivered::of(turn, run.bench.corpus()));
        let stale = own.map(|own| own.sources_changed(run.bench.corpus())).unwrap_or_default();
        let last_commit = || delta::last_commit(run.bench.corpus()).to_owned();
        let since = open.delivered.as_ref().map_or_else(last_commit, Delivered::name);
        let done =
            session.and_then(|session| session.meta().ok()).map(|meta| meta.definition_of_done).unwrap_or_default();
        let about = About {
            session: session.map(|session| session.name().to_owned()).unwrap_or_default(),
            turn: prepared.turn.as_ref().map(|turn| turn.id().to_string()).unwrap_or_default(),
            form: TaskSettings {
                text: prepared.task.clone(),
                task_type: record.task_type.as_deref().and_then(|name| crate::score::TaskType::named(name).ok()),
                complexity: record.complexity.as_deref().and_then(|name| crate::score::Complexity::named(name).ok()),
                format: run.format,
                done,
            },
            classification: run.classification.clone(),
            tokenizer: run.bench.tokenizer().name(),
            notes: if fresh { run.notes.clone() } else { Vec::new() },
            changed,
            stale,
            since,
            left: Left {
                sort: record.view.sort.clone(),
                cursor: record.view.cursor.clone(),
                filter: record.view.filter.clone(),
            },
        };
        Ok(Opened { bench: run.bench, renderer: run.renderer, about })
    }
}

impl OpenTurn {
    /// A `Run` for the functions that store one.
    pub(super) fn run(&self, bench: &Workbench, renderer: &Arc<dyn Renderer>, about: &About) -> Result<Run> {
        let last = self.last.as_ref().ok_or_else(no_turn)?;
        Ok(Run {
            task: last.task.clone(),
            format: last.format,
            part: last.part,
            turn: last.turn.clone(),
            bench: bench.clone(),
            renderer: Arc::clone(renderer),
            classification: about.classification.clone(),
            notes: about.notes.clone(),
            upper: last.upper.clone(),
            handed: last.handed,
            // It is on disk since the turn was opened.
            evidence: Vec::new(),
            places: Vec::new(),
            let_go: Vec::new(),
            since: None,
        })
    }

    /// What is in `turn.context` now is ours.
    pub(super) fn know_list(&mut self) {
        if let Some(turn) = &self.prepared.turn {
            self.prepared.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        }
    }
}
