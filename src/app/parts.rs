//! A payload in parts, for models and clipboards that take only so much at once.

use crate::error::Result;
use crate::gather::tokens::Tokenizer;
use crate::render::split::{self, Part};

/// The payload in parts of at most so many tokens, if it does not fit into one.
pub fn of(most: Option<usize>, payload: &str, tokenizer: Tokenizer) -> Result<Option<Vec<Part>>> {
    let Some(most) = most else { return Ok(None) };
    Ok(Some(split::split(payload, most, tokenizer)?).filter(|parts| parts.len() > 1))
}
