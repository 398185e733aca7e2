//! Editing the turn's handoff on the screen.

use crossterm::event::{KeyCode, KeyEvent};

use super::overlays::Then;
use super::{Effects, form};
use crate::error::Error;
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::form::area;
use crate::tui::state::layer::{BenchLayer, HandoffText};

/// Opens the loaded handoff for editing.
pub fn show(ui: &mut Ui, bench: &mut Bench, result: Result<String, Error>) {
    match result {
        Ok(text) => open(bench, &text, text.clone()),
        Err(error) => ui.fail(&error),
    }
}

fn open(bench: &mut Bench, text: &str, before: String) {
    bench.layers.push(BenchLayer::Handoff(Box::new(HandoffText { area: area(text), before })));
}

/// Handles a key in the text; Esc saves it.
pub fn press(ui: &mut Ui, handoff: &mut HandoffText, event: KeyEvent, effects: &mut Effects) -> Then {
    match (form::command_of(ui, event), event.code) {
        (_, KeyCode::Esc) => {
            save(ui, handoff, effects);
            return Then::Close;
        }
        (Some(Command::Editor), _) => effects.push(Effect::EditText(handoff.text())),
        (Some(Command::Revert), _) => handoff.area = area(&handoff.before),
        _ => drop(handoff.area.input(event)),
    }
    Then::Stay
}

/// Saves the text if it was changed.
fn save(ui: &mut Ui, handoff: &HandoffText, effects: &mut Effects) {
    let text = handoff.text();
    if text.trim_end() == handoff.before.trim_end() {
        ui.why_not("The handoff is unchanged; nothing was written");
    } else {
        effects.push(Effect::SaveHandoff(text));
    }
}

/// Reports that the handoff was written, or opens it again for correction.
pub fn saved(ui: &mut Ui, bench: &mut Bench, text: &str, result: Result<String, Error>) {
    match result {
        Ok(said) => ui.good(said),
        Err(error) => {
            open(bench, text, String::new());
            ui.fail(&error);
        }
    }
}
