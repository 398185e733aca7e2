//! Brackets in the values of Rust's constants.

use crate::outline::sketch::SHORTEST_TABLE;
use crate::outline::sketch::reader::Reader;
use crate::outline::sketch::tables::Group;
use crate::outline::sketch::token::Kind;

/// What an opening bracket in a value is.
pub(super) fn group(reader: &Reader<'_>, open: usize) -> Group {
    let Some(before) = reader.before(open, 0) else { return Group::Other };
    let follows_value = matches!(reader.kind(before), Kind::Word | Kind::Close(_) | Kind::Text);
    match reader.kind(open) {
        // Only a macro knows what it gets.
        _ if is_macro(reader, before) => Group::Special(|_, _| {}),
        Kind::Open(b'{') if closes_parameters(reader, before) => Group::Closure,
        Kind::Open(b'[') if reader.is(before, b'#') => Group::Special(|_, _| {}),
        Kind::Open(b'[') if (!follows_value || is_keyword(reader, before)) && !has_closures(reader, open) => {
            Group::Table
        }
        Kind::Open(b'(') if follows_value && !is_keyword(reader, before) || reader.is(before, b'>') => Group::Arguments,
        _ => Group::Other,
    }
}

/// `name!`, as opposed to `!value` and `a != b`.
fn is_macro(reader: &Reader<'_>, mark: usize) -> bool {
    reader.is(mark, b'!')
        && mark.checked_sub(1).is_some_and(|name| reader.kind(name) == Kind::Word && !is_keyword(reader, name))
}

fn is_keyword(reader: &Reader<'_>, at: usize) -> bool {
    matches!(reader.word(at), "return" | "in" | "match" | "if" | "while" | "else" | "mut" | "break" | "as" | "let")
}

/// Whether there are functions without a name in a table that is long enough to ask; they need no braces to be some.
fn has_closures(reader: &Reader<'_>, open: usize) -> bool {
    let close = reader.close(open);
    let begins = |at: usize| {
        let leads = |before: usize| {
            matches!(reader.kind(before), Kind::Open(_) | Kind::Mark(b',' | b'=' | b':' | b'>'))
                || reader.is_word(before, "move")
        };
        reader.is(at, b'|') && reader.before(at, open).is_some_and(leads)
    };
    reader.row(close) - reader.row(open) >= SHORTEST_TABLE && (open + 1..close).any(begins)
}

/// Whether the token is the last one of `|a, b|` or of `|a, b| -> Type`.
fn closes_parameters(reader: &Reader<'_>, last: usize) -> bool {
    if reader.is(last, b'|') {
        return true;
    }
    // A type is short; what is longer is none.
    let arrow = (last.saturating_sub(30)..last).rev().find(|at| {
        reader.joined(*at, *b"->") || matches!(reader.kind(*at), Kind::Mark(b';' | b'|') | Kind::Open(b'{'))
    });
    arrow.is_some_and(|at| reader.is(at, b'-') && at.checked_sub(1).is_some_and(|bar| reader.is(bar, b'|')))
}
