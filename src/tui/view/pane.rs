//! The right pane: one of five views of the item under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::put::{frame, put, put_all, width, wrap};
use crate::place::{Form, Tier};
use crate::text::{counted, fit_middle, thousands};
use crate::tui::layout;
use crate::tui::pane::{Line, PaneView};
use crate::tui::state::State;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::rows::Row;
use crate::tui::theme::Role;

/// A sentence needs this many columns beside a label.
const NARROW: u16 = 36;
/// How far in it stands where it begins below the label.
const BELOW: u16 = 4;

pub fn draw(buffer: &mut Buffer, area: Rect, state: &State) {
    if area.height < 3 {
        return;
    }
    let style = |role: Role| state.theme.style(role);
    let Some(bench) = &state.bench else {
        let inside = frame(buffer, area, state, false, &[], &[]);
        if state.is_arriving() {
            let said = "why a file matters shows here once it is scored";
            put(buffer, inside.x + 1, inside.y, inside.width.saturating_sub(2), style(Role::Dim), said);
        }
        return;
    };
    let title = title(state, bench, area.width);
    let title: Vec<(Style, &str)> = title.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let tabs: Vec<(Style, String)> = PaneView::ALL
        .iter()
        .map(|view| {
            let chosen = *view == bench.view;
            // The chosen view is in brackets too, for those who see no colours.
            let text = if chosen { format!("[{}]", view.name()) } else { format!(" {} ", view.name()) };
            (style(if chosen { Role::Key } else { Role::Dim }), text)
        })
        .collect();
    let tabs: Vec<(Style, &str)> = tabs.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let inside = frame(buffer, area, state, bench.zoom == Zoom::Pane, &title, &tabs);
    let text = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    match bench.rows.get(bench.cursor) {
        Some(Row::Item { .. }) => lines(buffer, text, state, bench),
        Some(Row::Directory(directory)) => {
            let [raw, linked, summary] = directory.tiers;
            let out = directory.items - raw - linked - summary;
            let said = [
                format!("{} below {}", counted(directory.items, "item"), directory.path),
                format!("{raw} RAW, {linked} LINKED, {summary} SUMMARY, {out} left out"),
                format!("{} tokens in the payload", bench.model.tokenizer().figure(directory.tokens)),
                String::new(),
                "a ruling here applies to all of them".to_owned(),
            ];
            for (line, said) in said.iter().enumerate().take(usize::from(text.height)) {
                put(buffer, text.x, text.y + line as u16, text.width, style(Role::Text), said);
            }
        }
        None => {}
    }
}

fn title(state: &State, bench: &Bench, room: u16) -> Vec<(Style, String)> {
    let style = |role: Role| state.theme.style(role);
    let rule = state.theme.glyphs.rule;
    let Some(item) = bench.current() else {
        return match bench.rows.get(bench.cursor) {
            Some(Row::Directory(directory)) => vec![(style(Role::Title), format!(" {} ", directory.path))],
            _ => Vec::new(),
        };
    };
    let Some(placed) = bench.placed(item) else { return Vec::new() };
    let (look, tier_name) = (Role::of(placed.tier), placed.tier.label());
    let form = match &placed.form {
        Form::Whole => " whole",
        Form::Skeleton(_) => " skeleton",
        Form::Spans(_) => " lines",
        _ => "",
    };
    let tokens = if placed.tier == Tier::Out {
        String::new()
    } else {
        format!(" {} {} tok", state.theme.glyphs.dot, bench.model.tokenizer().figure(placed.tokens))
    };
    let facts = format!(" {tier_name}{form}{tokens} ");
    let path_room = usize::from(room.saturating_sub(width(&facts) + 8));
    let path = &bench.model.corpus().items[item].path;
    vec![
        (style(Role::Title), format!(" {} ", fit_middle(path, path_room))),
        (style(Role::Border), format!("{rule}{rule}")),
        (style(look), facts),
    ]
}

