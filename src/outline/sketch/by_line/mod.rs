//! Languages whose lines say more than their brackets: Python by its indentation, Ruby and shells by the words that close what others open.

mod entries;
mod heredocs;
mod python;
mod ruby;
mod shell;
mod strings;

#[cfg(test)]
mod tests;

use super::Sketch;
use crate::outline::language::Language;

/// Where more than this is open at once, nobody wrote it, and what is open takes memory: the rest is not read.
const MOST_OPEN: usize = 2_000;

/// Who reads the language, if it is one of these.
pub(super) fn reader_of(language: Language) -> Option<fn(&str) -> Sketch> {
    match language {
        Language::Python => Some(python::read),
        Language::Ruby => Some(ruby::read),
        Language::Shell => Some(shell::read),
        _ => None,
    }
}
