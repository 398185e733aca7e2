//! Writing the turn's handoff on the screen.

use crossterm::event::{KeyCode, KeyEvent};

use super::Effects;
use crate::error::Error;
use crate::tui::command::{Command, Context};
use crate::tui::keymap::{Key, Meaning};
use crate::tui::message::Effect;
use crate::tui::state::State;
use crate::tui::state::form::area;
use crate::tui::state::layer::{HandoffText, Layer};

/// The text to edit is there.
pub fn show(state: &mut State, result: Result<String, Error>) {
    match result {
        Ok(text) => state.layers.push(Layer::Handoff(Box::new(HandoffText { area: area(&text), before: text }))),
        Err(error) => state.fail(&error),
    }
}

/// A key in the text.
pub fn press(state: &mut State, event: KeyEvent, effects: &mut Effects) {
    let meaning = state.keymap.meaning(&[Context::Task], &[Key::from(event)]);
    let Some(Layer::Handoff(handoff)) = state.layers.last_mut() else { return };
    match (meaning, event.code) {
        (_, KeyCode::Esc) => finish(state, effects),
        (Meaning::Is(Command::Editor), _) => effects.push(Effect::EditText(handoff.text())),
        (Meaning::Is(Command::Revert), _) => handoff.area = area(&handoff.before),
        _ => drop(handoff.area.input(event)),
    }
}

/// Saves the text if it was changed.
fn finish(state: &mut State, effects: &mut Effects) {
    let Some(Layer::Handoff(handoff)) = state.layers.pop() else { return };
    let text = handoff.text();
    if text.trim_end() == handoff.before.trim_end() {
        state.why_not("The handoff is unchanged; nothing was written");
    } else {
        effects.push(Effect::SaveHandoff(text));
    }
}

/// The handoff was written, or it is there to be corrected.
pub fn saved(state: &mut State, text: &str, result: Result<String, Error>) {
    match result {
        Ok(said) => state.good(said),
        Err(error) => {
            state.layers.push(Layer::Handoff(Box::new(HandoffText { area: area(text), before: String::new() })));
            state.fail(&error);
        }
    }
}
