//! Outlines of languages with brackets: a lexer, a pass that pairs brackets, and a reader that walks the code outside
//! functions.

pub(crate) mod brackets;
pub(crate) mod lexer;
pub(crate) mod markup;
pub(crate) mod reader;
pub(crate) mod strings;
pub(crate) mod token;
pub(crate) mod values;

#[cfg(test)]
mod tests;

use crate::outline::raw_outline::RawOutline;
use crate::outline::readers::classes::ClassSyntax;
use crate::outline::readers::declarations::DeclarationSyntax;
use lexer::LexicalSyntax;
use reader::TokenReader;

/// A language that is read by its brackets.
pub(crate) struct TokenSyntax {
    pub(crate) lexical: LexicalSyntax,
    /// Walks the tokens of a whole file and records its definitions and bodies.
    pub(crate) read: fn(&mut TokenReader<'_>),
    /// For languages that use `readers::classes`.
    pub(crate) classes: ClassSyntax,
    /// For languages that use `readers::declarations`.
    pub(crate) declarations: DeclarationSyntax,
}

impl TokenSyntax {
    pub(crate) const fn new(lexical: LexicalSyntax, read: fn(&mut TokenReader<'_>)) -> Self {
        Self { lexical, read, classes: ClassSyntax::PLAIN, declarations: DeclarationSyntax::NONE }
    }
}

/// Reads a whole file.
pub(crate) fn read(syntax: &'static TokenSyntax, text: &str) -> RawOutline {
    let (tokens, has_errors) = lexer::tokens(&syntax.lexical, text);
    let mut reader = TokenReader::new(syntax, text, tokens);
    (syntax.read)(&mut reader);
    RawOutline { definitions: reader.definitions, folds: reader.folds, has_errors }
}
