//! `checkpoint.json`: a record of the turn and the payload's sources, from which the turn can be restored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::overrides::Tier;
use super::task::{Complexity, TaskType};
use super::turn::{Turn, TurnRecord, TurnState};
use super::{files, yaml};
use crate::error::{Error, Result};

/// Maximum size of a checkpoint. It is large, because a checkpoint lists every source.
const MOST_BYTES: u64 = 16_000_000;

/// A delivered turn: its payload's sources and the person's decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checkpoint {
    /// Session name.
    pub session_id: String,
    /// Turn id.
    pub turn: String,
    /// Time of delivery, ISO 8601.
    pub timestamp: String,
    /// Task type, inferred or set.
    pub task_type: Option<TaskType>,
    /// Complexity, inferred or set.
    pub complexity: Option<Complexity>,
    /// The task, redacted.
    pub user_request: String,
    /// State of the turn: delivered, planned or done.
    pub state: TurnState,
    /// Size of the payload.
    pub context_summary: ContextSummary,
    /// Files inlined or linked in the payload.
    pub artifacts: Vec<Artifact>,
    /// Conversation: the previous turn, this request, and the answer once it exists.
    pub conversation_history: Vec<Message>,
    /// Contents of `turn.yaml`.
    pub record: TurnRecord,
    /// Contents of `turn.context`.
    pub turn_context: String,
    /// Contents of `session.yaml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<super::session::SessionMeta>,
    /// State of the git repository, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<GitState>,
    /// Outside a git repository, every text file with its sha256, up to a limit.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// Size of a payload.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextSummary {
    /// Number of inlined items.
    pub chunks_included: usize,
    /// Tokens of the payload.
    pub tokens_used: usize,
    /// True if the number is an estimate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Tokens divided by the limit.
    pub utilization: f64,
}

/// A source file of a payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// Kind of source.
    #[serde(rename = "type", default)]
    pub kind: ArtifactKind,
    /// Path from the project root.
    pub path: String,
    /// Tier: raw or linked.
    pub tier: Tier,
    /// sha256 of the contents.
    #[serde(default)]
    pub sha256: String,
    /// Git blob id of the contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Tokens of the file in the payload; `None` in checkpoints that did not record them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
}

/// Kind of artifact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactKind {
    /// A file of the project.
    #[default]
    File,
}

/// Author of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// The person.
    #[default]
    User,
    /// The model.
    Assistant,
}

/// A message of the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Message {
    /// Author.
    pub role: Author,
    /// Text of the message.
    pub content: String,
}

/// State of a git repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GitState {
    /// Full id of the head commit; `None` before the first commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Current branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// True if any file differs from the head commit.
    pub dirty: bool,
    /// True if there were too many changed files to list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut_short: bool,
    /// Changed files with their blob ids; `None` for a deleted file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub changed: BTreeMap<String, Option<String>>,
}

impl Message {
    /// A message by the person.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Author::User, content: content.into() }
    }

    /// A message by the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Author::Assistant, content: content.into() }
    }
}

impl Checkpoint {
    /// Serializes the checkpoint.
    pub fn to_text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::input(format!("the checkpoint cannot be written: {error}"), ""))?;
        Ok(text + "\n")
    }
}

/// Reads a turn's checkpoint; `None` if it does not exist.
pub fn load(turn: &Turn) -> Result<Option<Checkpoint>> {
    let path = turn.checkpoint_file();
    let Some(text) = files::read_inside_up_to(turn.session().root(), &path, MOST_BYTES)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| Error::json(turn.session().shown(&path), &error))
}

/// The text of a turn's `checkpoint.json` with a new state, and with the answer as its last message. `None` without a
/// valid checkpoint. Keys of other tools are kept.
pub fn answered(turn: &Turn, state: TurnState, message: &Message) -> Option<String> {
    let message_json = serde_json::to_value(message).ok()?;
    edited(turn, state, |history| {
        // A new answer replaces the previous one.
        if message.role == Author::Assistant {
            forget_answer(history);
        }
        history.push(message_json);
    })
}

/// The text of a turn's `checkpoint.json` without the answer.
pub fn without_answer(turn: &Turn) -> Option<String> {
    edited(turn, TurnState::Delivered, forget_answer)
}

fn edited(turn: &Turn, state: TurnState, edit: impl FnOnce(&mut Vec<serde_json::Value>)) -> Option<String> {
    let text = files::read_inside_up_to(turn.session().root(), &turn.checkpoint_file(), MOST_BYTES).ok()??;
    let mut value: serde_json::Value = serde_json::from_str(&text).ok()?;
    let object = value.as_object_mut()?;
    object.insert("state".to_owned(), state.to_string().into());
    edit(object.entry("conversation_history").or_insert_with(|| serde_json::json!([])).as_array_mut()?);
    Some(format!("{value:#}\n"))
}

