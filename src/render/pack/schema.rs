//! Checks JSON against the part of JSON Schema (draft 2020-12) that our schemas use.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use regex::Regex;
use serde_json::{Map, Value};

use crate::text::{counted, nearest, printable};

/// The published schema of context packs.
pub const SCHEMA: &str = include_str!("../../../docs/schemas/context-pack.schema.json");

/// Maximum number of reported problems.
const MOST: usize = 50;
/// Maximum number of characters of a value in a message.
const SHOWN: usize = 60;

/// A violation of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Location as a JSON pointer; empty for the whole document.
    pub pointer: String,
    /// Description of the violation.
    pub what: String,
    /// Suggested fix.
    pub hint: String,
}

/// Validates a pack against its schema; returns the violations.
pub fn problems(pack: &Value) -> Vec<Problem> {
    check(parsed(), pack)
}

/// Returns true if a part of a pack satisfies the named definition.
pub fn fits(definition: &str, part: &Value) -> bool {
    let root = parsed();
    let mut checker = Checker { root, problems: Vec::new() };
    checker.check(&root["$defs"][definition], part, "");
    checker.problems.is_empty()
}

fn parsed() -> &'static Value {
    static PARSED: OnceLock<Value> = OnceLock::new();
    PARSED.get_or_init(|| serde_json::from_str(SCHEMA).unwrap_or_default())
}

/// Validates a document against a schema; returns the violations.
pub fn check(schema: &Value, document: &Value) -> Vec<Problem> {
    let mut checker = Checker { root: schema, problems: Vec::new() };
    checker.check(schema, document, "");
    checker.problems
}

struct Checker<'s> {
    root: &'s Value,
    problems: Vec<Problem>,
}

impl<'s> Checker<'s> {
    fn report(&mut self, pointer: &str, what: impl Into<String>, hint: impl Into<String>) {
        if self.problems.len() < MOST {
            self.problems.push(Problem { pointer: pointer.to_owned(), what: what.into(), hint: hint.into() });
        }
    }

    fn check(&mut self, schema: &'s Value, value: &Value, at: &str) {
        // `true` accepts everything, `false` nothing.
        let Value::Object(schema) = schema else {
            if schema == &Value::Bool(false) {
                self.report(at, "no value is allowed here", "remove it");
            }
            return;
        };
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|name| self.referred(name)) {
            self.check(target, value, at);
        }
        if let Some(kind) = schema.get("type")
            && !is_of(kind, value)
        {
            self.report(
                at,
                format!("it is {}, not {}", kind_of(value), named(kind)),
                format!("make it {}", named(kind)),
            );
            return;
        }
        self.among(schema, value, at);
        match value {
            Value::String(text) => self.text(schema, text, at),
            Value::Array(list) => self.list(schema, list, at),
            Value::Object(object) => self.object(schema, object, at),
            Value::Number(number) => {
                let least = schema.get("minimum").and_then(Value::as_f64);
                if let Some(least) = least.filter(|least| number.as_f64().is_some_and(|number| number < *least)) {
                    self.report(at, format!("{number} is less than {least}"), format!("use {least} or more"));
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn referred(&self, name: &str) -> Option<&'s Value> {
        self.root.pointer(name.strip_prefix('#')?)
    }

    fn among(&mut self, schema: &Map<String, Value>, value: &Value, at: &str) {
        let single;
        let allowed = match (schema.get("enum").and_then(Value::as_array), schema.get("const")) {
            (Some(allowed), _) => allowed,
            (None, Some(only)) => {
                single = vec![only.clone()];
                &single
            }
            (None, None) => return,
        };
        if allowed.contains(value) {
            return;
        }
        let names: Vec<String> = allowed.iter().map(shown).collect();
        let texts = allowed.iter().filter_map(Value::as_str);
        let hint = match value.as_str().and_then(|text| nearest(text, texts)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("use one of {}", names.join(", ")),
        };
        self.report(at, format!("{} is not one of {}", shown(value), names.join(", ")), hint);
    }

    fn text(&mut self, schema: &Map<String, Value>, text: &str, at: &str) {
        let number = |name: &str| schema.get(name).and_then(Value::as_u64);
        let length = text.chars().count() as u64;
        if number("minLength").is_some_and(|least| length < least) {
            let characters = counted(length as usize, "character");
            let what = if length == 0 { "it is empty".to_owned() } else { format!("it has only {characters}") };
            self.report(at, what, "write something, or omit the field if it is optional");
        }
        if let Some(most) = number("maxLength").filter(|most| length > *most) {
            self.report(at, format!("it has {length} characters"), format!("shorten it to {most}"));
        }
        let pattern = schema.get("pattern").and_then(Value::as_str);
        if let Some(pattern) = pattern.filter(|pattern| !matches(pattern, text)) {
            let what = format!("{} does not match {pattern}", shown(&Value::String(text.to_owned())));
            self.report(at, what, "use that form, or omit the field if it is optional");
        }
    }

    fn list(&mut self, schema: &'s Map<String, Value>, list: &[Value], at: &str) {
        if let Some(least) = schema.get("minItems").and_then(Value::as_u64).filter(|least| (list.len() as u64) < *least)
        {
            self.report(at, format!("it has {} entries", list.len()), format!("use {least} or more"));
        }
        if let Some(items) = schema.get("items") {
            for (index, value) in list.iter().enumerate() {
                self.check(items, value, &format!("{at}/{index}"));
            }
        }
    }

    fn object(&mut self, schema: &'s Map<String, Value>, object: &Map<String, Value>, at: &str) {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in required.filter(|name| !object.contains_key(*name)) {
            self.report(at, format!("`{name}` is missing"), format!("add `{name}`"));
        }
        let known = schema.get("properties").and_then(Value::as_object);
        for (name, value) in object {
            let inside = format!("{at}/{}", escaped(name));
            match (known.and_then(|known| known.get(name)), schema.get("additionalProperties")) {
                (Some(own), _) => self.check(own, value, &inside),
                (None, Some(Value::Bool(false))) => {
                    let names = known.into_iter().flat_map(Map::keys).map(String::as_str);
                    let hint = match nearest(name, names) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "remove it".to_owned(),
                    };
                    self.report(&inside, format!("unknown field `{}`", cut(name)), hint);
                }
                (None, Some(other)) => self.check(other, value, &inside),
                (None, None) => {}
            }
        }
    }
}

