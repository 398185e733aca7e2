//! Splits a payload into parts for models and clipboards with a size limit.

use crate::error::Result;
use crate::gather::tokens::Tokenizer;
use crate::render::split::{self, PayloadPart};

/// The parts of at most `most` tokens, if the payload does not fit into one.
pub fn of(most: Option<usize>, payload: &str, tokenizer: Tokenizer) -> Result<Option<Vec<PayloadPart>>> {
    let Some(most) = most else { return Ok(None) };
    Ok(Some(split::split(payload, most, tokenizer)?).filter(|parts| parts.len() > 1))
}
