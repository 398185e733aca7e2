//! Counts the tokens of o200k, the encoding that is used when nothing says otherwise, with a vocabulary that takes milliseconds to
//! load. What it counts is what the tokenizers of other crates count, to the token; tests compare them.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::merge::Merge;
use super::pieces::each_piece;
use super::words::{NONE, Words};

/// Pieces that were counted last, by their bytes: a power of two, small enough for a core's own cache.
const RECENT: usize = 1 << 12;
/// Longer ones are not remembered.
const REMEMBERED: usize = 15;

/// What one thread uses again and again.
struct Memory {
    /// A piece with its length, and its count.
    recent: Box<[(u128, u32)]>,
    merge: Merge,
}

thread_local! {
    static MEMORY: RefCell<Memory> =
        RefCell::new(Memory { recent: vec![(0, 0); RECENT].into(), merge: Merge::default() });
}

/// The vocabulary, loaded when it is needed first.
pub fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(Words::load)
}

/// How many tokens a text is. Text like `<|endoftext|>` counts as the text that it is.
pub fn count(text: &str) -> usize {
    let words = words();
    MEMORY.with_borrow_mut(|memory| {
        let mut total = 0;
        each_piece(text, |start, end| total += memory.count(words, text.as_bytes(), start, end));
        total
    })
}

impl Memory {
    #[inline]
    fn count(&mut self, words: &Words, text: &[u8], start: usize, end: usize) -> usize {
        let length = end - start;
        if length == 1 {
            return 1;
        }
        if length > REMEMBERED {
            return self.look_up(words, &text[start..end]);
        }
        // The bytes behind the piece are masked away; its length is where the sixteenth would be.
        let bytes = match text[start..].first_chunk::<16>() {
            Some(sixteen) => u128::from_le_bytes(*sixteen) & (u128::MAX >> (128 - 8 * length)),
            None => text[start..end].iter().rev().fold(0, |bytes, byte| bytes << 8 | u128::from(*byte)),
        };
        let key = bytes | (length as u128) << 120;
        let slot = ((key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % RECENT;
        let (known, count) = self.recent[slot];
        if known == key {
            return count as usize;
        }
        let count = self.look_up(words, &text[start..end]);
        self.recent[slot] = (key, count as u32);
        count
    }

    fn look_up(&mut self, words: &Words, piece: &[u8]) -> usize {
        if words.number(piece) == NONE { self.merge.count(words, piece) } else { 1 }
    }
}
