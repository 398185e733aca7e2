//! The budget: three tiers, the whole, and a ghost of what the change under the cursor would do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{put_all, width};
use crate::gather::tokens::Tokenizer;
use crate::place::{Tier, Usage};
use crate::text::{short_count, thousands};
use crate::tui::command::Command;
use crate::tui::layout::{self, SIDE_BY_SIDE, STACKED};
use crate::tui::message::Verb;
use crate::tui::state::State;
use crate::tui::state::bench::Bench;
use crate::tui::theme::Role;
use crate::tui::update::impact::signed;

/// One tier's gauge.
struct Gauge {
    tier: Tier,
    label: &'static str,
    used: usize,
    share: Option<usize>,
    ghost: Option<usize>,
    cells: u16,
    tokenizer: Tokenizer,
}

fn gauges(bench: &Bench, room: u16) -> [Gauge; 3] {
    let (_, budget) = bench.model.settings();
    let shares = budget.split.of(budget.usable());
    let now = bench.model.placement().usage;
    let then = bench.ghost.map(|ghost| ghost.usage);
    let gauge = |tier: Tier, of: fn(&Usage) -> usize, share, cells| Gauge {
        tier,
        label: tier.label(),
        used: of(&now),
        share,
        ghost: then.as_ref().map(of),
        cells,
        tokenizer: budget.tokenizer,
    };
    let mut all = [
        gauge(Tier::Raw, |usage| usage.raw, Some(shares.raw), 0),
        gauge(Tier::Linked, |usage| usage.linked, Some(shares.linked), 4),
        // The share is for mentions alone, the figure for all that SUMMARY says: they cannot be set against each other.
        gauge(Tier::Summary, |usage| usage.summary, None, 0),
    ];
    let taken = |all: &[Gauge; 3]| -> u16 { all.iter().map(|gauge| gauge.width() + 2).sum() };
    // Where there is little room the numbers matter more than the bars.
    if taken(&all) + 4 > room {
        (all[2].label, all[1].cells) = ("SUM", 0);
    }
    // RAW gets what is left over.
    all[0].cells = room.saturating_sub(taken(&all)).clamp(4, 40);
    all
}

impl Gauge {
    /// How many columns it takes.
    fn width(&self) -> u16 {
        let bar = if self.cells == 0 { 1 } else { self.cells + 3 };
        width(self.label) + bar + width(&self.numbers())
    }

    fn numbers(&self) -> String {
        let share = self.share.map_or_else(String::new, |share| format!("/{}", short_count(share)));
        format!("{}{share}", self.tokenizer.short_figure(self.used))
    }

    /// Full, ghost and free cells.
    fn parts(&self) -> (usize, usize, usize) {
        let cells = usize::from(self.cells);
        let of = |tokens: usize| (tokens * cells).div_ceil(self.share.unwrap_or(1).max(1)).min(cells);
        let (now, then) = (of(self.used), self.ghost.map_or(of(self.used), of));
        let changes = self.ghost.is_some_and(|ghost| ghost != self.used);
        let (full, mut ghost) = (now.min(then), now.abs_diff(then));
        // A change too small for a cell of its own still shows, where there is room.
        if changes && ghost == 0 && full < cells {
            ghost = 1;
        }
        (full, ghost, cells - full - ghost)
    }

    fn pieces(&self, state: &State) -> Vec<(Style, String)> {
        let glyphs = state.theme.glyphs;
        let style = |role: Role| state.theme.style(role);
        let (full, ghost, free) = self.parts();
        let over = self.share.is_some_and(|share| self.used > share);
        let role = Role::of(self.tier);
        if self.cells == 0 {
            let numbers = style(if over { Role::Warn } else { Role::Text });
            return vec![(style(role), format!("{} ", self.label)), (numbers, self.numbers())];
        }
        vec![
            (style(role), self.label.to_owned()),
            (style(Role::Border), format!(" {}", glyphs.left)),
            (style(role), glyphs.full.repeat(full)),
            (style(Role::Ghost), glyphs.ghost.repeat(ghost)),
            (style(Role::Border), glyphs.free.repeat(free)),
            (style(Role::Border), glyphs.right.to_owned()),
            (style(if over { Role::Warn } else { Role::Text }), self.numbers()),
        ]
    }
}

