//! Tokens of a language with brackets.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    Number,
    /// A string, character, template or regular expression; brackets inside do not count.
    Text,
    Comment,
    /// A preprocessor line, with its continuation lines.
    Directive,
    /// One of `(`, `[` and `{` that has a partner.
    Open(u8),
    /// The partner of an opening bracket.
    Close(u8),
    /// Any other punctuation, one byte per token.
    Mark(u8),
    /// Omitted by the preprocessor, or a bracket without a partner.
    Dead,
}

/// A token; rows count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) row: u32,
    pub(crate) last_row: u32,
    /// Index of the matching bracket.
    pub(crate) partner: u32,
}

impl Token {
    /// Returns true if this is the punctuation.
    pub(crate) fn is(self, mark: u8) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    /// Returns true if the token has no effect on the program.
    pub(crate) fn is_silent(self) -> bool {
        matches!(self.kind, TokenKind::Comment | TokenKind::Directive | TokenKind::Dead)
    }
}
