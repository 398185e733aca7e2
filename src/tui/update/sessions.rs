//! The list of sessions.

use super::{Effects, moving, open};
use crate::app::backend::Entry;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::state::State;
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
        (Command::New, _) | (Command::Open, None) => state.layers.push(Layer::Ask(Ask::of(Goal::NewSession, ""))),
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
        (Command::Open, Some(row)) => open(state, Entry::Resume(row.name), effects),
        (Command::Branch, Some(row)) => effects.push(Effect::Branch(row.name)),
        (Command::Rename, Some(row)) => {
            let ask = Ask::of(Goal::Rename(row.name.clone()), &row.name);
            state.layers.push(Layer::Ask(ask));
        }
        (Command::Delete, Some(row)) => {
            let turns = if row.turns == 1 { "its turn".to_owned() } else { format!("its {} turns", row.turns) };
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

/// A session for this task.
pub fn new_session(state: &mut State, task: &str, effects: &mut Effects) {
    open(state, Entry::Plan(task.to_owned()), effects);
}
