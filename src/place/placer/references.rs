//! Places references and mentions: LINKED and SUMMARY.

use super::{AHEAD, Placer};
use crate::ids::PlacedId;
use crate::place::{Form, Override, Tier};

/// Number of items that may fail to fit before a tier counts as full.
const PATIENCE: usize = 12;
/// Maximum number of references that are tried. A payload can contain hundreds.
const LINK_DEPTH: usize = 5_000;
/// Divisor of LINKED's share in a budget of at most `FEW_LINKS` tokens. In a budget of twice that size or more, LINKED
/// uses twice that fraction of its share.
const LINKS_KEPT: usize = 5;
/// Budget up to which content is worth more than a dozen references.
const FEW_LINKS: usize = 12_000;
/// Number of tokens for a few references, which LINKED may always use.
const LEAST_LINKS: usize = 150;
/// Maximum number of tokens that LINKED may use.
const MOST_LINKS: usize = 1_500;
pub(super) const NO_LINK: &str = "LINKED is full; F or --fill adds more";
pub(super) const NO_MENTION: &str = "SUMMARY is full; F or --fill adds more";
/// Variants of these reasons, used if auto-fill is already on.
pub(super) const NO_LINK_FILLED: &str = "LINKED is full; + or --budget adds more";
pub(super) const NO_MENTION_FILLED: &str = "SUMMARY is full; + or --budget adds more";

/// Returns true if this reason for holding an item back says that it is not even mentioned.
pub fn is_unmentioned(held_back: &str) -> bool {
    [NO_MENTION, NO_MENTION_FILLED].contains(&held_back)
}

impl Placer<'_> {
    /// Number of tokens for references. It is only a fraction of LINKED's share, because after about fifty references
    /// (fewer in a small budget), content is worth more than other references.
    pub fn links(&self, room: usize) -> usize {
        let share = self.request.budget.split.of(room).linked / LINKS_KEPT;
        let above = room.clamp(FEW_LINKS, 2 * FEW_LINKS) - FEW_LINKS;
        (share + share * above / FEW_LINKS).max(LEAST_LINKS.min(2 * share)).min(MOST_LINKS)
    }

    /// The tier that a person moved the item to.
    fn moved(&self, at: PlacedId) -> Option<Tier> {
        match self.placement.placed[at].overridden? {
            Override::Link => Some(Tier::Linked),
            Override::Demote(tier) if self.request.decision(self.item(at)).is_some_and(|decision| decision.moved) => {
                Some(tier)
            }
            _ => None,
        }
    }

    /// Places items that a person moved to LINKED or SUMMARY, before items that get this tier because of their score.
    pub fn moved_to(&mut self, tier: Tier, room: usize) {
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
        let wanted = |at: &PlacedId| {
            self.placement.placed[*at].tier > Tier::Linked
                && !self.is_pin(*at)
                && self.ceiling(*at) <= Tier::Linked
                && self.points(*at) >= lowest
                && self.rank(*at) > 0.0
                && self.is_file(*at)
        };
        let candidates: Vec<PlacedId> = PlacedId::all(self.not_excluded).filter(wanted).take(LINK_DEPTH).collect();
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

    pub fn try_link(&mut self, at: PlacedId, room: usize) -> bool {
        let tokens = self.request.costs.linked(self.item(at));
        let fits = self.linked.saturating_add(tokens) <= room;
        if fits {
            self.put(at, Tier::Linked, Form::Link, tokens);
        } else {
            let reason = if self.request.fill { NO_LINK_FILLED } else { NO_LINK };
            self.edit(at).held_back.get_or_insert(reason);
        }
        fits
    }

    /// Mentions items with at least one point that are not included yet.
    pub fn mentions(&mut self, room: usize) {
        let mut misses = 0;
        for at in PlacedId::all(self.not_excluded) {
            if misses > PATIENCE || at.index() == 0 && !self.has_mentions(at) {
                break;
            }
            let free = self.placement.placed[at].tier == Tier::Out && !self.is_pin(at);
            if free && self.ceiling(at) <= Tier::Summary && self.points(at) > 0 && !self.try_mention(at, room) {
                misses += 1;
            }
        }
    }

    pub fn try_mention(&mut self, at: PlacedId, room: usize) -> bool {
        let tokens = self.request.costs.mentioned(self.item(at));
        let fits = self.summary.saturating_add(tokens) <= room;
        if fits {
            self.put(at, Tier::Summary, Form::Mention, tokens);
        } else {
            let reason = if self.request.fill { NO_MENTION_FILLED } else { NO_MENTION };
            self.edit(at).held_back.get_or_insert(reason);
        }
        fits
    }
}
