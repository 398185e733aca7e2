//! Ends of statements without semicolons.

use super::ScriptReader;
use crate::outline::tokens::token::TokenKind;

/// Words that require a continuation.
const UNFINISHED: [&str; 23] = [
    "extends", "implements", "typeof", "keyof", "in", "of", "instanceof", "new", "as", "is", "satisfies", "const",
    "let", "var", "function", "class", "delete", "infer", "readonly", "import", "export", "await", "case",
];
/// Words that cannot occur inside an expression; at the start of a line, they end the previous statement.
const BEGINNING: [&str; 11] =
    ["const", "var", "export", "if", "for", "while", "switch", "try", "throw", "return", "break"];

impl ScriptReader<'_, '_> {
    /// End of the statement that starts at `at`: its semicolon, or the end of a line that the next line does not
    /// continue.
    pub(super) fn statement_end(&self, at: usize, end: usize) -> usize {
        let mut at = at;
        // True between the start of a function or class and its body, which may begin on its own
        // line.
        let mut expects_body = false;
        while at < end && !self.is(at, b';') {
            let next = self.next(at, end);
            match self.kind(at) {
                TokenKind::Word if matches!(self.word(at), "function" | "class") => {
                    expects_body = !self.is_property(at);
                }
                TokenKind::Open(b'{') => expects_body = false,
                _ => {}
            }
            let is_body = expects_body && self.opens(next, b'{');
            if next < end && !is_body && self.parts(self.close(at), next) {
                return next;
            }
            at = next;
        }
        at.min(end)
    }

    /// Returns true if a statement ends between two adjacent tokens.
    fn parts(&self, last: usize, next: usize) -> bool {
        if self.last_row(last) >= self.row(next) {
            return false;
        }
        let begins = self.kind(next) == TokenKind::Word && BEGINNING.contains(&self.word(next));
        begins || (!self.needs_operand(last) && !self.continues_line(next))
    }

    /// Returns true if the expression must continue after the token.
    fn needs_operand(&self, at: usize) -> bool {
        match self.kind(at) {
            // `x as const` and `x.in` are complete.
            TokenKind::Word => {
                let is_complete = at > 0 && (self.is(at - 1, b'.') || self.is_word(at - 1, "as"));
                UNFINISHED.contains(&self.word(at)) && !is_complete
            }
            TokenKind::Mark(mark @ (b'+' | b'-')) => !(at > 0 && self.joined(at - 1, [mark, mark])),
            TokenKind::Mark(b'!' | b';') => false,
            // `Map<K, V>` is complete even if `>` is on its own line; `a >` is not.
            TokenKind::Mark(b'>') => {
                let begins_row = self.before(at, 0).is_some_and(|before| !self.same_row(before, at));
                (at > 0 && self.joined(at - 1, [b'=', b'>'])) || !(self.is_adjacent(at) || begins_row)
            }
            TokenKind::Mark(_) => true,
            _ => false,
        }
    }

    /// Returns true if a token at the start of a line continues the line above.
    fn continues_line(&self, at: usize) -> bool {
        match self.kind(at) {
            TokenKind::Mark(mark @ (b'+' | b'-')) => !self.joined(at, [mark, mark]),
            TokenKind::Mark(b'!') => self.joined(at, [b'!', b'=']),
            TokenKind::Mark(b'@' | b'#' | b'~' | b'\\' | b';') => false,
            TokenKind::Open(b'(' | b'[') | TokenKind::Mark(_) => true,
            TokenKind::Word => {
                matches!(
                    self.word(at),
                    "in" | "of" | "instanceof" | "as" | "is" | "satisfies" | "extends" | "implements"
                ) && !matches!(
                    self.kind(at + 1),
                    TokenKind::Mark(b'=' | b':' | b';' | b'.' | b',' | b'?') | TokenKind::Open(b'(')
                )
            }
            _ => false,
        }
    }

    /// End of a list element.
    pub(super) fn item_end(&self, from: usize, end: usize) -> usize {
        let mut at = from;
        while at < end && !self.is(at, b',') && !self.is(at, b';') {
            at = self.past(at, end);
        }
        at.min(end)
    }

    /// The next token on this level; type arguments count as one.
    pub(super) fn past(&self, at: usize, end: usize) -> usize {
        self.type_list_end(at, end).unwrap_or_else(|| self.next(at, end))
    }

    /// Token after the type arguments of a call, or the type parameters of a function.
    fn type_list_end(&self, at: usize, end: usize) -> Option<usize> {
        if !self.is(at, b'<') || !self.has_types() {
            return None;
        }
        let behind = self.angle_end(at, end)?;
        let follows = self.kind(behind);
        let is_call = self.is_adjacent(at)
            && (behind >= end || matches!(follows, TokenKind::Open(_) | TokenKind::Mark(b',' | b';' | b'.')));
        let is_function = behind < end
            && self.opens(behind, b'(')
            && self
                .before(at, 0)
                .is_none_or(|before| matches!(self.kind(before), TokenKind::Mark(_)) || self.is_word(before, "async"));
        (is_call || is_function).then_some(behind)
    }
}
