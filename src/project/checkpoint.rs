//! `checkpoint.json`: the turn in one object, enough to restore it from this file alone, and what the payload was made from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::files;
use super::turn::{Turn, TurnRecord};
use crate::error::{Error, Result};

/// A checkpoint lists every source; one larger than this is none of ours.
const MOST_BYTES: u64 = 16_000_000;
/// The role of what the model said.
const ASSISTANT: &str = "assistant";

/// What was delivered, from what, and what had been decided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checkpoint {
    /// The session's name.
    pub session_id: String,
    /// The turn's name.
    pub turn: String,
    /// When the payload was made, ISO 8601.
    pub timestamp: String,
    /// What kind of task it is, inferred or chosen.
    pub task_type: String,
    /// How much of one.
    pub complexity: String,
    /// What was asked for, secrets replaced.
    pub user_request: String,
    /// delivered, planned or done.
    pub state: String,
    /// How much the payload holds.
    pub context_summary: ContextSummary,
    /// The files that the payload inlines or links.
    pub artifacts: Vec<Artifact>,
    /// What was said: the turn before, this request, and the answer once it is there.
    pub conversation_history: Vec<Message>,
    /// What the person decided, as `turn.yaml` has it.
    pub record: TurnRecord,
    /// The text of `turn.context`.
    pub turn_context: String,
    /// The repository as it was; none outside one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<GitState>,
    /// Outside a repository: every text file with the sha256 of its bytes, where there are not too many.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// How much a payload holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextSummary {
    /// The items that are inlined.
    pub chunks_included: usize,
    /// The payload's tokens.
    pub tokens_used: usize,
    /// Whether they are only estimated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The part of the limit that they are.
    pub utilization: f64,
}

/// One file that a payload was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Artifact {
    /// Always `file`.
    #[serde(rename = "type")]
    pub kind: String,
    /// From the project's root.
    pub path: String,
    /// raw or linked.
    pub tier: String,
    /// The sha256 of its bytes.
    pub sha256: String,
    /// What git calls these bytes, in a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

/// Something that was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Message {
    /// user or assistant.
    pub role: String,
    /// What was said.
    pub content: String,
}

/// A repository as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GitState {
    /// The head commit's whole id; none before the first commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Whether any file differed from the head commit.
    pub dirty: bool,
    /// Whether there were too many of them to list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut_short: bool,
    /// The files that did, with what git calls their bytes; none for a file that was gone.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub changed: BTreeMap<String, Option<String>>,
}

impl Message {
    /// Something that the person said.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: "user".to_owned(), content: content.into() }
    }

    /// Something that the model said.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: ASSISTANT.to_owned(), content: content.into() }
    }
}

impl Checkpoint {
    /// The text of `checkpoint.json`.
    pub fn to_text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::input(format!("the checkpoint cannot be written: {error}"), ""))?;
        Ok(text + "\n")
    }
}

/// The checkpoint of a turn; none if there is none or it makes no sense.
pub fn load(turn: &Turn) -> Option<Checkpoint> {
    let text = files::read_inside_up_to(turn.session().root(), &turn.checkpoint_file(), MOST_BYTES).ok()??;
    serde_json::from_str(&text).ok()
}

/// The text of a turn's `checkpoint.json` after an answer: its new state, and the answer as the last thing said. None
/// where there is no checkpoint that makes sense; another program's keys stay.
pub fn answered(turn: &Turn, state: &str, said: &Message) -> Option<String> {
    let said_now = serde_json::to_value(said).ok()?;
    edited(turn, state, |history| {
        // A plan that replaces another is the same thing said again.
        if said.role == ASSISTANT {
            forget_answer(history);
        }
        history.push(said_now);
    })
}

/// The text of a turn's `checkpoint.json` once its plan is taken back: as if nobody had answered.
pub fn unanswered(turn: &Turn) -> Option<String> {
    edited(turn, "delivered", forget_answer)
}

