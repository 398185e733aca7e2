//! Splits source text into words, punctuation, brackets, strings and comments.

use std::cell::Cell;

use memchr::{memchr, memmem};

use super::brackets::pair;
use super::markup::{self, Markup};
use super::strings;
use crate::outline::steps;
use crate::outline::tokens::token::{Token, TokenKind};

/// A language's syntax of comments, strings and directives.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(crate) struct LexicalSyntax {
    pub(crate) line_comment: &'static [u8],
    /// True if `/* … */` is a comment.
    pub(crate) block_comments: bool,
    /// True if block comments nest.
    pub(crate) nested_comments: bool,
    /// True if `#` at the start of a line is a preprocessor directive.
    pub(crate) directives: bool,
    /// True if `'` separates the digits of a number.
    pub(crate) quoted_digits: bool,
    /// Kind and end of the string, comment or special word at the lexer's position; `None` if there is none.
    pub(crate) text_end: fn(&Lexer<'_>) -> Option<(TokenKind, usize)>,
    /// End of a line comment, if it can end before the line does.
    pub(crate) line_comment_end: Option<fn(&[u8], usize) -> usize>,
    /// Start of the code in a page of text.
    pub(crate) program_start: Option<fn(&[u8], usize) -> usize>,
    /// Returns true if a markup element may start at the lexer's position; `None` for languages without elements.
    pub(crate) element_may_begin: Option<fn(&Lexer<'_>) -> bool>,
}

impl LexicalSyntax {
    /// `//`, `/* */`, and `"…"` and `'…'` on one line.
    pub(crate) const C_LIKE: Self = Self {
        line_comment: b"//",
        block_comments: true,
        nested_comments: false,
        directives: false,
        quoted_digits: false,
        text_end: |lexer| Some((TokenKind::Text, strings::quoted(lexer)?)),
        line_comment_end: None,
        program_start: None,
        element_may_begin: None,
    };
}

/// Tokens of `text` with brackets paired, and true if a bracket has no partner.
pub(crate) fn tokens(syntax: &'static LexicalSyntax, text: &str) -> (Vec<Token>, bool) {
    let mut lexer = Lexer::new(syntax, text);
    while lexer.step() {}
    let mut tokens = lexer.tokens;
    let has_errors = pair(text, &mut tokens);
    (tokens, has_errors)
}

/// State of the lexer: the text, and the tokens so far.
pub(crate) struct Lexer<'t> {
    pub(crate) syntax: &'static LexicalSyntax,
    pub(crate) text: &'t str,
    pub(crate) bytes: &'t [u8],
    pub(crate) at: usize,
    row: u32,
    begins_line: bool,
    pub(crate) tokens: Vec<Token>,
    /// Open JavaScript elements.
    pub(crate) markup: Markup,
    /// True after an unclosed multi-line string; searching for the end of each later one would take quadratic time.
    pub(crate) unterminated: Cell<bool>,
}

impl<'t> Lexer<'t> {
    fn new(syntax: &'static LexicalSyntax, text: &'t str) -> Self {
        let tokens = Vec::with_capacity(text.len() / 5);
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let markup = Markup::default();
        let mut lexer = Self {
            syntax,
            text,
            bytes: text.as_bytes(),
            at,
            row: 0,
            begins_line: true,
            tokens,
            markup,
            unterminated: Cell::new(false),
        };
        if text.starts_with("#!") && !text.starts_with("#![") {
            lexer.take(TokenKind::Comment, lexer.line_end(0));
        }
        if let Some(start) = syntax.program_start.filter(|_| lexer.at < text.len()) {
            lexer.take(TokenKind::Text, start(lexer.bytes, lexer.at));
        }
        lexer
    }

