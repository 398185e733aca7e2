//! The lines, functions and tests that a commit changed, in its parent's line numbers.

pub use crate::gather::git::LineRange;
use crate::outline::definitions::DefinitionKind;
use crate::outline::language::Language;
use crate::outline::shape::Shape;

/// A changed source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path.
    pub path: String,
    /// The changed ranges; an insertion touches the lines before and after it.
    pub lines: Vec<LineRange>,
    /// For each range, the function around it, or the range itself if there is none.
    pub functions: Vec<LineRange>,
}

/// The existing files that a commit changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitChange {
    /// Changed files of product code.
    pub files: Vec<FileChange>,
    /// Changed tests, fixtures and test helpers.
    pub tests: Vec<String>,
}

impl CommitChange {
    /// Returns true if a source file or a test at this path changed.
    pub fn touches(&self, path: &str) -> bool {
        self.is_source(path) || self.tests.iter().any(|test| test == path)
    }

    /// Returns true if a source file at this path changed.
    pub fn is_source(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

/// The innermost function around each range, or the range itself.
pub fn functions_around(language: Language, text: &str, ranges: &[LineRange]) -> Vec<LineRange> {
    let shape = Shape::of(language, text);
    let definitions = shape.as_ref().map(|shape| shape.definitions.as_slice()).unwrap_or_default();
    let around = |range: &LineRange| {
        let functions = definitions.iter().filter(|definition| {
            matches!(definition.kind, DefinitionKind::Function | DefinitionKind::Method)
                && definition.first <= range.0
                && range.1 <= definition.last
        });
        functions
            .min_by_key(|definition| definition.last - definition.first)
            .map_or(*range, |definition| (definition.first, definition.last))
    };
    ranges.iter().map(around).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_belongs_to_the_innermost_function_around_it() {
        let text = "import os\n\n\nclass A:\n    x = 1\n\n    def one(self):\n        a = 1\n        return a\n\n\ndef two():\n    pass\n";
        let found =
            functions_around(Language::of("a.py", "").unwrap(), text, &[(1, 1), (5, 5), (8, 8), (9, 12), (13, 13)]);
        assert_eq!(found, [(1, 1), (5, 5), (7, 9), (9, 12), (12, 13)]);
    }
}
