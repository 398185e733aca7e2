//! Similarity of the task's words to the words of each file and its path.

use rayon::prelude::*;

use super::bm25::{Bm25Parameters, Document, DocumentRef, Documents, Statistics, bm25};
use super::query::Query;
use crate::gather::corpus::{Corpus, SourceFile};
use crate::gather::terms::{TermLookup, TermMap, each_term, hash, words};
use crate::ids::FileId;
use crate::outline::language::Language;

/// Every file as a BM25 document.
#[derive(Debug, Default)]
pub struct Lexical {
    /// Content and path, one document per file.
    pub contents: Documents,
    /// Paths without contents.
    pub paths: Documents,
    /// File names without directories.
    pub stems: Documents,
    /// Rarity of each term in file names of code.
    pub stem_statistics: Statistics,
    /// Rarity of each term in code.
    pub statistics: Statistics,
    /// Rarity of each term in paths of code.
    pub path_statistics: Statistics,
}

pub(super) const WHOLE: Bm25Parameters = Bm25Parameters { k1: 1.2, b: 0.75 };
pub(super) const TITLE: Bm25Parameters = Bm25Parameters { k1: 0.9, b: 0.4 };
pub(super) const PATH: Bm25Parameters = Bm25Parameters { k1: 0.9, b: 0.6 };

impl Lexical {
    /// Looks up the counts of every file once.
    pub fn new(corpus: &Corpus, query: &Query) -> Self {
        let wanted = corpus.terms.wanted(&query.index);
        let part = corpus.files.len().div_ceil(8 * rayon::current_num_threads()).max(256);
        let parts: Vec<(Documents, (Documents, Documents))> = corpus
            .files
            .par_chunks(part)
            .map(|files| {
                let mut known = TermMap::default();
                let (mut contents, mut paths, mut stems) = Default::default();
                for file in files {
                    add_file(file, query, &wanted, &mut known, [&mut contents, &mut paths, &mut stems]);
                }
                (contents, (paths, stems))
            })
            .collect();
        let (contents, (paths, stems)): (Vec<_>, (Vec<_>, Vec<_>)) = parts.into_iter().unzip();
        let (contents, paths, stems) =
            (Documents::concat(contents), Documents::concat(paths), Documents::concat(stems));
        let code = |documents: &Documents| {
            let code =
                documents.iter().zip(&corpus.files).filter(|(_, file)| is_code(file)).map(|(document, _)| document);
            Statistics::of(code, query.terms.len())
        };
        Self {
            statistics: code(&contents),
            path_statistics: code(&paths),
            stem_statistics: code(&stems),
            contents,
            paths,
            stems,
        }
    }

    /// Similarity of the whole text to the whole file.
    pub fn whole(&self, query: &Query) -> Vec<f32> {
        score(&self.contents, &self.statistics, WHOLE, |term| query.terms[term].weight)
    }

    /// Similarity of the first line to the whole file.
    pub fn title(&self, query: &Query) -> Vec<f32> {
        score(&self.contents, &self.statistics, TITLE, |term| query.terms[term].title)
    }

    /// Similarity of the whole text to the path.
    pub fn path(&self, query: &Query) -> Vec<f32> {
        score(&self.paths, &self.path_statistics, PATH, |term| query.terms[term].weight)
    }

    /// Similarity of the whole text to the file name.
    pub fn stem(&self, query: &Query) -> Vec<f32> {
        score(&self.stems, &self.stem_statistics, PATH, |term| query.terms[term].weight)
    }

    /// Frees the documents of paths, once their signals are computed.
    pub fn drop_paths(&mut self) {
        (self.paths, self.stems) = (Documents::default(), Documents::default());
    }

    /// Terms that contribute most to a file's similarity, with their contributions, best first.
    pub fn best_terms(&self, query: &Query, file: FileId) -> Vec<(usize, f64)> {
        let document = self.contents.get(file.index());
        let mut found: Vec<(usize, f64)> = document
            .hits
            .iter()
            .map(|hit| {
                let one = DocumentRef { hits: std::slice::from_ref(hit), length: document.length };
                (hit.0 as usize, bm25(one, &self.statistics, WHOLE, |term| query.terms[term].weight))
            })
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }
}

/// Returns true if the file's words count in the statistics: product code and tests, not prose or data.
pub fn is_code(file: &SourceFile) -> bool {
    file.language.is_some_and(Language::is_code)
}

fn score(
    documents: &Documents,
    statistics: &Statistics,
    shape: Bm25Parameters,
    weight: impl Fn(usize) -> f64 + Sync,
) -> Vec<f32> {
    let all = (0..documents.len()).into_par_iter().with_min_len(512);
    all.map(|at| bm25(documents.get(at), statistics, shape, &weight) as f32).collect()
}

/// The terms of a word in paths: their number, and those that are in the query. Each word is split only once, because
/// directories repeat.
pub(super) type WordCache = TermMap<(u32, Box<[u16]>)>;

/// Maximum number of words in the cache; the number of directory names rarely exceeds it, but a million files have a
/// million names.
const MOST_WORDS: usize = 20_000;

/// The path's words without its extension, each counted once.
pub(super) fn path_document(path: &str, query: &Query, known: &mut WordCache) -> Document {
    let mut document = Document::default();
    if known.len() > MOST_WORDS {
        known.clear();
    }
    let name_at = path.rfind('/').map_or(0, |at| at + 1);
    let end = path[name_at..].rfind('.').filter(|dot| *dot > 0).map_or(path.len(), |dot| name_at + dot);
    words(&path[..end], |word| {
        let (count, terms) = known.entry(hash(word)).or_insert_with(|| {
            let (mut count, mut terms) = (0, Vec::new());
            each_term(word, |term| {
                count += 1;
                terms.extend(query.index.get(&hash(term)).copied());
            });
            (count, terms.into())
        });
        document.length += *count;
        for at in terms.iter() {
            if !document.hits.iter().any(|hit| hit.0 == *at) {
                document.hits.push((*at, 1));
            }
        }
    });
    document.hits.sort_unstable();
    document
}

/// Adds three documents of a file: its content, its path and its name.
fn add_file(
    file: &SourceFile,
    query: &Query,
    wanted: &TermLookup<'_>,
    known: &mut WordCache,
    [contents, paths, stems]: [&mut Documents; 3],
) {
    let name_at = file.path.rfind('/').map_or(0, |at| at + 1);
    let path = path_document(&file.path, query, known);
    contents.push(&content(wanted.of(&file.terms), file.terms.length, &path));
    paths.push(&path);
    stems.push(&path_document(&file.path[name_at..], query, known));
}

/// Combines a file's words and the words of its path in one document.
pub(super) fn content(mut hits: Vec<(u16, u32)>, length: u32, path: &Document) -> Document {
    hits.sort_unstable();
    for (term, count) in &path.hits {
        match hits.binary_search_by_key(term, |hit| hit.0) {
            Ok(at) => hits[at].1 += count,
            Err(at) => hits.insert(at, (*term, *count)),
        }
    }
    Document { hits, length }
}
