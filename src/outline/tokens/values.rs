//! Anonymous functions and long tables in the values of variables, which a skeleton can omit.

use crate::outline::raw_outline::{SAMPLE_ROWS, SHORTEST_TABLE};
use crate::outline::shape::Foldable;
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::token::TokenKind;

/// Purpose of an opening bracket in a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BracketUse {
    /// Body of an anonymous function.
    Closure,
    /// Entries of a table.
    Table,
    /// Arguments of a call.
    Arguments,
    /// Something with its own syntax: the body of an anonymous class, the input of a macro.
    Special(fn(&mut TokenReader<'_>, usize)),
    /// Anything else.
    Other,
}

impl TokenReader<'_> {
    /// Finds parts of a value that a skeleton can omit; `group` classifies an opening bracket.
    /// Tables in the arguments of a call are kept, because they are configuration rather than data.
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

    /// Records a table that has been read, given the numbers of folds and functions before it.
    pub(crate) fn note_table(&mut self, open: usize, folds: usize, functions: usize) {
        let close = self.close(open);
        // A table of functions is like a class, so it keeps its structure.
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

    /// Rows of a table that a skeleton can omit: all but the first few entries.
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
                // An entry that continues beyond the sample is omitted if it begins its row;
                // otherwise the sample ends before that row.
                return (start >= sampled).then_some((start.max(first), last));
            }
            sampled = sampled.max(end_row + 1);
            at = end + 1;
        }
        Some((sampled, last))
    }
}
