//! Restores a missing or unreadable `turn.yaml` or `session.yaml` from `checkpoint.json`.

use crate::error::{Error, Result};
use crate::project::checkpoint;
use crate::project::turn::{Turn, TurnRecord};
use crate::project::{Project, atomic};

/// The record of a turn that is about to be opened, with notes. Unless `look_only`, an unreadable `turn.yaml` is renamed, and a
/// missing `turn.context` is written again.
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
            note = format!("{note}; the old file is kept as {}", put_aside(turn)?);
        }
        if !list.is_empty() && project.read(&turn.context_file())?.is_none() {
            atomic::write(&turn.context_file(), list.as_bytes())?;
        }
    }
    Ok((recalled.record, vec![note]))
}

/// Renames an unreadable `turn.yaml`: a person may still be able to read it.
fn put_aside(turn: &Turn) -> Result<String> {
    let from = turn.record_file();
    let names = std::iter::once("turn.yaml.unreadable".to_owned())
        .chain((2..1000).map(|number| format!("turn.yaml.unreadable-{number}")));
    for name in names {
        let to = turn.dir().join(&name);
        if to.symlink_metadata().is_err() {
            return std::fs::rename(&from, &to).map(|()| name).map_err(|error| Error::io("rename", &from, error));
        }
    }
    Err(Error::input(format!("cannot move {} aside", from.display()), "move it aside yourself"))
}
