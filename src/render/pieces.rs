//! Pieces of payloads, with sizes that add up.
//!
//! A piece starts with a character that is neither white space nor `/` and ends with a newline. The encodings in
//! [`Counter::adds_up`] always split there, so the token count of a payload is the sum over its pieces. (o200k would
//! join `/` with preceding punctuation and a newline.)

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::content::ContentBlock;
use crate::gather::tokens::Tokenizer;
use crate::text::hex;

/// Encodings that always start a new token at the boundary between two pieces.
const ADDING_UP: [&str; 5] = ["o200k_base", "o200k_harmony", "cl100k_base", "llama3", "qwen2"];

/// Sizes of pieces: tokens, or characters if tokens are derived from them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counter(pub Tokenizer);

impl Counter {
    /// The size of one piece.
    pub fn size(self, piece: &str) -> usize {
        match self.0 {
            Tokenizer::Exact(_) => self.0.count(piece),
            // Rounded tokens of pieces would not add up to the total, but characters do.
            Tokenizer::Estimate | Tokenizer::Vendor(..) => piece.chars().count(),
        }
    }

    /// Converts a total size to tokens.
    pub fn tokens(self, size: usize) -> usize {
        self.0.of_characters(size).unwrap_or(size)
    }

    /// Returns true if sizes add up; otherwise the payload must be counted as a whole.
    pub fn adds_up(self) -> bool {
        match self.0 {
            Tokenizer::Exact(name) => ADDING_UP.contains(&name),
            Tokenizer::Estimate | Tokenizer::Vendor(..) => true,
        }
    }
}

/// A short text with its size.
#[derive(Debug)]
pub(super) struct CountedText {
    pub text: String,
    pub size: usize,
}

impl CountedText {
    pub fn new(counter: Counter, text: String) -> Self {
        Self { size: counter.size(&text), text }
    }
}

/// A piece: new, or cached from an earlier payload.
#[derive(Debug)]
enum Piece {
    Own(CountedText),
    Kept(Arc<CountedText>),
    ContentBlock(Arc<ContentBlock>),
}

impl Piece {
    fn size(&self) -> usize {
        match self {
            Self::Own(line) => line.size,
            Self::Kept(line) => line.size,
            Self::ContentBlock(block) => block.size,
        }
    }

    fn feed(&self, to: &mut impl FnMut(&str)) {
        match self {
            Self::Own(line) => to(&line.text),
            Self::Kept(line) => to(&line.text),
            Self::ContentBlock(block) => block.feed(to),
        }
    }
}

/// A part of a payload: a section, or several.
#[derive(Debug)]
pub(super) struct PieceList {
    counter: Counter,
    pieces: Vec<Piece>,
    size: usize,
}

impl PieceList {
    pub fn new(counter: Counter) -> Self {
        Self { counter, pieces: Vec::new(), size: 0 }
    }

    fn push(&mut self, piece: Piece) {
        self.size += piece.size();
        self.pieces.push(piece);
    }

    /// Adds text, which must be a piece as defined in the module documentation.
    pub fn add(&mut self, text: impl Into<String>) {
        let text = text.into();
        debug_assert!(text.ends_with('\n') && !text.starts_with(|c: char| c.is_whitespace() || c == '/'), "{text:?}");
        self.push(Piece::Own(CountedText::new(self.counter, text)));
    }

    /// Adds a line that is already counted.
    pub fn add_line(&mut self, line: &Arc<CountedText>) {
        self.push(Piece::Kept(Arc::clone(line)));
    }

    /// Adds the content of an item.
    pub fn add_block(&mut self, block: &Arc<ContentBlock>) {
        self.push(Piece::ContentBlock(Arc::clone(block)));
    }

    /// Ends a list. The blank line after the list becomes part of its last piece, because no piece may start with a
    /// blank line.
    pub fn end_list(&mut self) {
        if let Some(last) = self.pieces.pop() {
            self.size -= last.size();
            let mut text = String::new();
            last.feed(&mut |piece| text.push_str(piece));
            text.push('\n');
            self.add(text);
        }
    }

    /// The sum of the pieces' sizes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The tokens of the part.
    pub fn tokens(&self) -> usize {
        if self.counter.adds_up() { self.counter.tokens(self.size) } else { self.counter.0.count(&self.text()) }
    }

    /// Passes every piece to `to`, in order.
    pub fn feed(&self, to: &mut impl FnMut(&str)) {
        for piece in &self.pieces {
            piece.feed(to);
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.feed(&mut |piece| text.push_str(piece));
        text
    }
}

/// Finds by bisection how many of `count` lines or entries fit. More lines never take fewer tokens.
pub(super) fn most_that_fit(count: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut kept, mut too_many) = (0, count + 1);
    while too_many - kept > 1 {
        let middle = usize::midpoint(kept, too_many);
        if fits(middle) {
            kept = middle;
        } else {
            too_many = middle;
        }
    }
    kept
}

/// The sha256 of these parts' text, in hexadecimal.
pub(super) fn sha256_of<'a>(parts: impl IntoIterator<Item = &'a PieceList>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        part.feed(&mut |piece| hash.update(piece.as_bytes()));
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sizes_add_up_where_we_say_so(
            pieces in prop::collection::vec("[#<|`*A-Z-][ -~é你\\t\\r\\n]{0,40}\n{1,2}", 1..8),
            name in prop::sample::select(ADDING_UP.to_vec()),
        ) {
            let counter = Counter(Tokenizer::named(name).unwrap());
            let sum: usize = pieces.iter().map(|piece| counter.size(piece)).sum();
            prop_assert_eq!(counter.tokens(sum), counter.0.count(&pieces.concat()), "{}", name);
        }

        #[test]
        fn characters_add_up_for_the_estimate(pieces in prop::collection::vec("[#`][a-zé ]{0,9}\n", 1..8)) {
            for name in ["estimate", "claude"] {
                let counter = Counter(Tokenizer::named(name).unwrap());
                let sum: usize = pieces.iter().map(|piece| counter.size(piece)).sum();
                prop_assert_eq!(counter.tokens(sum), counter.0.count(&pieces.concat()));
            }
        }
    }
}