/// Removes the last message if it is the model's.
fn forget_answer(history: &mut Vec<serde_json::Value>) {
    let last = history.last().and_then(|last| last.get("role")).and_then(|role| role.as_str());
    if last == Some("assistant") {
        history.pop();
    }
}

/// A turn's record, read from `turn.yaml` or restored from the checkpoint.
#[derive(Debug)]
pub struct LoadedRecord {
    /// The record.
    pub record: TurnRecord,
    /// If the record was restored: the reason, and the checkpoint's copy of `turn.context`.
    pub from_checkpoint: Option<(String, String)>,
}

/// Reads a turn's record from `turn.yaml`, else from `checkpoint.json`, else returns the default. An invalid
/// `turn.yaml` is an error only without a checkpoint. An I/O error is always an error, because the file may be newer
/// than the checkpoint.
pub fn load_record(turn: &Turn) -> Result<LoadedRecord> {
    let gone = !turn.record_file().is_file();
    read_or_restore(turn, turn.record(), gone)
}

/// Like [`load_record`], for a `turn.yaml` that was already read. `gone` is true if the file is missing.
fn read_or_restore(turn: &Turn, read: Result<TurnRecord>, gone: bool) -> Result<LoadedRecord> {
    let why = match &read {
        Ok(_) if !gone => return read.map(|record| LoadedRecord { record, from_checkpoint: None }),
        Ok(_) => "it is missing".to_owned(),
        // An I/O error may be temporary. A well-formed file with an unknown value may come from a person or a newer
        // version of teddy.
        Err(Error::Io { .. }) => return read.map(|record| LoadedRecord { record, from_checkpoint: None }),
        Err(Error::Syntax { .. }) if is_well_formed(turn) => {
            return read.map(|record| LoadedRecord { record, from_checkpoint: None });
        }
        Err(error) => error.to_string(),
    };
    match load(turn).ok().flatten().filter(|checkpoint| !checkpoint.user_request.is_empty()) {
        Some(checkpoint) => {
            let list = checkpoint.turn_context.clone();
            Ok(LoadedRecord { record: restored(checkpoint), from_checkpoint: Some((why, list)) })
        }
        None => read.map(|record| LoadedRecord { record, from_checkpoint: None }),
    }
}

/// Returns true if `turn.yaml` is a YAML mapping, even with unknown values.
fn is_well_formed(turn: &Turn) -> bool {
    let text = files::read_inside(turn.session().root(), &turn.record_file()).ok().flatten();
    text.is_some_and(|text| yaml::parse::<serde_yaml::Mapping>(&turn.record_file(), &text).is_ok())
}

