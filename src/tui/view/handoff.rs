//! The turn's handoff as a text to edit.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use super::draw::frame;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::layer::HandoffText;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, state: &State, handoff: &HandoffText) {
    let style = |role: Role| state.theme.style(role);
    let titles = [(style(Role::Title), " Handoff "), (style(Role::Dim), "for the next phase ")];
    let inside = frame(buffer, layout::overlay(state.size), state, true, &titles, &[]);
    let mut shown = handoff.area.clone();
    shown.set_cursor_style(Style::default().add_modifier(Modifier::REVERSED));
    (&shown).render(layout::text(inside), buffer);
}
