//! The form for a new session or the next turn, and functions shared by all task forms.

use crossterm::event::{KeyCode, KeyEvent};

use super::{Effects, leave_turn, open};
use crate::app::backend::{NextRequest, OpenTarget, TurnRequest};
use crate::handoff::Phase;
use crate::render::Format;
use crate::score::{Complexity, TaskType};
use crate::tui::command::{Command, Context};
use crate::tui::keymap::{Key, KeyMatch};
use crate::tui::message::Effect;
use crate::tui::state::form::{Field, Purpose, TaskForm};
use crate::tui::state::layer::Layer;
use crate::tui::state::{State, Ui};

/// Opens the form for a new session.
pub fn ask_task(ui: &mut Ui, request: &TurnRequest) {
    ui.layers.push(Layer::Form(Box::new(TaskForm::for_new_session(request))));
}

/// The command of a key in a form.
pub fn command_of(ui: &Ui, event: KeyEvent) -> Option<Command> {
    match ui.keymap.meaning(&[Context::Task], &[Key::from(event)]) {
        KeyMatch::Complete(command) => Some(command),
        _ => None,
    }
}

/// Handles a key in the form that starts a turn.
pub fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let command = command_of(&state.ui, event);
    let Some(Layer::Form(form)) = state.ui.layers.last_mut() else { return };
    match event.code {
        KeyCode::Esc => drop(state.ui.layers.pop()),
        KeyCode::Enter if form.field == Field::Text && event.modifiers.is_empty() => start(state, effects),
        KeyCode::Enter if form.field == Field::Text => form.area.insert_newline(),
        _ => edit(form, command, event, effects),
    }
}

/// Starts the session or turn described by the form.
fn start(state: &mut State, effects: &mut Effects) {
    let Some(Layer::Form(form)) = state.ui.layers.last() else { return };
    let request = form.request();
    if form.purpose == Purpose::NewSession && request.settings.text.trim().is_empty() {
        return state.ui.why_not("The task is empty; describe it first");
    }
    if !form.budget.text().is_empty() && request.budget.is_none() {
        let said = format!("`{}` is not a number of tokens such as 25000 or 25k", form.budget.text());
        return state.ui.why_not(said);
    }
    let entry = match form.purpose.clone() {
        Purpose::NextTurn { session, turn } => {
            OpenTarget::Next(Box::new(NextRequest { session, turn, report: form.report(), request }))
        }
        Purpose::NewSession | Purpose::Edit => OpenTarget::New(Box::new(request)),
    };
    state.ui.layers.pop();
    if matches!(entry, OpenTarget::Next(_)) {
        leave_turn(state, effects);
    }
    open(state, entry, effects);
}

/// Changes a field, or moves to another one.
pub fn edit(form: &mut TaskForm, command: Option<Command>, event: KeyEvent, effects: &mut Effects) {
    match command {
        Some(Command::NextField) => form.step(1),
        Some(Command::PreviousField) => form.step(Field::ALL.len() - 1),
        Some(Command::Editor) => effects.push(Effect::EditText(form.edited_area().lines().join("\n"))),
        Some(Command::Revert) => *form = form.reverted(),
        _ => field(form, event),
    }
}

fn field(form: &mut TaskForm, event: KeyEvent) {
    let step = match event.code {
        KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => Some(false),
        KeyCode::Right | KeyCode::Down | KeyCode::Char(' ' | 'l' | 'j') => Some(true),
        _ => None,
    };
    match form.field {
        Field::Text => drop(form.area.input(event)),
        Field::Notes => drop(form.notes.input(event)),
        _ if event.code == KeyCode::Enter => form.step(1),
        Field::Budget => drop(form.budget.key(event)),
        Field::Evidence => drop(form.evidence.key(event)),
        _ => {
            let Some(up) = step else { return };
            match form.field {
                Field::Type => form.task_type = cycle(&TaskType::ALL, form.task_type, up),
                Field::Complexity => form.complexity = cycle(&Complexity::ALL, form.complexity, up),
                Field::Phase => form.phase = cycle(&Phase::ALL, form.phase, up),
                _ => {
                    let next = cycle(&Format::ALL, form.format, up);
                    // An open turn always has a format. Only the form for a new turn can leave it to the configuration.
                    let skip = next.is_none() && form.purpose == Purpose::Edit;
                    form.format = if skip { cycle(&Format::ALL, None, up) } else { next };
                }
            }
        }
    }
}

/// The next or previous value, including "inferred" (`None`).
fn cycle<T: Copy + PartialEq>(all: &[T], now: Option<T>, up: bool) -> Option<T> {
    let count = all.len() + 1;
    let at = now.and_then(|now| all.iter().position(|value| *value == now)).map_or(0, |at| at + 1);
    let to = if up { (at + 1) % count } else { (at + count - 1) % count };
    to.checked_sub(1).map(|at| all[at])
}

/// Pastes text into the current field.
pub fn paste(form: &mut TaskForm, text: &str) {
    match form.field {
        Field::Text => drop(form.area.insert_str(text)),
        Field::Notes => drop(form.notes.insert_str(text)),
        Field::Budget => form.budget.insert(text),
        Field::Evidence => form.evidence.insert(text),
        Field::Type | Field::Complexity | Field::Format | Field::Phase => {}
    }
}
