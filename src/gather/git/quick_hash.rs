//! A hash for keys that are spread already: ids of objects are hashes themselves, and where objects start needs only mixing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by id, or by where an object starts.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHash>>;

/// The first bytes of an id, or a number with its bits spread.
#[derive(Default)]
pub(super) struct QuickHash(u64);

/// An odd number with bits all over it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for QuickHash {
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= bytes.first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
    }

    fn write_u64(&mut self, number: u64) {
        let spread = number.wrapping_mul(SPREAD);
        self.0 ^= spread ^ spread >> 32;
    }

    /// How long an id is says nothing.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, BuildHasherDefault};

    use git2::Oid;

    use super::*;

    #[test]
    fn keys_are_spread_over_small_tables() {
        let hasher = BuildHasherDefault::<QuickHash>::default();
        // Places at any distance from each other, and ids.
        for distance in [1_u64, 64, 1 << 12, 1 << 20, 1 << 32] {
            let slots: HashSet<u64> = (0..1024).map(|at| hasher.hash_one(at * distance) & 1023).collect();
            assert!(slots.len() > 256, "{} of 1024 slots for places {distance} apart", slots.len());
        }
        let ids = (0..1024u32).map(|at| Oid::hash_object(git2::ObjectType::Blob, &at.to_le_bytes()).unwrap());
        let slots: HashSet<u64> = ids.map(|id| hasher.hash_one(id) & 1023).collect();
        assert!(slots.len() > 256, "{} of 1024 slots for ids", slots.len());
    }
}
