//! From an answer to the next turn: saves the answer, asks "What next?", and opens the next turn with that task.

use std::sync::Arc;

use super::{Effects, leave_turn, open};
use crate::app::backend::{NextRequest, OpenTarget, Outcome, Request, TurnMode};
use crate::tui::command::Command;
use crate::tui::state::bench::Bench;
use crate::tui::state::form::TaskForm;
use crate::tui::state::layer::Layer;
use crate::tui::state::{Screen, State, Ui};

/// Asks for the next task after the clipboard was saved as the turn's answer. The turn is now read-only.
pub fn answered(ui: &mut Ui, bench: &mut Bench, outcome: &Outcome) {
    Arc::make_mut(&mut bench.about).mode = TurnMode::Answered;
    ask(ui, bench);
    ui.report(outcome);
}

/// Asks "What next?".
pub fn ask(ui: &mut Ui, bench: &Bench) {
    let (session, turn) = (bench.about.session.clone(), bench.about.turn.clone());
    open_form(ui, &NextRequest { session, turn, ..NextRequest::default() });
}

fn open_form(ui: &mut Ui, request: &NextRequest) {
    ui.layers.push(Layer::Form(Box::new(TaskForm::for_next_turn(request))));
}

/// Opens the form again for a turn that could not be started.
pub fn ask_again(state: &mut State, request: &NextRequest, effects: &mut Effects) {
    open(state, OpenTarget::Resume(format!("{}/{}", request.session, request.turn)), effects);
    open_form(&mut state.ui, request);
}

/// Runs a command of an answered turn.
pub fn run(ui: &mut Ui, bench: &Bench, command: Command, effects: &mut Effects) {
    match command {
        Command::UndoAnswer => ui.ask(Request::UndoAnswer, effects),
        _ => ask(ui, bench),
    }
}

/// Opens the turn again after its answer was undone.
pub fn undone(state: &mut State, said: String, effects: &mut Effects) {
    if let Screen::Workbench(bench) = &state.screen {
        let session = bench.about.session.clone();
        state.ui.good(said);
        leave_turn(state, effects);
        open(state, OpenTarget::Resume(session), effects);
    }
}

/// Explains that a turn is read-only when it opens.
pub fn say_mode(ui: &mut Ui, bench: &Bench) {
    let key = |command: Command| ui.key_in(bench.context(), command);
    let turn = &bench.about.turn;
    let (next, page, undo) = (key(Command::NextTurn), key(Command::Turn), key(Command::UndoAnswer));
    let preview = key(Command::Preview);
    match bench.about.mode {
        TurnMode::Open => {}
        TurnMode::Answered => ui.good(format!(
            "Turn {turn} has its answer: {page} shows it, {next} starts the next turn, {undo} undoes the answer"
        )),
        TurnMode::Finished => ui.good(format!(
            "Turn {turn} is finished and read-only: {preview} shows its payload, {page} its answer, {next} starts the next turn"
        )),
    }
}

/// Reason why a command cannot change an answered turn.
pub fn read_only(ui: &Ui, bench: &Bench, command: Command) -> Option<String> {
    let turn = &bench.about.turn;
    let key = |command: Command| ui.key_in(bench.context(), command);
    let next = key(Command::NextTurn);
    match (bench.about.mode, command) {
        (TurnMode::Open, Command::NextTurn | Command::UndoAnswer) => {
            let answer = key(Command::Answer);
            Some(format!("Turn {turn} has no answer yet; {answer} saves the one on the clipboard"))
        }
        (TurnMode::Answered, command) if changes(command) => {
            let undo = key(Command::UndoAnswer);
            Some(format!("Turn {turn} has its answer; {next} starts the next turn, {undo} undoes the answer"))
        }
        (TurnMode::Finished, command) if changes(command) || command == Command::UndoAnswer => {
            Some(format!("Turn {turn} is finished and read-only; {next} starts the next turn"))
        }
        _ => None,
    }
}

/// Returns true if a command changes the open turn.
fn changes(command: Command) -> bool {
    matches!(
        command,
        Command::Pin
            | Command::PinFull
            | Command::Include
            | Command::Drop
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
            | Command::Retitle
            | Command::Write
            | Command::Format
            | Command::Acknowledge
    )
}
