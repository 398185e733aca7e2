//! Turns: one payload each, in `NN/` below the session's directory; branches in `NN-branch-MM/`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_yaml::Mapping;

use super::config::{Format, RequestPosition};
use super::overrides::Verb;
use super::phase::Phase;
use super::session::Session;
use super::task::{Complexity, TaskType};
use super::{atomic, files, subdirectories, yaml};
use crate::error::{Error, Result};
use crate::text::nearest;

/// The id of a turn: `02` or `02-branch-01`. Turns are ordered by id, never by time. A branch follows the turn that it
/// started from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId {
    /// Number of the turn, 1-based.
    pub number: u32,
    /// Number of the branch, 1-based.
    pub branch: Option<u32>,
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.branch {
            Some(branch) => write!(f, "{:02}-branch-{branch:02}", self.number),
            None => write!(f, "{:02}", self.number),
        }
    }
}

impl FromStr for TurnId {
    type Err = Error;

    /// Parses an id; leading zeros are optional.
    fn from_str(text: &str) -> Result<Self> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse::<u32>().ok()).flatten().filter(|number| *number > 0)
        };
        let parsed = match text.split_once("-branch-") {
            Some((turn, branch)) => {
                number(turn).zip(number(branch)).map(|(number, branch)| Self { number, branch: Some(branch) })
            }
            None => number(text).map(|number| Self { number, branch: None }),
        };
        parsed.ok_or_else(|| Error::input(format!("`{text}` is not a turn"), "write `02` or `02-branch-01`"))
    }
}

impl TurnId {
    /// Parses the name of a directory, which must have all leading zeros.
    pub fn of_directory(name: &str) -> Option<Self> {
        name.parse().ok().filter(|id: &Self| id.to_string() == name)
    }
}

/// State of a turn, derived from the files in its directory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnState {
    /// No payload yet.
    Open,
    /// A payload, but no answer.
    #[default]
    Delivered,
    /// An answer, but no report.
    Planned,
    /// A report.
    Done,
}

impl fmt::Display for TurnState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Open => "open",
            Self::Delivered => "delivered",
            Self::Planned => "planned",
            Self::Done => "done",
        })
    }
}

/// The contents of `turn.yaml`: the person's decisions for the turn. Saving keeps the keys of other tools.
#[allow(clippy::struct_excessive_bools, reason = "each is a key of turn.yaml")]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnRecord {
    /// The task of this turn.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "yaml::null_is_default")]
    pub message: String,
    /// The phase: 1 discovery, 2 implementation, 3 validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Token limit, if it does not follow from the complexity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The model's context window, if the limit is a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Payload format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Target model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokenizer name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<String>,
    /// Configuration profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Only files that match these paths and globs are allowed; empty means all.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub only: Vec<String>,
    /// Task type, if set by the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<TaskType>,
    /// Complexity, if set by the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Auto-fill.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub fill: bool,
    /// True for a payload without an acknowledgement template.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub no_ack: bool,
    /// Position of the request, if set by the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestPosition>,
    /// True for a payload with line numbers in file contents.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub line_numbers: bool,
    /// Payload ordered by priority instead of for reuse of its beginning.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub no_reuse: bool,
    /// The commit that a review compares with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Include files up to this many imports away from the pinned ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hops: Option<u8>,
    /// True if teddy wrote the task, to describe a review or pinned files.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub described: bool,
    /// Overrides in effect, oldest first.
    #[serde(rename = "rulings", skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub overrides: Vec<OverrideRecord>,
    /// Undone overrides, most recent last, for redo.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub undone: Vec<OverrideRecord>,
    /// Paths carried over from the previous turn; they are pinned.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub carried: Vec<String>,
    /// RAW files as last written to `turn.context`. If the file differs, the person has edited it.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub raw: Vec<String>,
    /// Original names of the evidence files, in order of their numbers. The files are stored as `evidence-NN.log`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub evidence: Vec<String>,
    /// State of the screen.
    #[serde(skip_serializing_if = "ListView::is_empty", deserialize_with = "yaml::null_is_default")]
    pub view: ListView,
    /// True if another program wrote `turn.context`. teddy then never changes it.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub shared_list: bool,
    /// The previous turn, which may be a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The turn this one was branched from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branched_from: Option<String>,
    /// Creation time, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The file's contents when it was read, for merging.
    #[serde(skip)]
    seen: Mapping,
}

