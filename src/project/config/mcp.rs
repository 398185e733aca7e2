//! Access of coding agents.

use serde::{Deserialize, Serialize};

use crate::project::yaml::null_is_default;

/// Access of coding agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Mcp {
    /// Permission to read contents beyond those that the person has delivered.
    #[serde(deserialize_with = "null_is_default")]
    pub fetch: Permission,
}

/// A permission of coding agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Without asking.
    #[default]
    Allow,
    /// The person decides on the screen; without a screen, the request is denied.
    Ask,
}
