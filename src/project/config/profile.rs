//! Named groups of settings: `--profile review`.

use serde::{Deserialize, Serialize};

use super::{Boost, Config, Format, Template, TierRule, checks};
use crate::error::{Error, Result};

/// The settings of one profile; `None` leaves a setting unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Token limit for every complexity.
    #[serde(deserialize_with = "checks::limit", skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// Format of the payload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Target model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokenizer name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<String>,
    /// Auto-fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<bool>,
    /// Maximum tokens per part.
    #[serde(deserialize_with = "checks::part_tokens", skip_serializing_if = "Option::is_none")]
    pub split: Option<u64>,
    /// Additional globs of files that are never candidates.
    #[serde(deserialize_with = "checks::globs", skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Only files that match one of these globs are allowed. Replaces the top-level `only`.
    #[serde(deserialize_with = "checks::globs", skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Additional tier rules, which take precedence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<TierRule>,
    /// Additional boosts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boosts: Vec<Boost>,
    /// Text around the payload; only from the user's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

impl Config {
    /// Applies the named profile, if any.
    pub fn with_profile(&self, name: Option<&str>) -> Result<Self> {
        let mut config = self.clone();
        let Some(name) = name else { return Ok(config) };
        let Some(profile) = self.profiles.get(name) else {
            let nearest = crate::text::nearest(name, self.profiles.keys().map(String::as_str));
            let known: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            let hint = match (nearest, known.is_empty()) {
                (Some(nearest), _) => format!("did you mean `{nearest}`?"),
                (None, false) => format!("profiles: {}", known.join(", ")),
                (None, true) => "define one under `profiles` in config.yaml; `teddy doctor` shows its path".to_owned(),
            };
            return Err(Error::input(format!("unknown profile `{name}`"), hint));
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
