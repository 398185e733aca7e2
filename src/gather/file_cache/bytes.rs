//! A binary format for numbers and strings, and a checksum that detects damage.

use std::io::{self, Write};

use crate::leb128;

/// Writes numbers and strings to a buffer.
#[derive(Default)]
pub(super) struct ByteWriter(pub Vec<u8>);

impl ByteWriter {
    pub fn number(&mut self, value: u64) {
        leb128::put(&mut self.0, value);
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

/// Reads the output of a [`ByteWriter`]; returns `None` for any other data.
pub(super) struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    pub fn number(&mut self) -> Option<u64> {
        leb128::take(&mut self.0)
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
/// Bytes per step of the checksum.
const BLOCK: usize = 32;

/// Incremental checksum with four independent lanes.
struct Checksum {
    sums: [u64; 4],
    length: u64,
}

impl Checksum {
    fn new() -> Self {
        Self { sums: [0, 1, 2, 3], length: 0 }
    }

    /// Adds all complete blocks of `bytes`; returns the remaining bytes.
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

    /// The checksum, including the remaining bytes, which are shorter than a block.
    fn end(&self, rest: &[u8]) -> u64 {
        let length = self.length + rest.len() as u64;
        let tail = rest.iter().fold(length, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(K).rotate_left(29));
        self.sums.iter().fold(tail, |all, sum| (all ^ sum).wrapping_mul(K).rotate_left(31))
    }
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::new();
    let rest = sum.add(bytes);
    sum.end(rest)
}

/// Writes a file in parts and computes its checksum, so that the whole file is never in memory.
pub(super) struct ChecksummedWriter<W> {
    to: W,
    most: u64,
    sum: Checksum,
    waiting: ByteWriter,
}

/// Number of bytes that are buffered before a write.
const PART: usize = 1 << 18;

impl<W: Write> ChecksummedWriter<W> {
    /// A writer with a limit of `most` bytes.
    pub fn new(to: W, most: u64) -> Self {
        Self { to, most, sum: Checksum::new(), waiting: ByteWriter(Vec::with_capacity(2 * PART)) }
    }

    /// Appends the output of `put`. Beyond the limit, returns an error of kind `FileTooLarge`.
    pub fn put(&mut self, put: impl FnOnce(&mut ByteWriter)) -> io::Result<()> {
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

    /// Number of bytes so far.
    pub fn len(&self) -> u64 {
        self.sum.length + self.waiting.0.len() as u64
    }

    /// Writes the remaining bytes; returns the target and the checksum.
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
        fn written_values_are_read_back(numbers in prop::collection::vec(any::<u64>(), 0..9), text in "\\PC{0,30}") {
            let mut writer = ByteWriter::default();
            writer.words(&numbers);
            writer.text(&text);
            for number in &numbers {
                writer.number(*number);
            }
            let mut reader = ByteReader(&writer.0);
            prop_assert_eq!(reader.words(), Some(numbers.clone()));
            prop_assert_eq!(reader.text(), Some(text.as_str()));
            for number in numbers {
                prop_assert_eq!(reader.number(), Some(number));
            }
            prop_assert_eq!(reader.number(), None);
        }

        #[test]
        fn a_changed_bit_changes_the_checksum(bytes in prop::collection::vec(any::<u8>(), 1..200), at in any::<prop::sample::Index>(), bit in 0..8) {
            let mut other = bytes.clone();
            let at = at.index(bytes.len());
            other[at] ^= 1u8 << bit;
            prop_assert_ne!(checksum(&bytes), checksum(&other));
        }

        #[test]
        fn a_writer_computes_the_checksum_of_what_it_wrote(parts in prop::collection::vec((any::<u8>(), 0usize..200_000), 0..8)) {
            let mut stream = ChecksummedWriter::new(Vec::new(), 1_600_000);
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
            let mut full = ChecksummedWriter::new(Vec::new(), too_much as u64 - 1);
            prop_assert_eq!(full.put(|out| out.0.resize(too_much, 0)).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        }

        #[test]
        fn reading_any_bytes_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let mut reader = ByteReader(&bytes);
            while reader.text().is_some() || reader.words().is_some() || reader.number().is_some() {}
        }
    }
}
