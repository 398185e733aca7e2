//! Which terms are counted, and which words cannot hold one of them.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::{Identity, TermId, each_term, hash, scan, words};

/// Which terms are counted.
pub enum Vocabulary {
    /// All of them.
    All,
    /// Only some.
    Only(Chosen),
}

/// Some terms.
pub struct Chosen {
    terms: HashSet<TermId, BuildHasherDefault<Identity>>,
    /// One bit for the first three bytes of a term: nearly every word of a project begins otherwise.
    beginnings: Box<[u64; BITS / 64]>,
    /// Whether one of them is beyond ASCII, or so short that it may be a pair of characters of a script without spaces.
    others: bool,
}

/// Bits of the beginnings: few enough for the nearest cache of a core.
const BITS: usize = 1 << 15;

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
            Self::Only(chosen) if word.is_ascii() => (0..word.len()).any(|at| chosen.begins(scan::three(word, at))),
            // Signs of other scripts drop out of a word, and what is left may be ASCII.
            Self::Only(chosen) => chosen.others || word.iter().any(u8::is_ascii_alphanumeric),
        }
    }

    /// Whether one of these terms may begin with these three bytes, in a word of ASCII; `false` is certain.
    pub(super) fn may_begin(&self, three: u32) -> bool {
        match self {
            Self::All => true,
            Self::Only(chosen) => chosen.begins(three),
        }
    }
}

impl Chosen {
    fn add(&mut self, term: &str) {
        self.terms.insert(hash(term));
        self.others |= term.len() < 3 || !term.is_ascii();
        let mut mark = |[a, b, c]: [u8; 3]| {
            let bit = beginning(u32::from_le_bytes([a, b, c, 0]));
            self.beginnings[bit / 64] |= 1 << (bit % 64);
        };
        match *term.as_bytes() {
            [a, b, c, ..] => mark([a, b, c]),
            // Whatever follows it in a word.
            [a, b] => (0..=u8::MAX).for_each(|c| mark([a, b, c])),
            _ => {}
        }
    }

    fn begins(&self, three: u32) -> bool {
        let bit = beginning(three);
        self.beginnings[bit / 64] >> (bit % 64) & 1 == 1
    }
}

impl Default for Chosen {
    fn default() -> Self {
        Self { terms: HashSet::default(), beginnings: Box::new([0; BITS / 64]), others: false }
    }
}

/// A number for three bytes, the same for small and large letters. A term is its part of the word without the ending, and at
/// least four letters of that stay: so both begin alike.
fn beginning(three: u32) -> usize {
    ((three | 0x0020_2020).wrapping_mul(0x9e37_79b1) >> (32 - BITS.ilog2())) as usize
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
        let begins = |text: &str| vocabulary.may_begin(scan::three(text.as_bytes(), 0));
        assert!(begins("Refused") && begins("ref") && !begins("getter") && !begins("a"));
        // A term of two letters begins whatever goes on with them.
        let short = Vocabulary::of(["no id"]);
        let begins = |text: &str| short.may_begin(scan::three(text.as_bytes(), 0));
        assert!(begins("id") && begins("idOf") && begins("ID_") && !begins("user_id"));
    }
}
