//! Classes and their members.

use super::ScriptReader;
use super::closures::EnclosingCall;
use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::token::TokenKind;

const MODIFIERS: [&str; 12] = [
    "public", "private", "protected", "static", "readonly", "abstract", "override", "declare", "async", "accessor",
    "get", "set",
];

impl ScriptReader<'_, '_> {
    /// Reads a class that starts at `first`, including decorators; returns the next token.
    pub(super) fn class(&mut self, first: usize, at: usize, end: usize) -> usize {
        let name = self.next(at, end);
        let is_named =
            name < end && self.kind(name) == TokenKind::Word && !matches!(self.word(name), "extends" | "implements");
        let Some(body) = self.body_after(name, end) else { return name };
        let row = self.first_row(first);
        let definition = if is_named { self.note(DefinitionKind::Type, self.word(name), row, body) } else { None };
        self.deeper_in(definition, self.place, |inner| inner.heritage_and_members(name, body));
        self.close(body) + 1
    }

    /// A class expression defines no name.
    pub(super) fn class_expression(&mut self, at: usize, end: usize) -> usize {
        let next = self.next(at, end);
        let Some(body) = self.body_after(next, end) else { return next };
        self.deeper(self.place, |inner| inner.heritage_and_members(next, body));
        self.next(body, end)
    }

    fn heritage_and_members(&mut self, from: usize, body: usize) {
        self.expression(from, body, EnclosingCall::FAR);
        self.members(body);
    }

    fn members(&mut self, open: usize) {
        let end = self.close(open);
        let mut at = self.next_code(open + 1, end);
        while at < end {
            let behind = self.member(at, end);
            at = self.next_code(behind.max(at + 1), end);
        }
    }

    /// Reads a member; returns the next token.
    fn member(&mut self, first: usize, end: usize) -> usize {
        let mut at = first;
        while at < end && self.is(at, b'@') {
            at = self.decorator(at, end);
        }
        let name = self.member_name(at, end);
        let next = self.next(name, end);
        if self.is_word(name, "static") && next < end && self.opens(next, b'{') {
            let row = self.first_row(first);
            self.body(row, next, None);
            return self.close(next) + 1;
        }
        if !matches!(self.kind(name), TokenKind::Word | TokenKind::Text | TokenKind::Number | TokenKind::Open(b'[')) {
            return next;
        }
        let marked =
            if next < end && (self.is(next, b'?') || self.is(next, b'!')) { self.next(next, end) } else { next };
        let Some(signature) = self.signature(marked, end) else { return self.field(first, name, marked, end) };
        if let Some(body) = signature.body {
            self.method(first, name, body);
            return self.close(body) + 1;
        }
        if self.has_types() {
            let (row, text) = (self.first_row(first), self.text_between(name, self.close(name)));
            self.note(DefinitionKind::Method, text, row, signature.last);
        }
        signature.last + 1
    }

    /// Name of a member, after its modifiers.
    pub(super) fn member_name(&self, at: usize, end: usize) -> usize {
        let mut at = at;
        loop {
            let next = self.next(at, end);
            let names = next < end
                && (matches!(
                    self.kind(next),
                    TokenKind::Word
                        | TokenKind::Text
                        | TokenKind::Number
                        | TokenKind::Open(b'[')
                        | TokenKind::Mark(b'*')
                ));
            let leads = self.is(at, b'*')
                || (self.kind(at) == TokenKind::Word && MODIFIERS.contains(&self.word(at)) && self.same_row(at, next));
            if !names || !leads {
                return at;
            }
            at = next;
        }
    }

    /// Records and reads a function of a class or an object.
    pub(super) fn method(&mut self, first: usize, name: usize, body: usize) {
        let (row, text) = (self.first_row(first), self.text_between(name, self.close(name)));
        let definition = self.note(DefinitionKind::Method, text, row, body);
        self.types_of(definition, name, body);
        self.body(row, body, definition);
    }

    /// Reads a field; `at` is the token after its name.
    fn field(&mut self, first: usize, name: usize, at: usize, end: usize) -> usize {
        let (type_from, mut at) = (at, at);
        if at < end && self.is(at, b':') {
            at = self.type_end(at + 1, end).max(at + 1);
        }
        let type_to = at;
        let has_value = at < end && self.is(at, b'=');
        let value = self.next(at, end);
        let behind = if has_value { self.statement_end(value, end) } else { at };
        let last = self.last_of(name, behind);
        let is_index = self.opens(name, b'[') && self.has_types() && self.is(name + 2, b':');
        let (row, text) = (self.first_row(first), self.text_between(name, self.close(name)));
        let definition = if is_index { None } else { self.note(DefinitionKind::Property, text, row, last) };
        if self.has_types() {
            self.deeper_in(definition, self.place, |inner| inner.types(type_from, type_to));
        }
        if has_value {
            self.deeper_in(definition, self.place, |inner| inner.expression(value, behind, EnclosingCall::FAR));
        }
        behind
    }
}
