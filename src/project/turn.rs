//! Turns: one payload each, in `NN/` of their session, branches in `NN-branch-MM/`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_yaml::Mapping;

use super::session::Session;
use super::{atomic, files, subdirectories, yaml};
use crate::error::{Error, Result};
use crate::text::nearest;

/// `02` or `02-branch-01`. Turns are ordered by this, never by clock; a branch comes after what it branched from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId {
    /// The turn's number, from 1.
    pub number: u32,
    /// The branch's number, from 1.
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

    /// Reads what people type: zeros in front do not matter.
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
    /// The turn whose directory has exactly this name.
    pub fn of_directory(name: &str) -> Option<Self> {
        name.parse().ok().filter(|id: &Self| id.to_string() == name)
    }
}

/// How far a turn is, told by its files alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnState {
    /// No payload yet.
    Open,
    /// A payload, no plan.
    Delivered,
    /// A plan, no report.
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

/// What the person decided, in `turn.yaml`. Keys of other tools are kept when it is saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnRecord {
    /// What was asked for in this turn.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "yaml::null_is_default")]
    pub message: String,
    /// 1 discovery, 2 implementation, 3 validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
    /// The limit in tokens, if not by complexity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The model's window, if the limit is a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The payload's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The model the payload is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What counts tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<String>,
    /// The profile of the configuration that it was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The only files that may be in the payload, as paths and globs from the root; none means all.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub only: Vec<String>,
    /// The task type, if the person overrode it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    /// The complexity, if the person overrode it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<String>,
    /// Whether RAW is filled down the ranking.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub fill: bool,
    /// Whether the payload has no acknowledgement to complete.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub no_ack: bool,
    /// The overrides in force, oldest first.
    #[serde(rename = "rulings", skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub overrides: Vec<OverrideRecord>,
    /// Rulings taken back, the last one last, so that they can be made again.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub undone: Vec<OverrideRecord>,
    /// Paths that this turn took over from the one before; they are pinned.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub carried: Vec<String>,
    /// The RAW files as they were last written to `turn.context`: a difference is the person's own edit.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub raw: Vec<String>,
    /// What the evidence in `evidence-NN.log` was called, in the order of the numbers.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "yaml::null_is_default")]
    pub evidence: Vec<String>,
    /// What the screen looked like.
    #[serde(skip_serializing_if = "View::is_empty", deserialize_with = "yaml::null_is_default")]
    pub view: View,
    /// Whether another program made `turn.context`: then teddy leaves it as it is.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "yaml::null_is_default")]
    pub shared_list: bool,
    /// The turn that this one carries on, whatever branches were made since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The turn that this is another attempt at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branched_from: Option<String>,
    /// When the turn was made, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// What was in the file when it was read.
    #[serde(skip)]
    seen: Mapping,
}

/// One step: what was ruled (`pin`, `demote:linked`, `limit:50000`, …), on which items, when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverrideRecord {
    /// What was ruled.
    #[serde(rename = "ruling")]
    pub action: String,
    /// The items, by path or label; none for a step about the whole payload.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// When, ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// How the workbench was left.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The order of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// The item under the cursor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// What the list was narrowed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Whatever else there is.
    #[serde(flatten)]
    other: Mapping,
}

impl View {
    /// Whether there is nothing to keep.
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

/// The session's turns in order.
pub fn turns(session: &Session) -> Vec<TurnId> {
    let mut turns: Vec<_> = subdirectories(session.dir())
        .iter()
        .filter_map(|dir| TurnId::of_directory(dir.file_name()?.to_str()?))
        .collect();
    turns.sort_unstable();
    turns
}

/// The session's last turn.
pub fn latest_turn(session: &Session) -> Option<TurnId> {
    turns(session).last().copied()
}

/// The id of the session's next turn: one more than the highest number, whatever is missing below.
pub fn next_turn(session: &Session) -> TurnId {
    let number = latest_turn(session).map_or(1, |last| last.number.saturating_add(1));
    TurnId { number, branch: None }
}

/// The id of the next branch from a turn; a branch of a branch is one more of the same turn.
pub fn next_branch(session: &Session, from: TurnId) -> TurnId {
    let same = turns(session).into_iter().filter(|id| id.number == from.number);
    let branch = same.filter_map(|id| id.branch).max().unwrap_or(0).saturating_add(1);
    TurnId { number: from.number, branch: Some(branch) }
}

/// The turn that `turn` carries on: the one its record names, else the last one with a lower number. A branch carries on
/// what the turn did that it is another attempt at.
pub fn before(session: &Session, turn: &Turn) -> Result<Option<Turn>> {
    let all = turns(session);
    // A record that cannot be read must not hide the turns before it.
    let record = super::checkpoint::recall(turn).map(|recalled| recalled.record).unwrap_or_default();
    let named = record.after.and_then(|name| name.parse().ok());
    let lower = || all.iter().copied().filter(|id| id.number < turn.id().number).max();
    let id = named.filter(|id| all.contains(id) && *id != turn.id()).or_else(lower);
    Ok(id.map(|id| Turn { session: session.clone(), id }))
}

/// The turn of this session that `text` names.
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
    /// Makes a turn with its `turn.yaml` and other files, all or nothing.
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

    /// The turn `id` of a session.
    pub fn open(session: &Session, id: TurnId) -> Result<Self> {
        existing(session, &id.to_string()).map(|id| Self { session: session.clone(), id })
    }

    /// Which turn it is.
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// The session it is in.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The turn's directory.
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

    /// What was delivered: `payload.md`, or `pack.json` where that is alone.
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

    /// `plan.undone.md`: the plan that was taken back last.
    pub fn undone_plan_file(&self) -> PathBuf {
        self.dir().join("plan.undone.md")
    }

    /// `report.md`
    pub fn report_file(&self) -> PathBuf {
        self.dir().join("report.md")
    }

    /// `handoff.json`
    pub fn handoff_file(&self) -> PathBuf {
        self.dir().join("handoff.json")
    }

    /// `evidence-NN.log`, from 1.
    pub fn evidence_file(&self, number: usize) -> PathBuf {
        self.dir().join(evidence_name(number))
    }

    /// How far it is.
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

    /// What `turn.yaml` says; nothing is decided if there is none.
    pub fn record(&self) -> Result<TurnRecord> {
        let path = self.record_file();
        let text = files::read_inside(self.session.root(), &path)?;
        let mut record: TurnRecord = match &text {
            Some(text) => yaml::parse(&path, text)?,
            None => TurnRecord::default(),
        };
        record.seen = yaml::snapshot(&record)?;
        Ok(record)
    }

    /// The text of `turn.yaml` with what changed in `record` since it was read; what another program changed meanwhile stays, or is an error if
    /// both changed the same.
    pub fn merged(&self, record: &TurnRecord) -> Result<String> {
        let path = self.record_file();
        let text = files::read_inside(self.session.root(), &path)?;
        yaml::merge(&path, text.as_deref(), record, &record.seen)
    }

    /// Writes [`Turn::merged`] to `turn.yaml`.
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
