//! A text taken apart into words, signs, brackets, strings and comments.

use memchr::{memchr, memmem};

use super::brackets::pair;
use super::markup::{self, Markup};
use super::strings;
use super::token::{Kind, Token};
use crate::outline::language::Language;

/// The tokens of a text, its brackets paired; and whether one has no partner.
pub(super) fn tokens(language: Language, text: &str) -> (Vec<Token>, bool) {
    let mut lexer = Lexer::new(language, text);
    while lexer.step() {}
    let mut tokens = lexer.tokens;
    let has_errors = pair(text, &mut tokens);
    (tokens, has_errors)
}

/// The text on the way to its tokens.
pub(super) struct Lexer<'t> {
    pub(super) language: Language,
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    row: u32,
    begins_line: bool,
    pub(super) tokens: Vec<Token>,
    /// Elements of JavaScript that are open.
    pub(super) markup: Markup,
}

impl<'t> Lexer<'t> {
    fn new(language: Language, text: &'t str) -> Self {
        let tokens = Vec::with_capacity(text.len() / 5);
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let markup = Markup::default();
        let mut lexer = Self { language, text, bytes: text.as_bytes(), at, row: 0, begins_line: true, tokens, markup };
        if text.starts_with("#!") && !text.starts_with("#![") {
            lexer.take(Kind::Comment, lexer.line_end(0));
        }
        // A page of PHP begins outside of the program.
        if language == Language::Php && lexer.at < text.len() {
            lexer.take(Kind::Text, strings::php::program_start(lexer.bytes, lexer.at));
        }
        lexer
    }

    /// Takes the next token; whether there was something to take.
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
            b'/' if self.follows(b"//") => self.take(Kind::Comment, self.line_comment_end()),
            b'/' if self.follows(b"/*") => self.take(Kind::Comment, self.comment_end()),
            b'#' if self.begins_line && has_directives(self.language) => {
                self.take(Kind::Directive, self.directive_end());
            }
            _ => match strings::text_end(self) {
                Some((kind, end)) => self.take(kind, end),
                None => self.take_plain(byte),
            },
        }
        true
    }

    fn take_plain(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.take(Kind::Open(byte), self.at + 1),
            b')' | b']' | b'}' => self.take(Kind::Close(byte), self.at + 1),
            b'0'..=b'9' => self.take(Kind::Number, self.number_end()),
            _ if is_word(byte) => self.take(Kind::Word, self.word_end(self.at)),
            _ => self.take(Kind::Mark(byte), self.at + 1),
        }
    }

    /// Makes everything up to `end` one token.
    pub(super) fn take(&mut self, kind: Kind, end: usize) {
        let end = end.clamp(self.at + 1, self.bytes.len());
        let breaks = memchr::memchr_iter(b'\n', &self.bytes[self.at..end]).count() as u32;
        let (start, row) = (self.at as u32, self.row);
        self.row += breaks;
        // A break at the end is still on the row that it ends.
        let last_row = self.row - u32::from(self.bytes[end - 1] == b'\n');
        self.tokens.push(Token { kind, start, end: end as u32, row, last_row, partner: 0 });
        self.at = end;
        self.begins_line = false;
    }

    /// Whether these bytes come next.
    pub(super) fn follows(&self, bytes: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(bytes)
    }

    /// The last token that says something.
    pub(super) fn previous(&self) -> Option<Token> {
        self.tokens.iter().rev().find(|token| !token.is_silent()).copied()
    }

    /// The text of a token.
    pub(super) fn text_of(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Where the line that `from` is on ends, without its break.
    pub(super) fn line_end(&self, from: usize) -> usize {
        memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |length| from + length)
    }

    /// Where the word that begins at `from` ends.
    pub(super) fn word_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        from + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
    }

    fn line_comment_end(&self) -> usize {
        match self.language {
            Language::Php => strings::php::comment_end(self.bytes, self.at),
            _ => self.line_end(self.at),
        }
    }

    fn comment_end(&self) -> usize {
        let nests = matches!(
            self.language,
            Language::Rust | Language::Kotlin | Language::Swift | Language::Scala | Language::Dart
        );
        let (mut depth, mut at) = (0_usize, self.at);
        while at < self.bytes.len() {
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

    /// A directive goes on after a line that ends with `\`, and through a comment of many lines.
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
                || (byte == b'\''
                    && next.is_ascii_alphanumeric()
                    && matches!(self.language, Language::C | Language::Cpp | Language::Cuda));
            if !goes_on {
                break;
            }
            at += 1;
        }
        at
    }
}

/// Whether a byte can stand in a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn has_directives(language: Language) -> bool {
    matches!(
        language,
        Language::C | Language::Cpp | Language::Cuda | Language::ObjectiveC | Language::CSharp | Language::Swift
    )
}
