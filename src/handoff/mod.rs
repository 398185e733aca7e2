//! Handoffs between phases: fields, manifests, and the token budget.
//!
//! | module | contents |
//! | --- | --- |
//! | [`fields`] | fields of `handoff.json` |
//! | [`manifest`] | fields and limits per phase |
//! | [`budget`] | token estimates and truncation |
//! | [`mod@assemble`] | select → assemble → truncate |
//! | [`document`] | a handoff extracted from Markdown: an answer, a report, or the editor's template |

pub mod assemble;
pub mod budget;
pub mod document;
pub mod fields;
pub mod manifest;

#[cfg(test)]
mod tests;

pub use crate::project::phase::Phase;
pub use assemble::{HandoffContext, assemble};
pub use budget::{BudgetResult, apply_context_budget, estimate_tokens, truncate_to_token_budget};
pub use fields::{Field, Handoff};
pub use manifest::{Manifest, resolve};
