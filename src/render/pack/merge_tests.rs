//! Tests that merging is a union, on generated packs that overlap and contradict each other.

use std::collections::HashSet;

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::merge;
use crate::redact::Policy;
use crate::render::pack::json::{pack_id, read, write};
use crate::render::pack::model::{
    Artifact, Decision, DocRef, FreeObject, Input, Pack, Priority, RelevantFile, Workspace,
};
use serde_json::{Value, json};

/// Uses only a few names, so that packs overlap.
fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c/d", "e~f"]).prop_map(ToOwned::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    select(vec!["one", "two", "three", "[\"one\"]", "é\u{202e}\"\\"]).prop_map(ToOwned::to_owned)
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(name(), 0..3)
}

fn hash(digits: usize) -> impl Strategy<Value = Option<String>> {
    option::of(select(vec!['0', 'a', 'f']).prop_map(move |digit| digit.to_string().repeat(digits)))
}

fn decision() -> impl Strategy<Value = Decision> {
    let id = select(vec![
        "D1",
        "D2",
        "conflict:/goal",
        "conflict:/workspace",
        "conflict:/elsewhere",
        "conflict:/decisions/D1",
    ]);
    let rationale = option::of(select(vec![
        "[\"one\",\"zero\"]",
        "[\"\",\"one\"]",
        "by hand",
        "[]",
        "[1]",
        "[\"{\\\"rootPath\\\": \\\"a\\\", \\\"mode\\\":\\\"shared\\\"}\",\"{\\\"mode\\\":\\\"x\\\",\\\"rootPath\\\":\\\"\\\"}\"]",
        "[\"{\\\"summary\\\": \\\"a\\\", \\\"id\\\":\\\"D1\\\",\\\"links\\\":[\\\"z\\\",\\\"y\\\",\\\"z\\\"]}\"]",
        "[\"{\\\"summary\\\": \\\"a\\\", \\\"id\\\":\\\"A0\\\",\\\"links\\\":[\\\"z\\\",\\\"y\\\",\\\"z\\\"]}\"]",
    ]));
    (id, text(), rationale, names()).prop_map(|(id, summary, rationale, links)| Decision {
        id: id.to_owned(),
        summary,
        rationale: rationale.map(ToOwned::to_owned),
        links,
    })
}

