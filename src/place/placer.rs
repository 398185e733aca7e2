//! Places items in order of rank: pins, overrides, RAW, LINKED, SUMMARY.

mod references;

use crate::ids::{ItemId, PlacedId};
use crate::score::Scores;
use std::collections::BTreeMap;

use rayon::prelude::*;

pub use references::is_unmentioned;
use references::{NO_LINK, NO_LINK_FILLED, NO_MENTION, NO_MENTION_FILLED};

use super::upgrade_queue::RawTotals;
use super::{Decision, Form, Override, PlacedItem, Placement, PlacementRequest, Tier, Usage};

/// Minimum score for RAW.
pub const RAW_FROM: u8 = 7;
/// Minimum score for LINKED.
pub const LINKED_FROM: u8 = 4;
/// Minimum number of remaining tokens for which a fitting item is searched.
pub(super) const CRUMBS: usize = 60;
/// Number of costs that are counted in parallel, on all cores.
pub(super) const AHEAD: usize = 24;
/// Maximum number of items that auto-fill considers.
const FILL_DEPTH: usize = 400;
/// Minimum confidence of a file that enters RAW without enough points and without auto-fill.
const LIKELY: f64 = 0.01;
/// Maximum number of items without enough points that enter RAW without auto-fill, not counting tests and documents of
/// the change. A person does not expect more of them, and only 1% of the items after the sixteenth change.
const MOST_UNSURE: usize = 16;
/// The smallest useful excerpt, in tokens.
pub(super) const SMALLEST_CUT: usize = 240;

pub(super) const UNREADABLE: &str = "it cannot be read";
pub(super) const NOT_WHOLE: &str = "too large to include in full";
pub(super) const EXCERPTS: &str = "this format has excerpts only";

/// Condition for packing to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PackingStop {
    /// A step is not worth its tokens.
    Worthwhile,
    /// No tokens are left.
    Full,
}

/// The placement so far.
pub(super) struct Placer<'a> {
    pub request: &'a PlacementRequest<'a>,
    /// Pins first, then links, items by rank, and excluded items.
    pub placement: Placement,
    pub raw: usize,
    pub linked: usize,
    pub summary: usize,
    /// Number of items that are not excluded; excluded items come after them.
    pub not_excluded: usize,
    /// Totals of the items that would be in RAW if a person had not excluded, linked or demoted them.
    pub removed_totals: RawTotals,
    /// Positions of items with an override.
    pub overridden_positions: Vec<PlacedId>,
    /// Positions of items with an override or enough points for RAW. The payload may mention them in any tier.
    prominent: Vec<PlacedId>,
    /// Positions of items that were changed, possibly with duplicates.
    touched: Vec<PlacedId>,
}

/// A saved placement. It contains only the changed items: a few hundred out of tens of thousands.
pub(super) struct PlacerState {
    changed: BTreeMap<PlacedId, PlacedItem>,
    raw: usize,
    linked: usize,
    summary: usize,
}

impl PlacerState {
    /// Returns true if the item was in RAW.
    pub fn is_raw(&self, at: PlacedId) -> bool {
        self.changed.get(&at).is_some_and(|placed| placed.tier == Tier::Raw)
    }
}

