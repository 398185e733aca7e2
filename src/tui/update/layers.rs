//! Commands in overlays without a text field: payload, help, log, memos.

use super::{Effects, moving};
use crate::gather::item::ItemKind;
use crate::render::Format;
use crate::text::counted;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::layer::{Ask, Confirm, Deletion, Goal, Layer, PayloadText};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::view::draw::width;
use crate::tui::view::{self, document, help, last_change, log};

/// Runs a command in the topmost overlay.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
    if let (Some(Layer::Help(help)), Command::Search) = (state.layers.last_mut(), command) {
        help.typing = true;
        return;
    }
    if let (Some(Layer::Help(help)), Command::Back) = (state.layers.last_mut(), command)
        && !help.query.text().is_empty()
    {
        (help.query, help.scroll) = (LineEdit::default(), 0);
        return;
    }
    if matches!(state.layers.last(), Some(Layer::Map(_))) {
        return super::token_map::run(state, command, effects);
    }
    if matches!(state.layers.last(), Some(Layer::Themes(_))) {
        return super::theme::run(state, command, layout::page(state));
    }
    if command == Command::Back {
        state.layers.pop();
        return;
    }
    let (page, lines) = (layout::page(state), text_lines(state));
    if let Some(scroll) = state.layers.last_mut().and_then(Layer::scroll) {
        if command == Command::Open {
            state.layers.pop();
        } else if let Some(to) = moving::scrolled(command, *scroll, lines, page) {
            *scroll = to;
        }
        return;
    }
    match state.layers.last() {
        Some(Layer::Payload(_)) => payload(state, command, page, effects),
        Some(Layer::Memos(_)) => memos(state, command, page, effects),
        Some(Layer::Unfitted(_)) => super::review::dropped(state, command, page),
        Some(Layer::Redactions(_)) => super::review::redactions(state, command, page, effects),
        _ => {}
    }
}

/// Number of lines of the topmost overlay, if it is a read-only text.
pub fn text_lines(state: &State) -> usize {
    match state.layers.last() {
        Some(Layer::Help(_)) => help::lines(state).len(),
        Some(Layer::Log(_)) => log::lines(state).len(),
        Some(Layer::LastChange(_)) => last_change::lines(state).len(),
        Some(Layer::Document(open)) => document::lines(state, open).len(),
        _ => 0,
    }
}

fn payload(state: &mut State, command: Command, page: usize, effects: &mut Effects) {
    let columns = state.size.0;
    let Some(Layer::Payload(payload)) = state.layers.last_mut() else { return };
    if let Some(to) = moving::scrolled(command, payload.scroll, payload.starts.len(), page) {
        payload.scroll = to;
        return;
    }
    match command {
        Command::NextSection => {
            if let Some(next) = payload.sections.iter().find(|line| **line > payload.scroll) {
                payload.scroll = *next;
            } else {
                state.why_not("This is the last section");
            }
        }
        Command::PreviousSection => {
            if let Some(before) = payload.sections.iter().rev().find(|line| **line < payload.scroll) {
                payload.scroll = *before;
            } else {
                state.why_not("This is the first section");
            }
        }
        Command::Left | Command::Right => {
            let longest = (payload.scroll..).take(page).map(|at| width(payload.line(at))).max().unwrap_or_default();
            let room = usize::from(view::payload::text_width(columns, payload));
            let right = command == Command::Right;
            match moving::sideways(right, payload.shift, usize::from(longest), room) {
                Some(shift) => payload.shift = shift,
                None => state.why_not(moving::no_further(right)),
            }
        }
        Command::Search => {
            let ask = Ask::of(Goal::Search, &payload.sought);
            state.layers.push(Layer::Ask(ask));
        }
        Command::NextMatch | Command::PreviousMatch => seek(state, command == Command::NextMatch),
        Command::Open => drop(state.layers.pop()),
        Command::Copy => super::workbench::copy(state, effects),
        Command::Write => super::workbench::write(state, effects),
        Command::Format => {
            // Line numbers differ between formats.
            (payload.scroll, payload.shift) = (0, 0);
            let Some(bench) = &state.bench else { return };
            let mut form = bench.about.form.clone();
            let at = Format::ALL.iter().position(|format| Some(*format) == form.format).unwrap_or_default();
            let next = Format::ALL[(at + 1) % Format::ALL.len()];
            form.format = Some(next);
            state.good(format!("Format: {}", next.name()));
            super::text::reshape(state, Some(form), effects);
        }
        _ => {}
    }
}

/// Searches the payload from the top line on.
pub fn search(state: &mut State, text: String) {
    if let Some(Layer::Payload(payload)) = state.layers.last_mut() {
        payload.sought = text;
        seek(state, true);
    }
}

/// Moves to the next match, wrapping around.
fn seek(state: &mut State, forward: bool) {
    let columns = state.size.0;
    let next = state.key_of(Command::NextMatch);
    let search = state.key_of(Command::Search);
    let Some(Layer::Payload(payload)) = state.layers.last_mut() else { return };
    if payload.sought.is_empty() {
        return state.why_not(format!("No search yet; {search} starts one"));
    }
    let found = payload.found();
    let after = found.partition_point(|line| *line <= payload.scroll);
    let before = found.partition_point(|line| *line < payload.scroll);
    let at = if forward {
        after % found.len().max(1)
    } else {
        before.checked_sub(1).unwrap_or(found.len().saturating_sub(1))
    };
    let Some(line) = found.get(at).copied() else {
        let said = format!("No match for {}", payload.sought);
        return state.why_not(said);
    };
    payload.scroll = line;
    payload.shift = shift_for(payload, line, usize::from(view::payload::text_width(columns, payload)));
    state.good(format!("Match {} of {}; {next} goes to the next", at + 1, counted(found.len(), "line")));
}

/// Horizontal offset that makes the match in this line visible.
fn shift_for(payload: &PayloadText, line: usize, room: usize) -> usize {
    let line = payload.line(line);
    let Some(found) = payload.found_in(line) else { return payload.shift };
    let (from, to) = (usize::from(width(&line[..found.start])), usize::from(width(&line[..found.end])));
    if to <= room { 0 } else { from.saturating_sub(room / 2) }
}

fn memos(state: &mut State, command: Command, page: usize, effects: &mut Effects) {
    let Some(Layer::Memos(memos)) = state.layers.last_mut() else { return };
    if let Some(to) = moving::moved(command, memos.cursor, memos.list.len(), page) {
        memos.cursor = to;
        return;
    }
    match command {
        Command::Add => state.layers.push(Layer::Ask(Ask::of(Goal::Memo, ""))),
        Command::Delete => {
            let (number, text) = (memos.cursor + 1, memos.list.get(memos.cursor).cloned().unwrap_or_default());
            state.layers.push(Layer::Confirm(Confirm {
                title: format!("Delete memo {number}?"),
                consequence: format!("Removes “{text}” from memos.yaml and from every later payload."),
                yes: 'y',
                goal: Deletion::Memo(number),
            }));
        }
        Command::Edit => effects.push(Effect::EditMemos),
        Command::Open => {
            let label = format!("{}:{}", ItemKind::Memo.name(), memos.cursor + 1);
            state.layers.pop();
            match state.bench.as_ref().and_then(|bench| bench.item_at(&label)) {
                Some(item) => super::review::go_to(state, item, None),
                None => state.why_not(format!("{label} is not in the list")),
            }
        }
        _ => {}
    }
}
