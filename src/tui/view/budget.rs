//! The budget bar: a segment per RAW file, then LINKED, SUMMARY and free space, with a preview of the override under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::draw::{put, put_all, width};
use crate::ids::ItemId;
use crate::place::Tier;
use crate::text::{fit_end, short_count, thousands};
use crate::tui::command::Command;
use crate::tui::layout::{self, SIDE_BY_SIDE, STACKED};
use crate::tui::message::PreviewVerb;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::last_change::signed;
use crate::tui::theme::Role;

/// Minimum width of the bar.
const NARROWEST: u16 = 12;
/// Minimum width of a segment with a label.
const LABELLED: u16 = 8;

/// Columns for the preview of an override, so that the bar keeps its length when the preview changes.
const PREVIEW: u16 = 19;
/// Items that did not fit are counted only if less than 1/`TIGHT` of the budget is free.
const TIGHT: usize = 20;

/// A part of the bar.
struct Segment {
    role: Role,
    tier: Tier,
    /// The RAW item; `None` if the segment stands for a tier.
    item: Option<ItemId>,
    label: String,
    tokens: usize,
}

/// A part of the bar with the cells that it covers.
struct Cells {
    segment: Segment,
    x: u16,
    width: u16,
}

fn segments(bench: &Bench) -> Vec<Segment> {
    let placement = bench.model.placement();
    let usage = placement.usage;
    let short = |tokens: usize| bench.model.tokenizer().short_figure(tokens);
    let mut all: Vec<Segment> = placement
        .active()
        .filter(|placed| placed.tier == Tier::Raw)
        .map(|placed| {
            let path = &bench.model.corpus().items[placed.item].path;
            let name = path.rsplit('/').next().unwrap_or(path);
            let label = format!("{name} {}", short(placed.tokens));
            Segment { role: Role::Raw, tier: Tier::Raw, item: Some(placed.item), label, tokens: placed.tokens }
        })
        .collect();
    for (tier, tokens) in [(Tier::Linked, usage.linked), (Tier::Summary, usage.summary)] {
        let label = format!("{} {}", tier.label(), short(tokens));
        all.push(Segment { role: Role::of(tier), tier, item: None, label, tokens });
    }
    all.retain(|segment| segment.tokens > 0);
    all
}

/// The segments with their cells. Running totals are rounded, not the segments, so that the bar is exactly as long as
/// the total.
fn cells(bench: &Bench, bar: Rect) -> Vec<Cells> {
    let scale = bench.model.placement().limit.max(bench.model.placement().usage.total).max(1);
    let cell = |tokens: usize| ((tokens * usize::from(bar.width)).div_ceil(scale)).min(usize::from(bar.width)) as u16;
    let mut sum = 0;
    let mut all = Vec::new();
    for segment in segments(bench) {
        let from = cell(sum);
        sum += segment.tokens;
        let to = cell(sum);
        if to > from {
            all.push(Cells { segment, x: bar.x + from, width: to - from });
        }
    }
    all
}

/// The area of the bar, and the start of the figures: next to the bar, or below it on a narrow screen.
fn places(ui: &Ui, bench: &Bench, area: Rect) -> (Rect, (u16, u16)) {
    let figures = width_of(&figures(ui, bench)) + PREVIEW;
    if area.width >= SIDE_BY_SIDE {
        let bar = area.width.saturating_sub(figures + 6).max(NARROWEST);
        (Rect { x: area.x + 2, width: bar, height: 1, ..area }, (area.x + bar + 5, area.y))
    } else {
        (Rect { x: area.x + 2, width: area.width.saturating_sub(4), height: 1, ..area }, (area.x + 1, area.y + 1))
    }
}

fn width_of(pieces: &[(Style, String)]) -> u16 {
    pieces.iter().map(|(_, text)| width(text)).sum()
}

fn figures(ui: &Ui, bench: &Bench) -> Vec<(Style, String)> {
    let style = |role: Role| ui.theme.style(role);
    let dot = ui.theme.glyphs.dot;
    let placement = bench.model.placement();
    let (total, limit) = (placement.usage.total, placement.limit);
    let figure = |tokens: usize| bench.model.tokenizer().short_figure(tokens);
    let mut pieces = vec![(style(Role::Title), format!("{} of {}", figure(total), short_count(limit)))];
    if total > limit {
        let over = bench.model.tokenizer().figure(total - limit);
        // A narrow bar has room for the figure only, not for its cause.
        let text = if ui.size.0 < STACKED {
            format!(" {dot} over by {over}")
        } else {
            format!(" {dot} pins exceed the budget by {over} tokens")
        };
        pieces.push((style(Role::Bad), text));
    } else {
        pieces.push((style(Role::Text), format!(" {dot} {} free", figure(limit - total))));
    }
    if let Some(price) = bench.about.price_per_million {
        pieces.push((style(Role::Dim), format!(" {dot} {}", cost(total, price))));
    }
    if bench.model.settings().0 {
        pieces.push((style(Role::Dim), format!(" {dot} auto-fill on")));
    }
    let unfitted = bench.unfitted;
    // While there is free space, this number would say only that weaker items are mentioned or not included.
    if unfitted > 0 && limit.saturating_sub(total) * TIGHT < limit {
        let key = ui.key_in(bench.context(), Command::Unfitted);
        pieces.push((style(Role::Warn), format!(" {dot} {key} {} didn't fit", thousands(unfitted))));
    }
    pieces
}

