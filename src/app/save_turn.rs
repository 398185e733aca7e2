//! Writes the turn, its payload and its record to disk: all or nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::checkpoint;
use super::environment::Environment;
use super::evidence;
use super::pipeline::{Run, RunDetails, Selection};
use super::turn_list;
use crate::error::{Error, Result};
use crate::handoff::BudgetResult;
use crate::place::{Override, PlacedItem, RAW_FROM, Tier};
use crate::project::phase::Phase;
use crate::project::session::Session;
use crate::project::turn::{self, OverrideRecord, Turn, TurnRecord};
use crate::project::{Project, atomic, budget_log, clock, context, files};
use crate::render::Format;
use crate::workbench::{Step, Workbench};

/// File in a turn with the plan that the person provided.
pub const OWN_PLAN: &str = "own-plan.md";

/// The files that a run created. Empty after a dry run.
#[derive(Default)]
pub struct SavedFiles {
    /// Files and directories of a new project.
    pub created: Vec<PathBuf>,
    /// The turn, which contains a copy of the payload.
    pub turn: Option<Turn>,
}

impl SavedFiles {
    /// The path of the payload's copy in the turn, as the person would type it.
    pub fn payload_path(&self, env: &Environment) -> Option<PathBuf> {
        self.turn.as_ref().map(|turn| env.relative(&turn.delivered_file()))
    }
}

/// A run with its payload and the files it created.
pub struct FinishedRun {
    /// The run.
    pub run: Run,
    /// The payload, rendered once.
    pub payload: String,
    /// The files it created.
    pub saved: SavedFiles,
}

/// The steps of a record, active and undone; an unknown step is an error.
pub fn steps(record: &TurnRecord) -> Result<(Vec<Step>, Vec<Step>)> {
    let read = |entries: &[OverrideRecord]| -> Result<Vec<Step>> {
        entries.iter().map(|entry| Ok(Step { verb: entry.action, targets: entry.targets.clone() })).collect()
    };
    Ok((read(&record.overrides)?, read(&record.undone)?))
}

fn entries(steps: &[Step], before: &[OverrideRecord], now: &str) -> Vec<OverrideRecord> {
    let entry = |(index, step): (usize, &Step)| {
        let new = OverrideRecord { action: step.verb, targets: step.targets.clone(), at: Some(now.to_owned()) };
        match before.get(index) {
            Some(old) if old.action == new.action && old.targets == new.targets => old.clone(),
            _ => new,
        }
    };
    steps.iter().enumerate().map(entry).collect()
}

