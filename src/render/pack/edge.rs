//! The edge payload: a small envelope that passes a reference to a pack from one node to the next.

use serde::Serialize;
use serde_json::{Map, Value};

use super::json::{content_id, write_value};
use super::model::Pack;
use crate::project::clock;

/// The kinds of edge payloads.
pub const KINDS: [&str; 9] =
    ["message", "structured", "diff", "verification", "report", "join", "tick", "artifact_ref", "unknown"];

/// An edge payload.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EdgePayload {
    payload_id: String,
    kind: String,
    from_node_id: String,
    edge_id: String,
    created_at: String,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    context_pack_ref: ContextPackRef,
    provenance: Map<String, Value>,
}

/// The outcome of the work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// True if the work succeeded.
    pub ok: bool,
    /// A short code for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The reason, for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Message {
    content: String,
    format: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ContextPackRef {
    r#ref: String,
    r#type: &'static str,
    mime: &'static str,
    summary: String,
    sha256: String,
}

/// Fields of an envelope that do not come from the pack.
#[derive(Debug, Clone, Default)]
pub struct EdgeOptions {
    /// One of [`KINDS`]; the default is `message` if there is one, otherwise `artifact_ref`.
    pub kind: Option<String>,
    /// The sending node; the default is the pack's node.
    pub from_node: Option<String>,
    /// The edge; the default is a name made of the pack's run and node.
    pub edge: Option<String>,
    /// A message, as Markdown.
    pub message: Option<String>,
    /// The outcome.
    pub status: Status,
}

/// The envelope of a pack that is stored at `path` as `text`.
pub fn envelope(pack: &Pack, path: &str, text: &str, created: i64, options: EdgeOptions) -> EdgePayload {
    let from_node_id = options.from_node.or_else(|| pack.node_id.clone()).unwrap_or_else(|| "teddy".to_owned());
    let run = pack.run_id.as_deref().unwrap_or("run");
    let default_kind = if options.message.is_some() { "message" } else { "artifact_ref" };
    let mut provenance = Map::new();
    provenance.insert("generator".to_owned(), concat!("teddy ", env!("CARGO_PKG_VERSION")).into());
    provenance.insert("packId".to_owned(), pack.pack_id.clone().into());
    let mut envelope = EdgePayload {
        payload_id: String::new(),
        kind: options.kind.unwrap_or_else(|| default_kind.to_owned()),
        edge_id: options.edge.unwrap_or_else(|| format!("{run}/{from_node_id}")),
        from_node_id,
        created_at: clock::iso(created),
        status: options.status,
        message: options.message.map(|content| Message { content, format: "markdown" }),
        context_pack_ref: ContextPackRef {
            r#ref: path.replace('\\', "/"),
            r#type: "context_pack",
            mime: "application/json",
            summary: pack.goal.clone(),
            sha256: super::json::sha256(text),
        },
        provenance,
    };
    let value = serde_json::to_value(&envelope).unwrap_or_default();
    envelope.payload_id = content_id(value, &["payloadId", "createdAt"]);
    envelope
}

/// The envelope as text.
pub fn write(envelope: &EdgePayload) -> String {
    write_value(&serde_json::to_value(envelope).unwrap_or_default())
}
