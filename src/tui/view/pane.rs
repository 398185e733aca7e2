//! The right pane: one of five views of the item under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use unicode_width::UnicodeWidthStr;

use super::draw::{clean, frame, put, put_all, width};
use super::list::{highlight, position_text};
use crate::ids::ItemId;
use crate::place::{Form, Tier};
use crate::text::{after_columns, counted, fit_middle, thousands};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::pane::{LineChange, PaneLine, PaneText, PaneView, matches_in};
use crate::tui::state::Ui;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::rows::Row;
use crate::tui::theme::Role;

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    if area.height < 3 {
        return;
    }
    let style = |role: Role| ui.theme.style(role);
    // Below the list, the list's position is on the same line as the views.
    let areas = layout::areas(ui.size, bench.zoom);
    let below = areas.list.x == area.x && !areas.list.is_empty();
    let taken = if below { width(&position_text(bench, areas.list)) } else { 0 };
    let title = title(ui, bench, area.width.saturating_sub(taken));
    let title: Vec<(Style, &str)> = title.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let tabs: Vec<(Style, String)> = PaneView::ALL
        .iter()
        .map(|view| {
            let chosen = *view == bench.view;
            // The current view is in brackets too, so that it is visible without colours.
            let text = if chosen { format!("[{}]", view.name()) } else { format!(" {} ", view.name()) };
            (style(if chosen { Role::Key } else { Role::Dim }), text)
        })
        .collect();
    let tabs: Vec<(Style, &str)> = tabs.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let inside = frame(buffer, area, ui, bench.focus.is_some() || bench.zoom == Zoom::Pane, &title, &tabs);
    let text = layout::text(inside);
    match bench.rows.get(bench.cursor) {
        Some(Row::Item { .. }) => lines(buffer, text, ui, bench),
        Some(Row::Directory(directory)) => {
            let [raw, linked, summary] = directory.tiers;
            let out = directory.items - raw - linked - summary;
            let said = [
                format!("{} below {}", counted(directory.items, "item"), directory.path),
                format!("{raw} RAW, {linked} LINKED, {summary} SUMMARY, {out} not included"),
                format!("{} tokens in the payload", bench.model.tokenizer().figure(directory.tokens)),
                String::new(),
                "An override here applies to all of them".to_owned(),
            ];
            for (line, said) in said.iter().enumerate().take(usize::from(text.height)) {
                put(buffer, text.x, text.y + line as u16, text.width, style(Role::Text), said);
            }
        }
        None => {}
    }
}

