//! The list during a scan: best quick score first, labelled as preliminary.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{clean, frame, put, put_all, width};
use super::list::{highlight, path_with_matches};
use crate::place::Tier;
use crate::text::thousands;
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::state::scan::{ScanList, ScanRow};
use crate::tui::theme::Role;

/// Draws the files read so far; false if there are none yet.
pub fn draw(buffer: &mut Buffer, area: Rect, state: &State) -> bool {
    let list = &state.scan;
    if !state.is_scanning() || list.rows.is_empty() {
        return false;
    }
    let judged = list.is_judged();
    let title = title(state, list, judged);
    let title: Vec<(Style, &str)> = title.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let inside = frame(buffer, area, state, true, &title, &[]);
    if list.visible.is_empty() {
        let said = format!("No match for /{} so far", clean(list.filter_line.text()));
        put(buffer, inside.x + 1, inside.y + 1, inside.width.saturating_sub(2), state.theme.style(Role::Text), &said);
        return true;
    }
    let titles = if judged { "      match path" } else { "            path" };
    put(buffer, inside.x, inside.y, inside.width, state.theme.style(Role::Dim), titles);
    let inside = layout::list_rows(area);
    for line in 0..inside.height {
        let at = list.offset + usize::from(line);
        let Some(arrived) = list.row(at) else { break };
        let area = Rect { y: inside.y + line, height: 1, ..inside };
        row(buffer, area, state, arrived, judged, at == list.cursor);
    }
    true
}

fn title(state: &State, list: &ScanList, judged: bool) -> Vec<(Style, String)> {
    let style = |role: Role| state.theme.style(role);
    let dot = state.theme.glyphs.dot;
    let all = list.rows.len();
    let count = if list.visible.len() == all {
        thousands(all)
    } else {
        format!("{} of {}", thousands(list.visible.len()), thousands(all))
    };
    let mut pieces = vec![
        (style(Role::Title), format!(" {count} items so far ")),
        (style(Role::Warn), format!("{dot} quick order {} ", if judged { "by words" } else { "by path" })),
    ];
    if !list.filter_line.text().is_empty() {
        pieces.push((style(Role::Matched), format!("{dot} /{} ", clean(list.filter_line.text()))));
    }
    pieces
}

fn row(buffer: &mut Buffer, area: Rect, state: &State, arrived: &ScanRow, judged: bool, cursor: bool) {
    let style = |role: Role| state.theme.style(role);
    let glyphs = state.theme.glyphs;
    let (role, overridden) = match state.scan.overridden(&arrived.file.path) {
        Some(Command::Pin) => (Role::Pin, "P"),
        Some(Command::Demote) => (Role::Demote, "~"),
        Some(Command::Promote) => (Role::Demote, "^"),
        Some(Command::Exclude) => (Role::Exclude, "x"),
        _ => (Role::Text, " "),
    };
    let look = if judged { format!("{:>3}% ", arrived.percent) } else { "  ?  ".to_owned() };
    let left = [
        (style(Role::Focus), if cursor { glyphs.cursor } else { " " }),
        (style(role), overridden),
        // The columns of tier and score.
        (style(Role::Dim), "  ? "),
        (style(Role::Dim), &look),
    ];
    let x = put_all(buffer, area.x, area.y, area.width, &left);
    let lines = match arrived.file.lines {
        1 => " 1 line ".to_owned(),
        lines => format!(" {} lines ", thousands(lines as usize)),
    };
    let right = width(&lines);
    let room = area.right().saturating_sub(x + right);
    path_with_matches(buffer, x, area.y, room, state, &state.scan.filter, &arrived.file.path, Tier::Summary);
    put(buffer, area.right().saturating_sub(right), area.y, right, style(Role::Dim), &lines);
    if cursor {
        highlight(buffer, area, state);
    }
}
