//! Merges packs. The order, grouping and repetition of packs do not affect the result.
//!
//! Merging is a union: lists are sets, and a field on which packs disagree is the set of its values. The smallest value
//! is kept in the field; the others are listed in a decision `conflict:<pointer>`, which a later merge reads again. If
//! two packs describe the same object, the longer description is kept; this is not a conflict.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::json::{canonical, pack_id};
use super::model::{Artifact, Decision, DocRef, FreeObject, Input, Pack, Priority, RelevantFile, Workspace};
use super::schema::{self, escaped};

/// The prefix of decisions that list conflicts between packs.
const CONFLICT: &str = "conflict:";

/// The values that were not kept, for each field on which packs disagree.
#[derive(Default)]
struct Conflicts(BTreeMap<String, BTreeSet<String>>);

/// Merges packs into one.
pub fn merge(packs: &[Pack]) -> Pack {
    let mut conflicts = Conflicts::of(packs);
    let mut merged = Pack {
        pack_id: String::new(),
        created_at: packs.iter().filter_map(|pack| pack.created_at.clone()).max(),
        definition_of_done: union(packs, |pack| &pack.definition_of_done),
        constraints: members(packs.iter().map(|pack| &pack.constraints), "/constraints", &mut conflicts),
        doc_refs: doc_refs(packs),
        relevant_files: relevant_files(packs, &mut conflicts),
        inputs: inputs(packs, &mut conflicts),
        artifacts: artifacts(packs, &mut conflicts),
        repo_facts: packs
            .iter()
            .any(|pack| pack.repo_facts.is_some())
            .then(|| members(packs.iter().filter_map(|pack| pack.repo_facts.as_ref()), "/repoFacts", &mut conflicts)),
        tool_policy: tool_policy(packs, &mut conflicts),
        workspace: workspace(packs, &mut conflicts),
        ..Pack::default()
    };
    let mut text = |at: &str, own: fn(&Pack) -> Option<&String>| {
        conflicts.smallest(at, packs.iter().filter_map(own).cloned().collect(), some_text)
    };
    merged.goal = text("/goal", |pack| Some(&pack.goal)).unwrap_or_default();
    merged.docs_root = text("/docsRoot", |pack| Some(&pack.docs_root)).unwrap_or_default();
    merged.run_id = text("/runId", |pack| pack.run_id.as_ref());
    merged.node_id = text("/nodeId", |pack| pack.node_id.as_ref());
    merged.output_schema_ref = text("/outputSchemaRef", |pack| pack.output_schema_ref.as_ref());
    let global = packs.iter().map(|pack| pack.global_mode.clone()).collect();
    let known = one_of(&["planning", "implementation"]);
    merged.global_mode = conflicts.smallest("/globalMode", global, known).unwrap_or_default();
    let node = packs.iter().filter_map(|pack| pack.node_mode.clone()).collect();
    merged.node_mode = conflicts.smallest("/nodeMode", node, one_of(&["auto", "interactive"]));
    merged.decisions = decisions(packs, &mut conflicts);
    merged.pack_id = pack_id(&merged);
    merged
}

impl Conflicts {
    /// The conflicts recorded by earlier merges.
    fn of(packs: &[Pack]) -> Self {
        let mut conflicts = Self::default();
        for decision in packs.iter().flat_map(|pack| &pack.decisions) {
            let Some(at) = decision.id.strip_prefix(CONFLICT) else { continue };
            let rationale = decision.rationale.as_ref().unwrap_or(&decision.summary);
            // If a person wrote the decision, its rationale counts as a single value.
            let values = serde_json::from_str::<Vec<String>>(rationale).unwrap_or_else(|_| vec![rationale.clone()]);
            conflicts.0.entry(at.to_owned()).or_default().extend(values);
        }
        conflicts
    }

    /// The value of a field: the smallest value in any pack that has the field. `normal` converts values to the form
    /// used in packs; invalid values are dropped.
    fn smallest(
        &mut self,
        at: &str,
        own: BTreeSet<String>,
        normal: impl Fn(String) -> Option<String>,
    ) -> Option<String> {
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
                "The merged packs disagree on {at}. The first value in alphabetical order is kept; the others are in the \
                 rationale."
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

/// The longest of these strings; of equally long ones, the smallest.
fn longest(texts: impl Iterator<Item = Option<String>>) -> Option<String> {
    texts.flatten().min_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)))
}

/// Groups entries by their key.
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
    // The sort is stable, so entries of equal priority stay ordered by path.
    joined.sort_by_key(|entry| std::cmp::Reverse(entry.priority));
    joined
}

