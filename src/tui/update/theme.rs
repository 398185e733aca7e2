//! The theme: picked from a list with a live preview, or chosen by the terminal's background.

use super::moving;
use crate::tui::background::Brightness;
use crate::tui::command::Command;
use crate::tui::state::State;
use crate::tui::state::layer::{Layer, ThemePicker};

/// Takes the theme that suits the terminal's background, unless a theme was chosen.
pub fn follow(state: &mut State, brightness: Brightness) {
    if !state.follow_background {
        return;
    }
    if let Some(named) = state.themes.iter().find(|named| named.name == brightness.theme()) {
        state.theme = named.theme.clone();
    }
}

/// Opens the picker with the cursor on the theme in use.
pub fn open(state: &mut State) {
    if matches!(state.layers.last(), Some(Layer::Themes(_))) {
        return;
    }
    let cursor = state.themes.iter().position(|named| named.theme == state.theme).unwrap_or_default();
    state.layers.push(Layer::Themes(Box::new(ThemePicker { cursor, before: state.theme.clone() })));
}

/// Runs a command in the picker.
pub fn run(state: &mut State, command: Command, page: usize) {
    let count = state.themes.len();
    let Some(Layer::Themes(picker)) = state.layers.last_mut() else { return };
    if let Some(to) = moving::moved(command, picker.cursor, count, page) {
        picker.cursor = to;
        if let Some(named) = state.themes.get(to) {
            state.theme = named.theme.clone();
        }
        return;
    }
    match command {
        Command::Open => {
            let name = state.themes.get(picker.cursor).map(|named| named.name.clone()).unwrap_or_default();
            state.layers.pop();
            state.follow_background = false;
            state.good(format!("Theme {name} for this run; `theme: {name}` in your config.yaml keeps it"));
        }
        Command::Back | Command::Quit => {
            state.theme = picker.before.clone();
            state.layers.pop();
        }
        _ => {}
    }
}
