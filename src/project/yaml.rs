//! Parses and writes YAML. Errors have locations, hostile input is limited, and unknown keys are kept.

use std::cell::Cell;
use std::fmt;
use std::path::Path;

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
};
use serde::{Deserialize, Serialize};
use serde_yaml::{Mapping, Value};

use super::files::position_after;
use crate::error::{Error, Result};

/// Maximum size of a document with its aliases expanded: the bytes of its text, plus a constant for each node.
const MAX_EXPANDED_BYTES: usize = 8_000_000;
/// Maximum number of open brackets, including brackets in strings.
const MAX_BRACKETS: usize = 1_000;
/// Size of a node without its text.
const NODE_BYTES: usize = 16;

/// Parses `text`, the contents of `path`. An empty document is the default.
pub(crate) fn parse<T: DeserializeOwned + Default>(path: &Path, text: &str) -> Result<T> {
    let located = |error: &serde_yaml::Error| syntax(path, error);
    refuse_brackets(path, text)?;
    check_size(text).map_err(|e| located(&e))?;
    if matches!(serde_yaml::from_str::<Value>(text).map_err(|e| located(&e))?, Value::Null) {
        return Ok(T::default());
    }
    serde_yaml::from_str(text).map_err(|e| located(&e))
}

/// Rejects too many open brackets. The YAML scanner visits all of them at every step, so half a megabyte of brackets
/// would take a minute before it reports the depth.
fn refuse_brackets(path: &Path, text: &str) -> Result<()> {
    let mut open = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MAX_BRACKETS {
            let (line, column) = position_after(&text.as_bytes()[..at]);
            let why = format!("more than {MAX_BRACKETS} open brackets");
            return Err(Error::Syntax { path: path.to_path_buf(), line, column, why });
        }
    }
    Ok(())
}

/// Parses `text` to a record, and to a mapping with all keys, known or not.
pub(crate) fn parse_keeping<T: DeserializeOwned + Default>(path: &Path, text: &str) -> Result<(T, Mapping)> {
    let known = parse(path, text)?;
    let all: Option<Mapping> = serde_yaml::from_str(text).map_err(|e| syntax(path, &e))?;
    Ok((known, all.unwrap_or_default()))
}

/// Serializes a record to a mapping, with which a later [`merge`] finds the changes.
pub(crate) fn snapshot<T: Serialize>(record: &T) -> Result<Mapping> {
    match serde_yaml::to_value(record) {
        Ok(Value::Mapping(mapping)) => Ok(mapping),
        Ok(_) => Err(Error::input("a record must be a mapping", "")),
        Err(error) => Err(unwritable(&error)),
    }
}

/// Returns the new text of the file at `path` for `record`. `text` is its current text, and `seen` is the record when
/// it was read.
///
/// Only changed keys are written. Unknown keys and the order are kept. If nothing changed, the text stays as it is,
/// including comments. A key that both sides changed is an error.
pub(crate) fn merge<T>(path: &Path, text: Option<&str>, record: &T, seen: &Mapping) -> Result<String>
where
    T: Serialize + DeserializeOwned + Default,
{
    let ours = snapshot(record)?;
    let Some(text) = text else { return serde_yaml::to_string(&ours).map_err(|e| unwritable(&e)) };
    let (theirs, mut all): (T, Mapping) = parse_keeping(path, text)?;
    let theirs = snapshot(&theirs)?;
    let before = all.clone();
    for key in ours.keys().chain(seen.keys().filter(|key| !ours.contains_key(*key))) {
        let (new, old, now) = (ours.get(key), seen.get(key), theirs.get(key));
        if new == old || new == now {
            continue;
        }
        if now != old {
            let what =
                format!("{} was changed by another program (key `{}`)", path.display(), key.as_str().unwrap_or("?"));
            return Err(Error::input(what, "try again with its current contents; nothing was written"));
        }
        match new {
            Some(value) => drop(all.insert(key.clone(), value.clone())),
            None => drop(all.shift_remove(key)),
        }
    }
    if all == before {
        return Ok(text.to_owned());
    }
    serde_yaml::to_string(&all).map_err(|e| unwritable(&e))
}

