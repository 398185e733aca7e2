//! Values that a person allowed, stored only as salted hashes.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::text::hex;

/// Hashes of salt, rule and value for values that are not redacted.
#[derive(Debug, Clone, Default)]
pub struct AllowedValues {
    salt: String,
    hashes: HashSet<String>,
}

impl AllowedValues {
    /// Creates the set from hashes made with this salt.
    pub fn new(salt: &str, hashes: impl IntoIterator<Item = String>) -> Self {
        Self { salt: salt.to_owned(), hashes: hashes.into_iter().collect() }
    }

    /// Hash of a rule and a value.
    pub fn hash_of(&self, rule: &str, value: &str) -> String {
        let value = Sha256::digest(value.as_bytes());
        let mut hasher = Sha256::new();
        // A zero byte separates the parts unambiguously.
        for part in [self.salt.as_bytes(), rule.as_bytes()] {
            hasher.update(part);
            hasher.update([0]);
        }
        hasher.update(value);
        hex(&hasher.finalize())
    }

    /// Returns true if this value is allowed for this rule.
    pub fn holds(&self, rule: &str, value: &str) -> bool {
        !self.hashes.is_empty() && self.hashes.contains(&self.hash_of(rule, value))
    }
}
