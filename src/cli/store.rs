//! What a run leaves on disk: the session, the turn, its payload, and what was decided.

use std::collections::HashSet;
use std::path::PathBuf;

use serde_json::json;

use super::run::Run;
use super::world::World;
use crate::error::Result;
use crate::gather::item::Source;
use crate::place::{Ruling, Tier};
use crate::project::turn::{RulingEntry, Turn, TurnRecord};
use crate::project::{Project, atomic, clock};
use crate::workbench::{Step, Verb, Workbench};

/// The steps that a record holds; what makes no sense is an error that names it.
pub fn steps(record: &TurnRecord) -> Result<(Vec<Step>, Vec<Step>)> {
    let read = |entries: &[RulingEntry]| -> Result<Vec<Step>> {
        entries
            .iter()
            .map(|entry| Ok(Step { verb: Verb::from_text(&entry.ruling)?, targets: entry.targets.clone() }))
            .collect()
    };
    Ok((read(&record.rulings)?, read(&record.undone)?))
}

fn entries(steps: &[Step], before: &[RulingEntry], now: &str) -> Vec<RulingEntry> {
    let entry = |(index, step): (usize, &Step)| {
        let new = RulingEntry { ruling: step.verb.to_text(), targets: step.targets.clone(), at: Some(now.to_owned()) };
        match before.get(index) {
            Some(old) if old.ruling == new.ruling && old.targets == new.targets => old.clone(),
            _ => new,
        }
    };
    steps.iter().enumerate().map(entry).collect()
}

/// Writes what was decided into the record, with the RAW files that follow from it.
pub fn note_steps(run: &Run, record: &mut TurnRecord) -> Result<()> {
    note_rulings(&run.bench, record)?;
    record.raw = raw_paths(&run.bench, &run.upper);
    Ok(())
}

/// Writes what was decided into the record. `raw` stays as it is: it has to agree with `turn.context` on disk.
pub fn note_rulings(bench: &Workbench, record: &mut TurnRecord) -> Result<()> {
    let now = clock::iso(clock::now()?);
    record.rulings = entries(bench.steps(), &record.rulings, &now);
    record.undone = entries(bench.undone(), &record.undone, &now);
    Ok(())
}

/// The RAW files that neither `global.context` nor `session.context` put there, in order.
fn raw_paths(bench: &Workbench, upper: &HashSet<String>) -> Vec<String> {
    let corpus = bench.corpus();
    let raw = bench.placement().tier(Tier::Raw).filter(|placed| corpus.items[placed.item].kind.is_file());
    let paths = raw.map(|placed| corpus.items[placed.item].path.clone());
    paths.filter(|path| !upper.contains(path)).collect()
}

/// Brings `turn.context` up to date with what is in RAW now, and the record with it; a person's own edit of it stays.
pub fn save_lists(turn: &Turn, bench: &Workbench, upper: &HashSet<String>, record: &mut TurnRecord) -> Result<()> {
    let untouched = std::fs::read_to_string(turn.context_file()).is_ok_and(|text| text == context_text(&record.raw));
    if !untouched {
        return Ok(());
    }
    record.raw = raw_paths(bench, upper);
    atomic::write(&turn.context_file(), context_text(&record.raw).as_bytes())?;
    turn.save(record)
}

/// `turn.context` for these paths.
pub fn context_text(paths: &[String]) -> String {
    let mut text =
        String::from("# The files this turn inlines; a line added here is pinned, a line taken out is demoted.\n");
    for path in paths {
        text = crate::project::context::with_added(&text, path);
    }
    text
}

/// Writes the payload and what goes with it into the turn.
pub fn save(
    world: &World,
    turn: &Turn,
    run: &Run,
    record: &mut TurnRecord,
    payload: &str,
    task: &str,
) -> Result<PathBuf> {
    note_steps(run, record)?;
    // The record first: should the next write fail, what was decided is not lost.
    turn.save(record)?;
    atomic::write(&turn.payload_file(), payload.as_bytes())?;
    atomic::write(&turn.context_file(), context_text(&record.raw).as_bytes())?;
    atomic::write(&turn.checkpoint_file(), checkpoint(turn, run, task)?.as_bytes())?;
    log_budget(world, turn, run, record.phase.unwrap_or(1))?;
    Ok(turn.payload_file())
}

/// `checkpoint.json`: enough to restore the turn from it alone.
fn checkpoint(turn: &Turn, run: &Run, task: &str) -> Result<String> {
    let corpus = run.bench.corpus();
    let (redacted, _) = corpus.redactor.redact(task, "task");
    let placement = run.placement();
    let inlined = placement.tier(Tier::Raw).count();
    let artifacts: Vec<_> = placement
        .placed
        .iter()
        .filter(|placed| placed.tier <= Tier::Linked)
        .filter_map(|placed| {
            let item = &corpus.items[placed.item];
            let Source::File(file) = item.source else { return None };
            let sha256 = &corpus.file_text(file as usize).sha256;
            Some(json!({"type": "file", "path": item.path, "tier": placed.tier.name(), "sha256": sha256}))
        })
        .collect();
    let rulings: Vec<_> =
        run.bench.steps().iter().map(|step| json!({"ruling": step.verb.to_text(), "targets": step.targets})).collect();
    let value = json!({
        "session_id": turn.session().name(),
        "turn": turn.id().to_string(),
        "timestamp": clock::iso(clock::now()?),
        "task_type": run.task_type.name(),
        "user_request": redacted,
        "state": turn.state().to_string(),
        "context_summary": {
            "chunks_included": inlined,
            "tokens_used": placement.usage.total,
            "utilization": utilization(placement.usage.total, placement.limit),
        },
        "artifacts": artifacts,
        "rulings": rulings,
        "conversation_history": [{"role": "user", "content": redacted}],
    });
    Ok(format!("{value:#}\n"))
}

fn utilization(used: usize, limit: usize) -> f64 {
    (used as f64 / limit.max(1) as f64 * 1000.0).round() / 1000.0
}

/// One line for the budget that was applied, so that too tight and too loose can be told later.
fn log_budget(world: &World, turn: &Turn, run: &Run, phase: u32) -> Result<()> {
    let placement = run.placement();
    let wanted: usize = placement
        .placed
        .iter()
        .filter(|placed| placed.tier != Tier::Raw && placed.ruling.is_none_or(|ruling| ruling == Ruling::Pin))
        .filter_map(|placed| placed.whole_tokens)
        .sum();
    let line = json!({
        "run_id": format!("{}/{}", turn.session().name(), turn.id()),
        "phase": phase,
        "original_tokens": placement.usage.total + wanted,
        "budget_tokens": placement.limit,
        "truncated_tokens": placement.usage.total,
        "was_truncated": wanted > 0,
        "ts": clock::iso(clock::now()?),
        "what": "payload",
    });
    let Some(project) = Project::open(&world.root)? else { return Ok(()) };
    atomic::append_line(&project.budget_log(), &line.to_string())
}
