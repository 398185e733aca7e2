//! The list of sessions.

use super::{Effects, moving, open, overrides, text};
use crate::app::backend::{OpenTarget, TaskSettings};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::layer::{Ask, Confirm, Deletion, Goal, Layer, TaskForm};
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
        (Command::New, _) | (Command::Open, None) => ask_task(state, ""),
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
        (Command::Open, Some(row)) => open(state, OpenTarget::Resume(row.name), effects),
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

/// Opens the form for a new session.
pub fn ask_task(state: &mut State, text: &str) {
    state.layers.push(Layer::Task(Box::new(TaskForm::for_new_session(text))));
}

/// Starts the session that the form describes.
pub fn start(state: &mut State, effects: &mut Effects) {
    let Some(Layer::Task(form)) = state.layers.last() else { return };
    let settings = form.form();
    if settings.text.trim().is_empty() {
        return state.why_not("The task is empty; describe it first");
    }
    if !form.budget.text().is_empty() && form.budget().is_none() {
        return state.why_not(format!("`{}` is not a number of tokens such as 25000 or 25k", form.budget.text()));
    }
    let (task, budget) = (settings.text.trim().to_owned(), form.budget());
    state.layers.pop();
    state.new_settings = Some((settings, budget));
    open(state, OpenTarget::Plan(task), effects);
}

/// Applies the form's settings once the session is open.
pub fn apply_settings(state: &mut State, effects: &mut Effects) {
    let Some((settings, budget)) = state.new_settings.take() else { return };
    if let Some(budget) = budget {
        overrides::set_budget(state, budget, effects);
    }
    let Some(bench) = &state.bench else { return };
    let known = bench.about.form.clone();
    let wanted = TaskSettings { text: known.text.clone(), format: known.format, ..settings };
    if wanted != known {
        text::reshape(state, Some(wanted), effects);
    }
}
