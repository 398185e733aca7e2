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
    (8, "eight"),
    (16, "sixteen"),
    (32, "thirty-two"),
    (64, "sixty-four"),
    (128, "a gross, nearly"),
    (256, "a byte"),
    (512, "a sector"),
    (1024, "a thousand"),
    (2048, "two thousand"),
    (4096, "a page"),
    (8192, "two pages"),
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
        self.clock += 1;
        let clock = self.clock;
        // Only make room if there is something new.
        if !self.values.contains_key(&key) && self.values.len() >= self.places {
            let oldest = self.values.iter().min_by_key(|(_, (_, time))| *time).map(|(key, _)| key.clone());
            if let Some(oldest) = oldest {
                self.values.remove(&oldest);
            }
        }
        let entry = self.values.entry(key.clone()).or_insert_with(|| (make(&key), clock));
        entry.1 = clock;
        &entry.0
    }

    fn is_full(&self) -> bool {
        self.values.len() >= self.places
    }
}

impl<K: Hash + Eq, V> Display for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = self.values.len() * 100 / self.places.max(1);
        let word = match share {
            0 => "empty",
            1..=99 => "in use",
            _ => "full",
        };
        write!(f, "{word} ({share} %)")
    }
}

/// Something that can be put into a cache.
pub trait Cacheable: Sized {
    type Key: Hash + Eq;

    fn key(&self) -> Self::Key;

    /// True if the value is still good.
    fn fresh(&self, now: u64) -> bool {
        let age = now.saturating_sub(self.born());
        let limit = 3600;
        age < limit
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
        let mut cache = Cache::new(DEFAULT_PLACES);
        $(
            cache.get_or($key, |_| $value);
        )+
        cache
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes() {
        let mut cache = Cache::new(1);
        cache.get_or("a", |_| 1);
        cache.get_or("b", |_| 2);
        assert!(cache.is_full());
    }
}
