//! Edits a `.context` file and preserves everything else: comments, invalid lines and line endings.

use super::{ContextEntry, Pattern, compile, normalise, parse, parse_line};
use crate::project::files::line_end;
use crate::project::line_spec::LineSpec;

/// Adds `path` to `text`, unless the entries already include `path` or some of its lines.
///
/// `path` is relative to the project's root. A line that excludes exactly this path is removed.
pub fn with_added(text: &str, path: &str) -> String {
    let mut new = without_lines(text, path, |entry| entry.negated && entry.is_whole() && names(&entry.pattern, path));
    if !covers(&new, path) {
        append(&mut new, &written(path, false));
    }
    new
}

/// Adds the whole file, even if some of its lines are listed.
pub fn with_added_whole(text: &str, path: &str) -> String {
    let mut new = with_added(text, path);
    let whole = |entry: &ContextEntry| !entry.negated && entry.is_whole() && is_match(&entry.pattern, path);
    if !entries(&new, path).iter().any(whole) {
        append(&mut new, &written(path, false));
    }
    new
}

/// Adds lines of `path`, unless these lines or the whole file are listed. A line that excludes exactly this path is
/// removed.
pub fn with_added_lines(text: &str, path: &str, lines: &LineSpec) -> String {
    let mut new = without_lines(text, path, |entry| entry.negated && entry.is_whole() && names(&entry.pattern, path));
    let entries = entries(&new, path);
    let same: Vec<&ContextEntry> =
        entries.iter().filter(|entry| !entry.negated && names(&entry.pattern, path)).collect();
    if same.iter().any(|entry| entry.is_whole()) {
        return new;
    }
    let listed: Vec<LineSpec> = same.iter().filter_map(|entry| entry.lines.as_ref()).flat_map(LineSpec::each).collect();
    let missing: Vec<LineSpec> = lines.each().into_iter().filter(|line| !listed.contains(line)).collect();
    if missing.len() == lines.each().len() {
        append(&mut new, &format!("{}{lines}", written(path, false)));
    } else {
        for line in missing {
            append(&mut new, &format!("{}{line}", written(path, false)));
        }
    }
    new
}

/// Removes the entries that name `path` without lines.
pub fn with_removed_whole(text: &str, path: &str) -> String {
    without_lines(text, path, |entry| !entry.negated && entry.is_whole() && names(&entry.pattern, path))
}

/// Removes the entries of `path` that name only lines in `lines`.
pub fn with_removed_lines(text: &str, path: &str, lines: &[LineSpec]) -> String {
    without_lines(text, path, |entry| {
        let all_named = |named: &LineSpec| named.each().iter().all(|line| lines.contains(line));
        !entry.negated && names(&entry.pattern, path) && entry.lines.as_ref().is_some_and(all_named)
    })
}

/// Adds a directory or glob, unless it is listed.
pub fn with_added_pattern(text: &str, pattern: &str) -> String {
    let listed = |entry: &ContextEntry| !entry.negated && entry.is_whole() && names(&entry.pattern, pattern);
    if entries(text, pattern).iter().any(listed) {
        return text.to_owned();
    }
    let mut new = text.to_owned();
    append(&mut new, pattern);
    new
}

/// Removes entries that name exactly `path`, with or without lines. If a directory or glob still includes `path`, adds
/// a line that excludes `path`. Lists of higher levels are not considered.
pub fn with_removed(text: &str, path: &str) -> String {
    let mut new = without_lines(text, path, |entry| !entry.negated && names(&entry.pattern, path));
    if covers(&new, path) {
        append(&mut new, &written(path, true));
    }
    new
}

/// Returns true if the entries, applied in order, include `path` or part of it.
pub fn covers(text: &str, path: &str) -> bool {
    let mut covered = false;
    for entry in entries(text, path) {
        if is_match(&entry.pattern, path) && (!entry.negated || entry.is_whole()) {
            covered = !entry.negated;
        }
    }
    covered
}

/// Returns true if a line excludes exactly this path.
pub fn excludes(text: &str, path: &str) -> bool {
    let excludes = |entry: &ContextEntry| entry.negated && entry.is_whole() && names(&entry.pattern, path);
    entries(text, path).iter().any(excludes)
}

/// Returns true if the pattern names exactly this path.
fn names(pattern: &Pattern, path: &str) -> bool {
    pattern.text() == path
}

/// Returns true if the pattern is this path, a directory that contains it, or a glob that matches it.
pub fn is_match(pattern: &Pattern, path: &str) -> bool {
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

/// The entries in `text`. An entry that can mean either the file `path` or lines of another file means `path`.
fn entries(text: &str, path: &str) -> Vec<ContextEntry> {
    parse(text).0.entries.into_iter().map(|entry| seen_by(entry, path)).collect()
}

fn seen_by(mut entry: ContextEntry, path: &str) -> ContextEntry {
    if entry.as_name.as_deref() == Some(path) {
        entry.take_as_name();
    }
    entry
}

/// Removes the lines whose entry matches `unwanted`.
fn without_lines(text: &str, path: &str, unwanted: impl Fn(&ContextEntry) -> bool) -> String {
    text.split_inclusive('\n')
        .filter(|line| {
            let line = line.strip_prefix('\u{feff}').unwrap_or(line);
            let entry = parse_line(line, 1).ok().flatten();
            !entry.is_some_and(|entry| unwanted(&seen_by(entry, path)))
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
        [ContextEntry { pattern, lines: None, negated: back, .. }] if *back == negated && names(pattern, &path) => {
            plain
        }
        _ => format!("{sign}{}", serde_json::Value::from(path)),
    }
}
