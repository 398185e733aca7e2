//! The configuration: defaults, then the user's own file, then the project's, each over the one before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::yaml::null_is_default;
use super::{Project, files};
use crate::error::Result;

mod checks;
mod format;
mod layers;
mod profile;
mod rules;

pub use format::Format;
pub use profile::Profile;
pub use rules::{Boost, CharactersPerToken, Pipe, RuleTier, Template, TierRule};

/// The commented default configuration, for people to read and copy.
pub const COMMENTED_DEFAULTS: &str = include_str!("../../assets/config.yaml");

/// The variable that names the user's configuration directory in place of the system's usual one.
pub const CONFIG_DIR_VARIABLE: &str = "TEDDY_CONFIG_DIR";

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Token limits and their split.
    #[serde(deserialize_with = "null_is_default")]
    pub budget: Budget,
    /// The vocabulary that counts tokens, or `estimate`.
    #[serde(deserialize_with = "checks::tokenizer")]
    pub tokenizer: String,
    /// The model the payload is for.
    pub model: Option<String>,
    /// For models whose tokenizer is not public.
    #[serde(deserialize_with = "null_is_default")]
    pub characters_per_token: CharactersPerToken,
    /// What a payload looks like.
    #[serde(deserialize_with = "null_is_default")]
    pub format: Format,
    /// The most tokens that one part of a payload may have, where it goes out in parts.
    #[serde(deserialize_with = "checks::part_tokens")]
    pub split: Option<u64>,
    /// Whether `hybrid` and `xml` payloads ask the reader to acknowledge them.
    #[serde(deserialize_with = "checks::on_unless_said")]
    pub acknowledgement: bool,
    /// Larger files are skipped.
    #[serde(deserialize_with = "checks::file_bytes")]
    pub max_file_bytes: u64,
    /// How many commits are read for history evidence.
    #[serde(deserialize_with = "checks::history_commits")]
    pub history_commits: u32,
    /// Whether RAW is filled down the ranking.
    #[serde(deserialize_with = "null_is_default")]
    pub fill: bool,
    /// Files that matter more or less than teddy would think.
    #[serde(deserialize_with = "null_is_default")]
    pub boosts: Vec<Boost>,
    /// Files whose tier is settled.
    #[serde(deserialize_with = "null_is_default")]
    pub tiers: Vec<TierRule>,
    /// Weights of single signals, by name.
    #[serde(deserialize_with = "null_is_default")]
    pub weights: BTreeMap<String, f64>,
    /// Globs of files that are never candidates.
    #[serde(deserialize_with = "checks::globs")]
    pub ignore: Vec<String>,
    /// Globs of the only files that may be in a payload; none means all.
    #[serde(deserialize_with = "checks::globs")]
    pub only: Vec<String>,
    /// Settings that go together, by name.
    #[serde(deserialize_with = "null_is_default")]
    pub profiles: BTreeMap<String, Profile>,
    /// Words around a payload, from the user's own file only.
    #[serde(deserialize_with = "null_is_default")]
    pub template: Template,
    /// How secrets are found.
    #[serde(deserialize_with = "null_is_default")]
    pub redact: Redact,
    /// Commands whose output can be an item; from the user's own file only.
    #[serde(deserialize_with = "null_is_default")]
    pub commands: Vec<Command>,
    /// Programs that payloads can be handed to, from the user's own file only.
    #[serde(deserialize_with = "null_is_default")]
    pub pipes: Vec<Pipe>,
    /// How a payload gets to the clipboard.
    #[serde(deserialize_with = "null_is_default")]
    pub clipboard: Clipboard,
    /// How the screen looks, from the user's own file only; `None` is the terminal's own colours.
    pub theme: Option<String>,
    /// Whether the screen is drawn with plain characters, from the user's own file only.
    #[serde(deserialize_with = "null_is_default")]
    pub ascii: bool,
    /// Keys that teddy does not know, dotted, with the file they are in; another tool may.
    #[serde(skip)]
    pub unknown_keys: Vec<(PathBuf, String)>,
    /// Keys that this file may not set: the file, the key, dotted, and why.
    #[serde(skip)]
    pub refused: Vec<(PathBuf, String, String)>,
    /// The names of pipes that only the repository's file has.
    #[serde(skip)]
    pub refused_pipes: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            budget: Budget::default(),
            tokenizer: "o200k_base".to_owned(),
            model: None,
            characters_per_token: CharactersPerToken::default(),
            format: Format::default(),
            split: None,
            acknowledgement: true,
            max_file_bytes: 1_000_000,
            history_commits: 2000,
            fill: false,
            boosts: Vec::new(),
            tiers: Vec::new(),
            weights: BTreeMap::new(),
            ignore: Vec::new(),
            only: Vec::new(),
            profiles: BTreeMap::new(),
            template: Template::default(),
            redact: Redact::default(),
            commands: Vec::new(),
            pipes: Vec::new(),
            clipboard: Clipboard::default(),
            theme: None,
            ascii: false,
            unknown_keys: Vec::new(),
            refused: Vec::new(),
            refused_pipes: Vec::new(),
        }
    }
}

