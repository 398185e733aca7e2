//! A page about the turn.

use ratatui::buffer::Buffer;

use super::draw::{frame, put, width, wrap};
use crate::text::printable;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::DocumentText;
use crate::tui::theme::Role;

/// Lines of the page for drawing.
pub fn lines(ui: &Ui, open: &DocumentText) -> Vec<(Role, String)> {
    let width = usize::from(layout::inner(layout::overlay(ui.size)).width.saturating_sub(2));
    let Some(text) = &open.text else { return vec![(Role::Dim, "Loading …".to_owned())] };
    let mut lines = Vec::new();
    for line in text.lines() {
        let (role, line) = match line.strip_prefix("# ") {
            Some(heading) => (Role::Title, heading),
            None => (Role::Text, line),
        };
        let line = printable(line);
        match wrap(&line, width) {
            empty if empty.is_empty() => lines.push((role, String::new())),
            wrapped => lines.extend(wrapped.into_iter().map(|line| (role, line))),
        }
    }
    lines
}

pub fn draw(buffer: &mut Buffer, ui: &Ui, open: &DocumentText) {
    let style = |role: Role| ui.theme.style(role);
    let title = format!(" {} ", open.page.title());
    let lines = lines(ui, open);
    let widest = lines.iter().map(|(_, line)| width(line)).max().unwrap_or(0);
    let inside =
        frame(buffer, layout::fitted(ui.size, lines.len(), widest), ui, true, &[(style(Role::Title), &title)], &[]);
    for (row, (role, line)) in lines.iter().skip(open.scroll.0).take(usize::from(inside.height)).enumerate() {
        put(buffer, inside.x + 1, inside.y + row as u16, inside.width.saturating_sub(2), style(*role), line);
    }
}
