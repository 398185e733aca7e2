//! The mouse: click selects, wheel scrolls what is under the pointer, a gauge filters its tier, double click opens.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{Effects, layers, moving, run};
use crate::place::Tier;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::layer::Layer;
use crate::tui::state::{Screen, State};
use crate::tui::view::{budget, footer, palette, pane, review};

/// Two clicks on one cell within this many milliseconds are a double click.
const DOUBLE: u64 = 400;
/// Lines that one wheel step scrolls.
const WHEEL: usize = 3;

pub fn take(state: &mut State, event: MouseEvent, at: u64, effects: &mut Effects) {
    match event.kind {
        MouseEventKind::ScrollDown => wheel(state, event.column, event.row, true),
        MouseEventKind::ScrollUp => wheel(state, event.column, event.row, false),
        MouseEventKind::Down(MouseButton::Left) => {
            let again = state.click.is_some_and(|(column, row, then)| {
                (column, row) == (event.column, event.row) && at.saturating_sub(then) <= DOUBLE
            });
            state.click = (!again).then_some((event.column, event.row, at));
            state.notice = None;
            click(state, event.column, event.row, again, effects);
        }
        _ => {}
    }
}

fn holds(area: Rect, column: u16, row: u16) -> bool {
    area.contains(Position { x: column, y: row })
}

fn wheel(state: &mut State, column: u16, row: u16, down: bool) {
    let page = layout::page(state);
    let by = |at: usize, last: usize| if down { (at + WHEEL).min(last) } else { at.saturating_sub(WHEEL) };
    let lines = layers::text_lines(state);
    if let Some(scroll) = state.layers.last_mut().and_then(Layer::scroll) {
        *scroll = by(*scroll, lines.saturating_sub(page));
        return;
    }
    let dropped = match (state.layers.last(), &state.bench) {
        (Some(Layer::Unfitted(_)), Some(bench)) => bench.dropped().len(),
        _ => 0,
    };
    match state.layers.last_mut() {
        Some(Layer::Payload(payload)) => payload.scroll = by(payload.scroll, payload.starts.len().saturating_sub(page)),
        Some(Layer::Memos(memos)) => memos.cursor = by(memos.cursor, memos.list.len().saturating_sub(1)),
        Some(Layer::Unfitted(cursor)) => *cursor = by(*cursor, dropped.saturating_sub(1)),
        Some(Layer::Redactions(list)) => list.cursor = by(list.cursor, list.rows.len().saturating_sub(1)),
        Some(Layer::Filter(..)) | None => screen_wheel(state, column, row, by),
        Some(_) => {}
    }
}

fn screen_wheel(state: &mut State, column: u16, row: u16, by: impl Fn(usize, usize) -> usize) {
    if state.screen == Screen::Sessions {
        let last = state.sessions.visible().len().saturating_sub(1);
        state.sessions.cursor = by(state.sessions.cursor, last);
        return;
    }
    let (areas, pane_rows) = (layout::areas(state), layout::pane_rows(state));
    let Some(bench) = state.bench.as_mut() else {
        let last = state.scan.visible.len().saturating_sub(1);
        return state.scan.go_to(by(state.scan.cursor, last));
    };
    if holds(areas.pane, column, row) {
        bench.pane_scroll = by(bench.pane_scroll, bench.pane_lines().saturating_sub(pane_rows));
    } else if holds(areas.list, column, row) {
        bench.cursor = by(bench.cursor, bench.rows.len().saturating_sub(1));
    }
}

