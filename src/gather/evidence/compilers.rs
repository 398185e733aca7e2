//! Messages of compilers, type checkers and linters: `path:line:column: error: …` and its variants.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder, LogLocation};
use super::notations::{colon, form, is_path, pattern, without_prefix, words};

/// The level and message after the location: gcc, clang, javac, mypy, swift, tsc (plain and pretty), MSVC.
static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*(?:[:-]\s*)?(?P<level>fatal error|error|Error|ERROR|warning|Warning|note)\b:?\s*(?P<what>.*)$")
});
/// Messages of linters that print only a code: `F401 unused import`, `[E] message`.
static CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^:\s+(?P<what>(?:\[?[A-Z]{1,4}\d{2,5}\]?|\[\w+\]):? .+)$"));
/// Messages of linters that print the file name once, on a line above: `  12:5  error  message  rule`.
static LISTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s+(?P<line>\d{1,7}):(?P<column>\d{1,6})\s+(?P<level>error|warning)\s+(?P<what>.+)$"));
static COMPACT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?P<level>Error|Warning) - (?P<what>.+)$"));
/// A location at the start of a line counts only if the line contains one of these words.
const FAILURE_WORDS: [&str; 9] =
    ["error", "fail", "assert", "panic", "exception", "undefined", "unexpected", "cannot", "expected"];

/// Reads a line; returns whether it is a compiler message.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    if let Some(file) = into.listed.clone()
        && let Some(found) = LISTED.captures(line)
        && let (Ok(number), Ok(column)) = (found["line"].parse(), found["column"].parse())
    {
        let what = found["what"].split_whitespace().collect::<Vec<_>>().join(" ");
        into.single(kind(&found["level"]), &what, LogLocation::at(&file, number, Some(column)));
        into.listed = Some(file);
        return true;
    }
    let bare = without_prefix(line).trim();
    if is_path(bare) && !bare.contains("://") {
        into.listed = Some(bare.to_owned());
        return true;
    }
    if let Some((location, _, after)) = form(line)
        && let Some(found) = LEVEL.captures(after)
    {
        return add(into, &found["level"], &found["what"], location);
    }
    if let Some((location, before, after)) = colon(line) {
        if let Some(found) = LEVEL.captures(after) {
            return add(into, &found["level"], &found["what"], location);
        }
        if before.trim().is_empty()
            && let Some(found) = CODE.captures(after)
        {
            into.single(FailureKind::Compiler, &found["what"], location);
            return true;
        }
        let first = without_prefix(before).trim().is_empty();
        let lower = line.to_lowercase();
        // `In file included from a.c:3:` is context, not the error.
        if first && FAILURE_WORDS.iter().any(|word| lower.contains(word)) {
            into.single(FailureKind::Compiler, after.trim_start_matches([':', ' ']), location);
            return true;
        }
        // Ruby, Elixir and shells write `from lib/a.rb:12:in 'go'`.
        if after.starts_with(":in ") || after.starts_with(": in ") {
            into.location(location, FailureKind::Trace, FrameOrder::InnermostFirst);
            return true;
        }
    }
    let Some(location) = words(line) else { return false };
    match COMPACT.captures(line) {
        Some(found) => into.single(kind(&found["level"]), &found["what"], location),
        // Only PHP and C# write locations in this form. Other lines with these words are prose.
        None if line.contains(" on line ") || line.contains(":line ") => {
            into.location(location, FailureKind::Trace, FrameOrder::InnermostFirst);
        }
        None => return false,
    }
    true
}

fn kind(level: &str) -> FailureKind {
    if level.eq_ignore_ascii_case("warning") { FailureKind::Warning } else { FailureKind::Compiler }
}

fn add(into: &mut FailureReader, level: &str, what: &str, location: LogLocation) -> bool {
    if level == "note" {
        // A note belongs to the error before it.
        return true;
    }
    into.single(kind(level), what, location);
    true
}
