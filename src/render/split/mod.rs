//! Splits a payload into parts, for windows and input fields with a size limit.
//!
//! Each part starts with a line that contains its number. A part ends between blocks. Only a block that is larger than
//! a part is cut: it is closed with a marker and reopened in the next part.

mod join;
mod segments;

use std::path::{Path, PathBuf};

pub use join::join;
use segments::{Segment, segments};

use super::pieces::Counter;
use crate::error::{Error, Result};
use crate::gather::tokens::Tokenizer;
use crate::place::budget::SMALLEST;
use crate::text::thousands;

/// Maximum number of attempts to find the number of parts. Each header contains that number, so it affects the size of
/// each part.
const TRIES: usize = 8;

/// One part of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayloadPart {
    /// Text of the part, including its header.
    pub text: String,
    /// Number of tokens.
    pub tokens: usize,
}

/// Rejects a size that is too small for a part.
pub fn check(most: usize) -> Result<()> {
    if most < SMALLEST {
        return Err(Error::input(
            format!("parts of {} tokens are too small", thousands(most)),
            format!("use at least {}, for example 8k", thousands(SMALLEST)),
        ));
    }
    Ok(())
}

/// Splits a payload into parts with at most this many tokens each. A payload that fits is a single part without a
/// header.
pub fn split(payload: &str, most: usize, tokenizer: Tokenizer) -> Result<Vec<PayloadPart>> {
    check(most)?;
    let tokens = tokenizer.count(payload);
    if tokens <= most {
        return Ok(vec![PayloadPart { text: payload.to_owned(), tokens }]);
    }
    if payload.starts_with('{') {
        return Err(Error::input(
            format!(
                "cannot split the context pack ({} tokens), because parts of JSON are not valid",
                thousands(tokens)
            ),
            "use a smaller --budget or another --format",
        ));
    }
    let segments = segments(payload);
    let mut expected = tokens.div_ceil(most);
    for _ in 0..TRIES {
        let parts = Packing::new(tokenizer, most, expected).pack(&segments);
        if parts.len() == expected {
            return Ok(parts);
        }
        expected = parts.len();
    }
    Err(Error::input(
        format!("cannot split the payload into parts of {} tokens", thousands(most)),
        "try another number for --split",
    ))
}

/// The parts of a payload that exceeds this limit; `None` without a limit, or if one part suffices.
pub fn parts(payload: &str, most: Option<usize>, tokenizer: Tokenizer) -> Result<Option<Vec<PayloadPart>>> {
    let Some(most) = most else { return Ok(None) };
    Ok(Some(split(payload, most, tokenizer)?).filter(|parts| parts.len() > 1))
}

/// The file of one part: `payload.2of3.md`.
pub fn part_file(path: &Path, number: usize, of: usize) -> PathBuf {
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}.{number}of{of}{extension}"))
}

fn header(number: usize, of: usize) -> String {
    header_as(number, of, number == of)
}

fn header_as(number: usize, of: usize, last: bool) -> String {
    let place = match number {
        1 => "The next part follows; wait for all of them before you answer.".to_owned(),
        _ if last => format!("It continues part {} and is the last: answer now.", number - 1),
        _ => format!("It continues part {}, and the next part follows.", number - 1),
    };
    format!("[Part {number} of {of} of one payload. {place}]\n\n")
}

/// The markers for a block that continues in another part.
fn cut_mark(next: usize, inside_line: bool) -> String {
    let inside = if inside_line { ", inside a line" } else { "" };
    format!("[Cut here{inside}: this block goes on in part {next}.]\n")
}

fn continuation_mark(before: usize) -> String {
    format!("[This block goes on from part {before}.]\n")
}

/// Returns true if the text before and after this point can be counted separately (see `pieces`).
fn starts_a_piece(text: &str) -> bool {
    text.starts_with(|c: char| !c.is_whitespace() && c != '/')
}

/// Distributes a payload over parts.
struct Packing {
    counter: Counter,
    most: usize,
    of: usize,
    parts: Vec<PayloadPart>,
    /// Text of the current part, without its header.
    open: String,
    /// Size of that text.
    size: usize,
}

