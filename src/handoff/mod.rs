//! What one phase hands to the next: fields, which of them a phase sees, and how much of them.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`phase`] | discovery, implementation, validation |
//! | [`fields`] | `handoff.json` |
//! | [`manifest`] | which fields a phase sees and how much room they get |
//! | [`budget`] | estimating and truncating |
//! | [`mod@assemble`] | select → assemble → truncate |
//! | [`document`] | a handoff read out of Markdown: a plan, a report, or the editor's template |

pub mod assemble;
pub mod budget;
pub mod document;
pub mod fields;
pub mod manifest;
pub mod phase;

#[cfg(test)]
mod tests;

pub use assemble::{Seen, assemble};
pub use budget::{BudgetResult, apply_context_budget, estimate_tokens, truncate_to_token_budget};
pub use fields::{Field, Handoff};
pub use manifest::{Manifest, resolve};
pub use phase::Phase;
