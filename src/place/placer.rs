//! Places items in order of rank: pins, overrides, RAW, LINKED, SUMMARY.

use crate::ids::ItemId;
use crate::score::Scores;
use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::upgrade_queue::RawTotals;
use super::{Decision, Form, Override, PlacedItem, Placement, Request, Tier, Usage};

/// Minimum score for RAW.
pub const RAW_FROM: u8 = 7;
/// Minimum score for LINKED.
pub const LINKED_FROM: u8 = 4;
/// Less room than this is not searched for a fitting item.
pub(super) const CRUMBS: usize = 60;
/// A tier counts as full after this many items that did not fit.
const PATIENCE: usize = 12;
/// Number of costs that are counted at once, on all cores.
const AHEAD: usize = 24;
/// Maximum number of items that auto-fill considers.
const FILL_DEPTH: usize = 400;
/// Maximum number of references that are tried; a payload has room for hundreds.
const LINK_DEPTH: usize = 5_000;
/// Files with a lower confidence enter RAW only by their points or by auto-fill.
const LIKELY: f64 = 0.01;
/// Divisor of LINKED's share in a budget of up to `FEW_LINKS` tokens; in a budget of twice as many, LINKED may use
/// double.
const LINKS_KEPT: usize = 5;
/// Room in which content is worth more than a dozen references.
const FEW_LINKS: usize = 12_000;
/// Tokens of a few references, for which LINKED may use double in any budget.
const LEAST_LINKS: usize = 150;
/// Maximum number of tokens that LINKED may use.
const MOST_LINKS: usize = 1_500;
/// The smallest useful excerpt, in tokens.
pub(super) const SMALLEST_CUT: usize = 240;

pub(super) const UNREADABLE: &str = "it cannot be read";
pub(super) const NOT_WHOLE: &str = "too large to include in full";
pub(super) const EXCERPTS: &str = "this format has excerpts only";
const NO_LINK: &str = "LINKED is full; F or --fill adds more";
const NO_MENTION: &str = "SUMMARY is full; F or --fill adds more";

/// Condition for packing to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PackingStop {
    /// A step is not worth its tokens.
    Worthwhile,
    /// The room is full.
    Full,
}

/// The placement so far.
pub(super) struct Placer<'a> {
    pub request: &'a Request<'a>,
    /// Pins first, then links, items by rank, and excluded items.
    pub placement: Placement,
    pub raw: usize,
    pub linked: usize,
    pub summary: usize,
    /// Range of the items that are in order of rank.
    ranking: Range<usize>,
    /// Totals of items that would be in RAW if a person had not taken them out.
    pub removed_totals: RawTotals,
    /// Positions of items with an override.
    pub overridden_positions: Vec<usize>,
    /// Positions of items with an override or enough points for RAW; the payload may mention them in any tier.
    prominent: Vec<usize>,
    /// Positions of changed items, possibly with duplicates.
    touched: Vec<usize>,
}

/// A saved placement. It contains only the changed items: a few hundred of tens of thousands.
pub(super) struct PlacerState {
    changed: BTreeMap<usize, PlacedItem>,
    raw: usize,
    linked: usize,
    summary: usize,
}

impl PlacerState {
    /// Returns true if the item was in RAW.
    pub fn is_raw(&self, at: usize) -> bool {
        self.changed.get(&at).is_some_and(|placed| placed.tier == Tier::Raw)
    }
}

impl<'a> Placer<'a> {
    /// Starts with only the pins included.
    pub fn with_pins(request: &'a Request<'a>) -> Self {
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
                prominent.push(all.len());
            }
            all.push(PlacedItem::out(item));
            if overridden.is_some()
                && let Some(placed) = all.last_mut()
            {
                placed.overridden = overridden;
                placed.carried_over = request.decision(item).is_some_and(|decision| decision.carried_over);
                overridden_positions.push(all.len() - 1);
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
        let ranking = pins.len() + links.len()..all.len() - excluded.len();
        let placement =
            Placement { placed: all, active: None, usage: Usage::default(), limit: request.budget.limit, over: 0 };
        let (touched, removed_totals) = (Vec::new(), RawTotals::default());
        let mut walk = Self {
            request,
            placement,
            raw: 0,
            linked: 0,
            summary: 0,
            ranking,
            removed_totals,
            overridden_positions,
            prominent,
            touched,
        };
        walk.pins();
        walk
    }

