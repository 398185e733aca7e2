//! Keys and pasted text in text fields: filter, palette, prompts, forms.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::overlays::{OverlayStep, with_top};
use super::{Effects, form, handoff, overlays, pane, run, save, scan, task, workbench};
use crate::app::backend::Request;
use crate::error::Error;
use crate::redact::message;
use crate::tui::command::{Command, Context};
use crate::tui::message::EditResult;
use crate::tui::state::bench::Bench;
use crate::tui::state::form::area;
use crate::tui::state::layer::{BenchLayer, ConfirmedAction, FilterEdit, Goal, Layer, LinePrompt};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::state::rows::Row;
use crate::tui::state::{Screen, State, Ui};
use crate::tui::view::palette;
use crate::workbench::Filter;

/// Handles a key in the topmost overlay, which is a text field or a confirmation.
pub fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    match state.ui.layers.last() {
        Some(Layer::Palette(_)) => return choose(state, event, effects),
        Some(Layer::LinePrompt(_)) => return ask(state, event, effects),
        Some(Layer::Confirm(_)) => return confirm(&mut state.ui, event, effects),
        Some(Layer::Form(_)) => return form::press(state, event, effects),
        Some(Layer::Help(_)) => return search_help(&mut state.ui, event),
        Some(Layer::Log(_) | Layer::Themes(_)) => return,
        None => {}
    }
    match &mut state.screen {
        Screen::Scan(scan) => scan::filter(scan, event),
        Screen::Workbench(bench) => press_on_bench(&mut state.ui, bench, event, effects),
        Screen::Welcome(_) | Screen::Sessions(_) => {}
    }
}

