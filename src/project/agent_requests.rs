//! The requests of agents during a turn: `requests.jsonl` in its directory, one JSON object per line.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::MAX_BYTES;
use super::turn::Turn;
use super::{Project, atomic};
use crate::error::{Error, Result};

/// The file in a turn's directory.
const FILE: &str = "requests.jsonl";

/// A request of an agent, and its outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRequest {
    /// Time.
    pub at: String,
    /// The tool: plan, fetch, explain or acknowledge.
    pub tool: String,
    /// The entries or the task as the agent wrote them, redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<String>,
    /// The project files that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The tokens of the answer; `None` if it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// The reason if it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// The file with the requests of a turn.
pub fn file(turn: &Turn) -> PathBuf {
    turn.dir().join(FILE)
}

/// Returns true for a file with the requests of a turn.
pub fn is_record(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == FILE)
}

/// Appends a request, unless the file is at its size limit.
pub fn append(turn: &Turn, request: &AgentRequest) -> Result<()> {
    let path = file(turn);
    let line = serde_json::to_string(request).map_err(|error| {
        Error::input(
            format!("the request cannot be written as JSON: {error}"),
            "internal error; please report this bug",
        )
    })?;
    let length = path.symlink_metadata().map_or(0, |found| found.len());
    if length + line.len() as u64 >= MAX_BYTES {
        return Ok(());
    }
    atomic::append_line(&path, &line)
}

/// The requests of a turn, oldest first; lines that cannot be parsed are skipped.
pub fn read(project: &Project, turn: &Turn) -> Result<Vec<AgentRequest>> {
    let text = project.read(&file(turn))?.unwrap_or_default();
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
