//! The terms of a session: acceptance criteria, constraints, decisions and phase.

use sha2::{Digest, Sha256};

use crate::error::Result;
use crate::project::Project;
use crate::project::phase::Phase;
use crate::project::session::Session;
use crate::project::turn::{Turn, TurnRecord};
use crate::redact::Policy;
use crate::render::{SessionTerms, pack};
use crate::text::hex;

/// The terms of the turn that follows `before`.
pub fn of(project: &Project, session: &Session, before: Option<&Turn>, record: &TurnRecord) -> Result<SessionTerms> {
    let meta = session.meta()?;
    let upstream = match before {
        Some(turn) => payload_id(project, turn)?.map(|id| (id, format!("{}/{}", session.name(), turn.id()))),
        None => None,
    };
    Ok(SessionTerms {
        goal: meta.goal().to_owned(),
        definition_of_done: meta.definition_of_done.clone(),
        constraints: meta.constraints.clone(),
        decisions: meta.decisions.clone(),
        phase: record.phase.map(Phase::number),
        upstream,
    })
}

/// The id that refers to a turn's payload.
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
