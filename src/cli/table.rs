//! The placement as a table: tier, score, path and tokens.

use crate::app::pipeline::Run;
use crate::place::{Form, Override, PlacedItem, Tier};
use crate::text::{fit_middle, printable, thousands};

/// Maximum number of rows per tier; the others are only counted.
const ROWS: usize = 30;

/// Minimum width of the tokens column, and total width of the other columns except the path.
const TOKENS: usize = 8;
const FIXED: usize = 2 + 7 + 1 + 5 + 2 + 1;

/// The placement as a table, at most `width` columns wide.
pub fn placement(run: &Run, width: usize) -> String {
    let placement = run.placement();
    let mut out = format!(
        "{} · {} · {} of {} tokens\n\n",
        run.details.classification.type_label(),
        run.details.classification.complexity_label(),
        run.bench.tokenizer().figure(placement.usage.total),
        thousands(placement.limit),
    );
    if placement.placed.iter().any(|placed| placed.tier != Tier::Out) {
        let room = width.saturating_sub(FIXED + TOKENS);
        out.push_str(&format!("  {:<7} {:>5}  {:<room$} {:>TOKENS$}\n", "tier", "score", "path", "tokens"));
    }
    for tier in [Tier::Raw, Tier::Linked, Tier::Summary] {
        let rows: Vec<&PlacedItem> = placement.tier(tier).collect();
        for placed in rows.iter().take(ROWS) {
            out.push_str(&row(run, placed, width));
        }
        if rows.len() > ROWS {
            out.push_str(&format!("  {:<7} … and {} more\n", tier.label(), thousands(rows.len() - ROWS)));
        }
    }
    let left_out = placement.tier(Tier::Out).count();
    out.push_str(&format!(
        "\n{} not included, {} skipped by the scan\n",
        thousands(left_out),
        thousands(run.bench.corpus().skipped.len())
    ));
    out
}

fn row(run: &Run, placed: &PlacedItem, width: usize) -> String {
    let item = &run.bench.corpus().items[placed.item];
    let score = run.bench.scores().items[placed.item].points;
    let glyph = match placed.overridden {
        Some(Override::Pin) => "P",
        Some(Override::Link) => "L",
        Some(Override::Demote(_)) => "~",
        Some(Override::Exclude) => "x",
        None => " ",
    };
    let form = match &placed.form {
        Form::Spans(_) if placed.overridden == Some(Override::Pin) => " pinned lines",
        Form::Spans(_) => " excerpt",
        Form::Skeleton(_) => " outline",
        _ => "",
    };
    let figure = |tokens: usize| run.bench.tokenizer().figure(tokens);
    let whole = match placed.whole_tokens {
        Some(whole) if placed.tier == Tier::Raw => format!(" of {}", figure(whole)),
        _ => String::new(),
    };
    let tokens = format!("{}{whole}{form}", figure(placed.tokens));
    let room = width.saturating_sub(FIXED + tokens.chars().count().max(TOKENS));
    let path = printable(&item.path);
    let path = fit_middle(&path, room);
    let gap = room.saturating_sub(unicode_width::UnicodeWidthStr::width(path.as_ref()));
    format!("{glyph} {:<7} {score:>5}  {path}{:gap$} {tokens:>TOKENS$}\n", placed.tier.label(), "")
}
