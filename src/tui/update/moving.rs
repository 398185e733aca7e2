//! Moving in lists and texts, folding, and opening the row under the cursor.

use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::rows::{Row, RowKey, above};
use crate::tui::view::pane::text_width;

/// Columns per horizontal step.
const SIDEWAYS: usize = 20;

/// The new position after a movement command; `None` for other commands.
pub fn moved(command: Command, at: usize, count: usize, page: usize) -> Option<usize> {
    let last = count.saturating_sub(1);
    let to = match command {
        Command::Down => at.saturating_add(1),
        Command::Up => at.saturating_sub(1),
        Command::Top => 0,
        Command::Bottom => last,
        Command::HalfDown => at.saturating_add((page / 2).max(1)),
        Command::HalfUp => at.saturating_sub((page / 2).max(1)),
        Command::PageDown => at.saturating_add(page),
        Command::PageUp => at.saturating_sub(page),
        _ => return None,
    };
    Some(to.min(last))
}

/// The new scroll offset of a text with this number of lines.
pub fn scrolled(command: Command, at: usize, lines: usize, page: usize) -> Option<usize> {
    let last = lines.saturating_sub(page.min(lines));
    moved(command, at, last + 1, page)
}

/// Moves in the list, or scrolls the pane if it is zoomed. Returns false for other commands.
pub fn list(ui: &mut Ui, bench: &mut Bench, command: Command) -> bool {
    let page = layout::list_page(ui.size, bench.zoom);
    let pane_rows = layout::pane_rows(ui.size, bench);
    if bench.zoom == Zoom::Pane
        && let Some(to) = scrolled(command, bench.pane_scroll, bench.pane_lines(), pane_rows)
    {
        bench.pane_scroll = to;
        return true;
    }
    if let Some(to) = moved(command, bench.cursor, bench.rows.len(), page) {
        bench.cursor = to;
        return true;
    }
    match command {
        Command::NextMatch | Command::PreviousMatch => {
            if let Some(at) = bench.next_sought(command == Command::NextMatch) {
                bench.cursor = at;
            } else {
                ui.why_not(format!("No match for /{}", bench.sought));
            }
        }
        _ => return false,
    }
    true
}

/// The next horizontal offset when `room` columns of the `longest` line are visible. `None` if scrolling would show
/// nothing new.
pub fn sideways(right: bool, shift: usize, longest: usize, room: usize) -> Option<usize> {
    if right {
        (shift + room < longest).then_some(shift + SIDEWAYS)
    } else {
        (shift > 0).then(|| shift.saturating_sub(SIDEWAYS))
    }
}

/// Message if lines cannot be scrolled further.
pub fn no_further(right: bool) -> &'static str {
    if right { "No line extends further to the right" } else { "Already at the left edge" }
}

/// Scrolls long lines of the right pane.
pub fn shift_pane(ui: &mut Ui, bench: &mut Bench, right: bool) {
    let rows = layout::pane_rows(ui.size, bench);
    let shown = bench.in_pane();
    let room = shown.map_or(0, |shown| usize::from(shown.width.saturating_sub(shown.gutter())));
    let seen = shown.into_iter().flat_map(|shown| shown.lines.iter().skip(bench.pane_scroll).take(rows));
    let longest = seen.filter(|line| line.wrap.is_none()).map(text_width).max().unwrap_or_default();
    match sideways(right, bench.pane_shift, longest, room) {
        Some(shift) => bench.pane_shift = shift,
        None => ui.why_not(no_further(right)),
    }
}

/// Scrolls as little as possible to keep the cursor visible.
pub fn keep_in_sight(offset: &mut usize, cursor: usize, rows: usize, count: usize) {
    // Some rows beyond the cursor stay visible if there is room.
    let margin = if rows >= 9 { 2 } else { 0 };
    if cursor < *offset + margin {
        *offset = cursor.saturating_sub(margin);
    } else if cursor + margin >= *offset + rows {
        *offset = cursor + margin + 1 - rows;
    }
    *offset = (*offset).min(count.saturating_sub(rows));
}

/// Folds or unfolds the directory under the cursor. On an item, moves to its directory.
pub fn fold(bench: &mut Bench, fold: bool) {
    let Some(row) = bench.rows.get(bench.cursor) else { return };
    match row {
        Row::Directory(directory) if directory.folded != fold => {
            let path = directory.path.clone();
            bench.folds.set(path, fold);
            bench.rebuild();
        }
        Row::Directory(directory) if fold => up(bench, &directory.path.clone()),
        Row::Directory(_) => bench.cursor = (bench.cursor + 1).min(bench.rows.len().saturating_sub(1)),
        Row::Item { item, .. } if fold => {
            let path = bench.model.corpus().items[*item].path.clone();
            up(bench, &path);
        }
        Row::Item { .. } => {}
    }
}

/// Moves to the directory of this path.
fn up(bench: &mut Bench, path: &str) {
    let parent = above(path.trim_end_matches('/')).last().map(ToOwned::to_owned);
    if let Some(parent) = parent {
        bench.go_to(&RowKey::Directory(parent));
    }
}

/// Enter: unfolds a directory; on an item, gives focus to the right pane, zoomed if there is no room for both panes.
pub fn enter(ui: &Ui, bench: &mut Bench) {
    let narrow = layout::areas(ui.size, bench.zoom).pane.height == 0;
    if let Some(Row::Directory(directory)) = bench.rows.get(bench.cursor) {
        let folded = directory.folded;
        fold(bench, !folded);
        return;
    }
    if narrow {
        bench.zoom = Zoom::Pane;
    }
    super::pane::focus(bench);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moving_stops_at_both_ends() {
        for (command, at, to) in [
            (Command::Down, 9, 9),
            (Command::Up, 0, 0),
            (Command::Down, 3, 4),
            (Command::Bottom, 0, 9),
            (Command::Top, 5, 0),
            (Command::PageDown, 5, 9),
            (Command::HalfUp, 5, 3),
        ] {
            assert_eq!(moved(command, at, 10, 4), Some(to), "{command:?} from {at}");
        }
        assert_eq!(moved(Command::Down, 0, 0, 4), Some(0));
        assert_eq!(moved(Command::Pin, 0, 10, 4), None);
    }

    proptest! {
        #[test]
        fn the_cursor_is_always_in_sight(mut offset in 0usize..200, cursor in 0usize..100, rows in 1usize..60) {
            keep_in_sight(&mut offset, cursor, rows, 100);
            prop_assert!(offset <= cursor && cursor < offset + rows);
        }
    }
}
