//! The mouse: a click moves the cursor, the wheel scrolls, a click on the budget bar filters by tier, and a double
//! click opens.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::overlays::OverlayStep;
use super::{Effects, layers, moving, overlays, run, token_map};
use crate::place::Tier;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::{BenchLayer, Layer};
use crate::tui::state::rows::RowKey;
use crate::tui::state::{Screen, State, Ui};
use crate::tui::view::{budget, footer, palette, pane, review, sessions};

/// Maximum time between two clicks of a double click, in milliseconds.
const DOUBLE: u64 = 400;
/// Number of lines per wheel step.
const WHEEL: usize = 3;

pub fn take(state: &mut State, event: MouseEvent, at: u64, effects: &mut Effects) {
    match event.kind {
        MouseEventKind::ScrollDown => wheel(state, event.column, event.row, true),
        MouseEventKind::ScrollUp => wheel(state, event.column, event.row, false),
        MouseEventKind::Down(MouseButton::Left) => {
            let again = state.ui.click.is_some_and(|(column, row, then)| {
                (column, row) == (event.column, event.row) && at.saturating_sub(then) <= DOUBLE
            });
            state.ui.click = (!again).then_some((event.column, event.row, at));
            state.ui.notice = None;
            click(state, event.column, event.row, again, effects);
        }
        _ => {}
    }
}

fn holds(area: Rect, column: u16, row: u16) -> bool {
    area.contains(Position { x: column, y: row })
}

fn wheel(state: &mut State, column: u16, row: u16, down: bool) {
    let by = |at: usize, last: usize| if down { (at + WHEEL).min(last) } else { at.saturating_sub(WHEEL) };
    if !state.ui.layers.is_empty() {
        let (lines, page) = (layers::text_lines(state), layout::overlay_page(state.ui.size));
        if let Some(scroll) = state.ui.layers.last_mut().and_then(Layer::scroll) {
            *scroll = by(*scroll, lines.saturating_sub(page));
        }
        return;
    }
    match &mut state.screen {
        Screen::Welcome(_) => {}
        Screen::Sessions(sessions) => {
            let last = sessions.visible().len().saturating_sub(1);
            sessions.cursor = by(sessions.cursor, last);
        }
        Screen::Scan(scan) => {
            let last = scan.list.visible.len().saturating_sub(1);
            scan.list.go_to(by(scan.list.cursor, last));
        }
        Screen::Workbench(bench) if !matches!(bench.layers.last(), None | Some(BenchLayer::Filter(_))) => {
            wheel_in_overlay(&state.ui, bench, by);
        }
        Screen::Workbench(bench) => {
            let areas = layout::areas(state.ui.size, bench.zoom);
            if holds(areas.pane, column, row) {
                let last = bench.pane_lines().saturating_sub(layout::pane_rows(state.ui.size, bench));
                bench.pane_scroll = by(bench.pane_scroll, last);
            } else if holds(areas.list, column, row) {
                bench.cursor = by(bench.cursor, bench.rows.len().saturating_sub(1));
            }
        }
    }
}

fn wheel_in_overlay(ui: &Ui, bench: &mut Bench, by: impl Fn(usize, usize) -> usize) {
    overlays::with_top(bench, |bench, layer| {
        let lines = overlays::text_lines(ui, bench, layer);
        if let Some(scroll) = layer.scroll() {
            *scroll = by(*scroll, lines.saturating_sub(layout::overlay_page(ui.size)));
            return OverlayStep::Stay;
        }
        match layer {
            BenchLayer::Payload(payload) => {
                let last = payload.starts.len().saturating_sub(layout::payload_page(ui.size));
                payload.scroll = by(payload.scroll, last);
            }
            BenchLayer::Memos(memos) => memos.cursor = by(memos.cursor, memos.list.len().saturating_sub(1)),
            BenchLayer::Unfitted(cursor) => *cursor = by(*cursor, bench.dropped().len().saturating_sub(1)),
            BenchLayer::Outline(outline) => {
                outline.cursor = by(outline.cursor, outline.entries.len().saturating_sub(1));
            }
            BenchLayer::Requests(cursor) => {
                *cursor = by(*cursor, bench.requests.as_ref().map_or(0, Vec::len).saturating_sub(1));
            }
            BenchLayer::Redactions(list) => list.cursor = by(list.cursor, list.rows.len().saturating_sub(1)),
            _ => {}
        }
        OverlayStep::Stay
    });
}

