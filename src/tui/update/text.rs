//! Keys in text fields: filter, palette, prompts, the task form.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effects, overrides, run, sessions};
use crate::app::backend::{TaskSettings, TurnMode};
use crate::handoff::Phase;
use crate::redact::message;
use crate::render::Format;
use crate::score::{Complexity, TaskType};
use crate::tui::command::{Command, Context};
use crate::tui::keymap::{Key, Meaning};
use crate::tui::message::Effect;
use crate::tui::state::bench::Bench;
use crate::tui::state::form::{Field, Purpose, TaskForm, area};
use crate::tui::state::layer::{Ask, Deletion, Goal, Layer};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::rows::Row;
use crate::tui::state::{Screen, State, Work};
use crate::tui::view::palette;
use crate::workbench::Filter;

/// Handles a key in the topmost overlay, which is a text field or a confirmation.
pub fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    match state.layers.last() {
        Some(Layer::Filter(..)) => filter(state, event, effects),
        Some(Layer::Palette(_)) => choose(state, event, effects),
        Some(Layer::Ask(_)) => ask(state, event, effects),
        Some(Layer::Confirm(_)) => confirm(state, event, effects),
        Some(Layer::Task(_)) => task(state, event, effects),
        Some(Layer::Handoff(_)) => super::handoff::press(state, event, effects),
        Some(Layer::Help(_)) => search_help(state, event),
        _ => {}
    }
}

/// Filters the list.
pub fn set_filter(bench: &mut Bench, text: &str) {
    if bench.filter_line.text() != text {
        bench.filter_line = LineEdit::new(text);
    }
    refilter(bench);
}

/// Applies the filter again.
pub fn refilter(bench: &mut Bench) {
    bench.filter = Filter::parse(bench.filter_line.text());
    if !bench.filter.is_empty() {
        bench.filter_line.text().clone_into(&mut bench.sought);
    }
    narrow(bench);
}

/// Makes the rows that the filter leaves.
pub fn narrow(bench: &mut Bench) {
    let before = bench.rows.get(bench.cursor).map(Row::key);
    bench.rebuild();
    // The item under the cursor is hidden, so the cursor moves to the best match instead of the same position.
    if before.is_some() && bench.rows.get(bench.cursor).map(Row::key) != before {
        bench.cursor = 0;
    }
}

fn filter(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let (before, spot) = match state.layers.last() {
        Some(Layer::Filter(before, spot)) => (before.clone(), spot.clone()),
        _ => return,
    };
    if state.is_scanning() {
        return arriving_filter(state, event, &before);
    }
    let Some(bench) = state.bench.as_mut() else {
        state.layers.pop();
        return;
    };
    match event.code {
        KeyCode::Enter => {
            state.layers.pop();
            effects.push(Effect::Keep(Arc::clone(&bench.model), bench.left()));
            let typed = bench.filter_line.text();
            if message(typed) != typed {
                state.why_not("The filter contains a secret; the turn stores it redacted");
            }
        }
        KeyCode::Esc => {
            set_filter(bench, &before);
            bench.go_back(spot);
            state.layers.pop();
        }
        KeyCode::Down => bench.cursor = (bench.cursor + 1).min(bench.rows.len().saturating_sub(1)),
        KeyCode::Up => bench.cursor = bench.cursor.saturating_sub(1),
        _ => {
            if bench.filter_line.key(event) {
                refilter(bench);
            }
        }
    }
}

/// The filter during a scan.
fn arriving_filter(state: &mut State, event: KeyEvent, before: &str) {
    let list = &mut state.scan;
    match event.code {
        KeyCode::Enter => drop(state.layers.pop()),
        KeyCode::Esc => {
            list.filter_line = LineEdit::new(before);
            list.refilter();
            state.layers.pop();
        }
        KeyCode::Down => list.go_to(list.cursor + 1),
        KeyCode::Up => list.go_to(list.cursor.saturating_sub(1)),
        _ => {
            if list.filter_line.key(event) {
                list.refilter();
            }
        }
    }
}

fn choose(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let choices = palette::choices(state);
    let Some(Layer::Palette(palette)) = state.layers.last_mut() else { return };
    let last = choices.len().saturating_sub(1);
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    match event.code {
        KeyCode::Esc => drop(state.layers.pop()),
        KeyCode::Down | KeyCode::Tab => palette.cursor = (palette.cursor + 1).min(last),
        KeyCode::Char('n' | 'j') if control => palette.cursor = (palette.cursor + 1).min(last),
        KeyCode::Up | KeyCode::BackTab => palette.cursor = palette.cursor.saturating_sub(1),
        KeyCode::Char('p' | 'k') if control => palette.cursor = palette.cursor.saturating_sub(1),
        KeyCode::Enter => {
            let chosen = choices.get(palette.cursor).map(|choice| choice.command);
            state.layers.pop();
            if let Some(command) = chosen {
                run(state, command, effects);
            }
        }
        _ => {
            if palette.line.key(event) {
                palette.cursor = 0;
            }
        }
    }
}

