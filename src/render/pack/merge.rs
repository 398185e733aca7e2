//! Joins packs. The order does not matter, nor how they are grouped, nor whether one is there twice.
//!
//! That holds because everything is a union: lists are sets, a field on which packs disagree is the set of its values.
//! The smallest value is kept in the field, the others are listed in a decision `conflict:<pointer>`, from which a later
//! merge takes them up again. Of two texts about the same thing the longer one is kept; that is no disagreement.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::json::{canonical, pack_id};
use super::model::{
    Artifact, Decision, DocRef, Input, Pack, Priority, Provenance, RelevantFile, RepoFacts, ToolPolicy, Workspace,
};
use super::schema::{self, escaped};

/// What the id of a decision starts with that lists what packs disagree on.
const CONFLICT: &str = "conflict:";

/// The values of each field that packs disagree on, besides the one that is kept.
#[derive(Default)]
struct Conflicts(BTreeMap<String, BTreeSet<String>>);

/// One pack that says what all of them say.
pub fn merge(packs: &[Pack]) -> Pack {
    let mut conflicts = Conflicts::of(packs);
    let mut merged = Pack {
        pack_id: String::new(),
        created_at: packs.iter().filter_map(|pack| pack.created_at.clone()).max(),
        definition_of_done: union(packs, |pack| &pack.definition_of_done),
        constraints: union(packs, |pack| &pack.constraints),
        doc_refs: doc_refs(packs),
        relevant_files: relevant_files(packs, &mut conflicts),
        inputs: inputs(packs, &mut conflicts),
        artifacts: artifacts(packs, &mut conflicts),
        repo_facts: repo_facts(packs, &mut conflicts),
        tool_policy: tool_policy(packs, &mut conflicts),
        workspace: workspace(packs, &mut conflicts),
        provenance: provenance(packs),
        ..Pack::default()
    };
    let mut text = |at: &str, own: fn(&Pack) -> Option<&String>| {
        conflicts.pick(at, packs.iter().filter_map(own).cloned().collect(), some_text)
    };
    merged.goal = text("/goal", |pack| Some(&pack.goal)).unwrap_or_default();
    merged.docs_root = text("/docsRoot", |pack| Some(&pack.docs_root)).unwrap_or_default();
    merged.run_id = text("/runId", |pack| pack.run_id.as_ref());
    merged.node_id = text("/nodeId", |pack| pack.node_id.as_ref());
    merged.output_schema_ref = text("/outputSchemaRef", |pack| pack.output_schema_ref.as_ref());
    let global = packs.iter().map(|pack| pack.global_mode.clone()).collect();
    let known = one_of(&["planning", "implementation"]);
    merged.global_mode = conflicts.pick("/globalMode", global, known).unwrap_or_default();
    let node = packs.iter().filter_map(|pack| pack.node_mode.clone()).collect();
    merged.node_mode = conflicts.pick("/nodeMode", node, one_of(&["auto", "interactive"]));
    merged.decisions = decisions(packs, &mut conflicts);
    merged.pack_id = pack_id(&merged);
    merged
}

impl Conflicts {
    /// What earlier merges wrote down.
    fn of(packs: &[Pack]) -> Self {
        let mut conflicts = Self::default();
        for decision in packs.iter().flat_map(|pack| &pack.decisions) {
            let Some(at) = decision.id.strip_prefix(CONFLICT) else { continue };
            let rationale = decision.rationale.as_ref().unwrap_or(&decision.summary);
            // Somebody may have written such a decision by hand; then all of it is one value.
            let values = serde_json::from_str::<Vec<String>>(rationale).unwrap_or_else(|_| vec![rationale.clone()]);
            conflicts.0.entry(at.to_owned()).or_default().extend(values);
        }
        conflicts
    }

    /// The value that a field keeps: the smallest of all that were ever given, if any pack has the field. What was written
    /// down by hand and is no value of the field is left out; `normal` gives the others the form that they have in packs.
    fn pick(&mut self, at: &str, own: BTreeSet<String>, normal: impl Fn(String) -> Option<String>) -> Option<String> {
        if own.is_empty() {
            return None;
        }
        let mut values = own;
        values.extend(self.0.remove(at).unwrap_or_default().into_iter().filter_map(normal));
        let kept = values.pop_first();
        if !values.is_empty() {
            self.0.insert(at.to_owned(), values);
        }
        kept
    }

    fn decisions(self) -> impl Iterator<Item = Decision> {
        self.0.into_iter().filter(|(_, others)| !others.is_empty()).map(|(at, others)| Decision {
            id: format!("{CONFLICT}{at}"),
            summary: format!(
                "The merged packs disagree on {at}. The value that comes first in the alphabet is kept; the others are in \
                 the rationale."
            ),
            rationale: Some(serde_json::to_string(&others).unwrap_or_default()),
            links: Vec::new(),
        })
    }
}

