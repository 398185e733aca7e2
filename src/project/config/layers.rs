//! Laying one configuration file over another, and what a repository's file may not say.

use std::path::{Path, PathBuf};

use serde_yaml::{Mapping, Value};

use super::{Config, Redact, Template};
use crate::error::{Error, Result};
use crate::project::yaml;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// The user's own.
    Own,
    /// It came with the repository.
    Repository,
}

/// The files read so far, laid over the defaults.
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

    /// Lays the file at `path` over what was read before. It is checked as a whole first, so that errors have a place.
    pub(super) fn add(&mut self, path: &Path, text: &str, trust: Trust) -> Result<()> {
        let (said, layer): (Config, Mapping) = yaml::parse_keeping(path, text)?;
        let mut unknown = Vec::new();
        find_unknown(&layer, &self.defaults, "", &mut unknown);
        self.unknown_keys.extend(unknown.into_iter().map(|key| (path.to_path_buf(), key)));
        let before = self.config()?;
        lay_over(&mut self.merged, Value::Mapping(layer), &self.defaults);
        if trust == Trust::Repository {
            let refused =
                refusals(&said).into_iter().map(|(key, why)| (path.to_path_buf(), key.to_owned(), why.to_owned()));
            self.refused.extend(refused);
            let own = |name: &String| before.pipes.iter().any(|pipe| pipe.name == *name);
            self.refused_pipes = said.pipes.iter().map(|pipe| pipe.name.clone()).filter(|name| !own(name)).collect();
            // Judged by what the file comes to, not by how it is written: no tag, alias or merge key gets around it.
            let kept = guarded(self.config()?, before);
            self.merged = serde_yaml::to_value(kept).map_err(|e| unfit(&e))?;
        }
        Ok(())
    }

    /// What the layers come to so far. By way of text, because text is what the checks of each file have seen.
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

/// Every file passed on its own and no rule spans files; what gets here is a key with a tag, another key to YAML and the same to us.
fn unfit(error: &serde_yaml::Error) -> Error {
    Error::input(format!("the configuration files do not fit together: {error}"), "mend one of them")
}

/// Which keys of a repository's file do not count, and why.
fn refusals(said: &Config) -> Vec<(&'static str, &'static str)> {
    let runs = "a repository cannot name commands to run; set them in your own configuration";
    let pipes = "a repository cannot name programs to run; set them in your own configuration";
    let weaker = "a repository cannot weaken redaction; set it in your own configuration";
    let words = "a repository cannot speak to the model in your name; set it in your own configuration";
    let looks = "how your screen looks is yours to say; set it in your own configuration";
    let checks = [
        (!said.commands.is_empty(), "commands", runs),
        (!said.redact.enabled, "redact.enabled", weaker),
        (said.redact.rules_file.is_some(), "redact.rules_file", weaker),
        (!said.redact.allow.is_empty(), "redact.allow", weaker),
        (!said.pipes.is_empty(), "pipes", pipes),
        (said.template != Template::default(), "template", words),
        (said.profiles.values().any(|profile| profile.template.is_some()), "profiles.*.template", words),
        (said.theme.is_some(), "theme", looks),
        (said.ascii, "ascii", looks),
    ];
    checks.into_iter().filter(|(found, _, _)| *found).map(|(_, key, why)| (key, why)).collect()
}

/// `config` with everything that only the user may set as it was `before` the repository's file.
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
        profiles,
        theme: before.theme,
        ascii: before.ascii,
        redact: Redact { enabled, ..before.redact },
        ..config
    }
}

/// Lists the keys of `layer` that the defaults do not have. A mapping that is empty by default takes any key.
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

/// The same for lists of mappings, whose keys the defaults, being empty, cannot tell; other lists refuse what they do not know.
fn find_unknown_in_list(list: &[Value], name: &str, unknown: &mut Vec<String>) {
    let known: &[&str] = match name {
        "commands" => &["name", "run"],
        _ => return,
    };
    for (index, item) in list.iter().enumerate() {
        let Value::Mapping(item) = item else { continue };
        for key in item.keys().filter_map(Value::as_str).filter(|key| !known.contains(key)) {
            unknown.push(format!("{name}[{index}].{key}"));
        }
    }
}

/// Lays `layer` over `base`: mappings key by key, all else as a whole. Null means "no value" only where that is possible.
fn lay_over(base: &mut Value, layer: Value, defaults: &Value) {
    match (base, layer) {
        (Value::Mapping(base), Value::Mapping(layer)) => {
            for (key, value) in layer {
                let default = defaults.get(&key);
                match base.get_mut(&key) {
                    Some(below) => lay_over(below, value, default.unwrap_or(&Value::Null)),
                    None => drop(base.insert(key, value)),
                }
            }
        }
        (_, Value::Null) if !defaults.is_null() => {}
        (base, layer) => *base = layer,
    }
}
