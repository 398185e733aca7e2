//! TypeScript types: their ends, and the methods that object types declare.

use super::ScriptReader;
use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::token::TokenKind;

/// Maximum number of tokens of a type; a bracket with its contents counts as one.
const LONGEST: usize = 4000;
/// Maximum number of tokens in angle brackets, or in the return type of an anonymous function;
/// either may turn out not to be a type.
const LONGEST_GUESS: usize = 300;

/// Parameters of a function and the tokens after them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signature {
    /// Bracket that opens the body.
    pub(super) body: Option<usize>,
    /// Last token.
    pub(super) last: usize,
}

impl ScriptReader<'_, '_> {
    /// Token after the `>` that matches the `<` at `at`; `None` if there is no match.
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

    /// Token after the type that starts at `from`.
    pub(super) fn type_end(&self, from: usize, end: usize) -> usize {
        self.type_end_within(from, end, LONGEST)
    }

    /// The same for tokens that may not be a type.
    pub(super) fn guessed_type_end(&self, from: usize, end: usize) -> usize {
        self.type_end_within(from, end, LONGEST_GUESS)
    }

    fn type_end_within(&self, from: usize, end: usize, longest: usize) -> usize {
        let (mut at, mut last) = (self.next_code(from, end), from);
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
                // An arrow belongs to this type only after parameters; any other arrow belongs to
                // the function that returns the type.
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

    /// Reads the tokens after a function's name: type parameters, parameters, return type and body.
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

    /// Finds object types between two tokens.
    pub(super) fn types(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let close = self.close(at);
            match self.kind(at) {
                // The default value of a parameter is not a type.
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

    /// Finds object types between the name and the body of a function.
    pub(super) fn types_of(&mut self, definition: Option<usize>, name: usize, body: usize) {
        if self.has_types() {
            let from = self.close(name) + 1;
            self.deeper_in(definition, self.place, |inner| inner.types(from, body));
        }
    }

    /// Reads the members of an interface or an object type.
    pub(super) fn object_type(&mut self, open: usize) {
        let end = self.close(open);
        let mut at = self.next_code(open + 1, end);
        while at < end {
            at = self.type_member(at, end);
        }
    }

    /// Reads a member; returns the next token.
    fn type_member(&mut self, first: usize, end: usize) -> usize {
        let name = self.member_name(first, end);
        let mut at = self.next(name, end);
        if !matches!(self.kind(name), TokenKind::Word | TokenKind::Text | TokenKind::Number | TokenKind::Open(b'[')) {
            // A call signature has no name.
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
        // A pattern or a default value, not a type.
        if at < end && self.is(at, b'=') {
            return self.item_end(at, end);
        }
        if at < end && self.is(at, b':') {
            let behind = self.type_end(at + 1, end);
            self.types(at, behind);
            return behind.max(self.next_code(at + 1, end));
        }
        at
    }
}

/// Words in types that require a type after them.
fn is_prefix(word: &str) -> bool {
    matches!(word, "keyof" | "typeof" | "readonly" | "unique" | "infer" | "asserts" | "new" | "abstract")
}
