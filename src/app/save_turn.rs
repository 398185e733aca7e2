//! What a run leaves on disk: the turn, its payload, and what was decided. All of it, or nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::checkpoint;
use super::environment::Environment;
use super::evidence;
use super::pipeline::Run;
use crate::error::{Error, Result};
use crate::handoff::BudgetResult;
use crate::place::{Override, Placed, RAW_FROM, Tier};
use crate::project::session::Session;
use crate::project::turn::{self, OverrideRecord, Turn, TurnRecord};
use crate::project::{Project, atomic, budget_log, clock, context, files};
use crate::render::Format;
use crate::workbench::{Step, Verb, Workbench};

/// What `turn.context` starts with.
const CONTEXT_HEAD: &str = "# The files this turn inlines; a line added here is pinned, a line taken out is demoted.\n";

/// Everything that a run created on disk; nothing after a dry run.
#[derive(Default)]
pub struct Saved {
    /// Files and directories of a new project.
    pub created: Vec<PathBuf>,
    /// The turn, with the payload's copy in it.
    pub turn: Option<Turn>,
}

impl Saved {
    /// The payload's copy in the turn, as the person would type its path.
    pub fn payload_path(&self, env: &Environment) -> Option<PathBuf> {
        self.turn.as_ref().map(|turn| env.relative(&turn.delivered_file()))
    }
}

/// A run, and what was saved of it.
pub struct FinishedRun {
    /// The run.
    pub run: Run,
    /// What it left on disk.
    pub saved: Saved,
}

/// The steps that a record holds; what makes no sense is an error that names it.
pub fn steps(record: &TurnRecord) -> Result<(Vec<Step>, Vec<Step>)> {
    let read = |entries: &[OverrideRecord]| -> Result<Vec<Step>> {
        entries
            .iter()
            .map(|entry| Ok(Step { verb: Verb::from_text(&entry.action)?, targets: entry.targets.clone() }))
            .collect()
    };
    Ok((read(&record.overrides)?, read(&record.undone)?))
}

fn entries(steps: &[Step], before: &[OverrideRecord], now: &str) -> Vec<OverrideRecord> {
    let entry = |(index, step): (usize, &Step)| {
        let new =
            OverrideRecord { action: step.verb.to_text(), targets: step.targets.clone(), at: Some(now.to_owned()) };
        match before.get(index) {
            Some(old) if old.action == new.action && old.targets == new.targets => old.clone(),
            _ => new,
        }
    };
    steps.iter().enumerate().map(entry).collect()
}

