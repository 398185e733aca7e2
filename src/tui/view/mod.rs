//! Draws the state. Only visible parts are built; nothing here changes the state.

pub mod budget;
mod confirm;
pub mod document;
pub mod draw;
mod first;
pub mod footer;
mod handoff;
mod header;
pub mod help;
pub mod last_change;
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
mod theme_picker;
pub mod token_map;
mod which_key;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layout;
use super::state::layer::Layer;
use super::state::{Screen, State};
use super::theme::Role;
use crate::text::ABOUT;
use draw::put;

/// Position of the terminal's cursor while something is typed.
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

/// Messages do not know the theme, so their few symbols are replaced when they are drawn.
fn in_plain_characters(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let plain = match cell.symbol() {
            // A dot at the cut would look like part of the path.
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

/// Draws everything into a buffer; returns the cursor position.
fn paint(buffer: &mut Buffer, area: Rect, state: &State) -> CursorAt {
    // The state may have an older size than the terminal: never draw outside either.
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
    match state.layers.iter().rev().find(|layer| matches!(layer, Layer::Payload(_) | Layer::Map(_))) {
        // The preview covers the whole screen, the map everything below the budget bar.
        Some(Layer::Payload(payload)) => payload::draw(buffer, area, state, payload),
        Some(Layer::Map(map)) => {
            let areas = layout::areas(state);
            header::draw(buffer, areas.header, state);
            budget::draw(buffer, areas.budget, state);
            token_map::draw(buffer, state, map);
        }
        _ => match state.screen {
            Screen::Welcome => first::draw(buffer, area, state),
            Screen::Sessions => sessions::draw(buffer, area, state),
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
        if !matches!(layer, Layer::Filter(..) | Layer::Payload(_) | Layer::Map(_) | Layer::Task(_) | Layer::Themes(_)) {
            // Everything behind an overlay is dimmed.
            buffer.set_style(area, state.theme.style(Role::Dim));
        }
        match layer {
            Layer::Filter(..) | Layer::Payload(_) | Layer::Map(_) => {}
            Layer::Help(help) => cursor = help::draw(buffer, state, help),
            Layer::Log(scroll) => log::draw(buffer, state, *scroll),
            Layer::Themes(picker) => theme_picker::draw(buffer, state, picker),
            Layer::LastChange(scroll) => last_change::draw(buffer, state, *scroll),
            Layer::Document(open) => document::draw(buffer, state, open),
            Layer::Memos(memos) => memos::draw(buffer, state, memos),
            Layer::Unfitted(cursor) => review::dropped(buffer, state, *cursor),
            Layer::Redactions(layer) => review::redactions(buffer, state, layer),
            Layer::Palette(palette) => cursor = Some(palette::draw(buffer, state, palette)),
            Layer::Task(form) => cursor = task::draw(buffer, state, form),
            Layer::Handoff(text) => handoff::draw(buffer, state, text),
            Layer::Ask(ask) => cursor = Some(confirm::draw(buffer, state, ask)),
            Layer::Confirm(confirm) => confirm::confirm(buffer, state, confirm),
        }
    }
    which_key::draw(buffer, state);
    let typed = footer::draw(buffer, state);
    cursor.or(typed)
}
