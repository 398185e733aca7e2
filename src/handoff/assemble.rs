//! The handoff context of a phase: selects, assembles and truncates earlier handoffs.

use super::budget::{BudgetResult, apply_context_budget, truncate_to_chars};
use super::fields::{Field, Handoff, join};
use super::manifest::Manifest;

/// Handoff context of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffContext {
    /// The text; may be empty.
    pub text: String,
    /// Result of applying the token budget.
    pub result: BudgetResult,
}

/// Assembles the handoff context of a phase from handoffs, oldest first.
pub fn assemble(handoffs: &[Handoff], manifest: &Manifest) -> HandoffContext {
    let (text, result) = apply_context_budget(&format(&select(handoffs, manifest), manifest), manifest.max_tokens);
    HandoffContext { text, result }
}

/// Merges all handoffs, selects the manifest's fields, and truncates the narrative.
pub fn select(handoffs: &[Handoff], manifest: &Manifest) -> Handoff {
    let mut all = Handoff::default();
    for handoff in handoffs {
        // The latest value that is not empty wins. Lists and verdicts accumulate.
        all = handoff.clone().over(all);
    }
    let mut seen = Handoff { phase: Some(manifest.phase), ..Handoff::default() };
    for field in Field::ALL.into_iter().filter(|field| manifest.wants(*field)) {
        match field {
            Field::Goal => all.goal.trim().clone_into(&mut seen.goal),
            Field::EpicId => all.epic_id.trim().clone_into(&mut seen.epic_id),
            Field::Verdicts => seen.verdicts.clone_from(&all.verdicts),
            Field::ArtifactsProduced => join(&mut seen.artifacts_produced, all.artifacts_produced.clone()),
            Field::DecisionsMade => join(&mut seen.decisions_made, all.decisions_made.clone()),
            Field::OpenRisks => join(&mut seen.open_risks, all.open_risks.clone()),
            Field::Narrative => {
                let most = manifest.narrative().unwrap_or_default();
                seen.narrative = truncate_to_chars(all.narrative.trim(), most);
            }
        }
    }
    seen
}

/// Formats the selected fields in the manifest's order, the narrative last.
fn format(seen: &Handoff, manifest: &Manifest) -> String {
    let mut order: Vec<Field> =
        if manifest.handoff_fields.is_empty() { Field::ALL.to_vec() } else { manifest.handoff_fields.clone() };
    order.retain(|field| *field != Field::Narrative);
    order.push(Field::Narrative);
    let list = |title: &str, entries: &mut dyn Iterator<Item = String>| {
        let lines: Vec<String> = entries.map(|entry| format!("- {}\n", one_line(&entry))).collect();
        format!("{title}:\n{}", lines.concat())
    };
    let mut text = String::new();
    for field in order.into_iter().filter(|field| !seen.lacks(*field)) {
        let part = match field {
            Field::Goal => format!("Goal: {}\n", seen.goal),
            Field::EpicId => format!("Epic: {}\n", seen.epic_id),
            Field::Verdicts => {
                list("Verdicts", &mut seen.verdicts.iter().map(|(gate, verdict)| format!("{gate}: {verdict}")))
            }
            Field::ArtifactsProduced => list("Artifacts produced", &mut seen.artifacts_produced.iter().cloned()),
            Field::DecisionsMade => list("Decisions made", &mut seen.decisions_made.iter().cloned()),
            Field::OpenRisks => list("Open risks", &mut seen.open_risks.iter().cloned()),
            Field::Narrative => format!("Narrative: {}\n", seen.narrative),
        };
        text.push_str(&part);
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
