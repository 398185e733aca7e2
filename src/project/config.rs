//! Configuration: defaults, then the user's file, then the project's; later files take precedence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::yaml::null_is_default;
use super::{Project, files};
use crate::error::Result;

mod checks;
mod format;
mod layers;
mod mcp;
mod pack;
mod profile;
mod request_position;
mod rules;

pub use format::Format;
pub use mcp::{Mcp, Permission};
pub use pack::{NodeMode, PackSettings};
pub use profile::Profile;
pub use request_position::RequestPosition;
pub use rules::{Boost, CharactersPerToken, Pipe, Template, TierRule};

/// The default configuration with comments.
pub const COMMENTED_DEFAULTS: &str = include_str!("../../assets/config.yaml");

/// Environment variable that overrides the user's configuration directory.
pub const CONFIG_DIR_VARIABLE: &str = "TEDDY_CONFIG_DIR";

/// All settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of config.yaml")]
pub struct Config {
    /// Token limits and their split between tiers.
    #[serde(deserialize_with = "null_is_default")]
    pub budget: Budget,
    /// Tokenizer vocabulary, or `estimate`.
    #[serde(deserialize_with = "checks::tokenizer")]
    pub tokenizer: String,
    /// Target model.
    pub model: Option<String>,
    /// Dollars per million input tokens.
    #[serde(deserialize_with = "checks::price")]
    pub price_per_million: Option<f64>,
    /// Estimates for models without a public tokenizer.
    #[serde(deserialize_with = "null_is_default")]
    pub characters_per_token: CharactersPerToken,
    /// Format of the payload.
    #[serde(deserialize_with = "null_is_default")]
    pub format: Format,
    /// Maximum tokens per part, if payloads are split.
    #[serde(deserialize_with = "checks::part_tokens")]
    pub split: Option<u64>,
    /// Ask the model for an acknowledgement (formats hybrid and xml).
    #[serde(deserialize_with = "checks::true_by_default")]
    pub acknowledgement: bool,
    /// Position of the request in the payload.
    #[serde(deserialize_with = "null_is_default")]
    pub request: RequestPosition,
    /// Number the lines of files.
    #[serde(deserialize_with = "null_is_default")]
    pub line_numbers: bool,
    /// Start `prompt` and `xml` with what the previous payload has in common.
    #[serde(deserialize_with = "checks::true_by_default")]
    pub reuse: bool,
    /// Context window of the model, and its shares.
    #[serde(deserialize_with = "checks::window")]
    pub window: Window,
    /// File with a plan for the first turn of a session, relative to the project's root.
    pub plan: Option<String>,
    /// Maximum file size; larger files are skipped.
    #[serde(deserialize_with = "checks::file_bytes")]
    pub max_file_bytes: u64,
    /// Number of commits to read.
    #[serde(deserialize_with = "checks::history_commits")]
    pub history_commits: u32,
    /// Auto-fill.
    #[serde(deserialize_with = "null_is_default")]
    pub fill: bool,
    /// Score adjustments by glob.
    #[serde(deserialize_with = "null_is_default")]
    pub boosts: Vec<Boost>,
    /// Fixed tiers by glob.
    #[serde(deserialize_with = "null_is_default")]
    pub tiers: Vec<TierRule>,
    /// Weights of signals, by name.
    #[serde(deserialize_with = "null_is_default")]
    pub weights: BTreeMap<String, f64>,
    /// Globs of files that are never candidates.
    #[serde(deserialize_with = "checks::globs")]
    pub ignore: Vec<String>,
    /// Only files that match one of these globs are allowed; empty means all.
    #[serde(deserialize_with = "checks::globs")]
    pub only: Vec<String>,
    /// Named groups of settings.
    #[serde(deserialize_with = "null_is_default")]
    pub profiles: BTreeMap<String, Profile>,
    /// Text around a payload; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub template: Template,
    /// Fields of packs that a scan cannot fill in.
    #[serde(deserialize_with = "null_is_default")]
    pub pack: PackSettings,
    /// Redaction of secrets.
    #[serde(deserialize_with = "null_is_default")]
    pub redact: Redact,
    /// Commands whose output is an item; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub commands: Vec<Command>,
    /// Programs for `--pipe`; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub pipes: Vec<Pipe>,
    /// Access of coding agents; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub mcp: Mcp,
    /// Clipboard method.
    #[serde(deserialize_with = "null_is_default")]
    pub clipboard: Clipboard,
    /// Theme, only from the user's file; `None` uses the terminal's colours.
    pub theme: Option<String>,
    /// Draw with ASCII characters; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub ascii: bool,
    /// Unknown keys (dotted) with their file. They may belong to other tools.
    #[serde(skip)]
    pub unknown_keys: Vec<(PathBuf, String)>,
    /// Keys that were ignored: file, dotted key and reason.
    #[serde(skip)]
    pub refused: Vec<(PathBuf, String, String)>,
    /// Names of pipes defined only in the repository's file, which are ignored.
    #[serde(skip)]
    pub refused_pipes: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            budget: Budget::default(),
            tokenizer: "o200k_base".to_owned(),
            model: None,
            price_per_million: None,
            characters_per_token: CharactersPerToken::default(),
            format: Format::default(),
            split: None,
            acknowledgement: true,
            request: RequestPosition::default(),
            line_numbers: false,
            reuse: true,
            window: Window::default(),
            plan: None,
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
            pack: PackSettings::default(),
            redact: Redact::default(),
            commands: Vec::new(),
            pipes: Vec::new(),
            mcp: Mcp::default(),
            clipboard: Clipboard::default(),
            theme: None,
            ascii: false,
            unknown_keys: Vec::new(),
            refused: Vec::new(),
            refused_pipes: Vec::new(),
        }
    }
}

