//! Prompts and confirmations.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put, put_all, width, wrap};
use crate::text::fit_end;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::layer::{Confirm, LinePrompt};
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, ui: &Ui, ask: &LinePrompt) -> (u16, u16) {
    let style = |role: Role| ui.theme.style(role);
    let title = format!(" {} ", ask.goal.title());
    let inside = frame(buffer, layout::question(ui.size, 4), ui, true, &[(style(Role::Title), &title)], &[]);
    let (before, after) = ask.line.split();
    // Shows the end of a long line, because that is where the person types.
    let room = inside.width.saturating_sub(3);
    let mut from = 0;
    while width(&before[from..]) > room {
        from += before[from..].chars().next().map_or(1, char::len_utf8);
    }
    let x = put_all(buffer, inside.x + 1, inside.y, room + 1, &[(style(Role::Text), &before[from..])]);
    put(buffer, x, inside.y, inside.right().saturating_sub(x + 1), style(Role::Text), after);
    let room = inside.width.saturating_sub(2);
    put(buffer, inside.x + 1, inside.y + 1, room, style(Role::Dim), &fit_end(ask.goal.hint(), usize::from(room)));
    (x, inside.y)
}

pub fn confirm(buffer: &mut Buffer, ui: &Ui, confirm: &Confirm) {
    let style = |role: Role| ui.theme.style(role);
    let most = layout::question(ui.size, 3).width.saturating_sub(4);
    let title = wrap(&confirm.title, usize::from(most));
    let lines = wrap(&confirm.consequence, usize::from(most));
    let (role, heading) = if confirm.action.deletes() { (Role::Bad, " Sure? ") } else { (Role::Title, " Session ") };
    let no = if confirm.action.deletes() { "cancels" } else { "leaves it as it is" };
    let keys = format!("{} {}s; Enter or any other key {no}", confirm.yes, confirm.action.label());
    let keys = wrap(&keys, usize::from(most));
    let room = title.iter().chain(&lines).chain(&keys).map(|line| width(line)).max().unwrap_or(most);
    let area = layout::question(ui.size, (title.len() + lines.len() + keys.len()) as u16 + 3);
    let area = Rect { x: (ui.size.0 - (room + 4)) / 2, width: room + 4, ..area };
    let inside = frame(buffer, area, ui, true, &[(style(role), heading)], &[]);
    let rows = title.iter().map(|line| (role, line.as_str()));
    let rows = rows.chain(lines.iter().map(|line| (Role::Text, line.as_str()))).chain([(Role::Text, "")]);
    for (row, (role, line)) in rows.chain(keys.iter().map(|line| (Role::Key, line.as_str()))).enumerate() {
        put(buffer, inside.x + 1, inside.y + row as u16, room, style(role), line);
    }
}
