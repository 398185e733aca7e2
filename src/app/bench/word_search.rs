//! The baseline: BM25 over whole files, packed in the order of their scores.

use std::collections::BTreeMap;

use super::measure::{HEADING_TOKENS, RawFile};
use crate::gather::Corpus;
use crate::gather::role::Role;
use crate::gather::terms::{TermMap, each_term, hash, words};
use crate::ids::FileId;
use crate::score::bm25::{Bm25Parameters, Document, Statistics, bm25};
use crate::score::lexical::is_code;
use crate::score::query::STOP;

const SHAPE: Bm25Parameters = Bm25Parameters { k1: 1.2, b: 0.75 };
/// Maximum number of files that are tried.
const DEPTH: usize = 400;

/// Source files, most similar to the task first, then tests.
pub(super) fn ranking(corpus: &Corpus, task: &str) -> Vec<FileId> {
    let counts = term_counts(task);
    let index: TermMap<u16> = counts.keys().map(|term| hash(term)).zip(0..).collect();
    let weights: Vec<f64> = counts.values().map(|count| 1.0 + f64::from(*count).ln()).collect();
    let wanted = corpus.terms.wanted(&index);
    let code = FileId::enumerate(&corpus.files).filter(|(_, file)| is_code(file) && file.bytes > 0);
    let documents: Vec<(FileId, Document)> = code
        .map(|(at, file)| {
            let mut hits: BTreeMap<u16, u32> = wanted.of(&file.terms).into_iter().collect();
            let without_extension = file.path.rfind('.').map_or(file.path.as_str(), |dot| &file.path[..dot]);
            words(without_extension, |word| {
                each_term(word, |term| {
                    if let Some(term) = index.get(&hash(term)) {
                        *hits.entry(*term).or_default() += 1;
                    }
                });
            });
            (at, Document { hits: hits.into_iter().collect(), length: file.terms.length })
        })
        .collect();
    let statistics = Statistics::of(documents.iter().map(|(_, document)| document), weights.len());
    let mut scored: Vec<(bool, f64, FileId)> = documents
        .iter()
        .map(|(file, document)| {
            let is_test = matches!(corpus.files[*file].role, Role::Test | Role::TestSupport);
            (is_test, bm25(document, &statistics, SHAPE, |term| weights[term]), *file)
        })
        .collect();
    scored.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    scored.into_iter().map(|(_, _, file)| file).collect()
}

/// Maximum bytes per token. A file that cannot fit even at this rate is not counted.
const MOST_BYTES_A_TOKEN: usize = 16;

/// Packs whole files in order; a file that does not fit is skipped.
pub(super) fn pack(
    corpus: &Corpus,
    ranking: &[FileId],
    budget: usize,
    tokens: impl Fn(FileId) -> usize,
) -> Vec<RawFile> {
    let (mut raw, mut left) = (Vec::new(), budget);
    for file in ranking.iter().take(DEPTH) {
        let entry = &corpus.files[*file];
        if entry.bytes as usize / MOST_BYTES_A_TOKEN > left {
            continue;
        }
        let counted = tokens(*file);
        if counted + HEADING_TOKENS <= left {
            left -= counted + HEADING_TOKENS;
            raw.push(RawFile::whole(&entry.path, counted));
        }
    }
    raw
}

fn term_counts(task: &str) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    words(task, |word| {
        each_term(word, |term| {
            if !STOP.contains(&term) {
                *counts.entry(term.to_owned()).or_default() += 1;
            }
        });
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;

    #[test]
    fn files_are_ranked_by_words_and_packed_whole() {
        let long = format!("def other():\n    refund()\n{}", "    pass\n".repeat(400));
        let (_dir, corpus) = samples::corpus(&[
            ("src/refund.py", "def refund(payment):\n    return payment.refund()\n"),
            ("src/long.py", &long),
            ("src/mailer.py", "def send():\n    pass\n"),
            ("tests/test_refund.py", "def test_refund():\n    refund(); refund()\n"),
            ("README.md", "refund refund refund\n"),
        ]);
        let ranking = ranking(&corpus, "Refund a payment");
        let path = |file: &FileId| corpus.files[*file].path.as_str();
        let paths: Vec<&str> = ranking.iter().map(path).collect();
        assert_eq!(paths, ["src/refund.py", "src/long.py", "src/mailer.py", "tests/test_refund.py"]);
        let raw = pack(&corpus, &ranking, 100, |file| corpus.files[file].bytes as usize / 4);
        let packed: Vec<&str> = raw.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(packed, ["src/refund.py", "src/mailer.py", "tests/test_refund.py"]);
    }
}