fn some_text(value: String) -> Option<String> {
    (!value.is_empty()).then_some(value)
}

fn one_of(known: &[&str]) -> impl Fn(String) -> Option<String> {
    |value| known.contains(&value.as_str()).then_some(value)
}

fn union(packs: &[Pack], list: impl Fn(&Pack) -> &Vec<String>) -> Vec<String> {
    let all: BTreeSet<&String> = packs.iter().flat_map(list).collect();
    all.into_iter().cloned().collect()
}

fn sorted(lists: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let all: BTreeSet<String> = lists.into_iter().flatten().collect();
    all.into_iter().collect()
}

/// The longest of some texts, of equally long ones the smallest.
fn longest(texts: impl Iterator<Item = Option<String>>) -> Option<String> {
    texts.flatten().min_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)))
}

/// Entries by what they are about.
fn by_key<'p, T>(entries: impl Iterator<Item = &'p T>, key: fn(&T) -> &String) -> BTreeMap<&'p String, Vec<&'p T>> {
    let mut grouped: BTreeMap<&String, Vec<&T>> = BTreeMap::new();
    for entry in entries {
        grouped.entry(key(entry)).or_default().push(entry);
    }
    grouped
}

fn doc_refs(packs: &[Pack]) -> Vec<DocRef> {
    let grouped = by_key(packs.iter().flat_map(|pack| &pack.doc_refs), |entry| &entry.path);
    let join = |(path, same): (&String, Vec<&DocRef>)| DocRef {
        path: path.clone(),
        anchors: sorted(same.iter().map(|entry| entry.anchors.clone())),
        excerpt: longest(same.iter().map(|entry| entry.excerpt.clone())),
        priority: same.iter().map(|entry| entry.priority).max().unwrap_or(Priority::Low),
    };
    let mut joined: Vec<DocRef> = grouped.into_iter().map(join).collect();
    // Stable: by path among equals.
    joined.sort_by_key(|entry| std::cmp::Reverse(entry.priority));
    joined
}

fn relevant_files(packs: &[Pack], conflicts: &mut Conflicts) -> Vec<RelevantFile> {
    let grouped = by_key(packs.iter().flat_map(|pack| &pack.relevant_files), |entry| &entry.path);
    let mut join = |(path, same): (&String, Vec<&RelevantFile>)| {
        let at = format!("/relevantFiles/{}/hash", escaped(path));
        let hashes = same.iter().filter_map(|entry| entry.hash.clone()).collect();
        RelevantFile {
            path: path.clone(),
            purpose: longest(same.iter().map(|entry| entry.purpose.clone())),
            excerpt: longest(same.iter().map(|entry| entry.excerpt.clone())),
            hash: conflicts.pick(&at, hashes, |value| is_hex(&value, 12..=64).then_some(value)),
        }
    };
    grouped.into_iter().map(&mut join).collect()
}

