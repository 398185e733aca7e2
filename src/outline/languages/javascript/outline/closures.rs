//! Functions in expressions.

use super::{ScriptContext, ScriptReader};
use crate::outline::tokens::token::TokenKind;

/// A function expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closure {
    /// First token of its body.
    pub(super) body: usize,
    /// True if the body is a block, false if it is an expression.
    pub(super) is_block: bool,
}

/// Distance to an enclosing call in syntax levels; operands do not count.
#[derive(Debug, Clone, Copy)]
pub(super) struct EnclosingCall {
    /// Arguments of a call.
    pub(super) arguments: u8,
    /// A call or parentheses.
    pub(super) call: u8,
}

impl EnclosingCall {
    pub(super) const FAR: Self = Self { arguments: 9, call: 9 };
    pub(super) const PASSED: Self = Self { arguments: 0, call: 0 };

    pub(super) fn farther(self, steps: u8) -> Self {
        Self { arguments: self.arguments.saturating_add(steps), call: self.call.saturating_add(steps) }
    }

    pub(super) fn in_parentheses(self) -> Self {
        Self { arguments: self.arguments.saturating_add(1), call: 0 }
    }
}

impl ScriptReader<'_, '_> {
    /// The function that starts at `at`, if any.
    pub(super) fn closure_at(&self, at: usize, end: usize) -> Option<Closure> {
        let mut at = at;
        if self.is_word(at, "async") {
            let next = self.next(at, end);
            let leads = next < end
                && self.same_row(at, next)
                && matches!(self.kind(next), TokenKind::Word | TokenKind::Open(b'(') | TokenKind::Mark(b'<'));
            if leads {
                at = next;
            }
        }
        match self.kind(at) {
            TokenKind::Word if self.word(at) == "function" => self.function_at(at, end),
            TokenKind::Word => self.arrow(self.next(at, end), end),
            TokenKind::Mark(b'<') if self.has_types() => self.parameters(self.angle_end(at, end)?, end),
            TokenKind::Open(b'(') => self.parameters(at, end),
            _ => None,
        }
    }

    fn function_at(&self, at: usize, end: usize) -> Option<Closure> {
        let mut at = self.next(at, end);
        if at < end && self.is(at, b'*') {
            at = self.next(at, end);
        }
        if at < end && self.kind(at) == TokenKind::Word {
            at = self.next(at, end);
        }
        let body = self.signature(at, end)?.body?;
        Some(Closure { body, is_block: true })
    }

    fn parameters(&self, at: usize, end: usize) -> Option<Closure> {
        if at >= end || !self.opens(at, b'(') {
            return None;
        }
        let next = self.next(at, end);
        if next < end && self.is(next, b':') && self.has_types() {
            return self.arrow(self.type_end_before_arrow(next + 1, end), end);
        }
        self.arrow(next, end)
    }

    /// Arrow after a return type; the type's end cannot be found first, because the arrow and the
    /// body may look like part of it.
    fn type_end_before_arrow(&self, from: usize, end: usize) -> usize {
        let behind = self.guessed_type_end(from, end);
        if behind < end && self.joined(behind, [b'=', b'>']) {
            return behind;
        }
        let (mut arrow, mut at) = (end, self.next_code(from, end));
        while at < behind {
            if self.joined(at, [b'=', b'>']) {
                arrow = at;
            }
            at = self.next(at, behind);
        }
        arrow
    }

    fn arrow(&self, at: usize, end: usize) -> Option<Closure> {
        if at >= end || !self.joined(at, [b'=', b'>']) {
            return None;
        }
        let body = self.next_code(at + 2, end);
        (body < end).then(|| Closure { body, is_block: self.opens(body, b'{') })
    }

    /// Reads a function with a block. A function that only wraps others keeps its structure.
    pub(super) fn closure(
        &mut self,
        start: usize,
        closure: Closure,
        reach: EnclosingCall,
        end: usize,
        definition: Option<usize>,
    ) {
        let block = closure.body;
        let next = self.next(block, end);
        let is_called = next < end && (self.opens(next, b'(') || self.is(next, b'.'));
        let is_argument = is_called || reach.arguments < 2 || reach.call < 2;
        if is_argument && !self.place.is_folded && self.wraps_definitions(block) {
            self.functions_seen += 1;
            let place = ScriptContext { in_function: true, ..self.place };
            let close = self.close(block);
            self.deeper_in(definition, place, |inner| inner.statements(block + 1, close));
        } else {
            let first = self.row(start);
            self.body(first, block, definition);
        }
    }
}
