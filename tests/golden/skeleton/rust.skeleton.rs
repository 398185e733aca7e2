// Copyright the authors of the example.
//! A least-recently-used cache with a fixed number of places.

#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::hash::Hash;

/// Default number of places in a cache.
pub const DEFAULT_PLACES: usize = 64;

/// Sizes that are worth a try, smallest first.
static SIZES: [(usize, &str); 14] = [
    (1, "one"),
    (2, "two"),
    (4, "four"),
    // ... (11 lines)
];

/// Keeps the values that were asked for last.
#[derive(Debug, Clone)]
pub struct Cache<K, V>
where
    K: Hash + Eq,
{
    /// Values by key, with the time they were last asked for.
    values: HashMap<K, (V, u64)>,
    clock: u64,
    places: usize,
}

impl<K: Hash + Eq + Clone, V> Cache<K, V> {
    /// An empty cache.
    pub fn new(places: usize) -> Self {
        Self { values: HashMap::new(), clock: 0, places }
    }

    /// The value of `key`, made by `make` if it is not there. Forgets the oldest value when it is full.
    #[inline]
    pub fn get_or<F>(&mut self, key: K, make: F) -> &V
    where
        F: FnOnce(&K) -> V,
    {
        // ... (12 lines)
    }

    fn is_full(&self) -> bool {
        self.values.len() >= self.places
    }
}

impl<K: Hash + Eq, V> Display for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // ... (7 lines)
    }
}

/// Something that can be put into a cache.
pub trait Cacheable: Sized {
    type Key: Hash + Eq;

    fn key(&self) -> Self::Key;

    /// True if the value is still good.
    fn fresh(&self, now: u64) -> bool {
        // ... (3 lines)
    }

    fn born(&self) -> u64;
}

/// Builds a cache with values in it.
#[macro_export]
macro_rules! cache {
    () => {
        Cache::new(DEFAULT_PLACES)
    };
    ($($key:expr => $value:expr),+ $(,)?) => {{
        // ... (5 lines)
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes() {
        // ... (4 lines)
    }
}
