//! The backend for a project on disk, with its state and the open turn.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ListState, LoadedTurn, TaskSettings, TurnInfo, TurnMode};
use crate::app::delta::{self, PayloadDelta};
use crate::app::environment::Environment;
use crate::app::open_turn::{self, ActiveTurn, no_turn};
use crate::app::options::{PayloadRequest, PlanRequest, ResumeRequest};
use crate::app::pipeline::{Run, RunDetails, Selection};
use crate::app::plan;
use crate::app::run_inputs::RunInputs;
use crate::app::sessions;
use crate::deliver::ClipboardEnv;
use crate::error::{Error, Result};
use crate::project::Project;
use crate::project::agent_requests;
use crate::project::lock::ScreenPresence;
use crate::project::session_ops;
use crate::project::turn::{Turn, TurnState};
use crate::workbench::Workbench;

/// The command that opened the screen. A rescan after a cancelled scan runs it again.
pub enum StartRequest {
    /// `teddy plan`.
    Plan(PlanRequest),
    /// `teddy resume`.
    Resume(ResumeRequest),
}

/// The open turn.
pub(super) struct ScreenTurn {
    pub(super) active: ActiveTurn,
    /// Results of the last run.
    pub(super) details: Option<RunDetails>,
    /// The last payload delivered before this turn.
    pub(super) delivered: Option<PayloadDelta>,
    /// True if the session is new and was not changed by a form.
    pub(super) untouched: bool,
    /// Tells agents that a person is there to answer their requests.
    pub(super) presence: Option<ScreenPresence>,
}

/// State that changes while the screen is open.
pub(super) struct BackendState {
    pub(super) env: Arc<Environment>,
    /// Replacement for the user's state directory in tests.
    state_dir: Option<PathBuf>,
    /// The turn named on the command line, until it is opened.
    pub(super) prepared: Option<ActiveTurn>,
    request: Option<StartRequest>,
    /// The last opened session, which is opened again after a cancelled scan.
    pub(super) last_session: Option<String>,
    pub(super) turn: Option<ScreenTurn>,
    /// The contents of `memos.yaml` as last written by the screen.
    pub(super) written_memos: Option<String>,
    pub(super) clipboard: ClipboardEnv,
    /// Token limit for the parts of a payload, from the command line.
    pub(super) split: Option<usize>,
    /// The payload that is being copied in parts, and the number of parts copied so far.
    pub(super) copied: Option<(String, usize)>,
    /// True if a session was deleted because it had no overrides and no delivery.
    forgotten: bool,
}

/// The screen's backend for a project on disk, based on the same use cases as the commands.
pub struct ProjectBackend {
    state: Mutex<BackendState>,
    /// Locked while a turn is opened, so that a cancelled scan releases its session before the next one locks it.
    pub(super) opening: Mutex<()>,
}

impl ProjectBackend {
    /// The backend for the project of a directory.
    pub fn open(directory: Option<&Path>) -> Result<Arc<Self>> {
        Ok(Self::new(Environment::open(directory)?))
    }

