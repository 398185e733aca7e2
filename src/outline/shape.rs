//! The lines of definitions and bodies, without names.

use super::definitions::{Definition, DefinitionKind};
use super::raw_outline::{RawOutline, read_outline};
use crate::outline::language::Language;

/// The lines of a file's definitions, and what a skeleton can omit of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// In the order of the document, parents before children.
    pub definitions: Vec<Extent>,
    /// True if a bracket or a string has no end.
    pub(crate) has_errors: bool,
    pub(crate) folds: Vec<Foldable>,
}

/// The lines of one definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Its kind.
    pub kind: DefinitionKind,
    /// Its first line, from 1; doc comments, attributes and decorators included.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The definition around it, as an index into the shape's.
    pub parent: Option<usize>,
}

/// Rows that a skeleton can omit together; all rows count from 0, the last included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Foldable {
    /// The rows of the definition or table around the gap: if one of them is kept, the gap is kept too.
    pub scope: (u32, u32),
    /// The rows to omit; none for a table whose contents stay with it.
    pub gap: Option<(u32, u32)>,
    /// True if it is a body, which some languages do not allow to be empty.
    pub is_body: bool,
    /// The number of folds before this one that are inside of it.
    pub holds: usize,
}

impl Shape {
    /// The shape of a text. None if the language has no reader, or the text is too large.
    pub fn of(language: Language, text: &str) -> Option<Self> {
        let RawOutline { definitions, folds, has_errors } = read_outline(language, text)?;
        let extent = |it: Definition| Extent { kind: it.kind, first: it.first, last: it.last, parent: it.parent };
        Some(Self { definitions: definitions.into_iter().map(extent).collect(), has_errors, folds })
    }
}