fn title(ui: &Ui, bench: &Bench, room: u16) -> Vec<(Style, String)> {
    let style = |role: Role| ui.theme.style(role);
    let rule = ui.theme.glyphs.rule;
    // The title belongs to the text below it, which stays until the next one is ready.
    let shown = bench.shown.as_ref().filter(|_| bench.in_pane().is_none()).map(|shown| shown.item);
    let Some(item) = bench.current().map(|item| shown.unwrap_or(item)) else {
        return match bench.rows.get(bench.cursor) {
            Some(Row::Directory(directory)) => vec![(style(Role::Title), format!(" {} ", directory.path))],
            _ => Vec::new(),
        };
    };
    let Some(placed) = bench.placed(item) else { return Vec::new() };
    let (look, tier_name) = (Role::of(placed.tier), placed.tier.label());
    let form = match &placed.form {
        Form::Whole => " in full",
        Form::Skeleton(kept) if kept.is_empty() => " outline",
        Form::Spans(_) if placed.is_pinned() => " pinned lines",
        Form::Skeleton(_) | Form::Spans(_) => " excerpt",
        _ => "",
    };
    let tokens = if placed.tier == Tier::Out {
        String::new()
    } else {
        format!(" {} {} tokens", ui.theme.glyphs.dot, bench.model.tokenizer().figure(placed.tokens))
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

fn lines(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    // The previous view stays until the new one is ready, because an empty pane would flicker.
    let Some(shown) = bench.in_pane().or(bench.shown.as_ref()) else { return };
    let marked_columns = shown.marks();
    let numbers = usize::from(shown.gutter().saturating_sub(marked_columns + 1));
    let mut cut = false;
    for (y, (row, line)) in (area.y..area.bottom()).zip(shown.lines.iter().enumerate().skip(bench.pane_scroll)) {
        if line.rule {
            let across = ui.theme.glyphs.rule.repeat(usize::from(area.width));
            put(buffer, area.x, y, area.width, ui.theme.style(Role::Border), &across);
            continue;
        }
        let mut x = area.x + line.indent;
        if let Some(number) = line.number {
            let glyphs = ui.theme.glyphs;
            let marks = [
                (ui.theme.style(Role::Raw), if line.included { glyphs.included } else { " " }),
                (ui.theme.style(Role::Ghost), glyphs.heat[usize::from(line.heat.min(3))]),
                match line.change {
                    Some(LineChange::Added) => (ui.theme.style(Role::Added), "+"),
                    Some(LineChange::Removed) => (ui.theme.style(Role::Removed), "-"),
                    None => (ui.theme.style(Role::Dim), " "),
                },
            ];
            x = put_all(buffer, x, y, area.width, &marks[..usize::from(marked_columns)]);
            x = put(buffer, x, y, area.width, ui.theme.style(Role::Dim), &format!("{number:>numbers$} "));
        }
        let room = area.right().saturating_sub(x);
        let pieces: Vec<(Style, &str)> =
            line.pieces.iter().map(|(role, text)| (ui.theme.style(*role), text.as_str())).collect();
        let shift = if line.wrap.is_none() { bench.pane_shift } else { 0 };
        put_shifted(buffer, x, y, room, &pieces, shift);
        if let Some(text) = sought(bench).filter(|_| shown.view != PaneView::Why) {
            mark_matches(buffer, Rect { x, y, width: room, height: 1 }, ui, &line.text(), text, shift);
        }
        if text_width(line) > shift + usize::from(room) {
            cut = true;
            put(buffer, area.right().saturating_sub(1), y, 1, ui.theme.style(Role::Dim), ui.theme.glyphs.cut);
        }
        cursor(buffer, Rect { y, height: 1, ..area }, ui, bench, row);
    }
    corner(buffer, area, ui, bench, shown, cut);
}

/// The search text of the pane, or else the text that the filter finds in file contents.
fn sought(bench: &Bench) -> Option<&str> {
    let own = bench.focus.as_ref().map(|focus| focus.sought.as_str()).filter(|text| !text.is_empty());
    own.or_else(|| bench.filter.texts().last())
}

/// Highlights the search text in a row that is scrolled to the right by `shift` columns.
fn mark_matches(buffer: &mut Buffer, area: Rect, ui: &Ui, line: &str, sought: &str, shift: usize) {
    let line = clean(line);
    for found in matches_in(&line, sought) {
        let from = line[..found.start].width();
        let to = from + line[found].width();
        let columns = from.max(shift)..to.min(shift + usize::from(area.width)).max(shift);
        let x = area.x + (columns.start - shift).min(usize::from(area.width)) as u16;
        let cells = Rect { x, width: columns.len() as u16, ..area };
        buffer.set_style(cells.intersection(area), ui.theme.style(Role::Matched));
    }
}

/// Marks the cursor's row and the rows of a range in a pane that has focus.
fn cursor(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, row: usize) {
    let Some(focus) = bench.focus.as_ref().filter(|_| bench.in_pane().is_some()) else { return };
    let in_range = focus.range.is_some_and(|from| (from.min(focus.row)..=from.max(focus.row)).contains(&row));
    if row != focus.row && !in_range {
        return;
    }
    let glyphs = ui.theme.glyphs;
    let (role, glyph) = if row == focus.row { (Role::Focus, glyphs.cursor) } else { (Role::Mark, glyphs.mark) };
    put(buffer, area.x.saturating_sub(1), area.y, 1, ui.theme.style(role), glyph);
    highlight(buffer, area, ui);
}

/// Draws the lower border: the key that scrolls long lines, and the scroll position.
fn corner(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, shown: &PaneText, cut: bool) {
    let dim = ui.theme.style(Role::Dim);
    let key = ui.keymap.first(&[Context::Workbench], Command::Right).filter(|_| cut);
    let more = key.map_or_else(String::new, |key| format!(" {key} "));
    let place = if shown.lines.len() > usize::from(area.height) || bench.pane_scroll > 0 {
        format!(" {}/{} ", thousands(bench.pane_scroll + 1), thousands(shown.lines.len()))
    } else {
        String::new()
    };
    let sign = if more.is_empty() { String::new() } else { format!("{} ", ui.theme.glyphs.cut) };
    let tabs: u16 = PaneView::ALL.iter().map(|view| view.name().len() as u16 + 2).sum();
    let room = area.width.saturating_sub(tabs);
    let mut pieces = vec![(ui.theme.style(Role::Key), more.as_str()), (dim, sign.as_str()), (dim, place.as_str())];
    let needed = |pieces: &[(Style, &str)]| pieces.iter().map(|(_, text)| width(text)).sum::<u16>();
    if needed(&pieces) > room {
        pieces.drain(..2);
    }
    if needed(&pieces) <= room {
        put_all(buffer, area.right() - needed(&pieces), area.bottom(), room, &pieces);
    }
}

/// Draws pieces with a horizontal offset.
pub fn put_shifted(buffer: &mut Buffer, mut x: u16, y: u16, room: u16, pieces: &[(Style, &str)], mut shift: usize) {
    let end = x + room;
    for (style, text) in pieces {
        let text = clean(text);
        let seen = after_columns(&text, shift);
        shift -= text.width().min(shift);
        x = put(buffer, x, y, end.saturating_sub(x), *style, seen);
    }
}

/// Width of a line's text.
pub fn text_width(line: &PaneLine) -> usize {
    line.pieces.iter().map(|(_, text)| usize::from(width(text))).sum()
}

/// The view whose name is at this column of the lower border.
pub fn view_at(ui: &Ui, bench: &Bench, column: u16) -> Option<PaneView> {
    let mut x = layout::areas(ui.size, bench.zoom).pane.x + 1;
    PaneView::ALL.into_iter().find(|view| {
        let end = x + view.name().len() as u16 + 2;
        let hit = (x..end).contains(&column);
        x = end;
        hit
    })
}

/// The item that a line of the pane opens.
pub fn link_at(ui: &Ui, bench: &Bench, row: u16) -> Option<ItemId> {
    let area = layout::inner(layout::areas(ui.size, bench.zoom).pane);
    let line = usize::from(row.checked_sub(area.y)?) + bench.pane_scroll;
    bench.in_pane()?.lines.get(line)?.link
}
