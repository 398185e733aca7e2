//! Shell commands that open a group, define a function or set a variable.

use super::ShellReader;
use super::levels::{CaseState, CommandState, LevelMode, ListSample};
use super::words::{announced, assigned_name, backtick_end, function_head, is_declaring, single_end, word_end};
use crate::outline::definitions::DefinitionKind::{Constant, Function};
use crate::outline::raw_outline::SAMPLE_ROWS;
use crate::outline::tokens::strings::escaped_end;

impl ShellReader<'_> {
    pub(super) fn in_commands(&mut self) {
        let byte = self.peek(0);
        match byte {
            b' ' | b'\t' | b'\r' => {
                self.end_value();
                self.at += 1;
            }
            b'\n' => {
                self.end_command();
                self.line_break();
            }
            b'#' if self.begins_word() => self.comment(),
            b'\\' if matches!(self.peek(1), b'\n' | b'\r') => {
                self.at += 1 + usize::from(self.peek(1) == b'\r');
                self.row += 1;
                self.at += 1;
            }
            _ => {
                let first = self.lead();
                if !matches!(byte, b'{' | b'(') && self.pending_body.take().is_some() {
                    self.command.begins = true;
                }
                self.in_command(byte, first);
            }
        }
    }

    fn begins_word(&self) -> bool {
        self.at == 0
            || self
                .bytes
                .get(self.at - 1)
                .is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')'))
    }

    fn in_command(&mut self, byte: u8, first: u32) {
        match byte {
            b';' => {
                self.end_command();
                let length = self.bytes[self.at..].iter().take_while(|byte| matches!(byte, b';' | b'&' | b'|')).count();
                if let LevelMode::CaseState(case) = &mut self.top().mode
                    && length > 1
                {
                    *case = CaseState::Fresh;
                }
                self.at += length;
            }
            b'&' if self.peek(1) == b'>' => self.at += 2,
            b'&' | b'|' => {
                self.end_command();
                self.at += 1;
            }
            b'<' | b'>' => self.redirection(byte),
            b'(' => self.parenthesis(),
            b')' => self.close_parenthesis(),
            b'{' if self.opens_group() => self.group(),
            b'}' if self.closes_group() => self.close(1),
            b'\'' | b'"' | b'$' | b'`' | b'\\' => {
                self.piece();
                self.quoted();
            }
            _ => self.word(first),
        }
    }

    pub(super) fn end_value(&mut self) {
        if std::mem::take(&mut self.command.in_value)
            && let Some(definition) = self.definitions.last_mut().filter(|_| self.command.first_set.is_some())
        {
            definition.last = definition.last.max(self.row + 1);
        }
    }

    fn end_command(&mut self) {
        self.end_value();
        self.command = CommandState { begins: true, ..CommandState::default() };
    }

    /// Reads a word, or part of one, that is not a value. Assignments before it apply to this
    /// command only.
    fn piece(&mut self) {
        if self.command.in_value {
            return;
        }
        self.command.begins = false;
        if let Some(first) = self.command.first_set.take().filter(|_| !self.command.declares) {
            self.definitions.truncate(first);
        }
    }

    fn redirection(&mut self, byte: u8) {
        let rest = &self.bytes[self.at..];
        if self.peek(1) == b'(' {
            self.piece();
            return self.open(LevelMode::Subshell, 2);
        }
        if byte == b'<' && rest.starts_with(b"<<") && !rest.starts_with(b"<<<") {
            match announced(self.bytes, self.at) {
                Some(document) => {
                    self.at = document.end;
                    self.pending.push(document);
                }
                None => self.at += 2,
            }
            return;
        }
        let length = rest.iter().take_while(|it| **it == byte).count();
        let has_more = matches!(rest.get(length), Some(b'&' | b'|'));
        self.at += length + usize::from(has_more);
    }

    fn parenthesis(&mut self) {
        if self.pending_body.is_some() {
            return self.open_body(LevelMode::Subshell);
        }
        if self.command.begins && !self.command.in_value {
            let is_arithmetic = self.peek(1) == b'(';
            self.piece();
            return self.open(
                if is_arithmetic { LevelMode::Arithmetic(2) } else { LevelMode::Subshell },
                1 + usize::from(is_arithmetic),
            );
        }
        let is_list = self.command.in_value;
        self.piece();
        self.open(LevelMode::Words, 1);
        if is_list {
            self.top().sample = ListSample::of_list(self.row, SAMPLE_ROWS as u32);
        }
    }

    fn close_parenthesis(&mut self) {
        self.end_command();
        if self.top().mode == LevelMode::Subshell {
            self.close(1);
        } else {
            self.has_errors = true;
            self.at += 1;
        }
    }

    fn stands_alone(&self) -> bool {
        matches!(self.peek(1), b' ' | b'\t' | b'\n' | b'\r' | b';' | b')' | b'&' | b'|' | 0 | b'>' | b'#')
    }

    /// In zsh, a closing brace on the row of its opening one needs no blank before it.
    fn on_row_of_group(&mut self) -> bool {
        let row = self.row;
        let level = self.top();
        level.mode == LevelMode::Group && level.row == row
    }

    pub(super) fn ends_line(&self, offset: usize) -> bool {
        let rest = self.bytes.get(self.at + offset..).unwrap_or_default();
        rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).is_none_or(|byte| *byte == b'\n')
    }

    /// Returns true if `{` is not a literal: at the start of a command or, in zsh, of a body after a condition.
    fn opens_group(&self) -> bool {
        self.pending_body.is_some()
            || (self.begins_word() && self.stands_alone() && (self.command.begins || self.ends_line(1)))
    }

    fn closes_group(&mut self) -> bool {
        // In zsh, a group may end without a semicolon; a single brace is rarely an argument.
        let stands_alone = self.begins_word() && self.stands_alone();
        self.top().mode == LevelMode::Group && (stands_alone || (self.on_row_of_group() && self.ends_line(1)))
    }

    fn group(&mut self) {
        if self.pending_body.is_some() {
            return self.open_body(LevelMode::Group);
        }
        self.piece();
        self.open(LevelMode::Group, 1);
    }

    fn word(&mut self, first: u32) {
        let mut end = word_end(self.bytes, self.at);
        if self.text[self.at..end].trim_start_matches('}').ends_with('}')
            && self.on_row_of_group()
            && self.ends_line(end - self.at)
            && !self.text[self.at..end].contains('{')
        {
            end -= 1;
        }
        let word = &self.text[self.at..end];
        let was_value = self.command.in_value;
        if !was_value && (self.command.begins || self.command.declares) && self.assignment(word, first) {
            return;
        }
        if self.top().mode == LevelMode::CaseState(CaseState::Subject) {
            if word == "in" && self.begins_word() {
                self.top().mode = LevelMode::CaseState(CaseState::Fresh);
            }
            return self.skip_to(end);
        }
        if was_value || !self.command.begins {
            return self.skip_to(end);
        }
        if let Some((name, after)) = function_head(self.text, self.at) {
            self.piece();
            let definition = self.define(Function, name, first);
            self.pending_body = Some((definition, first));
            return self.skip_to(after);
        }
        match word {
            "if" | "then" | "else" | "elif" | "do" | "while" | "until" | "!" | "time" => self.at = end,
            "case" => {
                self.piece();
                self.open(LevelMode::CaseState(CaseState::Subject), end - self.at);
                self.command.begins = false;
            }
            "esac" if self.top().mode == LevelMode::CaseState(CaseState::Commands) => self.close(end - self.at),
            "[[" => {
                self.piece();
                self.open(LevelMode::Test, 2);
            }
            _ => {
                self.piece();
                self.command.declares = is_declaring(word);
                self.command.declared = (first, self.row);
                self.skip_to(end);
            }
        }
    }

    /// `NAME=…`, `NAME+=…`, `NAME[…]=…`
    fn assignment(&mut self, word: &str, first: u32) -> bool {
        let Some((name, length)) = assigned_name(word) else { return false };
        let may_count = self.functions_open == 0
            && self.levels.iter().all(|level| {
                matches!(level.mode, LevelMode::File | LevelMode::Group | LevelMode::CaseState(_))
                    || (level.mode == LevelMode::Subshell && self.bytes.get(level.start) == Some(&b'('))
            });
        let first =
            if self.command.declares && self.command.declared.1 == self.row { self.command.declared.0 } else { first };
        if may_count {
            let definition = self.define(Constant, name, first);
            self.command.first_set = self.command.first_set.or(Some(definition));
        }
        self.command.in_value = true;
        self.at += length;
        true
    }

    /// A quote or an expansion.
    pub(super) fn quoted(&mut self) {
        let quote = self.peek(0);
        match quote {
            b'\'' => self.skip_to(single_end(self.bytes, self.at + 1)),
            b'"' => self.open(LevelMode::Quoted, 1),
            b'`' => self.skip_to(backtick_end(self.bytes, self.at + 1)),
            b'\\' => self.skip_to(self.at + 2),
            _ => self.dollar(),
        }
        // Only an unclosed string extends to the line break at the end of the file.
        self.has_errors |= quote != b'\\' && self.at >= self.bytes.len() && self.bytes.last() == Some(&b'\n');
    }

    pub(super) fn dollar(&mut self) {
        let is_quoted = self.top().mode == LevelMode::Quoted;
        match (self.peek(1), self.peek(2)) {
            (b'(', b'(') => self.open(LevelMode::Arithmetic(2), 3),
            (b'(', _) => self.open(LevelMode::Subshell, 2),
            (b'{', _) => self.open(LevelMode::Parameter, 2),
            (b'\'', _) if !is_quoted => self.skip_to(escaped_end(self.bytes, self.at + 2, b'\'', true)),
            (b'"', _) => self.at += 1,
            (b'#' | b'$' | b'?' | b'!' | b'*' | b'@' | b'-', _) => self.skip_to(self.at + 2),
            _ => self.skip_to(self.at + 1),
        }
    }
}
