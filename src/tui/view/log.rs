//! The message log, newest first.

use ratatui::buffer::Buffer;

use super::draw::{frame, put, width, wrap};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::Scroll;
use crate::tui::theme::Role;

/// The lines of the log.
pub fn lines(ui: &Ui) -> Vec<(Role, String)> {
    let width = usize::from(layout::inner(layout::overlay(ui.size)).width.saturating_sub(4));
    let mut lines = Vec::new();
    for notice in ui.log.iter().rev() {
        for (at, line) in wrap(&notice.text, width).into_iter().enumerate() {
            lines.push((
                notice.role,
                if at == 0 { format!("{} {line}", ui.theme.glyphs.dot) } else { format!("  {line}") },
            ));
        }
    }
    lines
}

pub fn draw(buffer: &mut Buffer, ui: &Ui, scroll: Scroll) {
    let style = |role: Role| ui.theme.style(role);
    let lines = lines(ui);
    let widest = lines.iter().map(|(_, line)| width(line)).max().unwrap_or(0);
    let area = layout::fitted(ui.size, lines.len(), widest);
    let inside = frame(buffer, area, ui, true, &[(style(Role::Title), " Messages ")], &[]);
    if lines.is_empty() {
        put(buffer, inside.x + 1, inside.y, inside.width, style(Role::Dim), "No messages yet");
    }
    for (row, (role, line)) in lines.iter().skip(scroll.0).take(usize::from(inside.height)).enumerate() {
        put(buffer, inside.x + 1, inside.y + row as u16, inside.width.saturating_sub(2), style(*role), line);
    }
}
