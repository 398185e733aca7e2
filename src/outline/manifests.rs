//! Import resolution settings in manifests, such as the `paths` of a `tsconfig.json`.
//!
//! They are stored like imports of the manifest: the specification is the name of the setting with its key, and the
//! imported names are its values. That way they are cached with everything else that is read from a file.

use serde_json::Value;

use super::imports::{Import, ImportList};
use super::language::Language;

/// A kind of manifest.
pub(crate) struct ManifestKind {
    /// Prefix and suffix of its file name.
    pub(crate) name: (&'static str, &'static str),
    /// Collects its settings.
    pub(crate) read: fn(&str, &mut ImportList),
}

impl ManifestKind {
    pub(crate) fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (start, end) = self.name;
        name.len() >= start.len().max(end.len()) && name.starts_with(start) && name.ends_with(end)
    }
}

/// Settings of a manifest; `None` if the file is not a manifest.
pub(crate) fn settings(path: &str, text: &str) -> Option<Vec<Import>> {
    let mut manifests = Language::ALL.iter().flat_map(|language| language.spec().manifests);
    let manifest = manifests.find(|manifest| manifest.matches(path))?;
    let mut found = ImportList::default();
    (manifest.read)(text, &mut found);
    Some(found.into_imports())
}

/// A setting with its values.
pub(crate) fn setting(name: &str, key: &str, values: Vec<String>) -> Import {
    Import { spec: format!("{name} {key}"), names: values }
}

/// Keys and values of a setting in a manifest.
pub(crate) fn values_of<'a>(settings: &'a [Import], name: &str) -> impl Iterator<Item = (&'a str, &'a [String])> {
    settings.iter().filter_map(move |setting| {
        let key = setting.spec.strip_prefix(name)?.strip_prefix(' ')?;
        Some((key, setting.names.as_slice()))
    })
}

/// JSON that may have comments and trailing commas; null if it cannot be parsed.
pub(crate) fn lenient_json(text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&strict(text))).unwrap_or(Value::Null)
}

/// The text without comments and trailing commas.
fn strict(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = if character == '"' {
            string_length(rest)
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, rest)| rest);
            continue;
        } else {
            character.len_utf8()
        };
        if matches!(character, '}' | ']') {
            let trimmed = kept.trim_end();
            kept.truncate(trimmed.strip_suffix(',').unwrap_or(trimmed).len());
        }
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    kept
}

/// Length of the string at the start of `text`, including quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, character)| {
        let ends = *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// Every string in a value, in order.
pub(crate) fn strings_in(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(strings_in).collect(),
        Value::Object(map) => map.values().flat_map(strings_in).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_accepted() {
        let value = lenient_json("{\n  // a comment\n  \"a\": [\"x//y\", \"\\\"\", ], /* b */\n}\n");
        assert_eq!(strings_in(&value), ["x//y", "\""]);
        assert_eq!(lenient_json("{ nothing"), Value::Null);
    }
}
