//! Merges configuration files and rejects keys that only the user may set.

use std::path::{Path, PathBuf};

use serde_yaml::{Mapping, Value};

use super::{Config, Mcp, PackSettings, Redact, Template};
use crate::error::{Error, Result};
use crate::project::yaml;

/// Origin of a configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// The user's own file.
    Own,
    /// A file of the repository.
    Repository,
}

/// The defaults merged with the files read so far.
pub(super) struct Layers {
    defaults: Value,
    merged: Value,
    unknown_keys: Vec<(PathBuf, String)>,
    refused: Vec<(PathBuf, String, String)>,
    refused_pipes: Vec<String>,
}

impl Layers {
    pub(super) fn new() -> Self {
        let defaults = serde_yaml::to_value(Config::default()).unwrap_or(Value::Null);
        Self {
            merged: defaults.clone(),
            defaults,
            unknown_keys: Vec::new(),
            refused: Vec::new(),
            refused_pipes: Vec::new(),
        }
    }

    /// Merges the file at `path` over the earlier ones. The file is first checked on its own, so that errors have a
    /// location.
    pub(super) fn add(&mut self, path: &Path, text: &str, trust: Trust) -> Result<()> {
        let (layer_config, mut layer): (Config, Mapping) = yaml::parse_keeping(path, text)?;
        // `window: 128k` sets only the tokens, so it must not replace the shares of another file.
        if let Some(window) = layer.get_mut("window").filter(|window| window.is_number() || window.is_string()) {
            *window = Value::Mapping(Mapping::from_iter([(Value::from("tokens"), window.clone())]));
        }
        let mut unknown = Vec::new();
        find_unknown(&layer, &self.defaults, "", &mut unknown);
        self.unknown_keys.extend(unknown.into_iter().map(|key| (path.to_path_buf(), key)));
        let before = self.config()?;
        merge_over(&mut self.merged, Value::Mapping(layer), &self.defaults);
        if trust == Trust::Repository {
            let refused = refusals(&layer_config)
                .into_iter()
                .map(|(key, why)| (path.to_path_buf(), key.to_owned(), why.to_owned()));
            self.refused.extend(refused);
            let own = |name: &String| before.pipes.iter().any(|pipe| pipe.name == *name);
            self.refused_pipes =
                layer_config.pipes.iter().map(|pipe| pipe.name.clone()).filter(|name| !own(name)).collect();
            // Checks the parsed value and not the text, so that no tag, alias or merge key can bypass the check.
            let kept = guarded(self.config()?, before);
            self.merged = serde_yaml::to_value(kept).map_err(|e| unfit(&e))?;
        }
        Ok(())
    }

    /// The merged configuration. It is serialized and parsed again, because parsing includes the checks.
    fn config(&self) -> Result<Config> {
        let text = serde_yaml::to_string(&self.merged).map_err(|e| unfit(&e))?;
        serde_yaml::from_str(&text).map_err(|e| unfit(&e))
    }

    pub(super) fn into_config(self) -> Result<Config> {
        let config = self.config()?;
        Ok(Config {
            unknown_keys: self.unknown_keys,
            refused: self.refused,
            refused_pipes: self.refused_pipes,
            ..config
        })
    }
}

/// The error for files that are valid alone but not together. This happens only with a tagged key, which YAML treats as
/// another key.
fn unfit(error: &serde_yaml::Error) -> Error {
    Error::input(format!("cannot merge the configuration files: {error}"), "fix one of them")
}

