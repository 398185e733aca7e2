//! Editing the turn's handoff on the screen.

use crossterm::event::{KeyCode, KeyEvent};

use super::overlays::OverlayStep;
use super::{Effects, form};
use crate::app::backend::Request;
use crate::tui::command::Command;
use crate::tui::message::Effect;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::form::area;
use crate::tui::state::layer::{BenchLayer, HandoffText};

/// Opens the text for editing.
pub fn show(bench: &mut Bench, text: &str) {
    open(bench, text, text.to_owned());
}

fn open(bench: &mut Bench, text: &str, before: String) {
    bench.layers.push(BenchLayer::Handoff(Box::new(HandoffText { area: area(text), before })));
}

/// Handles a key in the text; Esc saves it.
pub fn press(ui: &mut Ui, handoff: &mut HandoffText, event: KeyEvent, effects: &mut Effects) -> OverlayStep {
    match (form::command_of(ui, event), event.code) {
        (_, KeyCode::Esc) => {
            save(ui, handoff, effects);
            return OverlayStep::Close;
        }
        (Some(Command::Editor), _) => effects.push(Effect::EditText(handoff.text())),
        (Some(Command::Revert), _) => handoff.area = area(&handoff.before),
        _ => drop(handoff.area.input(event)),
    }
    OverlayStep::Stay
}

/// Saves the text if it was changed.
fn save(ui: &mut Ui, handoff: &HandoffText, effects: &mut Effects) {
    let text = handoff.text();
    if text.trim_end() == handoff.before.trim_end() {
        ui.why_not("The handoff is unchanged; nothing was written");
    } else {
        ui.ask(Request::SaveHandoff(text), effects);
    }
}

/// Reopens a text that could not be written, so that the person can correct it.
pub fn correct(bench: &mut Bench, text: &str) {
    open(bench, text, String::new());
}
