//! Tokens of a text with brackets.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    Number,
    /// A string, a character, a template, a regular expression; brackets inside do not count.
    Text,
    Comment,
    /// A line of a preprocessor, with the lines that continue it.
    Directive,
    /// One of `(`, `[` and `{` that has a partner.
    Open(u8),
    /// The partner of an opening bracket.
    Close(u8),
    /// Any other sign, a byte at a time.
    Mark(u8),
    /// Left out by a preprocessor, or a bracket without a partner.
    Dead,
}

/// One token; rows count from 0.
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
    /// True if this is the sign.
    pub(crate) fn is(self, mark: u8) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    /// True if the program would be the same without it.
    pub(crate) fn is_silent(self) -> bool {
        matches!(self.kind, TokenKind::Comment | TokenKind::Directive | TokenKind::Dead)
    }
}
