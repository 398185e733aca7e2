//! Statements and declarations.

use super::ScriptReader;
use super::closures::EnclosingCall;
use crate::outline::definitions::DefinitionKind;
use crate::outline::tokens::token::TokenKind;

/// Maximum number of tokens between a name and its braces, counting a bracket pair as one; more means that the
/// statement is unfinished.
const LONGEST_HEAD: usize = 300;

impl ScriptReader<'_, '_> {
    /// Reads the statements between two tokens.
    pub(super) fn statements(&mut self, from: usize, end: usize) {
        let mut at = self.next_code(from, end);
        while at < end {
            let behind = self.statement(at, end);
            at = self.next_code(behind.max(at + 1), end);
        }
    }

    /// Reads a statement, or the part of it before a body; returns the next token.
    fn statement(&mut self, at: usize, end: usize) -> usize {
        match self.kind(at) {
            TokenKind::Open(b'{') => self.block(at),
            TokenKind::Mark(b';') => at + 1,
            TokenKind::Mark(b'@') => self.prefixed_statement(at, end),
            TokenKind::Word => match self.word(at) {
                "export" | "declare" | "abstract" => self.prefixed_statement(at, end),
                _ => self.control(at, end).unwrap_or_else(|| self.declaration(at, at, end)),
            },
            _ => self.expression_statement(at, at, end),
        }
    }

    fn block(&mut self, open: usize) -> usize {
        let close = self.close(open);
        self.deeper(self.place, |inner| inner.statements(open + 1, close));
        close + 1
    }

    /// Reads the head of a compound statement, or a keyword that may occur between statements.
    fn control(&mut self, at: usize, end: usize) -> Option<usize> {
        let next = self.next(at, end);
        if next < end && self.is(next, b':') {
            return Some(next + 1);
        }
        match self.word(at) {
            "if" | "while" | "switch" | "with" | "catch" if self.opens(next, b'(') => Some(self.condition(next)),
            "for" => {
                let open = if self.is_word(next, "await") { self.next(next, end) } else { next };
                (open < end && self.opens(open, b'(')).then(|| self.condition(open))
            }
            "else" | "do" | "try" | "finally" | "catch" => Some(next),
            "case" => Some(self.case_end(next, end)),
            "return" | "throw" if next < end && self.same_row(at, next) => {
                Some(self.expression_statement(next, next, end))
            }
            "return" | "break" | "continue" | "debugger" => Some(self.statement_end(at, end)),
            "import" if next < end && !self.opens(next, b'(') && !self.is(next, b'.') => {
                Some(self.statement_end(at, end))
            }
            _ => None,
        }
    }

    /// Reads the parentheses before a body: an expression, or the variables of a loop.
    fn condition(&mut self, open: usize) -> usize {
        let close = self.close(open);
        let first = self.next_code(open + 1, close);
        let declares = matches!(self.word(first), "const" | "let" | "var");
        self.deeper(self.place, |inner| {
            if declares {
                let end = inner.item_end_of_loop(first, close);
                inner.variables(first, first, end);
                inner.expression(end, close, EnclosingCall::FAR);
            } else {
                inner.expression(first, close, EnclosingCall::FAR.in_parentheses());
            }
        });
        close + 1
    }

    /// End of a loop's variables; those in `for (const x of y)` are not definitions.
    fn item_end_of_loop(&self, from: usize, close: usize) -> usize {
        let mut at = from;
        while at < close && !self.is(at, b';') {
            if self.is_word(at, "of") || self.is_word(at, "in") {
                return from;
            }
            at = self.next(at, close);
        }
        at
    }

    /// `case a ? b : c:`
    fn case_end(&self, from: usize, end: usize) -> usize {
        let (mut at, mut questions) = (from, 0_usize);
        while at < end && !self.is(at, b';') {
            if self.is(at, b'?') && !self.is(at + 1, b'.') {
                questions += 1;
            } else if self.is(at, b':') {
                if questions == 0 {
                    return at + 1;
                }
                questions -= 1;
            }
            at = self.next(at, end);
        }
        at
    }

    /// Reads a statement that starts with decorators, `export` and so on.
    fn prefixed_statement(&mut self, first: usize, end: usize) -> usize {
        let mut at = first;
        let mut is_exported = false;
        while at < end {
            if self.is(at, b'@') {
                at = self.decorator(at, end);
                continue;
            }
            let next = self.next(at, end);
            match self.word(at) {
                "export" => is_exported = true,
                "default" if is_exported => {}
                "declare" | "abstract"
                    if next < end && self.kind(next) == TokenKind::Word && self.same_row(at, next) => {}
                "global" if next < end && self.opens(next, b'{') => return self.block(next),
                _ => break,
            }
            at = next;
        }
        if at >= end {
            return end;
        }
        let lists = self.opens(at, b'{') || self.is(at, b'*') || self.is_word(at, "import");
        if is_exported && lists && !self.is_default(at) {
            return self.statement_end(at, end);
        }
        self.declaration(first, at, end)
    }

    fn is_default(&self, at: usize) -> bool {
        self.before(at, 0).is_some_and(|before| self.is_word(before, "default"))
    }

    /// Reads `@name.name(…)`; returns the next token.
    pub(super) fn decorator(&mut self, at: usize, end: usize) -> usize {
        let behind = self.decorator_end(at, end);
        self.deeper(self.place, |inner| inner.expression(at + 1, behind, EnclosingCall::FAR));
        behind
    }

