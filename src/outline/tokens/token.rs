//! What a text with brackets is made of.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    Number,
    /// A string, a character, a template, a regular expression; whatever stands inside is nobody's bracket.
    Text,
    Comment,
    /// A line of a preprocessor, with the lines that continue it.
    Directive,
    /// One of `(`, `[` and `{` that has a partner.
    Open(u8),
    /// And that partner.
    Close(u8),
    /// Any other sign, a byte at a time.
    Mark(u8),
    /// What a preprocessor leaves out, and brackets without a partner.
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
    /// Of a bracket the index of the other one.
    pub(crate) partner: u32,
}

impl Token {
    /// Whether this is the sign.
    pub(crate) fn is(self, mark: u8) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    /// Whether the program would be the same without it.
    pub(crate) fn is_silent(self) -> bool {
        matches!(self.kind, TokenKind::Comment | TokenKind::Directive | TokenKind::Dead)
    }
}
