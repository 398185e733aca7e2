//! The backend of a project on disk: one state, and the turn that is open.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ListState, LoadedTurn, OpenTarget, TaskSettings, TurnInfo};
use crate::app::delta::{self, Delivered};
use crate::app::environment::Environment;
use crate::app::open_turn::{self, ActiveTurn, no_turn};
use crate::app::options::{PayloadRequest, PlanRequest, ResumeRequest};
use crate::app::pipeline::{Run, RunDetails, RunInputs, Selection};
use crate::app::plan;
use crate::deliver::ClipboardEnv;
use crate::error::{Error, Result};
use crate::project::Project;
use crate::project::session::{self, Session};
use crate::project::turn::{self, Turn, TurnState};
use crate::workbench::Workbench;

/// The command that opened the screen, kept to run it again after a scan was cancelled.
pub enum StartRequest {
    /// `teddy plan`.
    Plan(PlanRequest),
    /// `teddy resume`.
    Resume(ResumeRequest),
}

/// The turn that is open on the screen.
pub(super) struct ScreenTurn {
    pub(super) active: ActiveTurn,
    /// The facts of the last run.
    pub(super) details: Option<RunDetails>,
    /// The payload that was delivered last before this turn.
    pub(super) delivered: Option<Delivered>,
}

/// Everything that changes while the screen is open.
pub(super) struct BackendState {
    pub(super) env: Arc<Environment>,
    /// Replaces the user's state directory, in tests.
    state_dir: Option<PathBuf>,
    /// The turn that the command line named, until it is opened.
    pub(super) prepared: Option<ActiveTurn>,
    request: Option<StartRequest>,
    /// The session that was opened last, to open it again after a scan was cancelled.
    pub(super) last_session: Option<String>,
    pub(super) turn: Option<ScreenTurn>,
    /// `memos.yaml` as last written here.
    pub(super) written_memos: Option<String>,
    pub(super) clipboard: ClipboardEnv,
    /// The limit for the parts of a payload from the command line, in tokens.
    pub(super) split: Option<usize>,
    /// The payload that is copied in parts, and the number of parts copied so far.
    pub(super) copied: Option<(String, usize)>,
}

/// The screen's backend for a project on disk, on top of the same use cases as the commands.
pub struct ProjectBackend {
    state: Mutex<BackendState>,
    /// Held while a turn is opened, so that a cancelled scan releases its session before the next one locks it.
    pub(super) opening: Mutex<()>,
}

impl ProjectBackend {
    /// The backend of the project around a directory.
    pub fn open(directory: Option<&Path>) -> Result<Arc<Self>> {
        Ok(Self::new(Environment::open(directory)?))
    }

