//! Shell scripts. A function ends with the bracket that matches the first bracket of its body. To find it, quotes and
//! here-documents have to be read.

mod commands;
mod levels;
mod words;

use crate::outline::by_line::MOST_OPEN;
use crate::outline::by_line::heredocs::{Heredoc, Heredocs};
use crate::outline::definitions::Definition;
use crate::outline::definitions::DefinitionKind;
use crate::outline::raw_outline::RawOutline;
use crate::outline::raw_outline::{SHORTEST_BODY, SHORTEST_TABLE};
use crate::outline::shape::Foldable;
use levels::{CaseState, CommandState, LevelMode, ListSample, ShellLevel};
use memchr::{memchr, memchr_iter};

/// Maximum number of failed searches for the end of a function by indentation.
const MOST_FAILURES: usize = 8;

/// Reads a script. If quotes or brackets do not match, a function ends at the brace with its indentation.
pub(crate) fn read(text: &str) -> RawOutline {
    let outline = ShellReader::new(text, false).read();
    if outline.has_errors { ShellReader::new(text, true).read() } else { outline }
}

struct ShellReader<'t> {
    bytes: &'t [u8],
    text: &'t str,
    by_indentation: bool,
    at: usize,
    row: u32,
    definitions: Vec<Definition>,
    folds: Vec<Foldable>,
    levels: Vec<ShellLevel>,
    command: CommandState,
    /// Rows of adjacent comments since the last word.
    run: Option<(u32, u32)>,
    /// True if there were only blanks on this line so far.
    begins_line: bool,
    /// A function whose body has not started yet, with its first row.
    pending_body: Option<(usize, u32)>,
    functions_open: usize,
    pending: Vec<Heredoc>,
    heredocs: Heredocs,
    failures: usize,
    has_errors: bool,
}

impl<'t> ShellReader<'t> {
    fn new(text: &'t str, by_indentation: bool) -> Self {
        let mut reader = Self {
            bytes: text.as_bytes(),
            text,
            by_indentation,
            at: 0,
            row: 0,
            definitions: Vec::new(),
            folds: Vec::new(),
            levels: Vec::new(),
            command: CommandState { begins: true, ..CommandState::default() },
            run: None,
            begins_line: true,
            pending_body: None,
            functions_open: 0,
            pending: Vec::new(),
            heredocs: Heredocs::default(),
            failures: 0,
            has_errors: by_indentation,
        };
        reader.open(LevelMode::File, 0);
        reader
    }

    fn read(mut self) -> RawOutline {
        while self.at < self.bytes.len() && self.levels.len() <= MOST_OPEN {
            self.step();
            self.at = self.at.min(self.bytes.len());
        }
        self.end_value();
        self.has_errors |= self.levels.len() > 1;
        if self.has_errors {
            let last = self.text.lines().count() as u32;
            for (definition, _) in self.levels.iter().filter_map(|level| level.function) {
                if let Some(definition) = self.definitions.get_mut(definition) {
                    definition.last = last;
                }
            }
            // An unclosed string extends beyond the last line.
            self.definitions.iter_mut().for_each(|definition| definition.last = definition.last.min(last));
        }
        RawOutline { definitions: self.definitions, folds: self.folds, has_errors: self.has_errors }
    }