fn lines(buffer: &mut Buffer, area: Rect, state: &State, bench: &Bench) {
    // What is there may still be about the item before.
    let current = bench.shown.as_ref().filter(|shown| Some(shown.item) == bench.current() && shown.view == bench.view);
    let Some(shown) = current else {
        put(buffer, area.x, area.y, area.width, state.theme.style(Role::Dim), state.theme.glyphs.more);
        return;
    };
    let numbers =
        shown.lines.iter().rev().find_map(|line| line.number).map_or(0, |last| last.to_string().len() as u16 + 1);
    let from = bench.pane_scroll;
    let mut next = area.y;
    for line in shown.lines.iter().skip(from) {
        let y = next;
        if y >= area.bottom() {
            break;
        }
        next += 1;
        if let Some(indent) = line.wrap
            && line.pieces.iter().map(|(_, text)| width(text)).sum::<u16>() > area.width
            && area.width > indent + 10
        {
            next = y + wrapped(buffer, Rect { y, height: area.bottom() - y, ..area }, state, line, indent);
            continue;
        }
        if line.rule {
            let across = state.theme.glyphs.rule.repeat(usize::from(area.width));
            put(buffer, area.x, y, area.width, state.theme.style(Role::Border), &across);
            continue;
        }
        let mut x = area.x;
        if let Some(number) = line.number {
            let text = format!("{number:>width$} ", width = usize::from(numbers - 1));
            x = put(buffer, x, y, area.width, state.theme.style(Role::Dim), &text);
        }
        let pieces: Vec<(Style, &str)> =
            line.pieces.iter().map(|(role, text)| (state.theme.style(*role), text.as_str())).collect();
        let room = area.right().saturating_sub(x);
        put_all(buffer, x, y, room, &pieces);
        if pieces.iter().map(|(_, text)| width(text)).sum::<u16>() > room {
            put(buffer, area.right().saturating_sub(1), y, 1, state.theme.style(Role::Dim), state.theme.glyphs.cut);
        }
    }
    let rest = shown.lines.len().saturating_sub(from + usize::from(area.height));
    if from > 0 || rest > 0 {
        let place = format!(" {}/{} ", thousands(from + 1), thousands(shown.lines.len()));
        let x = area.right().saturating_sub(width(&place));
        let tabs: u16 = PaneView::ALL.iter().map(|view| view.name().len() as u16 + 2).sum();
        if x < area.x + tabs {
            return;
        }
        put(buffer, x, area.bottom(), width(&place), state.theme.style(Role::Dim), &place);
    }
}

/// Draws a line whose last piece goes on below; returns how many rows it took.
fn wrapped(buffer: &mut Buffer, area: Rect, state: &State, line: &Line, indent: u16) -> u16 {
    let Some(((role, last), before)) = line.pieces.split_last() else { return 1 };
    let pieces: Vec<(Style, &str)> =
        before.iter().map(|(role, text)| (state.theme.style(*role), text.as_str())).collect();
    put_all(buffer, area.x, area.y, area.width, &pieces);
    // Beside a wide label in a narrow pane a sentence would be a column of single words: it begins below then.
    let (indent, above) = if area.width < indent + NARROW && indent > 2 * BELOW { (BELOW, 1) } else { (indent, 0) };
    let rows = wrap(last, usize::from(area.width - indent));
    for (row, text) in (above..area.height).zip(&rows) {
        put(buffer, area.x + indent, area.y + row, area.width - indent, state.theme.style(*role), text);
    }
    (rows.len() as u16 + above).max(1)
}

/// The view whose name is at this column of the lower edge.
pub fn view_at(state: &State, column: u16) -> Option<PaneView> {
    let mut x = layout::areas(state).pane.x + 1;
    PaneView::ALL.into_iter().find(|view| {
        let end = x + view.name().len() as u16 + 2;
        let hit = (x..end).contains(&column);
        x = end;
        hit
    })
}

/// The item that a line of the pane leads to.
pub fn link_at(state: &State, row: u16) -> Option<usize> {
    let area = layout::inner(layout::areas(state).pane);
    let bench = state.bench.as_ref()?;
    let line = usize::from(row.checked_sub(area.y)?) + bench.pane_scroll;
    let shown = bench.shown.as_ref().filter(|shown| Some(shown.item) == bench.current())?;
    shown.lines.get(line)?.link
}
