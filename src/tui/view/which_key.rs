//! The keys that can follow a prefix such as `g`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{frame, put_all, width};
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, state: &State) {
    let next = state.ui.keymap.continuations(state.contexts(), &state.ui.pending);
    if state.ui.pending.is_empty() || next.is_empty() {
        return;
    }
    let style = |role: Role| state.ui.theme.style(role);
    let keys = next.iter().map(|(keys, _)| width(keys)).max().unwrap_or(0);
    let titles = next.iter().map(|(_, command)| width(command.info().title)).max().unwrap_or(0);
    let footer = layout::footer_rows(state.ui.size);
    let wide = (keys + titles + 6).min(state.ui.size.0);
    let high = (next.len() as u16 + 2).min(state.ui.size.1.saturating_sub(footer));
    let y = state.ui.size.1.saturating_sub(footer + high);
    let typed: Vec<String> = state.ui.pending.iter().map(ToString::to_string).collect();
    let title = format!(" {} ", typed.join(" "));
    let area = Rect { x: state.ui.size.0 - wide, y, width: wide, height: high };
    let inside = frame(buffer, area, &state.ui, true, &[(style(Role::Key), &title)], &[]);
    for (row, (rest, command)) in next.iter().take(usize::from(inside.height)).enumerate() {
        let rest = format!(" {rest:<0$} ", usize::from(keys));
        let pieces = [(style(Role::Key), rest.as_str()), (style(Role::Text), command.info().title)];
        put_all(buffer, inside.x, inside.y + row as u16, inside.width, &pieces);
    }
}
