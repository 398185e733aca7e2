//! Ruby: what happens where a level ends.

use super::levels::{Kind, Level};
use super::lexer::{Lexer, Token};
use super::{Reader, is_endless};
use crate::outline::shape::Foldable;
use crate::outline::sketch::by_line::entries::entries;
use crate::outline::sketch::by_line::strings::Strings;
use crate::outline::sketch::{SHORTEST_BODY, SHORTEST_TABLE};

/// How far out the partner of an `end` or a bracket is sought.
const FARTHEST_PARTNER: usize = 32;

impl Reader<'_> {
    pub(super) fn close_bracket(&mut self, token: Token, bracket: u8, lexer: &Lexer<'_>) {
        let closes = |level: &Level| match level.kind {
            Kind::Bracket(open) => matches!((open, bracket), (b'(', b')') | (b'[', b']') | (b'{', b'}')),
            Kind::Block => !level.ends_with_word && bracket == b'}',
            _ => false,
        };
        let found = self.levels.iter().rev().take(FARTHEST_PARTNER).position(closes);
        self.close(found, token, lexer);
    }

    pub(super) fn end(&mut self, token: Token, lexer: &Lexer<'_>) {
        let indent = lexer.indent();
        let begins_line = (token.start - lexer.line.min(token.start)) as u32 == indent;
        let candidates =
            || self.levels.iter().rev().take(FARTHEST_PARTNER).enumerate().filter(|(_, level)| level.ends_with_word);
        let by_indentation = (self.by_indentation && begins_line)
            .then(|| candidates().find(|(_, level)| level.indent == indent || level.column == indent).map(|(at, _)| at))
            .flatten();
        let found = by_indentation.or_else(|| candidates().next().map(|(at, _)| at));
        self.close(found, token, lexer);
    }

    /// Closes the level that has so many others inside it.
    fn close(&mut self, inner: Option<usize>, token: Token, lexer: &Lexer<'_>) {
        let Some(inner) = inner.filter(|inner| inner + 1 < self.levels.len()) else {
            self.has_errors = true;
            return;
        };
        for _ in 0..inner {
            self.has_errors = true;
            self.end_statement();
            let last_row = self.last_row;
            if let Some(own) = self.levels.pop().and_then(|level| level.own) {
                self.set_last(own, last_row);
            }
        }
        self.end_statement();
        let Some(level) = self.levels.pop() else { return };
        if let Some(own) = level.own {
            self.set_last(own, token.row);
        }
        match level.kind {
            Kind::Method => self.fold(level, token, lexer),
            Kind::Block => {
                self.ends_with_block = true;
                if !level.frames_others(SHORTEST_BODY) {
                    self.fold(level, token, lexer);
                }
            }
            Kind::Bracket(b'(') => self.close_parameters(token),
            Kind::Bracket(_) => self.fold_table(level, token, lexer),
            _ => {}
        }
    }

    /// After the parameters of a method its body begins.
    fn close_parameters(&mut self, token: Token) {
        let rest = &self.text[token.end..];
        let level = self.top();
        if level.kind == Kind::Method && level.body.in_header {
            level.body.in_header = false;
            level.body.header = token.row;
            if is_endless(rest) {
                self.make_endless();
            }
        }
    }

    fn fold(&mut self, level: Level, end: Token, lexer: &Lexer<'_>) {
        let body = level.body;
        let begins_line = self.text[..end.start].trim_end_matches([' ', '\t']).ends_with('\n');
        // A here-document announced in the header ends inside the body.
        let announces = lexer.announced.binary_search(&body.header).is_ok();
        if body.shares_row || announces || !begins_line || end.row < body.header + 2 {
            return;
        }
        self.folds.truncate(level.folds_before);
        let (first, last) = (body.header + 1, end.row - 1);
        if (last + 1 - first) as usize >= SHORTEST_BODY {
            self.folds.push(Foldable {
                scope: (body.scope, end.row),
                gap: Some((first, last)),
                is_body: true,
                holds: 0,
            });
        }
    }

    fn fold_table(&mut self, level: Level, end: Token, lexer: &Lexer<'_>) {
        let is_long = (end.row - level.row) as usize >= SHORTEST_TABLE;
        // A table of functions is as good as a class; it keeps its structure.
        if is_long && !level.is_passed && self.functions_seen == level.functions_before {
            let gap =
                entries(self.text.as_bytes(), (level.start, level.row), (end.start, end.row), &mut Strings::default());
            // The lines of a here-document are no entries.
            let has_texts = lexer.announced.last().is_some_and(|row| *row >= level.row);
            let gap = gap.filter(|_| !has_texts);
            let holds = self.folds.len() - level.folds_before;
            self.folds.push(Foldable { scope: (level.row, end.row), gap, is_body: false, holds });
        }
    }
}
