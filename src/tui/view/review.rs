//! Two lists: items that did not fit, and redactions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{clean, frame, put, put_all, width, wrap};
use super::list::{highlight, tier_look};
use crate::text::{fit_middle, thousands};
use crate::tui::command::{Command, Context};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::Redactions;
use crate::tui::theme::Role;

/// Rows of the explanation above the list.
const HEAD: u16 = 2;

/// Area of the overlay for this number of rows.
pub fn area(size: (u16, u16), count: usize) -> Rect {
    let most = layout::overlay(size);
    layout::fitted(size, count.saturating_add(usize::from(HEAD)), most.width)
}

/// Area of the rows below the explanation, for drawing and for the mouse.
pub fn list_area(size: (u16, u16), count: usize) -> Rect {
    let inside = layout::inner(area(size, count));
    Rect { y: inside.y + HEAD, height: inside.height.saturating_sub(HEAD), ..inside }
}

/// Rows of the list, for paging.
pub fn page(size: (u16, u16), count: usize) -> usize {
    usize::from(list_area(size, count).height).max(1)
}

/// Index of the first visible row.
pub fn offset(cursor: usize, size: (u16, u16), count: usize) -> usize {
    cursor.saturating_sub(page(size, count) - 1)
}

/// Draws the explanation above a list.
pub fn head(buffer: &mut Buffer, inside: Rect, ui: &Ui, role: Role, text: &str) {
    let lines = wrap(text, usize::from(inside.width.saturating_sub(2)));
    for (row, line) in lines.iter().take(2).enumerate() {
        let y = inside.y + row as u16;
        put(buffer, inside.x + 1, y, inside.width.saturating_sub(2), ui.theme.style(role), line);
    }
}

/// Draws the items that did not fit, best first, preceded by the pins if these exceed the budget.
pub fn unfitted(buffer: &mut Buffer, ui: &Ui, bench: &Bench, cursor: usize) {
    let style = |role: Role| ui.theme.style(role);
    let rows = bench.dropped();
    let title = format!(" Items that didn't fit {} ", thousands(rows.len()));
    let inside = frame(buffer, area(ui.size, rows.len()), ui, true, &[(style(Role::Title), &title)], &[]);
    let placement = bench.model.placement();
    let raise = ui.keymap.first(&[Context::Workbench], Command::BudgetUp).unwrap_or_default();
    let (role, said) = if placement.over > 0 {
        let over = bench.model.tokenizer().figure(placement.over);
        (Role::Bad, format!("Pins exceed the budget by {over} tokens. They are listed first."))
    } else if rows.is_empty() {
        (Role::Good, "Everything that scores high enough fits.".to_owned())
    } else {
        (Role::Text, format!("These belong in a higher tier but did not fit. {raise} raises the budget."))
    };
    head(buffer, inside, ui, role, &said);
    let from = offset(cursor, ui.size, rows.len());
    let list = list_area(ui.size, rows.len());
    for (line, at) in rows.iter().enumerate().skip(from).take(usize::from(list.height)) {
        let area = Rect { y: list.y + (line - from) as u16, height: 1, ..list };
        unfitted_row(buffer, area, ui, bench, *at, line == cursor);
    }
}

fn unfitted_row(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, at: usize, cursor: bool) {
    let style = |role: Role| ui.theme.style(role);
    let placed = &bench.model.placement().placed[at];
    let (tier_role, tier) = tier_look(placed.tier, ui.theme.glyphs.absent);
    let score = bench.model.scores().items[placed.item].points;
    let pinned = placed.is_pinned();
    let why = placed.held_back.unwrap_or(if pinned { "pinned" } else { "pins fill the budget" });
    let needs = placed.whole_tokens.unwrap_or(placed.tokens);
    let needs = if needs == 0 { String::new() } else { format!(" {}", bench.model.tokenizer().figure(needs)) };
    let right = format!(" {why}{needs:>8} ");
    // If there is no room for both, the tokens are shown and the reason is not.
    let right = match needs.is_empty() {
        _ if area.width > width(&right) + 40 => right,
        true => format!(" {} ", why.trim_start_matches("there is ")),
        false => format!(" {needs:>7} "),
    };
    let left = [
        (style(Role::Focus), if cursor { ui.theme.glyphs.cursor } else { " " }.to_owned()),
        (style(tier_role), format!("{tier:<5}")),
        (style(Role::Text), format!("{score:>2} ")),
    ];
    let x = put_all(buffer, area.x, area.y, area.width, &left);
    let room = area.right().saturating_sub(x + width(&right));
    let path = clean(&bench.model.corpus().items[placed.item].path).into_owned();
    put(buffer, x, area.y, room, style(Role::Text), &fit_middle(&path, usize::from(room)));
    put(buffer, area.right().saturating_sub(width(&right)), area.y, width(&right), style(Role::Dim), &right);
    if cursor {
        highlight(buffer, area, ui);
    }
}

/// Draws the redacted secrets and the allowed values.
pub fn redactions(buffer: &mut Buffer, ui: &Ui, layer: &Redactions) {
    let style = |role: Role| ui.theme.style(role);
    let title = format!(" Redactions {} ", thousands(layer.rows.len()));
    let inside = frame(buffer, area(ui.size, layer.rows.len()), ui, true, &[(style(Role::Title), &title)], &[]);
    let allow = ui.keymap.first(&[Context::Review], Command::Allow).unwrap_or_default();
    let said = match (layer.loaded, layer.rows.is_empty()) {
        (false, _) => ui.theme.glyphs.more.to_owned(),
        (true, true) => "No secrets found in the files read for this payload.".to_owned(),
        (true, false) => {
            format!("Replaced before anything is counted, shown or written. {allow} marks one as not a secret.")
        }
    };
    head(buffer, inside, ui, Role::Text, &said);
    let from = offset(layer.cursor, ui.size, layer.rows.len());
    let list = list_area(ui.size, layer.rows.len());
    for (line, one) in layer.rows.iter().enumerate().skip(from).take(usize::from(list.height)) {
        let area = Rect { y: list.y + (line - from) as u16, height: 1, ..list };
        let cursor = line == layer.cursor;
        let (role, state_word) = if one.allowed { (Role::Good, "allowed ") } else { (Role::Warn, "redacted") };
        let sign = if one.allowed { " " } else { ui.theme.glyphs.secret };
        let left = [
            (style(Role::Focus), if cursor { ui.theme.glyphs.cursor } else { " " }.to_owned()),
            (style(role), format!("{sign} {state_word} ")),
        ];
        let x = put_all(buffer, area.x, area.y, area.width, &left);
        let found_by = format!(" {} ", one.rule);
        let room = area.right().saturating_sub(x + width(&found_by));
        let place = format!("{}:{}", clean(&one.path), one.line);
        put(buffer, x, area.y, room, style(Role::Text), &fit_middle(&place, usize::from(room)));
        let at = area.right().saturating_sub(width(&found_by));
        put(buffer, at, area.y, width(&found_by), style(Role::Dim), &found_by);
        if cursor {
            highlight(buffer, area, ui);
        }
    }
}