fn unwritable(error: &serde_yaml::Error) -> Error {
    Error::input(format!("the record cannot be written as YAML: {error}"), "")
}

/// The parser's error, with its location in `path`.
pub(crate) fn syntax(path: &Path, error: &serde_yaml::Error) -> Error {
    let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
    let mut why = error.to_string();
    if let Some(at) = why.find(&format!(" at line {line} column {column}")) {
        let rest = why.split_off(at);
        why.push_str(&rest[format!(" at line {line} column {column}").len()..]);
    }
    Error::Syntax { path: path.to_path_buf(), line: line.max(1), column: column.max(1), why }
}

/// Rejects documents that would be too large with their aliases expanded. Does not expand them.
fn check_size(text: &str) -> Result<(), serde_yaml::Error> {
    let total = Cell::new(0);
    SizeVisitor(&total).deserialize(serde_yaml::Deserializer::from_str(text))
}

/// Visitor that adds up the sizes of all nodes.
#[derive(Clone, Copy)]
struct SizeVisitor<'a>(&'a Cell<usize>);

impl SizeVisitor<'_> {
    fn add<E: de::Error>(self, text: usize) -> Result<(), E> {
        self.0.set(self.0.get() + text + NODE_BYTES);
        if self.0.get() <= MAX_EXPANDED_BYTES {
            return Ok(());
        }
        Err(E::custom("the document is too large with its aliases expanded"))
    }
}

