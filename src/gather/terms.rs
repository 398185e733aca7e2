//! Words of a text as the lexical evidence sees them: identifiers, their `camelCase` and `snake_case` parts, lightly stemmed.
//!
//! A term is kept as a 64-bit hash. One pass over a file counts either every term (the workbench, so that a task can be
//! edited without reading again) or only those of a [`Vocabulary`] (one task, one run).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A term's hash.
pub type TermId = u64;

/// Terms are hashes already; hashing them again would be waste.
#[derive(Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// A map keyed by term.
pub type TermMap<V> = HashMap<TermId, V, BuildHasherDefault<Identity>>;

/// How often a text says which term, sorted by term, and how many identifiers it has in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermCounts {
    counts: Box<[(TermId, u32)]>,
    /// The number of identifiers, repeated ones included.
    pub length: u32,
}

impl TermCounts {
    /// How often the text says the term.
    pub fn get(&self, term: TermId) -> u32 {
        self.counts.binary_search_by_key(&term, |entry| entry.0).map_or(0, |at| self.counts[at].1)
    }

    /// How many different terms were counted.
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// Every term with its count.
    pub fn iter(&self) -> impl Iterator<Item = (TermId, u32)> + '_ {
        self.counts.iter().copied()
    }
}

/// Which terms are counted.
pub enum Vocabulary {
    /// All of them.
    All,
    /// Only these.
    Only(HashSet<TermId, BuildHasherDefault<Identity>>),
}

impl Vocabulary {
    /// The terms of these texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut only = HashSet::default();
        for text in texts {
            words(text, |word| {
                each_term(word, |term| {
                    only.insert(hash(term));
                });
            });
        }
        Self::Only(only)
    }

    fn keeps(&self, term: TermId) -> bool {
        match self {
            Self::All => true,
            Self::Only(set) => set.contains(&term),
        }
    }
}

/// Counts terms, text after text, remembering how identifiers split: they repeat a great deal.
pub struct TermCounter<'a> {
    vocabulary: &'a Vocabulary,
    split: TermMap<Box<[TermId]>>,
    counts: TermMap<u32>,
    /// Words without a term of the vocabulary, by the end of their hash: most words are, and this fits into the cache
    /// of a core, which the map of all splits does not.
    silent: Box<[u64]>,
}

/// A power of two.
const SILENT: usize = 1 << 14;

/// Splits that are remembered before starting over, so that memory stays bounded.
const REMEMBERED: usize = 200_000;

impl<'a> TermCounter<'a> {
    /// A counter for terms of this vocabulary.
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        Self { vocabulary, split: TermMap::default(), counts: TermMap::default(), silent: vec![0; SILENT].into() }
    }

    /// Counts the terms of one text.
    pub fn count(&mut self, text: &str) -> TermCounts {
        self.counts.clear();
        let mut length = 0;
        let Self { vocabulary, split, counts, silent } = self;
        if split.len() > REMEMBERED {
            split.clear();
        }
        words(text, |word| {
            length += 1;
            let exact = hash_exact(word);
            let slot = &mut silent[exact as usize & (SILENT - 1)];
            if *slot == exact {
                return;
            }
            let terms = split.entry(exact).or_insert_with(|| {
                let mut terms = Vec::new();
                each_term(word, |term| {
                    let id = hash(term);
                    if vocabulary.keeps(id) {
                        terms.push(id);
                    }
                });
                terms.into_boxed_slice()
            });
            if terms.is_empty() {
                *slot = exact;
            }
            for term in terms.iter() {
                *counts.entry(*term).or_insert(0) += 1;
            }
        });
        let mut sorted: Box<[(TermId, u32)]> = counts.iter().map(|(term, count)| (*term, *count)).collect();
        sorted.sort_unstable();
        TermCounts { counts: sorted, length }
    }
}

/// The hash of a term, which is lower case already.
pub fn hash(term: &str) -> TermId {
    hash_exact(term)
}

fn hash_exact(text: &str) -> u64 {
    // Eight bytes at a time, multiplied and folded; good enough to tell a million words apart, and much faster than
    // hashing byte by byte.
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = K ^ text.len() as u64;
    let mut chunks = text.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = mix(state ^ u64::from_le_bytes(word));
    }
    let mut word = [0; 8];
    let rest = chunks.remainder();
    word[..rest.len()].copy_from_slice(rest);
    mix(state ^ u64::from_le_bytes(word))
}

fn mix(value: u64) -> u64 {
    let wide = u128::from(value ^ 0xa076_1d64_78bd_642f) * u128::from(0xe703_7ed1_a0b4_28db_u64);
    (wide >> 64) as u64 ^ wide as u64
}

/// Calls `each` with every word: identifiers, numbers of two digits and more, runs of other scripts' letters.
pub fn words<'a>(text: &'a str, mut each: impl FnMut(&'a str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let class = CLASS[bytes[at] as usize];
        if class == OTHER {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && CLASS[bytes[at] as usize] != OTHER {
            at += 1;
        }
        let word = &text[start..at];
        // A lone letter or digit says nothing; a byte beyond ASCII may be punctuation of another script.
        if word.len() > 1 && (word.is_ascii() || word.chars().any(char::is_alphabetic)) {
            each(word);
        }
    }
}

const OTHER: u8 = 0;
const LETTER: u8 = 1;
/// Letters, digits and underscore, and every byte of a character beyond ASCII (so slices stay on boundaries).
const CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 {
            table[byte] = LETTER;
        }
        byte += 1;
    }
    table
};

