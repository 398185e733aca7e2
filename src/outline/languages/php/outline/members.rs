//! Members of PHP's classes, interfaces, traits and enums.

use super::values::group;
use super::{after_attributes, after_modifiers, ends_statement, function_name, head_end, lowercase, statement_end};
use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;

/// Reads all members of a class.
pub(super) fn members(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    let mut at = reader.next_code(from, to);
    while at < to {
        let next = member(reader, at, to).max(at + 1);
        at = reader.next_code(next, to);
    }
}

/// Reads the member that starts here; returns the token after it.
fn member(reader: &mut TokenReader<'_>, at: usize, to: usize) -> usize {
    let keyword = after_modifiers(reader, after_attributes(reader, at, to), to);
    match lowercase(reader, keyword).as_str() {
        "function" => function(reader, DefinitionKind::Method, at, keyword, to),
        "const" => constants(reader, at, keyword, to),
        // `use Trait { … }`
        "use" => reader.close(head_end(reader, keyword, to)) + 1,
        "case" => after_end(reader, statement_end(reader, keyword, to)),
        _ => properties(reader, at, keyword, to),
    }
}

/// A function or method, with or without a body.
pub(super) fn function(
    reader: &mut TokenReader<'_>,
    kind: DefinitionKind,
    at: usize,
    keyword: usize,
    to: usize,
) -> usize {
    let Some(name) = function_name(reader, keyword, to) else { return keyword + 1 };
    let last = head_end(reader, name, to);
    let first = reader.first_row(at);
    reader.define(kind, reader.word(name), first, last);
    body(reader, first, last);
    reader.close(last) + 1
}

/// Records that a skeleton can omit a body, or the parts of it that contain no definitions.
fn body(reader: &mut TokenReader<'_>, first: usize, open: usize) {
    if !reader.opens(open, b'{') {
        return;
    }
    reader.fold_body(first, open, open);
    if reader.inside(open).is_none() {
        reader.value(open + 1, reader.close(open), group, false);
    }
}

/// `const A = 1, B = 2;`, possibly with a type before the first name.
pub(super) fn constants(reader: &mut TokenReader<'_>, at: usize, keyword: usize, to: usize) -> usize {
    let end = statement_end(reader, keyword, to);
    let mut from = reader.next_code(keyword + 1, end);
    while from < end {
        let (equals, last) = element(reader, from, end);
        if let Some(name) = reader.before(equals, from).filter(|name| reader.kind(*name) == TokenKind::Word) {
            variable(reader, DefinitionKind::Constant, at, (name, equals, last));
        }
        from = reader.next_code(last + 1, end);
    }
    after_end(reader, end)
}

/// Token after a statement; without a semicolon it ends before the next one.
fn after_end(reader: &TokenReader<'_>, end: usize) -> usize {
    end + usize::from(ends_statement(reader, end))
}

/// `public ?Type $a = 1, $b { get => … }`
fn properties(reader: &mut TokenReader<'_>, at: usize, from: usize, to: usize) -> usize {
    let end = statement_end(reader, from, to);
    let mut name = from;
    while name < end && !reader.word(name).starts_with('$') && !reader.opens(name, b'{') {
        name = reader.next(name, end);
    }
    while name < end && reader.kind(name) == TokenKind::Word {
        let (equals, last) = element(reader, name, end);
        let hooks_at = hooks_of(reader, equals, last);
        variable(reader, DefinitionKind::Property, at, (name, equals, last));
        if let Some(open) = hooks_at {
            hooks(reader, open);
            return reader.close(open) + 1;
        }
        name = reader.next_code(last + 1, end);
    }
    if reader.opens(name, b'{') { reader.close(name) + 1 } else { after_end(reader, end) }
}

/// The `=` before the value of one variable in a declaration, and the comma after it or the end of
/// the declaration.
fn element(reader: &TokenReader<'_>, from: usize, end: usize) -> (usize, usize) {
    let (mut at, mut equals) = (from, None);
    while at < end && !reader.is(at, b',') {
        if equals.is_none() && reader.is(at, b'=') {
            equals = Some(at);
        }
        // Hooks end a property without a semicolon.
        if reader.opens(at, b'{') && is_hooks(reader, at) {
            return (equals.unwrap_or(at), reader.close(at) + 1);
        }
        at = reader.next(at, end);
    }
    (equals.unwrap_or(at), at)
}

/// Records a constant or property, given its name, the `=` before its value, and the token after it.
fn variable(reader: &mut TokenReader<'_>, kind: DefinitionKind, at: usize, (name, equals, end): (usize, usize, usize)) {
    let Some(last) = reader.before(end, name) else { return };
    // Comments above the statement belong to the first name, and to others on its row.
    let shares_row = reader.row(at) == reader.row(name) || is_first(reader, at, name);
    let first = if shares_row { reader.first_row(at) } else { reader.first_row(name) };
    reader.define(kind, reader.word(name), first, last);
    reader.value(equals, end, group, false);
}

/// Returns true if this name is the first one declared in the statement.
fn is_first(reader: &TokenReader<'_>, at: usize, name: usize) -> bool {
    let mut it = at;
    while it < name {
        if reader.is(it, b'=') || reader.is(it, b',') {
            return false;
        }
        it = reader.next(it, name);
    }
    true
}

/// Returns true if a brace after a property opens the property's hooks, and is not part of its value.
fn is_hooks(reader: &TokenReader<'_>, open: usize) -> bool {
    let close = reader.close(open);
    let first = after_modifiers(reader, after_attributes(reader, open + 1, close), close);
    let first = reader.next_code(first, close);
    let name = if reader.is(first, b'&') { reader.next_code(first + 1, close) } else { first };
    let next = reader.next_code(name + 1, close);
    matches!(lowercase(reader, name).as_str(), "get" | "set")
        && (matches!(reader.kind(next), TokenKind::Open(b'{' | b'(') | TokenKind::Mark(b';'))
            || reader.joined(next, *b"=>"))
}

fn hooks_of(reader: &TokenReader<'_>, from: usize, end: usize) -> Option<usize> {
    let last = end.checked_sub(1)?;
    let open = match reader.kind(last) {
        TokenKind::Close(b'}') => reader.tokens[last].partner as usize,
        _ => return None,
    };
    (open >= from && is_hooks(reader, open)).then_some(open)
}

/// Folds the bodies of `{ get { … } set(string $value) { … } }`.
fn hooks(reader: &mut TokenReader<'_>, open: usize) {
    let close = reader.close(open);
    let mut at = reader.next_code(open + 1, close);
    while at < close {
        let last = head_end(reader, at, close);
        body(reader, reader.first_row(at), last);
        at = reader.next(last, close);
    }
}
