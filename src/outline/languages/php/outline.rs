//! PHP: statements of files, namespaces and blocks, with their functions and classes.

mod members;
#[cfg(test)]
mod tests;
mod values;

use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use members::{constants, function, members};
use values::group;

pub(crate) fn read(reader: &mut TokenReader<'_>) {
    statements(reader, 0, reader.tokens.len());
}

/// Reads all statements of a level.
fn statements(reader: &mut TokenReader<'_>, from: usize, to: usize) {
    let mut at = reader.next_code(from, to);
    while at < to {
        let next = statement(reader, at, to).max(at + 1);
        at = reader.next_code(next, to);
    }
}

/// Reads the statement that starts here; returns the token after it.
fn statement(reader: &mut TokenReader<'_>, at: usize, to: usize) -> usize {
    if ends_statement(reader, at) {
        return at + 1;
    }
    if reader.opens(at, b'{') {
        let close = reader.close(at);
        reader.deeper(|reader| statements(reader, at + 1, close));
        return close + 1;
    }
    let keyword = after_modifiers(reader, after_attributes(reader, at, to), to);
    let next = reader.next_code(keyword + 1, to);
    let is_named = reader.kind(next) == TokenKind::Word && !reader.word(next).starts_with('$');
    match lowercase(reader, keyword).as_str() {
        "class" | "interface" | "trait" | "enum" if is_named => class(reader, at, next, to),
        "function" if function_name(reader, keyword, to).is_some() => {
            function(reader, DefinitionKind::Function, at, keyword, to)
        }
        "namespace" if !reader.is(next, b'\\') => namespace(reader, at, next, to),
        "const" if is_named => constants(reader, at, keyword, to),
        "use" => statement_end(reader, keyword, to),
        "if" | "elseif" | "while" | "for" | "foreach" | "switch" | "catch" | "declare" if reader.opens(next, b'(') => {
            after_colon(reader, reader.next(next, to), to)
        }
        "else" | "try" | "finally" | "do" => after_colon(reader, next, to),
        _ => {
            let end = statement_end(reader, keyword, to);
            reader.value(keyword, end, group, false);
            end
        }
    }
}

/// A block may begin with a colon.
fn after_colon(reader: &TokenReader<'_>, at: usize, to: usize) -> usize {
    if reader.is(at, b':') { reader.next_code(at + 1, to) } else { at }
}

/// `class Name extends Other { … }` and similar.
fn class(reader: &mut TokenReader<'_>, at: usize, name: usize, to: usize) -> usize {
    let open = head_end(reader, name, to);
    let definition = reader.define(DefinitionKind::Type, reader.word(name), reader.first_row(at), open);
    let close = reader.close(open);
    if close > open {
        reader.within(definition, |reader| members(reader, open + 1, close));
    }
    close + 1
}

/// `namespace Name;` applies to the rest of the file, `namespace Name { … }` to its block.
fn namespace(reader: &mut TokenReader<'_>, at: usize, name: usize, to: usize) -> usize {
    let open = head_end(reader, name, to);
    let close = reader.close(open);
    let first = reader.first_row(at);
    let title = match (reader.tokens.get(name), reader.before(open, name)) {
        (Some(first), Some(last)) => reader.text.get(first.start as usize..reader.tokens[last].end as usize),
        _ => None,
    };
    let definition = reader.define(DefinitionKind::Module, title.unwrap_or("namespace"), first, open);
    if close > open {
        reader.within(definition, |reader| statements(reader, open + 1, close));
    }
    close + 1
}

/// First token after any number of `#[…]`.
fn after_attributes(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while reader.is(at, b'#') && reader.opens(at + 1, b'[') {
        at = reader.next(at + 1, to);
    }
    at
}

/// Maximum number of words before the keyword of a definition.
const MOST_MODIFIERS: usize = 8;

/// First token after `abstract`, `public static`, `protected(set)` and so on.
fn after_modifiers(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    for _ in 0..MOST_MODIFIERS {
        if !is_modifier(&lowercase(reader, at)) {
            break;
        }
        let next = reader.next_code(at + 1, to);
        let is_limited = reader.opens(next, b'(') && reader.is_word(next + 1, "set");
        let after = if is_limited { reader.next(next, to) } else { next };
        // `static::make()` starts with the class itself.
        if !matches!(reader.kind(after), TokenKind::Word | TokenKind::Open(b'(') | TokenKind::Mark(b'?' | b'\\' | b'&'))
        {
            break;
        }
        at = after;
    }
    at
}

fn is_modifier(word: &str) -> bool {
    matches!(word, "abstract" | "final" | "readonly" | "public" | "protected" | "private" | "static" | "var")
}

/// A keyword in lower case; `None` if the token is not a word.
fn lowercase(reader: &TokenReader<'_>, at: usize) -> String {
    if reader.kind(at) == TokenKind::Word { reader.word(at).to_ascii_lowercase() } else { String::new() }
}

/// The name of `function name(…)` or `function &name(…)`.
fn function_name(reader: &TokenReader<'_>, keyword: usize, to: usize) -> Option<usize> {
    let mut name = reader.next_code(keyword + 1, to);
    if reader.is(name, b'&') {
        name = reader.next_code(name + 1, to);
    }
    (name < to && reader.kind(name) == TokenKind::Word).then_some(name)
}

/// A semicolon, or the closing tag, which has the same effect.
fn ends_statement(reader: &TokenReader<'_>, at: usize) -> bool {
    reader.is(at, b';')
        || (reader.kind(at) == TokenKind::Text && (reader.word(at).starts_with("?>") || leads_page(reader, at)))
}

/// Returns true if the token is the text before the first opening tag of a page.
fn leads_page(reader: &TokenReader<'_>, at: usize) -> bool {
    reader.before(at, 0).is_none()
}

/// Brace or semicolon after a head; if there is none, the last token before the next definition.
fn head_end(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while at < to && (at == from || !definition_starts(reader, at, to)) {
        if reader.opens(at, b'{') || ends_statement(reader, at) {
            return at;
        }
        at = reader.next(at, to);
    }
    reader.before(at, from).unwrap_or(from)
}

/// End of a statement; without a semicolon it ends before the next definition.
fn statement_end(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while at < to && !ends_statement(reader, at) && (at == from || !definition_starts(reader, at, to)) {
        at = reader.next(at, to);
    }
    at
}

/// Returns true if a named definition starts a row here.
fn definition_starts(reader: &TokenReader<'_>, at: usize, to: usize) -> bool {
    if reader.kind(at) != TokenKind::Word
        || at.checked_sub(1).is_some_and(|before| reader.last_row(before) == reader.row(at))
    {
        return false;
    }
    let keyword = after_modifiers(reader, at, to);
    match lowercase(reader, keyword).as_str() {
        "function" => function_name(reader, keyword, to).is_some(),
        "class" | "interface" | "trait" | "namespace" => {
            reader.kind(reader.next_code(keyword + 1, to)) == TokenKind::Word
        }
        _ => false,
    }
}
