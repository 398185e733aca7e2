//! The theme, which is picked from a list with a live preview or chosen by the terminal's background.

use super::moving;
use crate::tui::background::Brightness;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::{Layer, ThemePicker};

/// Applies the theme for the terminal's background, unless a theme was chosen.
pub fn follow(ui: &mut Ui, brightness: Brightness) {
    if !ui.follow_background {
        return;
    }
    if let Some(named) = ui.themes.iter().find(|named| named.name == brightness.theme()) {
        ui.theme = named.theme.clone();
    }
}

/// Opens the picker with the cursor on the current theme.
pub fn open(ui: &mut Ui) {
    if matches!(ui.layers.last(), Some(Layer::Themes(_))) {
        return;
    }
    let cursor = ui.themes.iter().position(|named| named.theme == ui.theme).unwrap_or_default();
    ui.layers.push(Layer::Themes(Box::new(ThemePicker { cursor, before: ui.theme.clone() })));
}

/// Runs a command in the picker.
pub fn run(ui: &mut Ui, command: Command) {
    let page = layout::overlay_page(ui.size);
    let count = ui.themes.len();
    let Some(Layer::Themes(picker)) = ui.layers.last_mut() else { return };
    if let Some(to) = moving::moved(command, picker.cursor, count, page) {
        picker.cursor = to;
        if let Some(named) = ui.themes.get(to) {
            ui.theme = named.theme.clone();
        }
        return;
    }
    match command {
        Command::Open => {
            let name = ui.themes.get(picker.cursor).map(|named| named.name.clone()).unwrap_or_default();
            ui.layers.pop();
            ui.follow_background = false;
            ui.good(format!("Theme {name} is used for this run; set `theme: {name}` in your config.yaml to keep it"));
        }
        Command::Back | Command::Quit => {
            ui.theme = picker.before.clone();
            ui.layers.pop();
        }
        _ => {}
    }
}
