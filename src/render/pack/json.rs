//! Reads and writes packs as JSON. A pack is written with one entry per line and without control characters, validated
//! when it is read, and identified by its content.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::model::{Artifact, Pack};
use super::schema::{self, Problem};
use crate::redact::Policy;
use crate::text::{harmless_json, printable};

/// Reason why the input is not a pack.
#[derive(Debug, PartialEq, Eq)]
pub enum PackError {
    /// Not valid JSON, nested too deeply, or with a duplicate key.
    NotJson {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The parser's message.
        why: String,
    },
    /// Valid JSON that violates the schema.
    Invalid(Vec<Problem>),
}

/// Parses any pack and redacts its secrets.
pub fn read(text: &str, redactor: &Policy) -> Result<Pack, PackError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut value = parse(text).map_err(|error| {
        let whole = error.to_string();
        let why = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(why, _)| why).to_owned();
        PackError::NotJson { line: error.line(), column: error.column(), why }
    })?;
    let problems = schema::problems(&value);
    if !problems.is_empty() {
        return Err(PackError::Invalid(problems));
    }
    redact(&mut value, redactor);
    serde_json::from_value(value).map_err(|error| {
        let what = error.to_string();
        PackError::Invalid(vec![Problem {
            pointer: String::new(),
            what,
            hint: "write it as the schema requires".to_owned(),
        }])
    })
}