fn click(state: &mut State, column: u16, row: u16, again: bool, effects: &mut Effects) {
    if let Some(command) = footer::command_at(state, column, row) {
        return run(state, command, effects);
    }
    match state.layers.last() {
        None | Some(Layer::Filter(..)) => {}
        Some(Layer::Palette(_)) => return palette_click(state, column, row, effects),
        Some(Layer::Memos(_)) => {
            let inside = layout::inner(layout::overlay(state.size));
            if let Some(Layer::Memos(memos)) = state.layers.last_mut()
                && holds(inside, column, row)
            {
                memos.cursor = usize::from(row - inside.y).min(memos.list.len().saturating_sub(1));
            }
            return;
        }
        Some(Layer::Unfitted(_) | Layer::Redactions(_)) => return review_click(state, column, row, again, effects),
        Some(Layer::Map(_)) => {
            if super::token_map::click(state, column, row) && again {
                run(state, Command::Open, effects);
            }
            return;
        }
        // A click outside an overlay closes it.
        Some(Layer::Help(_) | Layer::Log(_) | Layer::LastChange(_) | Layer::Document(_)) => {
            if !holds(layout::overlay(state.size), column, row) {
                state.layers.pop();
            }
            return;
        }
        Some(_) => return,
    }
    match state.screen {
        Screen::Welcome if again => run(state, Command::Open, effects),
        Screen::Welcome => {}
        Screen::Sessions => {
            let inside = crate::tui::view::sessions::list_area(state.size);
            if holds(inside, column, row) {
                let at = state.sessions.offset + usize::from(row - inside.y);
                if at < state.sessions.visible().len() {
                    state.sessions.cursor = at;
                    if again {
                        run(state, Command::Open, effects);
                    }
                }
            }
        }
        Screen::Workbench => bench_click(state, column, row, again, effects),
    }
}

fn review_click(state: &mut State, column: u16, row: u16, again: bool, effects: &mut Effects) {
    if !holds(layout::overlay(state.size), column, row) {
        state.layers.pop();
        return;
    }
    let list = review::list_area(state.size);
    let dropped = state.bench.as_ref().map_or(0, |bench| bench.dropped().len());
    let (cursor, count) = match state.layers.last_mut() {
        Some(Layer::Unfitted(cursor)) => (cursor, dropped),
        Some(Layer::Redactions(layer)) => (&mut layer.cursor, layer.rows.len()),
        _ => return,
    };
    let at = review::offset(*cursor, state.size) + usize::from(row.saturating_sub(list.y));
    if holds(list, column, row) && at < count {
        *cursor = at;
        if again {
            run(state, Command::Open, effects);
        }
    }
}

fn palette_click(state: &mut State, column: u16, row: u16, effects: &mut Effects) {
    let choices = palette::choices(state).len();
    let inside = palette::list_area(state.size);
    let Some(Layer::Palette(palette)) = state.layers.last_mut() else { return };
    if !holds(inside, column, row) {
        state.layers.pop();
        return;
    }
    let at = palette::offset(palette.cursor, usize::from(inside.height)) + usize::from(row - inside.y);
    if at < choices {
        palette.cursor = at;
        let enter = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Enter);
        super::text::press(state, enter, effects);
    }
}

fn bench_click(state: &mut State, column: u16, row: u16, again: bool, effects: &mut Effects) {
    let areas = layout::areas(state);
    if holds(areas.budget, column, row) {
        let command = match budget::tier_at(state, column, row) {
            Some(Tier::Raw) => Command::OnlyRaw,
            Some(Tier::Linked) => Command::OnlyLinked,
            Some(Tier::Summary) => Command::OnlySummary,
            Some(Tier::Out) | None => return,
        };
        return run(state, command, effects);
    }
    if holds(areas.pane, column, row) {
        if row + 1 == areas.pane.y + areas.pane.height {
            if let Some(view) = pane::view_at(state, column)
                && let Some(bench) = state.bench.as_mut()
            {
                bench.look_at(view);
            }
            return;
        }
        let link = pane::link_at(state, row);
        if let (Some(item), Some(bench)) = (link, state.bench.as_mut()) {
            bench.go_to(&crate::tui::state::rows::RowKey::Item(item));
        }
        return;
    }
    let inside = layout::list_rows(areas.list);
    if !holds(inside, column, row) {
        return;
    }
    let Some(bench) = state.bench.as_mut() else {
        return state.scan.go_to(state.scan.offset + usize::from(row - inside.y));
    };
    let at = bench.offset + usize::from(row - inside.y);
    if at < bench.rows.len() {
        bench.cursor = at;
        if again {
            moving::enter(state);
        }
    }
}