fn restored(checkpoint: Checkpoint) -> TurnRecord {
    let mut record = checkpoint.record;
    if record.message.is_empty() {
        record.message = checkpoint.user_request;
    }
    if record.raw.is_empty() {
        let raw = checkpoint.artifacts.into_iter().filter(|artifact| artifact.tier == Tier::Raw);
        record.raw = raw.map(|artifact| artifact.path).collect();
    }
    record
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::project::Project;
    use crate::project::config::Format;
    use crate::project::overrides::{Override, Verb};
    use crate::project::session::{self, SessionMeta};
    use crate::project::turn::OverrideRecord;

    fn turn() -> (tempfile::TempDir, Turn) {
        let dir = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(dir.path()).unwrap();
        let session = session::create(&project, &SessionMeta::new("x", 0), 0).unwrap();
        let mut record = TurnRecord::default();
        record.message = "from turn.yaml".to_owned();
        let turn = Turn::create(&session, "01".parse().unwrap(), &mut record, Vec::new()).unwrap();
        (dir, turn)
    }

    fn checkpoint() -> Checkpoint {
        let mut record = TurnRecord::default();
        (record.message, record.budget, record.format) =
            ("from the checkpoint".to_owned(), Some(9000), Some(Format::Invocation));
        record.overrides =
            vec![OverrideRecord { action: Verb::Set(Override::Pin), targets: vec!["a.rs".into()], at: None }];
        Checkpoint { user_request: "x".into(), record, turn_context: "a.rs\n".into(), ..Checkpoint::default() }
    }

    #[test]
    fn the_specified_fields_exist() {
        let value: serde_json::Value = serde_json::from_str(&checkpoint().to_text().unwrap()).unwrap();
        for key in
            ["session_id", "timestamp", "task_type", "user_request", "state", "artifacts", "conversation_history"]
        {
            assert!(value.get(key).is_some(), "{key}");
        }
        for key in ["chunks_included", "tokens_used", "utilization"] {
            assert!(value["context_summary"].get(key).is_some(), "{key}");
        }
    }

    #[test]
    fn a_readable_turn_yaml_takes_precedence() {
        let (_keep, turn) = turn();
        fs::write(turn.checkpoint_file(), checkpoint().to_text().unwrap()).unwrap();
        let message = |turn: &Turn| load_record(turn).unwrap().record.message;
        assert_eq!(message(&turn), "from turn.yaml");
        fs::write(turn.record_file(), "message: [\n").unwrap();
        let recalled = load_record(&turn).unwrap();
        assert_eq!(recalled.record, checkpoint().record);
        let (why, list) = recalled.from_checkpoint.unwrap();
        assert!(why.contains("turn.yaml:") && list == "a.rs\n", "{why}");
        fs::remove_file(turn.record_file()).unwrap();
        assert_eq!(message(&turn), "from the checkpoint");
        for broken in ["{", "[]", "{}", "\"x\""] {
            fs::write(turn.checkpoint_file(), broken).unwrap();
            assert_eq!(load_record(&turn).unwrap().record, TurnRecord::default(), "{broken}");
        }
        fs::write(turn.record_file(), "message: [\n").unwrap();
        assert!(matches!(load_record(&turn), Err(Error::Syntax { .. })));
    }

    #[test]
    fn an_unreadable_turn_yaml_is_an_error_and_not_replaced() {
        let (_keep, turn) = turn();
        fs::write(turn.checkpoint_file(), checkpoint().to_text().unwrap()).unwrap();
        let before = fs::read(turn.record_file()).unwrap();
        for kind in [std::io::ErrorKind::PermissionDenied, std::io::ErrorKind::TimedOut, std::io::ErrorKind::Other] {
            // If reading fails, checking that the file exists may also fail.
            for gone in [false, true] {
                let read = Err(Error::io("read", turn.record_file(), std::io::Error::from(kind)));
                let told = read_or_restore(&turn, read, gone).unwrap_err();
                assert!(matches!(&told, Error::Io { source, .. } if source.kind() == kind), "{told:?}");
            }
        }
        assert_eq!(fs::read(turn.record_file()).unwrap(), before);
        // An invalid file is a different case: the checkpoint is used.
        let nonsense = Err(Error::input("turn.yaml is not a regular file", "replace it"));
        assert_eq!(read_or_restore(&turn, nonsense, true).unwrap().record, checkpoint().record);
    }

    #[test]
    fn an_older_checkpoint_still_gives_request_and_files() {
        let (_keep, turn) = turn();
        fs::remove_file(turn.record_file()).unwrap();
        let old = r#"{"user_request": "Add it", "artifacts": [{"path": "a.rs", "tier": "raw"}, {"path": "b.rs", "tier": "linked"}]}"#;
        fs::write(turn.checkpoint_file(), old).unwrap();
        let record = load_record(&turn).unwrap().record;
        assert_eq!((record.message.as_str(), record.raw), ("Add it", vec!["a.rs".to_owned()]));
    }

    #[test]
    fn an_answer_becomes_the_last_message() {
        let (_keep, turn) = turn();
        assert_eq!(answered(&turn, TurnState::Planned, &Message::assistant("x")), None);
        fs::write(turn.checkpoint_file(), r#"{"mine": 1, "conversation_history": [{"role": "user", "content": "q"}]}"#)
            .unwrap();
        for said in ["one", "two"] {
            let text = answered(&turn, TurnState::Planned, &Message::assistant(said)).unwrap();
            fs::write(turn.checkpoint_file(), text).unwrap();
        }
        let value: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(turn.checkpoint_file()).unwrap()).unwrap();
        assert_eq!((value["mine"].as_u64(), value["state"].as_str()), (Some(1), Some("planned")));
        assert_eq!(value["conversation_history"].as_array().unwrap().len(), 2);
        assert_eq!(value["conversation_history"][1]["content"], "two");
    }

    #[test]
    fn only_an_answer_replaces_the_previous_answer() {
        let (_keep, turn) = turn();
        let (asked, planned) = (Message::user("q"), Message::assistant("p"));
        for (said, after) in
            [(Message::user("more"), &["p", "q", "more"][..]), (Message::assistant("new"), &["p", "q", "new"])]
        {
            let history = serde_json::to_value([&planned, &asked]).unwrap();
            fs::write(turn.checkpoint_file(), serde_json::json!({ "conversation_history": history }).to_string())
                .unwrap();
            let text = answered(&turn, TurnState::Done, &said).unwrap();
            let value: Checkpoint = serde_json::from_str(&text).unwrap();
            let contents: Vec<_> = value.conversation_history.iter().map(|message| message.content.as_str()).collect();
            assert_eq!(contents, after);
            assert_eq!(value.conversation_history[2], said);
            assert!(text.ends_with("}\n"), "{text}");
        }
        fs::write(turn.checkpoint_file(), "{}").unwrap();
        let first = answered(&turn, TurnState::Done, &planned).unwrap();
        assert_eq!(serde_json::from_str::<Checkpoint>(&first).unwrap().conversation_history, [planned]);
        for broken in ["[]", "{", r#"{"conversation_history": 7}"#] {
            fs::write(turn.checkpoint_file(), broken).unwrap();
            assert_eq!(answered(&turn, TurnState::Done, &asked), None, "{broken}");
        }
    }
}
