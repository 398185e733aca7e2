//! From evidence to scores: targets, criteria, points, ranks, order and notes.

use std::collections::HashSet;

use super::companions::Companions;
use super::evidence::Evidence;
use super::query::Query;
use super::rank::{self, RankedFile};
use super::scores::{Criterion, HotLines, Priority, Score, Scores, Signal};
use super::supporting::{rank_documents, rank_tests, test_of};
use super::targets::{Target, likelihoods, targets, unrelated};
use super::task::Task;
use super::task_needs::{NeededFile, needed_files, raise};
use super::weights::Weights;
use super::{line_likelihood, reasons, rubric};
use crate::gather::corpus::Corpus;
use crate::gather::item::{ItemKind, Source};
use crate::gather::terms::Vocabulary;
use crate::ids::{FileId, ItemId};
use crate::text::nearest;

/// Number of files whose likeliest lines are computed. If a file has too little evidence for points, its reason
/// mentions this.
const HOT: usize = 60;

/// The terms that the walk must count for this task.
pub fn vocabulary(task: &Task<'_>) -> Vocabulary {
    Query::new(task.text, task.plan).vocabulary()
}

/// Scores every item for the task.
pub fn score(corpus: &Corpus, task: &Task<'_>, weights: &Weights) -> Scores {
    let weights = &weights.for_type(task.task_type);
    let no_content = !task.has_content();
    // If the task has no content, its words would match files by chance only.
    let task = &Task { text: if no_content { "" } else { task.text }, ..*task };
    let mut evidence = Evidence::new(corpus, task, weights);
    let companions = Companions::of(corpus, &likelihoods(corpus, &evidence));
    evidence.add_companions(&companions, weights.companions);
    let likelihoods = likelihoods(corpus, &evidence);
    let tests =
        if likelihoods.is_empty() { Vec::new() } else { rank_tests(corpus, &evidence, &likelihoods, &companions) };
    let targets = targets(&evidence, weights, &likelihoods);
    let top = evidence.sum.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut signals = rubric::signals(corpus, &evidence, &targets, weights);
    for test in &tests {
        let known = &mut signals[test.file];
        if test.confidence >= weights.target_least && !known.iter().any(|signal| signal.criterion == Criterion::TestOf)
        {
            known.extend(test_of(corpus, &companions, test.file, &likelihoods));
        }
    }
    let needed = if no_content {
        Vec::new()
    } else {
        needed_files(corpus, &evidence, (&targets, &tests), &signals, weights, task)
    };
    raise(&mut signals, &needed);
    let is_needed: HashSet<FileId> = needed.iter().map(|needed| needed.file).collect();
    let mut items: Vec<Score> = Vec::with_capacity(corpus.items.len());
    let mut signals: Vec<Option<Vec<Signal>>> = signals.into_iter().map(Some).collect();
    for item in &corpus.items {
        let given = match &item.source {
            Source::File(file) => {
                let file = *file;
                let signals = signals.get_mut(file.index()).and_then(Option::take).unwrap_or_default();
                let share = evidence.sum[file] / top;
                let is_target = targets.iter().any(|target| target.file == file);
                let standing = RankedFile { file, share, is_target, is_needed: is_needed.contains(&file) };
                let (priority, rank) = rank::rank(corpus, &evidence, &signals, (task.task_type, weights), &standing);
                Score {
                    points: points(&signals),
                    signals,
                    rank,
                    priority,
                    evidence: share,
                    likely: 0.0,
                    weak_evidence: None,
                    hot: HotLines::default(),
                    pointed: false,
                    bulk: corpus.files[file].is_bulk_output(),
                }
            }
            Source::Text(_) => given(item.kind),
        };
        items.push(given);
    }
    // Files come first among the items, each at its own index.
    for Target { file, confidence } in &likelihoods {
        items[*file].likely = *confidence;
    }
    for target in likelihoods.iter().take(HOT) {
        let score = &mut items[target.file];
        if !score.has(Criterion::Modified) {
            score.weak_evidence = reasons::weak(corpus, &evidence, target);
        }
    }
    for NeededFile { file, likely, .. } in &needed {
        items[*file].likely = items[*file].likely.max(*likely);
    }
    let order = order(corpus, &items);
    let supporting: Vec<Target> =
        tests.into_iter().chain(rank_documents(corpus, &mut evidence, task, &companions)).collect();
    for Target { file, confidence } in &supporting {
        items[*file].likely = items[*file].likely.max(*confidence);
    }
    let notes = notes(corpus, &evidence, &targets);
    // The likeliest lines of tests and documents are computed regardless of their rank.
    let also: Vec<FileId> =
        supporting.iter().map(|item| item.file).chain(needed.iter().map(|needed| needed.file)).collect();
    evidence.read_also(corpus, &also);
    line_likelihood::mark(corpus, evidence, &order, HOT, &also, &mut items);
    // A supporting test or document gets only a small part of the budget, unless the task is about it.
    let supporting: Vec<Target> = supporting.into_iter().filter(|item| !is_needed.contains(&item.file)).collect();
    let pairs = |targets: &[Target]| targets.iter().map(|target| (target.file, target.confidence as f32)).collect();
    Scores {
        items,
        order,
        targets: pairs(&targets),
        supporting: pairs(&supporting),
        no_content,
        required: Vec::new(),
        notes,
    }
}