    /// Reads the next token; returns false at the end.
    fn step(&mut self) -> bool {
        if markup::step(self) {
            return true;
        }
        let Some(&byte) = self.bytes.get(self.at) else { return false };
        match byte {
            b'\n' => {
                self.row += 1;
                self.begins_line = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
            b'/' if self.syntax.block_comments && self.follows(b"/*") => {
                self.take(TokenKind::Comment, self.comment_end());
            }
            _ if self.follows(self.syntax.line_comment) => self.take(TokenKind::Comment, self.line_comment_end()),
            b'#' if self.begins_line && self.syntax.directives => {
                self.take(TokenKind::Directive, self.directive_end());
            }
            _ => match (self.syntax.text_end)(self) {
                Some((kind, end)) => self.take(kind, end),
                None => self.take_plain(byte),
            },
        }
        true
    }

    fn take_plain(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.take(TokenKind::Open(byte), self.at + 1),
            b')' | b']' | b'}' => self.take(TokenKind::Close(byte), self.at + 1),
            b'0'..=b'9' => self.take(TokenKind::Number, self.number_end()),
            _ if is_word(byte) => self.take(TokenKind::Word, self.word_end(self.at)),
            _ => self.take(TokenKind::Mark(byte), self.at + 1),
        }
    }

    /// Turns everything up to `end` into one token.
    pub(crate) fn take(&mut self, kind: TokenKind, end: usize) {
        let end = end.clamp(self.at + 1, self.bytes.len());
        steps::count(end - self.at);
        let breaks = memchr::memchr_iter(b'\n', &self.bytes[self.at..end]).count() as u32;
        let (start, row) = (self.at as u32, self.row);
        self.row += breaks;
        // A line break at the end belongs to the row that it ends.
        let last_row = self.row - u32::from(self.bytes[end - 1] == b'\n');
        self.tokens.push(Token { kind, start, end: end as u32, row, last_row, partner: 0 });
        self.at = end;
        self.begins_line = false;
    }

    /// Returns true if these bytes come next.
    pub(crate) fn follows(&self, bytes: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(bytes)
    }

    /// The last significant token.
    pub(crate) fn previous(&self) -> Option<Token> {
        self.tokens.iter().rev().inspect(|_| steps::count(1)).find(|token| !token.is_silent()).copied()
    }

    /// The text of a token.
    pub(crate) fn text_of(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// End of the line that contains `from`, without its line break.
    pub(crate) fn line_end(&self, from: usize) -> usize {
        let end = memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |length| from + length);
        steps::count(end - from);
        end
    }

    /// End of the word that starts at `from`.
    pub(crate) fn word_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        steps::count(length);
        from + length
    }

    fn line_comment_end(&self) -> usize {
        self.syntax.line_comment_end.map_or_else(|| self.line_end(self.at), |end| end(self.bytes, self.at))
    }

    fn comment_end(&self) -> usize {
        let nests = self.syntax.nested_comments;
        let (mut depth, mut at) = (0_usize, self.at);
        while at < self.bytes.len() {
            steps::count(1);
            let rest = &self.bytes[at..];
            if rest.starts_with(b"/*") && (nests || depth == 0) {
                depth += 1;
                at += 2;
            } else if rest.starts_with(b"*/") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            } else {
                at += 1 + if nests { memchr::memchr2(b'/', b'*', &rest[1..]) } else { memmem::find(&rest[1..], b"*/") }
                    .unwrap_or(rest.len());
            }
        }
        self.bytes.len()
    }

    /// A directive continues after a line that ends with `\`, and through a multi-line comment.
    fn directive_end(&self) -> usize {
        let mut at = self.at;
        loop {
            let end = self.line_end(at);
            let line = &self.text[at..end];
            if let Some(comment) = line.rfind("/*").filter(|from| !line[*from..].contains("*/") && !line.contains("//"))
            {
                return self.at.max(at + comment);
            }
            if end == self.bytes.len() || !line.trim_end_matches('\r').ends_with('\\') {
                return end;
            }
            at = end + 1;
        }
    }

    /// `1_000.5e3`, `0xff`, `1'000`.
    fn number_end(&self) -> usize {
        let mut at = self.at;
        while let Some(&byte) = self.bytes.get(at) {
            let next = self.bytes.get(at + 1).copied().unwrap_or_default();
            let goes_on = is_word(byte)
                || (byte == b'.' && next.is_ascii_digit())
                || (byte == b'\'' && next.is_ascii_alphanumeric() && self.syntax.quoted_digits);
            if !goes_on {
                break;
            }
            at += 1;
        }
        at
    }
}

/// Returns true if a byte can be part of a name.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
