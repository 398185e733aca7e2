//! Handles items that a person removed from RAW. The other items are first packed as if the removed items were still in
//! RAW. Excluding an item therefore frees tokens without shrinking other items.

use std::cmp::Ordering;

use super::placer::PackingStop;
use super::placer::Placer;
use super::{Override, PlacedItem, Tier};
use crate::ids::PlacedId;

impl Placer<'_> {
    /// Inlines the best of `candidates` together with the items in `removed`, takes the removed ones out, and packs
    /// again with the freed tokens.
    pub fn inline_without(&mut self, candidates: &[PlacedId], removed: &[PlacedId], room: usize, depth: PackingStop) {
        if !removed.is_empty() {
            let mut all = [candidates, removed].concat();
            all.sort_by(|a, b| self.by_rank(*a, *b));
            let before: Vec<PlacedItem> = removed.iter().map(|at| self.placement.placed[*at].clone()).collect();
            self.inline_best(&all, room, depth);
            for (at, before) in removed.iter().zip(before) {
                self.take_out(*at, before);
            }
        }
        self.inline_best(candidates, room, depth);
    }

    /// Takes the item out of RAW, as its override requires. The value of other items' steps does not change.
    fn take_out(&mut self, at: PlacedId, before: PlacedItem) {
        let placed = &self.placement.placed[at];
        if placed.tier == Tier::Raw {
            self.removed_totals.add(placed.tokens, self.confidence(at));
        }
        self.put_back(at, before);
    }

    /// Items that meet the condition and would be candidates for RAW without the override that excludes, links or
    /// demotes them. Items outside `--only` are omitted.
    pub fn removed(&self, wanted: impl Fn(&PlacedId) -> bool) -> Vec<PlacedId> {
        let is_removed = |at: &PlacedId| match self.placement.placed[*at].overridden {
            Some(Override::Exclude | Override::Link) => true,
            Some(Override::Demote(tier)) => matches!(tier, Tier::Linked | Tier::Summary),
            Some(Override::Pin) | None => false,
        };
        let is_bulk = |at: &PlacedId| self.request.scores.items[self.item(*at)].bulk;
        self.overridden_positions.iter().copied().filter(is_removed).filter(wanted).filter(|at| !is_bulk(at)).collect()
    }

    fn by_rank(&self, a: PlacedId, b: PlacedId) -> Ordering {
        let path = |at: PlacedId| &self.request.items[self.item(at)].path;
        self.rank(b).total_cmp(&self.rank(a)).then_with(|| path(a).cmp(path(b)))
    }
}