impl<'a> Placer<'a> {
    /// Starts with these items in order of rank. None of them is included yet.
    fn new(request: &'a PlacementRequest<'a>, placed: Vec<PlacedItem>) -> Self {
        let (not_excluded, usage, limit) = (placed.len(), Usage::default(), request.budget.limit);
        Self {
            request,
            placement: Placement { placed, active: None, usage, limit, over: 0 },
            raw: 0,
            linked: 0,
            summary: 0,
            not_excluded,
            removed_totals: RawTotals::default(),
            overridden_positions: Vec::new(),
            prominent: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Starts with only the pins included.
    pub fn with_pins(request: &'a PlacementRequest<'a>) -> Self {
        let order = &request.scores.order;
        let overrides = request.overrides();
        let overridden = |item: ItemId| overrides.get(item.index()).copied().flatten();
        let [mut pins, mut links, mut excluded] = [const { Vec::new() }; 3];
        for item in order.iter().filter(|_| !overrides.is_empty()) {
            match overridden(*item) {
                Some(Override::Pin) => pins.push(*item),
                Some(Override::Link) => links.push(*item),
                Some(Override::Exclude) => excluded.push(*item),
                Some(Override::Demote(_)) | None => {}
            }
        }
        let mut high = vec![false; request.scores.items.len()];
        let scores_high = |item: &&ItemId| request.scores.items[**item].points >= RAW_FROM;
        for item in request.scores.order.iter().filter(scores_high) {
            high[*item] = true;
        }
        let (mut all, mut overridden_positions, mut prominent) =
            (Vec::with_capacity(order.len()), Vec::new(), Vec::new());
        let mut append = |item: ItemId, overridden: Option<Override>| {
            if overridden.is_some() || high[item] {
                prominent.push(PlacedId::new(all.len()));
            }
            all.push(PlacedItem::out(item));
            if overridden.is_some()
                && let Some(placed) = all.last_mut()
            {
                placed.overridden = overridden;
                placed.carried_over = request.decision(item).is_some_and(|decision| decision.carried_over);
                overridden_positions.push(PlacedId::new(all.len() - 1));
            }
        };
        for item in pins.iter().chain(&links) {
            append(*item, overridden(*item));
        }
        for item in order {
            let overridden = overridden(*item);
            if !matches!(overridden, Some(Override::Pin | Override::Link | Override::Exclude)) {
                append(*item, overridden);
            }
        }
        for item in &excluded {
            append(*item, overridden(*item));
        }
        let not_excluded = all.len() - excluded.len();
        let mut placer = Self { not_excluded, overridden_positions, prominent, ..Self::new(request, all) };
        placer.pins();
        placer
    }

    /// Starts with these items in these forms, best ranked first. There are no other items.
    pub fn with_items(request: &'a PlacementRequest<'a>, wanted: &[(ItemId, Tier, Form)]) -> Self {
        let mut wanted = wanted.to_vec();
        wanted.sort_by_key(|(wanted, ..)| request.scores.order.iter().position(|item| item == wanted));
        let items: Vec<PlacedItem> = wanted.iter().map(|(item, ..)| PlacedItem::out(*item)).collect();
        let mut placer = Self { prominent: PlacedId::all(items.len()).collect(), ..Self::new(request, items) };
        for (at, (item, tier, form)) in PlacedId::all(wanted.len()).zip(wanted) {
            let tokens = match tier {
                Tier::Raw => request.costs.inlined(item, &form).unwrap_or_default(),
                Tier::Linked => request.costs.linked(item),
                Tier::Summary => request.costs.mentioned(item),
                Tier::Out => 0,
            };
            placer.put(at, tier, form, tokens);
        }
        placer
    }

    /// Saves the placement.
    pub fn save(&self) -> PlacerState {
        let changed = self.touched.iter().map(|at| (*at, self.placement.placed[*at].clone())).collect();
        PlacerState { changed, raw: self.raw, linked: self.linked, summary: self.summary }
    }

    /// Restores a saved placement.
    pub fn back_to(&mut self, saved: &PlacerState) {
        for at in std::mem::take(&mut self.touched) {
            self.placement.placed[at].clear();
        }
        for (at, placed) in &saved.changed {
            self.placement.placed[*at] = placed.clone();
            self.touched.push(*at);
        }
        (self.raw, self.linked, self.summary) = (saved.raw, saved.linked, saved.summary);
    }

    /// Returns the item at this position, to be changed. A rollback undoes the change.
    pub fn edit(&mut self, at: PlacedId) -> &mut PlacedItem {
        self.touched.push(at);
        &mut self.placement.placed[at]
    }

    /// Tokens of the included items, without the fixed parts.
    pub fn spent(&self) -> usize {
        self.raw + self.linked + self.summary
    }

    /// The exact tokens of the payload so far.
    pub fn usage(&mut self) -> Usage {
        self.placement.active = Some(self.active());
        self.request.costs.usage(&self.placement)
    }

    pub fn finish(self, usage: Usage) -> Placement {
        Placement { usage, active: Some(self.active()), ..self.placement }
    }

    fn active(&self) -> Vec<PlacedId> {
        let mut active: Vec<PlacedId> = self.prominent.iter().chain(&self.touched).copied().collect();
        active.sort_unstable();
        active.dedup();
        active
    }

    fn pins(&mut self) {
        let pinned = self.placement.placed.iter().take_while(|placed| placed.overridden == Some(Override::Pin)).count();
        let forms: Vec<(ItemId, Form)> = PlacedId::all(pinned)
            .map(|at| {
                let item = self.item(at);
                (item, self.request.decision(item).map_or(Form::Whole, Decision::form))
            })
            .collect();
        self.count_ahead(forms.iter().map(|(item, form)| (*item, form)));
        for (at, (item, form)) in PlacedId::all(pinned).zip(forms) {
            match self.request.costs.inlined(item, &form) {
                Some(tokens) => self.put(at, Tier::Raw, form, tokens),
                None => self.edit(at).held_back = Some(UNREADABLE),
            }
        }
    }

    /// Places everything that is worth its tokens within `room`, which excludes the fixed parts.
    pub fn run(&mut self, room: usize) {
        let shares = self.request.budget.split.of(room);
        // Pins may exceed the share of RAW. The other tiers then use the remaining tokens.
        self.moved_to(Tier::Linked, room.saturating_sub(self.raw));
        self.place_required(room.saturating_sub(self.links(room)));
        let candidates = self.worthwhile();
        let raw = shares.raw.min(room.saturating_sub(self.linked));
        // LINKED has its own share, so only RAW counts here.
        self.removed_totals = RawTotals::default();
        let removed = self.removed(|at| self.is_worthwhile(*at));
        self.inline_without(&candidates, &removed, raw + self.linked + self.summary, PackingStop::Worthwhile);
        self.references(self.links(room).min(room.saturating_sub(self.raw)).max(self.linked), LINKED_FROM);
        self.moved_to(Tier::Summary, room.saturating_sub(self.raw + self.linked));
        self.mentions(shares.summary.min(room.saturating_sub(self.raw + self.linked)).max(self.summary));
    }

    /// Continues until `room` is full, with content before references. Only adds items: no item is removed or
    /// shortened.
    pub fn run_full(&mut self, room: usize) {
        let links = self.links(room);
        let candidates = self.fillers();
        let removed = self.removed(|at| self.is_related(*at));
        self.inline_without(
            &candidates,
            &removed,
            room.saturating_sub(links.saturating_sub(self.linked)),
            PackingStop::Full,
        );
        self.references(links.min(room.saturating_sub(self.raw + self.summary)).max(self.linked), 0);
    }

    /// Candidates for RAW without auto-fill, best first: items with enough points, likely files, and tests of likely
    /// files.
    fn worthwhile(&self) -> Vec<PlacedId> {
        let mut candidates = self.candidates(|at| self.is_worthwhile(*at), usize::MAX);
        let is_sure = |at: PlacedId| self.points(at) >= RAW_FROM || self.is_supporting(at) || self.is_pointed_at(at);
        let is_unsure = |at: &PlacedId| !is_sure(*at);
        let beyond = candidates.iter().copied().filter(is_unsure).nth(MOST_UNSURE);
        candidates.retain(|at| !is_unsure(at) || beyond.is_none_or(|beyond| *at < beyond));
        candidates
    }

    fn is_worthwhile(&self, at: PlacedId) -> bool {
        self.points(at) >= RAW_FROM || self.request.scores.items[self.item(at)].likely >= LIKELY
    }

    /// Candidates for RAW with auto-fill, best first: everything related to the task that is not yet included in
    /// full.
    pub fn fillers(&self) -> Vec<PlacedId> {
        self.candidates(|at| self.is_related(*at), FILL_DEPTH)
    }

    fn is_related(&self, at: PlacedId) -> bool {
        let Scores { items, no_content, .. } = self.request.scores;
        let is_guess = *no_content && self.is_file(at) && !items[self.item(at)].pointed;
        (self.points(at) > 0 || self.rank(at) > 0.0) && !is_guess
    }

    /// Items that may be added to RAW or enlarged there, best ranked first.
    fn candidates(&self, wanted: impl Fn(&PlacedId) -> bool, most: usize) -> Vec<PlacedId> {
        let open = |at: &PlacedId| {
            let placed = &self.placement.placed[*at];
            let improvable = placed.tier != Tier::Raw || placed.form != Form::Whole;
            improvable && placed.overridden != Some(Override::Pin) && self.ceiling(*at) == Tier::Raw
        };
        PlacedId::all(self.len()).filter(wanted).filter(open).take(most).collect()
    }

    pub fn item(&self, at: PlacedId) -> ItemId {
        self.placement.placed[at].item
    }

    pub fn len(&self) -> usize {
        self.placement.placed.len()
    }

    pub fn points(&self, at: PlacedId) -> u8 {
        self.request.scores.items[self.item(at)].points
    }

    pub fn rank(&self, at: PlacedId) -> f64 {
        self.request.scores.items[self.item(at)].rank
    }

    /// The highest tier that the item's override allows, or that its kind allows if there is no override.
    pub fn ceiling(&self, at: PlacedId) -> Tier {
        match self.placement.placed[at].overridden {
            Some(Override::Exclude) => Tier::Out,
            Some(Override::Link) => Tier::Linked,
            Some(Override::Demote(ceiling)) => ceiling,
            None if self.request.scores.items[self.item(at)].bulk => Tier::Linked,
            Some(Override::Pin) | None => Tier::Raw,
        }
    }

    pub fn is_pin(&self, at: PlacedId) -> bool {
        self.placement.placed[at].overridden == Some(Override::Pin)
    }

    /// Counts these forms on all cores unless they are cached, because the first count reads the file.
    pub fn count_ahead<'f>(&self, wanted: impl Iterator<Item = (ItemId, &'f Form)>) {
        let costs = self.request.costs;
        let unknown: Vec<_> = wanted.filter(|(item, form)| !costs.is_known(*item, form)).collect();
        on_all_cores(&unknown, |(item, form)| {
            if **form == Form::Link {
                costs.linked(*item);
            } else {
                costs.inlined(*item, form);
            }
        });
    }

