//! Counts terms. The counts of a whole project take a few bytes for each file and term.

use super::scan::{self, WordRun};
use super::{TermId, TermMap, Vocabulary, each_term, hash, hash_bytes, is_word};
use crate::leb128;

/// Term counts of one file, sorted by term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every term with its count.
    pub terms: Vec<(TermId, u32)>,
    /// Number of words, including repeats.
    pub length: u32,
}

/// Counts the terms of one file after another. Caches the terms of each word, because words repeat.
pub struct TermCounter<'a> {
    vocabulary: &'a Vocabulary,
    /// Terms so far; a term's number is its index.
    ids: Vec<TermId>,
    numbers: TermMap<u32>,
    /// Range of `pool` with the term numbers of a word, by the word's hash.
    split: TermMap<(u32, u32)>,
    pool: Vec<u32>,
    /// Cache of recent words, by the low bits of their hash. Unlike `split`, it fits into a core's cache.
    recent: Box<[(u64, u32, u32)]>,
    /// Counts by term number; all zero between two files.
    counts: Vec<u32>,
    /// Term numbers with a nonzero count.
    touched: Vec<u32>,
}

/// Size of the cache of recent words if all words are counted. A power of two.
const RECENT: usize = 1 << 14;
/// Size of the same cache if only the words of a vocabulary are counted.
const RECENT_FEW: usize = 1 << 10;

/// Maximum number of cached words. The cache is cleared when it is reached.
const MOST_CACHED_SPLITS: usize = 200_000;

impl<'a> TermCounter<'a> {
    /// A counter for the terms of this vocabulary.
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        Self {
            vocabulary,
            ids: Vec::new(),
            numbers: TermMap::default(),
            split: TermMap::default(),
            pool: Vec::new(),
            recent: vec![(0, 0, 0); if matches!(vocabulary, Vocabulary::All) { RECENT } else { RECENT_FEW }].into(),
            counts: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Assigns the first numbers to these terms, in order.
    #[must_use]
    pub fn with_first(mut self, terms: &[TermId]) -> Self {
        for term in terms {
            self.numbers.insert(*term, self.ids.len() as u32);
            self.ids.push(*term);
            self.counts.push(0);
        }
        self
    }

    /// Counts the terms in `text`.
    pub fn count(&mut self, text: &str) -> Counts {
        let length = self.count_text(text);
        let mut terms: Vec<(TermId, u32)> = Vec::with_capacity(self.touched.len());
        for number in self.touched.drain(..) {
            terms.push((self.ids[number as usize], std::mem::take(&mut self.counts[number as usize])));
        }
        terms.sort_unstable();
        Counts { terms, length }
    }

    /// Fills `counts` and `touched`; returns the number of words.
    fn count_text(&mut self, text: &str) -> u32 {
        if self.split.len() > MOST_CACHED_SPLITS {
            self.split.clear();
            self.pool.clear();
            self.recent.fill((0, 0, 0));
        }
        let bytes = text.as_bytes();
        let vocabulary = self.vocabulary;
        let mut no_words = 0;
        let wanted = |three| vocabulary.may_begin(three);
        let runs = scan::wanted_runs(bytes, wanted, |WordRun { start, end, foreign, .. }| {
            let exact = hash_bytes(bytes, start, end);
            let slot = exact as usize & (self.recent.len() - 1);
            let (known, mut first, mut last) = self.recent[slot];
            if known != exact {
                let word = &text[start..end];
                if foreign && !is_word(word) {
                    no_words += 1;
                    return;
                }
                (first, last) = self.terms_of(exact, word);
                self.recent[slot] = (exact, first, last);
            }
            for number in &self.pool[first as usize..last as usize] {
                let count = &mut self.counts[*number as usize];
                if *count == 0 {
                    self.touched.push(*number);
                }
                *count += 1;
            }
        });
        runs - no_words
    }

    /// Range of the pool with the numbers of a word's terms.
    fn terms_of(&mut self, exact: u64, word: &str) -> (u32, u32) {
        if !self.vocabulary.may_keep(word.as_bytes()) {
            return (0, 0);
        }
        if let Some(known) = self.split.get(&exact) {
            return *known;
        }
        let first = self.pool.len() as u32;
        let Self { vocabulary, ids, numbers, pool, counts, .. } = self;
        each_term(word, |term| {
            let id = hash(term);
            if vocabulary.keeps(id) {
                pool.push(*numbers.entry(id).or_insert_with(|| {
                    ids.push(id);
                    counts.push(0);
                    ids.len() as u32 - 1
                }));
            }
        });
        let range = (first, self.pool.len() as u32);
        self.split.insert(exact, range);
        range
    }
}

/// Position of a file's counts, and its number of words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermCounts {
    /// Index of the table.
    table: u32,
    start: u32,
    end: u32,
    /// Number of words, including repeats.
    pub length: u32,
}

