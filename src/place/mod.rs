//! Assigns a tier to every item within the budget. The same request always gives the same placement.

pub mod budget;
pub mod costs;
mod cut;
mod fit;
mod pack;
pub mod placement;
mod placer;
mod removed;
mod required;
mod upgrade_queue;
mod upgrades;

#[cfg(test)]
mod growing_tests;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use crate::project::line_spec::PinnedLines;
use crate::project::line_spec::merged;
pub use crate::project::overrides::{Override, Tier};
pub use budget::{Budget, Limits, Shares, Split};
pub use costs::Costs;
pub use placement::{Form, PlacedItem, Placement, PlacementDetails, Span, Usage};
pub(crate) use placer::on_all_cores;
pub use placer::{LINKED_FROM, RAW_FROM, is_unmentioned};

use crate::gather::item::Item;
use crate::ids::ItemId;
use crate::score::Scores;

/// A decision about one item by a person, a `.context` file or the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The override.
    pub overridden: Override,
    /// For a pin, the lines to include; empty for the whole item.
    pub lines: Vec<PinnedLines>,
    /// For a demotion, true if a person moved the item to this tier, where it stays regardless of its score. False if
    /// the tier is only an upper limit.
    pub moved: bool,
    /// For a pin, true if the file is carried over from the previous turn.
    pub carried_over: bool,
}

impl Decision {
    /// Creates a decision about the whole item.
    pub fn whole(overridden: Override) -> Self {
        Self { overridden, lines: Vec::new(), moved: false, carried_over: false }
    }

    /// Creates a pin of these lines, or of the whole item if there are none.
    pub fn pinned(mut lines: Vec<PinnedLines>) -> Self {
        lines.sort_unstable();
        lines.dedup();
        Self { lines, ..Self::whole(Override::Pin) }
    }

    /// The form of a pinned item.
    pub fn form(&self) -> Form {
        match merged(self.lines.iter().map(|line| line.span).collect()) {
            spans if spans.is_empty() => Form::Whole,
            spans => Form::Spans(spans),
        }
    }

    /// Creates a decision to move the item to this tier.
    pub fn moved_to(tier: Tier) -> Self {
        Self { moved: true, ..Self::whole(Override::Demote(tier)) }
    }
}

/// Decisions by item.
pub type Decisions = HashMap<ItemId, Decision>;

/// Everything that placing depends on.
pub struct PlacementRequest<'a> {
    /// The candidates.
    pub items: &'a [Item],
    /// Scores and ranks of the candidates.
    pub scores: &'a Scores,
    /// Decisions about some candidates.
    pub decisions: &'a Decisions,
    /// Token budget.
    pub budget: Budget,
    /// Auto-fill: continue by rank until the budget is full.
    pub fill: bool,
    /// Token costs in the payload's format.
    pub costs: &'a dyn Costs,
}

impl PlacementRequest<'_> {
    /// Places every item. If not all pins fit, files that were carried over from the previous turn are dropped first,
    /// lowest ranked first.
    pub fn place(&self) -> Placement {
        let placement = fit::place(self);
        let carries = placement.over > 0 && self.decisions.values().any(|decision| decision.carried_over);
        if carries { self.without_carried_over(placement.over) } else { placement }
    }

    fn without_carried_over(&self, mut over: usize) -> Placement {
        let is_carried = |item: &&ItemId| self.decisions.get(*item).is_some_and(|decision| decision.carried_over);
        let mut carried: Vec<ItemId> = self.scores.order.iter().filter(is_carried).copied().collect();
        let mut decisions = self.decisions.clone();
        loop {
            let mut freed = 0;
            while freed < over
                && let Some(item) = carried.pop()
            {
                let form = decisions.remove(&item).map(|decision| decision.form());
                freed += form.and_then(|form| self.costs.inlined(item, &form)).unwrap_or_default();
            }
            let placement = fit::place(&PlacementRequest { decisions: &decisions, ..*self });
            over = placement.over;
            if over == 0 || carried.is_empty() {
                return placement;
            }
        }
    }

    /// Places only these items, in these forms. Items that do not fit are demoted, lowest ranked first. Returns the
    /// placement, and the number of tokens that the requested forms would take.
    pub fn place_again(&self, wanted: &[(ItemId, Tier, Form)]) -> (Placement, usize) {
        fit::place_again(self, wanted)
    }

    /// The override of each item, up to the last item that has one.
    fn overrides(&self) -> Vec<Option<Override>> {
        if self.decisions.is_empty() {
            return Vec::new();
        }
        let mut overrides = vec![None; self.items.len()];
        for (item, decision) in self.decisions.iter().filter(|(item, _)| item.index() < self.items.len()) {
            overrides[*item] = Some(decision.overridden);
        }
        // Files come first in the list, and only the items after them can belong to a file.
        for (at, item) in self.items.iter().enumerate().rev().take_while(|(_, item)| !item.kind.is_file()) {
            if item.about.is_some_and(|file| self.decisions.get(&ItemId::from(file)).is_some_and(excludes)) {
                overrides[at] = Some(Override::Exclude);
            }
        }
        overrides
    }

    /// The decision about an item. An item that belongs to an excluded file is also excluded.
    fn decision(&self, item: ItemId) -> Option<&Decision> {
        let about = self.items[item].about.and_then(|file| self.decisions.get(&ItemId::from(file)));
        if about.is_some_and(excludes) {
            return about;
        }
        self.decisions.get(&item)
    }
}

fn excludes(decision: &Decision) -> bool {
    decision.overridden == Override::Exclude
}
