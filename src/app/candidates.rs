//! The candidates for a payload: files, virtual items of a turn, and their scores.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::debug_log::{TARGET, ms};
use super::environment::Environment;
use super::options::PayloadRequest;
use super::run_inputs::{RunInputs, ScanObserver};
use super::{context_rules, evidence};
use crate::error::Result;
use crate::gather::delta::{self, ChangeKind, Delta};
use crate::gather::evidence::trim;
use crate::gather::item::{Item, ItemKind, Source};
use crate::gather::progress::WalkObserver;
use crate::gather::terms::Vocabulary;
use crate::gather::walk::Walk;
use crate::gather::{Cache, Corpus, Gather, virtual_items};
use crate::ids::FileId;
use crate::place::Override;
use crate::project::config::Command;
use crate::score::{self, Scores, Task, TaskType, Weights};
use crate::text::{counted, thousands};

/// Gathers contents without a task, and without writing the cache.
pub fn gather_texts(env: &Environment, observer: &dyn ScanObserver) -> Result<Corpus> {
    observer.reading(&env.root);
    gather_without(env, &score::vocabulary(&Task::untyped("")), false, &[], None, observer)
}

/// Gathers candidates for a task. For a review, includes the changes since its base with their diffs.
pub fn gather_since(
    env: &Environment,
    task: &Task<'_>,
    base: Option<&str>,
    observer: &dyn ScanObserver,
) -> Result<Corpus> {
    observer.reading(&env.root);
    if base.is_none() {
        return gather_without(env, &score::vocabulary(task), true, &[], None, observer);
    }
    let mut corpus = gather_without(env, &Vocabulary::All, true, &[], base, observer)?;
    let changes = virtual_items::changes(&corpus);
    corpus.items.extend(changes);
    Ok(corpus)
}

/// Gathers the candidates without scoring them: the files, the virtual items of a turn, and the commits of some files.
pub fn gathered(
    env: &Environment,
    inputs: Option<&RunInputs>,
    commits_of: &[&str],
    observer: &dyn ScanObserver,
) -> Result<Corpus> {
    let base = inputs.and_then(|inputs| inputs.options.base.as_deref());
    observer.reading(&env.root);
    let mut corpus = gather_without(env, &score::vocabulary(&Task::untyped("")), false, &[], base, observer)?;
    if let Some(inputs) = inputs {
        let added = virtual_candidates(env, &corpus, inputs);
        corpus.items.extend(added.items);
    }
    let files: Vec<FileId> = commits_of.iter().filter_map(|path| corpus.find(path)).collect();
    let commits = virtual_items::commits(&corpus, &files);
    corpus.items.extend(commits);
    Ok(corpus)
}

/// Files that must not be candidates: the output file, and the evidence, which is a separate item.
pub fn own_files<'a>(inputs: &'a RunInputs, flags: &'a PayloadRequest) -> Vec<&'a Path> {
    inputs.output.as_deref().into_iter().chain(flags.evidence.iter().map(PathBuf::as_path)).collect()
}

/// Gathers candidates for a task, except these files. For a review, includes the changes since its base.
pub fn gather_without(
    env: &Environment,
    vocabulary: &Vocabulary,
    keep: bool,
    without: &[&Path],
    base: Option<&str>,
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
        cache: cache.as_deref().map(|dir| Cache { dir, keep: keep && env.writes_cache }),
        base,
        redactor: env.redaction()?,
    };
    let start = Instant::now();
    let corpus = gather.run()?;
    log::debug!(target: TARGET, files = corpus.files.len(), skipped = corpus.skipped.len(), ms = ms(start); "gather");
    Ok(corpus)
}

/// The likely targets whose recent commits are listed. A small budget has no room for history, except for a debug task
/// that a person requested, because recent changes may contain the bug.
pub fn commit_targets(scores: &Scores, limit: usize, task: &Task<'_>) -> Vec<FileId> {
    const TOKENS_EACH: usize = 20_000;
    const MOST: usize = 3;
    let count =
        if task.is_type_given && task.task_type == TaskType::Debug { MOST } else { (limit / TOKENS_EACH).min(MOST) };
    scores.targets.iter().map(|(file, _)| *file).take(count).collect()
}

/// The scoring weights of the configuration.
pub fn weights(env: &Environment) -> Result<Weights> {
    Weights::default().with(&env.config.weights)
}

/// Scores a corpus for a task; `requested` are files that agents fetched before, with the reason to show.
pub fn scores(env: &Environment, corpus: &Corpus, task: &Task<'_>, requested: &[(String, String)]) -> Result<Scores> {
    let start = Instant::now();
    let mut scores = score::score(corpus, task, &weights(env)?);
    let boosts: Vec<(&str, i8)> = env.config.boosts.iter().map(|boost| (boost.glob.as_str(), boost.points)).collect();
    score::boost(&mut scores, corpus, &boosts)?;
    score::requested(&mut scores, corpus, requested);
    score::share_scores(&mut scores, corpus);
    score::review::mark(&mut scores, corpus);
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
    let (texts, mut notes) = evidence::texts(&inputs.evidence, inputs.options.limit, inputs.options.tokenizer);
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
    // A review shows all of its changes.
    let is_review = corpus.review.is_some();
    items.extend(virtual_items::changes(corpus).into_iter().filter(|item| is_review || !twice(item)));
    items.extend(delta);
    if !inputs.dry_run {
        let (outputs, cuts) = command_outputs(env, corpus, inputs);
        items.extend(virtual_items::texts(ItemKind::Command, &outputs, &corpus.redactor));
        notes.extend(cuts);
    }
    VirtualCandidates { items, notes, delta: since }
}

/// Runs the configured commands; returns their outputs by name, each truncated to its limit, and notes on what was
/// omitted.
fn command_outputs(env: &Environment, corpus: &Corpus, inputs: &RunInputs) -> (Vec<(String, String)>, Vec<String>) {
    let commands = &env.config.commands;
    let usual = evidence::room(inputs.options.limit, commands.len());
    let (mut outputs, mut notes) = (Vec::new(), Vec::new());
    for Command { name, run, tokens } in commands {
        let room = tokens.map_or(usual, |tokens| tokens as usize);
        let output = virtual_items::run_command(run, &corpus.root);
        let (output, _) = corpus.redactor.redact(&output, name);
        let cut = trim::to_tokens(&output, inputs.options.tokenizer, room);
        if cut.gone > 0 {
            let (gone, room) = (counted(cut.gone, "line"), thousands(room));
            notes.push(format!("the output of the command `{name}` was cut to {room} tokens: {gone} omitted"));
        }
        outputs.push((name.clone(), format!("$ {run}\n{}", cut.text)));
    }
    (outputs, notes)
}

/// Changes since the last delivered payload, except deletions of excluded files.
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