/// A name as a part of a JSON pointer.
pub fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn matches(pattern: &str, text: &str) -> bool {
    // There are few patterns and many strings, so patterns are cached.
    static COMPILED: Mutex<BTreeMap<String, Regex>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(pattern) {
        return known.is_match(text);
    }
    // A pattern that does not compile is a bug in the schema, which a test detects.
    let Ok(new) = Regex::new(pattern) else { return false };
    compiled.entry(pattern.to_owned()).or_insert(new).is_match(text)
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::String(name) => match name.as_str() {
            "number" => value.is_number(),
            "integer" => value.is_u64() || value.is_i64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            // A test detects unknown types in the schema.
            _ => false,
        },
        Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
        _ => true,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn named(kind: &Value) -> String {
    let one = |name: &str| match name {
        "array" | "object" | "integer" => format!("an {name}"),
        "null" => "null".to_owned(),
        name => format!("a {name}"),
    };
    match kind {
        Value::String(name) => one(name),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).map(one).collect::<Vec<_>>().join(" or "),
        _ => "something else".to_owned(),
    }
}

fn shown(value: &Value) -> String {
    cut(&value.to_string())
}

fn cut(text: &str) -> String {
    let short: String = text.chars().take(SHOWN).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{}{more}", printable(&short))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Keywords for readers, which are not checked.
    const ANNOTATIONS: [&str; 6] = ["$schema", "$id", "$defs", "title", "description", "format"];
    /// Keywords that are checked.
    const CHECKED: [&str; 13] = [
        "$ref",
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
    ];

    fn messages(schema: &Value, document: &Value) -> Vec<(String, String, String)> {
        check(schema, document).into_iter().map(|found| (found.pointer, found.what, found.hint)).collect()
    }

    #[test]
    fn each_keyword_accepts_and_rejects() {
        let cases = [
            (json!({"type": "string"}), json!("x"), json!(1), "it is a number, not a string"),
            (json!({"type": ["string", "null"]}), json!(null), json!({}), "it is an object, not a string or null"),
            (json!({"type": "integer"}), json!(2), json!(2.5), "it is a number, not an integer"),
            (json!({"type": "number"}), json!(2.5), json!("2"), "it is a string, not a number"),
            (json!({"type": "boolean"}), json!(true), json!([]), "it is an array, not a boolean"),
            (json!({"enum": ["a", 1]}), json!(1), json!("b"), "\"b\" is not one of \"a\", 1"),
            (json!({"const": "a"}), json!("a"), json!(null), "null is not one of \"a\""),
            (json!({"minLength": 2}), json!("éé"), json!("é"), "it has only 1 character"),
            (json!({"maxLength": 2}), json!("éé"), json!("ééé"), "it has 3 characters"),
            (json!({"pattern": "^a+$"}), json!("aa"), json!("ab"), "\"ab\" does not match ^a+$"),
            (json!({"minimum": 0}), json!(0), json!(-1), "-1 is less than 0"),
            (json!({"minItems": 1}), json!([0]), json!([]), "it has 0 entries"),
            (json!({"items": {"type": "null"}}), json!([null]), json!([0]), "it is a number, not null"),
            (json!({"required": ["a"]}), json!({"a": 1}), json!({}), "`a` is missing"),
            (json!({"additionalProperties": false}), json!({}), json!({"b": 1}), "unknown field `b`"),
            (
                json!({"additionalProperties": {"type": "string"}}),
                json!({"b": ""}),
                json!({"b": 1}),
                "it is a number, not a string",
            ),
            (json!({"properties": {"a": false}}), json!({"b": 1}), json!({"a": 1}), "no value is allowed here"),
            (
                json!({"$ref": "#/$defs/x", "$defs": {"x": {"type": "null"}}}),
                json!(null),
                json!(0),
                "it is a number, not null",
            ),
        ];
        for (schema, good, bad, what) in cases {
            assert_eq!(messages(&schema, &good), [], "{schema}");
            let found = messages(&schema, &bad);
            assert_eq!(found.len(), 1, "{schema} {found:?}");
            assert_eq!(found[0].1, what);
            assert!(!found[0].2.is_empty());
        }
    }

    #[test]
    fn keywords_apply_only_to_their_type() {
        let schema = json!({"minLength": 3, "pattern": "x", "minItems": 2, "required": ["a"], "minimum": 5});
        for document in [json!(null), json!(true)] {
            assert_eq!(messages(&schema, &document), []);
        }
        assert_eq!(messages(&schema, &json!(4)).len(), 1);
    }

    #[test]
    fn problems_have_a_location_and_a_hint() {
        let pack = json!({
            "packId": "p", "goal": "x", "definitionOfDone": ["a", 1], "globalMode": "planing", "docsRoot": "/docs",
            "docRefs": [{"path": "a.md", "priority": "urgent"}, {"pth": "b.md", "priority": "low"}],
            "relevant/Files~": [],
        });
        let found = problems(&pack);
        let lines: Vec<String> =
            found.iter().map(|found| format!("{}: {} ({})", found.pointer, found.what, found.hint)).collect();
        assert_eq!(
            lines,
            [
                "/packId: \"p\" does not match ^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$ (use that form, or omit the field if it is optional)",
                "/definitionOfDone/1: it is a number, not a string (make it a string)",
                "/globalMode: \"planing\" is not one of \"planning\", \"implementation\" (did you mean \"planning\"?)",
                "/docRefs/0/priority: \"urgent\" is not one of \"low\", \"medium\", \"high\" (use one of \"low\", \"medium\", \"high\")",
                "/docRefs/1: `path` is missing (add `path`)",
                "/docRefs/1/pth: unknown field `pth` (did you mean `path`?)",
                "/relevant~1Files~0: unknown field `relevant/Files~` (did you mean `relevantFiles`?)",
            ]
        );
        assert_eq!(problems(&json!([]))[0].what, "it is an array, not an object");
        let many = json!({"definitionOfDone": vec![0; 1000]});
        assert_eq!(problems(&many).len(), MOST);
    }

    #[test]
    fn the_published_schema_uses_only_checked_keywords() {
        fn visit(schema: &Value, root: &Value) {
            let Value::Object(keywords) = schema else { return assert!(schema.is_boolean()) };
            for (keyword, value) in keywords {
                let keyword = keyword.as_str();
                assert!(CHECKED.contains(&keyword) || ANNOTATIONS.contains(&keyword), "{keyword} is not checked");
                match keyword {
                    "properties" | "$defs" => value.as_object().unwrap().values().for_each(|inner| visit(inner, root)),
                    "items" | "additionalProperties" => visit(value, root),
                    "$ref" => assert!(root.pointer(&value.as_str().unwrap()[1..]).is_some(), "{value} leads nowhere"),
                    "pattern" => drop(Regex::new(value.as_str().unwrap()).unwrap()),
                    _ => {}
                }
            }
            // An object with named members has no others.
            if keywords.contains_key("properties") {
                assert_eq!(keywords["additionalProperties"], json!(false), "{schema}");
            }
        }
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        visit(&schema, &schema);
        assert_eq!(
            schema["required"],
            json!(["packId", "goal", "definitionOfDone", "globalMode", "docsRoot", "docRefs"])
        );
    }
}
