//! The terms to count, and a fast filter for words that cannot contain any of them.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::{IdentityHasher, TermId, each_term, hash, scan, words};

/// Terms to count.
pub enum Vocabulary {
    /// All terms.
    All,
    /// Some terms.
    Only(TermSelection),
}

/// A set of terms.
pub struct TermSelection {
    terms: HashSet<TermId, BuildHasherDefault<IdentityHasher>>,
    /// Bitmap of the first three bytes of the terms. It excludes most words of a project.
    beginnings: Box<[u64; BITS / 64]>,
    /// True if there is a non-ASCII term, or one that is short enough to be a pair of characters in a script without
    /// spaces.
    others: bool,
}

/// Number of bits in the bitmap. It is small enough for the first-level cache.
const BITS: usize = 1 << 15;

impl Vocabulary {
    /// The terms in these strings.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut chosen = TermSelection::default();
        for text in texts {
            words(text, |word| each_term(word, |term| chosen.add(term)));
        }
        Self::Only(chosen)
    }

    /// These terms.
    pub fn only<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut chosen = TermSelection::default();
        for term in terms {
            chosen.add(term);
        }
        Self::Only(chosen)
    }

    pub(super) fn keeps(&self, term: TermId) -> bool {
        match self {
            Self::All => true,
            Self::Only(chosen) => chosen.terms.contains(&term),
        }
    }

    /// The terms in order; `None` for all.
    pub fn terms(&self) -> Option<Vec<TermId>> {
        let Self::Only(chosen) = self else { return None };
        let mut terms: Vec<TermId> = chosen.terms.iter().copied().collect();
        terms.sort_unstable();
        Some(terms)
    }

    /// Returns false if a word certainly contains none of the terms.
    pub fn may_keep(&self, word: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Only(chosen) if word.is_ascii() => (0..word.len()).any(|at| chosen.begins(scan::three(word, at))),
            // Punctuation of other scripts is removed from a word, which may leave only ASCII.
            Self::Only(chosen) => chosen.others || word.iter().any(u8::is_ascii_alphanumeric),
        }
    }

    /// Returns false if it is certain that no term in an ASCII word begins with these three bytes.
    pub(super) fn may_begin(&self, three: u32) -> bool {
        match self {
            Self::All => true,
            Self::Only(chosen) => chosen.begins(three),
        }
    }
}

impl TermSelection {
    fn add(&mut self, term: &str) {
        self.terms.insert(hash(term));
        self.others |= term.len() < 3 || !term.is_ascii();
        let mut mark = |[a, b, c]: [u8; 3]| {
            let bit = beginning(u32::from_le_bytes([a, b, c, 0]));
            self.beginnings[bit / 64] |= 1 << (bit % 64);
        };
        match *term.as_bytes() {
            [a, b, c, ..] => mark([a, b, c]),
            // Any third byte may follow.
            [a, b] => (0..=u8::MAX).for_each(|c| mark([a, b, c])),
            _ => {}
        }
    }

    fn begins(&self, three: u32) -> bool {
        let bit = beginning(three);
        self.beginnings[bit / 64] >> (bit % 64) & 1 == 1
    }
}

impl Default for TermSelection {
    fn default() -> Self {
        Self { terms: HashSet::default(), beginnings: Box::new([0; BITS / 64]), others: false }
    }
}

/// Index of three bytes, ignoring case. Stemming keeps at least four letters, so a term and its word have the same
/// index.
fn beginning(three: u32) -> usize {
    ((three | 0x0020_2020).wrapping_mul(0x9e37_79b1) >> (32 - BITS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_word_with_a_wanted_term_is_skipped(
            task in "[a-zA-Z_0-9 ]{0,40}|[a-e_]{1,3}( [a-e]{2,9}(ing|s|ed|ation)?){0,4}",
            word in "[a-zA-Z_0-9]{1,14}|[a-e_A-E]{1,9}(ing|s|ed|ations)?|[a-eé\u{2060}]{1,6}",
        ) {
            let vocabulary = Vocabulary::of([task.as_str()]);
            let mut kept = false;
            each_term(&word, |term| kept |= vocabulary.keeps(hash(term)));
            prop_assert!(!kept || vocabulary.may_keep(word.as_bytes()));
        }
    }

    #[test]
    fn most_words_are_skipped() {
        let vocabulary = Vocabulary::of(["refund a payment"]);
        let may = |word: &str| vocabulary.may_keep(word.as_bytes());
        assert!(may("\u{2060}Refund") && !may("возврат"));
        assert!(may("refunds") && may("getRefund") && may("PAYMENT_ID") && may("__payments"));
        assert!(!may("charge") && !may("getCharge") && !may("x") && !may("__init__"));
        let begins = |text: &str| vocabulary.may_begin(scan::three(text.as_bytes(), 0));
        assert!(begins("Refused") && begins("ref") && !begins("getter") && !begins("a"));
        // A term of two letters matches every continuation.
        let short = Vocabulary::of(["no id"]);
        let begins = |text: &str| short.may_begin(scan::three(text.as_bytes(), 0));
        assert!(begins("id") && begins("idOf") && begins("ID_") && !begins("user_id"));
    }
}
