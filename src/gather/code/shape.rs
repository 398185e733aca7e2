//! What a grammar tells of a source file, in numbers alone: a tree is slow to make and large, this can be remembered.

use super::folding::foldables;
use super::grammar::{Grammar, caught};
use super::lines::Lines;
use super::outline::{Definition, DefinitionKind, of_tree};
use super::sketch::{Sketch, sketch};
use crate::gather::language::Language;

/// Where the definitions of a source file are, and what of them can go from a skeleton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// In the order of the document, parents before children.
    pub definitions: Vec<Extent>,
    /// Whether the parser met something that it could not make sense of.
    pub(in crate::gather) has_errors: bool,
    pub(in crate::gather) folds: Vec<Foldable>,
}

/// The lines of one definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// What it is.
    pub kind: DefinitionKind,
    /// Its first line, from 1; doc comments, attributes and decorators included.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The definition around it, as an index into the shape's.
    pub parent: Option<usize>,
}

/// Rows that can go together; all rows count from 0, the last included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gather) struct Foldable {
    /// The rows of all that the gap belongs to: whoever wants one of these wants what would go.
    pub scope: (u32, u32),
    /// The rows that go; none in a table that only says that everything inside it stays with it.
    pub gap: Option<(u32, u32)>,
    /// Whether it is a body, which some languages do not allow to be empty.
    pub is_body: bool,
    /// How many of those before this one are inside of it, and are settled with it.
    pub holds: usize,
}

impl Shape {
    /// The shape of a text. None if there is no grammar, the text is over 1 MB, or the parser gave up.
    pub fn of(language: Language, text: &str) -> Option<Self> {
        caught(|| {
            if let Some(Sketch { definitions, folds, has_errors }) = sketch(language, text) {
                return Some(Self { definitions: extents(&definitions), has_errors, folds });
            }
            let grammar = Grammar::of(language)?;
            let tree = grammar.parse(text)?;
            let outline = of_tree(grammar, &tree, text);
            Some(Self {
                definitions: extents(&outline.definitions),
                has_errors: outline.has_errors,
                folds: foldables(grammar, &tree, &Lines::of(text)),
            })
        })
    }
}

fn extents(definitions: &[Definition]) -> Vec<Extent> {
    let extent = |it: &Definition| Extent { kind: it.kind, first: it.first, last: it.last, parent: it.parent };
    definitions.iter().map(extent).collect()
}