/// Redacts every string in a value.
pub(super) fn redact(value: &mut Value, redactor: &Policy) {
    match value {
        Value::String(text) => {
            let clean = redactor.redact(text, "pack.json").0.into_owned();
            *text = clean;
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| redact(inner, redactor)),
        Value::Object(object) => object.values_mut().for_each(|inner| redact(inner, redactor)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Parses JSON and rejects duplicate keys. The parser itself limits the nesting.
fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = UniqueKeys.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

struct UniqueKeys;

impl<'de> DeserializeSeed<'de> for UniqueKeys {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(UniqueKeys)? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(UniqueKeys)?;
            if object.contains_key(&key) {
                let shown: String = key.chars().take(60).collect();
                return Err(A::Error::custom(format!("duplicate key `{}`", printable(&shown))));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// The pack as a JSON value.
pub fn value_of(pack: &Pack) -> Value {
    // A pack contains only types that JSON has, so this cannot fail.
    serde_json::to_value(pack).unwrap_or_default()
}

/// The pack as text: one line per field, and one line per entry of a list of objects.
pub fn write(pack: &Pack) -> String {
    write_value(&value_of(pack))
}

/// An object as text, in the same layout.
pub(super) fn write_value(value: &Value) -> String {
    let mut text = String::from("{\n");
    let Value::Object(fields) = value else { return text };
    let count = fields.len();
    for (index, (name, value)) in fields.iter().enumerate() {
        text.push_str(&format!("\"{name}\":"));
        match value {
            Value::Array(list) if list.first().is_some_and(Value::is_object) => {
                let entries: Vec<String> = list.iter().map(entry).collect();
                text.push_str(&format!("[\n{}\n]", entries.join(",\n")));
            }
            other => text.push_str(&entry(other)),
        }
        text.push_str(if index + 1 < count { ",\n" } else { "\n" });
    }
    text.push_str("}\n");
    text
}

/// A value on one line. Control and invisible characters are escaped, which does not change the value.
pub fn entry(value: &Value) -> String {
    harmless_json(&value.to_string())
}

/// Canonical form of a value: sorted keys and lists, no white space.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let mut fields: Vec<(&String, String)> =
                object.iter().map(|(name, value)| (name, canonical(value))).collect();
            fields.sort_unstable();
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}:{value}", Value::String((*name).clone()))).collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(list) => {
            // The lists of a pack are sets, so their order has no meaning.
            let mut entries: Vec<String> = list.iter().map(canonical).collect();
            entries.sort_unstable();
            format!("[{}]", entries.join(","))
        }
        other => other.to_string(),
    }
}

/// The sha256 of the text, in hexadecimal.
pub(super) fn sha256(text: &str) -> String {
    crate::text::hex(&Sha256::digest(text.as_bytes()))
}

/// A reference to a pack: the artifact that an edge forwards as `contextPackRef`.
pub fn reference(path: &str, text: &str) -> String {
    let artifact = Artifact {
        r#ref: path.replace('\\', "/"),
        r#type: "context_pack".to_owned(),
        summary: None,
        sha256: Some(sha256(text)),
    };
    entry(&serde_json::to_value(artifact).unwrap_or_default())
}

/// The id of a pack, derived from its content: a UUID of version 8 from the sha256 of all fields except `packId` and
/// `createdAt`.
pub fn pack_id(pack: &Pack) -> String {
    content_id(value_of(pack), &["packId", "createdAt"])
}

/// A UUID of version 8 from the sha256 of an object, ignoring the members in `besides`.
pub(super) fn content_id(mut value: Value, besides: &[&str]) -> String {
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !besides.contains(&name.as_str()));
    }
    let digest = Sha256::digest(canonical(&value).as_bytes());
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = crate::text::hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pack::model::DocRef;

    const SMALL: &str = "{\"packId\":\"00000000-0000-8000-8000-000000000000\",\"goal\":\"g\",\"definitionOfDone\":[],\"globalMode\":\"planning\",\
                         \"docsRoot\":\"/docs\",\"docRefs\":[]}";

    fn small() -> Pack {
        read(SMALL, &Policy::default()).unwrap()
    }

    #[test]
    fn packs_round_trip() {
        let mut pack = small();
        pack.goal = "a\u{1b}[31m \u{202e}b\u{7f} \u{e0041} \"quoted\"\n`````".to_owned();
        pack.doc_refs = vec![DocRef { path: "a.md".to_owned(), ..DocRef::default() }; 2];
        let text = write(&pack);
        assert!(text.lines().all(|line| printable(line) == line), "{text}");
        assert!(text.contains("\"docRefs\":[\n{\"path\":\"a.md\",\"priority\":\"low\"},\n{"), "{text}");
        assert_eq!(read(&text, &Policy::default()).unwrap(), pack);
        assert_eq!(read(&format!("\u{feff}{text}"), &Policy::default()).unwrap(), pack);
    }

    #[test]
    fn the_id_depends_only_on_the_content() {
        let pack = small();
        let id = pack_id(&pack);
        assert_eq!((id.len(), &id[14..15]), (36, "8"));
        assert!(matches!(&id[19..20], "8" | "9" | "a" | "b"));
        let again =
            Pack { pack_id: "other".to_owned(), created_at: Some("2026-01-24T10:30:00Z".to_owned()), ..pack.clone() };
        assert_eq!(pack_id(&again), id);
        assert_ne!(pack_id(&Pack { goal: "h".to_owned(), ..pack.clone() }), id);
        let lists = |done: [&str; 2]| Pack { definition_of_done: done.map(ToOwned::to_owned).to_vec(), ..pack.clone() };
        assert_eq!(pack_id(&lists(["a", "b"])), pack_id(&lists(["b", "a"])));
    }

    #[test]
    fn hostile_texts_are_refused() {
        let nested = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
        let twice = SMALL.replace("\"goal\":\"g\"", "\"goal\":\"g\",\"goal\":\"other\"");
        let after = format!("{SMALL} x");
        for (text, why) in [
            ("", "EOF"),
            ("not json", "expected"),
            (nested.as_str(), "recursion limit"),
            (objects.as_str(), "recursion limit"),
            (twice.as_str(), "duplicate key `goal`"),
            (after.as_str(), "trailing characters"),
            ("{\"packId\": 1e999}", "number out of range"),
        ] {
            match read(text, &Policy::default()) {
                Err(PackError::NotJson { why: told, .. }) => assert!(told.contains(why), "{told}"),
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(read("[1]", &Policy::default()), Err(PackError::Invalid(_))));
    }

    #[test]
    fn secrets_are_redacted_on_reading() {
        let secret = crate::redact::sample_token();
        let text = SMALL.replace("\"goal\":\"g\"", &format!("\"goal\":\"use {secret} for it\""));
        let pack = read(&text, &Policy::default()).unwrap();
        assert!(!pack.goal.contains(&secret) && pack.goal.contains("[REDACTED:"), "{}", pack.goal);
        assert_eq!(read(&write(&pack), &Policy::default()).unwrap(), pack);
    }
}
