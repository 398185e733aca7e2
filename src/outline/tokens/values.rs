//! Anonymous functions and long tables in the values of variables, which a skeleton can omit.

use crate::outline::raw_outline::{SAMPLE_ROWS, SHORTEST_TABLE};
use crate::outline::shape::Foldable;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;

/// The use of an opening bracket in a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BracketUse {
    /// The body of a function without a name.
    Closure,
    /// Entries of a table.
    Table,
    /// Arguments of a call.
    Arguments,
    /// Something that its language reads in its own way: the body of a class without a name, what a macro gets.
    Special(fn(&mut TokenReader<'_>, usize)),
    /// Anything else.
    Other,
}

impl TokenReader<'_> {
    /// Looks for what could go among the tokens of a value. `group` says what an opening bracket is; arguments of a call keep their tables:
    /// what these configure is more than data.
    pub(crate) fn value(&mut self, from: usize, to: usize, group: fn(&Self, usize) -> BracketUse, is_passed: bool) {
        self.deeper(|reader| reader.groups(from, to, group, is_passed));
    }

    fn groups(&mut self, from: usize, to: usize, group: fn(&Self, usize) -> BracketUse, is_passed: bool) {
        let mut at = from;
        while at < to {
            if !matches!(self.kind(at), TokenKind::Open(_)) {
                at += 1;
                continue;
            }
            let close = self.close(at);
            match group(self, at) {
                BracketUse::Closure => self.fold_body(self.row(at), at, close),
                BracketUse::Table if !is_passed && self.row(close) - self.row(at) >= SHORTEST_TABLE => {
                    self.table(at, group);
                }
                BracketUse::Table | BracketUse::Other => self.value(at + 1, close, group, is_passed),
                BracketUse::Special(read) => read(self, at),
                BracketUse::Arguments => self.value(at + 1, close, group, true),
            }
            at = close + 1;
        }
    }

    fn table(&mut self, open: usize, group: fn(&Self, usize) -> BracketUse) {
        let (folds, functions) = (self.folds.len(), self.functions_seen);
        let close = self.close(open);
        self.value(open + 1, close, group, false);
        self.note_table(open, folds, functions);
    }

    /// Notes a table that has been read, before which there were so many folds and functions.
    pub(crate) fn note_table(&mut self, open: usize, folds: usize, functions: usize) {
        let close = self.close(open);
        // A table of functions is as good as a class; it keeps its structure.
        if self.functions_seen > functions {
            return;
        }
        let gap = self.entries(open).filter(|(first, last)| last + 1 >= first + SHORTEST_TABLE - 3);
        let small = |row: usize| row as u32;
        self.folds.push(Foldable {
            scope: (small(self.row(open)), small(self.row(close))),
            gap: gap.map(|(first, last)| (small(first), small(last))),
            is_body: false,
            holds: self.folds.len() - folds,
        });
    }

    /// The rows of a table that a skeleton can omit: all but the first few entries.
    fn entries(&self, open: usize) -> Option<(usize, usize)> {
        let (first, last) = self.inside(open)?;
        let close = self.close(open);
        let separator = if self.syntax.declarations.field_tables { b';' } else { b',' };
        let (mut at, mut sampled) = (open + 1, first);
        while at < close {
            let start = self.row(at);
            let mut end = at;
            while self.kind(at) != TokenKind::Comment && end < close && !self.is(end, separator) {
                end = self.close(end) + 1;
            }
            let end_row = self.last_row(end.min(close - 1));
            if start >= sampled && start >= first + SAMPLE_ROWS {
                break;
            }
            if end_row >= first + SAMPLE_ROWS {
                // An entry that runs past the sample goes if it begins on a row of its own; else the sample ends before.
                return (start >= sampled).then_some((start.max(first), last));
            }
            sampled = sampled.max(end_row + 1);
            at = end + 1;
        }
        Some((sampled, last))
    }
}