impl Packing {
    fn new(tokenizer: Tokenizer, most: usize, of: usize) -> Self {
        Self { counter: Counter(tokenizer), most, of, parts: Vec::new(), open: String::new(), size: 0 }
    }

    fn pack(mut self, segments: &[Segment<'_>]) -> Vec<PayloadPart> {
        for segment in segments {
            if self.fits(segment.text) {
                self.add(segment.text);
            } else if self.fits_alone(segment.text) {
                self.close();
                self.add(segment.text);
            } else {
                self.cut(segment);
            }
        }
        self.close();
        self.parts
    }

    /// The number of the part that is being filled.
    fn number(&self) -> usize {
        self.parts.len() + 1
    }

    fn fits(&self, more: &str) -> bool {
        if self.counter.adds_up() && starts_a_piece(more) {
            let size = self.size + self.counter.size(more);
            return self.holds(self.number(), |header| self.counter.tokens(self.counter.size(header) + size));
        }
        self.holds(self.number(), |header| self.counter.0.count(&[header, &self.open, more].concat()))
    }

    /// Returns true if the tokens are within the limit with either of the headers that the part may get. If only the
    /// expected header were checked, a longer header could change the number of parts again and again.
    fn holds(&self, number: usize, tokens: impl Fn(&str) -> usize) -> bool {
        [false, true].into_iter().all(|last| tokens(&header_as(number, self.of, last)) <= self.most)
    }

    /// Returns true if the text fits into an empty part.
    fn fits_alone(&self, text: &str) -> bool {
        let next = self.number() + usize::from(!self.open.is_empty());
        self.holds(next, |header| self.counter.0.count(&[header, text].concat()))
    }

    fn add(&mut self, text: &str) {
        self.open.push_str(text);
        self.size += self.counter.size(text);
        if !starts_a_piece(text) {
            self.size = self.counter.size(&self.open);
        }
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            let text = header(self.number(), self.of) + &self.open;
            self.parts.push(PayloadPart { tokens: self.counter.0.count(&text), text });
            self.open.clear();
            self.size = 0;
        }
    }

    /// Distributes a block that is larger than a part, starting in the current part.
    fn cut(&mut self, segment: &Segment<'_>) {
        let (before, body, after) = segment.pieces();
        let mut rest = body;
        let mut head = before.to_owned();
        loop {
            let last = format!("{head}{rest}{after}");
            if self.fits(&last) {
                self.add(&last);
                return;
            }
            let end = self.longest(&head, rest, segment);
            if end == 0 {
                self.close();
                continue;
            }
            let (now, later) = rest.split_at(end);
            let chunk = self.chunk(&head, now, segment);
            self.add(&chunk);
            let number = self.number();
            self.close();
            rest = later;
            head = format!("{}{}", continuation_mark(number), segment.opening);
        }
    }

    /// Formats a chunk that is not the last of its block.
    fn chunk(&self, head: &str, body: &str, segment: &Segment<'_>) -> String {
        let inside_line = !body.ends_with('\n');
        let line_end = if inside_line { "\n" } else { "" };
        format!("{head}{body}{line_end}{}{}", segment.closing, cut_mark(self.number() + 1, inside_line))
    }

    /// Length of the text that fits into the current part, in whole lines. A line that does not fit into an empty part
    /// is cut between characters.
    fn longest(&self, head: &str, body: &str, segment: &Segment<'_>) -> usize {
        let lines: Vec<usize> = body.match_indices('\n').map(|(at, _)| at + 1).collect();
        let fits = |end: usize| self.fits(&self.chunk(head, &body[..end], segment));
        let whole = lines.partition_point(|end| fits(*end));
        if whole > 0 {
            return lines[whole - 1];
        }
        if !self.open.is_empty() {
            return 0;
        }
        let ends: Vec<usize> = body.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        let some = ends.partition_point(|end| fits(*end));
        // At least one character is taken, so that the loop ends.
        ends.get(some.max(1) - 1).copied().unwrap_or(body.len())
    }
}

#[cfg(test)]
mod tests;
