//! Counts tokens in o200k, the default encoding. The vocabulary loads in milliseconds. Tests compare the counts with
//! another crate.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::merge::MergeBuffers;
use super::pieces::each_piece;
use super::words::{NONE, Words};

/// Size of the cache of recent pieces, a power of two. The cache fits into a core's cache.
const RECENT: usize = 1 << 12;
/// Maximum length of a cached piece.
const LONGEST_CACHED: usize = 15;

/// Per-thread cache and buffers.
struct PieceCache {
    /// Piece with its length, and its count.
    recent: Box<[(u128, u32)]>,
    merge: MergeBuffers,
}

thread_local! {
    static MEMORY: RefCell<PieceCache> =
        RefCell::new(PieceCache { recent: vec![(0, 0); RECENT].into(), merge: MergeBuffers::default() });
}

/// The vocabulary, loaded on first use.
pub fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(Words::load)
}

/// Number of tokens. Special tokens such as `<|endoftext|>` count as plain text.
pub fn count(text: &str) -> usize {
    let words = words();
    MEMORY.with_borrow_mut(|memory| {
        let mut total = 0;
        each_piece(text, |start, end| total += memory.count(words, text.as_bytes(), start, end));
        total
    })
}

impl PieceCache {
    #[inline]
    fn count(&mut self, words: &Words, text: &[u8], start: usize, end: usize) -> usize {
        let length = end - start;
        if length == 1 {
            return 1;
        }
        if length > LONGEST_CACHED {
            return self.look_up(words, &text[start..end]);
        }
        // Bytes after the piece are masked out, and the piece's length takes the place of the sixteenth byte.
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
