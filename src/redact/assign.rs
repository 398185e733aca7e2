//! The assignment matcher: a name that suggests a secret, an operator in any syntax, a value.

use super::operator::{Cursor, ExpectedValue, operator};
use super::value::{Notation, is_secret};
use super::word_password::is_word_password;
use super::words::{Strength, strength};

/// Maximum lengths of names and values, so that every step is bounded.
const NAME_REACH: usize = 80;
const VALUE_REACH: usize = 2048;
/// Maximum length of an unquoted value. Such a value has no closing delimiter, so if the input is full of names, every
/// check could read to the end; the limit keeps the total time linear.
pub(super) const BARE_REACH: usize = 2048;
pub(super) const SHORT_REACH: usize = 64;

/// A match of the assignment matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assignment {
    pub start: usize,
    pub end: usize,
    pub strength: Strength,
}

/// Properties of the file, and the number of bytes checked so far.
#[derive(Debug)]
pub(super) struct ScanState {
    /// True if unquoted values in this file are always literals.
    pub literal: bool,
    pub bare_reach: usize,
    pub judged: usize,
}

/// Extends `start..end` to the whole name: letters, digits and separators on both sides.
pub(super) fn name_around(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let mut from = start;
    while from > 0 && is_name_byte(text[from - 1]) {
        from -= 1;
        if start - from > NAME_REACH {
            return None;
        }
    }
    let mut to = end;
    while to < text.len() && is_name_byte(text[to]) {
        to += 1;
        if to - end > NAME_REACH {
            return None;
        }
    }
    // `"\nTOKEN=…"` in a string: the `n` belongs to the escape.
    if from > 0 && text[from - 1] == b'\\' && from < start && matches!(text[from], b'n' | b't' | b'r') {
        from += 1;
    }
    while to > end && matches!(text[to - 1], b'-' | b'.') {
        to -= 1;
    }
    Some((from, to))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Checks the name `from..to` and the value after it.
pub(super) fn find(
    text: &[u8],
    from: usize,
    to: usize,
    limits: &mut ScanState,
    is_provider: impl Fn(&str) -> bool,
) -> Option<Assignment> {
    let name = text.get(from..to)?;
    if is_public_place(text, from) {
        return None;
    }
    let strength = match strength(name, is_provider)? {
        Strength::Weak if follows_modifier(text, from, name) => Strength::Token,
        strength => strength,
    };
    let mut cursor = Cursor { text, at: to };
    let spot = operator(&mut cursor, from, limits.literal)?;
    for value in values(text, cursor.at, spot, limits.bare_reach) {
        limits.judged += value.1 - value.0;
        let (content, form) = (&text[value.0..value.1], value.2);
        let is_word = || {
            strength == Strength::Password
                && matches!(form, Notation::Quoted | Notation::Literal)
                && is_word_password(name, content)
        };
        if is_secret(content, strength, form) || is_word() {
            return Some(Assignment { start: value.0, end: value.1, strength });
        }
    }
    None
}

/// Returns true if the name is part of a public identifier: `arn:aws:secretsmanager:…:secret:name`, `did:key:z6…`,
/// `badge.svg?token=x`.
fn is_public_place(text: &[u8], from: usize) -> bool {
    let before = &text[from.saturating_sub(120)..from];
    let word = before.rsplit(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'='));
    let word = word.into_iter().next().unwrap_or_default();
    word.ends_with(b".svg?") || (word.ends_with(b":") && (word.starts_with(b"arn:") || word == b"did:"))
}

/// Returns true if the word before `key` makes it a secret: `API key`, `secret key` in prose and tables.
fn follows_modifier(text: &[u8], from: usize, name: &[u8]) -> bool {
    let before = &text[from.saturating_sub(16)..from];
    let Some(before) = before.strip_suffix(b" ") else { return false };
    let word = before.rsplit(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    name.eq_ignore_ascii_case(b"key")
        && ["api", "secret", "access", "private"].iter().any(|modifier| word.eq_ignore_ascii_case(modifier.as_bytes()))
}

/// Candidate values from `at` on: the value itself, then the literal of a fallback (`x || "…"`).
fn values(text: &[u8], at: usize, spot: ExpectedValue, reach: usize) -> Vec<(usize, usize, Notation)> {
    let mut list = Vec::new();
    if spot == ExpectedValue::Element {
        let start =
            at + text[at.min(text.len())..].iter().take(80).take_while(|byte| byte.is_ascii_whitespace()).count();
        let wrapper = b"<![CDATA[";
        let start = if text[start..].starts_with(wrapper) { start + wrapper.len() } else { start };
        let end = scan(text, start, |byte| matches!(byte, b'<' | b'\n' | b'\r' | b']'));
        // `https://<user>:<password>@host` is not a tag.
        if text.get(end).is_some() && text[start] != b'@' {
            let end = trim_end(text, start, end);
            list.push((start, end, Notation::Quoted));
        }
        return list;
    }
    let mut at = at;
    // `b"…"`, `f'…'`, `@"…"`, `["…"]`, `("…")`, `new String("…")` are also literals.
    while at < text.len() && matches!(text[at], b' ' | b'\t' | b'[' | b'(' | b'{') {
        at += 1;
    }
    // `{ value: "…" }`
    if text[at..].starts_with(b"value: ") {
        at += b"value: ".len();
    }
    let quote = (at..text.len().min(at + 3)).find(|&index| matches!(text[index], b'"' | b'\'' | b'`'));
    if let Some(quote) = quote
        && text[at..quote]
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'@' | b'$' | b'\\' | b'#' | b'*' | b'&'))
    {
        let form = if matches!(spot, ExpectedValue::Listed | ExpectedValue::Spaced) {
            Notation::Listed
        } else {
            Notation::Quoted
        };
        list.extend(quoted(text, quote).map(|(start, end)| (start, end, form)));
        return list;
    }
    let limit = text.len().min(at + 160);
    let line = (at..limit).find(|&index| matches!(text[index], b'\n' | b'\r')).unwrap_or(limit);
    if spot != ExpectedValue::QuotedOnly && spot != ExpectedValue::Listed {
        let form = match spot {
            ExpectedValue::Literal => Notation::Literal,
            ExpectedValue::Spaced => return bare(text, at, Notation::Spaced, reach).into_iter().collect(),
            _ => Notation::Bare,
        };
        list.extend(bare(text, at, form, reach));
    }
    list.extend(wrapped(text, at, line.min(at + 60)));
    list.extend(fallback(text, at, line));
    list
}

