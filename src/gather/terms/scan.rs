//! Finds words, 64 bytes at a time. A scan spends most of its time here.

/// A run of two or more letters, digits, underscores and non-ASCII bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordRun {
    pub start: usize,
    pub end: usize,
    /// Number of runs before it.
    pub before: u32,
    /// True if it contains a non-ASCII byte.
    pub foreign: bool,
}

/// Calls `each` with the start and end of every run of letters, digits, underscores and non-ASCII bytes.
pub(super) fn runs(bytes: &[u8], mut each: impl FnMut(usize, usize)) {
    let mut open = None;
    in_blocks(bytes, |base, block| {
        let mask = members(block);
        // Bits at which a run starts or has just ended.
        let mut edges = mask ^ (mask << 1 | u64::from(open.is_some()));
        while edges != 0 {
            let at = base + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            open = match open {
                None => Some(at),
                Some(start) => {
                    each(start, at);
                    None
                }
            };
        }
    });
}

/// Calls `each` with every run of two or more bytes that contains a non-ASCII byte, or that may contain a term. A run
/// may contain one if `wanted` accepts three bytes (see [`three`]) at a position where a part of the word may begin.
/// All other runs, which are nearly all, are only counted. Returns the number of runs of two or more bytes.
pub(super) fn wanted_runs(bytes: &[u8], wanted: impl Fn(u32) -> bool, mut each: impl FnMut(WordRun)) -> u32 {
    let (mut count, mut reported) = (0, 0);
    let mut before = BlockTail::default();
    in_blocks(bytes, |base, block| {
        let (mask, begins);
        let was = before;
        (mask, begins, before) = beginnings(block, was);
        // Bits at the second byte of each run that is long enough.
        let seconds = mask & (mask << 1 | was.member) & !(mask << 2 | was.member << 1 | was.member_before_that);
        let foreign = if block.is_ascii() { 0 } else { by_eights(block, |eight| eight & each_of(0x80)) };
        let mut hits = foreign;
        let mut left = begins & !foreign;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            hits |= u64::from(wanted(three(bytes, base + bit as usize))) << bit;
        }
        while hits != 0 {
            let bit = hits.trailing_zeros();
            hits &= hits - 1;
            let at = base + bit as usize;
            // The run at this position was already reported.
            if at < reported {
                continue;
            }
            let before_it = !mask & !(u64::MAX << bit);
            let start = match before_it.checked_ilog2() {
                Some(outside) => base + outside as usize + 1,
                None => base - bytes[..base].iter().rev().take_while(|byte| is_member(**byte)).count(),
            };
            let inside = (!(mask >> bit)).trailing_zeros() as usize;
            let end = match at + inside {
                end if end < base + 64 => end,
                end => end + bytes[end.min(bytes.len())..].iter().take_while(|byte| is_member(**byte)).count(),
            };
            reported = end;
            if end - start > 1 {
                // Counts the runs whose second byte comes earlier. A run from an earlier block is already counted.
                let before = match (start + 1).checked_sub(base) {
                    Some(second) => count + (seconds & !(u64::MAX << second.min(63))).count_ones(),
                    None => count - 1,
                };
                each(WordRun { start, end, before, foreign: !bytes[start..end].is_ascii() });
            }
        }
        count += seconds.count_ones();
    });
    count
}

/// Three bytes from `at`, with the first in the lowest bits. Bytes beyond the end of the text are zero.
pub(super) fn three(bytes: &[u8], at: usize) -> u32 {
    if let Some(four) = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        return u32::from_le_bytes(*four) & 0x00ff_ffff;
    }
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    u32::from_le_bytes([byte(at), byte(at + 1), byte(at + 2), 0])
}

fn is_member(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Calls `each` with every block and its offset. The last block is padded with at least one zero.
fn in_blocks(bytes: &[u8], mut each: impl FnMut(usize, &[u8; 64])) {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    for (at, block) in blocks.iter().chain(std::iter::once(&last)).enumerate() {
        each(at * 64, block);
    }
}

/// One bit for each byte that is part of a word.
fn members(block: &[u8; 64]) -> u64 {
    by_eights(block, |eight| byte_classes(eight).member)
}

/// Classes of the last bytes of the previous block.
#[derive(Clone, Copy, Default)]
struct BlockTail {
    /// Set if the last byte is a letter, at the position of the first of eight bytes.
    letter: u64,
    /// The last byte is part of a word.
    member: u64,
    /// The byte before it is part of a word.
    member_before_that: u64,
}

/// One bit for each byte that is part of a word, and one for each byte at which a part may begin.
fn beginnings(block: &[u8; 64], before: BlockTail) -> (u64, u64, BlockTail) {
    let (mut member, mut begins, mut letter) = (0, 0, before.letter);
    let (eights, _) = block.as_chunks::<8>();
    for (at, eight) in eights.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        let byte_classes = byte_classes(eight);
        // Bit 5 distinguishes lower case. It is shifted to the position of the marks.
        let continues = byte_classes.letter & (eight << 2) & (byte_classes.letter << 8 | letter);
        letter = byte_classes.letter >> 56;
        member |= gathered(byte_classes.member) << (at * 8);
        begins |= gathered(byte_classes.member & !continues) << (at * 8);
    }
    (member, begins, BlockTail { letter, member: member >> 63, member_before_that: member >> 62 & 1 })
}

