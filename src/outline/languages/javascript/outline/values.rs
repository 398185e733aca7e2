//! Reads expressions and the functions, classes and tables that they contain.

use super::closures::{Closure, EnclosingCall};
use super::{ScriptContext, ScriptReader};
use crate::outline::definitions::DefinitionKind;
use crate::outline::raw_outline::SHORTEST_TABLE;
use crate::outline::tokens::markup::MARKUP;
use crate::outline::tokens::token::TokenKind;

/// Words that require an operand after them.
const OPERATORS: [&str; 13] = [
    "typeof", "new", "await", "yield", "delete", "void", "in", "instanceof", "of", "as", "satisfies", "return", "throw",
];

/// Position in an expression.
struct ExpressionPosition {
    /// Start of a possible assignment target.
    start: usize,
    at: usize,
    /// True if an operand is expected, false if an operator is.
    is_fresh: bool,
    reach: EnclosingCall,
}

impl ScriptReader<'_, '_> {
    pub(super) fn expression(&mut self, from: usize, to: usize, reach: EnclosingCall) {
        // Comments above do not belong to this expression.
        self.led_expression(to, from, to, reach);
    }

    /// Reads an expression statement that starts at `first`; comments above it belong to the assigned definition.
    pub(super) fn led_expression(&mut self, first: usize, from: usize, to: usize, reach: EnclosingCall) {
        let at = self.next_code(from, to);
        let around = self.place;
        let led = (first < to).then_some((at, first));
        let mut progress = ExpressionPosition { start: at, at, is_fresh: true, reach };
        while progress.at < to {
            let at = progress.at;
            if !self.operand(&mut progress, to) {
                match self.kind(at) {
                    TokenKind::Mark(b'=') if self.assigns(at) => self.assigned(&mut progress, led, to),
                    TokenKind::Mark(mark) => {
                        if matches!(mark, b',' | b';') {
                            self.place = around;
                            progress.reach = reach;
                        }
                        self.operator(&mut progress, mark, to);
                    }
                    _ => {
                        progress.is_fresh = false;
                        progress.at = self.next(at, to);
                    }
                }
            }
        }
        self.place = around;
    }

    /// Reads a function, a class, a group or a word and moves past it; returns false if it is none of these.
    fn operand(&mut self, progress: &mut ExpressionPosition, to: usize) -> bool {
        let at = progress.at;
        if progress.is_fresh
            && let Some(closure) = self.closure_at(at, to)
        {
            self.met(closure, progress, to);
            return true;
        }
        if progress.is_fresh && self.is_word(at, "class") {
            progress.at = self.class_expression(at, to);
            progress.is_fresh = false;
            return true;
        }
        match self.kind(at) {
            TokenKind::Word => progress.is_fresh = OPERATORS.contains(&self.word(at)) && !self.is_property(at),
            TokenKind::Open(_) => {
                self.group(at, progress);
                progress.is_fresh = false;
            }
            _ => return false,
        }
        progress.at = self.next(at, to);
        true
    }

    fn operator(&self, progress: &mut ExpressionPosition, mark: u8, to: usize) {
        let at = progress.at;
        progress.is_fresh = self.operand_follows(at, mark, progress.is_fresh);
        progress.at = self.next(at, to);
        if matches!(mark, b',' | b';' | b'?' | b':' | b'&' | b'|') {
            progress.start = progress.at;
        }
    }

    /// Moves past `=` and the function after it, if any. `led` is the first token of the statement, including its
    /// comments.
    fn assigned(&mut self, progress: &mut ExpressionPosition, led: Option<(usize, usize)>, to: usize) {
        let row = match led {
            Some((start, first)) if start == progress.start => self.first_row(first),
            _ => self.row(progress.start),
        };
        if let Some(behind) = self.assignment(row, progress.start, progress.at, to) {
            progress.at = behind;
            progress.is_fresh = false;
        } else {
            progress.at = self.next(progress.at, to);
            progress.start = progress.at;
            progress.is_fresh = true;
        }
    }

    /// Reads a function used as an operand.
    fn met(&mut self, closure: Closure, progress: &mut ExpressionPosition, to: usize) {
        if self.has_types() {
            self.types(progress.at, closure.body);
        }
        if closure.is_block {
            self.closure(progress.at, closure, progress.reach, to, None);
            progress.at = self.next(closure.body, to);
            progress.is_fresh = false;
        } else {
            // The rest, up to a comma, is its body.
            self.functions_seen += 1;
            self.place.in_function = true;
            progress.reach = progress.reach.farther(1);
            progress.at = closure.body;
            progress.start = closure.body;
        }
    }

    /// Returns true if a word follows a dot.
    pub(super) fn is_property(&self, at: usize) -> bool {
        at > 0 && self.is(at - 1, b'.') && !(at > 1 && self.is(at - 2, b'.'))
    }

