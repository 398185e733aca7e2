//! The smaller parts of the configuration: rules by glob, words around a payload, programs, figures.

use serde::{Deserialize, Serialize};

use super::checks;

/// One line of `boosts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boost {
    /// Which files.
    #[serde(deserialize_with = "checks::glob")]
    pub glob: String,
    /// Points to add to their score.
    #[serde(deserialize_with = "checks::boost_points")]
    pub points: i8,
}

/// One line of `tiers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TierRule {
    /// Which files.
    #[serde(deserialize_with = "checks::glob")]
    pub glob: String,
    /// The tier they go to.
    pub tier: RuleTier,
}

/// The tier that a rule can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleTier {
    /// Inlined.
    Raw,
    /// A reference.
    Linked,
    /// A mention.
    Summary,
    /// Left out.
    Out,
}

/// Words of the user's own around a payload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Template {
    /// What stands before it.
    pub before: Option<String>,
    /// What stands after it.
    pub after: Option<String>,
}

/// A program that payloads can be handed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipe {
    /// What it is called after `--pipe`.
    pub name: String,
    /// The command line.
    pub run: String,
    /// How long it may take.
    #[serde(default = "Pipe::patience", deserialize_with = "checks::seconds")]
    pub timeout_seconds: u64,
}

impl Pipe {
    /// How many seconds a program has that is given none.
    pub(super) fn patience() -> u64 {
        600
    }
}

/// How many characters a token is taken to have, for models whose tokenizer is not public.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CharactersPerToken {
    /// For Claude.
    #[serde(deserialize_with = "checks::characters")]
    pub claude: f64,
    /// For Gemini.
    #[serde(deserialize_with = "checks::characters")]
    pub gemini: f64,
}

impl Default for CharactersPerToken {
    fn default() -> Self {
        Self { claude: 3.5, gemini: 4.0 }
    }
}