/// Collects one bit for each byte of the block from marks in the highest bit of each byte.
fn by_eights(block: &[u8; 64], marks: impl Fn(u64) -> u64) -> u64 {
    let (eights, _) = block.as_chunks::<8>();
    eights
        .iter()
        .enumerate()
        .fold(0, |mask, (at, eight)| mask | gathered(marks(u64::from_le_bytes(*eight))) << (at * 8))
}

/// Collects the highest bits of eight bytes into one byte.
fn gathered(marked: u64) -> u64 {
    (marked >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte repeated eight times.
const fn each_of(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The class of each of eight bytes, as a mark in its highest bit.
struct ByteClasses {
    /// The byte is an ASCII letter.
    letter: u64,
    /// The byte is part of a word.
    member: u64,
}

/// Computes the classes of eight bytes. No addition carries into the next byte.
fn byte_classes(eight: u64) -> ByteClasses {
    let seven = eight & each_of(0x7f);
    let lower = seven | each_of(0x20);
    let letter = (lower + each_of(0x80 - b'a')) & !(lower + each_of(0x80 - b'z' - 1)) & !eight & each_of(0x80);
    let digit = (seven + each_of(0x80 - b'0')) & !(seven + each_of(0x80 - b'9' - 1));
    let underscore = each_of(0x80) - (seven ^ each_of(b'_'));
    ByteClasses { letter, member: (letter | digit | underscore | eight) & each_of(0x80) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        runs(bytes, |start, end| out.push((start, end)));
        out
    }

    #[test]
    fn every_byte_is_classified() {
        for byte in 0..=u8::MAX {
            let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
            for at in 0..9 {
                let mut bytes = [b' '; 9];
                bytes[at] = byte;
                assert_eq!(found(&bytes), if word { vec![(at, at + 1)] } else { vec![] }, "{byte:#x} at {at}");
            }
        }
    }

    proptest! {
        #[test]
        fn runs_equal_those_of_a_simple_loop(bytes in prop::collection::vec(prop::sample::select(b"aZ_9 .-\n\xc3\0ab".to_vec()), 0..300)) {
            let mut plain = Vec::new();
            let mut open = None;
            for (at, byte) in bytes.iter().copied().chain([b' ']).enumerate() {
                let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
                match (open, word) {
                    (None, true) => open = Some(at),
                    (Some(start), false) => {
                        plain.push((start, at));
                        open = None;
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(&found(&bytes), &plain);
            let long = |&(start, end): &(usize, usize)| end - start > 1;
            let plain: Vec<(usize, usize)> = plain.into_iter().filter(long).collect();
            let reported = |wanted: bool| {
                let mut runs = Vec::new();
                let count = wanted_runs(&bytes, |_| wanted, |run| runs.push(run));
                assert_eq!(count as usize, plain.len());
                runs
            };
            let expected: Vec<WordRun> = (0..).zip(&plain).map(|(before, &(start, end))| {
                WordRun { start, end, before, foreign: !bytes[start..end].is_ascii() }
            }).collect();
            prop_assert_eq!(&reported(true), &expected);
            prop_assert_eq!(reported(false), expected.into_iter().filter(|run| run.foreign).collect::<Vec<_>>());
        }

        #[test]
        fn lower_case_letters_after_a_letter_are_not_checked(text in "[a-cA-C_0-9 ]{0,200}") {
            let bytes = text.as_bytes();
            let asked = std::cell::RefCell::new(Vec::new());
            wanted_runs(bytes, |three| { asked.borrow_mut().push(three); false }, |_| ());
            let letter = |at: usize| bytes[at].is_ascii_alphabetic();
            let begins = |at: usize| bytes[at] != b' ' && !(bytes[at].is_ascii_lowercase() && at > 0 && letter(at - 1));
            prop_assert_eq!(asked.into_inner(), (0..bytes.len()).filter(|at| begins(*at)).map(|at| three(bytes, at)).collect::<Vec<_>>());
            // Every part of a word begins where `wanted` was called.
            runs(bytes, |start, end| {
                let mut part = start;
                while part < end {
                    assert!(begins(part), "{part} in {text:?}");
                    part = super::super::part_end(&bytes[..end], part);
                }
            });
        }
    }
}
