//! Lexer for Ruby, where the meaning of a character depends on the token before it.

use memchr::{memchr, memchr_iter, memmem};

use super::text::{closes_on_line, heredoc, percent_end, regex_end, text_end};
use crate::outline::by_line::heredocs::{Heredoc, Heredocs};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RubyTokenKind {
    /// A keyword, or a name that is not part of something else.
    Word,
    /// A name after a dot, a variable with a sign, a number, a string.
    Value,
    /// The name after `def`.
    Name,
    /// `name:`
    Label,
    Open(u8),
    /// `{` that opens a block.
    Block,
    /// `|a, b|`
    Parameters,
    Close(u8),
    Comma,
    Semicolon,
    Operator,
    Comment,
    /// A line break that ends a statement, unless the next line begins with a dot.
    Break,
}

/// A token; rows count from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct RubyToken {
    pub(super) kind: RubyTokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) row: u32,
    pub(super) last_row: u32,
    /// Kind of the token before it.
    pub(super) before: PrecedingToken,
    pub(super) after_blank: bool,
}

/// State after the last token, which decides what may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PrecedingToken {
    /// A statement begins.
    Start,
    /// A value must follow.
    Operator,
    /// A name that may have arguments.
    Name,
    Value,
    Dot,
}

/// Splits source text into tokens.
pub(super) struct RubyLexer<'t> {
    bytes: &'t [u8],
    at: usize,
    pub(super) row: u32,
    pub(super) before: PrecedingToken,
    /// Start of the line.
    pub(super) line: usize,
    after_def: bool,
    after_block: bool,
    pending: Vec<Heredoc>,
    heredocs: Heredocs,
    /// Rows with the operator of a here-document.
    pub(super) announced: Vec<u32>,
    pub(super) has_errors: bool,
}

