//! Strings, characters and lifetimes of Rust.

use crate::outline::tokens::lexer::{Lexer, is_word};
use crate::outline::tokens::strings::{after, escaped_end};
use crate::outline::tokens::token::TokenKind;

/// End of the string, character, lifetime or raw name that starts here.
pub(super) fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let rest = &lexer.bytes[lexer.at..];
    match rest.first()? {
        b'"' => Some((TokenKind::Text, escaped_end(lexer.bytes, lexer.at + 1, b'"', true))),
        b'\'' => quote(lexer),
        b'b' | b'c' | b'r' => prefixed(lexer, rest),
        _ => None,
    }
}

/// `'a'` is a character, `'a` a lifetime, which is treated as a name.
fn quote(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let from = lexer.at + 1;
    let character = lexer.text.get(from..)?.chars().next()?;
    let after = from + character.len_utf8();
    if character == '\\' {
        return Some((TokenKind::Text, escaped_end(lexer.bytes, from, b'\'', false)));
    }
    if character != '\'' && lexer.bytes.get(after) == Some(&b'\'') {
        return Some((TokenKind::Text, after + 1));
    }
    is_word(*lexer.bytes.get(from)?).then(|| (TokenKind::Word, lexer.word_end(from)))
}

/// `b'x'`, `b"…"`, `c"…"`, `r"…"`, `br##"…"##`, and `r#type`, which is a name.
fn prefixed(lexer: &Lexer<'_>, rest: &[u8]) -> Option<(TokenKind, usize)> {
    let letters = rest.iter().take(2).take_while(|byte| matches!(byte, b'b' | b'c' | b'r')).count();
    let is_raw = rest[..letters].ends_with(b"r");
    let marks = if is_raw { rest[letters..].iter().take_while(|byte| **byte == b'#').count() } else { 0 };
    let from = lexer.at + letters + marks;
    match rest.get(letters + marks)? {
        b'"' if is_raw => {
            let mut closing = vec![b'"'];
            closing.resize(marks + 1, b'#');
            Some((TokenKind::Text, after(lexer.bytes, from + 1, &closing)))
        }
        b'"' => Some((TokenKind::Text, escaped_end(lexer.bytes, from + 1, b'"', true))),
        b'\'' if letters == 1 && !is_raw => Some((TokenKind::Text, escaped_end(lexer.bytes, from + 1, b'\'', false))),
        byte if marks == 1 && letters == 1 && is_word(*byte) => Some((TokenKind::Word, lexer.word_end(from))),
        _ => None,
    }
}
