//! Content that is placed before the ranked items: the content of a review, or the neighbours of a pin.

use crate::ids::ItemId;

/// Items of equal priority. A group may use only a share of the tokens that earlier groups have left, so that later
/// groups can use the rest.
#[derive(Debug, Clone, Default)]
pub struct RequiredGroup {
    /// The share, in percent.
    pub share: usize,
    /// The items, most important first.
    pub items: Vec<RequiredItem>,
}

/// An item with its acceptable forms.
#[derive(Debug, Clone)]
pub struct RequiredItem {
    /// The item.
    pub item: ItemId,
    /// The forms, best first. The first one that fits is used.
    pub forms: Vec<RequiredForm>,
}

/// A form of an item in RAW.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequiredForm {
    /// In full.
    Whole,
    /// Its definitions with their signatures.
    Outline,
    /// These lines, with imports and the signatures of the rest; or the full file if it takes only a few more tokens.
    Excerpt(Vec<(u32, u32)>),
    /// Only these lines.
    Lines(Vec<(u32, u32)>),
}