    /// Returns false in a format without references, where references cost nothing.
    pub fn has_links(&self, at: PlacedId) -> bool {
        self.request.costs.linked(self.item(at)) > 0
    }

    /// Returns false for a format without mentions.
    pub fn has_mentions(&self, at: PlacedId) -> bool {
        self.request.costs.mentioned(self.item(at)) > 0
    }

    pub fn is_file(&self, at: PlacedId) -> bool {
        self.request.items[self.item(at)].kind.is_file()
    }

    /// Moves an item to a tier in a form with these tokens.
    pub fn put(&mut self, at: PlacedId, tier: Tier, form: Form, tokens: usize) {
        let placed = self.edit(at);
        let (before, freed) = (placed.tier, placed.tokens);
        match (tier, placed.held_back) {
            (Tier::Raw, _) if form == Form::Whole => (placed.whole_tokens, placed.held_back) = (None, None),
            (Tier::Linked, Some(NO_LINK | NO_LINK_FILLED | NO_MENTION | NO_MENTION_FILLED))
            | (Tier::Summary, Some(NO_MENTION | NO_MENTION_FILLED)) => placed.held_back = None,
            _ => {}
        }
        (placed.tier, placed.form, placed.tokens) = (tier, form, tokens);
        if let Some(sum) = self.sum(before) {
            *sum -= freed;
        }
        if let Some(sum) = self.sum(tier) {
            *sum += tokens;
        }
    }

    fn sum(&mut self, tier: Tier) -> Option<&mut usize> {
        match tier {
            Tier::Raw => Some(&mut self.raw),
            Tier::Linked => Some(&mut self.linked),
            Tier::Summary => Some(&mut self.summary),
            Tier::Out => None,
        }
    }

    /// Restores an earlier placement of an item.
    pub fn put_back(&mut self, at: PlacedId, before: PlacedItem) {
        self.put(at, before.tier, before.form.clone(), before.tokens);
        *self.edit(at) = before;
    }
}

/// Runs `each` on all cores; a single entry runs on this thread, because waking other cores takes longer.
pub(crate) fn on_all_cores<T: Sync>(all: &[T], each: impl Fn(&T) + Sync + Send) {
    match all {
        [] => {}
        [one] => each(one),
        several => several.par_iter().for_each(each),
    }
}
