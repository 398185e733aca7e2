//! The placement of each item: its tier, form and cost, and the reason why its tier is not higher.

use crate::ids::{ItemId, PlacedId};
use crate::project::overrides::{Override, Tier};
use std::ops::{Deref, DerefMut};

pub use crate::project::line_spec::Span;

/// The form of an item in the payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    /// The full text.
    Whole,
    /// Only these lines, with markers for the omitted ones.
    Spans(Vec<Span>),
    /// An outline, with the definitions around these lines in full.
    Skeleton(Vec<Span>),
    /// A reference.
    Link,
    /// A mention.
    Mention,
    /// Not included.
    Absent,
}

impl Form {
    /// The form's name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Spans(_) => "spans",
            Self::Skeleton(_) => "skeleton",
            Self::Link => "link",
            Self::Mention => "mention",
            Self::Absent => "none",
        }
    }

    /// This form, or the full text if the item is not inlined.
    #[must_use]
    pub fn inlined(&self) -> &Self {
        match self {
            Self::Link | Self::Mention | Self::Absent => &Self::Whole,
            inlined => inlined,
        }
    }
}

/// The placement of one item. Every override computes all placements again, but only a few hundred of tens of thousands
/// of items are included. Details are therefore boxed, and all other items share [`PlacementDetails::NONE`].
#[derive(Debug, Clone)]
pub struct PlacedItem {
    /// Index of the item in the corpus.
    pub item: ItemId,
    /// Tier of the item.
    pub tier: Tier,
    /// A person's override.
    pub overridden: Option<Override>,
    /// True if the file is in RAW only because it was carried over from the previous turn.
    pub carried_over: bool,
    pub(super) details: Option<Box<PlacementDetails>>,
}

/// Details of an item that is in the payload, or was held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacementDetails {
    /// Form of the item.
    pub form: Form,
    /// Tokens in this form.
    pub tokens: usize,
    /// Tokens of the full item, if counted and different from `tokens`.
    pub whole_tokens: Option<usize>,
    /// Reason why the item is not in the higher tier that its score suggests.
    pub held_back: Option<&'static str>,
}

impl PlacementDetails {
    /// Details of an item that is not included.
    pub const NONE: Self = Self { form: Form::Absent, tokens: 0, whole_tokens: None, held_back: None };
}

impl PlacedItem {
    /// Creates an item that is not included and has no override.
    pub fn out(item: ItemId) -> Self {
        Self { item, tier: Tier::Out, overridden: None, carried_over: false, details: None }
    }

    /// Creates an item that is in the payload without an override.
    pub fn within(item: ItemId, tier: Tier, form: Form, tokens: usize) -> Self {
        let details = PlacementDetails { form, tokens, ..PlacementDetails::NONE };
        Self { item, tier, overridden: None, carried_over: false, details: Some(Box::new(details)) }
    }

    /// Returns true if a person pinned the item; a file that was carried over does not count.
    pub fn is_pinned(&self) -> bool {
        self.overridden == Some(Override::Pin) && !self.carried_over
    }

    /// Removes the item from the payload, and the reason why it was held back.
    pub fn clear(&mut self) {
        (self.tier, self.details) = (Tier::Out, None);
    }
}

impl Deref for PlacedItem {
    type Target = PlacementDetails;

    fn deref(&self) -> &PlacementDetails {
        static NONE: PlacementDetails = PlacementDetails::NONE;
        self.details.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for PlacedItem {
    fn deref_mut(&mut self) -> &mut PlacementDetails {
        self.details.get_or_insert_with(|| Box::new(PlacementDetails::NONE))
    }
}

impl PartialEq for PlacedItem {
    fn eq(&self, other: &Self) -> bool {
        let own = (self.item, self.tier, self.overridden, self.carried_over);
        own == (other.item, other.tier, other.overridden, other.carried_over) && **self == **other
    }
}

impl Eq for PlacedItem {}

/// Tokens in each tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// The RAW section.
    pub raw: usize,
    /// The LINKED section.
    pub linked: usize,
    /// The SUMMARY section.
    pub summary: usize,
    /// The whole payload: the three tiers and the fixed parts.
    pub total: usize,
}

/// The placement of every item, best first, and the totals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// One entry per item in placement order: pins first, then by rank.
    pub placed: Vec<PlacedItem>,
    /// Positions in `placed` of all items that are placed, overridden or held back, and possibly of others. `None` if
    /// active items are not tracked. A project has tens of thousands of items, but only a few hundred of them are
    /// active.
    pub active: Option<Vec<PlacedId>>,
    /// Exact totals, as counted by the renderer.
    pub usage: Usage,
    /// Limit of the placement.
    pub limit: usize,
    /// Number of tokens by which pins alone exceed the limit.
    pub over: usize,
}

impl Placement {
    /// Returns the placement reduced to these items. Its usage must be counted again.
    #[must_use]
    pub fn only(&self, items: &[ItemId]) -> Self {
        let mut some = self.clone();
        for placed in some.placed.iter_mut().filter(|placed| !items.contains(&placed.item)) {
            if placed.tier != Tier::Out {
                (placed.tier, placed.form) = (Tier::Out, Form::Absent);
            }
            if placed.overridden == Some(Override::Pin) {
                placed.overridden = None;
            }
        }
        some
    }

    /// All items that are placed, overridden, held back or scored for RAW, in order. May include others.
    pub fn active(&self) -> impl Iterator<Item = &PlacedItem> {
        let (all, some) = match &self.active {
            None => (self.placed.as_slice(), [].as_slice()),
            Some(active) => ([].as_slice(), active.as_slice()),
        };
        all.iter().chain(some.iter().filter_map(|at| self.placed.get(at.index())))
    }

    /// The items of one tier, in order.
    pub fn tier(&self, tier: Tier) -> impl Iterator<Item = &PlacedItem> {
        self.placed.iter().filter(move |placed| placed.tier == tier)
    }
}
