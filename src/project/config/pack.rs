//! Settings of context packs that no scan can find out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::project::yaml::null_is_default;

/// Members of a pack that come from the configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackSettings {
    /// The node's mode.
    pub node_mode: Option<NodeMode>,
    /// The schema or contract that the answer keeps to.
    pub output_schema: Option<String>,
    /// Allowed and blocked tools, approval mode and the like; from the user's own file only.
    #[serde(deserialize_with = "null_is_default")]
    pub tool_policy: BTreeMap<String, Value>,
    /// Constraints of every session.
    #[serde(deserialize_with = "null_is_default")]
    pub constraints: Vec<String>,
}

/// The mode of a node: whether it acts by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeMode {
    /// It acts without asking.
    Auto,
    /// A person takes part.
    Interactive,
}

impl NodeMode {
    /// The mode as packs write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Interactive => "interactive",
        }
    }
}