/// Calls `each` with the terms of one word: its parts in lower case, stemmed, and the whole where it has several parts.
pub fn each_term(word: &str, mut each: impl FnMut(&str)) {
    each_part(word, |_, term| each(term));
}

/// The same, each with the part of the word that it was made from, as it is written.
pub fn each_part(word: &str, mut each: impl FnMut(&str, &str)) {
    if !word.is_ascii() {
        return other_script(word, |term| each(term, term));
    }
    let bytes = word.as_bytes();
    let mut buffer = String::with_capacity(word.len());
    let (mut parts, mut start) = (0, 0);
    while start < bytes.len() {
        let end = part_end(bytes, start);
        let part = &word[start..end];
        if part.len() > 1 && part.as_bytes()[0] != b'_' {
            buffer.clear();
            buffer.push_str(part);
            buffer.make_ascii_lowercase();
            each(part, stem(&buffer));
            parts += 1;
        }
        start = end.max(start + 1);
    }
    let trimmed = word.trim_matches('_');
    if parts > 1 || (parts == 0 && trimmed.len() > 1) {
        each(trimmed, &trimmed.to_ascii_lowercase());
    }
}

/// Where the part that starts at `start` ends: `HTTP|Server`, `parse|Url`, `v|12`, `snake|_|case`.
fn part_end(bytes: &[u8], start: usize) -> usize {
    let run = |from: usize, is: fn(&u8) -> bool| from + bytes[from..].iter().take_while(|byte| is(byte)).count();
    let first = bytes[start];
    if first.is_ascii_digit() {
        return run(start, u8::is_ascii_digit);
    }
    if first.is_ascii_lowercase() {
        return run(start, u8::is_ascii_lowercase);
    }
    if first.is_ascii_uppercase() {
        let upper = run(start, u8::is_ascii_uppercase);
        let lower = run(upper, u8::is_ascii_lowercase);
        return match (upper - start, lower > upper) {
            (_, false) => upper,
            (1, true) => lower,
            // The last capital belongs to the word that follows: `HTTPServer`.
            (_, true) => upper - 1,
        };
    }
    start + 1
}

/// Words of other scripts: in lower case as a whole; for scripts without spaces, pairs of neighbouring characters.
fn other_script(word: &str, mut each: impl FnMut(&str)) {
    let lower: Vec<char> =
        word.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let unspaced = |c: &char| matches!(*c as u32, 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x2ffff | 0x0e00..=0x0eff);
    if lower.iter().any(unspaced) {
        for pair in lower.windows(2) {
            each(&pair.iter().collect::<String>());
        }
        if lower.len() == 1 {
            each(&lower.iter().collect::<String>());
        }
    } else if lower.len() > 1 {
        each(&lower.iter().collect::<String>());
    }
}

/// The word without a common English ending, where four letters or more remain.
pub fn stem(word: &str) -> &str {
    for ending in ["ations", "ation", "ing", "ies", "ed", "es", "s"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 4
        {
            return rest;
        }
    }
    word
}

/// The terms of a text, in order of first appearance, with how often each is there.
pub fn terms_of(text: &str) -> Vec<(String, u32)> {
    let mut order: Vec<(String, u32)> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    words(text, |word| {
        each_term(word, |term| {
            if let Some(at) = seen.get(term) {
                order[*at].1 += 1;
            } else {
                seen.insert(term.to_owned(), order.len());
                order.push((term.to_owned(), 1));
            }
        });
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(word: &str) -> Vec<String> {
        let mut out = Vec::new();
        each_term(word, |term| out.push(term.to_owned()));
        out
    }

    #[test]
    fn identifiers_split_into_parts_and_the_whole() {
        assert_eq!(split("parseHTTPRequest"), ["parse", "http", "request", "parsehttprequest"]);
        assert_eq!(split("snake_case_name"), ["snake", "case", "name", "snake_case_name"]);
        assert_eq!(split("__init__"), ["init"]);
        assert_eq!(split("refunds"), ["refund"]);
        assert_eq!(split("Utf8Error"), ["utf", "error", "utf8error"]);
        assert_eq!(split("validations"), ["valid"]);
        assert_eq!(split("uses"), ["uses"]);
    }

    #[test]
    fn other_scripts_have_terms_too() {
        assert_eq!(split("Größe"), ["größe"]);
        assert_eq!(split("退款功能"), ["退款", "款功", "功能"]);
    }

    #[test]
    fn a_vocabulary_keeps_only_its_terms() {
        let vocabulary = Vocabulary::of(["refund payments"]);
        let counts = TermCounter::new(&vocabulary).count("fn refundPayment(refund: Refund) { charge() }");
        assert_eq!(counts.get(hash("refund")), 3);
        assert_eq!(counts.get(hash("payment")), 1);
        assert_eq!(counts.get(hash("charge")), 0);
        assert_eq!(counts.length, 5);
    }

    proptest! {
        #[test]
        fn counting_a_subset_agrees_with_counting_all(text in "\\PC{0,80}|[a-zA-Z_0-9 (){};]{0,120}", task in "[a-zA-Z ]{0,30}") {
            let only = Vocabulary::of([task.as_str()]);
            let few = TermCounter::new(&only).count(&text);
            let all = TermCounter::new(&Vocabulary::All).count(&text);
            prop_assert_eq!(few.length, all.length);
            for (term, _) in terms_of(&task) {
                prop_assert_eq!(few.get(hash(&term)), all.get(hash(&term)));
            }
        }
    }
}
