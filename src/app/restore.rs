//! Restores a missing or unreadable `turn.yaml` or `session.yaml` from `checkpoint.json`.

use std::path::Path;

use crate::error::{Error, Result};
use crate::project::checkpoint;
use crate::project::session::Session;
use crate::project::turn::{self, Turn, TurnRecord};
use crate::project::{Project, atomic};

/// Reads the record of a turn that is about to be opened, with notes. An unreadable `turn.yaml` is renamed, and a
/// missing `turn.context` is written again, unless `look_only` is set.
pub fn record(project: &Project, turn: &Turn, look_only: bool) -> Result<(TurnRecord, Vec<String>)> {
    let recalled = checkpoint::load_record(turn)?;
    let Some((why, list)) = recalled.from_checkpoint else {
        let mut record = recalled.record;
        if !turn.record_file().is_file() && turn.context_file().is_file() {
            record.shared_list = true;
        }
        return Ok((record, Vec::new()));
    };
    let mut note =
        format!("turn {} was restored from checkpoint.json, because turn.yaml is not usable: {why}", turn.id());
    if !look_only {
        if turn.record_file().symlink_metadata().is_ok() {
            note = format!("{note}; the old file is kept as {}", set_aside(&turn.dir(), "turn.yaml")?);
        }
        if !list.is_empty() && project.read(&turn.context_file())?.is_none() {
            atomic::write(&turn.context_file(), list.as_bytes())?;
        }
    }
    Ok((recalled.record, vec![note]))
}

/// Restores a missing or unreadable `session.yaml` from the latest checkpoint with a copy; returns a note.
pub fn session_meta(session: &Session) -> Result<Option<String>> {
    let file = session.meta_file();
    let why = match session.meta() {
        Ok(_) if file.is_file() => return Ok(None),
        Ok(_) => "it is missing".to_owned(),
        Err(Error::Syntax { .. }) if file.is_file() => "it cannot be parsed".to_owned(),
        Err(error) => return Err(error),
    };
    let turns = turn::turns(session).into_iter().rev().filter_map(|id| Turn::open(session, id).ok());
    let Some(meta) = turns.into_iter().find_map(|turn| checkpoint::load(&turn).ok().flatten()?.session) else {
        return Ok(None);
    };
    let mut note = format!("session.yaml was restored from checkpoint.json: {why}");
    if file.symlink_metadata().is_ok() {
        note = format!("{note}; the old file is kept as {}", set_aside(session.dir(), "session.yaml")?);
    }
    session.restore(&meta)?;
    Ok(Some(note))
}

/// Renames an unreadable file, because a person may still be able to read it. Returns its new name.
fn set_aside(dir: &Path, file: &str) -> Result<String> {
    let from = dir.join(file);
    let names = std::iter::once(format!("{file}.unreadable"))
        .chain((2..1000).map(|number| format!("{file}.unreadable-{number}")));
    for name in names {
        let to = dir.join(&name);
        if to.symlink_metadata().is_err() {
            return std::fs::rename(&from, &to).map(|()| name).map_err(|error| Error::io("rename", &from, error));
        }
    }
    Err(Error::input(format!("cannot rename {}", from.display()), "move it aside"))
}
