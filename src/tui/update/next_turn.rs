//! From an answer to the next turn: the answer is saved, "What next?" is asked, and the next turn opens with that task.

use std::sync::Arc;

use super::{Effects, leave_turn, open};
use crate::app::backend::{NextRequest, OpenTarget, Outcome, TurnMode};
use crate::error::Error;
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::form::{Purpose, TaskForm};
use crate::tui::state::layer::Layer;
use crate::tui::theme::Role;

/// The clipboard is saved as the answer: the turn is read-only from here on, and the next one is asked for.
pub fn answered(state: &mut State, result: Result<Outcome, Error>) {
    match result {
        Ok(done) => {
            if let Some(bench) = state.bench.as_mut() {
                Arc::make_mut(&mut bench.about).mode = TurnMode::Answered;
            }
            ask(state);
            state.say(if done.certain { Role::Good } else { Role::Warn }, done.text());
        }
        Err(error) => state.fail(&error),
    }
}

/// Asks "What next?".
pub fn ask(state: &mut State) {
    let Some(bench) = &state.bench else { return };
    let (session, turn) = (bench.about.session.clone(), bench.about.turn.clone());
    let request = NextRequest { session, turn, ..NextRequest::default() };
    state.layers.push(Layer::Task(Box::new(TaskForm::for_next_turn(&request))));
}

/// Opens the form again for a turn that could not start.
pub fn ask_again(state: &mut State, request: &NextRequest, effects: &mut Effects) {
    open(state, OpenTarget::Resume(format!("{}/{}", request.session, request.turn)), effects);
    state.layers.push(Layer::Task(Box::new(TaskForm::for_next_turn(request))));
}

/// Starts the turn that the form describes.
pub fn start(state: &mut State, effects: &mut Effects) {
    let Some(Layer::Task(form)) = state.layers.last() else { return };
    let Purpose::NextTurn { session, turn } = form.purpose.clone() else { return };
    let request = NextRequest { session, turn, report: form.report(), request: form.request() };
    state.layers.pop();
    leave_turn(state, effects);
    open(state, OpenTarget::Next(Box::new(request)), effects);
}

/// A command of a turn that has its answer.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    match command {
        Command::UndoAnswer => effects.push(Effect::UndoAnswer),
        _ => ask(state),
    }
}

/// The answer is undone: its turn is opened again.
pub fn undone(state: &mut State, result: Result<String, Error>, effects: &mut Effects) {
    match (result, state.bench.as_ref().map(|bench| bench.about.session.clone())) {
        (Ok(said), Some(session)) => {
            state.good(said.clone());
            leave_turn(state, effects);
            open(state, OpenTarget::Resume(session), effects);
        }
        (Err(error), _) => state.fail(&error),
        (Ok(_), None) => {}
    }
}

/// The message of a turn that opens read-only.
pub fn say_mode(state: &mut State) {
    let key = |command: Command| state.key_for(command);
    let Some(turn) = state.bench.as_ref().map(|bench| bench.about.turn.clone()) else { return };
    let (next, page, undo) = (key(Command::NextTurn), key(Command::Turn), key(Command::UndoAnswer));
    let preview = key(Command::Preview);
    match state.mode() {
        TurnMode::Open => {}
        TurnMode::Answered => state.good(format!(
            "Turn {turn} has its answer: {page} shows it, {next} starts the next turn, {undo} undoes the answer"
        )),
        TurnMode::Finished => state.good(format!(
            "Turn {turn} is finished and read-only: {preview} shows its payload, {page} its answer, {next} starts the next turn"
        )),
    }
}

/// Reason why a command cannot change a turn that has its answer.
pub fn read_only(state: &State, command: Command) -> Option<String> {
    let turn = &state.bench.as_ref()?.about.turn;
    let next = state.key_for(Command::NextTurn);
    match (state.mode(), command) {
        (TurnMode::Open, Command::NextTurn | Command::UndoAnswer) => {
            let answer = state.key_for(Command::Answer);
            Some(format!("Turn {turn} has no answer yet; {answer} saves the one on the clipboard"))
        }
        (TurnMode::Answered, command) if changes(command) => {
            let undo = state.key_for(Command::UndoAnswer);
            Some(format!("Turn {turn} has its answer; {next} starts the next turn, {undo} undoes the answer"))
        }
        (TurnMode::Finished, command) if changes(command) || command == Command::UndoAnswer => {
            Some(format!("Turn {turn} is finished and read-only; {next} starts the next turn"))
        }
        _ => None,
    }
}

/// Reports whether a command changes the turn that is open.
fn changes(command: Command) -> bool {
    matches!(
        command,
        Command::Pin
            | Command::Demote
            | Command::Promote
            | Command::Exclude
            | Command::Reset
            | Command::Undo
            | Command::Redo
            | Command::BudgetUp
            | Command::BudgetDown
            | Command::AutoFill
            | Command::Task
            | Command::Write
            | Command::Format
            | Command::Acknowledge
    )
}
