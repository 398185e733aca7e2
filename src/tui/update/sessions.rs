//! The list of sessions.

use super::{Effects, moving, open};
use crate::app::backend::{OpenTarget, TurnRequest};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::form::{Purpose, TaskForm};
use crate::tui::state::layer::{Ask, Confirm, Deletion, Goal, Layer};
use crate::tui::state::line_edit::LineEdit;

pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    let page = layout::page(state);
    let count = state.sessions.visible().len();
    if let Some(to) = moving::moved(command, state.sessions.cursor, count, page) {
        state.sessions.cursor = to;
        return;
    }
    let current = state.sessions.current().cloned();
    match (command, current) {
        (Command::New, _) | (Command::Open, None) => ask_task(state, &TurnRequest::default()),
        (Command::Filter, _) => {
            let line = state.sessions.filter.clone();
            state.layers.push(Layer::Ask(Ask { line, goal: Goal::SessionFilter }));
        }
        (Command::Back, _) => {
            if state.sessions.filter.text().is_empty() {
                let quit = state.key_of(Command::Quit);
                state.why_not(format!("Nothing to go back to; {quit} quits"));
            } else {
                state.sessions.filter = LineEdit::default();
            }
        }
        (Command::Fold | Command::Unfold, _) => state.sessions.fold(command == Command::Fold),
        (Command::Open, Some(row)) => {
            let name = match state.sessions.current_turn() {
                Some(turn) => format!("{}/{}", row.name, turn.id),
                None => row.name,
            };
            open(state, OpenTarget::Resume(name), effects);
        }
        (Command::Branch, Some(row)) => effects.push(Effect::Branch(row.name)),
        (Command::Rename, Some(row)) => {
            let ask = Ask::of(Goal::Rename(row.name.clone()), &row.name);
            state.layers.push(Layer::Ask(ask));
        }
        (Command::Delete, Some(row)) => {
            let turns =
                if row.turns.len() == 1 { "its turn".to_owned() } else { format!("its {} turns", row.turns.len()) };
            state.layers.push(Layer::Confirm(Confirm {
                title: format!("Delete session {}?", row.name),
                consequence: format!(
                    "Deletes “{}” and {turns}: payloads, answers, reports and overrides. This cannot be undone.",
                    row.goal
                ),
                yes: 'y',
                goal: Deletion::Session(row.name),
            }));
        }
        _ => {}
    }
}

/// Opens the form for a new session.
pub fn ask_task(state: &mut State, request: &TurnRequest) {
    state.layers.push(Layer::Task(Box::new(TaskForm::for_new_session(request))));
}

/// Starts the session or the turn that the form describes.
pub fn start(state: &mut State, effects: &mut Effects) {
    let Some(Layer::Task(form)) = state.layers.last() else { return };
    let request = form.request();
    if form.purpose == Purpose::NewSession && request.settings.text.trim().is_empty() {
        return state.why_not("The task is empty; describe it first");
    }
    if !form.budget.text().is_empty() && request.budget.is_none() {
        return state.why_not(format!("`{}` is not a number of tokens such as 25000 or 25k", form.budget.text()));
    }
    if form.purpose != Purpose::NewSession {
        return super::next_turn::start(state, effects);
    }
    state.layers.pop();
    open(state, OpenTarget::New(Box::new(request)), effects);
}
