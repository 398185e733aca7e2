//! Handoffs: written, read, and assembled for a later phase.

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::handoff::{self, Handoff, HandoffContext, Manifest, Phase, document};
use crate::project::checkpoint;
use crate::project::lock::Lock;
use crate::project::turn::{self, Turn};
use crate::project::{Project, atomic};

/// Opens text in an editor; returns the edited text.
pub type Editor<'a> = &'a dyn Fn(&str) -> Result<String>;

/// Options for writing a handoff.
pub struct WriteRequest<'a> {
    /// Fields given by the person.
    pub given: Handoff,
    /// True to generate the handoff again from the answer and the report.
    pub from_files: bool,
    /// True to write nothing.
    pub dry_run: bool,
    /// Editor for the text, if the person wants to edit it.
    pub edit: Option<Editor<'a>>,
}

/// Updates a turn's handoff and writes it. Returns the handoff, and true if a secret was redacted in it.
pub fn write(
    env: &Environment,
    turn: &Turn,
    on_disk: Option<Handoff>,
    request: WriteRequest<'_>,
) -> Result<(Handoff, bool)> {
    let WriteRequest { given, from_files: again, dry_run, edit } = request;
    let project = env.project()?;
    // Takes the lock first, because the handoff is read, changed and written back.
    let _lock = if dry_run { None } else { Some(Lock::acquire(turn.session().dir())?) };
    let base = match on_disk {
        Some(handoff) if !again => handoff,
        other => {
            let made = from_files(project, turn)?;
            if made.is_none() && given.is_empty() && edit.is_none() {
                return Err(Error::negative(
                    format!("turn {} has no handoff, and no plan.md or report.md to generate one from", turn.id()),
                    "give --goal, --decision, --risk, --artifact, --verdict or --narrative, or write it with --edit",
                ));
            }
            // Keys of other tools are kept.
            let other = other.map(|handoff| handoff.other).unwrap_or_default();
            Handoff { other, ..made.unwrap_or_default() }
        }
    };
    let mut handoff = given.over(base);
    if handoff.goal.trim().is_empty() {
        turn.session().meta()?.goal().clone_into(&mut handoff.goal);
    }
    if let Some(edit) = edit {
        let text = edit(&document::template(&handoff, &turn.id().to_string()))?;
        let edited = document::read(&text, false);
        if edited.is_empty() {
            return Err(Error::negative(
                "the handoff is empty; nothing was written",
                "write something below a heading",
            ));
        }
        handoff = Handoff { phase: handoff.phase, other: handoff.other, ..edited };
    }
    handoff.phase = checkpoint::load_record(turn)?.record.phase.map(Phase::number).or(handoff.phase);
    let clean = handoff.clone().redacted(&*env.redaction()?);
    let replaced = clean != handoff;
    if !dry_run {
        atomic::write(&turn.handoff_file(), clean.to_json()?.as_bytes())?;
    }
    Ok((clean, replaced))
}

/// The text for editing on the screen: the turn's handoff, or else one generated from its answer and report.
pub fn draft(env: &Environment, turn: &Turn) -> Result<String> {
    let project = env.project()?;
    let mut handoff = match read(project, turn)? {
        Some(handoff) => handoff,
        None => from_files(project, turn)?.unwrap_or_default(),
    };
    if handoff.goal.trim().is_empty() {
        turn.session().meta()?.goal().clone_into(&mut handoff.goal);
    }
    Ok(document::template(&handoff.redacted(&*env.redaction()?), &turn.id().to_string()))
}

/// Writes an edited handoff, for a caller that holds the session's lock; returns true if a secret was redacted in it.
pub fn write_draft(env: &Environment, turn: &Turn, text: &str) -> Result<bool> {
    let edited = document::read(text, false);
    if edited.is_empty() {
        return Err(Error::negative("the handoff is empty; nothing was written", "write something below a heading"));
    }
    let before = read(env.project()?, turn)?.unwrap_or_default();
    let phase = checkpoint::load_record(turn)?.record.phase.map(Phase::number).or(before.phase);
    let handoff = Handoff { phase, other: before.other, ..edited };
    let clean = handoff.clone().redacted(&*env.redaction()?);
    atomic::write(&turn.handoff_file(), clean.to_json()?.as_bytes())?;
    Ok(clean != handoff)
}

