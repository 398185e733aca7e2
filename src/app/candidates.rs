//! The candidates for a payload: files, virtual items of a turn, and their scores.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::debug_log::{TARGET, ms};
use super::environment::Environment;
use super::options::PayloadRequest;
use super::pipeline::RunInputs;
use super::{context_rules, evidence};
use crate::error::Result;
use crate::gather::delta::{self, ChangeKind, Delta};
use crate::gather::item::{Item, ItemKind, Source};
use crate::gather::progress::{NoObserver, WalkObserver};
use crate::gather::terms::Vocabulary;
use crate::gather::walk::Walk;
use crate::gather::{Cache, Corpus, Gather, virtual_items};
use crate::ids::FileId;
use crate::place::Override;
use crate::score::{self, Scores, Task, Weights};

/// Gathers the candidates for a task; `keep` writes the cache.
pub fn gather(env: &Environment, task: &Task<'_>, keep: bool) -> Result<Corpus> {
    gather_but(env, &score::vocabulary(task), keep, &[], &NoObserver)
}

/// Gathers the candidates without scoring them: files, virtual items of a turn, and commits of some files.
pub fn gathered(env: &Environment, inputs: Option<&RunInputs>, commits_of: &[&str]) -> Result<Corpus> {
    let nothing = Task::untyped("");
    let mut corpus = gather(env, &nothing, false)?;
    if let Some(inputs) = inputs {
        let added = virtual_candidates(env, &corpus, inputs);
        corpus.items.extend(added.items);
    }
    let files: Vec<FileId> = commits_of.iter().filter_map(|path| corpus.find(path)).collect();
    let commits = virtual_items::commits(&corpus, &files);
    corpus.items.extend(commits);
    Ok(corpus)
}

/// Files that are not candidates: the output file, and the evidence, which is a separate item.
pub fn own_files<'a>(inputs: &'a RunInputs, flags: &'a PayloadRequest) -> Vec<&'a Path> {
    inputs.output.as_deref().into_iter().chain(flags.evidence.iter().map(PathBuf::as_path)).collect()
}

/// Gathers the candidates for a task, except some files.
pub fn gather_but(
    env: &Environment,
    vocabulary: &Vocabulary,
    keep: bool,
    without: &[&Path],
    observer: &dyn WalkObserver,
) -> Result<Corpus> {
    let mut ignore = env.config.ignore.clone();
    for inside in without.iter().filter_map(|file| env.inside(file.to_str()?)) {
        ignore.push(format!("/{}", globset::escape(&inside)));
    }
    let cache = Environment::cache_dir();
    let gather = Gather {
        walk: Walk {
            root: &env.root,
            max_file_bytes: env.config.max_file_bytes,
            ignore: &ignore,
            vocabulary,
            observer,
        },
        history_commits: env.config.history_commits as usize,
        cache: cache.as_deref().map(|dir| Cache { dir, keep }),
        redactor: env.redaction()?,
    };
    let start = Instant::now();
    let corpus = gather.run()?;
    log::debug!(target: TARGET, files = corpus.files.len(), skipped = corpus.skipped.len(), ms = ms(start); "gather");
    Ok(corpus)
}

/// Likely targets whose recent commits are listed; none in a small budget, which has no room for history.
pub fn commit_targets(scores: &Scores, limit: usize) -> Vec<FileId> {
    const TOKENS_EACH: usize = 20_000;
    const MOST: usize = 3;
    scores.targets.iter().map(|(file, _)| *file).take((limit / TOKENS_EACH).min(MOST)).collect()
}

/// The scoring weights of the configuration.
pub fn weights(env: &Environment) -> Result<Weights> {
    Weights::default().with(&env.config.weights)
}

/// Scores a corpus for a task.
pub fn scores(env: &Environment, corpus: &Corpus, task: &Task<'_>) -> Result<Scores> {
    let start = Instant::now();
    let mut scores = score::score(corpus, task, &weights(env)?);
    let boosts: Vec<(&str, i8)> = env.config.boosts.iter().map(|boost| (boost.glob.as_str(), boost.points)).collect();
    score::boost(&mut scores, corpus, &boosts)?;
    score::share_scores(&mut scores, corpus);
    log::debug!(target: TARGET, candidates = corpus.items.len(), likely_targets = scores.targets.len(), ms = ms(start); "score");
    Ok(scores)
}

/// The candidates that are not files.
pub struct VirtualCandidates {
    /// The items.
    pub items: Vec<Item>,
    /// Notes for the person.
    pub notes: Vec<String>,
    /// Changes since the last delivered payload.
    pub delta: Option<Delta>,
}

/// Collects the candidates that are not files.
pub fn virtual_candidates(env: &Environment, corpus: &Corpus, inputs: &RunInputs) -> VirtualCandidates {
    let mut items = virtual_items::memos(&inputs.memos, &corpus.redactor);
    let (texts, notes) = evidence::texts(&inputs.evidence, inputs.options.limit, inputs.options.tokenizer);
    items.extend(virtual_items::texts(ItemKind::Evidence, &texts, &corpus.redactor));
    items.extend(virtual_items::texts(ItemKind::History, &inputs.history, &corpus.redactor));
    let since = since_delivered(corpus, inputs);
    let delta = since.as_ref().and_then(|since| change_item(since, corpus, inputs));
    let told = delta.iter().find_map(|item| match &item.source {
        Source::Text(text) => Some(Arc::clone(text)),
        Source::File(_) => None,
    });
    let twice = |item: &Item| match (&item.source, &told) {
        (Source::Text(patch), Some(told)) => told.contains(delta::hunks(patch)) && !delta::hunks(patch).is_empty(),
        _ => false,
    };
    items.extend(virtual_items::changes(corpus).into_iter().filter(|item| !twice(item)));
    items.extend(delta);
    if !inputs.dry_run {
        let commands: Vec<(&str, &str)> =
            env.config.commands.iter().map(|command| (command.name.as_str(), command.run.as_str())).collect();
        items.extend(virtual_items::commands(&commands, &corpus.root, &corpus.redactor));
    }
    VirtualCandidates { items, notes, delta: since }
}

/// Changes since the last delivered payload, without excluded files that were deleted.
fn since_delivered(corpus: &Corpus, inputs: &RunInputs) -> Option<Delta> {
    let mut delta = delta::since(corpus, inputs.delivered.as_deref()?);
    let excluded = context_rules::overridden(&inputs.steps.0, Override::Exclude);
    let unsaid = |path: &str| excluded.contains(path) && corpus.find(path).is_none();
    delta
        .files
        .retain(|file| !unsaid(&file.path) && !matches!(&file.kind, ChangeKind::Renamed { from } if unsaid(from)));
    Some(delta)
}

/// The item that lists the changes.
fn change_item(delta: &Delta, corpus: &Corpus, inputs: &RunInputs) -> Option<Item> {
    /// Maximum fraction of the limit for diffs.
    const SHARE: usize = 5;
    /// Approximate bytes per token.
    const BYTES_A_TOKEN: usize = 4;
    let limit = inputs.options.limit.unwrap_or(inputs.options.limits.simple);
    delta.item(corpus, limit / SHARE * BYTES_A_TOKEN)
}
