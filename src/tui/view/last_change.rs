//! The last override, undo or change to the budget: the placement of each item before and after.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::draw::{clean, frame, put_all, width, wrap};
use crate::text::{fit_middle, thousands};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::last_change::{ChangedItem, LastChange, signed};
use crate::tui::state::layer::Scroll;
use crate::tui::theme::Role;

/// A line in pieces.
type Pieces = Vec<(Role, String)>;

/// The lines of the view.
pub fn lines(ui: &Ui, bench: &Bench) -> Vec<Pieces> {
    let Some(change) = &bench.last_change else {
        return vec![vec![(Role::Dim, "Nothing changed yet".to_owned())]];
    };
    let room = usize::from(layout::inner(layout::overlay(ui.size)).width.saturating_sub(2));
    let mut lines: Vec<Pieces> = wrap(&change.title, room).into_iter().map(|line| vec![(Role::Title, line)]).collect();
    lines.push(Vec::new());
    if change.rows.is_empty() {
        lines.push(vec![(Role::Dim, "No item moved or changed its size".to_owned())]);
    } else {
        lines.extend(table(ui, change, room));
    }
    lines.push(Vec::new());
    lines.push(total(ui, change));
    lines
}

fn columns(rows: &[ChangedItem]) -> (usize, usize) {
    let widest =
        |text: fn(&ChangedItem) -> &str| rows.iter().map(|row| usize::from(width(text(row)))).max().unwrap_or(0);
    (widest(|row| &row.before.1), widest(|row| &row.after.1))
}

fn table(ui: &Ui, change: &LastChange, room: usize) -> Vec<Pieces> {
    let glyphs = ui.theme.glyphs;
    let (before, after) = columns(&change.rows);
    let (before, after) = (before.max("before".len()), after.max("after".len()));
    // Leaves two columns between before, after and the difference, which needs eight columns.
    let path = room.saturating_sub(before + after + 16).clamp(8, 60);
    let title = format!("{:<path$}  {:<before$}     {:<after$}  {:>7}", "item", "before", "after", "tokens");
    let mut lines = vec![vec![(Role::Dim, title)]];
    for row in &change.rows {
        let name = fit_middle(&clean(&row.path), path).into_owned();
        let pad = " ".repeat(path.saturating_sub(usize::from(width(&name))));
        let role = if row.tokens < 0 { Role::Removed } else { Role::Added };
        lines.push(vec![
            (Role::Text, format!("{name}{pad}  ")),
            (Role::of(row.before.0), format!("{:<before$}", row.before.1)),
            (Role::Dim, "  →  ".to_owned()),
            (Role::of(row.after.0), format!("{:<after$}", row.after.1)),
            (role, format!("  {:>7}", signed(row.tokens, glyphs))),
        ]);
    }
    lines
}

fn total(ui: &Ui, change: &LastChange) -> Pieces {
    let (before, after) = (change.before, change.after);
    let said = |(total, limit): (usize, usize)| format!("{} of {}", thousands(total), thousands(limit));
    let difference = signed(after.0.cast_signed() - before.0.cast_signed(), ui.theme.glyphs);
    vec![
        (Role::Title, "Total  ".to_owned()),
        (Role::Text, said(before)),
        (Role::Dim, "  →  ".to_owned()),
        (Role::Text, format!("{} tokens", said(after))),
        (Role::Text, format!("  {difference}")),
    ]
}

pub fn draw(buffer: &mut Buffer, ui: &Ui, bench: &Bench, scroll: Scroll) {
    let style = |role: Role| ui.theme.style(role);
    let lines = lines(ui, bench);
    let widest = lines.iter().map(|line| line.iter().map(|(_, text)| width(text)).sum()).max().unwrap_or(0);
    let area = layout::fitted(ui.size, lines.len(), widest);
    let inside = frame(buffer, area, ui, true, &[(style(Role::Title), " Last change ")], &[]);
    for (row, line) in lines.iter().skip(scroll.0).take(usize::from(inside.height)).enumerate() {
        let pieces: Vec<(Style, &str)> = line.iter().map(|(role, text)| (style(*role), text.as_str())).collect();
        put_all(buffer, inside.x + 1, inside.y + row as u16, inside.width.saturating_sub(2), &pieces);
    }
}
