//! The definitions of a source file and what a skeleton can omit, read by brackets or by lines.
//!
//! Reading takes time proportional to the length of the text, whatever it holds. It never gives up, and an error stays local.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::definitions::Definition;
use super::language::Language;
use super::languages::spec::OutlineReader;
use super::shape::Foldable;
use super::tokens;

/// Files above this size are data and get no outline.
pub(crate) const LARGEST: usize = 1_000_000;

/// Replacing fewer lines than this by a mark would not pay.
pub(crate) const SHORTEST_BODY: usize = 3;
/// Tables up to this many lines stay.
pub(crate) const SHORTEST_TABLE: usize = 13;
/// Rows of a long table that stay to show what its entries look like.
pub(crate) const SAMPLE_ROWS: usize = 3;

/// The definitions of a text, and the rows that its skeleton can omit.
pub(crate) struct RawOutline {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) folds: Vec<Foldable>,
    /// True if a bracket or, where lines are read, a string or a word such as `if` has no end.
    pub(crate) has_errors: bool,
}

/// Reads a text; none if its language has no reader, or the text is too large.
pub(crate) fn read_outline(language: Language, text: &str) -> Option<RawOutline> {
    let reader = language.spec().outline?;
    if text.len() > LARGEST {
        return None;
    }
    let read = || match reader {
        OutlineReader::Tokens(syntax) => tokens::read(syntax, text),
        OutlineReader::Lines(read) => read(text),
    };
    // A bug in one reader must not end the run.
    catch_unwind(AssertUnwindSafe(read)).ok()
}
