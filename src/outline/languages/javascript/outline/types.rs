//! Types of TypeScript: where they end, and the methods that object types promise.

use super::ScriptReader;
use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::token::TokenKind;

/// Types have no more tokens than this on their level.
const LONGEST: usize = 4000;
/// Nor have types between angles, or results of functions without a name, of which it is not sure that they are types.
const LONGEST_GUESS: usize = 300;

/// The parameters of a function and what follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signature {
    /// The bracket that opens the body.
    pub(super) body: Option<usize>,
    /// The last token.
    pub(super) last: usize,
}

impl ScriptReader<'_, '_> {
    /// The token after the `>` that belongs to the `<` at `at`; none if there is none.
    pub(super) fn angle_end(&self, at: usize, end: usize) -> Option<usize> {
        let (mut at, mut depth) = (at, 0_usize);
        for _ in 0..LONGEST_GUESS {
            match self.kind(at) {
                TokenKind::Mark(b'<') => depth += 1,
                TokenKind::Mark(b'>') if !(at > 0 && self.joined(at - 1, [b'=', b'>'])) => {
                    depth = depth.checked_sub(1)?;
                }
                TokenKind::Mark(b';') => return None,
                _ => {}
            }
            at = self.next(at, end);
            if depth == 0 {
                return Some(at);
            }
            if at >= end {
                break;
            }
        }
        None
    }

    /// The token after the type that begins at `from`.
    pub(super) fn type_end(&self, from: usize, end: usize) -> usize {
        self.type_end_within(from, end, LONGEST)
    }

    /// The same of what may be no type.
    pub(super) fn guessed_type_end(&self, from: usize, end: usize) -> usize {
        self.type_end_within(from, end, LONGEST_GUESS)
    }

    fn type_end_within(&self, from: usize, end: usize, longest: usize) -> usize {
        let (mut at, mut last) = (self.loud(from, end), from);
        let (mut is_complete, mut conditions) = (false, 0_usize);
        for _ in 0..longest {
            if at >= end {
                break;
            }
            let on_row = self.same_row(last, at);
            let mut next = self.next(at, end);
            is_complete = match self.kind(at) {
                TokenKind::Open(bracket) if is_complete && (bracket == b'{' || !on_row) => break,
                TokenKind::Text | TokenKind::Number if is_complete => break,
                TokenKind::Open(_) | TokenKind::Text | TokenKind::Number => true,
                TokenKind::Word if !is_complete => !is_prefix(self.word(at)),
                TokenKind::Word if matches!(self.word(at), "is" | "extends" | "as" | "in") => false,
                TokenKind::Mark(b'|' | b'&' | b'.') => false,
                TokenKind::Mark(b'-') if !is_complete => false,
                // Only parameters have an arrow after them; any other belongs to the function whose result the type is.
                TokenKind::Mark(b'=') if self.joined(at, [b'=', b'>']) && self.kind(last) == TokenKind::Close(b')') => {
                    next = self.next(at + 1, end);
                    false
                }
                TokenKind::Mark(b'<') if on_row || !is_complete => match self.angle_end(at, end) {
                    Some(behind) => {
                        next = behind;
                        is_complete
                    }
                    None => break,
                },
                TokenKind::Mark(b'?') if is_complete && !self.is(at + 1, b':') => {
                    conditions += 1;
                    false
                }
                TokenKind::Mark(b':') if conditions > 0 => {
                    conditions -= 1;
                    false
                }
                _ => break,
            };
            last = self.last_of(at, next);
            at = next;
        }
        at
    }

    /// Reads what follows a function's name: type parameters, parameters, a return type and a body.
    pub(super) fn signature(&self, at: usize, end: usize) -> Option<Signature> {
        let mut at = at;
        if self.is(at, b'<') {
            at = self.angle_end(at, end)?;
        }
        if at >= end || !self.opens(at, b'(') {
            return None;
        }
        let mut last = self.close(at);
        let mut next = self.next(at, end);
        if next < end && self.is(next, b':') {
            let behind = self.type_end(next + 1, end);
            last = self.last_of(next, behind);
            next = behind;
        }
        let body = (next < end && self.opens(next, b'{')).then_some(next);
        Some(Signature { body, last: body.map_or(last, |body| self.close(body)) })
    }

    /// Looks for object types between two tokens.
    pub(super) fn types(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let close = self.close(at);
            match self.kind(at) {
                // The value of a parameter is no type.
                TokenKind::Mark(b'=') if !self.joined(at, [b'=', b'>']) => {
                    at = self.item_end(at, to).max(at + 1);
                    continue;
                }
                TokenKind::Open(b'{') => self.deeper(self.place, |inner| inner.object_type(at)),
                TokenKind::Open(_) => self.deeper(self.place, |inner| inner.types(at + 1, close)),
                _ => {}
            }
            at = close + 1;
        }
    }

    /// The same between the name and the body of a function.
    pub(super) fn types_of(&mut self, definition: Option<usize>, name: usize, body: usize) {
        if self.has_types() {
            let from = self.close(name) + 1;
            self.deeper_in(definition, self.place, |inner| inner.types(from, body));
        }
    }

    /// The members of an interface or an object type.
    pub(super) fn object_type(&mut self, open: usize) {
        let end = self.close(open);
        let mut at = self.loud(open + 1, end);
        while at < end {
            at = self.promise(at, end);
        }
    }

    /// One member; gives what follows it.
    fn promise(&mut self, first: usize, end: usize) -> usize {
        let name = self.member_name(first, end);
        let mut at = self.next(name, end);
        if !matches!(self.kind(name), TokenKind::Word | TokenKind::Text | TokenKind::Number | TokenKind::Open(b'[')) {
            // What can be called as it is has no name.
            return self.signature(name, end).map_or(at, |signature| self.next(signature.last, end));
        }
        // `[K in Keys]-?: T`
        while at < end && matches!(self.kind(at), TokenKind::Mark(b'?' | b'-' | b'+')) {
            at = self.next(at, end);
        }
        if let Some(signature) = self.signature(at, end) {
            if !self.is_word(name, "new") {
                let text = self.text_between(name, self.close(name));
                let row = self.first_row(first);
                let method = self.note(DefinitionKind::Method, text, row, signature.last);
                self.deeper_in(method, self.place, |inner| inner.types(at, signature.last + 1));
            }
            return self.next(signature.last, end);
        }
        // Not a type but a pattern, and what stands for a part that is missing.
        if at < end && self.is(at, b'=') {
            return self.item_end(at, end);
        }
        if at < end && self.is(at, b':') {
            let behind = self.type_end(at + 1, end);
            self.types(at, behind);
            return behind.max(self.loud(at + 1, end));
        }
        at
    }
}

/// Words in types that want a type to follow.
fn is_prefix(word: &str) -> bool {
    matches!(word, "keyof" | "typeof" | "readonly" | "unique" | "infer" | "asserts" | "new" | "abstract")
}
