//! `changes.json`: the files that changed between the payload of a turn and its report.

use serde::{Deserialize, Serialize};

use super::files;
use super::turn::Turn;
use crate::error::{Error, Result};

/// The version of the format.
const VERSION: u32 = 1;

/// Files that changed after a payload was delivered, each list sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnChanges {
    /// Version of the format.
    pub version: u32,
    /// Files with different contents.
    #[serde(default)]
    pub changed: Vec<String>,
    /// New files.
    #[serde(default)]
    pub added: Vec<String>,
    /// Deleted files.
    #[serde(default)]
    pub removed: Vec<String>,
}

impl Default for TurnChanges {
    fn default() -> Self {
        Self { version: VERSION, changed: Vec::new(), added: Vec::new(), removed: Vec::new() }
    }
}

impl TurnChanges {
    /// Files that existed at delivery and were changed or deleted.
    pub fn touched(&self) -> impl Iterator<Item = &str> {
        self.changed.iter().chain(&self.removed).map(String::as_str)
    }

    /// Serializes the changes.
    pub fn to_text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::input(format!("the changes cannot be written: {error}"), ""))?;
        Ok(text + "\n")
    }
}

/// Reads the changes of a turn. `None` if they are not recorded or not readable; they can then be computed again.
pub fn load(turn: &Turn) -> Option<TurnChanges> {
    let text = files::read_inside(turn.session().root(), &turn.changes_file()).ok().flatten()?;
    serde_json::from_str(&text).ok().filter(|changes: &TurnChanges| changes.version == VERSION)
}
