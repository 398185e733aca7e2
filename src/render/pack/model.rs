//! The data model of a context pack. The schema in docs/schemas describes it for other programs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An object with arbitrary members.
pub type FreeObject = Map<String, Value>;

/// A context pack for one turn of work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pack {
    /// Id of the pack.
    pub pack_id: String,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// Creation time, ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// The objective.
    pub goal: String,
    /// The acceptance criteria.
    pub definition_of_done: Vec<String>,
    /// `planning` or `implementation`.
    pub global_mode: String,
    /// `auto` or `interactive`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_mode: Option<String>,
    /// The directory of the documents.
    pub docs_root: String,
    /// Contract documents.
    pub doc_refs: Vec<DocRef>,
    /// Languages and tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo_facts: Option<FreeObject>,
    /// The workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Workspace>,
    /// Relevant files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relevant_files: Vec<RelevantFile>,
    /// Payloads that this one follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Diffs, logs, reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<Artifact>,
    /// Decisions made so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// Constraints on the work.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub constraints: FreeObject,
    /// Allowed and blocked tools.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub tool_policy: FreeObject,
    /// Schema of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema_ref: Option<String>,
}

/// The priority of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// Low priority.
    #[default]
    Low,
    /// Useful.
    Medium,
    /// The contract itself.
    High,
}

/// A reference to a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocRef {
    /// Path of the document.
    pub path: String,
    /// Relevant headings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<String>,
    /// Excerpt of the text below them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// Priority of the document.
    pub priority: Priority,
}

/// A relevant file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelevantFile {
    /// Path of the file.
    pub path: String,
    /// Purpose of the file, and its relevance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// An outline, or the matching lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// sha256 of the file, or its first digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// A payload that this one follows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Id of the payload.
    pub payload_id: String,
    /// The node that created it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_node_id: Option<String>,
    /// The edge that delivered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_id: Option<String>,
}

/// A diff, a log, a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Location of the artifact.
    pub r#ref: String,
    /// Kind of artifact.
    pub r#type: String,
    /// Summary of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// sha256 of the artifact's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A decision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Id of the decision.
    pub id: String,
    /// The decision.
    pub summary: String,
    /// Rationale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// References.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

/// The members of `repoFacts` that teddy writes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoFacts {
    /// Languages, most used first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// The program that installs dependencies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package_manager: Option<String>,
    /// The command that builds the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_command: Option<String>,
    /// The command that runs the tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_command: Option<String>,
    /// Entry points of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entry_points: Vec<String>,
    /// The sources of the pack, or of each pack that was merged into it.
    pub provenance: Vec<Provenance>,
}

/// The workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Workspace {
    /// `shared`, `worktree` or `copy`.
    pub mode: String,
    /// The project's directory.
    pub root_path: String,
    /// The top of the linked work tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree_path: Option<String>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// The source of a pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The program that made it.
    pub generator: String,
    /// The commit that was checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Number of files that differ from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncommitted: Option<u64>,
}
