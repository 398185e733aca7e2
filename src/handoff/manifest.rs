//! Phase manifests: selected fields and limits.

use serde::Deserialize;

use super::fields::Field;
use crate::error::{Error, Result};
use crate::project::Project;
use crate::project::phase::Phase;
use crate::text::nearest;

/// Default maximum length of the narrative.
pub const DEFAULT_NARRATIVE: usize = 1000;

/// Handoff context of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The phase.
    pub phase: u32,
    /// Fields in order; empty means all.
    pub handoff_fields: Vec<Field>,
    /// Maximum characters of the narrative; for 0 see [`Manifest::narrative`].
    pub narrative_cap: usize,
    /// Token limit of the whole context; 0 means unlimited.
    pub max_tokens: usize,
}

impl Manifest {
    /// A manifest without limits, used where none is configured.
    pub fn permissive(phase: u32) -> Self {
        Self { phase, handoff_fields: Vec::new(), narrative_cap: 0, max_tokens: 0 }
    }

    /// Default manifest of a phase.
    pub fn of(phase: Phase) -> Self {
        let number = phase.number();
        match phase {
            // The first phase has no predecessor.
            Phase::Discovery => Self::permissive(number),
            Phase::Implementation => Self {
                phase: number,
                handoff_fields: vec![
                    Field::Goal,
                    Field::EpicId,
                    Field::Verdicts,
                    Field::DecisionsMade,
                    Field::OpenRisks,
                ],
                narrative_cap: 500,
                max_tokens: 2500,
            },
            Phase::Validation => Self {
                phase: number,
                handoff_fields: vec![Field::Goal, Field::EpicId, Field::Verdicts, Field::ArtifactsProduced],
                narrative_cap: 1000,
                max_tokens: 2500,
            },
        }
    }

    /// Returns true if a field is selected; for the narrative, only its cap matters.
    pub fn wants(&self, field: Field) -> bool {
        match field {
            Field::Narrative => self.narrative().is_some(),
            field => self.handoff_fields.is_empty() || self.handoff_fields.contains(&field),
        }
    }

    /// Maximum characters of the narrative; `None` omits it.
    ///
    /// If fields are declared, a cap of 0 omits the narrative. If none are declared, a cap of 0 means the default cap.
    pub fn narrative(&self) -> Option<usize> {
        match (self.handoff_fields.is_empty(), self.narrative_cap) {
            (false, 0) => None,
            (true, 0) => Some(DEFAULT_NARRATIVE),
            (_, cap) => Some(cap),
        }
    }
}

/// An entry of `manifests.yaml`; missing keys keep their defaults.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct ManifestOverride {
    phase: Option<i64>,
    handoff_fields: Option<Vec<String>>,
    narrative_cap: Option<i64>,
    max_tokens: Option<i64>,
}

/// Manifest of a phase from `manifests.yaml`, else the default; without a phase, no field is filtered. Also returns
/// notes on unknown fields.
pub fn resolve(project: &Project, phase: Option<u32>) -> Result<(Manifest, Vec<String>)> {
    let number = phase.unwrap_or(0);
    let mut manifest = Phase::of(number).map_or_else(|| Manifest::permissive(number), Manifest::of);
    let path = project.manifests_file();
    let mut notes = Vec::new();
    let entries: Vec<ManifestOverride> = project.read_yaml(&path)?.unwrap_or_default();
    for (at, entry) in entries.iter().enumerate() {
        let Some(of) = entry.phase else {
            return Err(Error::input(
                format!("entry {} of {} has no phase", at + 1, project.shown(&path).display()),
                "add `phase: 2` to it",
            ));
        };
        if Some(of) != phase.map(i64::from) {
            continue;
        }
        if let Some(names) = &entry.handoff_fields {
            manifest.handoff_fields = fields(names, &mut notes);
        }
        // Negative limits mean unlimited, like 0.
        let amount = |given: i64| usize::try_from(given).unwrap_or(0);
        manifest.narrative_cap = entry.narrative_cap.map_or(manifest.narrative_cap, amount);
        manifest.max_tokens = entry.max_tokens.map_or(manifest.max_tokens, amount);
    }
    Ok((manifest, notes))
}

fn fields(names: &[String], notes: &mut Vec<String>) -> Vec<Field> {
    let mut fields = Vec::new();
    for name in names {
        match Field::named(name) {
            Some(field) if !fields.contains(&field) => fields.push(field),
            Some(_) => {}
            None => {
                let near = nearest(name, Field::ALL.map(Field::name));
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                notes.push(format!("manifests.yaml selects the unknown field `{name}`{near}"));
            }
        }
    }
    fields
}
