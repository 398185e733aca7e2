//! `handoff.json`: notes of one phase for the next.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::project::null_is_default;
use crate::redact::Policy;

/// A handoff field that a manifest can select.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Goal of the work.
    Goal,
    /// Id of the epic it belongs to.
    EpicId,
    /// Results of gates.
    Verdicts,
    /// Files created or changed.
    ArtifactsProduced,
    /// Decisions.
    DecisionsMade,
    /// Unresolved risks.
    OpenRisks,
    /// Summary in a few sentences.
    Narrative,
}

impl Field {
    /// All fields, in reading order.
    pub const ALL: [Self; 7] = [
        Self::Goal,
        Self::EpicId,
        Self::Verdicts,
        Self::ArtifactsProduced,
        Self::DecisionsMade,
        Self::OpenRisks,
        Self::Narrative,
    ];

    /// Key in `handoff.json` and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::EpicId => "epic_id",
            Self::Verdicts => "verdicts",
            Self::ArtifactsProduced => "artifacts_produced",
            Self::DecisionsMade => "decisions_made",
            Self::OpenRisks => "open_risks",
            Self::Narrative => "narrative",
        }
    }

    /// Field with this key.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// The handoff of one turn. Keys of other tools are preserved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Handoff {
    /// Phase that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
    /// Goal of the work.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "null_is_default")]
    pub goal: String,
    /// Id of the epic it belongs to.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "null_is_default")]
    pub epic_id: String,
    /// Results by gate.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "null_is_default")]
    pub verdicts: BTreeMap<String, String>,
    /// Files created or changed.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_default")]
    pub artifacts_produced: Vec<String>,
    /// Decisions.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_default")]
    pub decisions_made: Vec<String>,
    /// Unresolved risks.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_default")]
    pub open_risks: Vec<String>,
    /// Summary in a few sentences.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "null_is_default")]
    pub narrative: String,
    /// Keys of other tools.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Handoff {
    /// Parses `handoff.json`.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::json(path, &error))
    }

    /// Serializes the handoff.
    pub fn to_json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::input(format!("the handoff cannot be written: {error}"), ""))?;
        Ok(text + "\n")
    }

    /// Returns true if all fields are empty.
    pub fn is_empty(&self) -> bool {
        Field::ALL.into_iter().all(|field| self.lacks(field))
    }

    /// Returns true if a field is empty.
    pub fn lacks(&self, field: Field) -> bool {
        match field {
            Field::Goal => self.goal.trim().is_empty(),
            Field::EpicId => self.epic_id.trim().is_empty(),
            Field::Verdicts => self.verdicts.is_empty(),
            Field::ArtifactsProduced => self.artifacts_produced.is_empty(),
            Field::DecisionsMade => self.decisions_made.is_empty(),
            Field::OpenRisks => self.open_risks.is_empty(),
            Field::Narrative => self.narrative.trim().is_empty(),
        }
    }

    /// Redacts every field, including those of other tools.
    #[must_use]
    pub fn redacted(mut self, redactor: &Policy) -> Self {
        let clean = |text: &str| redactor.redact(text, "handoff.json").0.into_owned();
        self.goal = clean(&self.goal);
        self.epic_id = clean(&self.epic_id);
        self.narrative = clean(&self.narrative);
        self.verdicts =
            self.verdicts.iter().map(|(gate, verdict)| (clean(gate), clean_value(redactor, gate, verdict))).collect();
        for list in [&mut self.artifacts_produced, &mut self.decisions_made, &mut self.open_risks] {
            for entry in list.iter_mut() {
                *entry = clean(entry);
            }
        }
        let text = Value::Object(std::mem::take(&mut self.other)).to_string();
        let (clean, _) = redactor.redact(&text, "handoff.json");
        // The other keys are dropped if redaction has made the JSON object invalid.
        self.other = serde_json::from_str(&clean).unwrap_or_default();
        self
    }

    /// Merges this handoff over `base`; lists are joined.
    #[must_use]
    pub fn over(self, mut base: Self) -> Self {
        let text = |new: String, old: &mut String| {
            if !new.trim().is_empty() {
                *old = new;
            }
        };
        text(self.goal, &mut base.goal);
        text(self.epic_id, &mut base.epic_id);
        text(self.narrative, &mut base.narrative);
        base.verdicts.extend(self.verdicts);
        join(&mut base.artifacts_produced, self.artifacts_produced);
        join(&mut base.decisions_made, self.decisions_made);
        join(&mut base.open_risks, self.open_risks);
        base.other.extend(self.other);
        base.phase = self.phase.or(base.phase);
        base
    }
}

/// Redacts a value together with its name, which may mark it as a password.
fn clean_value(redactor: &Policy, name: &str, value: &str) -> String {
    let pair = format!("{name}: {value}");
    let clean = redactor.redact(&pair, "handoff.json").0.into_owned();
    clean
        .strip_prefix(&format!("{name}: "))
        .map_or_else(|| redactor.redact(value, "handoff.json").0.into_owned(), ToOwned::to_owned)
}

/// Appends entries that are not in the list.
pub fn join(list: &mut Vec<String>, more: Vec<String>) {
    for entry in more {
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
}
