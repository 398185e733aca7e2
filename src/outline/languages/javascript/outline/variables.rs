//! `const`, `let` and `var`.

use super::ScriptReader;
use super::closures::EnclosingCall;
use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::token::TokenKind;

impl ScriptReader<'_, '_> {
    pub(super) fn variable_statement(&mut self, first: usize, at: usize, end: usize) -> usize {
        let behind = self.statement_end(at, end);
        self.deeper(self.place, |inner| inner.variables(first, at, behind));
        behind
    }

    /// Reads the variables between the keyword at `at` and `end`.
    pub(super) fn variables(&mut self, first: usize, at: usize, end: usize) {
        let mut name = self.next(at, end);
        let first_row = self.first_row(first);
        while name < end {
            // Comments above the statement belong to the variables on its first row.
            let is_led = self.row(name) == self.row(at);
            let row = if is_led { first_row } else { self.first_row(name) };
            name = self.variable(name, row, end);
        }
    }

    /// Reads a variable; returns the start of the next.
    fn variable(&mut self, name: usize, row: usize, end: usize) -> usize {
        let mut at = self.next(name, end);
        if at < end && self.is(at, b'!') {
            at = self.next(at, end);
        }
        let type_from = at;
        if at < end && self.is(at, b':') {
            at = self.type_end(at + 1, end).max(at + 1);
        }
        let type_to = at;
        let has_value = at < end && self.is(at, b'=');
        let value = if has_value { self.next(at, end) } else { at };
        let behind = if has_value { self.value_end(value, end) } else { self.item_end(at, end) };
        let closure = has_value.then(|| self.closure_spanning(value, behind)).flatten();
        let kind = if closure.is_some() { DefinitionKind::Function } else { DefinitionKind::Constant };
        let last = self.last_of(name, behind);
        let definition =
            if self.kind(name) == TokenKind::Word { self.note(kind, self.word(name), row, last) } else { None };
        if self.has_types() {
            self.deeper_in(definition, self.place, |inner| inner.types(type_from, type_to));
        }
        if has_value {
            self.deeper_in(definition, self.place, |inner| inner.expression(value, behind, EnclosingCall::FAR));
        }
        self.next(behind, end)
    }

    /// End of a variable's value: a comma before another variable.
    fn value_end(&self, from: usize, end: usize) -> usize {
        let mut at = self.item_end(from, end);
        while at < end && self.is(at, b',') && !self.begins_variable(at + 1, end) {
            at = self.item_end(at + 1, end);
        }
        at
    }

    fn begins_variable(&self, at: usize, end: usize) -> bool {
        let name = self.next_code(at, end);
        let next = self.next(name, end);
        let follows = self.kind(next);
        matches!(self.kind(name), TokenKind::Word | TokenKind::Open(b'{' | b'['))
            && (next >= end || matches!(follows, TokenKind::Mark(b'=' | b',' | b':' | b';' | b'!')))
    }
}