    /// The backend for an existing environment.
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
            forgotten: false,
        };
        Arc::new(Self { state: Mutex::new(state), opening: Mutex::new(()) })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, BackendState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the turn to open first, and the command to run again after a cancelled scan.
    pub fn start_with(&self, turn: Option<ActiveTurn>, request: Option<StartRequest>, split: Option<usize>) {
        let mut state = self.state();
        (state.prepared, state.request, state.split) = (turn, request, split);
    }

    /// Replaces the clipboards of this machine.
    pub fn use_clipboard(&self, env: ClipboardEnv) {
        self.state().clipboard = env;
    }

    /// The environment.
    pub fn env(&self) -> Arc<Environment> {
        Arc::clone(&self.state().env)
    }

    /// The message that is printed after the screen is closed.
    pub fn farewell(&self) -> Option<String> {
        let state = self.state();
        let saved = state.last_session.as_ref().map(|name| {
            let exists = sessions::find(&state.env, name).is_ok();
            if exists {
                format!("{name} is saved; continue with: teddy resume")
            } else {
                format!("{name} was deleted by another program while it was open; it is not saved")
            }
        });
        let forgotten = || "nothing was overridden or delivered, so no session was saved".to_owned();
        saved.or_else(|| state.forgotten.then(forgotten))
    }

    /// Records `memos.yaml` as teddy's own write, so that the watcher ignores it.
    pub(super) fn record_memos(&self) {
        let mut state = self.state();
        let file = state.env.existing_project().map(Project::memos_file);
        state.written_memos = file.and_then(|file| fs::read_to_string(file).ok());
    }

    /// Opens the turn named on the command line again, after a cancelled scan.
    pub(super) fn reopen(&self, env: &Environment) -> Result<ActiveTurn> {
        let state = self.state();
        if let Some(name) = &state.last_session {
            return open_turn::named(env, name);
        }
        let nothing = || Error::negative("no turn is open", "start one with teddy plan");
        match &state.request {
            Some(StartRequest::Plan(request)) => plan::open(env, request),
            Some(StartRequest::Resume(request)) => open_turn::resume(env, request).map(|(turn, _)| turn),
            None => Err(nothing()),
        }
    }

    /// Replaces the user's state directory.
    pub fn use_state_dir(&self, dir: &Path) {
        self.state().state_dir = Some(dir.to_path_buf());
        let _ = self.refresh();
    }

    /// Options of `teddy plan` without a task. They apply to the session that the form starts.
    pub(super) fn plan_options(&self) -> PlanRequest {
        match &self.state().request {
            Some(StartRequest::Plan(request)) if request.task.is_none() && request.task_file.is_none() => {
                request.clone()
            }
            _ => PlanRequest::default(),
        }
    }

    /// The open turn if it is read-only and has a payload, which is then shown as delivered.
    pub(super) fn delivered_turn(&self) -> Option<Turn> {
        let state = self.state();
        let active = &state.turn.as_ref()?.active;
        let turn = active.turn.clone().filter(|_| active.mode != TurnMode::Open)?;
        turn.delivered_file().is_file().then_some(turn)
    }

    /// Opens the environment again, because the configuration, the project or the allowed secrets may have changed.
    pub(super) fn refresh(&self) -> Result<Arc<Environment>> {
        let mut state = self.state();
        let mut env = Environment::open(Some(&state.env.cwd))?;
        if let Some(dir) = &state.state_dir {
            env.state_dir = Some(dir.clone());
        }
        state.env = Arc::new(env);
        Ok(Arc::clone(&state.env))
    }

    /// The inputs of the open turn, read again from disk to include edited lists and memos.
    pub(super) fn read_again(&self, env: &Environment, evidence: &[String]) -> Result<(RunInputs, PayloadRequest)> {
        open_turn::read_again(env, &mut self.state().turn.as_mut().ok_or_else(no_turn)?.active, evidence)
    }

    /// Deletes a session without overrides and without a delivered payload.
    pub(super) fn forget_session(&self, open: ScreenTurn) {
        let session = open.active.session.clone();
        // Releases the session's lock.
        drop(open);
        if let Some(session) = session
            && session_ops::delete(&session).is_ok()
        {
            let mut state = self.state();
            state.last_session.take_if(|last| last == session.name());
            state.forgotten = true;
        }
    }

    /// Stores the results of a run as the state of the open turn.
    pub(super) fn opened(&self, run: Run, fresh: bool) -> Result<LoadedTurn> {
        let price = self.env().config.price_per_million;
        let mut state = self.state();
        let turn = state.turn.as_mut().ok_or_else(no_turn)?;
        let Run { bench, renderer, mut details } = run;
        // Opening the turn has stored the evidence.
        details.evidence.iter_mut().for_each(|evidence| evidence.stored = true);
        turn.delivered = details.delta.take().map(PayloadDelta::from);
        let about = TurnInfo { price_per_million: price, ..turn.about(&bench, &details, fresh) };
        turn.details = Some(details);
        Ok(LoadedTurn { bench, renderer, about })
    }
}

impl ScreenTurn {
    /// Returns true for a new session that has no overrides, no delivered payload and no agent requests.
    pub(super) fn is_trial(&self) -> bool {
        let ActiveTurn { record, turn: Some(turn), .. } = &self.active else { return false };
        let used = turn.handoff_file().is_file() || agent_requests::file(turn).is_file();
        let decided = !record.overrides.is_empty() || !record.undone.is_empty() || used;
        self.untouched && !decided && turn.state() == TurnState::Open
    }

    fn about(&self, bench: &Workbench, details: &RunDetails, fresh: bool) -> TurnInfo {
        let corpus = bench.corpus();
        let ActiveTurn { record, session, turn, task, .. } = &self.active;
        let own = turn.as_ref().and_then(|turn| PayloadDelta::of(turn, corpus));
        let last_commit = || delta::last_commit(corpus).to_owned();
        let meta = session.as_ref().and_then(|session| session.meta().ok());
        let (goal, done) = meta.map(|meta| (meta.goal().to_owned(), meta.definition_of_done)).unwrap_or_default();
        TurnInfo {
            session: session.as_ref().map(|session| session.name().to_owned()).unwrap_or_default(),
            turn: turn.as_ref().map(|turn| turn.id().to_string()).unwrap_or_default(),
            mode: self.active.mode,
            evidence: record.evidence.clone(),
            goal,
            form: TaskSettings {
                text: task.clone(),
                task_type: record.task_type,
                complexity: record.complexity,
                format: Some(details.format),
                phase: record.phase,
                evidence: Vec::new(),
                done,
            },
            classification: details.classification.clone(),
            tokenizer: bench.tokenizer().name(),
            price_per_million: None,
            notes: if fresh { details.notes.clone() } else { Vec::new() },
            changed: delta::changed(self.delivered.as_ref(), corpus),
            stale: own.map(|own| own.sources_changed(corpus)).unwrap_or_default(),
            since: self.delivered.as_ref().map_or_else(last_commit, PayloadDelta::name),
            left: ListState {
                sort: record.view.sort.clone(),
                cursor: record.view.cursor.clone(),
                filter: record.view.filter.clone(),
            },
        }
    }

    /// A workbench of the screen with the results of the last run.
    pub(super) fn selection<'a>(&'a self, bench: &'a Workbench) -> Result<Selection<'a>> {
        Ok(Selection { bench, details: self.details.as_ref().ok_or_else(no_turn)? })
    }

    /// Records `turn.context` as teddy's own write, so that the watcher ignores it.
    pub(super) fn record_list(&mut self) {
        if let Some(turn) = &self.active.turn {
            self.active.list = fs::read_to_string(turn.context_file()).unwrap_or_default();
        }
    }
}