fn edited(turn: &Turn, state: &str, edit: impl FnOnce(&mut Vec<serde_json::Value>)) -> Option<String> {
    let text = files::read_inside_up_to(turn.session().root(), &turn.checkpoint_file(), MOST_BYTES).ok()??;
    let mut value: serde_json::Value = serde_json::from_str(&text).ok()?;
    let object = value.as_object_mut()?;
    object.insert("state".to_owned(), state.into());
    edit(object.entry("conversation_history").or_insert_with(|| serde_json::json!([])).as_array_mut()?);
    Some(format!("{value:#}\n"))
}

/// Takes the model's answer out, if it is the last thing said.
fn forget_answer(history: &mut Vec<serde_json::Value>) {
    let last = history.last().and_then(|last| last.get("role")).and_then(|role| role.as_str());
    if last == Some(ASSISTANT) {
        history.pop();
    }
}

/// A turn's record, and how it was come by where that is not `turn.yaml`.
#[derive(Debug)]
pub struct Recalled {
    /// What was decided.
    pub record: TurnRecord,
    /// Why the checkpoint had to do, and the text of `turn.context` that it holds.
    pub from_checkpoint: Option<(String, String)>,
}

/// What was decided in a turn: from `turn.yaml`, else from `checkpoint.json`, else nothing. A `turn.yaml` that makes no sense
/// is an error only if there is no checkpoint; one that the system does not hand out now may be whole, and newer than the checkpoint.
pub fn recall(turn: &Turn) -> Result<Recalled> {
    let gone = !turn.record_file().is_file();
    recalled(turn, turn.record(), gone)
}

/// The same, with what reading `turn.yaml` gave, and whether it is gone as far as one can see.
fn recalled(turn: &Turn, read: Result<TurnRecord>, gone: bool) -> Result<Recalled> {
    let why = match &read {
        Ok(_) if !gone => return read.map(|record| Recalled { record, from_checkpoint: None }),
        Ok(_) => "it is gone".to_owned(),
        Err(Error::Io { .. }) => return read.map(|record| Recalled { record, from_checkpoint: None }),
        Err(error) => error.to_string(),
    };
    match load(turn).filter(|checkpoint| !checkpoint.user_request.is_empty()) {
        Some(checkpoint) => {
            let list = checkpoint.turn_context.clone();
            Ok(Recalled { record: restored(checkpoint), from_checkpoint: Some((why, list)) })
        }
        None => read.map(|record| Recalled { record, from_checkpoint: None }),
    }
}

