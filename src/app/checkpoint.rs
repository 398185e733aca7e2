//! What `checkpoint.json` says of a run: what it was about, what was decided, and the state of every source, so that the turn can
//! be restored and the next one can tell what changed.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::pipeline::Run;
use crate::error::{Error, Result};
use crate::gather::item::Source;
use crate::gather::{Corpus, git, read};
use crate::place::Tier;
use crate::project::checkpoint::{self, Artifact, Checkpoint, ContextSummary, GitState, Message};
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnRecord};
use crate::project::{clock, files};
use crate::render::recipe::Recipe;
use crate::text::hex;

/// Files that differ from the head commit, or that no repository knows, are noted one by one up to here.
const MOST_FILES: usize = 2_000;
/// Larger files are not read only to be noted.
const MOST_BYTES: u64 = 4_000_000;
/// How far back a conversation is told, in turns and in bytes.
const MOST_TURNS: usize = 5;
const MOST_SAID: usize = 200_000;

/// The files that tell of a run: `checkpoint.json` and `replay.json`.
pub struct Told {
    /// The text of `checkpoint.json`.
    pub checkpoint: String,
    /// The text of `replay.json`.
    pub replay: String,
}

/// What is to be kept of a run beside its payload; `list` is what `turn.context` will hold.
pub fn told(session: &Session, turn: &str, run: &Run, record: &TurnRecord, list: &str, payload: &str) -> Result<Told> {
    let artifacts = artifacts(run);
    let recipe = Recipe::of(run.bench.corpus(), run.placement(), payload, &artifacts);
    let replay = serde_json::to_string_pretty(&recipe).map_err(|error| {
        Error::input(
            format!("the record for replay cannot be written as JSON: {error}"),
            "internal error; please report this bug",
        )
    })?;
    Ok(Told { checkpoint: text(session, turn, run, record, list, artifacts)?, replay: replay + "\n" })
}

fn text(
    session: &Session,
    turn: &str,
    run: &Run,
    record: &TurnRecord,
    list: &str,
    artifacts: Vec<Artifact>,
) -> Result<String> {
    let corpus = run.bench.corpus();
    let placement = run.placement();
    let mut record = record.clone();
    // What was asked may hold a secret; what is restored from here need not.
    record.message.clone_from(&run.task);
    let mut said = conversation(session, corpus, &record);
    said.push(Message::user(run.task.clone()));
    let repository = corpus.git.is_some();
    Checkpoint {
        session_id: session.name().to_owned(),
        turn: turn.to_owned(),
        timestamp: clock::iso(clock::now()?),
        task_type: run.classification.task_type.name().to_owned(),
        complexity: run.classification.complexity.name().to_owned(),
        user_request: run.task.clone(),
        state: "delivered".to_owned(),
        context_summary: ContextSummary {
            chunks_included: placement.tier(Tier::Raw).count(),
            tokens_used: placement.usage.total,
            estimated: run.bench.tokenizer().is_estimate(),
            utilization: utilization(placement.usage.total, placement.limit),
        },
        artifacts,
        conversation_history: said,
        record,
        turn_context: corpus.redactor.redact(list, "turn.context").0.into_owned(),
        git: git_state(corpus),
        files: if repository { BTreeMap::new() } else { every_file(corpus) },
    }
    .to_text()
}

fn utilization(used: usize, limit: usize) -> f64 {
    (used as f64 / limit.max(1) as f64 * 1000.0).round() / 1000.0
}

/// The files that are inlined or linked.
fn artifacts(run: &Run) -> Vec<Artifact> {
    let corpus = run.bench.corpus();
    let placed = run.placement().placed.iter().filter(|placed| placed.tier <= Tier::Linked);
    placed
        .filter_map(|placed| {
            let item = &corpus.items[placed.item];
            let Source::File(file) = item.source else { return None };
            let sha256 = corpus.file_text(file).sha256.clone();
            Some(Artifact {
                kind: "file".to_owned(),
                path: item.path.clone(),
                tier: placed.tier.name().to_owned(),
                blob: corpus.git.is_some().then(|| blob_of(corpus, &item.path, &sha256)).flatten(),
                sha256,
            })
        })
        .collect()
}

/// What git calls a file's bytes, if they are still those that were shown.
fn blob_of(corpus: &Corpus, path: &str, sha256: &str) -> Option<String> {
    let bytes = read::read_bytes(&corpus.root, path, u64::MAX).ok()?;
    (hex(&Sha256::digest(&bytes)) == sha256).then(|| git::blob_id(&bytes)).flatten()
}

/// The repository as it is.
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

/// Outside a repository: every text file, where there are not too many.
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

/// What was said in the turns that this one carries on, oldest first.
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
