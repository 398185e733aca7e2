//! Advances the tour when a requested key is pressed.

use crate::tui::command::{Command, Context};
use crate::tui::state::{Screen, State};

/// Ends the tour on Esc; returns true if it did.
pub fn skip(state: &mut State, command: Command) -> bool {
    let skips = command == Command::Back && !state.has_overlay() && matches!(state.screen, Screen::Workbench(_));
    if !skips || state.ui.tour.take().is_none() {
        return false;
    }
    end(state, "Tour skipped");
    true
}

/// Goes to the next step if the current one asks for this command.
pub fn pressed(state: &mut State, command: Command) {
    if !matches!(state.screen, Screen::Workbench(_)) {
        return;
    }
    if let Some(tour) = state.ui.tour {
        state.ui.tour = tour.after(command);
        if state.ui.tour.is_none() {
            end(state, "Tour finished");
        }
    }
}

fn end(state: &mut State, what: &str) {
    let key = |command: Command| state.ui.key_in(Context::Workbench, command);
    let (copy, help, quit) = (key(Command::Copy), key(Command::Help), key(Command::Quit));
    state.ui.good(format!("{what}: {copy} copies a payload, {help} lists every key, {quit} quits"));
}
