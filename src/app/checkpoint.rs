//! `checkpoint.json` and `replay.json` of a run. They record the turn and the state of every source, so that the turn
//! can be restored and replayed, and the next turn can list changes.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::pipeline::Selection;
use crate::error::{Error, Result};
use crate::gather::item::Source;
use crate::gather::{Corpus, git, read};
use crate::place::Tier;
use crate::project::checkpoint::{self, Artifact, ArtifactKind, Checkpoint, ContextSummary, GitState, Message};
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnRecord, TurnState};
use crate::project::{clock, files};
use crate::render::recipe::Recipe;
use crate::text::hex;

/// Maximum number of changed or untracked files that are listed individually.
const MOST_FILES: usize = 2_000;
/// Larger files are not hashed.
const MOST_BYTES: u64 = 4_000_000;
/// Limits of the conversation history, in turns and in bytes.
const MOST_TURNS: usize = 5;
const MOST_SAID: usize = 200_000;

/// Files that are written next to a payload.
pub struct CheckpointFiles {
    /// Text of `checkpoint.json`.
    pub checkpoint: String,
    /// Text of `replay.json`.
    pub replay: String,
}

/// Creates the files that are written next to a payload; `list` is the text of `turn.context`.
pub fn files(
    session: &Session,
    turn: &str,
    selection: Selection<'_>,
    record: &TurnRecord,
    list: &str,
    payload: &str,
) -> Result<CheckpointFiles> {
    let artifacts = artifacts(selection);
    let line_numbers = selection.details.style.line_numbers;
    let recipe = Recipe::of(selection.bench.corpus(), selection.placement(), payload, &artifacts, line_numbers);
    let replay = serde_json::to_string_pretty(&recipe).map_err(|error| {
        Error::input(format!("cannot write replay.json: {error}"), "internal error; please report this bug")
    })?;
    let checkpoint = text(session, turn, selection, record, list, artifacts)?;
    Ok(CheckpointFiles { checkpoint, replay: replay + "\n" })
}

fn text(
    session: &Session,
    turn: &str,
    Selection { bench, details }: Selection<'_>,
    record: &TurnRecord,
    list: &str,
    artifacts: Vec<Artifact>,
) -> Result<String> {
    let corpus = bench.corpus();
    let placement = bench.placement();
    let mut record = record.clone();
    // The message as typed may contain a secret.
    record.message.clone_from(&details.task);
    let mut said = conversation(session, corpus, &record);
    said.push(Message::user(details.task.clone()));
    let repository = corpus.git.is_some();
    Checkpoint {
        session_id: session.name().to_owned(),
        turn: turn.to_owned(),
        timestamp: clock::iso(clock::now()?),
        task_type: Some(details.classification.task_type),
        complexity: Some(details.classification.complexity),
        user_request: details.task.clone(),
        state: TurnState::Delivered,
        context_summary: ContextSummary {
            chunks_included: placement.tier(Tier::Raw).count(),
            tokens_used: placement.usage.total,
            estimated: bench.tokenizer().is_estimate(),
            utilization: utilization(placement.usage.total, placement.limit),
        },
        artifacts,
        conversation_history: said,
        record,
        session: session.meta_file().is_file().then(|| session.meta().ok()).flatten(),
        turn_context: corpus.redactor.redact(list, "turn.context").0.into_owned(),
        git: git_state(corpus),
        files: if repository { BTreeMap::new() } else { every_file(corpus) },
    }
    .to_text()
}

fn utilization(used: usize, limit: usize) -> f64 {
    (used as f64 / limit.max(1) as f64 * 1000.0).round() / 1000.0
}

/// The files in RAW and LINKED.
fn artifacts(selection: Selection<'_>) -> Vec<Artifact> {
    let corpus = selection.bench.corpus();
    let placed = selection.placement().placed.iter().filter(|placed| placed.tier <= Tier::Linked);
    placed
        .filter_map(|placed| {
            let item = &corpus.items[placed.item];
            let Source::File(file) = item.source else { return None };
            let sha256 = corpus.file_text(file).sha256.clone();
            Some(Artifact {
                kind: ArtifactKind::File,
                path: item.path.clone(),
                tier: placed.tier,
                blob: corpus.git.is_some().then(|| blob_of(corpus, &item.path, &sha256)).flatten(),
                sha256,
                tokens: Some(placed.tokens),
            })
        })
        .collect()
}

/// The git blob id of a file, if the file still has the given hash.
fn blob_of(corpus: &Corpus, path: &str, sha256: &str) -> Option<String> {
    let bytes = read::read_bytes(&corpus.root, path, u64::MAX).ok()?;
    (hex(&Sha256::digest(&bytes)) == sha256).then(|| git::blob_id(&bytes)).flatten()
}

/// The state of the repository.
fn git_state(corpus: &Corpus) -> Option<GitState> {
    let facts = corpus.git.as_ref()?;
    let git = git::open(&corpus.root).ok().flatten()?;
    let changed = facts.dirty.iter().take(MOST_FILES).map(|(path, _)| {
        let bytes = read::read_bytes(&corpus.root, path, MOST_BYTES).ok();
        (path.clone(), bytes.and_then(|bytes| git::blob_id(&bytes)))
    });
    Some(GitState {
        commit: git.head_id(),
        branch: facts.branch.clone(),
        dirty: !facts.dirty.is_empty(),
        cut_short: facts.dirty.len() > MOST_FILES,
        changed: changed.collect(),
    })
}

/// Hashes of all text files outside a repository, unless there are too many.
fn every_file(corpus: &Corpus) -> BTreeMap<String, String> {
    if corpus.files.len() > MOST_FILES {
        return BTreeMap::new();
    }
    let sum = |path: &str| {
        let bytes = read::read_bytes(&corpus.root, path, MOST_BYTES).ok()?;
        Some((path.to_owned(), hex(&Sha256::digest(&bytes))))
    };
    corpus.files.iter().filter_map(|file| sum(&file.path)).collect()
}

/// The messages of earlier turns, oldest first.
fn conversation(session: &Session, corpus: &Corpus, record: &TurnRecord) -> Vec<Message> {
    let named = record.after.as_deref().and_then(|name| turn::existing(session, name).ok());
    let mut at = named.and_then(|id| Turn::open(session, id).ok());
    let clean = |text: String, label: &str| corpus.redactor.redact(&text, label).0.into_owned();
    let (mut turns, mut said) = (Vec::new(), 0);
    while let Some(turn) = at.take().filter(|_| turns.len() < MOST_TURNS) {
        let read = |path: std::path::PathBuf| files::read_inside(session.root(), &path).ok().flatten();
        let asked = checkpoint::load_record(&turn).map(|recalled| recalled.record.message).unwrap_or_default();
        let mut messages = Vec::new();
        if !asked.is_empty() {
            messages.push(Message::user(clean(asked, "task")));
        }
        messages.extend(read(turn.plan_file()).map(|plan| Message::assistant(clean(plan, "plan.md"))));
        messages.extend(read(turn.report_file()).map(|report| Message::user(clean(report, "report.md"))));
        said += messages.iter().map(|message| message.content.len()).sum::<usize>();
        if said > MOST_SAID {
            break;
        }
        turns.push(messages);
        at = turn::before(session, &turn).ok().flatten();
    }
    turns.into_iter().rev().flatten().collect()
}
