//! Base of all token readers: navigates tokens, and records definitions and folds.

use super::TokenSyntax;
use super::brackets::directives_stand_alone;
use crate::outline::definitions::{Definition, DefinitionKind};
use crate::outline::raw_outline::SHORTEST_BODY;
use crate::outline::shape::Foldable;
use crate::outline::steps;
use crate::outline::tokens::token::{Token, TokenKind};

/// Maximum depth of nested blocks that are read, so that the stack cannot overflow.
const DEEPEST: usize = 100;

/// State of a reader: tokens, and the definitions and folds found so far.
pub(crate) struct TokenReader<'t> {
    pub(crate) syntax: &'static TokenSyntax,
    pub(crate) text: &'t str,
    pub(crate) tokens: Vec<Token>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) folds: Vec<Foldable>,
    /// Number of functions so far, named or anonymous.
    pub(crate) functions_seen: usize,
    /// Open definitions, outermost first.
    open: Vec<usize>,
    depth: usize,
}

impl<'t> TokenReader<'t> {
    pub(crate) fn new(syntax: &'static TokenSyntax, text: &'t str, tokens: Vec<Token>) -> Self {
        Self {
            syntax,
            text,
            tokens,
            definitions: Vec::new(),
            folds: Vec::new(),
            functions_seen: 0,
            open: Vec::new(),
            depth: 0,
        }
    }