fn search_help(state: &mut State, event: KeyEvent) {
    let Some(Layer::Help(help)) = state.layers.last_mut() else { return };
    match event.code {
        KeyCode::Enter => help.typing = false,
        KeyCode::Esc => (help.typing, help.query) = (false, LineEdit::default()),
        _ => drop(help.query.key(event)),
    }
    help.scroll = 0;
}

fn ask(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let Some(Layer::Ask(ask)) = state.layers.last_mut() else { return };
    match event.code {
        KeyCode::Esc => {
            if ask.goal == Goal::SessionFilter {
                state.sessions.filter = LineEdit::default();
            }
            state.layers.pop();
        }
        KeyCode::Enter => {
            if let Some(Layer::Ask(ask)) = state.layers.pop() {
                answered(state, ask, effects);
            }
        }
        _ => {
            if ask.line.key(event) && ask.goal == Goal::SessionFilter {
                state.sessions.filter = ask.line.clone();
                state.sessions.cursor = 0;
            }
        }
    }
}

fn answered(state: &mut State, ask: Ask, effects: &mut Effects) {
    let text = ask.line.text().trim().to_owned();
    if text.is_empty() && ask.goal != Goal::SessionFilter {
        state.why_not("Nothing entered; nothing changed");
        return;
    }
    match ask.goal {
        Goal::Rename(name) => effects.push(Effect::Rename(name, text)),
        Goal::Memo => effects.push(Effect::AddMemo(text)),
        Goal::Search => super::layers::search(state, text),
        Goal::SessionFilter => {}
    }
}

/// Reopens a prompt whose input failed, so that it can be corrected, unless the person is typing elsewhere.
pub fn ask_again(state: &mut State, goal: Goal, text: &str) {
    let typing = matches!(
        state.layers.last(),
        Some(
            Layer::Filter(..)
                | Layer::Palette(_)
                | Layer::Ask(_)
                | Layer::Confirm(_)
                | Layer::Task(_)
                | Layer::Handoff(_)
        )
    );
    if !typing {
        state.layers.push(Layer::Ask(Ask::of(goal, text)));
    }
}

/// Only the key named in the question confirms; Enter, Esc and all other keys cancel.
fn confirm(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let Some(Layer::Confirm(confirm)) = state.layers.pop() else { return };
    if event.code == KeyCode::Char(confirm.yes) && !event.modifiers.contains(KeyModifiers::CONTROL) {
        match confirm.goal {
            Deletion::Session(name) => effects.push(Effect::Delete(name)),
            Deletion::Memo(number) => effects.push(Effect::RemoveMemo(number)),
        }
    } else {
        state.why_not("Nothing was deleted");
    }
}

fn task(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let command = match state.keymap.meaning(&[Context::Task], &[Key::from(event)]) {
        Meaning::Is(command) => Some(command),
        _ => None,
    };
    let Some(Layer::Task(form)) = state.layers.last_mut() else { return };
    match (command, event.code) {
        (_, KeyCode::Esc) if form.starts_turn() => return drop(state.layers.pop()),
        (_, KeyCode::Enter) if form.starts_turn() && form.field == Field::Text => {
            if event.modifiers.is_empty() {
                return sessions::start(state, effects);
            }
            form.area.insert_newline();
        }
        (_, KeyCode::Esc) => return finish_task(state, effects),
        (Some(Command::NextField), _) => form.step(1),
        (Some(Command::PreviousField), _) => form.step(Field::ALL.len() - 1),
        (Some(Command::Editor), _) => effects.push(Effect::EditText(form.edited_area().lines().join("\n"))),
        (Some(Command::Revert), _) => **form = form.reverted(),
        _ => field(form, event),
    }
    rescore(state, effects);
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
                    // An open turn always has a format; only a form for a new one leaves it to the configuration.
                    let skip = next.is_none() && form.purpose == Purpose::Edit;
                    form.format = if skip { cycle(&Format::ALL, None, up) } else { next };
                }
            }
        }
    }
}

