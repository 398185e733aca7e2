//! The tools: names, descriptions and parameters. A client sends this text to its model in every conversation, so each
//! word costs tokens.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::render::Format;

/// A sentence for the client's model on when to use the server.
pub const INSTRUCTIONS: &str =
    "Chooses context for a task in this repository. Call plan before reading files, then fetch what it links.";

/// All tools.
pub fn all() -> Vec<Tool> {
    let formats: Vec<&str> = std::iter::once("selection").chain(Format::ALL.into_iter().map(Format::name)).collect();
    vec![
        tool(
            "plan",
            "Select the files and lines that matter for a task. Without a task: the context the user prepared.",
            json!({"type": "object", "properties": {
                "task": {"type": "string"},
                "budget": {"type": "integer", "description": "token limit of the payload"},
                "format": {"enum": formats, "description": "default selection: paths and lines; others: contents"},
            }}),
            true,
        ),
        tool(
            "fetch",
            "Read project files: path, path:10-80 or path#definition.",
            json!({"type": "object", "properties": {
                "paths": {"type": "array", "items": {"type": "string"}},
                "max_tokens": {"type": "integer"},
            }, "required": ["paths"]}),
            true,
        ),
        tool(
            "explain",
            "Say why a file scores as it does for a task.",
            json!({"type": "object", "properties": {
                "path": {"type": "string"},
                "task": {"type": "string"},
            }, "required": ["path"]}),
            true,
        ),
        tool(
            "acknowledge",
            "Record the PAYLOAD_ACK block of a payload; returns sections reported missing.",
            json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
            false,
        ),
    ]
}

fn tool(name: &'static str, description: &'static str, schema: Value, read_only: bool) -> Tool {
    let schema: Map<String, Value> = match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    let annotations = ToolAnnotations::new().read_only(read_only).destructive(false).open_world(false);
    Tool::new(name, description, Arc::new(schema)).with_annotations(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::tokens::Tokenizer;

    #[test]
    fn all_tools_together_cost_little() {
        let text = serde_json::to_string(&all()).unwrap();
        let tokens = Tokenizer::named("o200k_base").unwrap().count(&text);
        assert!(tokens < 450, "{tokens}: {text}");
    }
}
