//! Ruby: handles the end of a level.

use super::levels::{LevelKind, RubyLevel};
use super::lexer::{RubyLexer, RubyToken};
use super::{RubyReader, is_endless};
use crate::outline::by_line::strings::StringScanner;
use crate::outline::by_line::table_entries::entries;
use crate::outline::raw_outline::{SHORTEST_BODY, SHORTEST_TABLE};
use crate::outline::shape::Foldable;

/// Maximum number of levels searched for the partner of an `end` or a bracket.
const FARTHEST_PARTNER: usize = 32;

impl RubyReader<'_> {
    pub(super) fn close_bracket(&mut self, token: RubyToken, bracket: u8, lexer: &RubyLexer<'_>) {
        let closes = |level: &RubyLevel| match level.kind {
            LevelKind::Bracket(open) => matches!((open, bracket), (b'(', b')') | (b'[', b']') | (b'{', b'}')),
            LevelKind::Block => !level.ends_with_word && bracket == b'}',
            _ => false,
        };
        let found = self.levels.iter().rev().take(FARTHEST_PARTNER).position(closes);
        self.close(found, token, lexer);
    }

    pub(super) fn end(&mut self, token: RubyToken, lexer: &RubyLexer<'_>) {
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

    /// Closes the level at this depth.
    fn close(&mut self, inner: Option<usize>, token: RubyToken, lexer: &RubyLexer<'_>) {
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
            LevelKind::Method => self.fold(level, token, lexer),
            LevelKind::Block => {
                self.ends_with_block = true;
                if !level.wraps_definitions(SHORTEST_BODY) {
                    self.fold(level, token, lexer);
                }
            }
            LevelKind::Bracket(b'(') => self.close_parameters(token),
            LevelKind::Bracket(_) => self.fold_table(level, token, lexer),
            _ => {}
        }
    }

    /// The body of a method begins after its parameters.
    fn close_parameters(&mut self, token: RubyToken) {
        let rest = &self.text[token.end..];
        let level = self.top();
        if level.kind == LevelKind::Method && level.body.in_header {
            level.body.in_header = false;
            level.body.header = token.row;
            if is_endless(rest) {
                self.make_endless();
            }
        }
    }

    fn fold(&mut self, level: RubyLevel, end: RubyToken, lexer: &RubyLexer<'_>) {
        let body = level.body;
        let begins_line = self.text[..end.start].trim_end_matches([' ', '\t']).ends_with('\n');
        // A here-document whose operator is in the header ends inside the body.
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

    fn fold_table(&mut self, level: RubyLevel, end: RubyToken, lexer: &RubyLexer<'_>) {
        let is_long = (end.row - level.row) as usize >= SHORTEST_TABLE;
        // A table of functions is like a class, so it keeps its structure.
        if is_long && !level.is_passed && self.functions_seen == level.functions_before {
            let gap = entries(
                self.text.as_bytes(),
                (level.start, level.row),
                (end.start, end.row),
                &mut StringScanner::default(),
            );
            // The lines of a here-document are not entries.
            let has_texts = lexer.announced.last().is_some_and(|row| *row >= level.row);
            let gap = gap.filter(|_| !has_texts);
            let holds = self.folds.len() - level.folds_before;
            self.folds.push(Foldable { scope: (level.row, end.row), gap, is_body: false, holds });
        }
    }
}
