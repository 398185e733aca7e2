//! Which fields of the handoffs a phase sees, and how much room they get.

use serde::Deserialize;

use super::fields::Field;
use super::phase::Phase;
use crate::error::{Error, Result};
use crate::project::Project;
use crate::text::nearest;

/// The narrative's length where no manifest says one.
pub const DEFAULT_NARRATIVE: usize = 1000;

/// What a phase sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The phase.
    pub phase: u32,
    /// The fields, in the order in which they are read; none means all.
    pub handoff_fields: Vec<Field>,
    /// The most characters of the narrative; what 0 means depends on the fields, see [`Manifest::narrative`].
    pub narrative_cap: usize,
    /// The most tokens of everything together; 0 is no limit.
    pub max_tokens: usize,
}

impl Manifest {
    /// A manifest that lets everything through: where none is configured.
    pub fn permissive(phase: u32) -> Self {
        Self { phase, handoff_fields: Vec::new(), narrative_cap: 0, max_tokens: 0 }
    }

    /// The manifest of a phase as it comes.
    pub fn of(phase: Phase) -> Self {
        let number = phase.number();
        match phase {
            // Nothing comes before it.
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

    /// Whether a phase sees a field; the narrative is a matter of its cap alone.
    pub fn wants(&self, field: Field) -> bool {
        match field {
            Field::Narrative => self.narrative().is_some(),
            field => self.handoff_fields.is_empty() || self.handoff_fields.contains(&field),
        }
    }

    /// The most characters of the narrative; `None` leaves it out.
    ///
    /// A cap of 0 beside declared fields means that the phase did not ask for it; without any it means the default.
    pub fn narrative(&self) -> Option<usize> {
        match (self.handoff_fields.is_empty(), self.narrative_cap) {
            (false, 0) => None,
            (true, 0) => Some(DEFAULT_NARRATIVE),
            (_, cap) => Some(cap),
        }
    }
}

/// One entry of `manifests.yaml`; what it does not say stays as it comes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct ManifestOverride {
    phase: Option<i64>,
    handoff_fields: Option<Vec<String>>,
    narrative_cap: Option<i64>,
    max_tokens: Option<i64>,
}

/// The manifest of a phase, as `manifests.yaml` has it, else as it comes; without a phase everything is let through.
/// With it, what is wrong in the file.
pub fn resolve(project: &Project, phase: Option<u32>) -> Result<(Manifest, Vec<String>)> {
    let number = phase.unwrap_or(0);
    let mut manifest = Phase::of(number).map_or_else(|| Manifest::permissive(number), Manifest::of);
    let path = project.manifests_file();
    let mut notes = Vec::new();
    let entries: Vec<ManifestOverride> = project.read_yaml(&path)?.unwrap_or_default();
    for (at, entry) in entries.iter().enumerate() {
        let Some(of) = entry.phase else {
            return Err(Error::input(
                format!("entry {} of {} does not say its phase", at + 1, path.display()),
                "add `phase: 2` to it",
            ));
        };
        if Some(of) != phase.map(i64::from) {
            continue;
        }
        if let Some(names) = &entry.handoff_fields {
            manifest.handoff_fields = fields(names, &mut notes);
        }
        // Less than nothing is no limit, as 0 is.
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
                notes.push(format!("manifests.yaml asks for `{name}`, which is no field of a handoff{near}"));
            }
        }
    }
    fields
}
