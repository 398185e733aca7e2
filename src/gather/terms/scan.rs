//! Where words begin and end, 64 bytes at a time: most of a scan is spent here.

/// Calls `each` with the start and the end of every run of letters, digits, underscores and bytes beyond ASCII.
pub(super) fn runs(bytes: &[u8], mut each: impl FnMut(usize, usize)) {
    let mut open = None;
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    let mut base = 0;
    for block in blocks.iter().chain(std::iter::once(&last)) {
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
        base += 64;
    }
}

/// One bit a byte: whether it belongs to a word.
fn members(block: &[u8; 64]) -> u64 {
    let (eights, _) = block.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |mask, (at, eight)| {
        let marked = marks(u64::from_le_bytes(*eight)) >> 7;
        // Gathers the lowest bit of each byte into one byte.
        mask | (marked.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (at * 8)
    })
}

/// The same byte eight times.
const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The highest bit of every byte that belongs to a word. No sum here carries into the next byte.
fn marks(eight: u64) -> u64 {
    let seven = eight & each(0x7f);
    let lower = seven | each(0x20);
    let letter = (lower + each(0x80 - b'a')) & !(lower + each(0x80 - b'z' - 1));
    let digit = (seven + each(0x80 - b'0')) & !(seven + each(0x80 - b'9' - 1));
    let underscore = each(0x80) - (seven ^ each(b'_'));
    (letter | digit | underscore | eight) & each(0x80)
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
            prop_assert_eq!(found(&bytes), plain);
        }
    }
}