/// The next or previous value, including "inferred".
fn cycle<T: Copy + PartialEq>(all: &[T], now: Option<T>, up: bool) -> Option<T> {
    let count = all.len() + 1;
    let at = now.and_then(|now| all.iter().position(|value| *value == now)).map_or(0, |at| at + 1);
    let to = if up { (at + 1) % count } else { (at + count - 1) % count };
    to.checked_sub(1).map(|at| all[at])
}

/// Requests scores for the form, if they differ from those shown; the job waits for a pause in typing. After a new
/// scan, uses the new files.
pub fn rescore(state: &mut State, effects: &mut Effects) {
    let Some(Layer::Task(form)) = state.layers.last() else { return };
    if form.starts_turn() {
        return;
    }
    // A path that is still being typed leads nowhere: evidence is read once the form is closed.
    let form = TaskSettings { evidence: Vec::new(), ..form.settings() };
    let Some(bench) = &state.bench else { return };
    if form.text.trim().is_empty() || (form == bench.about.form && state.work != Some(Work::Rescoring)) {
        return;
    }
    reshape(state, Some(form), effects);
}

/// Places the same files again, for this form or with changed memos.
pub fn reshape(state: &mut State, form: Option<TaskSettings>, effects: &mut Effects) {
    let Some(bench) = state.bench.as_ref().filter(|bench| bench.about.mode == TurnMode::Open) else { return };
    let (model, form) = (Arc::clone(&bench.model), form.unwrap_or_else(|| bench.about.form.clone()));
    state.work = Some(Work::Rescoring);
    state.requests.reshape = state.ask();
    effects.push(Effect::Reshape(state.requests.reshape, model, form));
}

fn finish_task(state: &mut State, effects: &mut Effects) {
    rescore(state, effects);
    let Some(Layer::Task(form)) = state.layers.pop() else { return };
    let settings = form.settings();
    if settings.text.trim().is_empty() {
        state.why_not("The task is empty; the old one stays");
        return;
    }
    if !settings.evidence.is_empty() {
        reshape(state, Some(settings), effects);
    }
    match form.budget() {
        Some(budget) if budget != form.budget_before => overrides::set_budget(state, budget, effects),
        Some(_) => {}
        None => {
            let said = form.budget.text();
            state.why_not(format!("`{said}` is not a number of tokens such as 25000 or 25k; the budget stays"));
        }
    }
}

/// Handles a text from the editor.
pub fn edited(state: &mut State, text: &str, effects: &mut Effects) {
    if let Some(Layer::Task(form)) = state.layers.last_mut() {
        form.set_text(text.trim_end());
        rescore(state, effects);
    } else if let Some(Layer::Handoff(handoff)) = state.layers.last_mut() {
        handoff.area = area(text);
    }
}

/// Pasted text goes into the open field; elsewhere it is never run as commands.
pub fn paste(state: &mut State, text: &str, effects: &mut Effects) {
    state.notice = None;
    // Terminals end pasted lines with \r, \r\n or \n.
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    if super::scan::queue_paste(state, text) {
        return;
    }
    match state.layers.last_mut() {
        Some(Layer::Filter(..)) if state.bench.is_none() => {
            state.scan.filter_line.insert(text);
            state.scan.refilter();
        }
        Some(Layer::Filter(..)) => {
            if let Some(bench) = state.bench.as_mut() {
                bench.filter_line.insert(text);
                refilter(bench);
            }
        }
        Some(Layer::Help(help)) if help.typing => help.query.insert(text),
        Some(Layer::Palette(palette)) => {
            palette.line.insert(text);
            palette.cursor = 0;
        }
        Some(Layer::Ask(ask)) => {
            ask.line.insert(text);
            if ask.goal == Goal::SessionFilter {
                state.sessions.filter = ask.line.clone();
            }
        }
        Some(Layer::Handoff(handoff)) => drop(handoff.area.insert_str(text)),
        Some(Layer::Task(form)) => {
            match form.field {
                Field::Text => drop(form.area.insert_str(text)),
                Field::Notes => drop(form.notes.insert_str(text)),
                Field::Budget => form.budget.insert(text),
                Field::Evidence => form.evidence.insert(text),
                Field::Type | Field::Complexity | Field::Format | Field::Phase => {}
            }
            rescore(state, effects);
        }
        _ => {
            let key = |command: Command| state.key_for(command);
            let where_to = if state.screen == Screen::Workbench {
                format!("paste into {} (filter) or {} (task)", key(Command::Filter), key(Command::Task))
            } else {
                format!("press {} first", key(Command::New))
            };
            state.why_not(format!("Pasted text does not run commands; {where_to}"));
        }
    }
}