/// One override or budget change with its targets and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverrideRecord {
    /// The action.
    #[serde(rename = "ruling")]
    pub action: Verb,
    /// Items by path or label; empty for an action on the whole payload.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Time, ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// Saved state of the workbench screen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListView {
    /// Sort order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Selected item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Filter text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Keys of other tools.
    #[serde(flatten)]
    other: Mapping,
}

impl ListView {
    /// Returns true if there is nothing to save.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A turn on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    session: Session,
    id: TurnId,
}

/// Lists the session's turns in order.
pub fn turns(session: &Session) -> Vec<TurnId> {
    let mut turns: Vec<_> = subdirectories(session.dir())
        .iter()
        .filter_map(|dir| TurnId::of_directory(dir.file_name()?.to_str()?))
        .collect();
    turns.sort_unstable();
    turns
}

/// The error for a session without turns, or whose directory cannot be read.
pub fn no_turn_yet(session: &Session) -> Error {
    match std::fs::read_dir(session.dir()) {
        Err(error) => Error::io("read", session.dir(), error),
        Ok(_) => Error::negative(
            format!("`{}` has no turn yet", session.name()),
            format!("start one: teddy resume {}", session.name()),
        ),
    }
}

/// Returns the session's last turn.
pub fn latest_turn(session: &Session) -> Option<TurnId> {
    turns(session).last().copied()
}

/// Id of the session's next turn: one more than the highest number.
pub fn next_turn(session: &Session) -> TurnId {
    let number = latest_turn(session).map_or(1, |last| last.number.saturating_add(1));
    TurnId { number, branch: None }
}

/// Id of the next branch of a turn. Branches of a branch are numbered together with it.
pub fn next_branch(session: &Session, from: TurnId) -> TurnId {
    let same = turns(session).into_iter().filter(|id| id.number == from.number);
    let branch = same.filter_map(|id| id.branch).max().unwrap_or(0).saturating_add(1);
    TurnId { number: from.number, branch: Some(branch) }
}

/// The turn before `turn`: the one named in its record, or else the last one with a lower number. A branch has the same
/// predecessor as the turn that it was branched from.
pub fn before(session: &Session, turn: &Turn) -> Result<Option<Turn>> {
    let all = turns(session);
    // An unreadable record must not hide the earlier turns.
    let record = super::checkpoint::load_record(turn).map(|recalled| recalled.record).unwrap_or_default();
    let named = record.after.and_then(|name| name.parse().ok());
    let lower = || all.iter().copied().filter(|id| id.number < turn.id().number).max();
    let id = named.filter(|id| all.contains(id) && *id != turn.id()).or_else(lower);
    Ok(id.map(|id| Turn { session: session.clone(), id }))
}

/// Finds the session's turn named by `text`.
pub fn existing(session: &Session, text: &str) -> Result<TurnId> {
    let turns = turns(session);
    if let Ok(id) = text.parse()
        && turns.contains(&id)
    {
        return Ok(id);
    }
    let names: Vec<_> = turns.iter().map(ToString::to_string).collect();
    let nearest = nearest(text, names.iter().map(String::as_str)).map(ToOwned::to_owned);
    Err(Error::Missing { kind: "turn", name: format!("{}/{text}", session.name()), nearest })
}

/// `evidence-01.log`
pub fn evidence_name(number: usize) -> String {
    format!("evidence-{number:02}.log")
}

impl Turn {
    /// Creates a turn with its `turn.yaml` and other files atomically.
    pub fn create(
        session: &Session,
        id: TurnId,
        record: &mut TurnRecord,
        others: Vec<(&str, Vec<u8>)>,
    ) -> Result<Self> {
        let turn = Self { session: session.clone(), id };
        let text = yaml::merge(&turn.record_file(), None, record, &Mapping::new())?;
        let mut files = vec![("turn.yaml", text.into_bytes())];
        files.extend(others);
        atomic::create_dir(session.dir(), &id.to_string(), &files)?;
        record.seen = yaml::snapshot(record)?;
        Ok(turn)
    }

