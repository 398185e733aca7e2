//! Imports of JavaScript and languages that compile to it: `import`, `export … from`, `require(…)`, `import(…)`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::outline::imports::{Import, ImportList, is_word, leading_name, listed_names, quoted};

static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(["import", "export", "require"]).ok());

/// Maximum distance between the start of an import and its `from`; lists of names can be long.
const REACH: usize = 8 * 1024;

pub(super) fn scan(text: &str, found: &mut ImportList) {
    let Some(words) = WORDS.as_ref() else { return };
    let bytes = text.as_bytes();
    for word in words.find_iter(text) {
        if found.full() {
            return;
        }
        let (start, end) = (word.start(), word.end());
        let before = start.checked_sub(1).map(|at| bytes[at]);
        if before.is_some_and(|byte| is_word(byte) || matches!(byte, b'.' | b'\'' | b'"' | b'-' | b'/'))
            || bytes.get(end).is_some_and(|byte| is_word(*byte))
            || in_comment(text, start)
        {
            continue;
        }
        let rest = &text[end..];
        let called = rest.trim_start_matches([' ', '\t']).starts_with('(');
        match word.pattern().as_usize() {
            0 if called => add_called(rest, found),
            0 => add_import(rest, found),
            1 => add_export(rest, found),
            _ if called => add_called(rest, found),
            // `require.resolve("x")` also names a file.
            _ => {
                if let Some(rest) = rest.strip_prefix(".resolve") {
                    add_called(rest, found);
                }
            }
        }
    }
}

/// Returns true if `at` is inside a line comment, judged by the start of the line.
fn in_comment(text: &str, at: usize) -> bool {
    // A minified line can be megabytes long, so only its last 300 bytes are searched.
    let window = text.floor_char_boundary(at.saturating_sub(300));
    let line = &text[window..at];
    let line = line.rfind('\n').map_or(line, |newline| &line[newline + 1..]).trim_start();
    line.starts_with("//") || line.starts_with('*') || line.starts_with("/*")
}

fn add_called(rest: &str, found: &mut ImportList) {
    let rest = rest.trim_start_matches([' ', '\t', '(', '\n', '\r']);
    let rest = match rest.strip_prefix("/*") {
        Some(comment) => comment.split_once("*/").map_or("", |(_, rest)| rest),
        None => rest,
    };
    if let Some(spec) = quoted(rest).filter(|spec| is_spec(spec)) {
        found.add(Import::bare(spec));
    }
}

fn add_import(rest: &str, found: &mut ImportList) {
    let rest = rest.trim_start();
    if let Some(spec) = quoted(rest).filter(|spec| is_spec(spec)) {
        found.add(Import::bare(spec));
        return;
    }
    if let Some((clause, spec)) = clause_from(rest) {
        found.add(Import { spec: spec.to_owned(), names: clause_names(clause) });
    } else {
        found.miss();
    }
}

fn add_export(rest: &str, found: &mut ImportList) {
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("type ").unwrap_or(rest);
    if !rest.starts_with(['{', '*']) {
        return;
    }
    if let Some((clause, spec)) = clause_from(rest) {
        found.add(Import { spec: spec.to_owned(), names: clause_names(clause) });
    } else {
        found.miss();
    }
}

/// Clause and specification of `{ a, b } from "x"`.
fn clause_from(rest: &str) -> Option<(&str, &str)> {
    let window = &rest[..rest.floor_char_boundary(REACH)];
    let brace = window.find(['{', '\'', '"', ';', '='])?;
    let search = if window[brace..].starts_with('{') { brace + window[brace..].find('}')? } else { 0 };
    // Only blanks may separate the names from the string; anything else is another statement.
    let from = search + window[search..].find("from")?;
    let clause = &window[..from];
    if clause.contains(['\'', '"', ';', '=', '(', '<', '>'])
        || clause[search.min(clause.len())..].contains(['\n', '{']) && search > 0
    {
        return None;
    }
    let after = window[from + 4..].trim_start();
    quoted(after).filter(|spec| is_spec(spec) && !after.starts_with('(')).map(|spec| (clause, spec))
}

fn clause_names(clause: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (outside, inside) = clause.split_once('{').unwrap_or((clause, ""));
    let outside = outside.trim().strip_prefix("type ").unwrap_or(outside.trim());
    let default = leading_name(outside);
    if !default.is_empty() && default != "type" {
        names.push(default.to_owned());
    }
    let inside: String =
        inside.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    names.extend(listed_names(inside.split('}').next().unwrap_or_default(), &[" as "]));
    names
}

/// A specification is a short path, not a template with placeholders.
fn is_spec(spec: &str) -> bool {
    !spec.is_empty()
        && spec.len() <= 300
        && !spec.contains(|c: char| c.is_whitespace() || matches!(c, '$' | '{' | '\\'))
}