fn lists() -> impl Strategy<Value = Pack> {
    let docs = (name(), names(), option::of(text()), select(vec![Priority::Low, Priority::Medium, Priority::High]))
        .prop_map(|(path, anchors, excerpt, priority)| DocRef { path, anchors, excerpt, priority });
    let files = (name(), option::of(text()), option::of(text()), hash(12))
        .prop_map(|(path, purpose, excerpt, hash)| RelevantFile { path, purpose, excerpt, hash });
    let inputs = (name(), option::of(name()), option::of(name()))
        .prop_map(|(payload_id, from_node_id, edge_id)| Input { payload_id, from_node_id, edge_id });
    let artifacts = (name(), select(vec!["diff", "log", "unknown"]), option::of(text()), hash(64))
        .prop_map(|(name, kind, summary, sha256)| Artifact { r#ref: name, r#type: kind.to_owned(), summary, sha256 });
    let few = 0..4;
    (
        prop::collection::vec(docs, few.clone()),
        prop::collection::vec(files, few.clone()),
        prop::collection::vec(inputs, few.clone()),
        prop::collection::vec(artifacts, few.clone()),
        prop::collection::vec(decision(), few),
    )
        .prop_map(|(doc_refs, relevant_files, inputs, artifacts, decisions)| Pack {
            doc_refs,
            relevant_files,
            inputs,
            artifacts,
            decisions,
            ..Pack::default()
        })
}

/// An object of lists, strings, numbers and objects, with only a few names.
fn object() -> impl Strategy<Value = FreeObject> {
    let value = prop_oneof![
        names().prop_map(|names| json!(names)),
        text().prop_map(Value::String),
        (0..3u32).prop_map(|number| json!(number)),
        name().prop_map(|name| json!([{"generator": name}])),
        name().prop_map(|name| json!({"b": name, "a": 1})),
    ];
    let key = select(vec!["allowed", "blocked", "x/y", "rules"]);
    prop::collection::vec((key, value), 0..4)
        .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn packs() -> impl Strategy<Value = Pack> {
    let workspace = (select(vec!["shared", "worktree", "copy"]), name(), option::of(name())).prop_map(
        |(mode, root_path, branch)| Workspace { mode: mode.to_owned(), root_path, worktree_path: None, branch },
    );
    let times = select(vec!["2026-01-24T10:30:00Z", "2026-01-25T10:30:00Z"]);
    let modes = (select(vec!["planning", "implementation"]), option::of(select(vec!["auto", "interactive"])));
    let scalars = (text(), names(), object(), modes, option::of(name()), option::of(name()), option::of(times));
    (lists(), scalars, option::of(object()), option::of(workspace), object(), option::of(name())).prop_map(
        |(lists, scalars, repo_facts, workspace, tool_policy, output_schema_ref)| {
            let (goal, definition_of_done, constraints, (global_mode, node_mode), run_id, node_id, created_at) =
                scalars;
            let mut pack = Pack {
                goal,
                definition_of_done,
                constraints,
                global_mode: global_mode.to_owned(),
                node_mode: node_mode.map(ToOwned::to_owned),
                docs_root: run_id.clone().unwrap_or_else(|| "/docs".to_owned()),
                run_id,
                node_id,
                created_at: created_at.map(ToOwned::to_owned),
                repo_facts,
                workspace,
                tool_policy,
                output_schema_ref,
                ..lists
            };
            pack.pack_id = pack_id(&pack);
            pack
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn order_grouping_and_repetition_do_not_matter(a in packs(), b in packs(), c in packs()) {
        let all = merge(&[a.clone(), b.clone(), c.clone()]);
        prop_assert_eq!(&merge(&[c.clone(), a.clone(), b.clone()]), &all);
        prop_assert_eq!(&merge(&[merge(&[a.clone(), b.clone()]), c.clone()]), &all);
        prop_assert_eq!(&merge(&[a.clone(), merge(&[b.clone(), c.clone()])]), &all);
        prop_assert_eq!(&merge(&[all.clone(), all.clone()]), &all);
        prop_assert_eq!(&merge(&[all.clone(), b.clone()]), &all);
        prop_assert_eq!(merge(&[a.clone(), a.clone()]), merge(&[a]));
    }

    #[test]
    fn a_merged_pack_is_valid_and_has_no_duplicates(a in packs(), b in packs()) {
        let merged = merge(&[a.clone(), b.clone()]);
        prop_assert_eq!(&merged.pack_id, &pack_id(&merged));
        prop_assert_eq!(read(&write(&merged), &Policy::off()), Ok(merged.clone()));
        let paths: HashSet<&str> = merged.relevant_files.iter().map(|file| file.path.as_str()).collect();
        prop_assert_eq!(paths.len(), merged.relevant_files.len());
        for pack in [&a, &b] {
            for doc in &pack.doc_refs {
                let same: Vec<_> = merged.doc_refs.iter().filter(|other| other.path == doc.path).collect();
                prop_assert_eq!(same.len(), 1);
                prop_assert!(same[0].priority >= doc.priority);
                prop_assert!(doc.anchors.iter().all(|anchor| same[0].anchors.contains(anchor)));
            }
            for (name, value) in &pack.constraints {
                let kept = &merged.constraints[name];
                let listed = value.as_array().is_none_or(|list| list.iter().all(|entry| {
                    kept.as_array().is_some_and(|all| all.contains(entry))
                }));
                prop_assert!(listed, "{name}: {value} in {kept}");
            }
            // An excerpt is never paired with the hash of another version.
            for file in merged.relevant_files.iter().filter(|file| file.excerpt.is_some() && file.hash.is_some()) {
                let same = |other: &RelevantFile| {
                    (&other.path, &other.excerpt, &other.hash) == (&file.path, &file.excerpt, &file.hash)
                };
                prop_assert!(a.relevant_files.iter().chain(&b.relevant_files).any(same));
            }
            for artifact in &pack.artifacts {
                prop_assert_eq!(merged.artifacts.iter().filter(|other| other.r#ref == artifact.r#ref).count(), 1);
            }
        }
        // Every statement is kept or listed as a conflict.
        if a.goal != b.goal {
            let listed = merged.decisions.iter().find(|decision| decision.id == "conflict:/goal").unwrap();
            let others: Vec<String> = serde_json::from_str(listed.rationale.as_ref().unwrap()).unwrap();
            for goal in [&a.goal, &b.goal] {
                prop_assert!(merged.goal == *goal || others.contains(goal));
            }
        }
    }
}

#[test]
fn conflicts_are_listed() {
    let pack = |goal: &str, hash: &str| {
        let file = RelevantFile { path: "a.rs".to_owned(), hash: Some(hash.repeat(12)), ..RelevantFile::default() };
        Pack {
            goal: goal.to_owned(),
            global_mode: "planning".to_owned(),
            docs_root: "/docs".to_owned(),
            relevant_files: vec![file],
            ..Pack::default()
        }
    };
    let merged = merge(&[pack("Mend it", "b"), pack("Add it", "a"), pack("Add it", "a")]);
    assert_eq!(merged.goal, "Add it");
    let told: Vec<(&str, &str)> =
        merged.decisions.iter().map(|found| (found.id.as_str(), found.rationale.as_deref().unwrap())).collect();
    assert_eq!(
        told,
        [("conflict:/goal", "[\"Mend it\"]"), ("conflict:/relevantFiles/a.rs/hash", "[\"bbbbbbbbbbbb\"]")]
    );
    assert_eq!(merge(&[pack("Add it", "a"), pack("Add it", "a")]).decisions, []);
}
