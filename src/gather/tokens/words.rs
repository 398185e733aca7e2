//! The words of o200k by their bytes.

use crate::gather::terms::hash_bytes;

/// Made by src/build.rs: every word as its length and its bytes, in the order of their numbers.
static WORDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.words"));

/// A power of two, more than twice as many as there are words.
const SLOTS: usize = 1 << 19;
/// Bits of a slot that hold a number; the others hold a part of the hash.
const NUMBER: u32 = 18;
/// No word has this number.
pub const NONE: u32 = u32::MAX;
/// No word is longer.
const LONGEST: usize = 128;

/// Which number a word has.
pub struct Words {
    /// Where in `WORDS` each begins.
    starts: Vec<u32>,
    /// The numbers of words of one byte, then of those of two.
    short: Vec<u32>,
    /// The others: a number under a part of the hash, at the place that the hash names or soon after it.
    slots: Vec<u32>,
}

impl Words {
    /// Takes the words apart; a few milliseconds.
    pub fn load() -> Self {
        let mut words = Self {
            starts: Vec::with_capacity(1 << NUMBER),
            short: vec![NONE; 256 + (1 << 16)],
            slots: vec![NONE; SLOTS],
        };
        let mut at = 0;
        while let Some(length) = WORDS.get(at) {
            let number = words.starts.len() as u32;
            let end = at + 1 + usize::from(*length);
            words.starts.push(at as u32);
            match &WORDS[at + 1..end] {
                [] => {}
                [byte] => words.short[usize::from(*byte)] = number,
                [first, second] => words.short[256 + usize::from(*first) * 256 + usize::from(*second)] = number,
                word => {
                    let (mut slot, tag) = place(word);
                    while words.slots[slot] != NONE {
                        slot = (slot + 1) % SLOTS;
                    }
                    words.slots[slot] = tag | number;
                }
            }
            at = end;
        }
        words
    }

    /// The number of a word, or [`NONE`].
    #[inline]
    pub fn number(&self, word: &[u8]) -> u32 {
        match word {
            [] => NONE,
            [byte] => self.short[usize::from(*byte)],
            [first, second] => self.short[256 + usize::from(*first) * 256 + usize::from(*second)],
            _ if word.len() > LONGEST => NONE,
            _ => self.longer(word),
        }
    }

    fn longer(&self, word: &[u8]) -> u32 {
        let (mut slot, tag) = place(word);
        loop {
            let found = self.slots[slot];
            if found == NONE {
                return NONE;
            }
            if found >> NUMBER == tag >> NUMBER {
                let number = found & ((1 << NUMBER) - 1);
                let start = self.starts[number as usize] as usize;
                if usize::from(WORDS[start]) == word.len() && WORDS[start + 1..].starts_with(word) {
                    return number;
                }
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// Where a word is looked for first, and what of its hash stands there.
fn place(word: &[u8]) -> (usize, u32) {
    let hash = hash_bytes(word, 0, word.len());
    (hash as usize % SLOTS, (hash >> 32) as u32 & !((1 << NUMBER) - 1))
}