    fn operand_follows(&self, at: usize, mark: u8, is_fresh: bool) -> bool {
        match mark {
            b'+' | b'-' => {
                is_fresh || !(self.joined(at, [mark, mark]) || (at > 0 && self.joined(at - 1, [mark, mark])))
            }
            b'!' => is_fresh || self.joined(at, [b'!', b'=']),
            b'.' => at > 0 && self.joined(at - 1, [b'.', b'.']),
            // `f<T>(x)` is a call.
            b'>' => {
                is_fresh || !self.opens(at + 1, b'(') || !self.is_adjacent(at + 1) || (at > 0 && self.is(at - 1, b'='))
            }
            _ => true,
        }
    }

    /// Returns true if `=` is the whole operator.
    fn assigns(&self, at: usize) -> bool {
        let is_longer = at > 0
            && self.is_adjacent(at)
            && matches!(self.kind(at - 1), TokenKind::Mark(mark) if b"=!<>+-*/%&|^?".contains(&mark));
        !is_longer && !self.joined(at, [b'=', b'=']) && !self.joined(at, [b'=', b'>'])
    }

    /// Reads `name = function () {…}`; returns the next token, or `None` if the assigned value is not a function.
    fn assignment(&mut self, row: usize, left: usize, equals: usize, to: usize) -> Option<usize> {
        let value = self.next(equals, to);
        if value >= to {
            return None;
        }
        self.closure_at(value, to)?;
        let behind = self.item_end(value, to);
        self.closure_spanning(value, behind)?;
        let last = self.last_of(value, behind);
        let name = self.text_between(left, self.last_of(left, equals));
        let definition = self.note(DefinitionKind::Function, name, row, last);
        self.deeper_in(definition, self.place, |inner| inner.expression(value, behind, EnclosingCall::FAR));
        Some(behind)
    }

    /// The function that makes up the whole value, if there is one.
    pub(super) fn closure_spanning(&self, from: usize, to: usize) -> Option<Closure> {
        let closure = self.closure_at(from, to)?;
        (!closure.is_block || self.next(closure.body, to) >= to).then_some(closure)
    }

    /// Reads the contents of a bracket.
    fn group(&mut self, open: usize, progress: &ExpressionPosition) {
        let close = self.close(open);
        // In `[…].join()` the array itself is not the argument.
        let is_indexed = self.is(close + 1, b'.');
        let reach = if is_indexed { progress.reach.farther(2) } else { progress.reach };
        let is_operand = progress.is_fresh;
        match self.kind(open) {
            TokenKind::Open(b'(') => {
                let inner_reach = if is_operand { reach.in_parentheses() } else { EnclosingCall::PASSED };
                self.deeper(self.place, |inner| inner.expression(open + 1, close, inner_reach));
            }
            TokenKind::Open(b'[') if is_operand => {
                self.literal(open, reach, |inner| inner.expression(open + 1, close, reach.farther(1)));
            }
            TokenKind::Open(b'{') if open > 0 && self.kind(open - 1) == MARKUP => {
                self.deeper(self.place, |inner| inner.expression(open + 1, close, EnclosingCall::FAR));
            }
            TokenKind::Open(b'{') if is_operand => {
                self.literal(open, reach, |inner| inner.object(open, reach.farther(2)));
            }
            TokenKind::Open(b'{') => {
                let place = ScriptContext { in_function: true, ..self.place };
                self.deeper(place, |inner| inner.statements(open + 1, close));
            }
            _ => self.deeper(self.place, |inner| inner.expression(open + 1, close, EnclosingCall::FAR)),
        }
    }

    /// Reads an array or an object, and records that a skeleton can omit most of it if it is long.
    fn literal(&mut self, open: usize, reach: EnclosingCall, read: impl FnOnce(&mut ScriptReader<'_, '_>)) {
        let (folds, functions) = (self.folds.len(), self.functions_seen);
        let is_long = self.last_row(open) - self.row(open) >= SHORTEST_TABLE;
        self.deeper(self.place, read);
        if is_long && reach.arguments >= 2 && !self.place.is_folded {
            self.note_table(open, folds, functions);
        }
    }

    fn object(&mut self, open: usize, reach: EnclosingCall) {
        let end = self.close(open);
        let mut at = self.next_code(open + 1, end);
        while at < end {
            at = self.entry(at, end, reach).max(at + 1);
            at = self.next_code(at, end);
        }
    }

    /// Reads an entry of an object; returns the next token.
    fn entry(&mut self, first: usize, end: usize, reach: EnclosingCall) -> usize {
        let name = self.member_name(first, end);
        let next = self.next(name, end);
        if !matches!(self.kind(name), TokenKind::Word | TokenKind::Text | TokenKind::Number | TokenKind::Open(b'[')) {
            let behind = self.item_end(first, end);
            self.expression(first, behind, reach);
            return behind + 1;
        }
        if let Some(signature) = self.signature(next, end) {
            if let Some(body) = signature.body {
                self.method(first, name, body);
                return self.close(body) + 1;
            }
            if self.has_types() {
                let (row, text) = (self.first_row(first), self.text_between(name, self.close(name)));
                self.note(DefinitionKind::Method, text, row, signature.last);
                return signature.last + 1;
            }
        }
        let behind = self.item_end(next, end);
        if next < end && (self.is(next, b':') || self.is(next, b'=')) {
            self.expression(next + 1, behind, reach);
        } else {
            self.expression(next, behind, reach);
        }
        behind + 1
    }
}
