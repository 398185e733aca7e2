//! `handoff.json`: what a phase leaves for the next one.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::project::null_is_default;
use crate::redact::Policy;

/// A field of a handoff that a manifest can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// What it is all for.
    Goal,
    /// The larger piece of work that it is part of.
    EpicId,
    /// What gates said.
    Verdicts,
    /// Files that were made or changed.
    ArtifactsProduced,
    /// What was decided.
    DecisionsMade,
    /// What may still go wrong.
    OpenRisks,
    /// The story in a few sentences.
    Narrative,
}

impl Field {
    /// Every field, in the order in which a phase reads them.
    pub const ALL: [Self; 7] = [
        Self::Goal,
        Self::EpicId,
        Self::Verdicts,
        Self::ArtifactsProduced,
        Self::DecisionsMade,
        Self::OpenRisks,
        Self::Narrative,
    ];

    /// Its key in `handoff.json` and in manifests.
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

    /// The field of that key.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// What one turn hands to the next phase. Keys of other tools stay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Handoff {
    /// The phase that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
    /// What it is all for.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "null_is_default")]
    pub goal: String,
    /// The larger piece of work that it is part of.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "null_is_default")]
    pub epic_id: String,
    /// What gates said, by gate.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "null_is_default")]
    pub verdicts: BTreeMap<String, String>,
    /// Files that were made or changed.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_default")]
    pub artifacts_produced: Vec<String>,
    /// What was decided.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_default")]
    pub decisions_made: Vec<String>,
    /// What may still go wrong.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_default")]
    pub open_risks: Vec<String>,
    /// The story in a few sentences.
    #[serde(skip_serializing_if = "String::is_empty", deserialize_with = "null_is_default")]
    pub narrative: String,
    /// Whatever else there is.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Handoff {
    /// Reads `handoff.json`; the error says where it is wrong.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::json(path, &error))
    }

    /// The text of `handoff.json`.
    pub fn to_json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::input(format!("the handoff cannot be written: {error}"), ""))?;
        Ok(text + "\n")
    }

    /// Whether there is nothing to hand over.
    pub fn is_empty(&self) -> bool {
        Field::ALL.into_iter().all(|field| self.lacks(field))
    }

    /// Whether a field says nothing.
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

    /// The same without secrets, in every field and in what other tools put there.
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
        // What is no object any more was more secret than not; it does not stay.
        self.other = serde_json::from_str(&clean).unwrap_or_default();
        self
    }

    /// What this says where it says something, else what `base` says; lists are joined.
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

/// A name beside a value tells a password from a word.
fn clean_value(redactor: &Policy, name: &str, value: &str) -> String {
    let pair = format!("{name}: {value}");
    let clean = redactor.redact(&pair, "handoff.json").0.into_owned();
    clean
        .strip_prefix(&format!("{name}: "))
        .map_or_else(|| redactor.redact(value, "handoff.json").0.into_owned(), ToOwned::to_owned)
}

/// Adds what is not there yet.
pub fn join(list: &mut Vec<String>, more: Vec<String>) {
    for entry in more {
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
}