impl<'de> DeserializeSeed<'de> for SizeVisitor<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> de::Visitor<'de> for SizeVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.add(0)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.add(0)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.add(0)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        self.add(0)
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<(), E> {
        self.add(0)
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<(), E> {
        self.add(0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.add(text.len())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.add(0)
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.add(0)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.add(0)?;
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.add(0)?;
        while entries.next_key_seed(self)?.is_some() {
            entries.next_value_seed(self)?;
        }
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        let (_tag, value): (de::IgnoredAny, _) = tagged.variant()?;
        value.newtype_variant_seed(self)
    }
}

/// Reads null as the default. A key has no value if its contents are commented out.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads a list of strings, or a single string as a list with one entry.
pub(crate) fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a string or a list of strings")]
    enum Form {
        Nothing(()),
        One(String),
        Many(Vec<String>),
    }
    Ok(match Form::deserialize(deserializer)? {
        Form::Nothing(()) => Vec::new(),
        Form::One(text) => vec![text],
        Form::Many(list) => list,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fmt::Write;

    fn place(text: &str) -> (usize, usize, String) {
        match parse::<BTreeMap<String, u32>>(Path::new("x.yaml"), text) {
            Err(Error::Syntax { line, column, why, .. }) => (line, column, why),
            other => panic!("{text:?} gave {other:?}"),
        }
    }

    #[test]
    fn too_many_open_brackets_are_rejected_before_scanning() {
        let text = format!("a: 1\nb: {}", "[".repeat(900_000));
        let error = parse::<Mapping>(Path::new("x.yaml"), &text).unwrap_err();
        assert!(matches!(error, Error::Syntax { line: 2, column: 1004, .. }), "{error:?}");
        assert!(parse::<Value>(Path::new("x.yaml"), &format!("a: '{}'", "[".repeat(900))).is_ok());
    }

    #[test]
    fn errors_have_one_location() {
        let (line, column, why) = place("a: 1\nb: two\n");
        assert_eq!((line, column), (2, 4));
        assert!(why.contains("invalid type") && !why.contains("at line"), "{why}");
        let (line, _, _) = place("a: 1\nb: [1,\n");
        assert!(line >= 2);
        place("a: 1\na: 2\n");
        place("- 1\n");
        place("\t");
        place("a: *nothing\n");
    }

    #[test]
    fn an_empty_document_is_the_default() {
        for text in ["", "# only a comment\n", "---\n", "~", "\u{feff}"] {
            let parsed: BTreeMap<String, u32> = parse(Path::new("x"), text).unwrap();
            assert!(parsed.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn alias_bombs_are_refused_quickly() {
        let mut nested = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..30 {
            let before = level - 1;
            let aliases = vec![format!("*a{before}"); 10].join(", ");
            writeln!(nested, "a{level}: &a{level} [{aliases}]").unwrap();
        }
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 50_000].join(","));
        let wide = format!(
            "a: &a [{}]\nb: &b [{}]\nc: &c [{}]\nd: [{}]\n",
            vec!["x"; 10_000].join(","),
            vec!["*a"; 100].join(","),
            vec!["*b"; 100].join(","),
            vec!["*c"; 100].join(",")
        );
        for bomb in [nested, long, wide] {
            assert!(parse::<Mapping>(Path::new("x"), &bomb).is_err());
        }
        // Every kind of node counts. 30,000 nodes of any kind, repeated twenty times, exceed the limit.
        for node in ["7", "-7", "1.5", "true", "~", "x", "[]", "{}", "!tag x"] {
            let repeated =
                |count: usize| format!("a: &a [{}]\nb: [{}]\n", vec![node; count].join(","), vec!["*a"; 20].join(","));
            let told = parse::<Mapping>(Path::new("x"), &repeated(30_000)).unwrap_err();
            assert!(told.to_string().contains("too large"), "{node}: {told}");
            assert!(parse::<Mapping>(Path::new("x"), &repeated(300)).is_ok(), "{node}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_ordinary_aliases_work() {
        assert!(parse::<Mapping>(Path::new("x"), &"[".repeat(100_000)).is_err());
        assert!(parse::<Mapping>(Path::new("x"), &"a: {".repeat(10_000)).is_err());
        let honest: BTreeMap<String, u32> = parse(Path::new("x"), "a: &n 7\nb: *n\n").unwrap();
        assert_eq!(honest["b"], 7);
    }

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Known {
        #[serde(skip_serializing_if = "Option::is_none")]
        goal: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        gone: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
        list: Vec<String>,
    }

    #[test]
    fn foreign_keys_tags_order_and_form_survive_a_merge() {
        let text = "other: !thing {a: [1, 2]}\ngone: x\ngoal: old\n7: seven\nlist: one\n";
        let mut known: Known = parse(Path::new("x"), text).unwrap();
        let seen = snapshot(&known).unwrap();
        (known.goal, known.gone) = (Some("new".to_owned()), None);
        let written = merge(Path::new("x"), Some(text), &known, &seen).unwrap();
        assert_eq!(written, "other: !thing\n  a:\n  - 1\n  - 2\ngoal: new\n7: seven\nlist: one\n");
    }

    #[test]
    fn changes_of_both_sides_are_merged_and_a_conflict_is_an_error() {
        let mut known: Known = parse(Path::new("x"), "goal: a\ngone: b\n").unwrap();
        let seen = snapshot(&known).unwrap();
        known.goal = Some("mine".to_owned());
        let meanwhile = "goal: a\ngone: theirs\nmore: 1\n";
        let written = merge(Path::new("x"), Some(meanwhile), &known, &seen).unwrap();
        assert_eq!(written, "goal: mine\ngone: theirs\nmore: 1\n");
        let error = merge(Path::new("x"), Some("goal: theirs\n"), &known, &seen).unwrap_err();
        assert!(error.to_string().contains("`goal`"), "{error}");
        let same = "# a comment\ngoal: mine\n";
        assert_eq!(merge(Path::new("x"), Some(same), &known, &seen).unwrap(), same);
        assert_eq!(merge(Path::new("x"), None, &known, &seen).unwrap(), "goal: mine\ngone: b\n");
        assert!(merge(Path::new("x"), Some("goal: [\n"), &known, &seen).is_err());
    }
}
