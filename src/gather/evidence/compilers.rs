//! What compilers, type checkers and linters say: `path:line:column: error: …` and its relatives.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{Kind, Order, Reading, Spot};
use super::notation::{colon, form, is_path, pattern, without_prefix, words};

/// What follows the place, from the level on: gcc, clang, javac, mypy, swift, tsc's plain and pretty forms, MSVC.
static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*(?:[:-]\s*)?(?P<level>fatal error|error|Error|ERROR|warning|Warning|note)\b:?\s*(?P<what>.*)$")
});
/// `F401 unused import`, `[E] message`: linters that only give a code.
static CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^:\s+(?P<what>(?:\[?[A-Z]{1,4}\d{2,5}\]?|\[\w+\]):? .+)$"));
/// A line of a linter that names the file once, above: `  12:5  error  message  rule`.
static LISTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s+(?P<line>\d{1,7}):(?P<column>\d{1,6})\s+(?P<level>error|warning)\s+(?P<what>.+)$"));
static COMPACT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?P<level>Error|Warning) - (?P<what>.+)$"));
/// Words without which a place at the start of a line is only a mention.
const TELLING: [&str; 9] =
    ["error", "fail", "assert", "panic", "exception", "undefined", "unexpected", "cannot", "expected"];

/// Reads a line; true if it is a compiler's.
pub fn read(line: &str, into: &mut Reading) -> bool {
    if let Some(file) = into.listed.clone()
        && let Some(found) = LISTED.captures(line)
        && let (Ok(number), Ok(column)) = (found["line"].parse(), found["column"].parse())
    {
        let what = found["what"].split_whitespace().collect::<Vec<_>>().join(" ");
        into.single(kind(&found["level"]), &what, Spot::at(&file, number, Some(column)));
        into.listed = Some(file);
        return true;
    }
    let bare = without_prefix(line).trim();
    if is_path(bare) && !bare.contains("://") {
        into.listed = Some(bare.to_owned());
        return true;
    }
    if let Some((spot, _, after)) = form(line)
        && let Some(found) = LEVEL.captures(after)
    {
        return said(into, &found["level"], &found["what"], spot);
    }
    if let Some((spot, before, after)) = colon(line) {
        if let Some(found) = LEVEL.captures(after) {
            return said(into, &found["level"], &found["what"], spot);
        }
        if before.trim().is_empty()
            && let Some(found) = CODE.captures(after)
        {
            into.single(Kind::Compiler, &found["what"], spot);
            return true;
        }
        let first = without_prefix(before).trim().is_empty();
        let lower = line.to_lowercase();
        // `In file included from a.c:3:` is how one gets there, not what is wrong.
        if first && TELLING.iter().any(|word| lower.contains(word)) {
            into.single(Kind::Compiler, after.trim_start_matches([':', ' ']), spot);
            return true;
        }
        // Ruby, Elixir and shells: `from lib/a.rb:12:in 'go'`.
        if after.starts_with(":in ") || after.starts_with(": in ") {
            into.spot(spot, Kind::Trace, Order::InnermostFirst);
            return true;
        }
    }
    let Some(spot) = words(line) else { return false };
    match COMPACT.captures(line) {
        Some(found) => into.single(kind(&found["level"]), &found["what"], spot),
        // PHP and C#; other sentences with a line in them are talk.
        None if line.contains(" on line ") || line.contains(":line ") => {
            into.spot(spot, Kind::Trace, Order::InnermostFirst);
        }
        None => return false,
    }
    true
}

fn kind(level: &str) -> Kind {
    if level.eq_ignore_ascii_case("warning") { Kind::Warning } else { Kind::Compiler }
}

fn said(into: &mut Reading, level: &str, what: &str, spot: Spot) -> bool {
    if level == "note" {
        // It belongs to the error before, which is told already.
        return true;
    }
    into.single(kind(level), what, spot);
    true
}
