//! Scores blocks of 25 lines in which the task's words occur together; only the best few hundred files are read.

use std::collections::{HashMap, HashSet};

use memchr::memchr_iter;
use rayon::prelude::*;

use super::bm25::{Bm25Parameters, Document, Statistics, bm25};
use super::query::Query;
use crate::gather::corpus::Corpus;
use crate::gather::terms::{TermMap, Vocabulary, each_term, hash, words_for};
use crate::ids::FileId;

/// Lines per block.
pub const BLOCK: u32 = 25;
const SHAPE: Bm25Parameters = Bm25Parameters { k1: 1.2, b: 0.75 };

/// Blocks of one file.
#[derive(Debug, Default, Clone)]
pub struct BlockScores {
    /// Score of the best two adjacent blocks.
    pub best: f32,
    /// Each block's own score, in order.
    pub blocks: Vec<f32>,
    /// Lines of the query's terms.
    pub hits: Vec<(u32, u16)>,
    /// Similarity of the text to the names that the file defines.
    pub names: f32,
    /// Index and first line of each pair of adjacent query words that are also adjacent in the file.
    pub pairs: Vec<(u16, u32)>,
}

/// Reads these files again, block by block.
pub fn read(corpus: &Corpus, query: &Query, statistics: &Statistics, files: &[FileId]) -> HashMap<FileId, BlockScores> {
    let pairs: HashMap<(u16, u16), u16> = query.pairs.iter().enumerate().map(|(at, pair)| (*pair, at as u16)).collect();
    let vocabulary = query.vocabulary();
    files
        .par_chunks(16)
        .flat_map_iter(|files| {
            let mut split = Splitter { query, vocabulary: &vocabulary, known: TermMap::default() };
            let mut out = Vec::with_capacity(files.len());
            for file in files {
                if let Some(text) = corpus.raw_text(*file) {
                    let mut reading = split.reading(&text, statistics, &pairs);
                    reading.names = split.names(corpus, *file, statistics);
                    out.push((*file, reading));
                }
            }
            out
        })
        .collect()
}

/// A word of a file, as a sequence of query terms.
#[derive(Default)]
struct Word {
    /// The query's terms in the word.
    terms: Box<[u16]>,
    /// The word's parts in order; `None` for a part that is not a term of the query.
    parts: Box<[Option<u16>]>,
}

struct Splitter<'a> {
    query: &'a Query,
    vocabulary: &'a Vocabulary,
    /// The words read so far, by hash.
    known: TermMap<Word>,
}

impl Splitter<'_> {
    fn reading(&mut self, text: &str, statistics: &Statistics, pairs: &HashMap<(u16, u16), u16>) -> BlockScores {
        let mut blocks: Vec<Document> = Vec::new();
        let mut found: Vec<(u16, u32)> = Vec::new();
        let mut lines: Vec<(u32, u16)> = Vec::new();
        let mut seen: HashSet<u16> = HashSet::new();
        let mut counts: Vec<u32> = vec![0; self.query.terms.len()];
        let vocabulary = self.vocabulary;
        let mut number = 1;
        for text in in_blocks(text) {
            let mut current = Document::default();
            // The previous part if it is a term of the query, and the number of words up to its end.
            let (mut last, mut upto): (Option<u16>, u32) = (None, 0);
            let mut ends = memchr_iter(b'\n', text.as_bytes());
            let (mut line, mut end) = (number, ends.next());
            current.length = words_for(text, vocabulary, |word, before| {
                let at = word.as_ptr() as usize - text.as_ptr() as usize;
                while end.is_some_and(|end| end < at) {
                    (line, end, last) = (line + 1, ends.next(), None);
                }
                if before != upto {
                    last = None;
                }
                upto = before + 1;
                let word = self.word(word);
                for term in &word.terms {
                    if counts[*term as usize] == 0 {
                        current.hits.push((*term, 0));
                    }
                    counts[*term as usize] += 1;
                    lines.push((line, *term));
                }
                for part in &word.parts {
                    if let (Some(a), Some(b)) = (last, *part)
                        && let Some(pair) = pairs.get(&(a, b))
                        && seen.insert(*pair)
                    {
                        found.push((*pair, line));
                    }
                    last = *part;
                }
            });
            blocks.push(close(&mut current, &mut counts));
            number += BLOCK;
        }
        let weight = |term: usize| self.query.terms[term].weight;
        // A typical block of code has 150 words. Shorter blocks get no bonus for their length.
        let fixed = |length: u32| Statistics { average: f64::from(length), ..statistics.clone() };
        let (single, double) = (fixed(150), fixed(300));
        let scores: Vec<f32> = blocks.iter().map(|block| bm25(block, &single, SHAPE, weight) as f32).collect();
        let best = if blocks.len() == 1 {
            bm25(&blocks[0], &double, SHAPE, weight)
        } else {
            blocks.windows(2).map(|pair| bm25(&join(&pair[0], &pair[1]), &double, SHAPE, weight)).fold(0.0, f64::max)
        };
        BlockScores { best: best as f32, blocks: scores, hits: lines, names: 0.0, pairs: found }
    }

    fn names(&mut self, corpus: &Corpus, file: FileId, statistics: &Statistics) -> f32 {
        let mut counts: Vec<u32> = vec![0; self.query.terms.len()];
        let mut document = Document::default();
        for symbol in corpus.files[file].symbols.iter() {
            document.length += 1;
            if !self.vocabulary.may_keep(symbol.name.as_bytes()) {
                continue;
            }
            let word = self.word(symbol.name);
            for term in &word.terms {
                if counts[*term as usize] == 0 {
                    document.hits.push((*term, 0));
                }
                counts[*term as usize] += 1;
            }
        }
        let document = close(&mut document, &mut counts);
        let statistics = Statistics { average: 30.0, ..statistics.clone() };
        bm25(&document, &statistics, SHAPE, |term| self.query.terms[term].weight) as f32
    }

    fn word(&mut self, word: &str) -> &Word {
        let query = self.query;
        self.known.entry(hash(word)).or_insert_with(|| {
            let mut ids: Vec<Option<u16>> = Vec::new();
            each_term(word, |term| ids.push(query.index.get(&hash(term)).copied()));
            let parts = if word.is_ascii() && ids.len() > 2 { ids.len() - 1 } else { ids.len() };
            let mut terms: Vec<u16> = ids.iter().filter_map(|id| *id).collect();
            terms.sort_unstable();
            terms.dedup();
            Word { terms: terms.into(), parts: ids[..parts].into() }
        })
    }
}

/// Divides text into chunks of `BLOCK` lines. Empty text has one chunk.
fn in_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = memchr_iter(b'\n', text.as_bytes()).nth(BLOCK as usize - 1).map_or(text.len(), |end| end + 1);
        let (block, after) = text.split_at(end);
        rest = Some(after).filter(|after| !after.is_empty());
        Some(block)
    })
}

fn close(current: &mut Document, counts: &mut [u32]) -> Document {
    let mut block = std::mem::take(current);
    for (term, count) in &mut block.hits {
        *count = std::mem::take(&mut counts[*term as usize]);
    }
    block.hits.sort_unstable();
    block
}

fn join(a: &Document, b: &Document) -> Document {
    let mut hits = a.hits.clone();
    for (term, count) in &b.hits {
        match hits.binary_search_by_key(term, |hit| hit.0) {
            Ok(at) => hits[at].1 += count,
            Err(at) => hits.insert(at, (*term, *count)),
        }
    }
    Document { hits, length: a.length + b.length }
}