/// Sum of the signals' points, limited to 0 to 10.
pub(super) fn points(signals: &[Signal]) -> u8 {
    signals.iter().map(|signal| i32::from(signal.criterion.points())).sum::<i32>().clamp(0, 10) as u8
}

fn given(kind: ItemKind) -> Score {
    let why = match kind {
        ItemKind::Memo => "a project memo",
        ItemKind::Changes => "changes in the working tree",
        ItemKind::Review => "overview of the changes under review",
        ItemKind::Delta => "changes since the last delivered payload",
        ItemKind::Commits => "recent commits on the likely targets",
        ItemKind::Evidence => "evidence given with the task",
        ItemKind::History => "an earlier turn of the session",
        ItemKind::Command => "output of a command from the configuration",
        ItemKind::File | ItemKind::Doc => "given with the task",
    };
    let signals = vec![Signal { criterion: Criterion::Given, why: why.into() }];
    Score {
        points: points(&signals),
        signals,
        rank: 10_000.0,
        priority: if kind == ItemKind::Evidence { Priority::Critical } else { Priority::High },
        evidence: 1.0,
        likely: 1.0,
        weak_evidence: None,
        hot: HotLines::default(),
        pointed: false,
        bulk: false,
    }
}

/// Sorts again after points or ranks have changed.
pub(super) fn reorder(scores: &mut Scores, corpus: &Corpus) {
    scores.order = order(corpus, &scores.items);
}

/// Indices of the items by rank, best first. Items with equal ranks are ordered by path.
fn order(corpus: &Corpus, items: &[Score]) -> Vec<ItemId> {
    // Keys are stored next to the indices, because this makes tens of thousands of comparisons faster.
    let mut order: Vec<(f64, ItemId)> = ItemId::enumerate(items).map(|(at, score)| (score.rank, at)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| corpus.items[a.1].path.cmp(&corpus.items[b.1].path)));
    order.into_iter().map(|(_, at)| at).collect()
}

fn notes(corpus: &Corpus, evidence: &Evidence, targets: &[Target]) -> Vec<String> {
    let mut notes = Vec::new();
    for missing in evidence.mentions.missing.iter().take(3) {
        let name = missing.rsplit('/').next().unwrap_or(missing);
        let near = nearest(missing, corpus.files.iter().map(|file| file.path.as_str())).or_else(|| {
            let names = corpus.files.iter().map(|file| file.path.rsplit('/').next().unwrap_or_default());
            nearest(name, names)
        });
        notes.push(match near {
            Some(near) => format!("the task names `{missing}`, which is not in the project; the nearest is `{near}`"),
            None => format!("the task names `{missing}`, which is not in the project"),
        });
    }
    if corpus.files.is_empty() {
        notes.push("the project has no text files".to_owned());
    } else if targets.is_empty() && !evidence.query.is_empty() && unrelated(corpus, evidence) {
        notes.push("the task has almost no words in common with the project's code, so there are no likely targets; name a file, a symbol or words that the code uses".to_owned());
    }
    notes
}