    /// The text of a token.
    pub(crate) fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start as usize..token.end as usize])
    }

    /// Returns true if the token is this word.
    pub(crate) fn is_word(&self, at: usize, word: &str) -> bool {
        self.kind(at) == TokenKind::Word && self.word(at) == word
    }

    /// The kind of a token; `Dead` beyond the last one.
    pub(crate) fn kind(&self, at: usize) -> TokenKind {
        steps::count(1);
        self.tokens.get(at).map_or(TokenKind::Dead, |token| token.kind)
    }

    /// Returns true if the token is this punctuation.
    pub(crate) fn is(&self, at: usize, mark: u8) -> bool {
        self.kind(at) == TokenKind::Mark(mark)
    }

    /// Returns true if the token is this opening bracket.
    pub(crate) fn opens(&self, at: usize, bracket: u8) -> bool {
        self.kind(at) == TokenKind::Open(bracket)
    }

    /// Closing bracket of an opening one; any other token itself.
    pub(crate) fn close(&self, at: usize) -> usize {
        match self.kind(at) {
            TokenKind::Open(_) => self.tokens[at].partner as usize,
            _ => at,
        }
    }

    /// First token from `at` on, before `end`, that is not a comment, a directive or dead.
    pub(crate) fn next_code(&self, at: usize, end: usize) -> usize {
        (at..end).inspect(|_| steps::count(1)).find(|it| !self.tokens[*it].is_silent()).unwrap_or(end)
    }

    /// Next significant token on this level; a bracket with its contents counts as one.
    pub(crate) fn next(&self, at: usize, end: usize) -> usize {
        self.next_code(self.close(at) + 1, end)
    }

    /// First such punctuation on this level from `at` on, or the end.
    pub(crate) fn seek(&self, at: usize, end: usize, mark: u8) -> usize {
        let mut at = self.next_code(at, end);
        while at < end && !self.is(at, mark) {
            at = self.next(at, end);
        }
        at
    }

    /// Last significant token before `at`, not before `from`.
    pub(crate) fn before(&self, at: usize, from: usize) -> Option<usize> {
        (from..at).rev().inspect(|_| steps::count(1)).find(|it| !self.tokens[*it].is_silent())
    }

    /// Last name before a token, not before `from`; type parameters may follow it: `Get<T>(`, `this[`.
    pub(crate) fn name_before(&self, at: usize, from: usize) -> &'t str {
        let (mut at, mut angles) = (at, 0_usize);
        while let Some(before) = self.before(at, from) {
            at = before;
            match self.kind(at) {
                TokenKind::Mark(b'>') => angles += 1,
                TokenKind::Mark(b'<') => angles = angles.saturating_sub(1),
                TokenKind::Close(_) => at = self.tokens[at].partner as usize,
                TokenKind::Word | TokenKind::Text if angles == 0 => return self.word(at),
                _ => {}
            }
        }
        ""
    }

    /// Returns true if two adjacent tokens form this operator: `=>`, `::`.
    pub(crate) fn joined(&self, at: usize, marks: [u8; 2]) -> bool {
        self.is(at, marks[0]) && self.is(at + 1, marks[1]) && self.tokens[at].end == self.tokens[at + 1].start
    }

    /// Row on which the token begins.
    pub(crate) fn row(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(0, |token| token.row as usize)
    }

    /// Row on which the token, or the bracket pair it opens, ends.
    pub(crate) fn last_row(&self, at: usize) -> usize {
        self.tokens.get(self.close(at)).map_or(0, |token| token.last_row as usize)
    }

    /// First row of a definition that starts with the token, including the comments directly above it.
    pub(crate) fn first_row(&self, at: usize) -> usize {
        let mut first = self.row(at);
        for it in (0..at).rev() {
            steps::count(1);
            let token = self.tokens[it];
            let touches = token.kind == TokenKind::Comment && token.last_row as usize + 1 >= first;
            // A comment after code on the same row belongs to that code.
            let trails = it.checked_sub(1).is_some_and(|before| {
                let before = self.tokens[before];
                before.last_row == token.row && before.kind != TokenKind::Comment
            });
            if !touches || trails {
                break;
            }
            first = token.row as usize;
        }
        first
    }

    /// Indentation of a token that begins its row.
    pub(crate) fn indentation(&self, at: usize) -> usize {
        let start = self.tokens.get(at).map_or(0, |token| token.start as usize);
        self.text.as_bytes()[..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// `a.b.c` from its first word on.
    pub(crate) fn dotted_name(&self, at: usize) -> &'t str {
        let mut end = at;
        while self.is(end + 1, b'.') && self.kind(end + 2) == TokenKind::Word {
            end += 2;
        }
        let (Some(first), Some(last)) = (self.tokens.get(at), self.tokens.get(end)) else { return "" };
        &self.text[first.start as usize..last.end as usize]
    }

    /// Reads the contents of a block, unless it is nested too deeply.
    pub(crate) fn deeper(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth < DEEPEST {
            self.depth += 1;
            read(self);
            self.depth -= 1;
        }
    }

    /// Records a definition from row `first` to the last row of the token `last`.
    pub(crate) fn define(&mut self, kind: DefinitionKind, name: &str, first: usize, last: usize) -> usize {
        let parent = self.open.last().copied();
        let last = self.last_row(last).max(first);
        self.definitions.push(Definition {
            name: name.to_owned(),
            kind,
            first: first as u32 + 1,
            last: last as u32 + 1,
            parent,
        });
        self.definitions.len() - 1
    }

    /// Reads the contents of a definition.
    pub(crate) fn within(&mut self, definition: usize, read: impl FnOnce(&mut Self)) {
        self.open.push(definition);
        self.deeper(read);
        self.open.pop();
    }

    /// The kind of the enclosing definition.
    pub(crate) fn around(&self) -> Option<DefinitionKind> {
        self.open.last().map(|at| self.definitions[*at].kind)
    }

    /// Records that a skeleton can omit a function's body: the block that the token opens. The function begins on row
    /// `first` and ends with the token `last`.
    pub(crate) fn fold_body(&mut self, first: usize, block: usize, last: usize) {
        self.functions_seen += 1;
        let Some((from, to)) = self.inside(block) else { return };
        if to + 1 >= from + SHORTEST_BODY {
            let scope = (first as u32, self.last_row(last) as u32);
            let gap = Some((from as u32, to as u32));
            self.folds.push(Foldable { scope, gap, is_body: true, holds: 0 });
        }
    }

    /// Records that a skeleton can omit a function's body: these rows. The function begins on row `first`.
    pub(crate) fn fold_rows(&mut self, first: usize, (from, to): (usize, usize)) {
        self.functions_seen += 1;
        if to + 1 >= from + SHORTEST_BODY {
            let gap = Some((from as u32, to as u32));
            self.folds.push(Foldable { scope: (first as u32, to as u32), gap, is_body: true, holds: 0 });
        }
    }

    /// Rows between a bracket and its partner, if both are on separate rows.
    pub(crate) fn inside(&self, open: usize) -> Option<(usize, usize)> {
        self.between(open, self.close(open))
    }

    /// Rows between two tokens, if nothing between them shares a row with either.
    pub(crate) fn between(&self, open: usize, close: usize) -> Option<(usize, usize)> {
        // Directives between the two count as well.
        steps::count(close - open);
        let (first, last) = (self.row(open) + 1, self.row(close));
        let shares_row = |token: &Token| {
            (token.row as usize) < first && (token.kind != TokenKind::Comment || token.last_row as usize >= first)
        };
        if self.tokens[open + 1..close].iter().take_while(|token| (token.row as usize) < first).any(shares_row)
            || close.checked_sub(1).is_some_and(|before| self.tokens[before].last_row as usize == last)
            || last < first + 1
            || !directives_stand_alone(self.text, &self.tokens[open..close])
        {
            return None;
        }
        Some((first, last - 1))
    }
}
