//! What placing asks of a renderer: how many tokens a thing will be in its payload.

use super::placement::{Form, Placement, Usage};
use crate::ids::ItemId;

/// Token costs in one payload format. Exact: a renderer builds its payload from pieces that start with a character that
/// is not white space and end with a line end, where every encoding we count for has a token boundary, so that the
/// counts of the pieces add up to the count of the whole.
pub trait Costs: Send + Sync {
    /// What the item adds when it is inlined in this form; `None` if it has no text or the form does not exist for it.
    fn inlined(&self, item: ItemId, form: &Form) -> Option<usize>;
    /// What an item adds at least when it is inlined whole, as far as that is known without counting.
    fn at_least(&self, _item: ItemId) -> usize {
        0
    }
    /// Whether what an item adds in this form was counted before; what was not is better counted on all cores.
    fn is_known(&self, _item: ItemId, _form: &Form) -> bool {
        false
    }
    /// What a reference to the item adds.
    fn linked(&self, item: ItemId) -> usize;
    /// What a mention of the item adds.
    fn mentioned(&self, item: ItemId) -> usize;
    /// The most tokens that an excerpt may have, out of so much room, in a format that inlines only pins whole and cuts
    /// everything else; `None` in one that inlines whole what fits.
    fn excerpt_limit(&self, _room: usize) -> Option<usize> {
        None
    }
    /// The exact tokens of the payload that this placement renders to (its `usage` is not looked at).
    fn usage(&self, placement: &Placement) -> Usage;
}
