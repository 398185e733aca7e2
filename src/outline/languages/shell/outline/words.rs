//! Words of a shell script, and the contents of quotes, expansions and lists.

use memchr::{memchr, memchr2};

use super::ShellReader;
use super::levels::{CaseState, CommandState, LevelMode};
use crate::outline::by_line::heredocs::Heredoc;
use crate::outline::tokens::strings::escaped_end;

impl ShellReader<'_> {
    pub(super) fn in_quotes(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'$' | b'`')).unwrap_or(rest.len());
        self.count_rows(self.at, self.at + length);
        self.at += length;
        match self.peek(0) {
            b'"' => self.close(1),
            b'$' if self.peek(1) == b'"' => self.at += 1,
            b'$' | b'\\' | b'`' => self.quoted(),
            _ => {}
        }
    }

    pub(super) fn in_parameter(&mut self) {
        match self.peek(0) {
            b'}' => self.close(1),
            b'\'' if self.top().is_quoted => self.at += 1,
            b'\'' | b'"' | b'$' | b'\\' | b'`' => self.quoted(),
            b'\n' => {
                self.row += 1;
                self.at += 1;
            }
            _ => self.at += 1,
        }
    }

    pub(super) fn in_arithmetic(&mut self, open: usize) {
        match self.peek(0) {
            b'(' => {
                self.top().mode = LevelMode::Arithmetic(open + 1);
                self.at += 1;
            }
            b')' if open == 1 => self.close(1),
            b')' => {
                self.top().mode = LevelMode::Arithmetic(open - 1);
                self.at += 1;
            }
            b'"' | b'$' | b'\\' | b'`' => self.quoted(),
            b'\n' => self.line_break(),
            _ => self.at += 1,
        }
    }

    /// In a list or in `[[ … ]]`.
    pub(super) fn in_words(&mut self) {
        let is_test = self.top().mode == LevelMode::Test;
        let after_blank =
            self.bytes.get(self.at.wrapping_sub(1)).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'('));
        match self.peek(0) {
            b'\n' => self.line_break(),
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'#' if after_blank && !is_test => self.comment(),
            b'\'' | b'"' | b'$' | b'\\' | b'`' => self.quoted(),
            b']' if is_test && after_blank && self.peek(1) == b']' => self.close(2),
            b'(' if !is_test => self.open(LevelMode::Words, 1),
            b')' if !is_test => self.close(1),
            b'<' | b'>' if self.peek(1) == b'(' => self.open(LevelMode::Subshell, 2),
            _ => {
                let end = if is_test { self.at + 1 } else { word_end(self.bytes, self.at).max(self.at + 1) };
                self.skip_to(end);
            }
        }
    }

    /// Reads up to a pattern of a `case`.
    pub(super) fn before_pattern(&mut self) {
        match self.peek(0) {
            b'\n' => self.line_break(),
            b' ' | b'\t' | b'\r' | b';' => self.at += 1,
            b'#' => self.comment(),
            b'(' if !self.groups_pattern() => {
                self.lead();
                self.at += 1;
                self.top().mode = LevelMode::CaseState(CaseState::Pattern(0));
            }
            _ if &self.bytes[self.at..word_end(self.bytes, self.at)] == b"esac" => self.close(4),
            _ => {
                // Comments above a pattern do not belong to the command on its row.
                self.lead();
                self.top().mode = LevelMode::CaseState(CaseState::Pattern(0));
            }
        }
    }

    /// Returns true if a parenthesis is part of the pattern, as in `(a|b)*)`, and not the optional one before the
    /// pattern.
    fn groups_pattern(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let close = memchr2(b')', b'\n', rest).filter(|at| rest[*at] == b')');
        close.and_then(|close| rest.get(close + 1)).is_some_and(|byte| !byte.is_ascii_whitespace())
    }

    pub(super) fn in_pattern(&mut self, open: usize) {
        match self.peek(0) {
            b'(' => {
                self.top().mode = LevelMode::CaseState(CaseState::Pattern(open + 1));
                self.at += 1;
            }
            b')' if open == 0 => {
                self.top().mode = LevelMode::CaseState(CaseState::Commands);
                self.command = CommandState { begins: true, ..CommandState::default() };
                self.at += 1;
            }
            b')' => {
                self.top().mode = LevelMode::CaseState(CaseState::Pattern(open - 1));
                self.at += 1;
            }
            b'\n' => self.line_break(),
            b'\'' | b'"' | b'$' | b'\\' | b'`' => self.quoted(),
            _ => self.at += 1,
        }
    }
}

/// End of `'…'`, given the position after its first quote.
pub(super) fn single_end(bytes: &[u8], from: usize) -> usize {
    memchr(b'\'', bytes.get(from..).unwrap_or_default()).map_or(bytes.len(), |length| from + length + 1)
}

/// End of a command in backticks, given the position after the first one.
pub(super) fn backtick_end(bytes: &[u8], from: usize) -> usize {
    escaped_end(bytes, from, b'`', true)
}

/// End of the literal part of a word.
pub(super) fn word_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    let ends = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t'
                | b'\r'
                | b'\n'
                | b';'
                | b'&'
                | b'|'
                | b'<'
                | b'>'
                | b'('
                | b')'
                | b'\''
                | b'"'
                | b'$'
                | b'`'
                | b'\\'
        )
    };
    from + rest.iter().position(ends).unwrap_or(rest.len())
}

/// Variable that a word sets, and the length of its name.
pub(super) fn assigned_name(word: &str) -> Option<(&str, usize)> {
    let length = word.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')?;
    let name = &word[..length];
    let rest = &word[length..];
    let index = if rest.starts_with('[') { rest.find(']')? + 1 } else { 0 };
    let rest = &rest[index..];
    let sign = if rest.starts_with("+=") { 2 } else { usize::from(rest.starts_with('=')) };
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    (is_name && sign > 0).then_some((name, length + index + sign))
}

pub(super) fn is_declaring(word: &str) -> bool {
    matches!(word, "export" | "readonly" | "declare" | "typeset" | "local")
}

/// `name()`, `function name`, `function name()`: the name, and the end of the head.
pub(super) fn function_head(text: &str, from: usize) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    let blanks = |at: usize| at + bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let parentheses = |at: usize| {
        let open = blanks(at);
        (bytes.get(open) == Some(&b'('))
            .then(|| blanks(open + 1))
            .filter(|close| bytes.get(*close) == Some(&b')'))
            .map(|close| close + 1)
    };
    let end = word_end(bytes, from);
    if &text[from..end] == "function" {
        let start = blanks(end);
        let end = word_end(bytes, start);
        let name = &text[start..end];
        return (!name.is_empty() && !name.starts_with('{')).then(|| (name, parentheses(end).unwrap_or(end)));
    }
    let name = &text[from..end];
    parentheses(end).filter(|_| !name.is_empty() && !name.contains('=')).map(|after| (name, after))
}

/// The here-document whose `<<` is at `from`.
pub(super) fn announced(bytes: &[u8], from: usize) -> Option<Heredoc> {
    let may_be_indented = bytes.get(from + 2) == Some(&b'-');
    let mut at = from + 2 + usize::from(may_be_indented);
    at += bytes.get(at..)?.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let quote = *bytes.get(at)?;
    if matches!(quote, b'"' | b'\'') {
        let length = memchr(quote, &bytes[at + 1..])?;
        return Some(Heredoc { name: (at + 1, at + 1 + length), may_be_indented, end: at + length + 2 });
    }
    at += usize::from(quote == b'\\');
    let end = word_end(bytes, at);
    (end > at).then_some(Heredoc { name: (at, end), may_be_indented, end })
}
