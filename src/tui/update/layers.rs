//! Commands in the overlays that are no text field: payload, help, log, memos.

use super::{Effects, moving};
use crate::render::Format;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::layer::{Ask, Confirm, Deletion, Goal, Layer};
use crate::tui::state::line_edit::LineEdit;
use crate::tui::view::{help, log, paper};

/// Runs a command in the topmost overlay.
pub fn run(state: &mut State, command: Command, effects: &mut Effects) {
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
        Some(Layer::Dropped(_)) => super::review::dropped(state, command, page),
        Some(Layer::Redactions(_)) => super::review::redactions(state, command, page, effects),
        _ => {}
    }
}

/// How many lines the topmost overlay has, where it is a text that is only read.
pub fn text_lines(state: &State) -> usize {
    match state.layers.last() {
        Some(Layer::Help(_)) => help::lines(state).len(),
        Some(Layer::Log(_)) => log::lines(state).len(),
        Some(Layer::Paper(open)) => paper::lines(state, open).len(),
        _ => 0,
    }
}

fn payload(state: &mut State, command: Command, page: usize, effects: &mut Effects) {
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
                state.why_not("this is the last section");
            }
        }
        Command::PreviousSection => {
            if let Some(before) = payload.sections.iter().rev().find(|line| **line < payload.scroll) {
                payload.scroll = *before;
            } else {
                state.why_not("this is the first section");
            }
        }
        Command::Open => drop(state.layers.pop()),
        Command::Copy => super::workbench::copy(state, effects),
        Command::Write => super::workbench::write(state, effects),
        Command::Format => {
            let Some(bench) = &state.bench else { return };
            let mut form = bench.about.form.clone();
            let at = Format::ALL.iter().position(|format| *format == form.format).unwrap_or_default();
            form.format = Format::ALL[(at + 1) % Format::ALL.len()];
            state.good(format!("format {}", form.format.name()));
            super::text::reshape(state, Some(form), effects);
        }
        _ => {}
    }
}

fn memos(state: &mut State, command: Command, page: usize, effects: &mut Effects) {
    let Some(Layer::Memos(memos)) = state.layers.last_mut() else { return };
    if let Some(to) = moving::moved(command, memos.cursor, memos.list.len(), page) {
        memos.cursor = to;
        return;
    }
    match command {
        Command::Add => state.layers.push(Layer::Ask(Ask {
            title: "New memo",
            hint: "a fact or a rule that every payload carries",
            line: LineEdit::default(),
            goal: Goal::Memo,
        })),
        Command::Delete => {
            let (number, text) = (memos.cursor + 1, memos.list.get(memos.cursor).cloned().unwrap_or_default());
            state.layers.push(Layer::Confirm(Confirm {
                title: format!("Delete memo {number}?"),
                consequence: format!("“{text}” goes from memos.yaml, and from every payload to come."),
                yes: 'y',
                goal: Deletion::Memo(number),
            }));
        }
        Command::Edit => effects.push(Effect::EditMemos),
        Command::Open => drop(state.layers.pop()),
        _ => {}
    }
}
