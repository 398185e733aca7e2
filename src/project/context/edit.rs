//! Edits a `.context` file and preserves everything else: comments, invalid lines and line endings.

use super::{ContextEntry, ContextLevel, Pattern, Span, compile, normalise, parse, parse_line, resolve};
use crate::project::files::line_end;

/// Adds `path` to `text`, unless it already covers `path` or a span of it.
///
/// `path` is relative to the project root. A line that excludes exactly this path is removed.
pub fn with_added(text: &str, path: &str) -> String {
    let mut new = without_lines(text, |entry| entry.negated && entry.is_whole() && names(&entry.pattern, path));
    if !covers(&new, path) {
        append(&mut new, &written(path, false));
    }
    new
}

/// Adds the whole file, even if a span of it is listed.
pub fn with_added_whole(text: &str, path: &str) -> String {
    let mut new = with_added(text, path);
    let (mut list, _) = parse(&new);
    list.entries.retain(|entry| entry.symbol.is_none());
    let (shown, _) = resolve(&[(ContextLevel::Turn, &list)], &[path]);
    if shown.iter().all(|resolved| resolved.span.is_some()) {
        append(&mut new, &written(path, false));
    }
    new
}

/// Adds a span of `path`, unless this span or the whole file is listed.
pub fn with_added_span(text: &str, path: &str, span: Span) -> String {
    let entries = parse(text).0.entries;
    let mut same = entries.iter().filter(|entry| !entry.negated && names(&entry.pattern, path));
    if same.any(|entry| entry.is_whole() || entry.span == Some(span)) {
        return text.to_owned();
    }
    let mut new = text.to_owned();
    append(&mut new, &format!("{}:{}-{}", written(path, false), span.0, span.1));
    new
}

/// Adds a directory or glob, unless it is listed.
pub fn with_added_pattern(text: &str, pattern: &str) -> String {
    let entries = parse(text).0.entries;
    if entries.iter().any(|entry| !entry.negated && entry.is_whole() && names(&entry.pattern, pattern)) {
        return text.to_owned();
    }
    let mut new = text.to_owned();
    append(&mut new, pattern);
    new
}

/// Removes lines that name exactly `path`, with or without a span. If a directory or glob still
/// covers it, adds a line that excludes it. Higher levels are not considered.
pub fn with_removed(text: &str, path: &str) -> String {
    let mut new = without_lines(text, |entry| !entry.negated && names(&entry.pattern, path));
    if covers(&new, path) {
        append(&mut new, &written(path, true));
    }
    new
}

/// Returns true if the entries, applied in order, include `path` or part of it.
pub fn covers(text: &str, path: &str) -> bool {
    let mut covered = false;
    for entry in parse(text).0.entries {
        if is_match(&entry.pattern, path) && (!entry.negated || entry.is_whole()) {
            covered = !entry.negated;
        }
    }
    covered
}

/// Returns true if a line excludes exactly this path.
pub fn takes_out(text: &str, path: &str) -> bool {
    parse(text).0.entries.iter().any(|entry| entry.negated && entry.is_whole() && names(&entry.pattern, path))
}

/// Returns true if the pattern names exactly this path.
fn names(pattern: &Pattern, path: &str) -> bool {
    pattern.text() == path
}

fn is_match(pattern: &Pattern, path: &str) -> bool {
    if names(pattern, path) {
        return true;
    }
    match pattern {
        Pattern::Path(text) => {
            text.is_empty() || path.strip_prefix(text.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
        }
        Pattern::Glob(text) => compile(text).is_ok_and(|glob| glob.is_match(path)),
    }
}

/// Removes the lines whose entry matches `unwanted`.
fn without_lines(text: &str, unwanted: impl Fn(&ContextEntry) -> bool) -> String {
    text.split_inclusive('\n')
        .filter(|line| {
            let line = line.strip_prefix('\u{feff}').unwrap_or(line);
            !matches!(parse_line(line, 1), Ok(Some(entry)) if unwanted(&entry))
        })
        .collect()
}

/// Appends a line with the text's line ending.
fn append(text: &mut String, line: &str) {
    let end = line_end(text);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    text.push_str(line);
    text.push_str(end);
}

/// The line that names exactly `path`, quoted if necessary.
fn written(path: &str, negated: bool) -> String {
    let sign = if negated { "!" } else { "" };
    let plain = format!("{sign}{path}");
    let path = normalise(path, true).unwrap_or_else(|_| path.to_owned());
    let read_back = parse(&plain).0.entries;
    match read_back.as_slice() {
        [ContextEntry { pattern, span: None, symbol: None, negated: back, .. }]
            if *back == negated && names(pattern, &path) =>
        {
            plain
        }
        _ => format!("{sign}{}", serde_json::Value::from(path)),
    }
}
