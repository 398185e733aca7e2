//! The placement of each item: tier, form, cost, and why it is not higher.

use crate::ids::ItemId;
use crate::project::overrides::{Override, Tier};
use std::ops::{Deref, DerefMut};

pub use crate::project::line_spec::Span;

/// The form of an item in the payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    /// In full.
    Whole,
    /// Only these lines, with marks for the omitted ones.
    Spans(Vec<Span>),
    /// Its skeleton, with the definitions around these lines kept whole.
    Skeleton(Vec<Span>),
    /// A reference.
    Link,
    /// A mention.
    Mention,
    /// Nothing.
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

    /// The form if it is inlined; otherwise the full item.
    #[must_use]
    pub fn inlined(&self) -> &Self {
        match self {
            Self::Link | Self::Mention | Self::Absent => &Self::Whole,
            inlined => inlined,
        }
    }
}

/// One item's place. All but a few hundred of a project's tens of thousands are plainly out, and every override makes all of them
/// anew. So the details that only a few have are boxed, and read as [`Details::NONE`] for the rest.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The item's index in the corpus.
    pub item: ItemId,
    /// Its tier.
    pub tier: Tier,
    /// A person's override.
    pub overridden: Option<Override>,
    /// True for a pin that nobody made in this turn: the previous turn had the file in RAW.
    pub carried_over: bool,
    pub(super) details: Option<Box<Details>>,
}

/// Details of an item that is in the payload, or was held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// Its form.
    pub form: Form,
    /// Its tokens in that form.
    pub tokens: usize,
    /// Its tokens in full, if counted and different.
    pub whole_tokens: Option<usize>,
    /// Reason why it is not in the higher tier that its score implies.
    pub held_back: Option<&'static str>,
}

impl Details {
    /// Of an item that is plainly out.
    pub const NONE: Self = Self { form: Form::Absent, tokens: 0, whole_tokens: None, held_back: None };
}

impl Placed {
    /// An item that is not included and has no override.
    pub fn out(item: ItemId) -> Self {
        Self { item, tier: Tier::Out, overridden: None, carried_over: false, details: None }
    }

    /// An item that is in the payload without an override.
    pub fn within(item: ItemId, tier: Tier, form: Form, tokens: usize) -> Self {
        let details = Details { form, tokens, ..Details::NONE };
        Self { item, tier, overridden: None, carried_over: false, details: Some(Box::new(details)) }
    }

    /// Takes the item out, and forgets why.
    pub fn clear(&mut self) {
        (self.tier, self.details) = (Tier::Out, None);
    }
}

impl Deref for Placed {
    type Target = Details;

    fn deref(&self) -> &Details {
        static NONE: Details = Details::NONE;
        self.details.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Placed {
    fn deref_mut(&mut self) -> &mut Details {
        self.details.get_or_insert_with(|| Box::new(Details::NONE))
    }
}

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        let own = (self.item, self.tier, self.overridden, self.carried_over);
        own == (other.item, other.tier, other.overridden, other.carried_over) && **self == **other
    }
}

impl Eq for Placed {}

/// Tokens in each tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// The RAW section.
    pub raw: usize,
    /// The LINKED section.
    pub linked: usize,
    /// The SUMMARY section.
    pub summary: usize,
    /// Everything: the three tiers and the frame around them.
    pub total: usize,
}

/// The placement of every item, best first, and the totals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// One entry an item, in placement order: pins, then the ranking.
    pub placed: Vec<Placed>,
    /// Positions in `placed` of all items that are placed, overridden or held back, and perhaps some more; `None` if not tracked. A
    /// project has tens of thousands of items, of which only a few hundred are active.
    pub active: Option<Vec<usize>>,
    /// Exact totals, as counted by the renderer.
    pub usage: Usage,
    /// The limit it was placed under.
    pub limit: usize,
    /// Tokens by which the pins alone exceed the limit; usually 0.
    pub over: usize,
}

impl Placement {
    /// The same placement with only these items; its usage must be counted again.
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

    /// All items that are placed, overridden, held back or scored for RAW, in order; perhaps more.
    pub fn active(&self) -> impl Iterator<Item = &Placed> {
        let (all, some) = match &self.active {
            None => (self.placed.as_slice(), [].as_slice()),
            Some(active) => ([].as_slice(), active.as_slice()),
        };
        all.iter().chain(some.iter().filter_map(|at| self.placed.get(*at)))
    }

    /// The items of one tier, in order.
    pub fn tier(&self, tier: Tier) -> impl Iterator<Item = &Placed> {
        self.placed.iter().filter(move |placed| placed.tier == tier)
    }
}
