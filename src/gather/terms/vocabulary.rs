//! Which terms are counted, and which words cannot hold one of them.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::{Identity, TermId, each_term, hash, part_end, words};

/// Which terms are counted.
pub enum Vocabulary {
    /// All of them.
    All,
    /// Only some.
    Only(Chosen),
}

/// Some terms.
#[derive(Default)]
pub struct Chosen {
    terms: HashSet<TermId, BuildHasherDefault<Identity>>,
    /// One bit for the first three bytes of a term: nearly every word of a project begins otherwise.
    beginnings: Vec<u64>,
    /// Whether one of them is beyond ASCII, or so short that it may be a pair of characters of a script without spaces.
    others: bool,
}

/// Bits of the beginnings: few enough for the nearest cache of a core.
const BITS: usize = 1 << 16;

impl Vocabulary {
    /// The terms of these texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut chosen = Chosen::default();
        for text in texts {
            words(text, |word| each_term(word, |term| chosen.add(term)));
        }
        Self::Only(chosen)
    }

    /// These terms.
    pub fn only<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut chosen = Chosen::default();
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

    /// The terms in order; `None` for all that there are.
    pub fn terms(&self) -> Option<Vec<TermId>> {
        let Self::Only(chosen) = self else { return None };
        let mut terms: Vec<TermId> = chosen.terms.iter().copied().collect();
        terms.sort_unstable();
        Some(terms)
    }

    /// Whether a word may have a term of these; `false` is certain.
    pub fn may_keep(&self, word: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Only(chosen) => chosen.may_keep(word),
        }
    }
}

impl Chosen {
    fn add(&mut self, term: &str) {
        self.terms.insert(hash(term));
        self.others |= term.len() < 3 || !term.is_ascii();
        if self.beginnings.is_empty() {
            self.beginnings = vec![0; BITS / 64];
        }
        let bit = beginning(term.as_bytes());
        self.beginnings[bit / 64] |= 1 << (bit % 64);
    }

    fn begins(&self, part: &[u8]) -> bool {
        let bit = beginning(part);
        self.beginnings.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }

    fn may_keep(&self, word: &[u8]) -> bool {
        if !word.is_ascii() {
            // Signs of other scripts drop out of a word, and what is left may be ASCII.
            return self.others || word.iter().any(u8::is_ascii_alphanumeric);
        }
        let whole = word.iter().position(|byte| *byte != b'_').unwrap_or(0);
        if self.begins(&word[whole..]) {
            return true;
        }
        let mut start = 0;
        while start < word.len() {
            let end = part_end(word, start);
            if end - start > 1 && self.begins(&word[start..end]) {
                return true;
            }
            start = end.max(start + 1);
        }
        false
    }
}

/// A number for the first three bytes in lower case. A term is its part of the word without the ending, and at least four
/// letters of that stay: so both begin alike, and a part of two letters is a term of two.
fn beginning(part: &[u8]) -> usize {
    let at = |index: usize| part.get(index).map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
    (at(0) << 10 ^ at(1) << 5 ^ at(2)) % BITS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_word_with_a_wanted_term_is_passed_over(
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
    fn most_words_are_passed_over() {
        let vocabulary = Vocabulary::of(["refund a payment"]);
        let may = |word: &str| vocabulary.may_keep(word.as_bytes());
        assert!(may("\u{2060}Refund") && !may("возврат"));
        assert!(may("refunds") && may("getRefund") && may("PAYMENT_ID") && may("__payments"));
        assert!(!may("charge") && !may("getCharge") && !may("x") && !may("__init__"));
    }
}