/// Creates the session's next turn with its payload. `before` is the list of the previous turn.
pub fn create(
    project: &Project,
    session: &Session,
    selection: Selection<'_>,
    payload: &str,
    record: &mut TurnRecord,
    before: &str,
) -> Result<Turn> {
    record.created = Some(clock::iso(clock::now()?));
    let id = turn::next_turn(session);
    let list = record_carried_over(selection, record, before)?;
    let evidence = record_evidence(selection.details, record);
    let files = checkpoint::files(session, &id.to_string(), selection, record, &list, payload)?;
    let mut others = vec![
        ("turn.context", list.into_bytes()),
        (
            if selection.details.format == Format::Pack { "pack.json" } else { "payload.md" },
            payload.as_bytes().to_vec(),
        ),
        ("checkpoint.json", files.checkpoint.into_bytes()),
        ("replay.json", files.replay.into_bytes()),
    ];
    others.extend(evidence.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
    others.extend(own_plan(selection));
    let turn = Turn::create(session, id, record, others)?;
    if let Err(error) = log_budget(project, &turn, selection, record) {
        // No other process has seen the turn yet.
        let _ = fs::remove_dir_all(turn.dir());
        return Err(error);
    }
    Ok(turn)
}

/// Creates the session's next turn without a payload, for the screen.
pub fn create_open(session: &Session, selection: Selection<'_>, record: &mut TurnRecord, before: &str) -> Result<Turn> {
    record.created = Some(clock::iso(clock::now()?));
    let list = record_carried_over(selection, record, before)?;
    let evidence = record_evidence(selection.details, record);
    let mut others = vec![("turn.context", list.into_bytes())];
    others.extend(evidence.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
    others.extend(own_plan(selection));
    Turn::create(session, turn::next_turn(session), record, others)
}

/// The plan that the person provided, as a file for the turn.
fn own_plan(selection: Selection<'_>) -> Option<(&'static str, Vec<u8>)> {
    selection.details.own_plan.as_ref().map(|text| (OWN_PLAN, text.clone().into_bytes()))
}

/// Adds the names of the evidence to the record; returns the files that the turn does not have yet.
fn record_evidence(details: &RunDetails, record: &mut TurnRecord) -> Vec<(String, Vec<u8>)> {
    if !details.evidence.is_empty() {
        record.evidence = details.evidence.iter().map(|given| given.name.clone()).collect();
    }
    evidence::to_store(&details.evidence)
}

/// Stores new evidence in a turn on disk.
pub fn store_evidence(turn: &Turn, details: &RunDetails, record: &mut TurnRecord) -> Result<()> {
    for (name, bytes) in record_evidence(details, record) {
        atomic::write(&turn.dir().join(name), &bytes)?;
    }
    Ok(())
}

/// Updates the overrides in the record. The record's RAW files stay unchanged, because they must agree with
/// `turn.context` on disk.
pub fn record_overrides(bench: &Workbench, record: &mut TurnRecord) -> Result<()> {
    let now = clock::iso(clock::now()?);
    record.overrides = entries(bench.steps(), &record.overrides, &now);
    record.undone = entries(bench.undone(), &record.undone, &now);
    Ok(())
}

/// Updates `turn.context` and the record to the files in RAW.
pub fn save_lists(project: &Project, turn: &Turn, selection: Selection<'_>, record: &mut TurnRecord) -> Result<()> {
    let before = project.read(&turn.context_file())?.unwrap_or_default();
    let listed = record.raw.clone();
    let list = record_selection(selection, record, &before, &listed)?;
    let (record_file, context_file, text) = (turn.record_file(), turn.context_file(), turn.merged(record)?);
    let files: [(&Path, &[u8]); 2] = [(&record_file, text.as_bytes()), (&context_file, list.as_bytes())];
    atomic::stage(&files)?.commit()
}

/// Replaces the payload and the record of a turn.
pub fn save(
    project: &Project,
    turn: &Turn,
    selection: Selection<'_>,
    payload: &str,
    record: &mut TurnRecord,
) -> Result<()> {
    let before = project.read(&turn.context_file())?.unwrap_or_default();
    let listed = record.raw.clone();
    let list = record_selection(selection, record, &before, &listed)?;
    // The evidence is written before the record that names it.
    let evidence =
        record_evidence(selection.details, record).into_iter().map(|(name, bytes)| (turn.dir().join(name), bytes));
    let files = checkpoint::files(turn.session(), &turn.id().to_string(), selection, record, &list, payload)?;
    let (delivered, other) = match selection.details.format {
        Format::Pack => (turn.pack_file(), turn.payload_file()),
        _ => (turn.payload_file(), turn.pack_file()),
    };
    let texts = [
        (turn.record_file(), turn.merged(record)?),
        (turn.context_file(), list),
        (delivered, payload.to_owned()),
        (turn.checkpoint_file(), files.checkpoint),
        (turn.replay_file(), files.replay),
    ];
    let texts = texts.map(|(path, text)| (path, text.into_bytes()));
    let files: Vec<(PathBuf, Vec<u8>)> = evidence.chain(texts).collect();
    let files: Vec<(&Path, &[u8])> = files.iter().map(|(path, text)| (path.as_path(), text.as_slice())).collect();
    let staged = atomic::stage(&files)?;
    log_budget(project, turn, selection, record)?;
    staged.commit()?;
    // A turn has one payload, so an older one in another format is removed.
    match fs::remove_file(&other) {
        Err(error) if !files::is_absent(&error) => Err(Error::io("remove", &other, error)),
        _ => Ok(()),
    }
}

/// Updates overrides and RAW files in the record, and returns the turn's new list. `before` is the current list, and
/// `listed` are the lines in it that teddy wrote.
fn record_selection(
    selection: Selection<'_>,
    record: &mut TurnRecord,
    before: &str,
    listed: &[String],
) -> Result<String> {
    record_overrides(selection.bench, record)?;
    if record.shared_list {
        // The list belongs to another program and is not rewritten. Its files are recorded, so that the list does not
        // undo their overrides.
        let entries = context::parse(before).0.entries.into_iter();
        let named = entries.filter(|entry| !entry.negated && entry.is_whole());
        let files = named.map(|entry| entry.pattern.text().to_owned());
        record.raw = files.filter(|path| selection.bench.corpus().find(path).is_some()).collect();
        return Ok(before.to_owned());
    }
    let (list, raw) = turn_list::update(selection, before, listed);
    record.raw = raw;
    Ok(list)
}

/// Updates overrides and RAW files in the record of a new turn. Files that did not fit are no longer carried over.
fn record_carried_over(selection: Selection<'_>, record: &mut TurnRecord, before: &str) -> Result<String> {
    let carried = record.carried.clone();
    record.carried.retain(|path| !selection.details.released.contains(path));
    record_selection(selection, record, before, &carried)
}

/// Logs the budgets of the payload and of its handoffs.
fn log_budget(project: &Project, turn: &Turn, selection: Selection<'_>, record: &TurnRecord) -> Result<()> {
    let (placement, scores) = (selection.placement(), selection.bench.scores());
    // A budget can be too tight only for items that belong in RAW, not for items that auto-fill would add.
    let belongs = |placed: &PlacedItem| match placed.overridden {
        None => scores.items[placed.item].points >= RAW_FROM,
        Some(overridden) => overridden == Override::Pin,
    };
    let wanted: usize = placement
        .placed
        .iter()
        .filter(|placed| placed.tier != Tier::Raw && belongs(placed))
        .filter_map(|placed| placed.whole_tokens)
        .sum();
    let payload = BudgetResult {
        original_tokens: placement.usage.total + wanted,
        budget_tokens: placement.limit,
        truncated_tokens: placement.usage.total,
        was_truncated: wanted > 0,
    };
    if let Some(handoffs) = selection.details.handoff_budget {
        append_budget(project, turn, record.phase, "handoff", handoffs)?;
    }
    append_budget(project, turn, record.phase, "payload", payload)
}

/// Appends a line to the budget log.
pub fn append_budget(
    project: &Project,
    turn: &Turn,
    phase: Option<Phase>,
    what: &str,
    applied: BudgetResult,
) -> Result<()> {
    let entry = budget_log::BudgetEntry {
        run_id: format!("{}/{}", turn.session().name(), turn.id()),
        phase: phase.map_or(budget_log::NO_PHASE, Phase::number),
        original_tokens: applied.original_tokens,
        budget_tokens: applied.budget_tokens,
        truncated_tokens: applied.truncated_tokens,
        was_truncated: applied.was_truncated,
        ts: clock::iso(clock::now()?),
        what: what.to_owned(),
    };
    budget_log::append(project, &entry)
}
