//! The turn's handoff in a text editor.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use super::draw::frame;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::HandoffText;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, ui: &Ui, handoff: &HandoffText) {
    let style = |role: Role| ui.theme.style(role);
    let titles = [(style(Role::Title), " Handoff "), (style(Role::Dim), "for the next phase ")];
    let inside = frame(buffer, layout::overlay(ui.size), ui, true, &titles, &[]);
    let mut shown = handoff.area.clone();
    shown.set_cursor_style(Style::default().add_modifier(Modifier::REVERSED));
    (&shown).render(layout::text(inside), buffer);
}
