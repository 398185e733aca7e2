//! Go: top-level declarations; types, constants and variables may be grouped.

use crate::outline::definitions::DefinitionKind::{self, Constant, Function, Method, Type};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// Maximum number of tokens between `func` and its body, counting a bracket pair as one.
const LONGEST_HEAD: usize = 16;

/// Reads a whole file.
pub(crate) fn read(reader: &mut TokenReader<'_>) {
    let to = reader.tokens.len();
    let mut at = reader.next_code(0, to);
    while at < to {
        at = match reader.word(at) {
            "func" => function(reader, at, to),
            "type" => declaration(reader, at, to, Type),
            "const" | "var" => declaration(reader, at, to, Constant),
            _ => reader.next(at, to),
        };
        at = reader.next_code(at, to);
    }
}

fn function(reader: &mut TokenReader<'_>, start: usize, to: usize) -> usize {
    let first = reader.first_row(start);
    let mut name = reader.next(start, to);
    let kind = if reader.opens(name, b'(') {
        name = reader.next(name, to);
        Method
    } else {
        Function
    };
    let (mut at, mut last) = (name, name);
    while at < to {
        let begins_row = reader.row(at) > reader.last_row(last);
        if begins_row && matches!(reader.word(at), "func" | "type" | "const" | "var") {
            break;
        }
        if reader.opens(at, b'{') && !is_type(reader, at) {
            let close = reader.close(at);
            let text = reader.word(name);
            reader.define(kind, text, first, close);
            reader.fold_body(first, at, close);
            return close + 1;
        }
        last = at;
        at = reader.next(at, to);
    }
    // Implemented elsewhere in another language.
    let text = reader.word(name);
    reader.define(kind, text, first, last.min(to - 1));
    at
}

fn declaration(reader: &mut TokenReader<'_>, start: usize, to: usize, kind: DefinitionKind) -> usize {
    let name = reader.next(start, to);
    if !reader.opens(name, b'(') {
        return one(reader, start, name, to, kind);
    }
    let close = reader.close(name);
    let mut at = reader.next_code(name + 1, close);
    while at < close {
        let after = one(reader, at, at, close, kind);
        at = reader.next_code(after, close);
    }
    close + 1
}

/// A type, constant or variable, which ends with its line.
fn one(reader: &mut TokenReader<'_>, start: usize, name: usize, to: usize, kind: DefinitionKind) -> usize {
    if name >= to {
        return to;
    }
    let first = reader.first_row(start);
    let (mut at, mut last) = (reader.next(name, to), name);
    while at < to && !reader.is(at, b';') {
        let goes_on = matches!(reader.kind(last), TokenKind::Mark(_));
        if reader.row(at) > reader.last_row(last) && !goes_on {
            break;
        }
        last = at;
        at = reader.next(at, to);
    }
    let text = reader.word(name);
    reader.define(kind, text, first, last);
    if kind == Constant {
        reader.value(name, reader.close(last) + 1, group, false);
    }
    at.max(reader.close(last) + 1)
}

/// Returns true if the brace belongs to `struct{…}` or `interface{…}`.
fn is_type(reader: &TokenReader<'_>, at: usize) -> bool {
    reader.before(at, 0).is_some_and(|it| matches!(reader.word(it), "struct" | "interface"))
}

/// Purpose of a bracket in the value of a variable.
fn group(reader: &TokenReader<'_>, at: usize) -> BracketUse {
    let before = reader.before(at, 0).map(|it| reader.kind(it));
    match (reader.kind(at), before) {
        (TokenKind::Open(b'('), Some(TokenKind::Word | TokenKind::Close(_))) => BracketUse::Arguments,
        (TokenKind::Open(b'{'), _) if is_type(reader, at) => BracketUse::Other,
        (TokenKind::Open(b'{'), _) if is_closure(reader, at) => BracketUse::Closure,
        (TokenKind::Open(b'{'), _) => BracketUse::Table,
        _ => BracketUse::Other,
    }
}

/// Returns true if the brace follows `func`; `[]func(){…}` is a list of functions.
fn is_closure(reader: &TokenReader<'_>, at: usize) -> bool {
    let mut at = at;
    for _ in 0..LONGEST_HEAD {
        let Some(before) = reader.before(at, 0) else { return false };
        at = match reader.kind(before) {
            TokenKind::Close(_) => reader.tokens[before].partner as usize,
            TokenKind::Word if reader.word(before) == "func" => {
                return reader.before(before, 0).is_none_or(|it| reader.kind(it) != TokenKind::Close(b']'));
            }
            TokenKind::Word | TokenKind::Mark(b'*' | b'.') => before,
            _ => return false,
        };
    }
    false
}
