//! Logical lines of Python: comments, and statements with all rows that brackets, strings or backslashes join.

use memchr::{memchr, memchr_iter};

use super::tables::{PythonBracket, is_table};
use crate::outline::by_line::strings::StringScanner;
use crate::outline::by_line::table_entries::entries;
use crate::outline::raw_outline::SHORTEST_TABLE;
use crate::outline::shape::Foldable;

/// Tab width in Python.
const TAB: u32 = 8;

/// Maximum number of unclosed brackets that a closing bracket skips to reach its partner.
const FARTHEST_PARTNER: usize = 16;

/// A logical line; rows count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogicalLine {
    /// A comment on its own row.
    Comment {
        row: u32,
        indent: u32,
    },
    Statement(Statement),
}

/// A statement without its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) start: usize,
    /// End of its code, before a comment.
    pub(super) end: usize,
    pub(super) row: u32,
    pub(super) last_row: u32,
    pub(super) indent: u32,
    /// True if it follows another statement on the same row, after a semicolon.
    pub(super) follows: bool,
    /// First colon outside brackets.
    pub(super) colon: Option<usize>,
}

/// Splits source text into logical lines.
pub(super) struct LogicalLines<'t> {
    bytes: &'t [u8],
    at: usize,
    row: u32,
    indent: u32,
    /// True if the last statement ended with a semicolon.
    follows: bool,
    strings: StringScanner,
    open: Vec<PythonBracket>,
    /// Long tables of the last statement.
    pub(super) tables: Vec<Foldable>,
    /// True if a bracket or string is not closed.
    pub(super) has_errors: bool,
}

impl<'t> LogicalLines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            bytes: text.as_bytes(),
            at,
            row: 0,
            indent: 0,
            follows: false,
            strings: StringScanner::default(),
            open: Vec::new(),
            tables: Vec::new(),
            has_errors: false,
        }
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> Option<LogicalLine> {
        self.tables.clear();
        let mut indent = 0;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' => indent += 1,
                b'\t' => indent = (indent / TAB + 1) * TAB,
                b'\r' => {}
                0x0c => indent = 0,
                b'\n' => {
                    self.row += 1;
                    self.follows = false;
                    indent = 0;
                }
                b'\\' if self.bytes[self.at + 1..].starts_with(b"\n") => {}
                b'#' => {
                    let (row, trails) = (self.row, self.follows);
                    self.at = self.line_end(self.at);
                    if trails {
                        continue;
                    }
                    return Some(LogicalLine::Comment { row, indent });
                }
                b';' => self.follows = true,
                _ => {
                    if !self.follows {
                        self.indent = indent;
                    }
                    return Some(LogicalLine::Statement(self.statement()));
                }
            }
            self.at += 1;
        }
        None
    }

    fn statement(&mut self) -> Statement {
        let (start, row, follows) = (self.at, self.row, self.follows);
        let mut colon = None;
        self.follows = false;
        self.open.clear();
        let end = loop {
            self.skip_plain();
            let Some(&byte) = self.bytes.get(self.at) else { break self.at };
            match byte {
                b'\n' if self.open.is_empty() => break self.at,
                b'\n' => {
                    self.at += 1;
                    self.row += 1;
                    if self.begins_definition() {
                        break self.give_up_brackets();
                    }
                    self.note_comprehension();
                }
                b'#' => {
                    let comment = self.at;
                    self.at = self.line_end(comment);
                    if self.open.is_empty() {
                        break comment;
                    }
                }
                b'"' | b'\'' => self.skip_string(),
                b'(' | b'[' | b'{' => {
                    self.open.push(PythonBracket::new(byte, self.at, self.row, self.tables.len()));
                    self.at += 1;
                }
                b')' | b']' | b'}' => self.close(byte),
                b'\\' => self.skip_escape(),
                b';' if self.open.is_empty() => {
                    self.follows = true;
                    self.at += 1;
                    break self.at - 1;
                }
                b':' if self.open.is_empty() && colon.is_none() && self.bytes.get(self.at + 1) != Some(&b'=') => {
                    colon = Some(self.at);
                    self.at += 1;
                }
                b',' => {
                    if let Some(group) = self.open.last_mut() {
                        group.has_comma = true;
                    }
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        };
        self.has_errors |= !self.open.is_empty();
        // A backslash before a blank line does not continue a statement.
        let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'\\';
        let blanks = self.bytes[start..end].iter().rev().take_while(is_blank).count();
        let blank_rows = memchr_iter(b'\n', &self.bytes[end - blanks..end]).count() as u32;
        Statement {
            start,
            end: end - blanks,
            row,
            last_row: self.row - blank_rows,
            indent: self.indent,
            follows,
            colon,
        }
    }

    fn skip_plain(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| MATTERS[usize::from(*byte)]).unwrap_or(rest.len());
    }

    fn line_end(&self, from: usize) -> usize {
        memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |length| from + length)
    }

    fn skip_string(&mut self) {
        let end = self.strings.end(self.bytes, self.at);
        self.has_errors |= !end.is_closed;
        self.row += memchr_iter(b'\n', &self.bytes[self.at..end.at]).count() as u32;
        self.at = end.at;
    }

    /// Skips a backslash and the line break after it.
    fn skip_escape(&mut self) {
        self.at += 1;
        self.at += usize::from(self.bytes.get(self.at) == Some(&b'\r'));
        if self.bytes.get(self.at) == Some(&b'\n') {
            self.row += 1;
            self.at += 1;
        }
    }

    fn close(&mut self, bracket: u8) {
        let close = self.at;
        self.at += 1;
        let Some(inner) = self.open.iter().rev().take(FARTHEST_PARTNER).position(|group| group.closes_with(bracket))
        else {
            self.has_errors = true;
            return;
        };
        self.has_errors |= inner > 0;
        self.open.truncate(self.open.len() - inner);
        if let Some(group) = self.open.pop()
            && (self.row - group.row) as usize >= SHORTEST_TABLE
            && is_table(self.bytes, group, &self.open)
        {
            let gap = entries(self.bytes, (group.start, group.row), (close, self.row), &mut self.strings);
            let holds = self.tables.len() - group.tables_before;
            self.tables.push(Foldable { scope: (group.row, self.row), gap, is_body: false, holds });
        }
        self.note_comprehension();
    }

    /// `for` directly inside a bracket makes it a comprehension, not a table.
    fn note_comprehension(&mut self) {
        let Some(group) = self.open.last_mut() else { return };
        let rest = unindented(&self.bytes[self.at..]);
        group.has_for |= [&b"for "[..], b"async for "].iter().any(|word| rest.starts_with(word));
    }

    /// Returns true if a line inside brackets looks like a new statement, which means that the brackets were never
    /// closed.
    fn begins_definition(&self) -> bool {
        let line = unindented(&self.bytes[self.at..]);
        [&b"def "[..], b"class ", b"async def "].iter().any(|word| {
            line.strip_prefix(*word)
                .and_then(<[u8]>::first)
                .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        })
    }

    /// Ends a statement before the current line.
    fn give_up_brackets(&mut self) -> usize {
        self.at -= 1;
        self.row -= 1;
        self.at
    }
}

/// The bytes without leading blanks.
fn unindented(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &bytes[blanks..]
}

/// Bytes that are relevant for the end of a statement.
const MATTERS: [bool; 256] = {
    let mut table = [false; 256];
    let marks = b"\n#\"'()[]{}\\;:,";
    let mut at = 0;
    while at < marks.len() {
        table[marks[at] as usize] = true;
        at += 1;
    }
    table
};
