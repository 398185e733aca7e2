//! Entries grouped by a key that is part of them, in sorted lists: a hash table for a million keys would take several
//! times as much memory and several times as long to build.

use std::hash::{DefaultHasher, Hash, Hasher};

use rayon::prelude::*;

/// Entries in order of their keys' hashes; entries with the same key are in their own order.
pub(crate) struct KeyIndex<T> {
    hashes: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy + Ord + Send> KeyIndex<T> {
    /// An index of these entries by `key`.
    pub(crate) fn new<'k>(entries: impl Iterator<Item = T>, key: impl Fn(T) -> &'k str + Sync) -> Self {
        let mut all: Vec<(u32, T)> = entries.map(|entry| (hash(key(entry)), entry)).collect();
        all.par_sort_unstable_by(|(left, a), (right, b)| {
            left.cmp(right).then_with(|| key(*a).cmp(key(*b))).then_with(|| a.cmp(b))
        });
        let (hashes, entries) = all.into_iter().unzip();
        Self { hashes, entries }
    }

    /// The entries with this key, in order.
    pub(crate) fn get<'k>(&self, wanted: &str, key: impl Fn(T) -> &'k str) -> &[T] {
        let hash = hash(wanted);
        let start = self.hashes.partition_point(|known| *known < hash);
        let count = self.hashes[start..].iter().take_while(|known| **known == hash).count();
        let same = &self.entries[start..start + count];
        let from = same.partition_point(|entry| key(*entry) < wanted);
        let to = same.partition_point(|entry| key(*entry) <= wanted);
        &same[from..to]
    }
}

fn hash(key: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_are_found_by_their_key(keys in prop::collection::vec("[ab]{0,3}", 0..40), wanted in "[ab]{0,3}") {
            let index = KeyIndex::new(0..keys.len(), |at| keys[at].as_str());
            let expected: Vec<usize> = (0..keys.len()).filter(|at| keys[*at] == wanted).collect();
            prop_assert_eq!(index.get(&wanted, |at| keys[at].as_str()), &expected[..]);
        }
    }
}
