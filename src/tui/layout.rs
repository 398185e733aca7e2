//! The areas of the screen, for drawing and for the mouse: a pure function of the size and the open overlay.

use ratatui::layout::Rect;

use super::state::bench::{Bench, Zoom};

/// Minimum width for list and pane side by side.
pub const SIDE_BY_SIDE: u16 = 110;
/// Minimum width for list and pane on top of each other.
pub const STACKED: u16 = 80;
/// Below this size only a message is shown.
pub const SMALLEST: (u16, u16) = (50, 12);

/// Minimum width of an overlay, so that its title fits.
const NARROWEST_OVERLAY: u16 = 34;

/// Areas of the workbench; an empty area is not drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Areas {
    pub header: Rect,
    pub budget: Rect,
    pub list: Rect,
    pub pane: Rect,
    pub footer: Rect,
}

/// Returns true if the terminal is too small.
pub fn too_small(size: (u16, u16)) -> bool {
    size.0 < SMALLEST.0 || size.1 < SMALLEST.1
}

/// The areas of the workbench.
pub fn areas(size: (u16, u16), zoom: Zoom) -> Areas {
    let (width, height) = size;
    let row = |y: u16, height: u16| Rect { x: 0, y, width, height };
    let budget_rows = if width >= SIDE_BY_SIDE { 1 } else { 2 };
    let footer_rows = footer_rows(size);
    let mut areas = Areas {
        header: row(0, 1),
        budget: row(1, budget_rows),
        footer: row(height.saturating_sub(footer_rows), footer_rows),
        ..Areas::default()
    };
    let top = 1 + budget_rows;
    let body = height.saturating_sub(top + footer_rows);
    if zoom == Zoom::Pane {
        areas.pane = row(top, body);
    } else if width >= SIDE_BY_SIDE {
        let left = (width * 11 / 20).min(110);
        areas.list = Rect { x: 0, y: top, width: left, height: body };
        // The boxes share a border.
        areas.pane = Rect { x: left - 1, y: top, width: width - left + 1, height: body };
    } else if width >= STACKED && body >= 14 {
        let upper = body * 3 / 5 + 1;
        areas.list = row(top, upper);
        areas.pane = row(top + upper - 1, body - upper + 1);
    } else {
        areas.list = row(top, body);
    }
    areas
}

/// Footer: a message or input line, and the keys in one row, or two on narrow terminals.
pub fn footer_rows(size: (u16, u16)) -> u16 {
    if size.1 >= 20 && size.0 < SIDE_BY_SIDE { 3 } else { 2 }
}

/// Inside of a bordered area.
pub fn inner(area: Rect) -> Rect {
    Rect { x: area.x + 1, y: area.y + 1, width: area.width.saturating_sub(2), height: area.height.saturating_sub(2) }
}

/// The rows of the list, below its column titles.
pub fn list_rows(area: Rect) -> Rect {
    let inside = inner(area);
    Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside }
}

/// Text rows of the right pane.
pub fn pane_rows(size: (u16, u16), bench: &Bench) -> usize {
    usize::from(inner(areas(size, bench.zoom).pane).height).max(1)
}

/// The footer's area, which is the same on every screen.
pub fn footer(size: (u16, u16)) -> Rect {
    areas(size, Zoom::Both).footer
}

/// Text area inside a border, with a column of padding.
pub fn text(inside: Rect) -> Rect {
    Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
}

/// Rows of the list on the workbench, for paging.
pub fn list_page(size: (u16, u16), zoom: Zoom) -> usize {
    rows(list_rows(areas(size, zoom).list).height)
}

/// Rows of an overlay, for paging.
pub fn overlay_page(size: (u16, u16)) -> usize {
    rows(inner(overlay(size)).height)
}

/// Rows of the payload preview, for paging.
pub fn payload_page(size: (u16, u16)) -> usize {
    rows(size.1.saturating_sub(4))
}

/// Rows of the list of sessions, for paging.
pub fn sessions_page(size: (u16, u16)) -> usize {
    rows(size.1.saturating_sub(6))
}

fn rows(height: u16) -> usize {
    usize::from(height).max(1)
}

/// Area of an overlay: most of the screen above the footer, with a margin if there is room.
pub fn overlay(size: (u16, u16)) -> Rect {
    let (width, height) = size;
    let wide = width.saturating_sub(if width >= STACKED { 8 } else { 0 }).min(110);
    let room = height.saturating_sub(footer_rows(size));
    let margin = match height {
        0..=20 => 0,
        21..=30 => 1,
        _ => 2,
    };
    let high = room.saturating_sub(margin);
    Rect { x: (width - wide) / 2, y: (room - high).div_ceil(2), width: wide, height: high }
}

/// Area of an overlay that is as large as its rows and the widest of them.
pub fn fitted(size: (u16, u16), rows: usize, widest: u16) -> Rect {
    let most = overlay(size);
    // One column on each side of the text, and the border.
    let width = most.width.min(widest.saturating_add(4).max(NARROWEST_OVERLAY.min(most.width)));
    let height = most.height.min(rows.clamp(1, 1_000) as u16 + 2);
    Rect { x: (size.0 - width) / 2, y: most.y + (most.height - height) / 3, width, height }
}

/// Area of the task form: at the bottom, so that the list and the budget bar stay visible.
pub fn form(size: (u16, u16)) -> Rect {
    let whole = overlay(size);
    let height = whole.height.min(if size.1 >= 30 { size.1 / 2 } else { 14 }).max(10).min(whole.height);
    Rect { y: whole.bottom().saturating_sub(height), height, ..whole }
}

/// A small area in the upper middle, for a prompt.
pub fn question(size: (u16, u16), rows: u16) -> Rect {
    let width = size.0.saturating_sub(4).min(76);
    let height = rows.min(size.1);
    Rect { x: (size.0 - width) / 2, y: (size.1 - height) / 3, width, height }
}
