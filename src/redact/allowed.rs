//! What a person said is no secret. Only salted hashes are known: the values themselves are kept nowhere.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::text::hex;

/// Values that stay although a rule finds them, each by a hash of the salt, the rule and the value.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    salt: String,
    hashes: HashSet<String>,
}

impl Allowed {
    /// The hashes that were made with this salt.
    pub fn new(salt: &str, hashes: impl IntoIterator<Item = String>) -> Self {
        Self { salt: salt.to_owned(), hashes: hashes.into_iter().collect() }
    }

    /// The hash that stands for a value that a rule found.
    pub fn hash_of(&self, rule: &str, value: &str) -> String {
        let value = Sha256::digest(value.as_bytes());
        let mut hasher = Sha256::new();
        // A zero between the parts: none of them can reach into the next.
        for part in [self.salt.as_bytes(), rule.as_bytes()] {
            hasher.update(part);
            hasher.update([0]);
        }
        hasher.update(value);
        hex(&hasher.finalize())
    }

    /// Whether this value of this rule stays.
    pub fn holds(&self, rule: &str, value: &str) -> bool {
        !self.hashes.is_empty() && self.hashes.contains(&self.hash_of(rule, value))
    }
}
