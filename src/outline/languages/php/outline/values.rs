//! Brackets in the values and statements of PHP.

use super::members::members;
use super::{definition_starts, lowercase};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// Purpose of an opening bracket in a value.
pub(super) fn group(reader: &TokenReader<'_>, open: usize) -> BracketUse {
    let Some(before) = reader.before(open, 0) else { return BracketUse::Other };
    match reader.kind(open) {
        TokenKind::Open(b'[') if reader.is(before, b'#') => BracketUse::Special(|_, _| {}),
        TokenKind::Open(b'[') if !is_indexed(reader, before) => BracketUse::Table,
        TokenKind::Open(b'(') if lowercase(reader, before) == "array" => BracketUse::Table,
        TokenKind::Open(b'(') if is_indexed(reader, before) => BracketUse::Arguments,
        TokenKind::Open(b'{') => block(reader, open, before),
        _ => BracketUse::Other,
    }
}

/// Returns true if the token ends something that can be called or indexed.
fn is_indexed(reader: &TokenReader<'_>, before: usize) -> bool {
    match reader.kind(before) {
        TokenKind::Word => !matches!(
            lowercase(reader, before).as_str(),
            "return"
                | "yield"
                | "from"
                | "echo"
                | "print"
                | "case"
                | "and"
                | "or"
                | "xor"
                | "clone"
                | "throw"
                | "fn"
                | "function"
                | "use"
                | "match"
                | "include"
                | "require"
                | "include_once"
                | "require_once"
                | "else"
        ),
        kind => matches!(kind, TokenKind::Close(_) | TokenKind::Text),
    }
}

/// A brace opens the body of an anonymous function or class, or the arms of `match`.
fn block(reader: &TokenReader<'_>, open: usize, before: usize) -> BracketUse {
    match owner(reader, before).as_str() {
        "function" if wraps_definitions(reader, open) => BracketUse::Other,
        "function" => BracketUse::Closure,
        "class" => BracketUse::Special(|reader, open| {
            let close = reader.close(open);
            reader.deeper(|reader| members(reader, open + 1, close));
        }),
        _ => BracketUse::Other,
    }
}

/// Maximum number of tokens in the head of a function or class, counting the parameters as one.
const LONGEST_HEAD: usize = 100;

/// Keyword of the block whose head ends with the token `last`.
fn owner(reader: &TokenReader<'_>, last: usize) -> String {
    let mut at = last;
    for _ in 0..LONGEST_HEAD {
        if let TokenKind::Close(_) = reader.kind(at) {
            at = reader.tokens[at].partner as usize;
            if reader.opens(at, b'{') {
                break;
            }
        }
        let word = lowercase(reader, at);
        let is_made = |class: usize| reader.before(class, 0).is_some_and(|new| makes(reader, new));
        if matches!(word.as_str(), "function" | "fn" | "match") || (word == "class" && is_made(at)) {
            return word;
        }
        let is_head = word.is_empty()
            && !matches!(
                reader.kind(at),
                TokenKind::Open(_) | TokenKind::Mark(b':' | b'?' | b'|' | b'&' | b'\\' | b',')
            );
        match reader.before(at, 0) {
            Some(before) if !is_head => at = before,
            _ => break,
        }
    }
    String::new()
}

/// Returns true after `new` and any words allowed between it and `class`.
fn makes(reader: &TokenReader<'_>, at: usize) -> bool {
    matches!(lowercase(reader, at).as_str(), "new" | "readonly" | "final") || reader.kind(at) == TokenKind::Close(b']')
}

/// Returns true if the body of a function argument contains mostly definitions and calls with
/// function arguments; a marker would hide too much.
fn wraps_definitions(reader: &TokenReader<'_>, open: usize) -> bool {
    let close = reader.close(open);
    let (mut framed, mut all) = (0, 0);
    let mut at = reader.next_code(open + 1, close);
    while at < close {
        let (end, ends_in_function) = statement(reader, at, close);
        let rows = reader.row(end.min(close)).max(reader.row(at)) + 1 - reader.row(at);
        all += rows;
        framed += if ends_in_function { rows } else { 0 };
        at = reader.next_code(end + 1, close);
    }
    framed * 2 >= all && framed >= 3 && is_passed(reader, open)
}

/// Last token of a statement, and true if the statement is a definition or ends with a function argument.
fn statement(reader: &TokenReader<'_>, from: usize, to: usize) -> (usize, bool) {
    let defines = definition_starts(reader, from, to);
    let (mut at, mut last) = (from, from);
    while at < to && !reader.is(at, b';') {
        last = at;
        at = reader.next(at, to);
        if defines && reader.opens(last, b'{') {
            return (reader.close(last), true);
        }
    }
    let passed = reader.close(last).checked_sub(1).filter(|_| reader.opens(last, b'('));
    let body = passed
        .filter(|body| reader.kind(*body) == TokenKind::Close(b'}'))
        .map(|body| reader.tokens[body].partner as usize);
    let is_function = |body: usize| reader.before(body, 0).is_some_and(|before| owner(reader, before) == "function");
    (at, body.is_some_and(is_function))
}

/// Returns true if the function with this body is in parentheses.
fn is_passed(reader: &TokenReader<'_>, open: usize) -> bool {
    matches!(reader.kind(reader.close(open) + 1), TokenKind::Close(b')') | TokenKind::Mark(b','))
}