fn press_on_bench(ui: &mut Ui, bench: &mut Bench, event: KeyEvent, effects: &mut Effects) {
    with_top(bench, |bench, layer| match layer {
        BenchLayer::Filter(edit) => filter(ui, bench, edit, event, effects),
        BenchLayer::Task(form) => task::press(ui, bench, form, event, effects),
        BenchLayer::Handoff(text) => handoff::press(ui, text, event, effects),
        _ => OverlayStep::Stay,
    });
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

/// Rebuilds the rows that match the filter.
pub fn narrow(bench: &mut Bench) {
    let before = bench.rows.get(bench.cursor).map(Row::key);
    bench.rebuild();
    // The item under the cursor is hidden, so the cursor moves to the best match instead of keeping its position.
    if before.is_some() && bench.rows.get(bench.cursor).map(Row::key) != before {
        bench.cursor = 0;
    }
}

fn filter(ui: &mut Ui, bench: &mut Bench, edit: &FilterEdit, event: KeyEvent, effects: &mut Effects) -> OverlayStep {
    match event.code {
        KeyCode::Enter => {
            save(ui, bench, effects);
            let typed = bench.filter_line.text();
            if message(typed) != typed {
                ui.why_not("The filter contains a secret; the turn stores it redacted");
            }
            return OverlayStep::Close;
        }
        KeyCode::Esc => {
            set_filter(bench, &edit.before);
            bench.go_back(edit.spot.clone());
            return OverlayStep::Close;
        }
        KeyCode::Down => bench.cursor = (bench.cursor + 1).min(bench.rows.len().saturating_sub(1)),
        KeyCode::Up => bench.cursor = bench.cursor.saturating_sub(1),
        _ => {
            if bench.filter_line.key(event) {
                refilter(bench);
            }
        }
    }
    OverlayStep::Stay
}

fn choose(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let choices = palette::choices(state);
    let Some(Layer::Palette(palette)) = state.ui.layers.last_mut() else { return };
    let last = choices.len().saturating_sub(1);
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    match event.code {
        KeyCode::Esc => drop(state.ui.layers.pop()),
        KeyCode::Down | KeyCode::Tab => palette.cursor = (palette.cursor + 1).min(last),
        KeyCode::Char('n' | 'j') if control => palette.cursor = (palette.cursor + 1).min(last),
        KeyCode::Up | KeyCode::BackTab => palette.cursor = palette.cursor.saturating_sub(1),
        KeyCode::Char('p' | 'k') if control => palette.cursor = palette.cursor.saturating_sub(1),
        KeyCode::Enter => {
            let chosen = choices.get(palette.cursor).map(|choice| choice.command);
            state.ui.layers.pop();
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

fn search_help(ui: &mut Ui, event: KeyEvent) {
    let Some(Layer::Help(help)) = ui.layers.last_mut() else { return };
    match event.code {
        KeyCode::Enter => help.typing = false,
        KeyCode::Esc => (help.typing, help.query) = (false, LineEdit::default()),
        _ => drop(help.query.key(event)),
    }
    help.scroll = 0;
}

/// Filters the list of sessions as the filter is typed.
fn filter_sessions(screen: &mut Screen, line: LineEdit) {
    if let Screen::Sessions(sessions) = screen {
        (sessions.filter, sessions.cursor) = (line, 0);
    }
}

fn ask(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let Some(Layer::LinePrompt(ask)) = state.ui.layers.last_mut() else { return };
    match event.code {
        KeyCode::Esc => {
            if ask.goal == Goal::SessionFilter {
                filter_sessions(&mut state.screen, LineEdit::default());
            }
            state.ui.layers.pop();
        }
        KeyCode::Enter => {
            if let Some(Layer::LinePrompt(ask)) = state.ui.layers.pop() {
                answered(state, ask, effects);
            }
        }
        _ => {
            if ask.line.key(event) && ask.goal == Goal::SessionFilter {
                filter_sessions(&mut state.screen, ask.line.clone());
            }
        }
    }
}

fn answered(state: &mut State, ask: LinePrompt, effects: &mut Effects) {
    let text = ask.line.text().trim().to_owned();
    if text.is_empty() && ask.goal != Goal::SessionFilter {
        return state.ui.why_not("Nothing entered; nothing changed");
    }
    match (ask.goal, &mut state.screen) {
        (Goal::Rename(name), _) => state.ui.ask(Request::Rename { session: name, name: text }, effects),
        (Goal::Memo, _) => state.ui.ask(Request::AddMemo(text), effects),
        (Goal::Search, Screen::Workbench(bench)) if bench.layers.is_empty() => pane::search(&mut state.ui, bench, text),
        (Goal::Search, Screen::Workbench(bench)) => overlays::search(&mut state.ui, bench, text),
        (Goal::Search | Goal::SessionFilter, _) => {}
    }
}

/// Opens a prompt again whose input failed, so that the person can correct it, unless they are typing elsewhere.
pub fn ask_again(state: &mut State, goal: Goal, text: &str) {
    if !super::takes_text(state) {
        state.ui.layers.push(Layer::LinePrompt(LinePrompt::of(goal, text)));
    }
}

/// Handles a key in a confirmation. Only the key named in the question confirms; all others cancel.
fn confirm(ui: &mut Ui, event: KeyEvent, effects: &mut Effects) {
    let Some(Layer::Confirm(confirm)) = ui.layers.pop() else { return };
    if event.code == KeyCode::Char(confirm.yes) && !event.modifiers.contains(KeyModifiers::CONTROL) {
        match confirm.action {
            ConfirmedAction::DeleteSession(name) => ui.ask(Request::Delete(name), effects),
            ConfirmedAction::RemoveMemo(number) => ui.ask(Request::RemoveMemo(number), effects),
            ConfirmedAction::Retitle => ui.ask(Request::Retitle, effects),
        }
    } else if confirm.action.deletes() {
        ui.why_not("Nothing was deleted");
    } else {
        let key = ui.key_in(Context::Workbench, Command::Retitle);
        ui.good(format!("Task changed; the session keeps its goal and name ({key} updates them)"));
    }
}

/// Handles the result of the editor.
pub fn edited(state: &mut State, result: Result<EditResult, Error>, effects: &mut Effects) {
    match (result, &mut state.screen) {
        (Ok(EditResult::Text(text)), _) => take_edited(state, &text, effects),
        (Ok(EditResult::Memos), _) => state.ui.ask(Request::Memos, effects),
        // The file may have changed.
        (Ok(EditResult::File), Screen::Workbench(bench)) => workbench::rescan(&mut state.ui, bench, effects),
        (Ok(EditResult::File), _) => {}
        (Err(error), _) => state.ui.fail(&error),
    }
}

fn take_edited(state: &mut State, text: &str, effects: &mut Effects) {
    match (state.ui.layers.last_mut(), &mut state.screen) {
        (Some(Layer::Form(form)), _) => form.set_text(text.trim_end()),
        (None, Screen::Workbench(bench)) => with_top(bench, |bench, layer| {
            match layer {
                BenchLayer::Task(form) => {
                    form.set_text(text.trim_end());
                    task::rescore(&mut state.ui, bench, form, effects);
                }
                BenchLayer::Handoff(handoff) => handoff.area = area(text),
                _ => {}
            }
            OverlayStep::Stay
        }),
        _ => {}
    }
}

/// Inserts pasted text into the open field. Without a field, nothing happens: pasted text never runs commands.
pub fn paste(state: &mut State, text: &str, effects: &mut Effects) {
    state.ui.notice = None;
    // Terminals end pasted lines with \r, \r\n or \n.
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    if let Screen::Scan(scan) = &mut state.screen
        && scan::queue_paste(scan, text)
    {
        return;
    }
    match state.ui.layers.last_mut() {
        Some(Layer::Help(help)) if help.typing => return help.query.insert(text),
        Some(Layer::Palette(palette)) => {
            palette.line.insert(text);
            palette.cursor = 0;
            return;
        }
        Some(Layer::LinePrompt(ask)) => {
            ask.line.insert(text);
            if ask.goal == Goal::SessionFilter {
                filter_sessions(&mut state.screen, ask.line.clone());
            }
            return;
        }
        Some(Layer::Form(form)) => return form::paste(form, text),
        Some(_) => return nowhere_to_paste(state),
        None => {}
    }
    let pasted = match &mut state.screen {
        Screen::Scan(scan) if scan.typing.is_some() => {
            scan.list.filter_line.insert(text);
            scan.list.refilter();
            true
        }
        Screen::Workbench(bench) => paste_on_bench(&mut state.ui, bench, text, effects),
        Screen::Welcome(_) | Screen::Sessions(_) | Screen::Scan(_) => false,
    };
    if !pasted {
        nowhere_to_paste(state);
    }
}

/// Pastes into the topmost overlay of the workbench; returns false if it is not a text field.
fn paste_on_bench(ui: &mut Ui, bench: &mut Bench, text: &str, effects: &mut Effects) -> bool {
    let mut pasted = false;
    with_top(bench, |bench, layer| {
        pasted = true;
        match layer {
            BenchLayer::Filter(_) => {
                bench.filter_line.insert(text);
                refilter(bench);
            }
            BenchLayer::Handoff(handoff) => drop(handoff.area.insert_str(text)),
            BenchLayer::Task(form) => {
                form::paste(form, text);
                task::rescore(ui, bench, form, effects);
            }
            _ => pasted = false,
        }
        OverlayStep::Stay
    });
    pasted
}

fn nowhere_to_paste(state: &mut State) {
    let key = |command: Command| state.key_for(command);
    let where_to = if matches!(state.screen, Screen::Scan(_) | Screen::Workbench(_)) {
        format!("paste into {} (filter) or {} (task)", key(Command::Filter), key(Command::Task))
    } else {
        format!("press {} first", key(Command::New))
    };
    state.ui.why_not(format!("Pasted text does not run commands; {where_to}"));
}
