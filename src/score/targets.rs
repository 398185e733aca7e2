//! The files that the task will probably change, with how sure that is, and why.

use super::evidence::{Evidence, best, is_product};
use super::mentions::How;
use super::symbols::As;
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;

/// One probable target.
#[derive(Debug, Clone)]
pub struct Target {
    /// The file.
    pub file: usize,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
}

/// Files below this confidence are no targets.
const LEAST: f64 = 0.1;
/// The neighbourhood criteria look outward only from targets that are at least this sure (and from the best one).
pub const SURE: f64 = 0.3;
/// Targets at most.
const MOST: usize = 12;

/// The probable targets, best first; empty when the task has nothing in common with the project.
pub fn targets(corpus: &Corpus, evidence: &Evidence) -> Vec<Target> {
    if unrelated(corpus, evidence) {
        return Vec::new();
    }
    let order = best(&evidence.sum, MOST * 3);
    let Some(top) = order.first().map(|file| evidence.sum[*file]) else { return Vec::new() };
    let eligible = order.iter().copied().filter(|file| {
        is_product(&corpus.files[*file])
            || matches!(corpus.files[*file].role, Role::Example | Role::Config | Role::Source | Role::Data | Role::Doc)
                && named_outright(evidence, *file)
    });
    let mut found: Vec<Target> = eligible
        .enumerate()
        .map(|(position, file)| Target { file, confidence: confidence(evidence, file, position, top) })
        .filter(|target| target.confidence >= LEAST)
        .collect();
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.file.cmp(&b.file)));
    found.truncate(MOST);
    found
}

fn confidence(evidence: &Evidence, file: usize, position: usize, top: f64) -> f64 {
    let share = evidence.sum[file] / top;
    let z = -3.2 + 3.6 * share - 0.55 * (1.0 + position as f64).ln()
        + 0.35 * f64::from(u8::from(named_outright(evidence, file)));
    1.0 / (1.0 + (-z).exp())
}

/// Whether the text names the file's path or name.
pub fn named_outright(evidence: &Evidence, file: usize) -> bool {
    evidence.mentions.files.get(&file).is_some_and(|mention| mention.how >= How::Name)
        || evidence.planned.files.get(&file).is_some_and(|mention| mention.how >= How::Name)
        || evidence.places.contains_key(&file)
}

/// Whether the task's words are not this project's words.
pub fn unrelated(corpus: &Corpus, evidence: &Evidence) -> bool {
    if evidence.query.is_empty() {
        return true;
    }
    let strong = evidence.mentions.files.values().any(|mention| mention.how >= How::Stem)
        || evidence.planned.files.values().any(|mention| mention.how >= How::Name)
        || evidence.defined.values().flatten().any(|hit| hit.how >= As::Apart)
        || !evidence.places.is_empty();
    !strong && coverage(corpus, evidence) < 0.1
}

/// The largest share of the task's words, by weight and rarity, that one file of product code has.
pub fn coverage(corpus: &Corpus, evidence: &Evidence) -> f64 {
    let statistics = &evidence.lexical.statistics;
    let worth = |term: usize| evidence.query.terms[term].weight * statistics.rarity[term];
    let all: f64 = (0..evidence.query.terms.len()).map(worth).sum();
    let contents = evidence.lexical.contents.iter().zip(&corpus.files).filter(|(_, file)| is_product(file));
    let most = contents
        .map(|(content, _)| content.hits.iter().map(|hit| worth(hit.0 as usize)).sum::<f64>())
        .fold(0.0, f64::max);
    if all > 0.0 { most / all } else { 0.0 }
}
