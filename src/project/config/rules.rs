//! Smaller configuration types: glob rules, templates, programs.

use serde::{Deserialize, Serialize};

use super::checks;
use crate::project::overrides::Tier;

/// An entry of `boosts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boost {
    /// Files the entry applies to.
    #[serde(deserialize_with = "checks::glob")]
    pub glob: String,
    /// Points added to the score.
    #[serde(deserialize_with = "checks::boost_points")]
    pub points: i8,
}

/// An entry of `tiers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TierRule {
    /// Files the entry applies to.
    #[serde(deserialize_with = "checks::glob")]
    pub glob: String,
    /// Tier assigned to these files.
    pub tier: Tier,
}

/// The user's text around a payload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Template {
    /// Text before the payload.
    pub before: Option<String>,
    /// Text after the payload.
    pub after: Option<String>,
}

/// A program that reads a payload on standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipe {
    /// Name for `--pipe`.
    pub name: String,
    /// The command line.
    pub run: String,
    /// Time limit in seconds.
    #[serde(default = "Pipe::default_timeout", deserialize_with = "checks::seconds")]
    pub timeout_seconds: u64,
}

impl Pipe {
    /// Default time limit in seconds.
    pub(super) fn default_timeout() -> u64 {
        600
    }
}

/// Assumed characters per token, for models without a public tokenizer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CharactersPerToken {
    /// Claude models.
    #[serde(deserialize_with = "checks::characters")]
    pub claude: f64,
    /// Gemini models.
    #[serde(deserialize_with = "checks::characters")]
    pub gemini: f64,
}

impl Default for CharactersPerToken {
    fn default() -> Self {
        Self { claude: 3.5, gemini: 4.0 }
    }
}
