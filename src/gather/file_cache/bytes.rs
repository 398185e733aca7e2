//! Numbers and texts one after the other, and a sum that tells whether any of it was damaged.

use std::io::{self, Write};

/// Writes.
#[derive(Default)]
pub(super) struct Writer(pub Vec<u8>);

impl Writer {
    /// Seven bits a byte, the lowest first, the highest bit set where more follow.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn words(&mut self, words: &[u64]) {
        self.number(words.len() as u64);
        for word in words {
            self.0.extend_from_slice(&word.to_le_bytes());
        }
    }
}

/// Reads what a [`Writer`] wrote; `None` where it is none of that.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn number(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(first & 0x7f).checked_shl(shift)?;
            if *first < 0x80 {
                return Some(value);
            }
            shift += 7;
        }
    }

    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub fn words(&mut self) -> Option<Vec<u64>> {
        let count = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(count.checked_mul(8)?)?;
        self.0 = rest;
        Some(bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect())
    }
}

const K: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bytes that are summed at once.
const BLOCK: usize = 32;

/// A sum over bytes that come part by part: four side by side, so that one does not wait for the other.
struct Sum {
    sums: [u64; 4],
    length: u64,
}

impl Sum {
    fn new() -> Self {
        Self { sums: [0, 1, 2, 3], length: 0 }
    }

    /// Adds all whole blocks of `bytes`; gives what is left of them.
    fn add<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            for (sum, eight) in self.sums.iter_mut().zip(block.as_chunks::<8>().0) {
                *sum = (*sum ^ u64::from_le_bytes(*eight)).wrapping_mul(K).rotate_left(29);
            }
        }
        self.length += (blocks.len() * BLOCK) as u64;
        rest
    }

    /// The sum with the last bytes, less than a block.
    fn end(&self, rest: &[u8]) -> u64 {
        let length = self.length + rest.len() as u64;
        let tail = rest.iter().fold(length, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(K).rotate_left(29));
        self.sums.iter().fold(tail, |all, sum| (all ^ sum).wrapping_mul(K).rotate_left(31))
    }
}

/// The sum of some bytes.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Sum::new();
    let rest = sum.add(bytes);
    sum.end(rest)
}

/// Writes to a file part by part and sums what it writes, so that the whole is never in memory.
pub(super) struct Stream<W> {
    to: W,
    most: u64,
    sum: Sum,
    waiting: Writer,
}

/// Bytes that wait before they are written.
const PART: usize = 1 << 18;

impl<W: Write> Stream<W> {
    /// A stream that takes `most` bytes.
    pub fn new(to: W, most: u64) -> Self {
        Self { to, most, sum: Sum::new(), waiting: Writer(Vec::with_capacity(2 * PART)) }
    }

    /// Writes what `put` puts, sooner or later; an error of the kind `FileTooLarge` once that is more than may be.
    pub fn put(&mut self, put: impl FnOnce(&mut Writer)) -> io::Result<()> {
        put(&mut self.waiting);
        if self.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if self.waiting.0.len() < PART {
            return Ok(());
        }
        let left = self.sum.add(&self.waiting.0).len();
        let whole = self.waiting.0.len() - left;
        self.to.write_all(&self.waiting.0[..whole])?;
        self.waiting.0.drain(..whole);
        Ok(())
    }

    /// How much was put.
    pub fn len(&self) -> u64 {
        self.sum.length + self.waiting.0.len() as u64
    }

    /// Writes the rest; gives where it was written to, and the sum of all.
    pub fn end(mut self) -> io::Result<(W, u64)> {
        self.to.write_all(&self.waiting.0)?;
        let rest = self.sum.add(&self.waiting.0);
        let sum = self.sum.end(rest);
        Ok((self.to, sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec(any::<u64>(), 0..9), text in "\\PC{0,30}") {
            let mut writer = Writer::default();
            writer.words(&numbers);
            writer.text(&text);
            for number in &numbers {
                writer.number(*number);
            }
            let mut reader = Reader(&writer.0);
            prop_assert_eq!(reader.words(), Some(numbers.clone()));
            prop_assert_eq!(reader.text(), Some(text.as_str()));
            for number in numbers {
                prop_assert_eq!(reader.number(), Some(number));
            }
            prop_assert_eq!(reader.number(), None);
        }

        #[test]
        fn a_changed_bit_changes_the_sum(bytes in prop::collection::vec(any::<u8>(), 1..200), at in any::<prop::sample::Index>(), bit in 0..8) {
            let mut other = bytes.clone();
            let at = at.index(bytes.len());
            other[at] ^= 1u8 << bit;
            prop_assert_ne!(checksum(&bytes), checksum(&other));
        }

        #[test]
        fn a_stream_writes_and_sums_what_was_put(parts in prop::collection::vec((any::<u8>(), 0usize..200_000), 0..8)) {
            let mut stream = Stream::new(Vec::new(), 1_600_000);
            let mut all = Vec::new();
            for (byte, count) in parts {
                let part = vec![byte; count];
                stream.put(|out| out.0.extend_from_slice(&part)).unwrap();
                all.extend(part);
                prop_assert_eq!(stream.len(), all.len() as u64);
            }
            let sum = checksum(&all);
            let too_much = 1_600_001 - all.len();
            prop_assert!(stream.end().unwrap() == (all, sum));
            let mut full = Stream::new(Vec::new(), too_much as u64 - 1);
            prop_assert_eq!(full.put(|out| out.0.resize(too_much, 0)).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        }

        #[test]
        fn nonsense_is_no_end_of_it(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let mut reader = Reader(&bytes);
            while reader.text().is_some() || reader.words().is_some() || reader.number().is_some() {}
        }
    }
}