/// Token limits by complexity, and their split between tiers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Limit for a simple task.
    #[serde(deserialize_with = "checks::simple")]
    pub simple: u64,
    /// Limit for a medium task.
    #[serde(deserialize_with = "checks::medium")]
    pub medium: u64,
    /// Limit for a complex task.
    #[serde(deserialize_with = "checks::complex")]
    pub complex: u64,
    /// Percentages for RAW, LINKED and SUMMARY, adding up to 100.
    #[serde(deserialize_with = "checks::split")]
    pub split: [u32; 3],
}

impl Default for Budget {
    fn default() -> Self {
        Self { simple: 25_000, medium: 70_000, complex: 100_000, split: [90, 9, 1] }
    }
}

/// A model's context window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Window {
    /// Size in tokens; `None` means the budget of the task's complexity.
    #[serde(deserialize_with = "checks::window_tokens")]
    pub tokens: Option<u64>,
    /// Percentages for system prompt, context, request and response, adding up to 100.
    #[serde(deserialize_with = "checks::window_shares")]
    pub shares: [u32; 4],
}

impl Default for Window {
    fn default() -> Self {
        Self { tokens: None, shares: [10, 50, 10, 30] }
    }
}

/// Clipboard method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clipboard {
    /// The first method that works.
    #[default]
    Auto,
    /// The system clipboard.
    Native,
    /// The OSC 52 escape sequence.
    Osc52,
    /// A helper program such as `wl-copy`.
    Helper,
    /// No clipboard.
    Off,
}

/// Redaction of secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Redact {
    /// True to redact secrets.
    #[serde(deserialize_with = "checks::true_by_default")]
    pub enabled: bool,
    /// File with additional rules; only from the user's file.
    pub rules_file: Option<PathBuf>,
    /// Regular expressions for values that are not secrets; only from the user's file.
    #[serde(deserialize_with = "null_is_default")]
    pub allow: Vec<String>,
}

impl Default for Redact {
    fn default() -> Self {
        Self { enabled: true, rules_file: None, allow: Vec::new() }
    }
}

/// A command whose output is an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Name on the screen and in the payload.
    pub name: String,
    /// The command line.
    pub run: String,
    /// Maximum tokens of its output. With `None`, the same share of the budget as for evidence.
    #[serde(default, deserialize_with = "checks::limit")]
    pub tokens: Option<u64>,
}

impl Config {
    /// Loads defaults, the user's file and the file of `project`, if any.
    pub fn load(project: Option<&Project>) -> Result<Self> {
        Self::load_from(user_dir().as_deref(), project)
    }

    /// Like [`Config::load`], with an explicit user configuration directory.
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

/// The user's configuration directory: `TEDDY_CONFIG_DIR`, else the system's default.
pub fn user_dir() -> Option<PathBuf> {
    files::variable_or_default(std::env::var_os(CONFIG_DIR_VARIABLE), |dirs| dirs.config_dir().to_path_buf())
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