fn click(state: &mut State, column: u16, row: u16, again: bool, effects: &mut Effects) {
    if let Some(command) = footer::command_at(state, column, row) {
        return run(state, command, effects);
    }
    let size = state.ui.size;
    match state.ui.layers.last() {
        None => {}
        Some(Layer::Palette(_)) => return palette_click(state, column, row, effects),
        // A click outside an overlay closes it.
        Some(Layer::Help(_) | Layer::Log(_)) => {
            if !holds(layout::overlay(size), column, row) {
                state.ui.layers.pop();
            }
            return;
        }
        Some(_) => return,
    }
    let open = match &mut state.screen {
        Screen::Welcome(_) => again,
        Screen::Sessions(list) => {
            let inside = sessions::list_area(size);
            let at = list.offset + usize::from(row.saturating_sub(inside.y));
            let hit = holds(inside, column, row) && at < list.visible().len();
            if hit {
                list.cursor = at;
            }
            hit && again
        }
        Screen::Scan(scan) => {
            let inside = layout::list_rows(layout::areas(size, crate::tui::state::bench::Zoom::Both).list);
            if holds(inside, column, row) {
                scan.list.go_to(scan.list.offset + usize::from(row - inside.y));
            }
            false
        }
        Screen::Workbench(bench) if !matches!(bench.layers.last(), None | Some(BenchLayer::Filter(_))) => {
            click_in_overlay(&state.ui, bench, column, row) && again
        }
        Screen::Workbench(_) => return bench_click(state, column, row, again, effects),
    };
    if open {
        run(state, Command::Open, effects);
    }
}

/// Moves the cursor of an overlay to the clicked position; returns true if there is something to open.
fn click_in_overlay(ui: &Ui, bench: &mut Bench, column: u16, row: u16) -> bool {
    let mut hit = false;
    let outside = !holds(layout::overlay(ui.size), column, row);
    overlays::with_top(bench, |bench, layer| {
        match layer {
            BenchLayer::Memos(memos) => {
                let inside = layout::inner(layout::overlay(ui.size));
                if holds(inside, column, row) {
                    memos.cursor = usize::from(row - inside.y).min(memos.list.len().saturating_sub(1));
                }
            }
            // A click outside an overlay closes it.
            BenchLayer::LastChange(_)
            | BenchLayer::Document(_)
            | BenchLayer::Unfitted(_)
            | BenchLayer::Redactions(_)
            | BenchLayer::Requests(_)
                if outside =>
            {
                return OverlayStep::Close;
            }
            BenchLayer::Unfitted(cursor) => hit = review_click(ui, cursor, bench.dropped().len(), column, row),
            BenchLayer::Redactions(layer) => hit = review_click(ui, &mut layer.cursor, layer.rows.len(), column, row),
            BenchLayer::Requests(cursor) => {
                let count = bench.requests.as_ref().map_or(0, Vec::len);
                hit = review_click(ui, cursor, count, column, row);
            }
            BenchLayer::Map(map) => hit = token_map::click(ui, map, column, row),
            _ => {}
        }
        OverlayStep::Stay
    });
    hit
}

fn review_click(ui: &Ui, cursor: &mut usize, count: usize, column: u16, row: u16) -> bool {
    let list = review::list_area(ui.size, count);
    let at = review::offset(*cursor, ui.size, count) + usize::from(row.saturating_sub(list.y));
    let hit = holds(list, column, row) && at < count;
    if hit {
        *cursor = at;
    }
    hit
}

fn palette_click(state: &mut State, column: u16, row: u16, effects: &mut Effects) {
    let choices = palette::choices(state).len();
    let inside = palette::list_area(state.ui.size);
    let Some(Layer::Palette(palette)) = state.ui.layers.last_mut() else { return };
    if !holds(inside, column, row) {
        state.ui.layers.pop();
        return;
    }
    let at = palette::offset(palette.cursor, usize::from(inside.height)) + usize::from(row - inside.y);
    if at < choices {
        palette.cursor = at;
        super::text::press(state, KeyEvent::from(KeyCode::Enter), effects);
    }
}

fn bench_click(state: &mut State, column: u16, row: u16, again: bool, effects: &mut Effects) {
    let Screen::Workbench(bench) = &mut state.screen else { return };
    let areas = layout::areas(state.ui.size, bench.zoom);
    if holds(areas.budget, column, row) {
        let command = match budget::tier_at(&state.ui, bench, column, row) {
            Some(Tier::Raw) => Command::OnlyRaw,
            Some(Tier::Linked) => Command::OnlyLinked,
            Some(Tier::Summary) => Command::OnlySummary,
            Some(Tier::Out) | None => return,
        };
        return run(state, command, effects);
    }
    if holds(areas.pane, column, row) {
        if row + 1 == areas.pane.y + areas.pane.height {
            if let Some(view) = pane::view_at(&state.ui, bench, column) {
                bench.look_at(view);
            }
        } else if let Some(item) = pane::link_at(&state.ui, bench, row) {
            bench.go_to(&RowKey::Item(item));
        }
        return;
    }
    let inside = layout::list_rows(areas.list);
    let at = bench.offset + usize::from(row.saturating_sub(inside.y));
    if holds(inside, column, row) && at < bench.rows.len() {
        bench.cursor = at;
        if again {
            moving::enter(&state.ui, bench);
        }
    }
}
