//! Token costs that placing asks a renderer for.

use super::placement::{Form, Placement, Usage};
use crate::ids::ItemId;

/// Token costs in one payload format. Exact: a renderer builds its payload from pieces that start with a character that
/// is not white space and end with a line end, where every encoding we count for has a token boundary, so that the
/// counts of the pieces add up to the count of the whole.
pub trait Costs: Send + Sync {
    /// Tokens of the item inlined in this form; `None` if it has no text or cannot have the form.
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize>;
    /// A lower bound for the item in full, known without counting.
    fn at_least(&self, _item: ItemId) -> usize {
        0
    }
    /// Returns true if this form was counted before; uncounted ones are better counted on all cores.
    fn is_known(&self, _item: ItemId, _form: &Form) -> bool {
        false
    }
    /// Tokens of a reference to the item.
    fn linked(&self, item: ItemId) -> usize;
    /// Tokens of a mention of the item.
    fn mentioned(&self, item: ItemId) -> usize;
    /// The most tokens that an excerpt may have, out of so much room, in a format that inlines only pins whole and cuts
    /// everything else; `None` in a format that includes files in full if they fit.
    fn excerpt_limit(&self, _room: usize) -> Option<usize> {
        None
    }
    /// The exact tokens of the payload that this placement renders to (its `usage` is not looked at).
    fn usage(&self, placement: &Placement) -> Usage;
}
