//! Heads of items: attributes, modifiers, generics and bounds.

use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;

/// First token after any number of `#[…]`.
pub(super) fn after_attributes(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while reader.is(at, b'#') {
        let bracket = reader.next_code(at + 1, to);
        if !reader.opens(bracket, b'[') {
            break;
        }
        at = reader.next(bracket, to);
    }
    at
}

/// First token after `pub(crate)`, `unsafe`, `extern "C"` and so on.
pub(super) fn after_modifiers(reader: &TokenReader<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    while reader.kind(at) == TokenKind::Word {
        let next = reader.next(at, to);
        let goes_on = match reader.word(at) {
            "pub" | "crate" => true,
            "async" | "unsafe" | "safe" | "default" | "auto" | "gen" => reader.kind(next) == TokenKind::Word,
            "const" => {
                matches!(reader.word(next), "fn" | "unsafe" | "async" | "extern" | "trait" | "impl" | "gen" | "auto")
            }
            "extern" => {
                let name = if reader.kind(next) == TokenKind::Text { reader.next(next, to) } else { next };
                if !reader.is_word(name, "fn") {
                    return at;
                }
                at = name;
                continue;
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
        let is_limited = reader.is_word(at, "pub") && reader.opens(next, b'(');
        at = if is_limited { reader.next(next, to) } else { next };
    }
    at
}

/// Current depth in `<…>`.
#[derive(Default)]
struct Angles(usize);

impl Angles {
    fn pass(&mut self, reader: &TokenReader<'_>, at: usize) {
        if reader.is(at, b'<') {
            self.0 += 1;
        } else if reader.is(at, b'>') && !at.checked_sub(1).is_some_and(|before| reader.joined(before, *b"->")) {
            self.0 = self.0.saturating_sub(1);
        }
    }

    /// Returns true if all angle brackets before the token are closed. Braces, as in `<{ N + 1 }>`,
    /// are skipped as a whole.
    fn are_behind(&self, reader: &TokenReader<'_>, at: usize, from: usize) -> bool {
        let leads = |before: usize| matches!(reader.kind(before), TokenKind::Mark(b'<' | b',' | b'='));
        self.0 == 0 || reader.is(at, b';') || (reader.opens(at, b'{') && !reader.before(at, from).is_some_and(leads))
    }
}

/// First of these tokens after a head with generics; if there is none, the last token before the next item.
pub(super) fn head_end(reader: &TokenReader<'_>, from: usize, to: usize, stops: &[u8]) -> usize {
    let mut angles = Angles::default();
    let mut at = from;
    while at < to {
        if let TokenKind::Mark(byte) | TokenKind::Open(byte) = reader.kind(at)
            && stops.contains(&byte)
            && angles.are_behind(reader, at, from)
        {
            return at;
        }
        if at > from && item_starts(reader, at, to) {
            break;
        }
        angles.pass(reader, at);
        at = reader.next(at, to);
    }
    reader.before(at.min(to), from).unwrap_or(from)
}

/// `Display for Cache<K, V>` in `impl<K, V> Display for Cache<K, V> where …`, which ends before `to`.
pub(super) fn implementation_name(reader: &TokenReader<'_>, keyword: usize, to: usize) -> String {
    let mut angles = Angles::default();
    let mut at = reader.next_code(keyword + 1, to);
    if at < to && reader.is(at, b'<') {
        loop {
            angles.pass(reader, at);
            at = reader.next(at, to);
            if angles.0 == 0 || at >= to {
                break;
            }
        }
    }
    while at < to && (reader.is_word(at, "const") || reader.is(at, b'!')) {
        at = reader.next(at, to);
    }
    let (mut start, mut of_trait) = (at, None);
    while at < to {
        if angles.0 == 0 && reader.is_word(at, "where") {
            break;
        }
        let next = reader.next(at, to);
        if angles.0 == 0 && reader.is_word(at, "for") && !reader.is(next, b'<') && of_trait.is_none() {
            of_trait = Some(between(reader, start, at));
            start = next;
        }
        angles.pass(reader, at);
        at = next;
    }
    let of_type = between(reader, start, at);
    of_trait.map_or(of_type.to_owned(), |of_trait| format!("{of_trait} for {of_type}"))
}

/// Text from one token up to another.
fn between<'t>(reader: &TokenReader<'t>, from: usize, to: usize) -> &'t str {
    let Some(last) = reader.before(to, from) else { return "" };
    let (first, last) = (reader.tokens[from], reader.tokens[last]);
    reader.text.get(first.start as usize..last.end as usize).unwrap_or("")
}

/// Maximum number of tokens in the path of a macro.
const LONGEST_PATH: usize = 32;

/// Bracket with the input of the macro call that starts here: `name! {…}`, `path::name!(…)`.
pub(super) fn macro_group(reader: &TokenReader<'_>, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..LONGEST_PATH {
        if reader.kind(at) != TokenKind::Word && !reader.is(at, b':') {
            break;
        }
        at = reader.next(at, to);
    }
    if at == from || !reader.is(at, b'!') {
        return None;
    }
    let next = reader.next_code(at + 1, to);
    let open = if reader.kind(next) == TokenKind::Word { reader.next_code(next + 1, to) } else { next };
    matches!(reader.kind(open), TokenKind::Open(_)).then_some(open)
}

/// Returns true if the token can only start an item, which means that the text before it is unfinished.
pub(super) fn item_starts(reader: &TokenReader<'_>, at: usize, to: usize) -> bool {
    let is_named = || reader.kind(reader.next_code(at + 1, to)) == TokenKind::Word;
    reader.kind(at) == TokenKind::Word
        && match reader.word(at) {
            "pub" => true,
            "fn" | "struct" | "enum" | "mod" | "trait" => is_named(),
            _ => false,
        }
}