fn restored(checkpoint: Checkpoint) -> TurnRecord {
    let mut record = checkpoint.record;
    if record.message.is_empty() {
        record.message = checkpoint.user_request;
    }
    if record.raw.is_empty() {
        let raw = checkpoint.artifacts.into_iter().filter(|artifact| artifact.tier == "raw");
        record.raw = raw.map(|artifact| artifact.path).collect();
    }
    record
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::project::Project;
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
            ("from the checkpoint".to_owned(), Some(9000), Some("invocation".to_owned()));
        record.overrides = vec![OverrideRecord { action: "pin".into(), targets: vec!["a.rs".into()], at: None }];
        Checkpoint { user_request: "x".into(), record, turn_context: "a.rs\n".into(), ..Checkpoint::default() }
    }

    #[test]
    fn the_fields_of_the_specification_are_there_by_their_names() {
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
    fn turn_yaml_counts_while_it_can_be_read() {
        let (_keep, turn) = turn();
        fs::write(turn.checkpoint_file(), checkpoint().to_text().unwrap()).unwrap();
        let message = |turn: &Turn| recall(turn).unwrap().record.message;
        assert_eq!(message(&turn), "from turn.yaml");
        fs::write(turn.record_file(), "message: [\n").unwrap();
        let recalled = recall(&turn).unwrap();
        assert_eq!(recalled.record, checkpoint().record);
        let (why, list) = recalled.from_checkpoint.unwrap();
        assert!(why.contains("turn.yaml:") && list == "a.rs\n", "{why}");
        fs::remove_file(turn.record_file()).unwrap();
        assert_eq!(message(&turn), "from the checkpoint");
        for broken in ["{", "[]", "{}", "\"x\""] {
            fs::write(turn.checkpoint_file(), broken).unwrap();
            assert_eq!(recall(&turn).unwrap().record, TurnRecord::default(), "{broken}");
        }
        fs::write(turn.record_file(), "message: [\n").unwrap();
        assert!(matches!(recall(&turn), Err(Error::Syntax { .. })));
    }

    #[test]
    fn a_turn_yaml_that_the_system_does_not_hand_out_is_told_and_left() {
        let (_keep, turn) = turn();
        fs::write(turn.checkpoint_file(), checkpoint().to_text().unwrap()).unwrap();
        let before = fs::read(turn.record_file()).unwrap();
        for kind in [std::io::ErrorKind::PermissionDenied, std::io::ErrorKind::TimedOut, std::io::ErrorKind::Other] {
            // Where reading fails, asking whether it is there may fail too.
            for gone in [false, true] {
                let read = Err(Error::io("read", turn.record_file(), std::io::Error::from(kind)));
                let told = recalled(&turn, read, gone).unwrap_err();
                assert!(matches!(&told, Error::Io { source, .. } if source.kind() == kind), "{told:?}");
            }
        }
        assert_eq!(fs::read(turn.record_file()).unwrap(), before);
        // What is there and makes no sense is another matter: then the checkpoint has to do.
        let nonsense = Err(Error::input("turn.yaml is not a regular file", "replace it"));
        assert_eq!(recalled(&turn, nonsense, true).unwrap().record, checkpoint().record);
    }

    #[test]
    fn an_older_checkpoint_still_tells_the_request_and_the_files() {
        let (_keep, turn) = turn();
        fs::remove_file(turn.record_file()).unwrap();
        let old = r#"{"user_request": "Add it", "artifacts": [{"path": "a.rs", "tier": "raw"}, {"path": "b.rs", "tier": "linked"}]}"#;
        fs::write(turn.checkpoint_file(), old).unwrap();
        let record = recall(&turn).unwrap().record;
        assert_eq!((record.message.as_str(), record.raw), ("Add it", vec!["a.rs".to_owned()]));
    }

    #[test]
    fn an_answer_is_the_last_thing_said() {
        let (_keep, turn) = turn();
        assert_eq!(answered(&turn, "planned", &Message::assistant("x")), None);
        fs::write(turn.checkpoint_file(), r#"{"mine": 1, "conversation_history": [{"role": "user", "content": "q"}]}"#)
            .unwrap();
        for said in ["one", "two"] {
            let text = answered(&turn, "planned", &Message::assistant(said)).unwrap();
            fs::write(turn.checkpoint_file(), text).unwrap();
        }
        let value: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(turn.checkpoint_file()).unwrap()).unwrap();
        assert_eq!((value["mine"].as_u64(), value["state"].as_str()), (Some(1), Some("planned")));
        assert_eq!(value["conversation_history"].as_array().unwrap().len(), 2);
        assert_eq!(value["conversation_history"][1]["content"], "two");
    }

    #[test]
    fn only_a_plan_replaces_what_was_said_before() {
        let (_keep, turn) = turn();
        let (asked, planned) = (Message::user("q"), Message::assistant("p"));
        for (said, after) in
            [(Message::user("more"), &["p", "q", "more"][..]), (Message::assistant("new"), &["p", "q", "new"])]
        {
            let history = serde_json::to_value([&planned, &asked]).unwrap();
            fs::write(turn.checkpoint_file(), serde_json::json!({ "conversation_history": history }).to_string())
                .unwrap();
            let text = answered(&turn, "done", &said).unwrap();
            let value: Checkpoint = serde_json::from_str(&text).unwrap();
            let contents: Vec<_> = value.conversation_history.iter().map(|message| message.content.as_str()).collect();
            assert_eq!(contents, after);
            assert_eq!(value.conversation_history[2], said);
            assert!(text.ends_with("}\n"), "{text}");
        }
        fs::write(turn.checkpoint_file(), "{}").unwrap();
        let first = answered(&turn, "done", &planned).unwrap();
        assert_eq!(serde_json::from_str::<Checkpoint>(&first).unwrap().conversation_history, [planned]);
        for broken in ["[]", "{", r#"{"conversation_history": 7}"#] {
            fs::write(turn.checkpoint_file(), broken).unwrap();
            assert_eq!(answered(&turn, "done", &asked), None, "{broken}");
        }
    }
}
