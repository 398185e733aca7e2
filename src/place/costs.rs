//! Interface through which a renderer provides token costs for placing.

use super::placement::{Form, Placement, Usage};
use crate::ids::ItemId;

/// Token costs in one payload format. They are exact: a renderer builds its payload from pieces that start with a
/// character other than white space and end with a newline. Every exact encoding has a token boundary between two
/// pieces, so the counts of the pieces add up to the count of the payload.
pub trait Costs: Send + Sync {
    /// Tokens of the item in this form; `None` if it has no text, or no text in this form.
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize>;
    /// A lower bound for the tokens of the full item, available without counting.
    fn at_least(&self, _item: ItemId) -> usize {
        0
    }
    /// Returns true if the tokens of this form are cached. Callers count other forms in parallel.
    fn is_known(&self, _item: ItemId, _form: &Form) -> bool {
        false
    }
    /// Tokens of a reference to the item.
    fn linked(&self, item: ItemId) -> usize;
    /// Tokens of a mention of the item.
    fn mentioned(&self, item: ItemId) -> usize;
    /// Maximum tokens of an excerpt if `room` tokens are available, in a format that includes only pinned items in
    /// full. `None` in a format that includes any item in full if it fits.
    fn excerpt_limit(&self, _room: usize) -> Option<usize> {
        None
    }
    /// The exact tokens of the payload rendered from this placement, ignoring the placement's `usage`.
    fn usage(&self, placement: &Placement) -> Usage;
}
