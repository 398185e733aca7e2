//! Opening, changing and closing the turn on the screen.

use std::fs;
use std::sync::PoisonError;

use super::project::{ProjectBackend, ScreenTurn};
use super::{ListState, LoadedTurn, OpenTarget, TaskSettings, TurnMode, TurnRequest, TurnSnapshot};
use crate::app::open_turn::{self, no_turn};
use crate::app::options::PlanRequest;
use crate::app::pipeline::Run;
use crate::app::run_inputs::ScanObserver;
use crate::app::{answer, plan, save_turn};
use crate::error::{Error, Result};
use crate::gather::delta::Delta;
use crate::gather::progress::still_wanted;
use crate::project::lock::ScreenPresence;
use crate::redact::message;
use crate::workbench::Workbench;

/// Rejects a change to a turn that already has its answer.
pub(super) fn refuse_read_only(mode: TurnMode) -> Result<()> {
    match mode {
        TurnMode::Open => Ok(()),
        TurnMode::Answered | TurnMode::Finished => {
            Err(Error::negative("this turn is read-only: it has its answer", "start the next turn"))
        }
    }
}

impl ProjectBackend {
    /// Opens a turn. If the observer cancels, creates nothing.
    pub(super) fn open_turn(&self, entry: &OpenTarget, observer: &dyn ScanObserver) -> Result<LoadedTurn> {
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        still_wanted(observer)?;
        let env = self.env();
        // Releases the lock of the turn that was open before.
        self.close(None);
        let prepared = match entry {
            OpenTarget::Named => self.state().prepared.take(),
            _ => None,
        };
        let mut active = match (prepared, entry) {
            (Some(active), _) => active,
            (None, OpenTarget::Named | OpenTarget::Form | OpenTarget::Tour) => self.reopen(&env)?,
            (None, OpenTarget::Plan(task)) => {
                let settings = TaskSettings { text: task.clone(), ..TaskSettings::default() };
                plan::new_session_for(&env, &TurnRequest { settings, budget: None }, &PlanRequest::default())?
            }
            (None, OpenTarget::New(request)) => plan::new_session_for(&env, request, &self.plan_options())?,
            (None, OpenTarget::Resume(name)) => open_turn::named(&env, name)?,
            (None, OpenTarget::Next(request)) => open_turn::after(&env, request)?,
        };
        let inputs = active.take_inputs()?;
        let run = Run::start_for_screen(&env, inputs, &active.options, observer)?;
        // The scan can be cancelled up to here. After this, files are written.
        still_wanted(observer)?;
        let new_session = active.session.is_none();
        active.save_opened(&env, &run)?;
        {
            let mut state = self.state();
            state.last_session = active.session.as_ref().map(|session| session.name().to_owned());
            let presence = active.session.as_ref().and_then(|session| ScreenPresence::register(session.dir()));
            state.turn = Some(ScreenTurn { active, details: None, delivered: None, untouched: new_session, presence });
        }
        self.opened(run, true)
    }

    /// Undoes the answer of the open turn; returns a message.
    pub(super) fn undo_answer(&self) -> Result<String> {
        let env = self.env();
        let turn = self.state().turn.as_ref().and_then(|turn| turn.active.turn.clone()).ok_or_else(no_turn)?;
        let aside = answer::undo(&env, &turn)?;
        Ok(format!("undid the answer; it is kept as {}", env.shown(&aside)))
    }

    /// Reads the open turn again from disk.
    pub(super) fn rescan(&self, observer: &dyn ScanObserver) -> Result<LoadedTurn> {
        let env = self.refresh()?;
        let before = self.state().turn.as_ref().map(|turn| (turn.active.record.clone(), turn.active.list.clone()));
        let (inputs, flags) = self.read_again(&env, &[])?;
        let run = Run::start_for_screen(&env, inputs, &flags, observer);
        // After a cancelled scan, edits of the lists still have to be applied later.
        if let (Err(_), Some((record, list)), Some(turn)) = (&run, before, self.state().turn.as_mut()) {
            (turn.active.record, turn.active.list) = (record, list);
        }
        self.opened(run?, false)
    }