fn totals(state: &State, bench: &Bench) -> Vec<(Style, String)> {
    let style = |role: Role| state.theme.style(role);
    let dot = state.theme.glyphs.dot;
    let placement = bench.model.placement();
    let (total, limit) = (placement.usage.total, placement.limit);
    let figure = |tokens: usize| bench.model.tokenizer().short_figure(tokens);
    let mut pieces = vec![(style(Role::Title), format!("{} of {}", figure(total), short_count(limit)))];
    if total > limit {
        let over = bench.model.tokenizer().figure(total - limit);
        // Where space is tight the figure matters more than its cause.
        let text = if state.size.0 < STACKED {
            format!(" {dot} over by {over}")
        } else {
            format!(" {dot} pins exceed the budget by {over} tokens")
        };
        pieces.push((style(Role::Bad), text));
    } else {
        pieces.push((style(Role::Text), format!(" {dot} {} free", figure(limit - total))));
    }
    if bench.model.settings().0 {
        pieces.push((style(Role::Dim), format!(" {dot} auto-fill on")));
    }
    let unfitted = placement.placed.iter().filter(|placed| bench.is_dropped(placed)).count();
    if unfitted > 0 {
        let key = state.key_for(Command::Unfitted);
        pieces.push((style(Role::Warn), format!(" {dot} {key} {} didn't fit", thousands(unfitted))));
    }
    if let Some(ghost) = bench.ghost {
        let command = if ghost.verb == Verb::Pin { Command::Pin } else { Command::Demote };
        let (key, label) = (state.key_for(command), command.info().label);
        let change = signed(ghost.usage.total.cast_signed() - total.cast_signed(), state.theme.glyphs);
        pieces.push((style(Role::Ghost), format!(" {dot} {key} {label} {}{change}", bench.model.tokenizer().mark())));
    }
    pieces
}

fn total_width(pieces: &[(Style, String)]) -> u16 {
    pieces.iter().map(|(_, text)| width(text)).sum()
}

pub fn draw(buffer: &mut Buffer, area: Rect, state: &State) {
    let Some(bench) = &state.bench else {
        let text = match state.work {
            Some(_) => " The budget appears once the project is scanned",
            None => "",
        };
        put_all(buffer, area.x, area.y, area.width, &[(state.theme.style(Role::Dim), text)]);
        return;
    };
    let totals = totals(state, bench);
    let mut x = area.x + 1;
    for (gauge, gap) in placed(state, bench, area) {
        x = gap;
        let pieces = gauge.pieces(state);
        x = put_all(buffer, x, area.y, area.right().saturating_sub(x), &pieces);
    }
    let (x, y) = if area.height > 1 { (area.x + 1, area.y + 1) } else { (x + 3, area.y) };
    put_all(buffer, x, y, area.right().saturating_sub(x), &totals);
}

/// The gauges with the columns they begin at.
fn placed(state: &State, bench: &Bench, area: Rect) -> Vec<(Gauge, u16)> {
    let room = if area.width >= SIDE_BY_SIDE {
        area.width.saturating_sub(total_width(&totals(state, bench)) + 8)
    } else {
        area.width.saturating_sub(1)
    };
    let mut x = area.x + 1;
    gauges(bench, room)
        .into_iter()
        .map(|gauge| {
            let at = x;
            x += gauge.width() + 2;
            (gauge, at)
        })
        .collect()
}

/// The tier whose gauge is at this place.
pub fn tier_at(state: &State, column: u16, row: u16) -> Option<Tier> {
    let area = layout::areas(state).gauges;
    let bench = state.bench.as_ref()?;
    if row != area.y {
        return None;
    }
    let placed = placed(state, bench, area);
    let end = |gauge: &Gauge, at: u16| at + gauge.width();
    placed.iter().find(|(gauge, at)| (*at..end(gauge, *at)).contains(&column)).map(|(gauge, _)| gauge.tier)
}