    /// Opens the turn `id` of a session.
    pub fn open(session: &Session, id: TurnId) -> Result<Self> {
        existing(session, &id.to_string()).map(|id| Self { session: session.clone(), id })
    }

    /// Turn id.
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// Session of the turn.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Directory of the turn.
    pub fn dir(&self) -> PathBuf {
        self.session.dir().join(self.id.to_string())
    }

    /// `turn.yaml`
    pub fn record_file(&self) -> PathBuf {
        self.dir().join("turn.yaml")
    }

    /// `turn.context`
    pub fn context_file(&self) -> PathBuf {
        self.dir().join("turn.context")
    }

    /// `payload.md`
    pub fn payload_file(&self) -> PathBuf {
        self.dir().join("payload.md")
    }

    /// `pack.json`
    pub fn pack_file(&self) -> PathBuf {
        self.dir().join("pack.json")
    }

    /// The delivered file: `payload.md`, or `pack.json` if only that exists.
    pub fn delivered_file(&self) -> PathBuf {
        let (payload, pack) = (self.payload_file(), self.pack_file());
        if pack.is_file() && !payload.is_file() { pack } else { payload }
    }

    /// `checkpoint.json`
    pub fn checkpoint_file(&self) -> PathBuf {
        self.dir().join("checkpoint.json")
    }

    /// `replay.json`
    pub fn replay_file(&self) -> PathBuf {
        self.dir().join("replay.json")
    }

    /// `plan.md`
    pub fn plan_file(&self) -> PathBuf {
        self.dir().join("plan.md")
    }

    /// `plan.undone.md`: the answer removed by the last undo.
    pub fn undone_plan_file(&self) -> PathBuf {
        self.dir().join("plan.undone.md")
    }

    /// `report.md`
    pub fn report_file(&self) -> PathBuf {
        self.dir().join("report.md")
    }

    /// `changes.json`
    pub fn changes_file(&self) -> PathBuf {
        self.dir().join("changes.json")
    }

    /// `handoff.json`
    pub fn handoff_file(&self) -> PathBuf {
        self.dir().join("handoff.json")
    }

    /// `evidence-NN.log`; numbers start at 1.
    pub fn evidence_file(&self, number: usize) -> PathBuf {
        self.dir().join(evidence_name(number))
    }

    /// Derives the state from the turn's files.
    pub fn state(&self) -> TurnState {
        let there = |path: PathBuf| path.is_file();
        if there(self.report_file()) {
            TurnState::Done
        } else if there(self.plan_file()) {
            TurnState::Planned
        } else if there(self.payload_file()) || there(self.pack_file()) {
            TurnState::Delivered
        } else {
            TurnState::Open
        }
    }

    /// Reads `turn.yaml`; the default if it does not exist.
    pub fn record(&self) -> Result<TurnRecord> {
        let path = self.record_file();
        let text = files::read_inside(self.session.root(), &path)?;
        let mut record: TurnRecord = match &text {
            Some(text) => yaml::parse(self.session.shown(&path), text)?,
            None => TurnRecord::default(),
        };
        record.seen = yaml::snapshot(&record)?;
        Ok(record)
    }

    /// The text of `turn.yaml` with the changes made to `record` since it was read. Changes of other programs are kept.
    /// A conflict is an error.
    pub fn merged(&self, record: &TurnRecord) -> Result<String> {
        let path = self.record_file();
        let text = files::read_inside(self.session.root(), &path)?;
        yaml::merge(self.session.shown(&path), text.as_deref(), record, &record.seen)
    }

    /// Writes the text of [`Turn::merged`] to `turn.yaml`.
    pub fn save(&self, record: &mut TurnRecord) -> Result<()> {
        let new = self.merged(record)?;
        let path = self.record_file();
        if files::read_inside(self.session.root(), &path)?.as_ref() != Some(&new) {
            atomic::write(&path, new.as_bytes())?;
        }
        record.seen = yaml::snapshot(record)?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;