    fn top(&mut self) -> &mut ShellLevel {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn peek(&self, offset: usize) -> u8 {
        self.bytes.get(self.at + offset).copied().unwrap_or_default()
    }

    /// Opens a level whose delimiter has this length.
    fn open(&mut self, mode: LevelMode, length: usize) {
        let is_quoted = self.levels.last().is_some_and(|level| {
            level.mode == LevelMode::Quoted || (level.mode == LevelMode::Parameter && level.is_quoted)
        });
        self.levels.push(ShellLevel {
            mode,
            row: self.row,
            start: self.at,
            is_quoted,
            function: None,
            folds_before: self.folds.len(),
            command: self.command,
            sample: ListSample::default(),
        });
        self.at += length;
        self.command = CommandState { begins: true, ..CommandState::default() };
    }

    /// Closes the innermost level, and continues after its delimiter.
    fn close(&mut self, length: usize) {
        let close = self.at;
        self.at += length;
        let Some(level) = self.levels.pop() else { return };
        self.command = level.command;
        if let Some((definition, first)) = level.function {
            self.functions_open -= 1;
            let row = self.row;
            if let Some(definition) = self.definitions.get_mut(definition) {
                definition.last = row + 1;
            }
            self.fold_body(level, first, close);
        } else if level.sample.is_list && (self.row - level.row) as usize >= SHORTEST_TABLE {
            let gap = level.sample.gap_start().zip(self.inside(level, close)).map(|(first, (_, last))| (first, last));
            let gap = gap.filter(|(first, last)| (last + 1) as usize >= *first as usize + SHORTEST_TABLE - 3);
            let holds = self.folds.len() - level.folds_before;
            self.folds.push(Foldable { scope: (level.row, self.row), gap, is_body: false, holds });
        }
        let row = self.row;
        self.top().sample.note(level.row, row);
    }

    fn fold_body(&mut self, level: ShellLevel, scope_first: u32, close: usize) {
        let Some((first, last)) = self.inside(level, close) else { return };
        self.folds.truncate(level.folds_before);
        if (last + 1 - first) as usize >= SHORTEST_BODY {
            self.folds.push(Foldable {
                scope: (scope_first, self.row),
                gap: Some((first, last)),
                is_body: true,
                holds: 0,
            });
        }
    }

    /// Rows between a bracket and its partner, if both are on separate rows.
    fn inside(&self, level: ShellLevel, close: usize) -> Option<(u32, u32)> {
        if self.row < level.row + 2 {
            return None;
        }
        let after = self.bytes.get(level.start + 1..close)?;
        let beside = after[..memchr(b'\n', after)?].trim_ascii();
        let blanks = self.bytes[..close].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let shares_row =
            (!beside.is_empty() && !beside.starts_with(b"#")) || self.bytes.get(close - blanks - 1) != Some(&b'\n');
        (!shares_row).then_some((level.row + 1, self.row - 1))
    }

    fn step(&mut self) {
        match self.top().mode {
            LevelMode::Quoted => self.in_quotes(),
            LevelMode::Parameter => self.in_parameter(),
            LevelMode::Arithmetic(open) => self.in_arithmetic(open),
            LevelMode::Words | LevelMode::Test => self.in_words(),
            LevelMode::CaseState(CaseState::Fresh) => self.before_pattern(),
            LevelMode::CaseState(CaseState::Pattern(open)) => self.in_pattern(open),
            LevelMode::CaseState(CaseState::Subject | CaseState::Commands)
            | LevelMode::Group
            | LevelMode::Subshell
            | LevelMode::File => {
                self.in_commands();
            }
        }
    }

    /// Handles the end of a line: here-documents follow.
    fn line_break(&mut self) {
        self.at += 1;
        self.row += 1;
        self.begins_line = true;
        for document in std::mem::take(&mut self.pending) {
            match self.heredocs.end(self.bytes, document, self.at) {
                Some(end) => {
                    self.count_rows(self.at, end);
                    self.at = end;
                }
                None => self.has_errors = true,
            }
        }
    }

    fn count_rows(&mut self, from: usize, to: usize) {
        self.row += memchr_iter(b'\n', &self.bytes[from..to]).count() as u32;
    }

    /// Takes everything up to `end` as part of a word.
    fn skip_to(&mut self, end: usize) {
        let mut end = end.clamp(self.at, self.bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let first = self.row;
        self.count_rows(self.at, end);
        self.at = end;
        let last = self.row;
        self.top().sample.note(first, last);
    }

    fn comment(&mut self) {
        let row = self.row;
        self.at += memchr(b'\n', &self.bytes[self.at..]).unwrap_or(self.bytes.len() - self.at);
        self.top().sample.note(row, row);
        let above = self.run.filter(|(_, last)| last + 1 >= row);
        self.run = self.begins_line.then(|| (above.map_or(row, |(first, _)| first), row));
    }

    /// Called at the start of anything but a comment; returns the first row that belongs to it.
    fn lead(&mut self) -> u32 {
        let row = self.row;
        let run = self.run.take().filter(|(_, last)| self.begins_line && last + 1 >= row);
        self.begins_line = false;
        run.map_or(row, |(first, _)| first)
    }

    fn open_body(&mut self, mode: LevelMode) {
        let function = self.pending_body.take();
        self.command = CommandState::default();
        self.open(mode, 1);
        self.top().function = function;
        self.functions_open += 1;
        if self.by_indentation {
            self.skip_body(if mode == LevelMode::Group { b'}' } else { b')' });
        }
    }

    /// Moves to the bracket on its own line with the function's indentation.
    fn skip_body(&mut self, bracket: u8) {
        let header = self
            .top()
            .function
            .and_then(|(definition, _)| self.definitions.get(definition))
            .map_or(0, |it| it.last as usize - 1);
        let from = self.at;
        let rest = &self.bytes[from..];
        if self.failures >= MOST_FAILURES || !(self.ends_line(0) || rest.trim_ascii_start().starts_with(b"#")) {
            return;
        }
        let Some(line) = memchr(b'\n', rest) else { return };
        let back =
            memchr::memrchr_iter(b'\n', &self.bytes[..from]).nth(self.row as usize - header.min(self.row as usize));
        let header_line = &self.bytes[back.map_or(0, |at| at + 1)..];
        let indent = &header_line[..header_line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()];
        let mut at = from + line + 1;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            let closes = rest.strip_prefix(indent).is_some_and(|rest| rest.first() == Some(&bracket));
            if closes {
                self.count_rows(from, at);
                self.at = at + indent.len();
                self.command.begins = true;
                return;
            }
            at += memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
        }
        self.failures += 1;
    }

    fn define(&mut self, kind: DefinitionKind, name: &str, first: u32) -> usize {
        let parent = self.levels.iter().rev().find_map(|level| level.function).map(|(definition, _)| definition);
        self.definitions.push(Definition { name: name.to_owned(), kind, first: first + 1, last: self.row + 1, parent });
        self.definitions.len() - 1
    }
}
