//! The lines of definitions and bodies, without names.

use super::definitions::{Definition, DefinitionKind};
use super::raw_outline::{RawOutline, read_outline};
use crate::outline::language::Language;

/// Lines of a file's definitions, and the rows that a skeleton can omit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// In source order, parents before children.
    pub definitions: Vec<Extent>,
    /// True if a bracket or string is not closed.
    pub(crate) has_errors: bool,
    pub(crate) folds: Vec<Foldable>,
}

/// Lines of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Kind of definition.
    pub kind: DefinitionKind,
    /// First line (1-based), including doc comments, attributes and decorators.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Index of the enclosing definition.
    pub parent: Option<usize>,
}

/// Rows that a skeleton omits together; rows count from 0, the last one included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Foldable {
    /// Rows of the enclosing definition or table; if any of them is kept, nothing is omitted.
    pub scope: (u32, u32),
    /// Rows to omit; `None` for a table that is kept in full.
    pub gap: Option<(u32, u32)>,
    /// True for a body; some languages do not allow an empty one.
    pub is_body: bool,
    /// Number of preceding folds that are nested in this one.
    pub holds: usize,
}

impl Shape {
    /// The shape of `text`; `None` if the language has no reader or the text is too large.
    pub fn of(language: Language, text: &str) -> Option<Self> {
        let RawOutline { definitions, folds, has_errors } = read_outline(language, text)?;
        let extent = |it: Definition| Extent { kind: it.kind, first: it.first, last: it.last, parent: it.parent };
        Some(Self { definitions: definitions.into_iter().map(extent).collect(), has_errors, folds })
    }
}
