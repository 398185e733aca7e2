//! A payload in parts, for windows and input fields that take less than all of it at once.
//!
//! Each part starts with a line that says which one it is. A part ends between blocks; only a block that is larger than a
//! part alone is cut, with a mark where it stops and where it goes on, and closed and opened again in between.

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

/// Attempts at the number of parts, which is stated in each header and so changes each part's size.
const TRIES: usize = 8;

/// One part of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its text, header included.
    pub text: String,
    /// Its tokens.
    pub tokens: usize,
}

/// Refuses a size that no part can have.
pub fn check(most: usize) -> Result<()> {
    if most < SMALLEST {
        return Err(Error::input(
            format!("parts of {} tokens hold nothing", thousands(most)),
            format!("give at least {}, for example 8k", thousands(SMALLEST)),
        ));
    }
    Ok(())
}

/// A payload in parts of at most so many tokens each; one that fits is a single part without a header.
pub fn split(payload: &str, most: usize, tokenizer: Tokenizer) -> Result<Vec<Part>> {
    check(most)?;
    let tokens = tokenizer.count(payload);
    if tokens <= most {
        return Ok(vec![Part { text: payload.to_owned(), tokens }]);
    }
    if payload.starts_with('{') {
        return Err(Error::input(
            format!("the context pack has {} tokens, and JSON cannot be read in parts", thousands(tokens)),
            "give it a smaller --budget, or another --format",
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
        format!("the payload does not settle in parts of {} tokens", thousands(most)),
        "give another number to --split",
    ))
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

/// The marks where a block stops and where it continues.
fn cut_mark(next: usize, inside_line: bool) -> String {
    let inside = if inside_line { ", inside a line" } else { "" };
    format!("[Cut here{inside}: this block goes on in part {next}.]\n")
}

fn goes_on_mark(before: usize) -> String {
    format!("[This block goes on from part {before}.]\n")
}

/// Reports if sizes add up before this text; see `pieces`.
fn starts_a_piece(text: &str) -> bool {
    text.starts_with(|c: char| !c.is_whitespace() && c != '/')
}

/// Parts being filled.
struct Packing {
    counter: Counter,
    most: usize,
    of: usize,
    parts: Vec<Part>,
    /// The text of the part so far, without its header.
    open: String,
    /// The size of that.
    size: usize,
}

impl Packing {
    fn new(tokenizer: Tokenizer, most: usize, of: usize) -> Self {
        Self { counter: Counter(tokenizer), most, of, parts: Vec::new(), open: String::new(), size: 0 }
    }

    fn pack(mut self, segments: &[Segment<'_>]) -> Vec<Part> {
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

    /// Whether so many tokens are within the limit under either header that the part may get: were it only the one that it
    /// gets by the number that is expected, another number would lead to other parts, and those to another number again.
    fn holds(&self, number: usize, tokens: impl Fn(&str) -> usize) -> bool {
        [false, true].into_iter().all(|last| tokens(&header_as(number, self.of, last)) <= self.most)
    }

    /// Reports if an empty part has room for the text.
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
            self.parts.push(Part { tokens: self.counter.0.count(&text), text });
            self.open.clear();
            self.size = 0;
        }
    }

    /// Puts a block that no part can hold into as many as it takes, beginning with what is left of the open one.
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
            head = format!("{}{}", goes_on_mark(number), segment.opening);
        }
    }

    /// A chunk that is not the last of its block.
    fn chunk(&self, head: &str, body: &str, segment: &Segment<'_>) -> String {
        let inside_line = !body.ends_with('\n');
        let line_end = if inside_line { "\n" } else { "" };
        format!("{head}{body}{line_end}{}{}", segment.closing, cut_mark(self.number() + 1, inside_line))
    }

    /// The length of text that fits into the open part: whole lines, or characters where not even one line fits an empty part.
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
        // At least one character, so that it ends.
        ends.get(some.max(1) - 1).copied().unwrap_or(body.len())
    }
}

#[cfg(test)]
mod tests;