    /// The backend of an environment that is open already.
    pub fn new(env: Environment) -> Arc<Self> {
        let state = BackendState {
            env: Arc::new(env),
            state_dir: None,
            prepared: None,
            request: None,
            last_session: None,
            turn: None,
            written_memos: None,
            clipboard: ClipboardEnv::from_process(),
            split: None,
            copied: None,
        };
        Arc::new(Self { state: Mutex::new(state), opening: Mutex::new(()) })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, BackendState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the turn to open first, and the command to run again after a scan of it was cancelled.
    pub fn start_with(&self, turn: Option<ActiveTurn>, request: Option<StartRequest>, split: Option<usize>) {
        let mut state = self.state();
        (state.prepared, state.request, state.split) = (turn, request, split);
    }

    /// Replaces the machine's clipboards.
    pub fn use_clipboard(&self, env: ClipboardEnv) {
        self.state().clipboard = env;
    }

    /// The environment.
    pub fn env(&self) -> Arc<Environment> {
        Arc::clone(&self.state().env)
    }

    /// The message that says how to continue once the screen is closed.
    pub fn farewell(&self) -> Option<String> {
        self.state().last_session.as_ref().map(|name| format!("{name} is saved; continue with: teddy resume"))
    }

    /// Records the memos as our own write, so that the watcher does not read the project again.
    pub(super) fn record_memos(&self) {
        let mut state = self.state();
        let file = state.env.existing_project().map(Project::memos_file);
        state.written_memos = file.and_then(|file| fs::read_to_string(file).ok());
    }

    /// Opens the turn of the command line again after a scan of it was cancelled.
    pub(super) fn reopen(&self, env: &Environment) -> Result<ActiveTurn> {
        let state = self.state();
        if let Some(name) = &state.last_session {
            return open_turn::named(env, name);
        }
        let nothing = || Error::negative("no turn is open", "start one with teddy plan");
        match &state.request {
            Some(StartRequest::Plan(request)) => plan::open(env, request),
            Some(StartRequest::Resume(request)) => open_turn::resume(env, request)?.0.ok_or_else(nothing),
            None => Err(nothing()),
        }
    }

    /// Replaces the user's state directory.
    pub fn use_state_dir(&self, dir: &Path) {
        self.state().state_dir = Some(dir.to_path_buf());
        let _ = self.refresh();
    }

    /// The turn that an entry leads to, if it has an answer and awaits its report.
    pub(super) fn answered_turn(&self, env: &Environment, entry: &OpenTarget) -> Result<Option<Turn>> {
        let state = self.state();
        let which = match (entry, &state.last_session, &state.request) {
            (OpenTarget::Resume(name), ..) | (OpenTarget::Named, Some(name), _) => Some(name.clone()),
            (OpenTarget::Named, None, Some(StartRequest::Resume(request))) => request.session.clone(),
            _ => return Ok(None),
        };
        let (session, id) = session::locate(env.project()?, &env.cwd, which.as_deref())?;
        let Some(id) = id.or_else(|| turn::latest_turn(&session)) else { return Ok(None) };
        let turn = Turn::open(&session, id)?;
        Ok((turn.state() == TurnState::Planned).then_some(turn))
    }

    /// Opens the environment again: the configuration, the project or the allowed secrets may have changed.
    pub(super) fn refresh(&self) -> Result<Arc<Environment>> {
        let mut state = self.state();
        let mut env = Environment::open(Some(&state.env.cwd))?;
        if let Some(dir) = &state.state_dir {
            env.state_dir = Some(dir.clone());
        }
        state.env = Arc::new(env);
        Ok(Arc::clone(&state.env))
    }

    pub(super) fn session(&self, name: &str) -> Result<Session> {
        let env = self.env();
        session::find(env.project()?, &env.cwd, name)
    }

    /// The inputs of the open turn, read again from disk, so that edits of lists and memos count.
    pub(super) fn read_again(&self, env: &Environment) -> Result<(RunInputs, PayloadRequest)> {
        open_turn::again(env, &mut self.state().turn.as_mut().ok_or_else(no_turn)?.active)
    }

    /// Takes over a run as the state of the open turn.
    pub(super) fn opened(&self, run: Run, fresh: bool) -> Result<LoadedTurn> {
        let mut state = self.state();
        let turn = state.turn.as_mut().ok_or_else(no_turn)?;
        let Run { bench, renderer, mut details } = run;
        // The turn has stored it when it was opened.
        details.evidence.iter_mut().for_each(|evidence| evidence.stored = true);
        turn.delivered = details.delta.take().map(Delivered::from);
        let about = turn.about(&bench, &details, fresh);
        turn.details = Some(details);
        Ok(LoadedTurn { bench, renderer, about })
    }
}

impl ScreenTurn {
    fn about(&self, bench: &Workbench, details: &RunDetails, fresh: bool) -> TurnInfo {
        let corpus = bench.corpus();
        let ActiveTurn { record, session, turn, task, .. } = &self.active;
        let own = turn.as_ref().and_then(|turn| Delivered::of(turn, corpus));
        let last_commit = || delta::last_commit(corpus).to_owned();
        let meta = session.as_ref().and_then(|session| session.meta().ok());
        TurnInfo {
            session: session.as_ref().map(|session| session.name().to_owned()).unwrap_or_default(),
            turn: turn.as_ref().map(|turn| turn.id().to_string()).unwrap_or_default(),
            form: TaskSettings {
                text: task.clone(),
                task_type: record.task_type,
                complexity: record.complexity,
                format: details.format,
                done: meta.map(|meta| meta.definition_of_done).unwrap_or_default(),
            },
            classification: details.classification.clone(),
            tokenizer: bench.tokenizer().name(),
            notes: if fresh { details.notes.clone() } else { Vec::new() },
            changed: delta::changed(self.delivered.as_ref(), corpus),
            stale: own.map(|own| own.sources_changed(corpus)).unwrap_or_default(),
            since: self.delivered.as_ref().map_or_else(last_commit, Delivered::name),
            left: ListState {
                sort: record.view.sort.clone(),
                cursor: record.view.cursor.clone(),
                filter: record.view.filter.clone(),
            },
        }
    }

    /// A workbench of the screen with the facts of the last run.
    pub(super) fn selection<'a>(&'a self, bench: &'a Workbench) -> Result<Selection<'a>> {
        Ok(Selection { bench, details: self.details.as_ref().ok_or_else(no_turn)? })
    }

    /// Records `turn.context` as our own write.
    pub(super) fn record_list(&mut self) {
        if let Some(turn) = &self.active.turn {
            self.active.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        }
    }
}