fn relevant_files(packs: &[Pack], conflicts: &mut Conflicts) -> Vec<RelevantFile> {
    let grouped = by_key(packs.iter().flat_map(|pack| &pack.relevant_files), |entry| &entry.path);
    let mut join = |(path, same): (&String, Vec<&RelevantFile>)| {
        let at = format!("/relevantFiles/{}/hash", escaped(path));
        let hashes = same.iter().filter_map(|entry| entry.hash.clone()).collect();
        let hash = conflicts.smallest(&at, hashes, |value| is_hex(&value, 12..=64).then_some(value));
        // An excerpt belongs to the version that its hash names.
        let of_version = same.iter().filter(|entry| entry.hash == hash);
        RelevantFile {
            path: path.clone(),
            purpose: longest(same.iter().map(|entry| entry.purpose.clone())),
            excerpt: longest(of_version.map(|entry| entry.excerpt.clone())),
            hash,
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
            from_node_id: conflicts.smallest(&format!("{at}/fromNodeId"), from, some_text),
            edge_id: conflicts.smallest(&format!("{at}/edgeId"), edge, some_text),
        }
    };
    grouped.into_iter().map(&mut join).collect()
}

fn artifacts(packs: &[Pack], conflicts: &mut Conflicts) -> Vec<Artifact> {
    const TYPES: [&str; 6] = ["diff", "log", "file", "report", "verification", "context_pack"];
    let grouped = by_key(packs.iter().flat_map(|pack| &pack.artifacts), |entry| &entry.r#ref);
    let mut join = |(name, same): (&String, Vec<&Artifact>)| {
        let at = format!("/artifacts/{}", escaped(name));
        // An unknown value does not contradict a known one.
        let types = same.iter().map(|entry| entry.r#type.clone()).filter(|name| name != "unknown").collect();
        let hashes = same.iter().filter_map(|entry| entry.sha256.clone()).collect();
        let known = conflicts.smallest(&format!("{at}/type"), types, one_of(&TYPES));
        let sha256 =
            conflicts.smallest(&format!("{at}/sha256"), hashes, |value| is_hex(&value, 64..=64).then_some(value));
        let of_version = same.iter().filter(|entry| entry.sha256 == sha256);
        Artifact {
            r#ref: name.clone(),
            r#type: known.unwrap_or_else(|| "unknown".to_owned()),
            summary: longest(of_version.map(|entry| entry.summary.clone())),
            sha256,
        }
    };
    grouped.into_iter().map(&mut join).collect()
}

/// A value that is kept or dropped as a whole. `normal` converts it to the form used in packs.
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
    conflicts.smallest(at, values.map(text).collect(), written).and_then(|text| serde_json::from_str(&text).ok())
}

fn workspace(packs: &[Pack], conflicts: &mut Conflicts) -> Option<Workspace> {
    atomic(packs.iter().filter_map(|pack| pack.workspace.as_ref()), ("/workspace", "workspace"), Some, conflicts)
}

/// Merges objects with arbitrary members. Arrays are sets. Of all other values, the smallest is kept, and the rest are
/// conflicts. If one pack has an array and another a single value, the array is kept.
fn members<'p>(objects: impl Iterator<Item = &'p FreeObject>, at: &str, conflicts: &mut Conflicts) -> FreeObject {
    let mut grouped: BTreeMap<&String, Vec<&Value>> = BTreeMap::new();
    for (name, value) in objects.flatten() {
        grouped.entry(name).or_default().push(value);
    }
    let mut merged = FreeObject::new();
    for (name, values) in grouped {
        let at = format!("{at}/{}", escaped(name));
        let (lists, others): (Vec<&Value>, Vec<&Value>) = values.into_iter().partition(|value| value.is_array());
        let others: BTreeSet<String> = others.into_iter().map(canonical).collect();
        let value = if lists.is_empty() {
            let written = |other: String| serde_json::from_str::<Value>(&other).ok().map(|value| canonical(&value));
            let kept = conflicts.smallest(&at, others, written);
            kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
        } else {
            if !others.is_empty() {
                conflicts.0.entry(at).or_default().extend(others);
            }
            let entries = lists.iter().filter_map(|list| list.as_array()).flatten();
            let sorted: BTreeMap<String, &Value> = entries.map(|entry| (canonical(entry), entry)).collect();
            Value::Array(sorted.into_values().cloned().collect())
        };
        merged.insert(name.clone(), value);
    }
    merged
}

/// Merges tool policies. A tool that any pack blocks is blocked. If another pack allows it, there is a conflict.
fn tool_policy(packs: &[Pack], conflicts: &mut Conflicts) -> FreeObject {
    let mut policy = members(packs.iter().map(|pack| &pack.tool_policy), "/toolPolicy", conflicts);
    let blocked = policy.get("blocked").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Array(allowed)) = policy.get_mut("allowed") {
        let both: BTreeSet<String> = allowed.iter().filter(|tool| blocked.contains(tool)).map(canonical).collect();
        allowed.retain(|tool| !blocked.contains(tool));
        if !both.is_empty() {
            conflicts.0.entry("/toolPolicy/allowed".to_owned()).or_default().extend(both);
        }
    }
    policy
}

/// Decisions by id, and the conflicts between packs.
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
