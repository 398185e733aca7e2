//! Definitions of a source file, and the rows that a skeleton can omit, read by brackets or by lines.
//!
//! Reading takes linear time for any input. It always returns a result, and an error has only local effect.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::definitions::Definition;
use super::language::Language;
use super::languages::spec::OutlineReader;
use super::shape::Foldable;
use super::tokens;

/// Maximum size; larger files are data and get no outline.
pub(crate) const LARGEST: usize = 1_000_000;

/// Minimum number of lines that are worth replacing with a marker.
pub(crate) const SHORTEST_BODY: usize = 3;
/// Tables up to this many lines are kept.
pub(crate) const SHORTEST_TABLE: usize = 13;
/// Number of rows of a long table that are kept as a sample of its entries.
pub(crate) const SAMPLE_ROWS: usize = 3;

/// Definitions of a file, and the rows that its skeleton can omit.
pub(crate) struct RawOutline {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) folds: Vec<Foldable>,
    /// True if a bracket or, in languages read line by line, a string or a block is not closed.
    pub(crate) has_errors: bool,
}

/// Reads source text; `None` if its language has no reader or the text is too large.
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
