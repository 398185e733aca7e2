//! Position of the request in a payload.

use serde::{Deserialize, Serialize};

/// Position of the request in a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestPosition {
    /// Before the contents.
    First,
    /// After the contents.
    #[default]
    Last,
    /// Before and after the contents.
    Both,
}

impl RequestPosition {
    /// All positions.
    pub const ALL: [Self; 3] = [Self::First, Self::Last, Self::Both];

    /// Name in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Both => "both",
        }
    }

    /// Returns true if the request comes before the contents.
    pub fn is_first(self) -> bool {
        self != Self::Last
    }

    /// Returns true if the request comes after the contents.
    pub fn is_last(self) -> bool {
        self != Self::First
    }
}
