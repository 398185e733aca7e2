//! The last change of the placement, for its before and after view.

use crate::place::Tier;
use crate::text::short_count;
use crate::tui::theme::Glyphs;

/// The last change of the placement, item by item.
#[derive(Debug)]
pub struct LastChange {
    /// Description of the change.
    pub title: String,
    /// Total and limit before the change.
    pub before: (usize, usize),
    /// Total and limit after the change.
    pub after: (usize, usize),
    pub rows: Vec<ChangedItem>,
}

/// An item whose placement changed.
#[derive(Debug)]
pub struct ChangedItem {
    pub path: String,
    /// Tier and placement before.
    pub before: (Tier, String),
    /// Tier and placement after.
    pub after: (Tier, String),
    /// Difference in tokens.
    pub tokens: isize,
}

/// Tokens with their sign: `+10.9k`, `−13.3k`.
pub fn signed(tokens: isize, glyphs: &Glyphs) -> String {
    let sign = if tokens < 0 { glyphs.minus } else { "+" };
    format!("{sign}{}", short_count(tokens.unsigned_abs()))
}
