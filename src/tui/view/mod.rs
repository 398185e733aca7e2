//! Draws the state. Only what is visible is built; nothing here changes anything.

pub mod awaiting_report;
pub mod budget;
mod confirm;
pub mod document;
pub mod draw;
mod first;
pub mod footer;
mod header;
pub mod help;
mod list;
pub mod log;
mod memos;
pub mod palette;
pub mod pane;
pub mod payload;
pub mod review;
mod scan;
pub mod sessions;
mod task;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layout;
use super::state::layer::Layer;
use super::state::{Screen, State};
use super::theme::Role;
use crate::text::ABOUT;
use draw::put;

/// Where the terminal's own cursor belongs, while something is typed.
pub type CursorAt = Option<(u16, u16)>;

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, state: &State) {
    let area = frame.area();
    if let Some(at) = paint(frame.buffer_mut(), area, state) {
        frame.set_cursor_position(at);
    }
    if state.theme.glyphs.ascii {
        in_plain_characters(frame.buffer_mut());
    }
}

/// Sentences are written without knowing the theme, so the few signs that they use are replaced where they are drawn.
fn in_plain_characters(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let plain = match cell.symbol() {
            // A dot where a path is cut would be taken for one of its own.
            ABOUT | "…" => "~",
            "░" => ".",
            "·" | "–" => "-",
            "×" => "x",
            "“" | "”" => "\"",
            "↑" => "^",
            "↓" => "v",
            "←" | "‹" => "<",
            "→" | "›" => ">",
            "█" => "#",
            "▒" => "+",
            _ => continue,
        };
        cell.set_symbol(plain);
    }
}

/// Draws everything into a buffer; says where the cursor belongs.
fn paint(buffer: &mut Buffer, area: Rect, state: &State) -> CursorAt {
    // The size that the state knows can be older than the terminal's: never draw outside of either.
    let size = (area.width, area.height);
    if layout::too_small(size) || size != state.size {
        if area.width > 0 && area.height > 0 {
            let said = format!("too small: {}x{} needed", layout::SMALLEST.0, layout::SMALLEST.1);
            put(buffer, 0, area.height / 2, area.width, state.theme.style(Role::Warn), &said);
        }
        return None;
    }
    buffer.set_style(area, state.theme.style(Role::Text));
    let mut cursor = None;
    match state.layers.iter().rev().find(|layer| matches!(layer, Layer::Payload(_))) {
        // The payload has the whole screen.
        Some(Layer::Payload(payload)) => payload::draw(buffer, area, state, payload),
        _ => match state.screen {
            Screen::Welcome => first::draw(buffer, area, state),
            Screen::Sessions => sessions::draw(buffer, area, state),
            Screen::AwaitingReport => awaiting_report::draw(buffer, area, state),
            Screen::Workbench => {
                let areas = layout::areas(state);
                header::draw(buffer, areas.header, state);
                budget::draw(buffer, areas.budget, state);
                list::draw(buffer, areas.list, state);
                pane::draw(buffer, areas.pane, state);
            }
        },
    }
    for layer in &state.layers {
        if !matches!(layer, Layer::Filter(..) | Layer::Payload(_) | Layer::Task(_)) {
            // What lies behind an overlay recedes.
            buffer.set_style(area, state.theme.style(Role::Dim));
        }
        match layer {
            Layer::Filter(..) | Layer::Payload(_) => {}
            Layer::Help(help) => cursor = help::draw(buffer, state, help),
            Layer::Log(scroll) => log::draw(buffer, state, *scroll),
            Layer::Document(open) => document::draw(buffer, state, open),
            Layer::Memos(memos) => memos::draw(buffer, state, memos),
            Layer::Unfitted(cursor) => review::dropped(buffer, state, *cursor),
            Layer::Redactions(layer) => review::redactions(buffer, state, layer),
            Layer::Palette(palette) => cursor = Some(palette::draw(buffer, state, palette)),
            Layer::Task(form) => cursor = task::draw(buffer, state, form),
            Layer::Ask(ask) => cursor = Some(confirm::draw(buffer, state, ask)),
            Layer::Confirm(confirm) => confirm::confirm(buffer, state, confirm),
        }
    }
    let typed = footer::draw(buffer, state);
    cursor.or(typed)
}