    /// Scores the same files for another task, and saves it in the turn.
    pub(super) fn reshape(&self, bench: &Workbench, form: &TaskSettings) -> Result<LoadedTurn> {
        let env = self.env();
        let (before, notes) = {
            let mut state = self.state();
            let ScreenTurn { active, untouched, .. } = state.turn.as_mut().ok_or_else(no_turn)?;
            refuse_read_only(active.mode)?;
            *untouched = false;
            (active.record.format, active.change_task(&*env.redaction()?, form)?)
        };
        let (inputs, mut flags) = self.read_again(&env, &form.evidence)?;
        flags.redaction_notes = notes;
        let mut run = Run::rescore(&env, bench.corpus(), inputs, &flags).inspect_err(|_| {
            // If a template is broken, the turn keeps the format that the screen still shows.
            if let Some(ScreenTurn { active, .. }) = self.state().turn.as_mut() {
                active.record.format = before;
                let turn = active.turn.clone();
                let _ = turn.map(|turn| turn.save(&mut active.record));
            }
        })?;
        if let Some(ScreenTurn { active, .. }) = self.state().turn.as_mut()
            && let Some(turn) = active.turn.clone()
        {
            save_turn::store_evidence(&turn, &run.details, &mut active.record)?;
            turn.save(&mut active.record)?;
        }
        // The files have not changed, so the changes since the last payload are the same.
        run.details.delta = self.state().turn.as_mut().and_then(|turn| turn.delivered.take()).map(Delta::from);
        self.opened(run, false)
    }

    /// Saves overrides and the state of the list.
    pub(super) fn save(&self, bench: &Workbench, left: &ListState) -> Result<()> {
        let mut state = self.state();
        let Some(ScreenTurn { active, .. }) = state.turn.as_mut() else { return Ok(()) };
        let Some(turn) = active.turn.clone().filter(|_| active.mode == TurnMode::Open) else { return Ok(()) };
        let record = &mut active.record;
        save_turn::record_overrides(bench, record)?;
        record.view.sort.clone_from(&left.sort);
        record.view.cursor.clone_from(&left.cursor);
        record.view.filter = left.filter.as_deref().map(|filter| message(filter).into_owned());
        turn.save(record)
    }

    /// Closes the open turn: updates its lists and releases its lock.
    pub(super) fn close(&self, last: Option<&TurnSnapshot>) {
        let Some(open) = self.state().turn.take().filter(|open| open.active.mode == TurnMode::Open) else { return };
        if open.is_trial() {
            return self.forget_session(open);
        }
        let (Some(last), Some(turn)) = (last, open.active.turn.clone()) else { return };
        let untouched = fs::read_to_string(turn.context_file()).is_ok_and(|text| text == open.active.list);
        let env = self.env();
        if let (true, Ok(selection), Some(project)) = (untouched, open.selection(&last.bench), env.existing_project()) {
            // A failure loses nothing: the overrides are on disk already, and `turn.context` is only a list for people
            // to read.
            let _ = save_turn::save_lists(project, &turn, selection, &mut open.active.record.clone());
        }
    }

    /// Makes the task the session's goal and names the session after it; returns a message.
    pub(super) fn retitle(&self) -> Result<String> {
        let mut state = self.state();
        let ScreenTurn { active, presence, .. } = state.turn.as_mut().ok_or_else(no_turn)?;
        refuse_read_only(active.mode)?;
        // The session's directory may be renamed.
        *presence = None;
        let message = active.retitle();
        *presence = active.session.as_ref().and_then(|session| ScreenPresence::register(session.dir()));
        state.last_session = state.turn.as_ref().and_then(|turn| Some(turn.active.session.as_ref()?.name().to_owned()));
        message
    }
}