/// The quoted value that starts at `quote`; `None` if it is not closed on its line.
fn quoted(text: &[u8], quote: usize) -> Option<(usize, usize)> {
    let mark = text[quote];
    let mut start = quote + 1;
    let triple = text.get(start) == Some(&mark) && text.get(start + 1) == Some(&mark);
    if triple {
        start += 2;
        start += text[start..].iter().take(2).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    }
    let escaped = quote > 0 && text[quote - 1] == b'\\';
    let mut at = start;
    while at < text.len() && at - start < VALUE_REACH {
        match text[at] {
            b'\n' | b'\r' => return triple.then_some((start, at)),
            b'\\' if escaped && text.get(at + 1) == Some(&mark) => return Some((start, at)),
            b'\\' => at += 1,
            byte if byte == mark => return Some((start, at)),
            _ => {}
        }
        at += 1;
    }
    None
}

/// An unquoted value, up to white space or the end of the enclosing expression.
fn bare(text: &[u8], at: usize, form: Notation, reach: usize) -> Option<(usize, usize, Notation)> {
    let mut end = at;
    while end < text.len() && end - at < reach {
        match text[end] {
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b',' | b';' | b'<' | b'>' | b'|' | b')' | b']'
            | b'}' => break,
            b'&' if next_argument(&text[end + 1..]) => break,
            b'\\' if matches!(text.get(end + 1), Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\\') | None) => break,
            _ => end += 1,
        }
    }
    // An unquoted word followed by a bracket is an expression.
    if end == at || end - at == reach || text[at..end].iter().any(|byte| matches!(byte, b'(' | b'[' | b'{')) {
        return None;
    }
    // In prose, more words follow; an unquoted literal ends its line, field or argument.
    Some((at, trim_end(text, at, end), form))
}

/// Returns true if `&` starts the next URL parameter or command, rather than being part of a password.
fn next_argument(rest: &[u8]) -> bool {
    let name = rest.iter().take(40).take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-[]%".contains(byte)).count();
    match rest.get(name) {
        Some(b'=' | b';') => name > 0,
        None | Some(b' ' | b'\n' | b'\r' | b'&' | b'"' | b'\'') => name == 0,
        _ => false,
    }
}

/// The literal in `[]byte("literal")`, `SecretString::from("literal")`.
fn wrapped(text: &[u8], at: usize, line: usize) -> Option<(usize, usize, Notation)> {
    let open = at + text.get(at..line)?.iter().position(|byte| *byte == b'(')?;
    let constructor = text[at..open].iter().all(|byte| byte.is_ascii_alphanumeric() || b" _.:[]&*<>".contains(byte));
    let quote = text.get(open + 1).is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    if constructor && quote { quoted(text, open + 1).map(|(start, end)| (start, end, Notation::Listed)) } else { None }
}

/// The literal in `getenv("X") || "literal"`, `x ?? 'literal'`, `a if x else "literal"`, `field(default="literal")`.
fn fallback(text: &[u8], at: usize, line: usize) -> Option<(usize, usize, Notation)> {
    let rest = text.get(at..line)?;
    for sign in [&b"|| "[..], b"?? ", b" or ", b"?: ", b" else ", b"default=", b"default: "] {
        if let Some(found) = rest.windows(sign.len()).position(|window| window == sign) {
            let open = at + found + sign.len();
            if matches!(text.get(open), Some(b'"' | b'\'' | b'`')) {
                return quoted(text, open).map(|(start, end)| (start, end, Notation::Quoted));
            }
        }
    }
    None
}

fn scan(text: &[u8], at: usize, stop: impl Fn(u8) -> bool) -> usize {
    let limit = text.len().min(at + VALUE_REACH);
    (at..limit).find(|&index| stop(text[index])).unwrap_or(limit)
}

fn trim_end(text: &[u8], start: usize, end: usize) -> usize {
    let mut end = end;
    while end > start && (text[end - 1].is_ascii_whitespace() || matches!(text[end - 1], b'.' | b':' | b'\\')) {
        end -= 1;
    }
    end
}

#[cfg(test)]
#[path = "assign_tests.rs"]
mod tests;