impl<'t> RubyLexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            bytes: text.as_bytes(),
            at,
            row: 0,
            before: PrecedingToken::Start,
            line: at,
            after_def: false,
            after_block: false,
            pending: Vec::new(),
            heredocs: Heredocs::default(),
            announced: Vec::new(),
            has_errors: false,
        }
    }

    fn peek(&self, offset: usize) -> u8 {
        self.bytes.get(self.at + offset).copied().unwrap_or_default()
    }

    /// Indentation of the line.
    pub(super) fn indent(&self) -> u32 {
        self.bytes[self.line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32
    }

    pub(super) fn next(&mut self) -> Option<RubyToken> {
        let from = self.at;
        loop {
            if self.at == self.line && self.skips_lines() {
                continue;
            }
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => {
                    self.at += if self.peek(1) == b'\r' { 3 } else { 2 };
                    self.at = self.at.min(self.bytes.len());
                    self.row += 1;
                }
                b'\n' => {
                    let token = self.line_break();
                    if token.is_some() {
                        return token;
                    }
                }
                _ => return Some(self.token(byte, self.at > from)),
            }
        }
    }

    /// Skips `=begin` comments, and the rest of the file after `__END__`.
    fn skips_lines(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"=begin") {
            let end = memmem::find(rest, b"\n=end").map_or(self.bytes.len(), |length| self.at + length + 5);
            let end = memchr(b'\n', &self.bytes[end..]).map_or(self.bytes.len(), |length| end + length);
            self.row += memchr_iter(b'\n', &self.bytes[self.at..end]).count() as u32;
            self.at = end;
            return true;
        }
        if rest.starts_with(b"__END__") && matches!(rest.get(7), None | Some(b'\n' | b'\r')) {
            self.at = self.bytes.len();
        }
        false
    }

    /// Moves to the next line, past the here-documents of this one; returns a token if that may end a statement.
    fn line_break(&mut self) -> Option<RubyToken> {
        let (start, row, before) = (self.at, self.row, self.before);
        self.at += 1;
        self.row += 1;
        self.skip_heredocs();
        self.line = self.at;
        self.after_def = false;
        self.after_block = false;
        if matches!(before, PrecedingToken::Operator | PrecedingToken::Dot | PrecedingToken::Start) {
            return None;
        }
        self.before = PrecedingToken::Start;
        let last_row = self.row - 1;
        Some(RubyToken { kind: RubyTokenKind::Break, start, end: self.at, row, last_row, before, after_blank: false })
    }

    fn skip_heredocs(&mut self) {
        for document in std::mem::take(&mut self.pending) {
            match self.heredocs.end(self.bytes, document, self.at) {
                Some(end) => {
                    self.row += memchr_iter(b'\n', &self.bytes[self.at..end]).count() as u32;
                    // The last line may have no line break.
                    self.row += u32::from(end == self.bytes.len() && self.bytes.last() != Some(&b'\n'));
                    self.at = end;
                }
                None => self.has_errors = true,
            }
        }
    }

    fn token(&mut self, byte: u8, after_blank: bool) -> RubyToken {
        let (start, row, before) = (self.at, self.row, self.before);
        let (kind, end, after) = self.take(byte, after_blank);
        let mut end = end.clamp(start + 1, self.bytes.len());
        while self.bytes.get(end).is_some_and(|byte| matches!(byte, 0x80..=0xbf)) {
            end += 1;
        }
        self.after_def = kind == RubyTokenKind::Word && &self.bytes[start..end] == b"def";
        self.after_block =
            kind == RubyTokenKind::Block || (kind == RubyTokenKind::Word && &self.bytes[start..end] == b"do");
        if end - start > 1 {
            self.row += memchr_iter(b'\n', &self.bytes[start..end]).count() as u32;
            // A string that extends to a line break at the end of the file is not closed.
            self.has_errors |= end == self.bytes.len() && self.bytes[end - 1] == b'\n';
        }
        self.at = end;
        self.before = after;
        RubyToken { kind, start, end, row, last_row: self.row, before, after_blank }
    }

    /// Kind and end of the token that starts here, and the state after it.
    fn take(&mut self, byte: u8, after_blank: bool) -> (RubyTokenKind, usize, PrecedingToken) {
        let (at, next) = (self.at, self.peek(1));
        if byte == b'#' {
            let end = memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |length| at + length);
            return (RubyTokenKind::Comment, end, self.before);
        }
        if self.after_def {
            return (RubyTokenKind::Name, self.name_end(), PrecedingToken::Name);
        }
        if self.after_block && byte == b'|' {
            let end = memchr(b'|', &self.bytes[at + 1..]).map_or(at + 1, |length| at + length + 2);
            return (RubyTokenKind::Parameters, end, PrecedingToken::Start);
        }
        // After a name and a blank, a character that is not followed by a blank may start an
        // argument.
        let wants_value = match self.before {
            PrecedingToken::Start | PrecedingToken::Operator => true,
            PrecedingToken::Name => after_blank && !matches!(next, b' ' | b'\n' | b'\r' | b'='),
            PrecedingToken::Value | PrecedingToken::Dot => false,
        };
        let value = |end: usize| (RubyTokenKind::Value, end, PrecedingToken::Value);
        let operator = |end: usize| (RubyTokenKind::Operator, end, PrecedingToken::Operator);
        match byte {
            b'"' | b'\'' | b'`' if self.before != PrecedingToken::Dot => {
                let end = text_end(self.bytes, at + 1, byte, byte, byte != b'\'', 0);
                let is_label = self.bytes.get(end) == Some(&b':') && self.bytes.get(end + 1) != Some(&b':');
                if is_label
                    && matches!(self.before, PrecedingToken::Start | PrecedingToken::Operator | PrecedingToken::Name)
                    && byte != b'`'
                    && !self.in_ternary(end)
                {
                    return (RubyTokenKind::Label, end + 1, PrecedingToken::Operator);
                }
                value(end)
            }
            b'/' if wants_value && (self.before != PrecedingToken::Name || closes_on_line(self.bytes, at + 1)) => {
                value(regex_end(self.bytes, at + 1))
            }
            b'%' if wants_value => percent_end(self.bytes, at).map_or(operator(at + 1), value),
            b'<' if next == b'<' => self.shift_or_heredoc(wants_value),
            b'?' if wants_value && next != b' ' && !is_word(self.peek(2)) && !matches!(next, b'\n' | b'\r') => {
                value(at + if next == b'\\' { 3 } else { 2 })
            }
            b':' if next == b':' => (
                RubyTokenKind::Operator,
                at + 2,
                if wants_value { PrecedingToken::Operator } else { PrecedingToken::Dot },
            ),
            b':' if matches!(next, b'"' | b'\'') => value(text_end(self.bytes, at + 2, next, next, next == b'"', 0)),
            b':' if is_word(next) || matches!(next, b'@' | b'$') => value(self.symbol_end()),
            b':' if wants_value => value(self.operator_symbol_end()),
            b'@' => value(self.word_end(at + 1 + usize::from(next == b'@'))),
            b'$' if is_word(next) => value(self.word_end(at + 1)),
            b'$' => value(at + 2),
            b'(' => (RubyTokenKind::Open(byte), at + 1, PrecedingToken::Start),
            b'[' => (RubyTokenKind::Open(byte), at + 1, PrecedingToken::Operator),
            b'{' if matches!(self.before, PrecedingToken::Start | PrecedingToken::Operator) => {
                (RubyTokenKind::Open(byte), at + 1, PrecedingToken::Operator)
            }
            b'{' => (RubyTokenKind::Block, at + 1, PrecedingToken::Start),
            b')' | b']' | b'}' => (RubyTokenKind::Close(byte), at + 1, PrecedingToken::Value),
            b',' => (RubyTokenKind::Comma, at + 1, PrecedingToken::Operator),
            b';' => (RubyTokenKind::Semicolon, at + 1, PrecedingToken::Start),
            b'.' if next == b'.' => operator(at + 2 + usize::from(self.peek(2) == b'.')),
            b'.' => (RubyTokenKind::Operator, at + 1, PrecedingToken::Dot),
            b'&' if next == b'.' => (RubyTokenKind::Operator, at + 2, PrecedingToken::Dot),
            b'-' if next == b'>' => (RubyTokenKind::Operator, at + 2, PrecedingToken::Value),
            b'0'..=b'9' => value(self.number_end()),
            _ if is_word(byte) => self.word(),
            // `def !`, `x.+ y`
            _ if self.before == PrecedingToken::Dot => (RubyTokenKind::Value, at + 1, PrecedingToken::Name),
            _ => operator(at + 1),
        }
    }

    /// `a ? "b": c`
    fn in_ternary(&self, end: usize) -> bool {
        self.before == PrecedingToken::Operator
            && self.bytes[..self.at].trim_ascii_end().last() == Some(&b'?')
            && end > self.at
    }

    fn shift_or_heredoc(&mut self, wants_value: bool) -> (RubyTokenKind, usize, PrecedingToken) {
        let wants_value = wants_value
            || (self.before == PrecedingToken::Name
                && self.bytes.get(self.at.wrapping_sub(1)) == Some(&b' ')
                && self.peek(2) != b' ');
        let found = heredoc(self.bytes, self.at).filter(|_| wants_value);
        match found {
            Some(document) => {
                self.pending.push(document);
                self.announced.push(self.row);
                (RubyTokenKind::Value, document.end, PrecedingToken::Value)
            }
            None => (RubyTokenKind::Operator, self.at + 2, PrecedingToken::Operator),
        }
    }

    fn word(&mut self) -> (RubyTokenKind, usize, PrecedingToken) {
        let mut end = self.word_end(self.at);
        let byte_at = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        if matches!(byte_at(end), b'?' | b'!')
            && (byte_at(end + 1) != b'=' || matches!(byte_at(end + 2), b'=' | b'~' | b'>'))
        {
            // `x ?a:b` has a blank before the `?`, while `x?` is a name.
            end += 1;
        }
        let word = &self.bytes[self.at..end];
        if byte_at(end) == b':'
            && byte_at(end + 1) != b':'
            && self.before != PrecedingToken::Dot
            && !self.in_ternary(end)
        {
            return (RubyTokenKind::Label, end + 1, PrecedingToken::Operator);
        }
        if self.before == PrecedingToken::Dot {
            let after = if word.first().is_some_and(u8::is_ascii_uppercase) && byte_at(end) != b' ' {
                PrecedingToken::Value
            } else {
                PrecedingToken::Name
            };
            return (RubyTokenKind::Value, end, after);
        }
        if matches!(word, b"alias" | b"undef") && self.before == PrecedingToken::Start && byte_at(end) == b' ' {
            // Names follow, even if they look like keywords.
            let rest = &self.bytes[end..];
            let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'#' | b';' | b'}')).unwrap_or(rest.len());
            return (RubyTokenKind::Value, end + length, PrecedingToken::Value);
        }
        (RubyTokenKind::Word, end, after_word(word))
    }

    fn word_end(&self, from: usize) -> usize {
        let Some(rest) = self.bytes.get(from..) else { return self.bytes.len() };
        from + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
    }

    fn number_end(&self) -> usize {
        let end = self.word_end(self.at);
        if self.bytes.get(end) == Some(&b'.') && self.bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            self.word_end(end + 1)
        } else {
            end
        }
    }

    /// `:name`, `:name?`, `:name=`, `:@name`
    fn symbol_end(&self) -> usize {
        let signs = self.bytes[self.at + 1..].iter().take_while(|byte| matches!(byte, b'@' | b'$')).count();
        let end = self.word_end(self.at + 1 + signs);
        let byte_at = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        match byte_at(end) {
            b'?' | b'!' if byte_at(end + 1) != b'=' => end + 1,
            b'=' if !matches!(byte_at(end + 1), b'=' | b'~' | b'>') => end + 1,
            _ => end,
        }
    }

    /// `:[]`, `:<=>`
    fn operator_symbol_end(&self) -> usize {
        let marks = |byte: &&u8| {
            matches!(
                byte,
                b'[' | b']'
                    | b'<'
                    | b'>'
                    | b'='
                    | b'+'
                    | b'-'
                    | b'*'
                    | b'/'
                    | b'%'
                    | b'!'
                    | b'~'
                    | b'&'
                    | b'|'
                    | b'^'
                    | b'`'
            )
        };
        let mut length = self.bytes[self.at + 1..].iter().take(3).take_while(marks).count();
        // In `[:[]]` the last bracket closes the list.
        if self.bytes[self.at + 1..].starts_with(b"[]") && self.peek(3) == b']' {
            length = 2;
        }
        self.at + 1 + length
    }

    /// Name after `def`: `self.name=`, `==`, `end`.
    fn name_end(&self) -> usize {
        let mut at = self.at;
        let byte_at = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        if byte_at(at) == b'(' {
            // `def (object).name`
            let end = text_end(self.bytes, at + 1, b'(', b')', false, 0);
            at = if byte_at(end) == b'.' { end + 1 } else { at };
        }
        loop {
            let end = self.word_end(at + usize::from(matches!(byte_at(at), b'@' | b'$')));
            if end == at {
                let marks =
                    |byte: &&u8| !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b';' | b'#') && !is_word(**byte);
                return at + self.bytes[at..].iter().take(4).take_while(marks).count();
            }
            match byte_at(end) {
                b'.' => at = end + 1,
                b':' if byte_at(end + 1) == b':' => at = end + 2,
                b'?' | b'!' => return end + 1,
                b'=' if !matches!(byte_at(end + 1), b'=' | b'~' | b'>') => return end + 1,
                _ => return end,
            }
        }
    }
}

fn after_word(word: &[u8]) -> PrecedingToken {
    match word {
        b"if" | b"unless" | b"while" | b"until" | b"case" | b"when" | b"in" | b"and" | b"or" | b"not" | b"elsif"
        | b"for" => PrecedingToken::Operator,
        b"then" | b"else" | b"do" | b"begin" | b"ensure" | b"rescue" => PrecedingToken::Start,
        b"end" | b"self" | b"nil" | b"true" | b"false" | [b'A'..=b'Z', ..] => PrecedingToken::Value,
        _ => PrecedingToken::Name,
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
