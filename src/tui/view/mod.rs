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
mod requests;
pub mod review;
mod scan;
pub mod sessions;
mod task;
mod theme_picker;
pub mod token_map;
mod tour;
mod which_key;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layout;
use super::state::bench::{Bench, Zoom};
use super::state::form::Purpose;
use super::state::layer::{BenchLayer, Layer};
use super::state::{Screen, State, Ui};
use super::theme::Role;
use crate::text::ABOUT;
use draw::put;

/// Position of the terminal's cursor while text is typed.
pub type CursorAt = Option<(u16, u16)>;

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, state: &State) {
    let area = frame.area();
    if let Some(at) = paint(frame.buffer_mut(), area, state) {
        frame.set_cursor_position(at);
    }
    if state.ui.theme.glyphs.ascii {
        in_plain_characters(frame.buffer_mut());
    }
}

/// Replaces symbols in messages by ASCII characters. Messages do not know the theme.
fn in_plain_characters(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let plain = match cell.symbol() {
            // A dot in place of the ellipsis would look like part of the path.
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
    // The size in the state may be outdated. Nothing may be drawn outside the terminal.
    let size = (area.width, area.height);
    if layout::too_small(size) || size != state.ui.size {
        if area.width > 0 && area.height > 0 {
            let said = format!("too small: {}x{} needed", layout::SMALLEST.0, layout::SMALLEST.1);
            put(buffer, 0, area.height / 2, area.width, state.ui.theme.style(Role::Warn), &said);
        }
        return None;
    }
    buffer.set_style(area, state.ui.theme.style(Role::Text));
    let ui = &state.ui;
    let cursor = match &state.screen {
        Screen::Welcome(welcome) => {
            first::draw(buffer, area, ui, welcome);
            None
        }
        Screen::Sessions(sessions) => {
            sessions::draw(buffer, area, ui, sessions);
            None
        }
        Screen::Scan(scan) => {
            header::draw(buffer, layout::areas(ui.size, Zoom::Both).header, ui, None, state.work());
            scan::draw(buffer, ui, scan);
            None
        }
        Screen::Workbench(bench) => workbench(buffer, area, ui, bench),
    };
    let cursor = ui.layers.iter().fold(cursor, |cursor, layer| overlay(buffer, area, state, layer).or(cursor));
    tour::draw(buffer, ui);
    which_key::draw(buffer, state);
    let typed = footer::draw(buffer, state);
    cursor.or(typed)
}

/// Draws the workbench and its overlays.
fn workbench(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) -> CursorAt {
    let areas = layout::areas(ui.size, bench.zoom);
    let whole = bench.layers.iter().rev().find(|layer| matches!(layer, BenchLayer::Payload(_) | BenchLayer::Map(_)));
    // The preview covers the whole screen. The map covers everything below the budget bar.
    if let Some(BenchLayer::Payload(payload)) = whole {
        payload::draw(buffer, area, ui, bench, payload);
    } else {
        header::draw(buffer, areas.header, ui, Some(bench), bench.work);
        budget::draw(buffer, areas.budget, ui, bench);
        if let Some(BenchLayer::Map(map)) = whole {
            token_map::draw(buffer, ui, bench, map);
        } else {
            list::draw(buffer, areas.list, ui, bench);
            pane::draw(buffer, areas.pane, ui, bench);
            draw::join(buffer, areas.list, areas.pane, ui);
            list::position(buffer, areas.list, ui, bench);
        }
    }
    let mut cursor = None;
    for layer in &bench.layers {
        let covers =
            matches!(layer, BenchLayer::Filter(_) | BenchLayer::Payload(_) | BenchLayer::Map(_) | BenchLayer::Task(_));
        if !covers {
            dim(buffer, area, ui);
        }
        match layer {
            BenchLayer::Filter(_) | BenchLayer::Payload(_) | BenchLayer::Map(_) => {}
            BenchLayer::LastChange(scroll) => last_change::draw(buffer, ui, bench, *scroll),
            BenchLayer::Document(open) => document::draw(buffer, ui, open),
            BenchLayer::Memos(memos) => memos::draw(buffer, ui, memos),
            BenchLayer::Unfitted(cursor) => review::unfitted(buffer, ui, bench, *cursor),
            BenchLayer::Redactions(layer) => review::redactions(buffer, ui, layer),
            BenchLayer::Requests(cursor) => requests::draw(buffer, ui, bench, *cursor),
            BenchLayer::Task(form) => cursor = task::draw(buffer, ui, form, Some(bench)),
            BenchLayer::Handoff(text) => handoff::draw(buffer, ui, text),
            BenchLayer::Outline(outline) => payload::outline(buffer, ui, outline),
        }
    }
    cursor
}

/// Draws an overlay that is available on every screen.
fn overlay(buffer: &mut Buffer, area: Rect, state: &State, layer: &Layer) -> CursorAt {
    let ui = &state.ui;
    // The items behind the form for the next turn stay visible.
    let undimmed = match layer {
        Layer::Form(form) => form.purpose != Purpose::NewSession,
        layer => matches!(layer, Layer::Themes(_)),
    };
    if !undimmed {
        dim(buffer, area, ui);
    }
    match layer {
        Layer::Help(help) => return help::draw(buffer, state, help),
        Layer::Palette(palette) => return Some(palette::draw(buffer, state, palette)),
        Layer::Form(form) => return task::draw(buffer, ui, form, None),
        Layer::LinePrompt(ask) => return Some(confirm::draw(buffer, ui, ask)),
        Layer::Confirm(confirm) => confirm::confirm(buffer, ui, confirm),
        Layer::Log(scroll) => log::draw(buffer, ui, *scroll),
        Layer::Themes(picker) => theme_picker::draw(buffer, ui, picker),
    }
    None
}

/// Dims everything behind an overlay.
fn dim(buffer: &mut Buffer, area: Rect, ui: &Ui) {
    buffer.set_style(area, ui.theme.backdrop());
}
