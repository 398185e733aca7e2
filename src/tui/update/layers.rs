//! Commands in overlays that are available on every screen and take no text: help, log, theme picker.

use super::{moving, theme};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::layer::Layer;
use crate::tui::state::line_edit::LineEdit;
use crate::tui::view::{help, log};

/// Runs a command in the topmost overlay.
pub fn run(state: &mut State, command: Command) {
    let (page, lines) = (layout::overlay_page(state.ui.size), text_lines(state));
    match state.ui.layers.last_mut() {
        Some(Layer::Themes(_)) => return theme::run(&mut state.ui, command),
        Some(Layer::Help(help)) if command == Command::Search => {
            help.typing = true;
            return;
        }
        Some(Layer::Help(help)) if command == Command::Back && !help.query.text().is_empty() => {
            (help.query, help.scroll) = (LineEdit::default(), 0);
            return;
        }
        _ => {}
    }
    if matches!(command, Command::Back | Command::Open) {
        state.ui.layers.pop();
    } else if let Some(scroll) = state.ui.layers.last_mut().and_then(Layer::scroll)
        && let Some(to) = moving::scrolled(command, *scroll, lines, page)
    {
        *scroll = to;
    }
}

/// Number of lines of the topmost overlay, if it is a read-only text.
pub fn text_lines(state: &State) -> usize {
    match state.ui.layers.last() {
        Some(Layer::Help(_)) => help::lines(state).len(),
        Some(Layer::Log(_)) => log::lines(&state.ui).len(),
        _ => 0,
    }
}
