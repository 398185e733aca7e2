//! Settings for fields of context packs that a scan cannot fill in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::project::yaml::null_is_default;

/// Fields of a pack that come from the configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackSettings {
    /// The node's mode.
    pub node_mode: Option<NodeMode>,
    /// Schema or contract of the answer.
    pub output_schema: Option<String>,
    /// Allowed and blocked tools, approval mode and so on; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub tool_policy: BTreeMap<String, Value>,
    /// Constraints for every session.
    #[serde(deserialize_with = "null_is_default")]
    pub constraints: Vec<String>,
}

/// Mode of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeMode {
    /// Works without asking.
    Auto,
    /// A person takes part.
    Interactive,
}

impl NodeMode {
    /// Name in packs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Interactive => "interactive",
        }
    }
}