    /// Starts with these items in these forms, best ranked first; there are no others.
    pub fn with_items(request: &'a Request<'a>, wanted: &[(ItemId, Tier, Form)]) -> Self {
        let mut wanted = wanted.to_vec();
        wanted.sort_by_key(|(wanted, ..)| request.scores.order.iter().position(|item| item == wanted));
        let placement = Placement {
            placed: wanted.iter().map(|(item, ..)| PlacedItem::out(*item)).collect(),
            active: None,
            usage: Usage::default(),
            limit: request.budget.limit,
            over: 0,
        };
        let (overridden_positions, prominent, touched) = (Vec::new(), (0..wanted.len()).collect(), Vec::new());
        let ranking = 0..wanted.len();
        let mut walk = Self {
            request,
            placement,
            raw: 0,
            linked: 0,
            summary: 0,
            ranking,
            removed_totals: RawTotals::default(),
            overridden_positions,
            prominent,
            touched,
        };
        for (at, (item, tier, form)) in wanted.into_iter().enumerate() {
            let tokens = match tier {
                Tier::Raw => request.costs.inlined(item, &form).unwrap_or_default(),
                Tier::Linked => request.costs.linked(item),
                Tier::Summary => request.costs.mentioned(item),
                Tier::Out => 0,
            };
            walk.put(at, tier, form, tokens);
        }
        walk
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

    /// Mutable access to the item at this position; a rollback restores it.
    pub fn edit(&mut self, at: usize) -> &mut PlacedItem {
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

    fn active(&self) -> Vec<usize> {
        let mut active: Vec<usize> = self.prominent.iter().chain(&self.touched).copied().collect();
        active.sort_unstable();
        active.dedup();
        active
    }

    fn pins(&mut self) {
        let pinned = self.placement.placed.iter().take_while(|placed| placed.overridden == Some(Override::Pin)).count();
        let forms: Vec<(ItemId, Form)> = (0..pinned)
            .map(|at| {
                let item = self.item(at);
                (item, self.request.decision(item).map_or(Form::Whole, Decision::form))
            })
            .collect();
        self.count_ahead(forms.iter().map(|(item, form)| (*item, form)));
        for (at, (item, form)) in forms.into_iter().enumerate() {
            match self.request.costs.inlined(item, &form) {
                Some(tokens) => self.put(at, Tier::Raw, form, tokens),
                None => self.edit(at).held_back = Some(UNREADABLE),
            }
        }
    }

    /// Places everything that is worth its tokens within `room`, which excludes the fixed parts.
    pub fn run(&mut self, room: usize) {
        let shares = self.request.budget.split.of(room);
        // Pins may exceed the share of RAW; the other tiers then use the rest.
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

    /// Continues until `room` is full, content before references. Items are only added: none is removed or shortened.
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

    /// Room for references: a fraction of LINKED's share, because after some fifty references, and in a small budget after
    /// a few, further content is worth more.
    fn links(&self, room: usize) -> usize {
        let share = self.request.budget.split.of(room).linked / LINKS_KEPT;
        let above = room.clamp(FEW_LINKS, 2 * FEW_LINKS) - FEW_LINKS;
        (share + share * above / FEW_LINKS).max(LEAST_LINKS.min(2 * share)).min(MOST_LINKS)
    }

    /// Candidates for RAW without auto-fill, best first: items with enough points, likely files, and tests of these.
    fn worthwhile(&self) -> Vec<usize> {
        self.candidates(|at| self.is_worthwhile(*at), usize::MAX)
    }

    fn is_worthwhile(&self, at: usize) -> bool {
        self.points(at) >= RAW_FROM || self.request.scores.items[self.item(at)].likely >= LIKELY
    }

    /// Candidates for RAW with auto-fill, best first: everything related to the task that is not yet included in
    /// full.
    pub fn fillers(&self) -> Vec<usize> {
        self.candidates(|at| self.is_related(*at), FILL_DEPTH)
    }

    fn is_related(&self, at: usize) -> bool {
        let Scores { items, no_content, .. } = self.request.scores;
        let is_guess = *no_content && self.is_file(at) && !items[self.item(at)].pointed;
        (self.points(at) > 0 || self.rank(at) > 0.0) && !is_guess
    }

    /// Items that may enter RAW or grow there, best ranked first.
    fn candidates(&self, wanted: impl Fn(&usize) -> bool, most: usize) -> Vec<usize> {
        let open = |at: &usize| {
            let placed = &self.placement.placed[*at];
            let improvable = placed.tier != Tier::Raw || placed.form != Form::Whole;
            improvable && placed.overridden != Some(Override::Pin) && self.ceiling(*at) == Tier::Raw
        };
        (0..self.len()).filter(wanted).filter(open).take(most).collect()
    }

    pub fn item(&self, at: usize) -> ItemId {
        self.placement.placed[at].item
    }

    pub fn len(&self) -> usize {
        self.placement.placed.len()
    }

    pub fn points(&self, at: usize) -> u8 {
        self.request.scores.items[self.item(at)].points
    }

    pub fn rank(&self, at: usize) -> f64 {
        self.request.scores.items[self.item(at)].rank
    }

    /// The highest tier that an override allows, or else the kind of the item.
    pub fn ceiling(&self, at: usize) -> Tier {
        match self.placement.placed[at].overridden {
            Some(Override::Exclude) => Tier::Out,
            Some(Override::Link) => Tier::Linked,
            Some(Override::Demote(ceiling)) => ceiling,
            None if self.request.scores.items[self.item(at)].bulk => Tier::Linked,
            Some(Override::Pin) | None => Tier::Raw,
        }
    }

    fn is_pin(&self, at: usize) -> bool {
        self.placement.placed[at].overridden == Some(Override::Pin)
    }

    /// The tier that a person moved the item to.
    fn moved(&self, at: usize) -> Option<Tier> {
        match self.placement.placed[at].overridden? {
            Override::Link => Some(Tier::Linked),
            Override::Demote(tier) if self.request.decision(self.item(at)).is_some_and(|decision| decision.moved) => {
                Some(tier)
            }
            _ => None,
        }
    }

    /// Places items that a person moved to LINKED or SUMMARY before those that have the tier by score.
    fn moved_to(&mut self, tier: Tier, room: usize) {
        for at in self.overridden_positions.clone() {
            let wanted = self.moved(at).is_some_and(|moved| moved <= tier);
            if !wanted || self.placement.placed[at].tier <= tier {
                continue;
            }
            if tier == Tier::Linked {
                self.try_link(at, room);
            } else {
                self.try_mention(at, room);
            }
        }
    }

    /// Links items with at least `lowest` points, and items that did not fit into RAW.
    pub fn references(&mut self, room: usize, lowest: u8) {
        let wanted = |at: &usize| {
            self.placement.placed[*at].tier > Tier::Linked
                && !self.is_pin(*at)
                && self.ceiling(*at) <= Tier::Linked
                && self.points(*at) >= lowest
                && self.rank(*at) > 0.0
                && self.is_file(*at)
        };
        let candidates: Vec<usize> = (0..self.ranking.end).filter(wanted).take(LINK_DEPTH).collect();
        if candidates.first().is_some_and(|at| !self.has_links(*at)) {
            return;
        }
        let mut misses = 0;
        for ahead in candidates.chunks(AHEAD) {
            if misses > PATIENCE {
                break;
            }
            self.count_ahead(ahead.iter().map(|at| (self.item(*at), &Form::Link)));
            misses += ahead.iter().filter(|at| !self.try_link(**at, room)).count();
        }
    }

    /// Counts these forms of items on all cores unless they are cached, because the first count reads the file.
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

    /// Returns false for a format without references, where they cost nothing.
    pub fn has_links(&self, at: usize) -> bool {
        self.request.costs.linked(self.item(at)) > 0
    }

    /// Returns false for a format without mentions.
    pub fn has_mentions(&self, at: usize) -> bool {
        self.request.costs.mentioned(self.item(at)) > 0
    }

    pub fn is_file(&self, at: usize) -> bool {
        self.request.items[self.item(at)].kind.is_file()
    }

    pub fn try_link(&mut self, at: usize, room: usize) -> bool {
        let tokens = self.request.costs.linked(self.item(at));
        let fits = self.linked.saturating_add(tokens) <= room;
        if fits {
            self.put(at, Tier::Linked, Form::Link, tokens);
        } else {
            self.edit(at).held_back.get_or_insert(NO_LINK);
        }
        fits
    }

    /// Mentions items with at least one point that are not included yet.
    fn mentions(&mut self, room: usize) {
        let mut misses = 0;
        for at in 0..self.ranking.end {
            if misses > PATIENCE || at == 0 && !self.has_mentions(at) {
                break;
            }
            let free = self.placement.placed[at].tier == Tier::Out && !self.is_pin(at);
            if free && self.ceiling(at) <= Tier::Summary && self.points(at) > 0 && !self.try_mention(at, room) {
                misses += 1;
            }
        }
    }

    pub fn try_mention(&mut self, at: usize, room: usize) -> bool {
        let tokens = self.request.costs.mentioned(self.item(at));
        let fits = self.summary.saturating_add(tokens) <= room;
        if fits {
            self.put(at, Tier::Summary, Form::Mention, tokens);
        } else {
            self.edit(at).held_back.get_or_insert(NO_MENTION);
        }
        fits
    }

    /// Moves an item to a tier in a form with these tokens.
    pub fn put(&mut self, at: usize, tier: Tier, form: Form, tokens: usize) {
        let placed = self.edit(at);
        let (before, freed) = (placed.tier, placed.tokens);
        match (tier, placed.held_back) {
            (Tier::Raw, _) if form == Form::Whole => (placed.whole_tokens, placed.held_back) = (None, None),
            (Tier::Linked, Some(NO_LINK | NO_MENTION)) | (Tier::Summary, Some(NO_MENTION)) => placed.held_back = None,
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
    pub fn put_back(&mut self, at: usize, before: PlacedItem) {
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