/// Makes the session's next turn with everything in it; `before` is the list that it carries on.
pub fn create(session: &Session, run: &Run, record: &mut TurnRecord, before: &str) -> Result<Turn> {
    record.created = Some(clock::iso(clock::now()?));
    let id = turn::next_turn(session);
    let list = note_carried(run, record, before)?;
    let payload = run.payload();
    let evidence = note_evidence(run, record);
    let told = checkpoint::told(session, &id.to_string(), run, record, &list, &payload)?;
    let mut others = vec![
        ("turn.context", list.into_bytes()),
        (if run.format == Format::Pack { "pack.json" } else { "payload.md" }, payload.into_bytes()),
        ("checkpoint.json", told.checkpoint.into_bytes()),
        ("replay.json", told.replay.into_bytes()),
    ];
    others.extend(evidence.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
    let turn = Turn::create(session, id, record, others)?;
    if let Err(error) = log_budget(&turn, run, record) {
        // NoObserver has seen the turn yet.
        let _ = fs::remove_dir_all(turn.dir());
        return Err(error);
    }
    Ok(turn)
}

/// Makes the session's next turn without a payload, for the screen: it is delivered once the person says so.
pub fn create_open(session: &Session, run: &Run, record: &mut TurnRecord, before: &str) -> Result<Turn> {
    record.created = Some(clock::iso(clock::now()?));
    let list = note_carried(run, record, before)?;
    let evidence = note_evidence(run, record);
    let mut others = vec![("turn.context", list.into_bytes())];
    others.extend(evidence.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
    Turn::create(session, turn::next_turn(session), record, others)
}

/// Writes the names of the evidence into the record; returns the files that the turn does not have yet.
fn note_evidence(run: &Run, record: &mut TurnRecord) -> Vec<(String, Vec<u8>)> {
    if !run.evidence.is_empty() {
        record.evidence = run.evidence.iter().map(|given| given.name.clone()).collect();
    }
    evidence::to_keep(&run.evidence)
}

/// Keeps evidence that a turn on disk was given now.
pub fn keep_evidence(turn: &Turn, run: &Run, record: &mut TurnRecord) -> Result<()> {
    for (name, bytes) in note_evidence(run, record) {
        atomic::write(&turn.dir().join(name), &bytes)?;
    }
    Ok(())
}

/// Writes what was decided into the record. `raw` stays as it is: it has to agree with `turn.context` on disk.
pub fn record_overrides(bench: &Workbench, record: &mut TurnRecord) -> Result<()> {
    let now = clock::iso(clock::now()?);
    record.overrides = entries(bench.steps(), &record.overrides, &now);
    record.undone = entries(bench.undone(), &record.undone, &now);
    Ok(())
}

/// Brings `turn.context` up to date with what is in RAW now, and the record with it.
pub fn save_lists(project: &Project, turn: &Turn, run: &Run, record: &mut TurnRecord) -> Result<()> {
    let before = project.read(&turn.context_file())?.unwrap_or_default();
    let listed = record.raw.clone();
    let list = note(run, record, &before, &listed)?;
    let (record_file, context_file, text) = (turn.record_file(), turn.context_file(), turn.merged(record)?);
    let files: [(&Path, &[u8]); 2] = [(&record_file, text.as_bytes()), (&context_file, list.as_bytes())];
    atomic::stage(&files)?.commit()
}

/// Replaces what a turn holds with what a run made.
pub fn save(project: &Project, turn: &Turn, run: &Run, record: &mut TurnRecord) -> Result<()> {
    let before = project.read(&turn.context_file())?.unwrap_or_default();
    let listed = record.raw.clone();
    let list = note(run, record, &before, &listed)?;
    let payload = run.payload();
    // Before the record that names it.
    let evidence = note_evidence(run, record).into_iter().map(|(name, bytes)| (turn.dir().join(name), bytes));
    let told = checkpoint::told(turn.session(), &turn.id().to_string(), run, record, &list, &payload)?;
    let (delivered, other) = match run.format {
        Format::Pack => (turn.pack_file(), turn.payload_file()),
        _ => (turn.payload_file(), turn.pack_file()),
    };
    let texts = [
        (turn.record_file(), turn.merged(record)?),
        (turn.context_file(), list),
        (delivered, payload),
        (turn.checkpoint_file(), told.checkpoint),
        (turn.replay_file(), told.replay),
    ];
    let texts = texts.map(|(path, text)| (path, text.into_bytes()));
    let files: Vec<(PathBuf, Vec<u8>)> = evidence.chain(texts).collect();
    let files: Vec<(&Path, &[u8])> = files.iter().map(|(path, text)| (path.as_path(), text.as_slice())).collect();
    let staged = atomic::stage(&files)?;
    log_budget(turn, run, record)?;
    staged.commit()?;
    // A turn has one payload; that of another format is an older one.
    match fs::remove_file(&other) {
        Err(error) if !files::is_absent(&error) => Err(Error::io("remove", &other, error)),
        _ => Ok(()),
    }
}

/// Writes what was decided into the record; returns the turn's new list, which was `before` and had `listed` from us.
fn note(run: &Run, record: &mut TurnRecord, before: &str, listed: &[String]) -> Result<String> {
    record_overrides(&run.bench, record)?;
    if record.shared_list {
        // Another program's list: what it names is known from now on, so that a override on it is not undone by it.
        let entries = context::parse(before).0.entries.into_iter();
        let named = entries.filter(|entry| !entry.negated && entry.span.is_none());
        let files = named.map(|entry| entry.pattern.text().to_owned());
        record.raw = files.filter(|path| run.bench.corpus().find(path).is_some()).collect();
        return Ok(before.to_owned());
    }
    let list = context_text(run, before, listed);
    record.raw = raw_paths(run).into_iter().map(|(path, _)| path).filter(|path| context::covers(&list, path)).collect();
    Ok(list)
}

/// The same for a new turn; what it does not take over as a pin is no longer carried.
fn note_carried(run: &Run, record: &mut TurnRecord, before: &str) -> Result<String> {
    let carried = record.carried.clone();
    record.carried.retain(|path| !run.let_go.contains(path));
    note(run, record, before, &carried)
}

/// The RAW files that neither `global.context` nor `session.context` put there, in order, and which are pinned.
fn raw_paths(run: &Run) -> Vec<(String, bool)> {
    let corpus = run.bench.corpus();
    let raw = run.placement().tier(Tier::Raw).filter(|placed| corpus.items[placed.item].kind.is_file());
    let paths = raw.map(|placed| (corpus.items[placed.item].path.clone(), placed.overridden == Some(Override::Pin)));
    paths.filter(|(path, _)| !run.upper.contains(path)).collect()
}

/// `turn.context` for a run: the person's own lines stay, ours follow the placement.
fn context_text(run: &Run, before: &str, listed: &[String]) -> String {
    let raw = raw_paths(run);
    let mut text = if before.is_empty() { CONTEXT_HEAD.to_owned() } else { before.to_owned() };
    let gone = |path: &&String| run.bench.corpus().find(path).is_some() && !raw.iter().any(|(now, _)| now == *path);
    for path in listed.iter().filter(gone) {
        text = context::with_removed(&text, path);
    }
    for (path, pinned) in &raw {
        // `!path` is the person's own word, unless they pinned it since.
        if *pinned || !context::takes_out(&text, path) {
            text = context::with_added(&text, path);
        }
    }
    text
}

/// Notes the budget that was applied, and the one that the handoffs were put under.
fn log_budget(turn: &Turn, run: &Run, record: &TurnRecord) -> Result<()> {
    let (placement, scores) = (run.placement(), run.bench.scores());
    // Who fills the budget wants what fits; too tight it is only for what the scores would have put into RAW.
    let belongs = |placed: &Placed| match placed.overridden {
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
    let Some(project) = Project::open(turn.session().root())? else { return Ok(()) };
    if let Some(handed) = run.handed {
        note_budget(&project, turn, record.phase, "handoff", handed)?;
    }
    note_budget(&project, turn, record.phase, "payload", payload)
}

/// One line of the log of budgets.
pub fn note_budget(
    project: &Project,
    turn: &Turn,
    phase: Option<u32>,
    what: &str,
    applied: BudgetResult,
) -> Result<()> {
    let entry = budget_log::BudgetEntry {
        run_id: format!("{}/{}", turn.session().name(), turn.id()),
        phase: phase.unwrap_or(budget_log::NO_PHASE),
        original_tokens: applied.original_tokens,
        budget_tokens: applied.budget_tokens,
        truncated_tokens: applied.truncated_tokens,
        was_truncated: applied.was_truncated,
        ts: clock::iso(clock::now()?),
        what: what.to_owned(),
    };
    budget_log::append(project, &entry)
}
