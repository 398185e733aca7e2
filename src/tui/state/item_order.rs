//! The order of all items in the list. It is cached, because sorting a million items takes longer than a frame.

use super::rows;
use crate::ids::ItemId;
use crate::workbench::{Sort, Workbench};

/// All items in the order of the list.
#[derive(Debug, Default)]
pub struct ItemOrder {
    pub items: Vec<ItemId>,
    /// The sort order of the items (`None` for the tree's), and the version of the model if that order depends on the
    /// placement.
    made_for: Option<(Option<Sort>, Option<u64>)>,
}

impl ItemOrder {
    /// Sorts the items again if needed.
    pub fn update(&mut self, model: &Workbench, version: u64, (sort, tree): (Sort, bool)) {
        let sort = (!tree).then_some(sort);
        let wanted = Some((sort, sort.is_some_and(Sort::depends_on_placement).then_some(version)));
        if self.made_for == wanted {
            return;
        }
        self.items = match sort {
            Some(sort) => sort.order(model),
            None => rows::tree_order(&model.corpus().items),
        };
        self.made_for = wanted;
    }

    /// Forgets the order, because something that it depends on has changed.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
