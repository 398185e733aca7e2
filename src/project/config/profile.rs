//! Settings that go together under a name: `--profile review`.

use serde::{Deserialize, Serialize};

use super::{Boost, Config, Format, Template, TierRule, checks};
use crate::error::{Error, Result};

/// What one profile says; what it does not say stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// The limit in tokens, whatever the complexity.
    #[serde(deserialize_with = "checks::limit", skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// What a payload looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The model the payload is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What counts tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<String>,
    /// Whether RAW is filled down the ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<bool>,
    /// The most tokens that one part may have.
    #[serde(deserialize_with = "checks::part_tokens", skip_serializing_if = "Option::is_none")]
    pub split: Option<u64>,
    /// More globs of files that are never candidates.
    #[serde(deserialize_with = "checks::globs", skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Globs of the only files that may be in the payload, in place of the others.
    #[serde(deserialize_with = "checks::globs", skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// More tiers; they go over the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<TierRule>,
    /// More boosts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boosts: Vec<Boost>,
    /// Words around the payload, from the user's own file only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

impl Config {
    /// The configuration with a profile over it, if one is named.
    pub fn with_profile(&self, name: Option<&str>) -> Result<Self> {
        let mut config = self.clone();
        let Some(name) = name else { return Ok(config) };
        let Some(profile) = self.profiles.get(name) else {
            let nearest = crate::text::nearest(name, self.profiles.keys().map(String::as_str));
            let known: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            let hint = match (nearest, known.is_empty()) {
                (Some(nearest), _) => format!("did you mean `{nearest}`?"),
                (None, false) => format!("there are: {}", known.join(", ")),
                (None, true) => {
                    "write one under `profiles` in config.yaml; `teddy doctor` says where that is".to_owned()
                }
            };
            return Err(Error::input(format!("there is no profile `{name}`"), hint));
        };
        if let Some(limit) = profile.budget {
            (config.budget.simple, config.budget.medium, config.budget.complex) = (limit, limit, limit);
        }
        if let Some(tokenizer) = &profile.tokenizer {
            config.tokenizer.clone_from(tokenizer);
            config.model = None;
        }
        config.format = profile.format.unwrap_or(config.format);
        config.model = profile.model.clone().or(config.model);
        config.fill = profile.fill.unwrap_or(config.fill);
        config.split = profile.split.or(config.split);
        config.ignore.extend(profile.ignore.iter().cloned());
        config.tiers.extend(profile.tiers.iter().cloned());
        config.boosts.extend(profile.boosts.iter().cloned());
        if !profile.only.is_empty() {
            config.only.clone_from(&profile.only);
        }
        if let Some(template) = &profile.template {
            config.template.clone_from(template);
        }
        Ok(config)
    }
}
