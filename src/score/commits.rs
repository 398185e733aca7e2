//! Evidence from history: past commits with messages similar to the task, and how recently files changed.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::bm25::{Bm25Parameters, Document, Statistics, bm25};
use super::commit_references::touched;
use super::evidence::is_product;
use super::history_support::CommitTerms;
use super::query::Query;
use crate::gather::corpus::Corpus;
use crate::gather::git::Commit;
use crate::gather::terms::{TermCounter, TermMap, each_term, hash, words};
use crate::ids::FileId;

/// Maximum number of similar commits that vote.
const VOTERS: usize = 150;
/// Maximum number of files in a commit that may vote. The message of a larger commit contains little information about
/// each file.
const MOST_FILES: usize = 30;
const SHAPE: Bm25Parameters = Bm25Parameters { k1: 1.2, b: 0.75 };

/// Evidence from history for each file.
#[derive(Debug, Default)]
pub struct CommitEvidence {
    /// Votes of commits with messages similar to the task.
    pub votes: Vec<f32>,
    /// Association of the path's words with the task's words in past commits.
    pub wording: Vec<f32>,
    /// 1 / (1 + days since the last change / 180).
    pub recency: Vec<f32>,
    /// Files changed by commits that the task refers to: weight, and index of the commit in the history.
    pub referred: HashMap<FileId, (f32, usize)>,
    /// For files with votes: indices of the commits with the most weight, and the number of all voting commits.
    pub voters: HashMap<FileId, (Vec<usize>, usize)>,
    /// Commits that contain words of the task and changed product code.
    pub commit_terms: Vec<CommitTerms>,
}

/// Reads the history for this task.
pub fn past(corpus: &Corpus, query: &Query) -> CommitEvidence {
    let count = corpus.files.len();
    let mut past = CommitEvidence {
        votes: vec![0.0; count],
        wording: vec![0.0; count],
        recency: recency(corpus),
        ..CommitEvidence::default()
    };
    let Some(git) = corpus.git.as_ref().filter(|git| !git.commits.is_empty() && !query.is_empty()) else { return past };
    let index: HashMap<&str, FileId> =
        FileId::enumerate(&corpus.files).map(|(at, file)| (file.path.as_str(), at)).collect();
    let messages = read_messages(&git.commits, query);
    vote(&mut past, &git.commits, &messages, query, &index);
    past.wording = wording(corpus, &git.commits, &messages, query);
    past.referred = touched(&query.references, &git.commits, &index, MOST_FILES);
    past.commit_terms = commit_terms(corpus, &git.commits, &messages, &index);
    past
}

fn commit_terms(
    corpus: &Corpus,
    commits: &[Commit],
    messages: &[Document],
    index: &HashMap<&str, FileId>,
) -> Vec<CommitTerms> {
    let today = |path: &String| index.get(path.as_str()).copied().filter(|file| is_product(&corpus.files[*file]));
    commits
        .iter()
        .zip(messages)
        .filter(|(commit, message)| commit.touched as usize <= MOST_FILES && !message.hits.is_empty())
        .map(|(commit, message)| CommitTerms {
            terms: message.hits.iter().map(|hit| hit.0).collect(),
            files: commit.paths.iter().filter_map(today).collect(),
        })
        .filter(|said| !said.files.is_empty())
        .collect()
}

fn read_messages(commits: &[Commit], query: &Query) -> Vec<Document> {
    let vocabulary = query.vocabulary();
    commits
        .par_chunks(256)
        .flat_map_iter(|commits| {
            let mut counter = TermCounter::new(&vocabulary);
            let read = |commit: &Commit| {
                let counts = counter.count(&commit.message);
                let hits = counts
                    .terms
                    .iter()
                    .filter_map(|(term, count)| query.index.get(term).map(|at| (*at, *count)))
                    .collect();
                Document { hits, length: counts.length }
            };
            commits.iter().map(read).collect::<Vec<Document>>()
        })
        .collect()
}

/// Returns term weights from the first line if it has enough words, otherwise from the whole text. The rest of an issue
/// often digresses.
fn weight_of(query: &Query) -> impl Fn(usize) -> f64 + '_ {
    let speaks = query.terms.iter().filter(|term| term.title > 0.5).count() >= 3;
    move |term| {
        if speaks { query.terms[term].title + 0.15 * query.terms[term].weight } else { query.terms[term].weight }
    }
}