/// Keys of a repository's file that are ignored, with the reason.
fn refusals(layer_config: &Config) -> Vec<(&'static str, &'static str)> {
    let runs = "a repository cannot set commands to run; set them in your own configuration";
    let pipes = "a repository cannot set programs to run; set them in your own configuration";
    let weaker = "a repository cannot weaken redaction; set it in your own configuration";
    let words = "a repository cannot add text to your payloads; set it in your own configuration";
    let policy = "a repository cannot set which tools an agent may use; set it in your own configuration";
    let agents = "a repository cannot control the access of agents; set it in your own configuration";
    let looks = "a repository cannot change your screen; set it in your own configuration";
    let checks = [
        (!layer_config.commands.is_empty(), "commands", runs),
        (!layer_config.redact.enabled, "redact.enabled", weaker),
        (layer_config.redact.rules_file.is_some(), "redact.rules_file", weaker),
        (!layer_config.redact.allow.is_empty(), "redact.allow", weaker),
        (!layer_config.pipes.is_empty(), "pipes", pipes),
        (layer_config.template != Template::default(), "template", words),
        (!layer_config.pack.tool_policy.is_empty(), "pack.tool_policy", policy),
        (layer_config.profiles.values().any(|profile| profile.template.is_some()), "profiles.*.template", words),
        (layer_config.mcp != Mcp::default(), "mcp", agents),
        (layer_config.theme.is_some(), "theme", looks),
        (layer_config.ascii, "ascii", looks),
    ];
    checks.into_iter().filter(|(found, _, _)| *found).map(|(_, key, why)| (key, why)).collect()
}

/// Resets the user-only keys of `config` to their values in `before`, the configuration without the repository's file.
fn guarded(config: Config, before: Config) -> Config {
    let enabled = before.redact.enabled || config.redact.enabled;
    let mut profiles = config.profiles;
    for (name, profile) in &mut profiles {
        profile.template = before.profiles.get(name).and_then(|own| own.template.clone());
    }
    Config {
        commands: before.commands,
        pipes: before.pipes,
        template: before.template,
        mcp: before.mcp,
        profiles,
        theme: before.theme,
        ascii: before.ascii,
        pack: PackSettings { tool_policy: before.pack.tool_policy, ..config.pack },
        redact: Redact { enabled, ..before.redact },
        ..config
    }
}

/// Lists keys of `layer` that the defaults do not have. A mapping that is empty by default accepts any key.
fn find_unknown(layer: &Mapping, known: &Value, prefix: &str, unknown: &mut Vec<String>) {
    let Value::Mapping(known) = known else { return };
    if known.is_empty() {
        return;
    }
    for (key, value) in layer {
        let name = match key {
            Value::String(text) => format!("{prefix}{text}"),
            other => format!("{prefix}{}", serde_yaml::to_string(other).unwrap_or_default().trim()),
        };
        match (known.get(key), value) {
            (None, _) => unknown.push(name),
            (Some(inner), Value::Mapping(below)) => find_unknown(below, inner, &format!("{name}."), unknown),
            (Some(_), Value::Sequence(list)) => find_unknown_in_list(list, &name, unknown),
            _ => {}
        }
    }
}

/// Lists unknown keys in lists of mappings, which are empty in the defaults. Other lists reject unknown keys when they
/// are parsed.
fn find_unknown_in_list(list: &[Value], name: &str, unknown: &mut Vec<String>) {
    let known: &[&str] = match name {
        "commands" => &["name", "run", "tokens"],
        _ => return,
    };
    for (index, item) in list.iter().enumerate() {
        let Value::Mapping(item) = item else { continue };
        for key in item.keys().filter_map(Value::as_str).filter(|key| !known.contains(key)) {
            unknown.push(format!("{name}[{index}].{key}"));
        }
    }
}

/// Merges `layer` over `base`: mappings key by key, everything else as a whole. Null is ignored if a value is required.
fn merge_over(base: &mut Value, layer: Value, defaults: &Value) {
    match (base, layer) {
        (Value::Mapping(base), Value::Mapping(layer)) => {
            for (key, value) in layer {
                let default = defaults.get(&key);
                match base.get_mut(&key) {
                    Some(below) => merge_over(below, value, default.unwrap_or(&Value::Null)),
                    None => drop(base.insert(key, value)),
                }
            }
        }
        (_, Value::Null) if !defaults.is_null() => {}
        (base, layer) => *base = layer,
    }
}
