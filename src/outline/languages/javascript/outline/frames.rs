//! Functions that only wrap others, such as a module in a function or a test suite. Skeletons keep
//! their structure, because a marker would hide everything in them.

use super::ScriptReader;
use crate::outline::raw_outline::SHORTEST_BODY;
use crate::outline::tokens::token::TokenKind;

/// A statement that contains a function nested no deeper than this counts as a definition.
const DEEPEST: usize = 5;

impl ScriptReader<'_, '_> {
    /// Returns true if a block contains mostly definitions and calls with function arguments.
    pub(super) fn wraps_definitions(&self, block: usize) -> bool {
        let end = self.close(block);
        let (mut framed, mut all) = (0, 0);
        let mut at = block + 1;
        while at < end {
            if self.tokens[at].is_silent() {
                all += self.last_row(at) + 1 - self.row(at);
                at += 1;
                continue;
            }
            let last = self.last_of_statement(at, end);
            let rows = self.last_row(last) + 1 - self.row(at);
            all += rows;
            if self.is_member(at, last + 1, 0) {
                framed += rows;
            }
            at = last + 1;
        }
        framed * 2 >= all && framed >= SHORTEST_BODY
    }

    /// Last token of a statement that may be, or contain, a declaration.
    fn last_of_statement(&self, at: usize, end: usize) -> usize {
        let behind = match self.word(at) {
            "if" | "for" | "while" | "switch" | "try" | "do" => self.controlled_end(at, end),
            _ => self.declared_body(at, end).map_or_else(|| self.statement_end(at, end), |body| self.close(body) + 1),
        };
        let last = self.last_of(at, behind);
        let next = self.next(last, end);
        if next < end && self.is(next, b';') { next } else { self.close(last) }
    }

    /// End of `if`, a loop and so on, including all branches.
    fn controlled_end(&self, at: usize, end: usize) -> usize {
        let mut at = at;
        while at < end {
            at = self.next(at, end);
            if at < end && self.is_word(at, "await") {
                at = self.next(at, end);
            }
            if at < end && self.opens(at, b'(') {
                at = self.next(at, end);
            }
            if at >= end || matches!(self.word(at), "if" | "for" | "while" | "switch" | "try" | "do") {
                continue;
            }
            at = if self.opens(at, b'{') { self.next(at, end) } else { self.statement_end(at, end) };
            let next = if at < end && self.is(at, b';') { self.next(at, end) } else { at };
            if next >= end || !matches!(self.word(next), "else" | "catch" | "finally") {
                break;
            }
            at = next;
        }
        at
    }

    /// Body of the function, class or type declared here.
    fn declared_body(&self, at: usize, end: usize) -> Option<usize> {
        let mut at = at;
        while at < end && self.is(at, b'@') {
            at = self.decorator_end(at, end);
        }
        let next = self.next(at, end);
        match self.word(at) {
            "function" => self.closure_at(at, end).map(|closure| closure.body),
            "async" if self.is_word(next, "function") => self.closure_at(next, end).map(|closure| closure.body),
            "class" => self.body_after(next, end),
            "interface" | "enum" | "namespace" | "abstract"
                if self.has_types() && self.kind(next) == TokenKind::Word =>
            {
                self.body_after(next, end)
            }
            _ => None,
        }
    }

    /// Returns true if a statement at this syntax depth is a declaration or ends with a function.
    fn is_member(&self, at: usize, end: usize, depth: usize) -> bool {
        let next = self.next(at, end);
        let is_declared = depth == 0
            && (self.declared_body(at, end).is_some()
                || (self.is_word(at, "type") && self.has_types() && self.kind(next) == TokenKind::Word));
        match self.word(at) {
            _ if is_declared => true,
            "if" | "for" | "while" | "try" | "do" | "switch" => self.body_ends_with_closure(at, end, depth + 1),
            "const" | "let" | "var" | "return" | "throw" => self.ends_with_closure(next, end, depth + 1),
            _ => self.ends_with_closure(at, end, depth + 1),
        }
    }

    /// Returns true if the last statement of the last block is a declaration or ends with a function.
    fn body_ends_with_closure(&self, at: usize, end: usize, depth: usize) -> bool {
        let close = self.last_of(at, end);
        if self.kind(close) != TokenKind::Close(b'}') || depth >= DEEPEST {
            return false;
        }
        let open = self.tokens[close].partner as usize;
        // The blocks of `else`, `catch` and `finally` are one level deeper.
        let deeper = match self.before(open, at) {
            Some(before) => usize::from(self.kind(before) == TokenKind::Word || self.is_caught(before)),
            None => 0,
        };
        let (mut statement, mut next) = (close, self.next_code(open + 1, close));
        while next < close {
            statement = next;
            next = self.next_code(self.last_of_statement(next, close) + 1, close);
        }
        statement < close && self.is_member(statement, close, depth + deeper + 1)
    }

    /// Returns true if a `)` ends `catch (error)`.
    fn is_caught(&self, close: usize) -> bool {
        let open = match self.kind(close) {
            TokenKind::Close(_) => self.tokens[close].partner as usize,
            _ => return false,
        };
        self.before(open, 0).is_some_and(|before| self.is_word(before, "catch"))
    }

    /// Returns true if an expression at this syntax depth ends with a function, possibly nested.
    fn ends_with_closure(&self, from: usize, end: usize, depth: usize) -> bool {
        let mut end = end;
        while let Some(last) = self.before(end, from).filter(|last| self.is(*last, b';') || self.is(*last, b',')) {
            end = last;
        }
        let (mut at, mut depth) = (self.next_code(from, end), depth);
        let (mut is_fresh, mut last, mut was_fresh, mut has_operator) = (true, at, true, false);
        while at < end && depth <= DEEPEST {
            if is_fresh && self.closure_spanning(at, end).is_some() {
                return true;
            }
            was_fresh = is_fresh;
            is_fresh = match self.kind(at) {
                TokenKind::Mark(b'=') if !self.is(at + 1, b'=') && !self.is(at - 1, b'=') => {
                    depth += 1;
                    true
                }
                TokenKind::Mark(b'.' | b'!' | b'<' | b'>') => is_fresh,
                TokenKind::Mark(_) => {
                    depth += usize::from(!has_operator);
                    has_operator = true;
                    true
                }
                TokenKind::Word if matches!(self.word(at), "await" | "yield" | "typeof" | "void") => {
                    depth += 1;
                    true
                }
                TokenKind::Word => self.word(at) == "new",
                _ => false,
            };
            last = at;
            at = self.past(at, end);
        }
        self.group_ends_with_closure(last, was_fresh, depth)
    }

    fn group_ends_with_closure(&self, open: usize, is_operand: bool, depth: usize) -> bool {
        if depth >= DEEPEST {
            return false;
        }
        let close = self.close(open);
        let item = self.last_item(open, close);
        match self.kind(open) {
            TokenKind::Open(b'(') if !is_operand => self.ends_with_closure(item, close, depth + 2),
            TokenKind::Open(b'(' | b'[') => self.ends_with_closure(item, close, depth + 1),
            TokenKind::Open(b'{') => {
                let colon = self.next(item, close);
                colon < close && self.is(colon, b':') && self.ends_with_closure(colon + 1, close, depth + 2)
            }
            _ => false,
        }
    }

    /// Start of the last list element.
    fn last_item(&self, open: usize, close: usize) -> usize {
        let (mut item, mut at) = (self.next_code(open + 1, close), self.next_code(open + 1, close));
        while at < close {
            let next = self.next(at, close);
            if self.is(at, b',') && next < close {
                item = next;
            }
            at = next;
        }
        item
    }
}
