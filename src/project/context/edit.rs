//! Changing a `.context` file so that nothing else in it changes: comments, odd lines and line ends stay.

use super::{Entry, Level, Pattern, Span, compile, normalise, parse, parse_line, resolve};
use crate::project::files::line_end;

/// `text` with `path` put in: as it is if it covers `path` or some of its lines already, else with one more line.
///
/// `path` is a file from the project's root; a line that takes out just this path goes away.
pub fn with_added(text: &str, path: &str) -> String {
    let mut new = without_lines(text, |entry| entry.negated && entry.span.is_none() && names(&entry.pattern, path));
    if !covers(&new, path) {
        append(&mut new, &written(path, false));
    }
    new
}

/// The same, and whole: lines of it that are listed are not enough.
pub fn with_added_whole(text: &str, path: &str) -> String {
    let mut new = with_added(text, path);
    let (shown, _) = resolve(&[(Level::Turn, &parse(&new).0)], &[path]);
    if shown.iter().all(|resolved| resolved.span.is_some()) {
        append(&mut new, &written(path, false));
    }
    new
}

/// `text` with some lines of `path` put in, unless it has just these or the whole file already.
pub fn with_added_span(text: &str, path: &str, span: Span) -> String {
    let entries = parse(text).0.entries;
    let mut same = entries.iter().filter(|entry| !entry.negated && names(&entry.pattern, path));
    if same.any(|entry| entry.span.is_none_or(|have| have == span)) {
        return text.to_owned();
    }
    let mut new = text.to_owned();
    append(&mut new, &format!("{}:{}-{}", written(path, false), span.0, span.1));
    new
}

/// `text` with a directory or a glob put in, unless it is there already.
pub fn with_added_pattern(text: &str, pattern: &str) -> String {
    let entries = parse(text).0.entries;
    if entries.iter().any(|entry| !entry.negated && entry.span.is_none() && names(&entry.pattern, pattern)) {
        return text.to_owned();
    }
    let mut new = text.to_owned();
    append(&mut new, pattern);
    new
}

/// `text` without `path`: lines that name just this path go away, whole or with a span; if a directory or a glob still
/// covers it, a line that takes it out is added. What upper levels put in is theirs.
pub fn with_removed(text: &str, path: &str) -> String {
    let mut new = without_lines(text, |entry| !entry.negated && names(&entry.pattern, path));
    if covers(&new, path) {
        append(&mut new, &written(path, true));
    }
    new
}

/// Whether the entries, taken in order, leave `path` in, as a whole or in part.
pub fn covers(text: &str, path: &str) -> bool {
    let mut covered = false;
    for entry in parse(text).0.entries {
        if is_match(&entry.pattern, path) && !(entry.negated && entry.span.is_some()) {
            covered = !entry.negated;
        }
    }
    covered
}

/// Whether a line takes out just this path.
pub fn takes_out(text: &str, path: &str) -> bool {
    parse(text).0.entries.iter().any(|entry| entry.negated && entry.span.is_none() && names(&entry.pattern, path))
}

/// Whether the pattern is just this path.
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

/// `text` without the lines whose entry is `unwanted`.
fn without_lines(text: &str, unwanted: impl Fn(&Entry) -> bool) -> String {
    text.split_inclusive('\n')
        .filter(|line| {
            let line = line.strip_prefix('\u{feff}').unwrap_or(line);
            !matches!(parse_line(line, 1), Ok(Some(entry)) if unwanted(&entry))
        })
        .collect()
}

/// Appends a line with the line end that the text has.
fn append(text: &mut String, line: &str) {
    let end = line_end(text);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    text.push_str(line);
    text.push_str(end);
}

/// The line that names exactly `path`, quoted if it would be taken for something else.
fn written(path: &str, negated: bool) -> String {
    let sign = if negated { "!" } else { "" };
    let plain = format!("{sign}{path}");
    let path = normalise(path, true).unwrap_or_else(|_| path.to_owned());
    let read_back = parse(&plain).0.entries;
    match read_back.as_slice() {
        [Entry { pattern, span: None, negated: back, .. }] if *back == negated && names(pattern, &path) => plain,
        _ => format!("{sign}{}", serde_json::Value::from(path)),
    }
}
