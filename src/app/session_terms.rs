//! The terms of a session: acceptance criteria, constraints, decisions and phase.

use sha2::{Digest, Sha256};

use super::handoff;
use super::options::TermsRequest;
use crate::error::Result;
use crate::project::Project;
use crate::project::phase::Phase;
use crate::project::session::{Decision, Session, SessionMeta};
use crate::project::turn::{Turn, TurnRecord};
use crate::redact::Policy;
use crate::render::{SessionTerms, pack};
use crate::text::hex;

/// The terms of the turn that follows `before`.
pub fn of(
    project: &Project,
    session: &Session,
    before: Option<&Turn>,
    record: &TurnRecord,
    added: &TermsRequest,
) -> Result<SessionTerms> {
    let mut meta = session.meta()?;
    add(&mut meta, added);
    let upstream = match before {
        Some(turn) => payload_id(project, turn)?.map(|id| (id, format!("{}/{}", session.name(), turn.id()))),
        None => None,
    };
    Ok(SessionTerms {
        goal: meta.goal().to_owned(),
        definition_of_done: meta.definition_of_done.clone(),
        constraints: meta.constraints.clone(),
        decisions: meta.decisions.clone(),
        handed_over: before.map_or_else(Vec::new, |turn| handoff_decisions(project, turn)),
        phase: record.phase.map(Phase::number),
        upstream,
    })
}

/// The terms of a session that does not exist yet.
pub fn of_new_session(given: &TermsRequest) -> SessionTerms {
    let mut meta = SessionMeta::default();
    add(&mut meta, given);
    let SessionMeta { definition_of_done, constraints, decisions, .. } = meta;
    SessionTerms { definition_of_done, constraints, decisions, ..SessionTerms::default() }
}

/// Saves new terms in `session.yaml`.
pub fn store(session: &Session, added: &TermsRequest) -> Result<()> {
    let mut meta = session.meta()?;
    if add(&mut meta, added) { session.save(&mut meta) } else { Ok(()) }
}

/// Adds the terms that the session does not have yet; returns true if there are any.
fn add(meta: &mut SessionMeta, added: &TermsRequest) -> bool {
    let before = (meta.definition_of_done.len(), meta.constraints.len(), meta.decisions.len());
    for (known, new) in
        [(&mut meta.definition_of_done, &added.definition_of_done), (&mut meta.constraints, &added.constraints)]
    {
        for text in new {
            if !known.contains(text) {
                known.push(text.clone());
            }
        }
    }
    for text in &added.decisions {
        if !meta.decisions.iter().any(|known| known.summary == *text) {
            meta.decisions.push(Decision::of_text(text));
        }
    }
    before != (meta.definition_of_done.len(), meta.constraints.len(), meta.decisions.len())
}

/// Decisions from the handoffs up to this turn, without duplicates. Unreadable handoffs are reported elsewhere.
fn handoff_decisions(project: &Project, turn: &Turn) -> Vec<Decision> {
    let mut decisions: Vec<Decision> = Vec::new();
    for turn in handoff::lineage(turn).unwrap_or_default() {
        let made = handoff::read(project, &turn).ok().flatten().map(|handoff| handoff.decisions_made);
        for summary in made.unwrap_or_default() {
            if !decisions.iter().any(|known| known.summary == summary) {
                decisions.push(Decision::of_text(&summary));
            }
        }
    }
    decisions
}

/// The id by which other payloads refer to this turn's payload.
fn payload_id(project: &Project, turn: &Turn) -> Result<Option<String>> {
    let path = turn.delivered_file();
    let Some(text) = project.read_payload(&path)? else { return Ok(None) };
    if path == turn.pack_file()
        && let Ok(pack) = pack::json::read(&text, &Policy::off())
    {
        return Ok(Some(pack.pack_id));
    }
    Ok(Some(format!("sha256:{}", hex(&Sha256::digest(text.as_bytes())))))
}
