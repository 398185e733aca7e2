//! Strings and comments of PHP, and the text outside its tags.

use memchr::{memchr, memmem};

use crate::outline::tokens::lexer::{Lexer, is_word};
use crate::outline::tokens::strings::{DEEPEST, braced_end, escaped_end};
use crate::outline::tokens::token::TokenKind;

/// End of the string, comment or text outside the tags that starts here.
pub(super) fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let (bytes, at) = (lexer.bytes, lexer.at);
    match bytes.get(at)? {
        b'\'' => Some((TokenKind::Text, escaped_end(bytes, at + 1, b'\'', true))),
        quote @ (b'"' | b'`') => Some((TokenKind::Text, holed_end(bytes, at + 1, *quote, 0))),
        b'#' if !lexer.follows(b"#[") => Some((TokenKind::Comment, comment_end(bytes, at))),
        b'?' if lexer.follows(b"?>") => Some((TokenKind::Text, program_start(bytes, at + 2))),
        b'<' if lexer.follows(b"<<<") => heredoc_end(lexer).map(|end| (TokenKind::Text, end)),
        // The rest of the file is data.
        b'_' if lexer.follows(b"__halt_compiler") => Some((TokenKind::Text, bytes.len())),
        _ => None,
    }
}

/// Start of the next code in a page: after `<?php` or a short form.
pub(crate) fn program_start(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(length) = bytes.get(at..).and_then(|rest| memmem::find(rest, b"<?")) {
        at += length + 2;
        let rest = &bytes[at..];
        if rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case(b"php")) {
            return at + 3;
        }
        if rest.first().is_none_or(|byte| *byte == b'=' || byte.is_ascii_whitespace()) {
            return at + usize::from(rest.first() == Some(&b'='));
        }
    }
    bytes.len()
}

/// A line comment also ends at a closing tag.
pub(crate) fn comment_end(bytes: &[u8], from: usize) -> usize {
    let line_end = memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |length| from + length);
    memmem::find(&bytes[from..line_end], b"?>").map_or(line_end, |length| from + length)
}

/// End of a string with `{$…}`, which may contain quotes.
fn holed_end(bytes: &[u8], from: usize, quote: u8, depth: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            b'{' if next == b'$' && depth < DEEPEST => at = hole_end(bytes, at + 1, depth),
            b'$' if next == b'{' && depth < DEEPEST => at = hole_end(bytes, at + 2, depth),
            _ => at += 1,
        }
    }
    bytes.len()
}

/// End of `{$…}` or `${…}` in a string.
fn hole_end(bytes: &[u8], from: usize, depth: usize) -> usize {
    braced_end(bytes, from, |at, byte| match byte {
        b'\'' => Some(escaped_end(bytes, at + 1, byte, true)),
        b'"' => Some(holed_end(bytes, at + 1, byte, depth + 1)),
        _ => None,
    })
}

/// `<<<MARK`, `<<<"MARK"` and `<<<'MARK'` end with a line that starts with the mark.
fn heredoc_end(lexer: &Lexer<'_>) -> Option<usize> {
    let bytes = lexer.bytes;
    let after_blanks =
        |from: usize| from + bytes[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = after_blanks(lexer.at + 3);
    let quotes = usize::from(matches!(bytes.get(start), Some(b'"' | b'\'')));
    let mark_end = lexer.word_end(start + quotes);
    let mark = &bytes[start + quotes..mark_end];
    let mut at = after_blanks((mark_end + quotes).min(bytes.len()));
    at += usize::from(bytes.get(at) == Some(&b'\r'));
    if mark.is_empty() || bytes.get(at) != Some(&b'\n') {
        return None;
    }
    while at < bytes.len() {
        let line = &bytes[at + 1..lexer.line_end(at + 1)];
        let content = line.trim_ascii_start();
        if content.starts_with(mark) && content.get(mark.len()).is_none_or(|byte| !is_word(*byte)) {
            return Some(at + 1 + line.len() - content.len() + mark.len());
        }
        at += 1 + line.len();
    }
    Some(bytes.len())
}
