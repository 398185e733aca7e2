//! Where words begin and end, 64 bytes at a time: most of a scan is spent here.

/// A run of letters, digits, underscores and bytes beyond ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether one of the places where a part of it may begin was wanted.
    pub wanted: bool,
    /// Whether it has a byte beyond ASCII.
    pub foreign: bool,
}

/// Calls `each` with the start and the end of every run of letters, digits, underscores and bytes beyond ASCII.
pub(super) fn runs(bytes: &[u8], mut each: impl FnMut(usize, usize)) {
    let mut open = None;
    in_blocks(bytes, |base, block| {
        let mask = members(block);
        // A bit where a run starts or has just ended.
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

/// The same. `wanted` is asked about every place where a part of a word may begin: all but small letters that follow a
/// letter. So nothing has to look at a word again in which nobody wanted anything.
pub(super) fn wanted_runs(bytes: &[u8], wanted: impl Fn(usize) -> bool, mut each: impl FnMut(Run)) {
    let mut open: Option<Run> = None;
    let mut letter_before = 0;
    in_blocks(bytes, |base, block| {
        let (mask, mut events);
        (mask, events, letter_before) = beginnings(block, letter_before);
        // An end is where no member follows one.
        events |= !mask & (mask << 1 | u64::from(open.is_some()));
        let foreign = if block.is_ascii() { 0 } else { beyond_ascii(block) };
        while events != 0 {
            let bit = events.trailing_zeros();
            let at = base + bit as usize;
            events &= events - 1;
            if mask >> bit & 1 == 1 {
                let run = open.get_or_insert(Run { start: at, end: at, wanted: false, foreign: false });
                run.wanted = run.wanted || wanted(at);
                run.foreign |= foreign >> bit & 1 == 1;
            } else if let Some(run) = open.take() {
                each(Run { end: at, ..run });
            }
        }
    });
}

/// Calls `each` with where a block is and the block; the last one is filled up with zeros, and there always is one zero.
fn in_blocks(bytes: &[u8], mut each: impl FnMut(usize, &[u8; 64])) {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    for (at, block) in blocks.iter().chain(std::iter::once(&last)).enumerate() {
        each(at * 64, block);
    }
}

/// One bit a byte: whether it belongs to a word.
fn members(block: &[u8; 64]) -> u64 {
    by_eights(block, |eight| kinds(eight).member)
}

/// One bit a byte: whether it is beyond ASCII.
fn beyond_ascii(block: &[u8; 64]) -> u64 {
    by_eights(block, |eight| eight & each(0x80))
}

/// One bit a byte: whether it belongs to a word; whether a part of one may begin there; and, for the next block, whether
/// the last byte is a letter.
fn beginnings(block: &[u8; 64], letter_before: u64) -> (u64, u64, u64) {
    let (mut member, mut begins, mut before) = (0, 0, letter_before);
    let (eights, _) = block.as_chunks::<8>();
    for (at, eight) in eights.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        let kinds = kinds(eight);
        // Bit 5 tells small letters from large ones; here it is where the marks are.
        let goes_on = kinds.letter & (eight << 2) & (kinds.letter << 8 | before);
        before = kinds.letter >> 56;
        member |= gathered(kinds.member) << (at * 8);
        begins |= gathered(kinds.member & !goes_on) << (at * 8);
    }
    (member, begins, before)
}

/// One bit a byte, from what marks the highest bits of eight.
fn by_eights(block: &[u8; 64], marks: impl Fn(u64) -> u64) -> u64 {
    let (eights, _) = block.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |mask, (at, eight)| mask | gathered(marks(u64::from_le_bytes(*eight))) << (at * 8))
}

/// The highest bits of eight bytes as one byte.
fn gathered(marked: u64) -> u64 {
    (marked >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The same byte eight times.
const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// What each of eight bytes is, in its highest bit.
struct Kinds {
    /// A letter of ASCII.
    letter: u64,
    /// Part of a word.
    member: u64,
}

/// No sum here carries into the next byte.
fn kinds(eight: u64) -> Kinds {
    let seven = eight & each(0x7f);
    let lower = seven | each(0x20);
    let letter = (lower + each(0x80 - b'a')) & !(lower + each(0x80 - b'z' - 1)) & !eight & each(0x80);
    let digit = (seven + each(0x80 - b'0')) & !(seven + each(0x80 - b'9' - 1));
    let underscore = each(0x80) - (seven ^ each(b'_'));
    Kinds { letter, member: (letter | digit | underscore | eight) & each(0x80) }
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
    fn every_byte_is_what_it_is() {
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
        fn runs_are_what_a_plain_loop_finds(bytes in prop::collection::vec(prop::sample::select(b"aZ_9 .-\n\xc3\0".to_vec()), 0..300)) {
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
            let mut again = Vec::new();
            wanted_runs(&bytes, |_| false, |run| {
                assert_eq!(run.foreign, !bytes[run.start..run.end].is_ascii());
                assert!(!run.wanted);
                again.push((run.start, run.end));
            });
            prop_assert_eq!(again, plain);
        }

        #[test]
        fn nobody_is_asked_about_small_letters_that_follow_a_letter(text in "[a-cA-C_0-9 ]{0,200}") {
            let bytes = text.as_bytes();
            let asked = std::cell::RefCell::new(Vec::new());
            wanted_runs(bytes, |at| { asked.borrow_mut().push(at); false }, |_| ());
            let letter = |at: usize| bytes[at].is_ascii_alphabetic();
            let begins = |at: usize| bytes[at] != b' ' && !(bytes[at].is_ascii_lowercase() && at > 0 && letter(at - 1));
            prop_assert_eq!(asked.into_inner(), (0..bytes.len()).filter(|at| begins(*at)).collect::<Vec<_>>());
            // Every part of a word begins where somebody was asked.
            runs(bytes, |start, end| {
                let mut part = start;
                while part < end {
                    assert!(begins(part), "{} in {text:?}", part);
                    part = super::super::part_end(&bytes[..end], part);
                }
            });
        }
    }
}
