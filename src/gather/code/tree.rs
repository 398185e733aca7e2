//! The syntax tree of one text, made once: where definitions end, and what is left of them in a skeleton, is read from the same.

use std::sync::OnceLock;

use tree_sitter::Tree;

use super::grammar::{Grammar, caught};

/// A text's tree, made when it is first asked for.
#[derive(Debug, Default)]
pub struct SyntaxTree(OnceLock<Option<Tree>>);

impl SyntaxTree {
    /// The tree of `text`, which has to be the same every time; none if the parser gives up on it.
    pub(super) fn of(&self, grammar: &Grammar, text: &str) -> Option<&Tree> {
        self.0.get_or_init(|| caught(|| grammar.parse(text))).as_ref()
    }
}
