//! Where the definitions of a source file begin and end, and what of it could go, by its brackets or its lines alone.
//!
//! One pass takes a text apart ([`lexer`], [`strings`], [`markup`]), one finds the partners of brackets, with a preprocessor's branches in mind
//! ([`brackets`]), and the reader of its language goes through what is outside of functions: a definition is what stands before a pair of braces or a
//! semicolon. Python, Ruby and shells are read by their lines ([`by_line`]). That takes the time of reading the text once, whatever stands in it; it
//! never gives up, and an error stays where it is.

mod brackets;
mod by_line;
mod c;
mod classes;
mod declared;
mod go;
mod lexer;
mod markup;
mod php;
mod reader;
mod rust;
mod script;
mod strings;
mod tables;
mod token;

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::outline::Definition;
use super::shape::Foldable;
use crate::outline::language::Language;
use reader::Reader;

/// Larger files are data, and what a sketch takes grows with them.
const LARGEST: usize = 1_000_000;

/// Replacing fewer lines than this by a mark would not pay.
pub(super) const SHORTEST_BODY: usize = 3;
/// Tables up to this many lines stay.
pub(super) const SHORTEST_TABLE: usize = 13;
/// How many rows of a long table stay to show what its entries look like.
pub(super) const SAMPLE_ROWS: usize = 3;

/// What a text defines, and what can go from its skeleton.
pub(super) struct Sketch {
    pub(super) definitions: Vec<Definition>,
    pub(super) folds: Vec<Foldable>,
    /// Whether a bracket or, where lines are read, a string or a word such as `if` has no end.
    pub(super) has_errors: bool,
}

/// What the text defines; none if nobody reads its language, or it is too large.
pub(super) fn sketch(language: Language, text: &str) -> Option<Sketch> {
    if text.len() > LARGEST {
        return None;
    }
    // No one file can end a run.
    catch_unwind(AssertUnwindSafe(|| drawn(language, text))).unwrap_or_default()
}

fn drawn(language: Language, text: &str) -> Option<Sketch> {
    if let Some(read) = by_line::reader_of(language) {
        return Some(read(text));
    }
    let read = reader_of(language)?;
    let (tokens, has_errors) = lexer::tokens(language, text);
    let mut reader = Reader::new(language, text, tokens);
    read(&mut reader);
    Some(Sketch { definitions: reader.definitions, folds: reader.folds, has_errors })
}

fn reader_of(language: Language) -> Option<fn(&mut Reader<'_>)> {
    match language {
        Language::C | Language::Cpp => Some(c::read),
        Language::CSharp | Language::Java => Some(classes::read),
        Language::Kotlin | Language::Swift => Some(declared::read),
        Language::Rust => Some(rust::read),
        Language::Php => Some(php::read),
        Language::JavaScript | Language::TypeScript | Language::Tsx => Some(script::read),
        Language::Go => Some(go::read),
        _ => None,
    }
}