/// The change of the total by the override under the cursor.
fn preview(ui: &Ui, bench: &Bench) -> Vec<(Style, String)> {
    let style = |role: Role| ui.theme.style(role);
    let dot = ui.theme.glyphs.dot;
    let total = bench.model.placement().usage.total;
    let mut pieces = Vec::new();
    if let Some(ghost) = bench.ghost {
        let command = if ghost.verb == PreviewVerb::Pin { Command::Pin } else { Command::Demote };
        let (key, label) = (ui.key_in(bench.context(), command), command.info().label);
        let change = signed(ghost.usage.total.cast_signed() - total.cast_signed(), ui.theme.glyphs);
        pieces.push((style(Role::Ghost), format!(" {dot} {key} {label} {}{change}", bench.model.tokenizer().mark())));
    }
    pieces
}

/// Price of this number of tokens in dollars, with two decimals, or four if it is below a cent.
pub fn cost(tokens: usize, price_per_million: f64) -> String {
    let dollars = tokens as f64 * price_per_million / 1e6;
    let digits = if dollars >= 0.01 || dollars <= 0.0 { 2 } else { 4 };
    format!("${dollars:.digits$}")
}

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    let style = |role: Role| ui.theme.style(role);
    let (bar, (x, y)) = places(ui, bench, area);
    let glyphs = ui.theme.glyphs;
    put(buffer, bar.x - 1, bar.y, 1, style(Role::Border), glyphs.left);
    put(buffer, bar.x, bar.y, bar.width, style(Role::Border), &glyphs.free.repeat(usize::from(bar.width)));
    put(buffer, bar.right(), bar.y, 1, style(Role::Border), glyphs.right);
    let freed = |item: Option<ItemId>| {
        let demoted = bench.ghost.is_some_and(|ghost| ghost.verb == PreviewVerb::Demote);
        demoted && item.is_some_and(|item| bench.ghost_items.contains(&item))
    };
    for part in cells(bench, bar) {
        segment(buffer, bar.y, ui, &part, freed(part.segment.item));
    }
    ghost(buffer, bar, ui, bench);
    let x = put_all(buffer, x, y, area.right().saturating_sub(x), &figures(ui, bench));
    put_all(buffer, x, y, area.right().saturating_sub(x), &preview(ui, bench));
}

/// Draws a segment with its label, and an edge before the next segment. A segment that the override under the cursor
/// would free has a texture.
fn segment(buffer: &mut Buffer, y: u16, ui: &Ui, part: &Cells, freed: bool) {
    let glyphs = ui.theme.glyphs;
    let plain = ui.theme.style(if freed { Role::Ghost } else { part.segment.role });
    let fill = match (freed, glyphs.ascii) {
        (true, _) => glyphs.ghost,
        (false, true) => glyphs.full,
        (false, false) => " ",
    };
    let style = if freed || glyphs.ascii { plain } else { plain.add_modifier(Modifier::REVERSED) };
    put(buffer, part.x, y, part.width, style, &fill.repeat(usize::from(part.width)));
    if part.width >= 3 {
        put(buffer, part.x + part.width - 1, y, 1, style, glyphs.edge);
    }
    if part.width >= LABELLED {
        let label = fit_end(&part.segment.label, usize::from(part.width - 3));
        let label = if freed { format!(" {label} ") } else { label.into_owned() };
        let inset = u16::from(!freed);
        put(buffer, part.x + inset, y, part.width - 1 - inset, style, &label);
    }
}

/// Marks the cells that the override under the cursor would fill.
fn ghost(buffer: &mut Buffer, bar: Rect, ui: &Ui, bench: &Bench) {
    let Some(ghost) = bench.ghost else { return };
    let placement = bench.model.placement();
    let items = |usage: &crate::place::Usage| usage.raw + usage.linked + usage.summary;
    let scale = placement.limit.max(placement.usage.total).max(1);
    let cell = |tokens: usize| (tokens * usize::from(bar.width)).div_ceil(scale).min(usize::from(bar.width)) as u16;
    let (now, then) = (items(&placement.usage), items(&ghost.usage));
    if then <= now {
        return;
    }
    let (from, to) = (cell(now), cell(then));
    // A change smaller than a cell still gets one cell.
    let count = (to - from).max(1).min(bar.width - from.min(bar.width - 1));
    let glyphs = ui.theme.glyphs.ghost.repeat(usize::from(count));
    put(buffer, bar.x + from.min(bar.width - 1), bar.y, count, ui.theme.style(Role::Ghost), &glyphs);
}

/// The tier of the segment at this position.
pub fn tier_at(ui: &Ui, bench: &Bench, column: u16, row: u16) -> Option<Tier> {
    let area = layout::areas(ui.size, bench.zoom).budget;
    let (bar, _) = places(ui, bench, area);
    let hit = |part: &Cells| row == bar.y && (part.x..part.x + part.width).contains(&column);
    cells(bench, bar).into_iter().find(hit).map(|part| part.segment.tier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_rounded_to_cents_unless_they_are_smaller() {
        for (tokens, price, expected) in
            [(21_900, 2.5, "$0.05"), (1_000, 2.5, "$0.0025"), (0, 2.5, "$0.00"), (1_000_000, 15.0, "$15.00")]
        {
            assert_eq!(cost(tokens, price), expected);
        }
    }
}
