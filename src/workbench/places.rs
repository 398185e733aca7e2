//! Finds items in a placement. Only a few hundred of a million items are in the payload, overridden or held back, and
//! only these items are indexed.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::ids::{ItemId, PlacedId};
use crate::place::{PlacedItem, Placement};

/// A placement with an index of its active items.
#[derive(Debug, Clone)]
pub(super) struct IndexedPlacement {
    pub placement: Placement,
    places: HashMap<ItemId, PlacedId>,
}

impl From<Placement> for IndexedPlacement {
    fn from(placement: Placement) -> Self {
        let places = match &placement.active {
            Some(active) => active.iter().map(|at| (placement.placed[*at].item, *at)).collect(),
            None => PlacedId::enumerate(&placement.placed).map(|(at, placed)| (placed.item, at)).collect(),
        };
        Self { placement, places }
    }
}

impl IndexedPlacement {
    /// The place of an item; all items without an entry are not included and have no override.
    pub fn get(&self, item: ItemId) -> Cow<'_, PlacedItem> {
        match self.places.get(&item) {
            Some(at) => Cow::Borrowed(&self.placement.placed[*at]),
            None => Cow::Owned(PlacedItem::out(item)),
        }
    }
}
