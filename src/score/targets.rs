//! Likely targets: the files that the task will probably change, each with a confidence.

use super::evidence::{Evidence, best, is_product};
use super::mentions::MentionKind;
use super::symbols::Spelling;
use super::weights::Weights;
use crate::gather::corpus::Corpus;
use crate::gather::role::Role;
use crate::ids::FileId;

/// A likely target.
#[derive(Debug, Clone)]
pub struct Target {
    /// The file.
    pub file: FileId,
    /// Confidence, 0 to 1.
    pub confidence: f64,
}

/// Maximum number of targets.
const MOST: usize = 12;
/// Assumed votes of past commits for the best file, if there are no votes. The value is about the average of tasks with
/// votes; it is not fitted.
const WITHOUT_COMMITS: f64 = 0.7;
/// Number of files that get a confidence.
const CONSIDERED: usize = 400;
/// Confidence of files that evidence points to, in order. The first three are sure targets, the others are their
/// callers. Not fitted.
const POINTED_AT: [f64; 5] = [0.95, 0.8, 0.6, 0.28, 0.2];

/// The best files with their confidence, best first. If the task has nothing in common with the project, these are only
/// the files that evidence points to.
pub fn likelihoods(corpus: &Corpus, evidence: &Evidence) -> Vec<Target> {
    let mut found = if unrelated(corpus, evidence) { Vec::new() } else { likely(corpus, evidence) };
    for (position, focus) in evidence.focus.iter().take(MOST).enumerate() {
        let sure = POINTED_AT.get(position).copied().unwrap_or(POINTED_AT[POINTED_AT.len() - 1]);
        match found.iter_mut().find(|target| target.file == focus.file) {
            Some(target) => target.confidence = target.confidence.max(sure),
            None => found.push(Target { file: focus.file, confidence: sure }),
        }
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.file.cmp(&b.file)));
    found
}

/// Files that are likely because of words, names and history.
fn likely(corpus: &Corpus, evidence: &Evidence) -> Vec<Target> {
    let order = best(&evidence.sum, CONSIDERED);
    let eligible = order.iter().copied().filter(|file| {
        is_product(&corpus.files[*file])
            || matches!(corpus.files[*file].role, Role::Example | Role::Config | Role::Source | Role::Data | Role::Doc)
                && named_outright(evidence, *file)
    });
    let eligible: Vec<FileId> = eligible.collect();
    let top = eligible.first().map_or(f64::MIN_POSITIVE, |file| evidence.sum[*file]);
    eligible
        .iter()
        .enumerate()
        .map(|(position, file)| {
            let next = eligible.get(position + 1).map_or(0.0, |next| evidence.sum[*next]);
            Target { file: *file, confidence: confidence(evidence, *file, position, top, next) }
        })
        .collect()
}

/// The likely targets among these files, best first.
pub fn targets(evidence: &Evidence, weights: &Weights, likelihoods: &[Target]) -> Vec<Target> {
    // A file that evidence points to is a target even without other evidence.
    let mut others = MOST.saturating_sub(evidence.focus.len());
    let pointed_at = |file: FileId| evidence.focus.iter().take(MOST).any(|focus| focus.file == file);
    let stays = |target: &&Target| {
        let pointed_at = pointed_at(target.file);
        let stays = pointed_at || others > 0 && target.confidence >= weights.target_least;
        if !pointed_at {
            others = others.saturating_sub(1);
        }
        stays
    };
    likelihoods.iter().filter(stays).cloned().collect()
}

/// Confidence that the file will change. The logistic model was fitted on 163 real changes, and checked with one
/// repository left out at a time.
fn confidence(evidence: &Evidence, file: FileId, position: usize, top: f64, next: f64) -> f64 {
    let sum = evidence.sum[file];
    let outright = f64::from(u8::from(named_outright(evidence, file)));
    // If past commits cast no votes, other evidence takes their place.
    let commits = if evidence.speaks("commits") {
        evidence.share("commits", file)
    } else {
        WITHOUT_COMMITS * (sum / top).powi(2)
    };
    let z = -3.3 + 1.35 * sum / top - 0.95 * (1.0 + position as f64).ln()
        + 0.93 * (sum - next).max(0.0) / top
        + 0.55 * evidence.share("title", file)
        + commits
        + evidence.share("blocks", file)
        + 0.45 * evidence.share("stem", file)
        + 0.3 * outright
        // A file named by a plan or a trace is likely to change. This is not fitted, because the development tasks have
        // neither.
        + 2.0 * evidence.share("plan", file)
        + 1.5 * evidence.share("focus", file);
    1.0 / (1.0 + (-z).exp())
}

/// Returns true if the text names the file by its path or file name.
pub fn named_outright(evidence: &Evidence, file: FileId) -> bool {
    evidence.mentions.files.get(&file).is_some_and(|mention| mention.kind >= MentionKind::Name)
        || evidence.planned.files.get(&file).is_some_and(|mention| mention.kind >= MentionKind::Name)
        || evidence.places.contains_key(&file)
}

/// Returns true if the task has almost no words in common with the project.
pub fn unrelated(corpus: &Corpus, evidence: &Evidence) -> bool {
    if evidence.query.is_empty() {
        return true;
    }
    let strong = evidence.mentions.files.values().any(|mention| mention.kind >= MentionKind::Stem)
        || evidence.planned.files.values().any(|mention| mention.kind >= MentionKind::Name)
        || evidence.defined.values().flatten().any(|hit| hit.spelling >= Spelling::Apart)
        // A plain word may match by chance, but that is unlikely if both a file and a definition in it have that name.
        || evidence.defined.keys().any(|file| evidence.mentions.files.contains_key(file))
        || !evidence.places.is_empty();
    !strong && coverage(corpus, evidence) < 0.1
}

/// The largest share of the task's words, weighted by rarity, in one file of product code. Words in a script that does
/// not occur in the project are ignored: a Japanese sentence with the word `broadcast` is about `broadcast`.
pub fn coverage(corpus: &Corpus, evidence: &Evidence) -> f64 {
    let statistics = &evidence.lexical.statistics;
    let worth = |term: usize| evidence.query.terms[term].weight * statistics.rarity[term];
    let mut counts: Vec<bool> = evidence.query.terms.iter().map(|term| term.text.is_ascii()).collect();
    if counts.contains(&false) {
        for (term, _) in evidence.lexical.contents.iter().flat_map(|content| content.hits) {
            counts[*term as usize] = true;
        }
    }
    let all: f64 = (0..counts.len()).filter(|term| counts[*term]).map(worth).sum();
    let contents = evidence.lexical.contents.iter().zip(&corpus.files).filter(|(_, file)| is_product(file));
    let most = contents
        .map(|(content, _)| content.hits.iter().map(|hit| worth(hit.0 as usize)).sum::<f64>())
        .fold(0.0, f64::max);
    if all > 0.0 { most / all } else { 0.0 }
}
