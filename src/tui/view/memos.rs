//! The memos.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::Memos;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, ui: &Ui, memos: &Memos) {
    let style = |role: Role| ui.theme.style(role);
    let title = [(style(Role::Title), " Memos "), (style(Role::Dim), "in every payload ")];
    let inside = frame(buffer, layout::fitted(ui.size, memos.list.len(), u16::MAX), ui, true, &title, &[]);
    if memos.list.is_empty() {
        let key = ui.keymap.first(&[crate::tui::command::Context::Memos], Command::Add).unwrap_or_default();
        let said = if memos.loaded {
            format!("No memos yet; {key} adds one, such as “Use pnpm for everything”.")
        } else {
            "…".to_owned()
        };
        put(buffer, inside.x + 1, inside.y, inside.width.saturating_sub(2), style(Role::Dim), &said);
        return;
    }
    let rows = usize::from(inside.height);
    let from = memos.cursor.saturating_sub(rows.saturating_sub(1));
    for (row, (at, memo)) in memos.list.iter().enumerate().skip(from).take(rows).enumerate() {
        let y = inside.y + row as u16;
        let cursor = if at == memos.cursor { ui.theme.glyphs.cursor } else { " " };
        put(buffer, inside.x, y, inside.width, style(Role::Text), &format!("{cursor}{:>3} {memo}", at + 1));
        if at == memos.cursor {
            buffer.set_style(Rect { y, height: 1, ..inside }, style(Role::Cursor));
        }
    }
}
