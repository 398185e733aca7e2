//! The first run: what will be created, before anything is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::put::{frame, put, wrap};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, area: Rect, state: &State) {
    let style = |role: Role| state.theme.style(role);
    let footer = layout::areas(state).footer.height;
    let area = Rect { height: area.height.saturating_sub(footer), ..area };
    let title = format!(" teddy  {} ", state.project);
    let inside = frame(buffer, area, state, true, &[(style(Role::Title), &title)], &[]);
    let room = inside.width.saturating_sub(4).min(90);
    let mut y = inside.y + u16::from(inside.height > 14);
    let mut line = |role: Role, text: &str| {
        for part in wrap(text, usize::from(room)) {
            if y < inside.bottom() {
                put(buffer, inside.x + 2, y, room, style(role), &part);
            }
            y += 1;
        }
        if text.is_empty() {
            y += 1;
        }
    };
    line(Role::Title, "Welcome. There is no .teddy/ here yet.");
    line(Role::Text, "teddy keeps your sessions, rulings and payloads in it. This will be created, and nothing else:");
    line(Role::Text, "");
    for path in &state.to_be_made {
        line(Role::Raw, &format!("  {path}"));
    }
    line(Role::Text, "");
    line(Role::Dim, "Nothing leaves this machine and no model is called. Whether .teddy/ is committed is up to you.");
    line(Role::Text, "");
    let (go, quit) = (state.key_of(Command::Open), state.key_of(Command::Quit));
    line(Role::Key, &format!("{go} creates it and goes on, {quit} leaves without a trace."));
}
