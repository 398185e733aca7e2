//! Byte pair merging: joins the adjacent pair with the lowest rank, leftmost first, until no pair is in the
//! vocabulary.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::words::{NONE, Words};

/// Maximum length of a piece that is scanned for every merge. Longer pieces use a queue.
const SHORT: usize = 96;

/// Buffers reused for every piece.
#[derive(Default)]
pub struct MergeBuffers {
    /// Start of each part and the rank of joining it with the next.
    parts: Vec<(u32, u32)>,
}

impl MergeBuffers {
    /// Number of tokens in a piece.
    pub fn count(&mut self, words: &Words, piece: &[u8]) -> usize {
        if piece.len() <= SHORT { self.short(words, piece) } else { long(words, piece) }
    }

    fn short(&mut self, words: &Words, piece: &[u8]) -> usize {
        let parts = &mut self.parts;
        parts.clear();
        let (mut lowest, mut at) = (NONE, 0);
        for (start, pair) in piece.windows(2).enumerate() {
            let number = words.number(pair);
            if number < lowest {
                (lowest, at) = (number, start);
            }
            parts.push((start as u32, number));
        }
        parts.push((piece.len() as u32 - 1, NONE));
        parts.push((piece.len() as u32, NONE));
        while lowest != NONE {
            parts.remove(at + 1);
            let joined = |parts: &[(u32, u32)], at: usize| {
                let end = parts.get(at + 2).map(|part| part.0 as usize);
                end.map_or(NONE, |end| words.number(&piece[parts[at].0 as usize..end]))
            };
            parts[at].1 = joined(parts, at);
            if at > 0 {
                parts[at - 1].1 = joined(parts, at - 1);
            }
            (lowest, at) = (NONE, 0);
            for (index, (_, number)) in parts.iter().enumerate() {
                if *number < lowest {
                    (lowest, at) = (*number, index);
                }
            }
        }
        parts.len() - 1
    }
}

/// Merges a piece of any length in almost linear time.
fn long(words: &Words, piece: &[u8]) -> usize {
    let end = piece.len() as u32;
    // Both lists are indexed by the start of a part. One holds the end of the part, the other the start of the previous
    // part. The end of a merged part equals its start.
    let mut ends: Vec<u32> = (1..=end).collect();
    let mut before: Vec<u32> = (0..end).map(|start| start.saturating_sub(1)).collect();
    let mut queue: BinaryHeap<Reverse<(u32, u32, u32)>> = BinaryHeap::new();
    let offer = |queue: &mut BinaryHeap<_>, start: u32, until: u32| {
        let number = words.number(&piece[start as usize..until as usize]);
        if number != NONE {
            queue.push(Reverse((number, start, until)));
        }
    };
    for start in 0..end - 1 {
        offer(&mut queue, start, start + 2);
    }
    let mut count = piece.len();
    while let Some(Reverse((_, start, until))) = queue.pop() {
        let middle = ends[start as usize];
        // One of the two parts has already been merged with another part.
        if middle == start || middle >= until || ends[middle as usize] != until {
            continue;
        }
        ends[start as usize] = until;
        ends[middle as usize] = middle;
        count -= 1;
        if until < end {
            before[until as usize] = start;
            offer(&mut queue, start, ends[until as usize]);
        }
        if start > 0 {
            offer(&mut queue, before[start as usize], until);
        }
    }
    count
}
