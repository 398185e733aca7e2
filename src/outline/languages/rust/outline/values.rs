//! Brackets in the values of Rust constants.

use crate::outline::raw_outline::SHORTEST_TABLE;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

/// Purpose of an opening bracket in a value.
pub(super) fn group(reader: &TokenReader<'_>, open: usize) -> BracketUse {
    let Some(before) = reader.before(open, 0) else { return BracketUse::Other };
    let follows_value = matches!(reader.kind(before), TokenKind::Word | TokenKind::Close(_) | TokenKind::Text);
    match reader.kind(open) {
        // The input of a macro can have any syntax.
        _ if is_macro(reader, before) => BracketUse::Special(|_, _| {}),
        TokenKind::Open(b'{') if closes_parameters(reader, before) => BracketUse::Closure,
        TokenKind::Open(b'[') if reader.is(before, b'#') => BracketUse::Special(|_, _| {}),
        TokenKind::Open(b'[') if (!follows_value || is_keyword(reader, before)) && !has_closures(reader, open) => {
            BracketUse::Table
        }
        TokenKind::Open(b'(') if follows_value && !is_keyword(reader, before) || reader.is(before, b'>') => {
            BracketUse::Arguments
        }
        _ => BracketUse::Other,
    }
}

/// `name!`, as opposed to `!value` and `a != b`.
fn is_macro(reader: &TokenReader<'_>, mark: usize) -> bool {
    reader.is(mark, b'!')
        && mark.checked_sub(1).is_some_and(|name| reader.kind(name) == TokenKind::Word && !is_keyword(reader, name))
}

fn is_keyword(reader: &TokenReader<'_>, at: usize) -> bool {
    matches!(reader.word(at), "return" | "in" | "match" | "if" | "while" | "else" | "mut" | "break" | "as" | "let")
}

/// Returns true if a long table contains closures, with or without braces.
fn has_closures(reader: &TokenReader<'_>, open: usize) -> bool {
    let close = reader.close(open);
    let begins = |at: usize| {
        let leads = |before: usize| {
            matches!(reader.kind(before), TokenKind::Open(_) | TokenKind::Mark(b',' | b'=' | b':' | b'>'))
                || reader.is_word(before, "move")
        };
        reader.is(at, b'|') && reader.before(at, open).is_some_and(leads)
    };
    reader.row(close) - reader.row(open) >= SHORTEST_TABLE && (open + 1..close).any(begins)
}

/// Returns true if the token is the last one of `|a, b|` or of `|a, b| -> Type`.
fn closes_parameters(reader: &TokenReader<'_>, last: usize) -> bool {
    if reader.is(last, b'|') {
        return true;
    }
    // A longer sequence is not a type.
    let arrow = (last.saturating_sub(30)..last).rev().find(|at| {
        reader.joined(*at, *b"->") || matches!(reader.kind(*at), TokenKind::Mark(b';' | b'|') | TokenKind::Open(b'{'))
    });
    arrow.is_some_and(|at| reader.is(at, b'-') && at.checked_sub(1).is_some_and(|bar| reader.is(bar, b'|')))
}