fn vote(
    past: &mut CommitEvidence,
    commits: &[Commit],
    messages: &[Document],
    query: &Query,
    index: &HashMap<&str, FileId>,
) {
    let statistics = Statistics::of(messages.iter(), query.terms.len());
    let weight = weight_of(query);
    let mut alike: Vec<(f64, usize)> = messages
        .iter()
        .enumerate()
        .map(|(at, message)| (bm25(message, &statistics, SHAPE, &weight), at))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (score, at) in alike.into_iter().take(VOTERS) {
        let commit = &commits[at];
        if commit.touched as usize > MOST_FILES {
            continue;
        }
        let each = score * score / f64::from(commit.touched.max(1)).sqrt();
        for file in commit.paths.iter().filter_map(|path| index.get(path.as_str())) {
            past.votes[*file] += each as f32;
            let voters = past.voters.entry(*file).or_default();
            voters.1 += 1;
            // Commits are ordered best first, so these are the three best.
            if voters.0.len() < 3 {
                voters.0.push(at);
            }
        }
    }
}

/// Finds files whose path contains words that occurred together with the task's words in past commits.
fn wording(corpus: &Corpus, commits: &[Commit], messages: &[Document], query: &Query) -> Vec<f32> {
    let mut ids: HashMap<String, u32> = HashMap::new();
    let touched: Vec<HashSet<u32>> = commits
        .iter()
        .map(|commit| {
            let mut seen = HashSet::new();
            if commit.touched as usize <= MOST_FILES {
                for path in &commit.paths {
                    path_words(path, |word| {
                        let next = ids.len() as u32;
                        seen.insert(*ids.entry(word.to_owned()).or_insert(next));
                    });
                }
            }
            seen
        })
        .collect();
    let mut all = vec![0u32; ids.len()];
    for seen in &touched {
        for word in seen {
            all[*word as usize] += 1;
        }
    }
    let total = commits.len() as f64;
    // The association of each path word with the task is a sum over the task's words, with more weight on the first
    // line.
    let weight = weight_of(query);
    let mut strength = vec![0.0f64; ids.len()];
    let mut with: HashMap<u32, u32> = HashMap::new();
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); query.terms.len()];
    for (at, message) in messages.iter().enumerate() {
        for (term, _) in &message.hits {
            holders[*term as usize].push(at);
        }
    }
    for (term, holders) in holders.iter().enumerate() {
        if holders.len() < 2 || holders.len() as f64 > total * 0.2 {
            continue;
        }
        with.clear();
        for word in holders.iter().flat_map(|at| &touched[*at]) {
            *with.entry(*word).or_default() += 1;
        }
        for (word, together) in &with {
            let together = f64::from(*together);
            let lift = (together * total / (holders.len() as f64 * f64::from(all[*word as usize]))).ln();
            if lift > 0.0 && together >= 2.0 {
                strength[*word as usize] += weight(term) * lift * together / (together + 3.0);
            }
        }
    }
    corpus
        .files
        .par_iter()
        .with_min_len(256)
        .map_init(TermMap::<Box<[f64]>>::default, |known, file| {
            let (mut best, mut sum) = (0.0f64, 0.0f64);
            words(without_extension(&file.path), |word| {
                // Directories repeat, so each word is split and looked up only once.
                let strengths = known.entry(hash(word)).or_insert_with(|| {
                    let mut found = Vec::new();
                    each_term(word, |term| found.extend(ids.get(term).map(|id| strength[*id as usize])));
                    found.into()
                });
                for strength in strengths.iter() {
                    best = best.max(*strength);
                    sum += strength;
                }
            });
            (best + 0.3 * (sum - best)) as f32
        })
        .collect()
}

/// The parts of a path's names, without the extension.
fn path_words(path: &str, mut each: impl FnMut(&str)) {
    words(without_extension(path), |word| each_term(word, &mut each));
}

fn without_extension(path: &str) -> &str {
    let end = path.rfind('.').filter(|dot| path.rfind('/').is_none_or(|slash| *dot > slash + 1));
    &path[..end.unwrap_or(path.len())]
}

fn recency(corpus: &Corpus) -> Vec<f32> {
    let touched = |path: &str, modified: i64| match &corpus.git {
        Some(git) => git.last_touched.get(path).copied(),
        None => Some(modified),
    };
    // Days are counted from the newest commit, so the age of the whole history does not matter.
    let newest = corpus.git.as_ref().and_then(|git| git.head_time).unwrap_or(corpus.now);
    let days = |time: i64| (newest - time).max(0) as f64 / 86_400.0;
    let value = |time: i64| 1.0 / (1.0 + days(time) / 180.0);
    corpus.files.iter().map(|file| touched(&file.path, file.modified).map_or(0.0, |time| value(time) as f32)).collect()
}
