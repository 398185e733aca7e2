//! Rust: items with their attributes, in files, modules, traits and implementations.

mod heads;
#[cfg(test)]
mod tests;
mod values;

use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use heads::{after_attributes, after_modifiers, head_end, implementation_name, item_starts, macro_group};
use values::group;

pub(crate) fn read(reader: &mut TokenReader<'_>) {
    items(reader, 0, reader.tokens.len());
}

/// Reads all items of a level.
fn items(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    let mut at = reader.next_code(from, to);
    while at < to {
        let next = item(reader, at, to).max(at + 1);
        at = reader.next_code(next, to);
    }
}

/// Reads the item that starts here; returns the token after it.
fn item(reader: &mut TokenReader<'_>, at: usize, to: usize) -> usize {
    let start = after_attributes(reader, at, to);
    if reader.is(start, b'#') {
        // `#![…]` applies to the enclosing item.
        let bracket = reader.next_code(reader.next_code(start + 1, to) + 1, to);
        return reader.close(bracket) + 1;
    }
    let keyword = after_modifiers(reader, start, to);
    let name = reader.next_code(keyword + 1, to);
    let is_named = reader.kind(name) == TokenKind::Word;
    let first = reader.first_row(at);
    if reader.kind(keyword) != TokenKind::Word {
        return other(reader, keyword, to);
    }
    match reader.word(keyword) {
        "fn" if is_named => function(reader, first, name, to),
        "struct" | "enum" | "union" if is_named => {
            let last = head_end(reader, name, to, b"{;");
            reader.define(DefinitionKind::Type, reader.word(name), first, last);
            reader.close(last) + 1
        }
        "trait" if is_named => block(reader, DefinitionKind::Type, reader.word(name), first, name, to),
        "mod" if is_named => block(reader, DefinitionKind::Module, reader.word(name), first, name, to),
        "impl" => {
            let end = head_end(reader, keyword, to, b"{;");
            let title = implementation_name(reader, keyword, end);
            if title.is_empty() {
                return reader.close(end) + 1;
            }
            block(reader, DefinitionKind::Implementation, &title, first, keyword, to)
        }
        "type" if is_named => {
            let last = statement_end(reader, name, to);
            reader.define(DefinitionKind::Type, reader.word(name), first, last);
            last + 1
        }
        "const" | "static" if is_named => constant(reader, first, name, to),
        "extern" => foreign(reader, keyword, to),
        "use" => statement_end(reader, keyword, to) + 1,
        "macro_rules" if reader.is(name, b'!') => macro_rules(reader, first, name, to),
        _ => other(reader, keyword, to),
    }
}

fn function(reader: &mut TokenReader<'_>, first: usize, name: usize, to: usize) -> usize {
    let last = head_end(reader, name, to, b"{;");
    let is_method = matches!(reader.around(), Some(DefinitionKind::Type | DefinitionKind::Implementation));
    let kind = if is_method { DefinitionKind::Method } else { DefinitionKind::Function };
    reader.define(kind, reader.word(name), first, last);
    if reader.opens(last, b'{') {
        reader.fold_body(first, last, last);
        if reader.inside(last).is_none() {
            reader.value(last + 1, reader.close(last), group, false);
        }
    }
    reader.close(last) + 1
}

/// An item that ends with a block or with a semicolon.
fn block(reader: &mut TokenReader<'_>, kind: DefinitionKind, name: &str, first: usize, at: usize, to: usize) -> usize {
    let last = head_end(reader, at, to, b"{;");
    let definition = reader.define(kind, name, first, last);
    let close = reader.close(last);
    if close > last {
        reader.within(definition, |reader| items(reader, last + 1, close));
    }
    close + 1
}

/// `const NAME: Type = value;`; the value may be a block with items.
fn constant(reader: &mut TokenReader<'_>, first: usize, at: usize, to: usize) -> usize {
    let name = if reader.is_word(at, "mut") { reader.next_code(at + 1, to) } else { at };
    let last = statement_end(reader, name, to);
    let definition = reader.define(DefinitionKind::Constant, reader.word(name), first, last);
    let value = reader.next_code(head_end(reader, name, last, b"=") + 1, last);
    if reader.opens(value, b'{') {
        let close = reader.close(value);
        reader.within(definition, |reader| items(reader, value + 1, close));
    } else {
        reader.value(value, last, group, false);
    }
    last + 1
}

/// `extern "C" { … }` and `extern crate name;`
fn foreign(reader: &mut TokenReader<'_>, at: usize, to: usize) -> usize {
    let last = head_end(reader, at, to, b"{;");
    let close = reader.close(last);
    if close > last {
        reader.deeper(|reader| items(reader, last + 1, close));
    }
    close + 1
}

/// `macro_rules! name { (…) => {…}; … }`
fn macro_rules(reader: &mut TokenReader<'_>, first: usize, mark: usize, to: usize) -> usize {
    let name = reader.next_code(mark + 1, to);
    let open = reader.next_code(name + 1, to);
    let close = reader.close(open);
    let semicolon = reader.next_code(close + 1, to);
    let last = if !reader.opens(open, b'{') && reader.is(semicolon, b';') { semicolon } else { close };
    reader.define(DefinitionKind::Macro, reader.word(name), first, last);
    let mut at = reader.next_code(open + 1, close);
    while at < close {
        at = rule(reader, at, close);
    }
    last + 1
}

/// Folds the expansion of a macro rule; returns the start of the next rule.
fn rule(reader: &mut TokenReader<'_>, at: usize, to: usize) -> usize {
    let mut body = at;
    while body < to && !reader.is(body, b'>') && !reader.is(body, b';') {
        body = reader.next(body, to);
    }
    let mut last = body;
    if reader.is(body, b'>') {
        body = reader.next_code(body + 1, to);
        last = body;
        let mut close = reader.close(body);
        // `=> {{ … }}`: the inner pair holds the body.
        while body + 1 < close
            && reader.close(body + 1) == close - 1
            && reader.row(body + 1) == reader.row(body)
            && reader.row(close - 1) == reader.row(close)
        {
            body += 1;
            close -= 1;
        }
        if close > body {
            reader.fold_body(reader.first_row(at), body, last);
        }
    }
    let mut next = reader.next(last, to);
    while next < to && reader.is(next, b';') {
        next = reader.next(next, to);
    }
    next
}

/// Semicolon that ends a statement; if there is none, the last token before the next item.
fn statement_end(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while at < to && !reader.is(at, b';') {
        at = reader.next(at, to);
        if item_starts(reader, at, to) {
            break;
        }
    }
    if at < to && reader.is(at, b';') { at } else { reader.before(at, from).unwrap_or(from) }
}

/// Token after anything else: macro calls, statements in blocks.
fn other(reader: &mut TokenReader<'_>, from: usize, to: usize) -> usize {
    if let Some(open) = macro_group(reader, from, to) {
        return reader.close(open) + 1;
    }
    let mut at = from;
    while at < to && !reader.is(at, b';') {
        let next = reader.next(at, to);
        if reader.opens(at, b'{') {
            reader.value(from, next, group, false);
            return next;
        }
        at = next;
        if item_starts(reader, at, to) {
            break;
        }
    }
    reader.value(from, at, group, false);
    at
}
