//! The items of a placement by section, without excluded and unreadable items.

use std::sync::Arc;

use super::Hybrid;
use super::linked::Link;
use crate::ids::ItemId;
use crate::place::{Form, Override, PlacedItem, Placement, Tier};
use crate::render::content::{Content, ContentBlock};
use crate::render::exclusion::Exclusion;
use crate::render::group::{Group, points};

/// An inlined item.
pub(super) struct InlinedItem {
    pub item: ItemId,
    pub group: Group,
    /// Number of the item in its group, from 1; 0 if it is the only one.
    pub number: usize,
    pub block: Arc<ContentBlock>,
    /// The person's pin of the item.
    pub pinned: PinnedAs,
}

/// The extent of a person's pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PinnedAs {
    Not,
    Whole,
    Lines,
    /// Not pinned in this turn, but carried over from the previous one.
    CarriedOver,
}

impl PinnedAs {
    /// The attribute of an XML tag.
    pub fn attribute(self) -> &'static str {
        match self {
            Self::Not => "",
            Self::Whole => " pinned=\"yes\"",
            Self::Lines => " pinned=\"lines\"",
            Self::CarriedOver => " carried_over=\"yes\"",
        }
    }

    fn of(placed: &PlacedItem) -> Self {
        match (placed.overridden, &placed.form) {
            (Some(Override::Pin), _) if placed.carried_over => Self::CarriedOver,
            (Some(Override::Pin), Form::Spans(_)) => Self::Lines,
            (Some(Override::Pin), _) => Self::Whole,
            _ => Self::Not,
        }
    }
}

/// A linked item.
pub(super) struct LinkedItem {
    pub item: ItemId,
    pub group: Group,
    pub link: Arc<Link>,
}

/// Items of a placement by section.
pub(super) struct PlacedItems {
    /// Items in RAW by group, then in the order of the placement.
    pub raw: Vec<InlinedItem>,
    /// Items in LINKED in the order of the payload.
    pub linked: Vec<LinkedItem>,
    /// Items in SUMMARY by score, then in the order of the placement.
    pub mentioned: Vec<ItemId>,
    /// Items that were placed but have no text, with the reason.
    pub missing: Vec<(ItemId, String)>,
    /// Number of items that the payload may mention.
    pub known: usize,
    pub exclusion: Arc<Exclusion>,
    /// The limit of the placement.
    pub limit: usize,
}

impl PlacedItems {
    pub fn of(hybrid: &Hybrid, placement: &Placement) -> Self {
        let exclusion = hybrid.exclusion.of(&hybrid.corpus, placement);
        let mut view = Self {
            raw: Vec::new(),
            linked: Vec::new(),
            mentioned: Vec::new(),
            missing: Vec::new(),
            known: placement.placed.len(),
            exclusion,
            limit: hybrid.meta.limit_of(placement),
        };
        for placed in placement.active() {
            if placed.item.index() < hybrid.groups.len() && !view.exclusion.holds(placed.item) {
                view.take(hybrid, placed);
            } else {
                view.known -= 1;
            }
        }
        // A review begins with the diff.
        let is_review = hybrid.corpus.review.is_some();
        let position = |group: Group| (!is_review || group != Group::Changes, group);
        view.raw.sort_by_key(|inlined| position(inlined.group));
        view.linked.sort_by_key(|linked| position(linked.group));
        view.mentioned.sort_by_key(|item| std::cmp::Reverse(points(&hybrid.scores, *item)));
        if hybrid.contents_first() {
            view.keep_order(hybrid);
        } else {
            view.number();
        }
        view
    }

    fn take(&mut self, hybrid: &Hybrid, placed: &PlacedItem) {
        if placed.tier == Tier::Out && placed.overridden.is_none() {
            return;
        }
        let item = placed.item;
        let group = hybrid.groups[item];
        let pinned = PinnedAs::of(placed);
        match placed.tier {
            Tier::Raw => {
                let stripped = Content::without(&hybrid.corpus, item, &self.exclusion);
                if stripped.as_ref().is_some_and(|content| content.text().trim().is_empty()) {
                    // The text is empty because it was only about excluded files.
                    return;
                }
                let block = match stripped {
                    Some(content) => Some(Arc::new(hybrid.new_block(item, content))),
                    None => hybrid.block(item, placed.form.inlined()),
                };
                match block {
                    Some(block) => self.raw.push(InlinedItem { item, group, number: 0, block, pinned }),
                    None => self.missing.push((item, hybrid.why_missing(item))),
                }
            }
            Tier::Linked => {
                let link = hybrid.link(item);
                match &link.missing {
                    _ if self.exclusion.named_in(&hybrid.markup.plain(&link.line.text)) => {}
                    Some(why) => self.missing.push((item, why.clone())),
                    None => self.linked.push(LinkedItem { item, group, link }),
                }
            }
            Tier::Summary => self.mentioned.push(item),
            // The person pinned the item, so its absence is reported.
            Tier::Out if pinned != PinnedAs::Not => self.missing.push((item, hybrid.why_missing(item))),
            Tier::Out => {}
        }
    }

    /// Puts files that did not change since the previous payload first, in their previous order, and numbers all items.
    fn keep_order(&mut self, hybrid: &Hybrid) {
        if let Some(previous) = &hybrid.meta.previous {
            let path = |inlined: &InlinedItem| hybrid.corpus.file_of(inlined.item).map(|file| file.path.as_str());
            previous.sort(&mut self.raw, path, |inlined| inlined.block.as_ref());
        }
        for (index, inlined) in self.raw.iter_mut().enumerate() {
            inlined.number = index + 1;
        }
    }

    fn number(&mut self) {
        for group in Group::ALL {
            let mut same: Vec<&mut InlinedItem> =
                self.raw.iter_mut().filter(|inlined| inlined.group == group).collect();
            if same.len() > 1 {
                for (index, inlined) in same.iter_mut().enumerate() {
                    inlined.number = index + 1;
                }
            }
        }
    }
}

impl Hybrid {
    fn why_missing(&self, item: ItemId) -> String {
        let missing = self.corpus.item_text(item).missing.clone();
        missing.unwrap_or_else(|| "not available in this form".to_owned())
    }
}