    pub(super) fn decorator_end(&self, at: usize, end: usize) -> usize {
        let mut behind = self.next(self.next(at, end), end);
        while behind < end && self.is(behind, b'.') {
            behind = self.next(self.next(behind, end), end);
        }
        if behind < end && self.is(behind, b'<') {
            behind = self.angle_end(behind, end).unwrap_or(behind);
        }
        if behind < end && self.opens(behind, b'(') && self.same_row(self.last_of(at, behind), behind) {
            behind = self.next(behind, end);
        }
        behind.max(at + 1)
    }

    /// Reads a declaration, or else an expression, that starts at `first`; `at` is its first keyword.
    fn declaration(&mut self, first: usize, at: usize, end: usize) -> usize {
        let next = self.next(at, end);
        let names = next < end && self.kind(next) == TokenKind::Word && self.same_row(at, next);
        let read = match self.word(at) {
            "function" => self.function(first, at, end),
            "async" if names && self.word(next) == "function" => self.function(first, next, end),
            "class" => Some(self.class(first, at, end)),
            "const" if self.is_word(next, "enum") && self.has_types() => self.body_of_type(first, next, end),
            "const" | "var" => Some(self.variable_statement(first, at, end)),
            "let" | "using" if names || matches!(self.kind(next), TokenKind::Open(b'{' | b'[')) => {
                Some(self.variable_statement(first, at, end))
            }
            "await" if names && self.word(next) == "using" && self.kind(next + 1) == TokenKind::Word => {
                Some(self.variable_statement(first, next, end))
            }
            "interface" | "enum" if names && self.has_types() => self.body_of_type(first, at, end),
            "type" if names && self.has_types() => self.alias(first, at, end),
            "namespace" | "module" if self.has_types() => self.module(first, at, end),
            _ => None,
        };
        read.unwrap_or_else(|| self.expression_statement(first, at, end))
    }

    fn function(&mut self, first: usize, at: usize, end: usize) -> Option<usize> {
        let mut name = self.next(at, end);
        if name < end && self.is(name, b'*') {
            name = self.next(name, end);
        }
        if name >= end || self.kind(name) != TokenKind::Word {
            return None;
        }
        let signature = self.signature(self.next(name, end), end)?;
        let row = self.first_row(first);
        match signature.body {
            Some(body) => {
                let definition = self.note(DefinitionKind::Function, self.word(name), row, body);
                self.types_of(definition, name, body);
                self.body(row, body, definition);
                Some(self.close(body) + 1)
            }
            None if self.has_types() => {
                self.note(DefinitionKind::Function, self.word(name), row, signature.last);
                Some(signature.last + 1)
            }
            None => None,
        }
    }

    /// `interface` and `enum`.
    fn body_of_type(&mut self, first: usize, at: usize, end: usize) -> Option<usize> {
        let name = self.next(at, end);
        let body = self.body_after(name, end)?;
        let row = self.first_row(first);
        let definition = self.note(DefinitionKind::Type, self.word(name), row, body);
        if self.word(at) == "interface" {
            self.deeper_in(definition, self.place, |inner| {
                inner.types(name, body);
                inner.object_type(body);
            });
        }
        Some(self.close(body) + 1)
    }

    /// Braces after a name, its type parameters and its base types.
    pub(super) fn body_after(&self, at: usize, end: usize) -> Option<usize> {
        let mut at = at;
        for _ in 0..LONGEST_HEAD {
            if at >= end || self.is(at, b';') {
                return None;
            }
            if self.opens(at, b'{') {
                return Some(at);
            }
            let behind = if self.is(at, b'<') { self.angle_end(at, end) } else { None };
            at = behind.unwrap_or_else(|| self.next(at, end));
        }
        None
    }

    fn alias(&mut self, first: usize, at: usize, end: usize) -> Option<usize> {
        let name = self.next(at, end);
        let next = self.next(name, end);
        let equals = if next < end && self.is(next, b'<') { self.angle_end(next, end)? } else { next };
        if equals >= end || !self.is(equals, b'=') {
            return None;
        }
        let behind = self.statement_end(equals, end);
        let row = self.first_row(first);
        let last = self.last_of(at, behind);
        let definition = self.note(DefinitionKind::Type, self.word(name), row, last);
        self.deeper_in(definition, self.place, |inner| inner.types(equals + 1, behind));
        Some(behind)
    }

    fn module(&mut self, first: usize, at: usize, end: usize) -> Option<usize> {
        let name = self.next(at, end);
        if name >= end || !matches!(self.kind(name), TokenKind::Word | TokenKind::Text) || !self.same_row(at, name) {
            return None;
        }
        let mut behind = self.next(name, end);
        while behind < end && (self.is(behind, b'.') || self.is(behind - 1, b'.')) {
            behind = self.next(behind, end);
        }
        let last = self.last_of(name, behind);
        let text = self.text_between(name, last);
        let row = self.first_row(first);
        if behind < end && self.opens(behind, b'{') {
            let close = self.close(behind);
            let definition = self.note(DefinitionKind::Module, text, row, close);
            self.deeper_in(definition, self.place, |inner| inner.statements(behind + 1, close));
            return Some(close + 1);
        }
        // `declare module "x";`
        if self.kind(name) == TokenKind::Text {
            self.note(DefinitionKind::Module, text, row, last);
            return Some(behind);
        }
        None
    }

    fn expression_statement(&mut self, first: usize, at: usize, end: usize) -> usize {
        let behind = self.statement_end(at, end);
        self.deeper(self.place, |inner| inner.led_expression(first, at, behind, EnclosingCall::FAR));
        behind
    }
}
