//! Rebuilds a payload from its sources, and lists the sources that changed since delivery.

use sha2::{Digest, Sha256};

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::gather::{git, read};
use crate::project::turn::Turn;
use crate::project::{PAYLOAD_BYTES, Project, files};
use crate::render::recipe::{FilePiece, RebuiltPayload, Recipe};
use crate::text::hex;
use crate::text::{counted, printable};

/// A payload rebuilt from its sources.
pub struct Replay {
    /// The record of how the payload was built.
    pub recipe: Recipe,
    /// The rebuilt payload.
    pub rebuilt: RebuiltPayload,
    /// Linked files that changed, each with the reason if it cannot be read.
    pub linked: Vec<(String, String)>,
}

/// Rebuilds a turn's payload from the current files, or from the versions at delivery in git.
pub fn replay(env: &Environment, turn: &Turn, at_delivery: bool) -> Result<Replay> {
    let project = env.project()?;
    let recipe = recipe(project, turn)?;
    let git = if at_delivery { git::open(project.root()).ok().flatten() } else { None };
    let redactor = env.redaction()?;
    let rebuilt = recipe.rebuild(&redactor, |piece| {
        let now = bytes(project, &piece.file);
        if !at_delivery || now.as_ref().is_ok_and(|bytes| hex(&Sha256::digest(bytes)) == piece.sha256) {
            return now;
        }
        from_git(git.as_ref(), piece)
    });
    let mut linked = Vec::new();
    if !at_delivery {
        for file in &recipe.linked {
            match bytes(project, &file.file) {
                Ok(bytes) if hex(&Sha256::digest(&bytes)) == file.sha256 => {}
                Ok(_) => linked.push((file.file.clone(), String::new())),
                Err(why) => linked.push((file.file.clone(), format!(", {why}"))),
            }
        }
    }
    Ok(Replay { recipe, rebuilt, linked })
}

fn from_git(git: Option<&git::Git>, piece: &FilePiece) -> Result<Vec<u8>, String> {
    let git = git.ok_or("there is no repository")?;
    let blob = piece.blob.as_deref().ok_or("it was delivered outside a repository")?;
    git.blob(blob).ok_or_else(|| "git does not have the delivered text: it was never committed".to_owned())
}

/// Reads a file of the project. The path comes from a record, which may contain any path.
fn bytes(project: &Project, path: &str) -> Result<Vec<u8>, String> {
    files::refuse_escapes(project.root(), path).map_err(|error| error.to_string())?;
    read::read_bytes(project.root(), path, PAYLOAD_BYTES)
}

/// The record of how a turn's payload was built.
pub fn recipe(project: &Project, turn: &Turn) -> Result<Recipe> {
    let name = format!("turn {} of `{}`", turn.id(), turn.session().name());
    let path = turn.replay_file();
    let Some(text) = project.read_payload(&path)? else {
        return Err(Error::negative(
            format!("{name} has no replay.json: it was not delivered, or another program delivered it"),
            format!("deliver it: teddy resume {}/{}", turn.session().name(), turn.id()),
        ));
    };
    let recipe: Recipe = serde_json::from_str(&text).map_err(|error| Error::Syntax {
        path,
        line: error.line().max(1),
        column: error.column().max(1),
        why: "this is not a replay record".to_owned(),
    })?;
    if recipe.version != 1 {
        return Err(Error::input(
            format!("{name} was recorded for replay by another version of teddy ({})", recipe.version),
            "use that version",
        ));
    }
    Ok(recipe)
}

impl Replay {
    /// The rebuilt payload, or an error if it differs from the delivered one.
    pub fn payload(&self, turn: &Turn, at_delivery: bool) -> Result<&String> {
        let RebuiltPayload { text, changed, missing, different, sources } = &self.rebuilt;
        let bad = changed.len() + missing.len() + different.len() + self.linked.len();
        let all = sources + self.recipe.linked.len();
        let same = text.as_ref().filter(|text| hex(&Sha256::digest(text.as_bytes())) == self.recipe.payload);
        match same {
            Some(text) if self.linked.is_empty() => Ok(text),
            _ if bad > 0 => {
                let what = format!(
                    "turn {} of `{}` cannot be rebuilt: {bad} of {} changed since",
                    turn.id(),
                    printable(turn.session().name()),
                    counted(all, "source")
                );
                let hint = if at_delivery {
                    "git does not have the delivered versions; the payload itself is in the turn's directory"
                } else {
                    "use the delivered versions from git: --at-delivery"
                };
                Err(Error::negative(what, hint))
            }
            _ => {
                let what = format!("replay.json of turn {} does not reproduce its payload", turn.id());
                Err(Error::input(what, "replay.json was changed; deliver the turn again: teddy resume"))
            }
        }
    }
}
