//! teddy's entry in an object of a JSON file. The file is edited as text, so that everything else stays as it is
//! written.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use super::{NAME, broken};
use crate::error::Result;

/// A member of an object: its key with the value, without the comma.
struct Member {
    range: Range<usize>,
    value: Range<usize>,
}

/// Adds the server to the object `key`; returns the new text.
pub(super) fn added(path: &Path, text: Option<&str>, key: &str, server: &str) -> Result<String> {
    let Some(text) = text else { return Ok(created(key, server)) };
    let value = parsed(path, text, key)?;
    if value.get(key).is_some_and(|servers| servers.get(NAME).is_some()) {
        return Ok(text.to_owned());
    }
    let new = if value.get(key).is_some() {
        let servers = member(text, top(text), key).map(|member| member.value.start).unwrap_or_default();
        with_member(text, servers, 2, &format!("\"{NAME}\": {server}"))
    } else {
        with_member(text, top(text), 1, &format!("\"{key}\": {{\"{NAME}\": {server}}}"))
    };
    // The file is edited as text, so the result is checked.
    let mut expected = value;
    expected[key][NAME] = serde_json::from_str(server).map_err(|error| broken(path, &error.to_string()))?;
    let read: Option<Value> = serde_json::from_str(&new).ok();
    if read.as_ref() != Some(&expected) {
        return Err(broken(path, "its layout is not understood"));
    }
    Ok(new)
}

/// Removes the server from the text. `None` if the file contains only what setup writes.
pub(super) fn removed(path: &Path, text: &str, key: &str, server: &str) -> Result<Option<String>> {
    if text == created(key, server) {
        return Ok(None);
    }
    let value = parsed(path, text, key)?;
    if value.get(key).is_none_or(|servers| servers.get(NAME).is_none()) {
        return Ok(Some(text.to_owned()));
    }
    let Some(servers) = member(text, top(text), key) else { return Err(broken(path, "its layout is not understood")) };
    // Setup inserts its member before the others. Removing it must restore the original text.
    for candidate in [without_member(text, top(text), 1, key), without_member(text, servers.value.start, 2, NAME)] {
        if let Some(candidate) =
            candidate.filter(|candidate| added(path, Some(candidate), key, server).is_ok_and(|new| new == text))
        {
            return Ok(Some(candidate));
        }
    }
    Ok(Some(spliced_out(text, servers.value.start, NAME).unwrap_or_else(|| text.to_owned())))
}

/// The file that setup creates if there is none.
fn created(key: &str, server: &str) -> String {
    format!("{{\n  \"{key}\": {{\n    \"{NAME}\": {server}\n  }}\n}}\n")
}

fn parsed(path: &Path, text: &str, key: &str) -> Result<Value> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let comments = if text.contains("//") || text.contains("/*") { " (comments are not supported)" } else { "" };
        broken(path, &format!("it is not valid JSON{comments}: {error}"))
    })?;
    if !value.is_object() {
        return Err(broken(path, "it is not a JSON object"));
    }
    if value.get(key).is_some_and(|servers| !servers.is_object()) {
        return Err(broken(path, &format!("`{key}` is not an object")));
    }
    Ok(value)
}

/// The position of the outermost object.
fn top(text: &str) -> usize {
    text.find('{').unwrap_or_default()
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The indentation of the first member, or two spaces.
fn indent(text: &str) -> String {
    let inner = &text[top(text) + 1..];
    let first = inner.trim_start_matches(['\r', '\n']);
    let width = first.len() - first.trim_start_matches([' ', '\t']).len();
    if inner.len() == first.len() || width == 0 { "  ".to_owned() } else { first[..width].to_owned() }
}

/// Inserts a member before the others of the object at `object`. The layout follows the text, so that
/// [`without_member`] can restore it.
fn with_member(text: &str, object: usize, depth: usize, member: &str) -> String {
    let (before, rest) = text.split_at(object + 1);
    let is_empty = rest.trim_start().starts_with('}');
    let new = match (is_empty, rest.starts_with(['\r', '\n'])) {
        (true, _) => format!(" {member}"),
        (false, true) => format!("{}{}{member},", line_end(text), indent(text).repeat(depth)),
        (false, false) => format!("{member}, "),
    };
    format!("{before}{new}{rest}")
}

/// Removes the first member of an object if [`with_member`] wrote it.
fn without_member(text: &str, object: usize, depth: usize, key: &str) -> Option<String> {
    let range = member(text, object, key)?.range;
    let before = &text[..=object];
    let rest = &text[range.end..];
    let ends = ["", ",", ", "].into_iter().filter_map(|end| rest.strip_prefix(end));
    let mut candidates = ends.map(|rest| format!("{before}{rest}"));
    candidates.find(|candidate| with_member(candidate, object, depth, &text[range.clone()]) == text)
}

/// Removes a member and one of the commas around it.
fn spliced_out(text: &str, object: usize, key: &str) -> Option<String> {
    let Range { start, end } = member(text, object, key)?.range;
    let rest = text[end..].trim_start();
    if let Some(rest) = rest.strip_prefix(',') {
        // Keeps the white space on only one side of the removed member.
        let before = &text[..start];
        let keeps = if before.ends_with(char::is_whitespace) && !before.trim_end().ends_with('{') {
            rest.trim_start()
        } else {
            rest
        };
        return Some(format!("{before}{keeps}"));
    }
    let before = text[..start].trim_end();
    Some(format!("{}{}", before.strip_suffix(',').unwrap_or(before), &text[end..]))
}

/// Finds the member of an object with this key. The text must be valid JSON.
fn member(text: &str, object: usize, key: &str) -> Option<Member> {
    let mut at = object + 1;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\t', '\r', '\n', ',']).len();
        if text[at..].starts_with('}') || at >= text.len() {
            return None;
        }
        let start = at;
        let after_key = value_end(text, at);
        let name: String = serde_json::from_str(&text[start..after_key]).ok()?;
        let colon = after_key + text[after_key..].find(':')? + 1;
        let from = colon + text[colon..].len() - text[colon..].trim_start().len();
        let end = value_end(text, from);
        if name == key {
            return Some(Member { range: start..end, value: from..end });
        }
        at = end;
    }
}

/// The end of the value that starts at `at`.
fn value_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut in_string) = (at, 0_usize, false);
    let start = at;
    while at < bytes.len() {
        match (in_string, bytes[at]) {
            (true, b'\\') => at += 1,
            (true, b'"') => {
                in_string = false;
                if depth == 0 {
                    return at + 1;
                }
            }
            (false, b'"') => in_string = true,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') if depth == 0 => return at,
            (false, b'}' | b']') => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            (false, b',' | b' ' | b'\t' | b'\r' | b'\n') if depth == 0 && at > start => return at,
            _ => {}
        }
        at += 1;
    }
    at
}