/// `handoff.json` of a turn.
pub fn read(project: &Project, turn: &Turn) -> Result<Option<Handoff>> {
    let path = turn.handoff_file();
    project.read(&path)?.map(|text| Handoff::parse(project.shown(&path), &text)).transpose()
}

/// Generates a handoff from a turn's answer and report; `None` if it has neither.
fn from_files(project: &Project, turn: &Turn) -> Result<Option<Handoff>> {
    let plan = project.read(&turn.plan_file())?;
    let report = project.read(&turn.report_file())?;
    if plan.is_none() && report.is_none() {
        return Ok(None);
    }
    let plan = plan.map(|text| document::read(&text, report.is_none())).unwrap_or_default();
    let report = report.map(|text| document::read(&text, true)).unwrap_or_default();
    let mut handoff = report.over(plan);
    // The goal is always the session's, even if the answer states another one.
    turn.session().meta()?.goal().clone_into(&mut handoff.goal);
    Ok(Some(handoff))
}

/// The handoff context that a phase gets from the handoffs up to this turn, with notes about the manifests.
pub fn preview(env: &Environment, turn: &Turn, phase: Phase) -> Result<(HandoffContext, Vec<String>)> {
    let project = env.project()?;
    let (manifest, notes) = handoff::resolve(project, Some(phase.number()))?;
    let mut handoffs = Vec::new();
    for turn in lineage(turn)? {
        handoffs.extend(read(project, &turn)?);
    }
    Ok((through(env, handoffs, &manifest)?, notes))
}

fn through(env: &Environment, handoffs: Vec<Handoff>, manifest: &Manifest) -> Result<HandoffContext> {
    let redactor = env.redaction()?;
    let handoffs: Vec<Handoff> = handoffs.into_iter().map(|handoff| handoff.redacted(&redactor)).collect();
    Ok(handoff::assemble(&handoffs, manifest))
}

/// A turn and its predecessors, without other branches.
pub(super) fn lineage(turn: &Turn) -> Result<Vec<Turn>> {
    let mut turns = vec![turn.clone()];
    let mut at = turn::before(turn.session(), turn)?;
    // Records can be edited by hand, so a cycle of turns is possible.
    while let Some(turn) = at.take().filter(|turn| !turns.contains(turn)) {
        at = turn::before(turn.session(), &turn)?;
        turns.push(turn);
    }
    turns.reverse();
    Ok(turns)
}

/// Reports an error if `manifests.yaml` cannot be used.
pub fn check_manifests(project: &Project) -> Result<()> {
    handoff::resolve(project, None).map(drop)
}

/// Handoff context of the turn after `before` in `phase`, with notes about invalid handoffs and manifests; `None` if
/// there are no handoffs.
pub fn seen_after(
    env: &Environment,
    before: &Turn,
    phase: Option<Phase>,
) -> Result<(Option<HandoffContext>, Vec<String>)> {
    let project = env.project()?;
    let (mut handoffs, mut notes) = (Vec::new(), Vec::new());
    for turn in lineage(before)? {
        match read(project, &turn) {
            Ok(found) => handoffs.extend(found),
            Err(error) => notes.push(format!("the handoff of turn {} is ignored: {error}", turn.id())),
        }
    }
    if handoffs.is_empty() {
        return Ok((None, notes));
    }
    let (manifest, more) = handoff::resolve(project, phase.map(Phase::number))?;
    notes.extend(more);
    let seen = through(env, handoffs, &manifest)?;
    Ok((Some(seen).filter(|seen| !seen.text.is_empty()), notes))
}