fn is_hex(text: &str, length: std::ops::RangeInclusive<usize>) -> bool {
    length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn inputs(packs: &[Pack], conflicts: &mut Conflicts) -> Vec<Input> {
    let grouped = by_key(packs.iter().flat_map(|pack| &pack.inputs), |entry| &entry.payload_id);
    let mut join = |(id, same): (&String, Vec<&Input>)| {
        let at = format!("/inputs/{}", escaped(id));
        let from = same.iter().filter_map(|entry| entry.from_node_id.clone()).collect();
        let edge = same.iter().filter_map(|entry| entry.edge_id.clone()).collect();
        Input {
            payload_id: id.clone(),
            from_node_id: conflicts.pick(&format!("{at}/fromNodeId"), from, some_text),
            edge_id: conflicts.pick(&format!("{at}/edgeId"), edge, some_text),
        }
    };
    grouped.into_iter().map(&mut join).collect()
}

fn artifacts(packs: &[Pack], conflicts: &mut Conflicts) -> Vec<Artifact> {
    const TYPES: [&str; 6] = ["diff", "log", "file", "report", "verification", "context_pack"];
    let grouped = by_key(packs.iter().flat_map(|pack| &pack.artifacts), |entry| &entry.r#ref);
    let mut join = |(name, same): (&String, Vec<&Artifact>)| {
        let at = format!("/artifacts/{}", escaped(name));
        // Not to know what it is contradicts nobody who does.
        let types = same.iter().map(|entry| entry.r#type.clone()).filter(|name| name != "unknown").collect();
        let hashes = same.iter().filter_map(|entry| entry.sha256.clone()).collect();
        let known = conflicts.pick(&format!("{at}/type"), types, one_of(&TYPES));
        Artifact {
            r#ref: name.clone(),
            r#type: known.unwrap_or_else(|| "unknown".to_owned()),
            summary: longest(same.iter().map(|entry| entry.summary.clone())),
            sha256: conflicts.pick(&format!("{at}/sha256"), hashes, |value| is_hex(&value, 64..=64).then_some(value)),
        }
    };
    grouped.into_iter().map(&mut join).collect()
}

/// A value that is kept or given up as a whole; `normal` gives it the form that it has in packs.
fn atomic<'p, T: Serialize + DeserializeOwned + 'p>(
    values: impl Iterator<Item = &'p T>,
    (at, definition): (&str, &str),
    normal: impl Fn(T) -> Option<T>,
    conflicts: &mut Conflicts,
) -> Option<T> {
    let text = |value: &T| canonical(&serde_json::to_value(value).unwrap_or_default());
    let written = |other: String| {
        let value: Value = serde_json::from_str(&other).ok()?;
        let value = schema::fits(definition, &value).then_some(value)?;
        normal(serde_json::from_value(value).ok()?).map(|value| text(&value))
    };
    conflicts.pick(at, values.map(text).collect(), written).and_then(|text| serde_json::from_str(&text).ok())
}

fn workspace(packs: &[Pack], conflicts: &mut Conflicts) -> Option<Workspace> {
    atomic(packs.iter().filter_map(|pack| pack.workspace.as_ref()), ("/workspace", "workspace"), Some, conflicts)
}

fn repo_facts(packs: &[Pack], conflicts: &mut Conflicts) -> Option<RepoFacts> {
    let all: Vec<&RepoFacts> = packs.iter().filter_map(|pack| pack.repo_facts.as_ref()).collect();
    let mut text = |name: &str, own: fn(&RepoFacts) -> Option<&String>| {
        let own = all.iter().filter_map(|facts| own(facts)).cloned().collect();
        conflicts.pick(&format!("/repoFacts/{name}"), own, some_text)
    };
    let facts = RepoFacts {
        package_manager: text("packageManager", |facts| facts.package_manager.as_ref()),
        build_command: text("buildCommand", |facts| facts.build_command.as_ref()),
        test_command: text("testCommand", |facts| facts.test_command.as_ref()),
        languages: sorted(all.iter().map(|facts| facts.languages.clone())),
        entry_points: sorted(all.iter().map(|facts| facts.entry_points.clone())),
    };
    (!all.is_empty()).then_some(facts)
}

/// What is blocked anywhere is blocked; where another pack allows it, that is a disagreement.
fn tool_policy(packs: &[Pack], conflicts: &mut Conflicts) -> Option<ToolPolicy> {
    let all: Vec<&ToolPolicy> = packs.iter().filter_map(|pack| pack.tool_policy.as_ref()).collect();
    let blocked = sorted(all.iter().map(|policy| policy.blocked.clone()));
    let (both, allowed): (Vec<String>, Vec<String>) = sorted(all.iter().map(|policy| policy.allowed.clone()))
        .into_iter()
        .partition(|tool| blocked.binary_search(tool).is_ok());
    if !both.is_empty() {
        conflicts.0.entry("/toolPolicy/allowed".to_owned()).or_default().extend(both);
    }
    let modes = all.iter().filter_map(|policy| policy.approval_mode.clone()).collect();
    let approval_mode = conflicts.pick("/toolPolicy/approvalMode", modes, some_text);
    (!all.is_empty()).then_some(ToolPolicy { allowed, blocked, approval_mode })
}

fn provenance(packs: &[Pack]) -> Vec<Provenance> {
    let all = packs.iter().flat_map(|pack| &pack.provenance);
    let sorted: BTreeMap<String, &Provenance> =
        all.map(|entry| (canonical(&serde_json::to_value(entry).unwrap_or_default()), entry)).collect();
    sorted.into_values().cloned().collect()
}

/// Decisions by id, and what the packs disagree on.
fn decisions(packs: &[Pack], conflicts: &mut Conflicts) -> Vec<Decision> {
    let own = packs.iter().flat_map(|pack| &pack.decisions).filter(|decision| !decision.id.starts_with(CONFLICT));
    let mut own: Vec<Decision> = own.cloned().collect();
    for decision in &mut own {
        decision.links = sorted([std::mem::take(&mut decision.links)]);
    }
    let grouped = by_key(own.iter(), |decision| &decision.id);
    let mut merged: Vec<Decision> = Vec::new();
    for (id, same) in grouped {
        let at = format!("/decisions/{}", escaped(id));
        let normal = |other: Decision| (other.id == *id).then(|| Decision { links: sorted([other.links]), ..other });
        merged.extend(atomic(same.into_iter(), (&at, "decision"), normal, conflicts));
    }
    merged.extend(std::mem::take(conflicts).decisions());
    merged
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