impl TermCounts {
    /// Counts in the first table, from [`TermCounts::parts`].
    pub(in crate::gather) fn from_parts(start: u32, end: u32, length: u32) -> Self {
        Self { table: 0, start, end, length }
    }

    /// Start, end and number of words.
    pub(in crate::gather) fn parts(self) -> [u32; 3] {
        [self.start, self.end, self.length]
    }

    /// The same counts in another table.
    pub(in crate::gather) fn in_table(self, table: usize) -> Self {
        Self { table: table as u32, ..self }
    }
}

/// The counts of many files by one counter. For each file, the table has the term numbers in ascending order,
/// delta-encoded, each with its count.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CountTable {
    /// Terms by number.
    ids: Vec<TermId>,
    bytes: Vec<u8>,
}

impl CountTable {
    /// A table from the result of [`Terms::gathered`].
    pub(in crate::gather) fn from_parts(ids: Vec<TermId>, bytes: Vec<u8>) -> Self {
        Self { ids, bytes }
    }

    /// Counts the terms in `text` and stores the counts.
    pub fn add(&mut self, counter: &mut TermCounter<'_>, text: &str) -> TermCounts {
        let length = counter.count_text(text);
        counter.touched.sort_unstable();
        let start = self.bytes.len() as u32;
        let mut before = 0;
        for number in counter.touched.drain(..) {
            leb128::put(&mut self.bytes, u64::from(number - before));
            leb128::put(&mut self.bytes, u64::from(std::mem::take(&mut counter.counts[number as usize])));
            before = number;
        }
        TermCounts { table: 0, start, end: self.bytes.len() as u32, length }
    }

    /// The term numbers of a file with their counts.
    fn counts(&self, file: &TermCounts) -> impl Iterator<Item = (usize, u32)> + '_ {
        let mut bytes = self.bytes.get(file.start as usize..file.end as usize).unwrap_or_default();
        let mut number = 0;
        std::iter::from_fn(move || {
            number += leb128::take(&mut bytes)? as usize;
            Some((number, leb128::take(&mut bytes)? as u32))
        })
    }

    /// Counts of the first `count` terms, by number.
    pub(in crate::gather) fn first_of(&self, file: &TermCounts, count: usize) -> Vec<(u16, u32)> {
        let first = self.counts(file).take_while(|(number, _)| *number < count);
        first.map(|(number, count)| (number as u16, count)).collect()
    }

    /// Takes the terms from the counter after all files are counted.
    pub fn close(&mut self, counter: &mut TermCounter<'_>) {
        self.ids = std::mem::take(&mut counter.ids);
        self.bytes.shrink_to_fit();
    }
}

/// Term counts of all files.
#[derive(Debug, Default)]
pub struct Terms(Vec<CountTable>);

impl Terms {
    /// From tables in the order of their numbers.
    pub fn new(tables: Vec<CountTable>) -> Self {
        Self(tables)
    }

    /// The tables in the order of their numbers.
    pub(in crate::gather) fn into_tables(self) -> Vec<CountTable> {
        self.0
    }

    /// Copies the counts of these files into one table that has only their terms. Passes the bytes of each file to
    /// `each`; returns the terms and the positions.
    pub(in crate::gather) fn gathered<'a, E>(
        &self,
        files: impl Iterator<Item = &'a TermCounts>,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(Vec<TermId>, Vec<TermCounts>), E> {
        let mut ids: Vec<TermId> = Vec::new();
        let mut numbers: TermMap<u32> = TermMap::default();
        // The new number, by table and old number; `u32::MAX` if it is not assigned yet.
        let mut renumbered: Vec<Vec<u32>> = self.0.iter().map(|table| vec![u32::MAX; table.ids.len()]).collect();
        let mut terms: Vec<(u32, u32)> = Vec::new();
        let (mut bytes, mut start) = (Vec::new(), 0);
        let counts = files.map(|file| {
            terms.clear();
            if let Some((table, renumbered)) =
                self.0.get(file.table as usize).zip(renumbered.get_mut(file.table as usize))
            {
                for (number, count) in table.counts(file) {
                    let Some(new) = renumbered.get_mut(number) else { continue };
                    if *new == u32::MAX {
                        let id = table.ids[number];
                        *new = *numbers.entry(id).or_insert_with(|| {
                            ids.push(id);
                            ids.len() as u32 - 1
                        });
                    }
                    terms.push((*new, count));
                }
            }
            terms.sort_unstable();
            bytes.clear();
            let mut before = 0;
            for (number, count) in &terms {
                leb128::put(&mut bytes, u64::from(number - before));
                leb128::put(&mut bytes, u64::from(*count));
                before = *number;
            }
            each(&bytes)?;
            let end = start + bytes.len() as u32;
            let counts = TermCounts { table: 0, start, end, length: file.length };
            start = end;
            Ok(counts)
        });
        let counts = counts.collect::<Result<_, E>>()?;
        Ok((ids, counts))
    }

    /// Prepares a lookup of some terms, each identified by an index.
    pub fn wanted<'a>(&'a self, index: &TermMap<u16>) -> TermLookup<'a> {
        let of = |table: &CountTable| -> Vec<u16> {
            table.ids.iter().map(|id| index.get(id).map_or(u16::MAX, |at| *at)).collect()
        };
        TermLookup { terms: self, indices: self.0.iter().map(of).collect() }
    }
}

