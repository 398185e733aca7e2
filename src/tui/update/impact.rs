//! The impact of a change: items that entered, grew, shrank or left the payload, with tokens.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::ids::ItemId;
use crate::place::{Form, Override, Tier};
use crate::text::thousands;
use crate::tui::state::bench::Bench;
use crate::tui::state::last_change::{ChangedItem, LastChange, signed};
use crate::tui::theme::Glyphs;

/// Maximum number of other items named in a message.
const NAMED: usize = 3;

/// The items in the payload before a change, and the total.
pub struct EarlierPlacement {
    placements: BTreeMap<ItemId, ItemPlacement>,
    total: usize,
    limit: usize,
}

#[derive(Clone, PartialEq, Eq)]
struct ItemPlacement {
    tier: Tier,
    tokens: usize,
    full: bool,
}

const ABSENT: ItemPlacement = ItemPlacement { tier: Tier::Out, tokens: 0, full: false };

fn placements(bench: &Bench) -> BTreeMap<ItemId, ItemPlacement> {
    let active = bench.model.placement().active().filter(|placed| placed.tier != Tier::Out);
    active
        .map(|placed| {
            let full = placed.form == Form::Whole;
            (placed.item, ItemPlacement { tier: placed.tier, tokens: placed.tokens, full })
        })
        .collect()
}

fn placement_of(placements: &BTreeMap<ItemId, ItemPlacement>, item: ItemId) -> &ItemPlacement {
    placements.get(&item).unwrap_or(&ABSENT)
}

/// Describes a placement: `RAW 1,234`, `RAW excerpt 410` or `not included`.
fn described(place: &ItemPlacement) -> String {
    match place.tier {
        Tier::Out => "not included".to_owned(),
        Tier::Raw if !place.full => format!("RAW excerpt {}", thousands(place.tokens)),
        tier => format!("{} {}", tier.label(), thousands(place.tokens)),
    }
}

/// The change of one other item.
struct ItemChange {
    item: ItemId,
    text: String,
    tokens: isize,
}

impl EarlierPlacement {
    pub fn of(bench: &Bench) -> Self {
        let placement = bench.model.placement();
        Self { placements: placements(bench), total: placement.usage.total, limit: placement.limit }
    }

    /// All changes since this placement, largest difference first.
    pub fn change(&self, bench: &Bench, title: &str) -> LastChange {
        let now = placements(bench);
        let mut rows: Vec<ChangedItem> = self
            .changes(&now)
            .map(|(item, before, after)| ChangedItem {
                path: bench.model.corpus().items[item].path.clone(),
                before: (before.tier, described(before)),
                after: (after.tier, described(after)),
                tokens: difference(before, after),
            })
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.tokens.unsigned_abs()));
        let placement = bench.model.placement();
        LastChange {
            title: title.to_owned(),
            before: (self.total, self.limit),
            after: (placement.usage.total, placement.limit),
            rows,
        }
    }

    /// The items whose placement changed, in order, with both placements.
    fn changes<'a>(
        &'a self,
        now: &'a BTreeMap<ItemId, ItemPlacement>,
    ) -> impl Iterator<Item = (ItemId, &'a ItemPlacement, &'a ItemPlacement)> {
        let items: BTreeSet<ItemId> = self.placements.keys().chain(now.keys()).copied().collect();
        let both = items.into_iter().map(|item| (item, placement_of(&self.placements, item), placement_of(now, item)));
        both.filter(|(_, before, after)| before != after)
    }

    /// The difference in tokens of the overridden items, as `(−13.3k)`; empty if there is none.
    pub fn own_change(&self, bench: &Bench, targets: &[ItemId], glyphs: &Glyphs) -> String {
        let now = placements(bench);
        let sum: isize = targets
            .iter()
            .map(|item| difference(placement_of(&self.placements, *item), placement_of(&now, *item)))
            .sum();
        if sum == 0 { String::new() } else { format!(" ({})", signed(sum, glyphs)) }
    }

    /// The gains and losses of all other items in words, largest first; empty if there are none.
    pub fn other_changes(&self, bench: &Bench, targets: &[ItemId], glyphs: &Glyphs) -> String {
        let now = placements(bench);
        let targets: HashSet<ItemId> = targets.iter().copied().collect();
        // An item that belongs to an excluded file (such as its diff) is excluded with it, regardless of the budget.
        let follows = |item: ItemId| {
            let about = bench.model.corpus().items[item].about.and_then(|file| bench.placed(file.into()));
            about.is_some_and(|placed| placed.overridden == Some(Override::Exclude))
        };
        let mut changes: Vec<ItemChange> = self
            .changes(&now)
            .filter(|(item, ..)| !targets.contains(item) && !follows(*item))
            .filter_map(|(item, before, after)| {
                let text = in_words(before, after)?;
                Some(ItemChange { item, text, tokens: difference(before, after) })
            })
            .collect();
        changes.sort_by_key(|change| std::cmp::Reverse(change.tokens.unsigned_abs()));
        let rest = changes.len().saturating_sub(NAMED);
        let mut words: Vec<String> = changes
            .iter()
            .take(NAMED)
            .map(|change| {
                let tokens = signed(change.tokens, glyphs);
                format!("{} {} ({tokens})", short_name(bench, change.item), change.text)
            })
            .collect();
        if rest > 0 {
            words.push(format!("{rest} more {}", if rest == 1 { "change" } else { "changes" }));
        }
        words.join(", ")
    }
}

/// The file name, or the whole label of an item that is not a file.
fn short_name(bench: &Bench, item: ItemId) -> String {
    let item = &bench.model.corpus().items[item];
    let name = item.path.rsplit('/').next().filter(|_| item.kind.is_file());
    name.unwrap_or(&item.path).to_owned()
}

fn difference(before: &ItemPlacement, now: &ItemPlacement) -> isize {
    now.tokens.cast_signed() - before.tokens.cast_signed()
}

/// Describes a change of placement. A different size in LINKED or SUMMARY is not worth a message.
fn in_words(before: &ItemPlacement, now: &ItemPlacement) -> Option<String> {
    let words = match (before.tier, now.tier) {
        (Tier::Raw, Tier::Raw) if now.full && !before.full => "now in full".to_owned(),
        (Tier::Raw, Tier::Raw) if before.full && !now.full => "now an excerpt".to_owned(),
        (Tier::Raw, Tier::Raw) if now.tokens > before.tokens => "has a longer excerpt".to_owned(),
        (Tier::Raw, Tier::Raw) => "has a shorter excerpt".to_owned(),
        (before, now) if before == now => return None,
        (_, Tier::Raw) if now.full => "added in full".to_owned(),
        (_, Tier::Raw) => "added".to_owned(),
        (_, Tier::Out) => "no longer fits".to_owned(),
        (_, tier) => format!("now {}", tier.label()),
    };
    Some(words)
}