/// Token limits by complexity, and their split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// The limit for a simple task.
    #[serde(deserialize_with = "checks::simple")]
    pub simple: u64,
    /// The limit for a medium task.
    #[serde(deserialize_with = "checks::medium")]
    pub medium: u64,
    /// The limit for a complex task.
    #[serde(deserialize_with = "checks::complex")]
    pub complex: u64,
    /// Percent for RAW, LINKED and SUMMARY; together 100.
    #[serde(deserialize_with = "checks::split")]
    pub split: [u32; 3],
}

impl Default for Budget {
    fn default() -> Self {
        Self { simple: 25_000, medium: 70_000, complex: 100_000, split: [90, 9, 1] }
    }
}

/// How a payload gets to the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clipboard {
    /// Whatever works here.
    #[default]
    Auto,
    /// The system's own clipboard.
    Native,
    /// The terminal's escape sequence.
    Osc52,
    /// A helper program.
    Helper,
    /// Never.
    Off,
}

/// How secrets are found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Redact {
    /// Whether they are looked for at all.
    #[serde(deserialize_with = "checks::on_unless_said")]
    pub enabled: bool,
    /// A file with more rules, from the user's own config only.
    pub rules_file: Option<PathBuf>,
    /// Regular expressions for what looks like a secret and is none, from the user's own config only.
    #[serde(deserialize_with = "null_is_default")]
    pub allow: Vec<String>,
}

impl Default for Redact {
    fn default() -> Self {
        Self { enabled: true, rules_file: None, allow: Vec::new() }
    }
}

/// A command whose output can be an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// What it is called on the screen and in the payload.
    pub name: String,
    /// The command line.
    pub run: String,
}

impl Config {
    /// The configuration for `project`, or for no project yet: defaults, the user's file, the project's file.
    pub fn load(project: Option<&Project>) -> Result<Self> {
        Self::load_from(user_dir().as_deref(), project)
    }

    /// As [`Config::load`], with the user's configuration directory given.
    pub fn load_from(user_dir: Option<&Path>, project: Option<&Project>) -> Result<Self> {
        let mut layers = layers::Layers::new();
        if let Some(path) = user_dir.map(|dir| dir.join("config.yaml"))
            && let Some(text) = files::read_own(&path)?
        {
            layers.add(&path, &text, layers::Trust::Own)?;
        }
        if let Some(project) = project
            && let Some(text) = project.read(&project.config_file())?
        {
            layers.add(&project.config_file(), &text, layers::Trust::Repository)?;
        }
        layers.into_config()
    }
}

/// The user's own configuration directory: what `TEDDY_CONFIG_DIR` says, else the system's usual place.
pub fn user_dir() -> Option<PathBuf> {
    files::said_or_usual(std::env::var_os(CONFIG_DIR_VARIABLE), |dirs| dirs.config_dir().to_path_buf())
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