/// Looks up some terms in the counts of any file.
pub struct TermLookup<'a> {
    terms: &'a Terms,
    /// Term index by table and number; `u16::MAX` for other terms.
    indices: Vec<Vec<u16>>,
}

impl TermLookup<'_> {
    /// The terms of a file, by index, with their counts, in no particular order.
    pub fn of(&self, file: &TermCounts) -> Vec<(u16, u32)> {
        let table = file.table as usize;
        let (Some(table), Some(indices)) = (self.terms.0.get(table), self.indices.get(table)) else {
            return Vec::new();
        };
        let index = |number: usize| indices.get(number).copied().filter(|index| *index != u16::MAX);
        table.counts(file).filter_map(|(number, count)| Some((index(number)?, count))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::terms_of;
    use super::*;
    use proptest::prelude::*;

    impl Counts {
        fn get(&self, term: &str) -> u32 {
            self.terms.binary_search_by_key(&hash(term), |entry| entry.0).map_or(0, |at| self.terms[at].1)
        }
    }

    #[test]
    fn a_vocabulary_keeps_only_its_terms() {
        let vocabulary = Vocabulary::of(["refund payments"]);
        let counts = TermCounter::new(&vocabulary).count("fn refundPayment(refund: Refund) { charge() }");
        assert_eq!(counts.get("refund"), 3);
        assert_eq!(counts.get("payment"), 1);
        assert_eq!(counts.get("charge"), 0);
        assert_eq!(counts.length, 5);
    }

    #[test]
    fn a_short_term_is_found_in_any_context() {
        let vocabulary = Vocabulary::of(["Hj"]);
        for text in ["hJ_(", "_hj_", "hJ", "a_hj", "getHj", "HJ_x", "hj9"] {
            let few = TermCounter::new(&vocabulary).count(text).get("hj");
            assert_eq!(few, TermCounter::new(&Vocabulary::All).count(text).get("hj"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn counting_a_subset_agrees_with_counting_all(text in "\\PC{0,80}|[a-zA-Z_0-9 (){};]{0,120}", task in "[a-zA-Z ]{0,30}") {
            let only = Vocabulary::of([task.as_str()]);
            let few = TermCounter::new(&only).count(&text);
            let all = TermCounter::new(&Vocabulary::All).count(&text);
            prop_assert_eq!(few.length, all.length);
            for (term, _) in terms_of(&task) {
                prop_assert_eq!(few.get(&term), all.get(&term));
            }
        }

        #[test]
        fn stored_counts_equal_direct_counts(texts in prop::collection::vec("[a-e_ é你]{0,60}|([a-c]{2} ){0,300}", 1..6)) {
            let mut counter = TermCounter::new(&Vocabulary::All);
            let mut table = CountTable::default();
            let kept: Vec<TermCounts> = texts.iter().map(|text| table.add(&mut counter, text)).collect();
            table.close(&mut counter);
            let terms = Terms::new(vec![table]);
            // Copying some of the counts into a new table does not change them.
            let mut bytes = Vec::new();
            let add = |part: &[u8]| { bytes.extend_from_slice(part); Ok::<(), ()>(()) };
            let (ids, again) = terms.gathered(kept.iter().skip(texts.len() / 2), add).unwrap();
            let half = Terms::new(vec![CountTable::from_parts(ids, bytes)]);
            let all = texts.iter().zip(kept).map(|(text, kept)| (&terms, text, kept));
            let again = texts.iter().skip(texts.len() / 2).zip(again).map(|(text, kept)| (&half, text, kept));
            for (terms, text, kept) in all.chain(again) {
                let plain = terms_of(text);
                let index: TermMap<u16> = (0..).zip(&plain).map(|(at, (term, _))| (hash(term), at)).collect();
                let mut found = terms.wanted(&index).of(&kept);
                found.sort_unstable();
                prop_assert_eq!(found, (0..).zip(plain.iter().map(|(_, count)| *count)).collect::<Vec<(u16, u32)>>());
            }
        }
    }
}
