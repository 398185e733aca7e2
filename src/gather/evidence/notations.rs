//! Notations for a file and line, and removal of escape sequences and log prefixes.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::failure::LogLocation;

/// Compiles a constant pattern.
#[expect(clippy::unwrap_used, reason = "constant patterns, exercised by the tests")]
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

/// A path before `:12`. It contains no white space, quotes or brackets, except for brackets that web frameworks use in
/// directory names. It may start with a drive or a scheme.
const PATH: &str = r#"(?:(?:file|webpack|webpack-internal|rsc|https?|ng|vite|turbopack)://[^\s:/]*(?::\d+)?/)?(?:[A-Za-z]:[\\/])?(?:[^\s:"'`<>|,;=()\[\]{}*]|/\([\w.-]+\)|[/\\]\[[\w.-]+\])*[\w+\])-]\.[A-Za-z][A-Za-z0-9_+]{0,9}"#;

static COLON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"(?P<path>{PATH})(?:\?[^\s:]*)?:(?P<line>\d{{1,7}})(?::(?P<column>\d{{1,6}}))?"))
});
static FORM: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?P<path>{PATH})\((?P<line>\d{{1,7}})(?:,\s?(?P<column>\d{{1,6}}))?\)")));
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r#"(?P<path>{PATH})"?(?::line|,? (?:on |at )?line) (?P<line>\d{{1,7}})(?:,? col(?:umn)? (?P<column>\d{{1,6}}))?"#
    ))
});
static ESCAPE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])"));
static PREFIX: LazyLock<Regex> = LazyLock::new(|| {
    let iso = r"(?:\S+\s+)?\S*\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*(?:\s+[+-]\d{4})?\s?";
    let boxed = r"\[\d{4}-\d\d-\d\d[^\]]*\]\s?";
    let container = r"[\w.-]+\s+\|\s";
    let syslog = r"[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d \S+ [^\s:]+: ";
    pattern(&format!(r"^(?:{iso}|{boxed}|{container}|{syslog})(?:##\[\w+\])?|^##\[\w+\]"))
});

/// Removes escape sequences and carriage returns.
pub fn plain(line: &str) -> Cow<'_, str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if !line.contains(['\x1b', '\r', '\u{feff}']) {
        return Cow::Borrowed(line);
    }
    let line = ESCAPE.replace_all(line, "");
    // A progress bar rewrites its line, so only the last text is kept.
    let last = line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default();
    Cow::Owned(last.replace(['\x1b', '\u{feff}'], ""))
}

/// Removes the timestamp of a logger or the name that a container runner prepends.
pub fn without_prefix(line: &str) -> &str {
    PREFIX.find(line).map_or(line, |prefix| &line[prefix.end()..])
}

fn location(found: &Captures<'_>) -> Option<LogLocation> {
    let line = found["line"].parse().ok().filter(|line| *line > 0)?;
    let column = found.name("column").and_then(|column| column.as_str().parse().ok());
    Some(LogLocation::at(&found["path"], line, column))
}

/// The first `path:12` or `path:12:5`, with the text before and after it.
pub fn colon(line: &str) -> Option<(LogLocation, &str, &str)> {
    if !line.contains(':') {
        return None;
    }
    let found = COLON.captures(line)?;
    let all = found.get(0)?;
    Some((location(&found)?, &line[..all.start()], &line[all.end()..]))
}

/// The first `path(12,5)`, as Microsoft tools write it, with the text before and after it.
pub fn form(line: &str) -> Option<(LogLocation, &str, &str)> {
    let found = FORM.captures(line)?;
    let all = found.get(0)?;
    Some((location(&found)?, &line[..all.start()], &line[all.end()..]))
}

/// The first `path line 12` or `path:line 12`.
pub fn words(line: &str) -> Option<LogLocation> {
    if !line.contains("line ") {
        return None;
    }
    location(&WORDS.captures(line)?)
}

/// Returns true if the whole text is a file path.
pub fn is_path(text: &str) -> bool {
    static ALONE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{PATH}$")));
    ALONE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_found_in_every_notation() {
        let cases = [
            ("src/a.rs:3:5", "src/a.rs", 3, Some(5)),
            ("  --> C:\\work\\a b\\x.rs:1:2", "b\\x.rs", 1, Some(2)),
            ("at fn (file:///home/u/x.mjs:10:3)", "file:///home/u/x.mjs", 10, Some(3)),
            ("(C:\\app\\src\\x.js:10:3)", "C:\\app\\src\\x.js", 10, Some(3)),
            ("webpack-internal:///./src/x.ts:7:1", "webpack-internal:///./src/x.ts", 7, Some(1)),
            ("http://localhost:3000/src/x.tsx?t=123:7:1", "http://localhost:3000/src/x.tsx", 7, Some(1)),
            ("at Page (app/(shop)/[id]/page.tsx:4:9)", "app/(shop)/[id]/page.tsx", 4, Some(9)),
            ("./pkg/x.go:12: boom", "./pkg/x.go", 12, None),
            ("main.cpp:7: Assertion", "main.cpp", 7, None),
        ];
        for (line, path, number, column) in cases {
            let (location, _, _) = colon(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (location.path.as_str(), location.line, location.column),
                (path, Some(number), column),
                "{line}"
            );
        }
        for line in ["12:30:05", "a: b", "http://localhost:3000", "1.5:3", "x.rs:0"] {
            assert!(colon(line).is_none(), "{line}");
        }
        let (location, _, after) = form(r"C:\src\a.cpp(12,5): error C2065: x").unwrap();
        assert_eq!((location.path.as_str(), location.line, after), (r"C:\src\a.cpp", Some(12), ": error C2065: x"));
        assert_eq!(words("in /app/x.php on line 9").unwrap().line, Some(9));
        assert_eq!(words("in /app/X.cs:line 31").unwrap().path, "/app/X.cs");
    }

    #[test]
    fn colors_and_prefixes_are_removed() {
        assert_eq!(plain("\x1b[31merror\x1b[0m: x\r"), "error: x");
        assert_eq!(plain(" 10%\r 90%\rdone"), "done");
        assert_eq!(plain("\x1b]8;;http://x\x07link\x1b]8;;\x07"), "link");
        for line in [
            "2026-01-24T10:30:00.123Z   File \"x.py\", line 3",
            "web-1  |   File \"x.py\", line 3",
            "[2026-01-24 10:30:00,123]   File \"x.py\", line 3",
            "Jan 24 10:30:00 host app[12]: File \"x.py\", line 3",
            "2026-01-24T10:30:00.1234567Z ##[error]File \"x.py\", line 3",
        ] {
            assert_eq!(without_prefix(line).trim_start(), "File \"x.py\", line 3", "{line}");
        }
        assert_eq!(without_prefix("  File \"x.py\""), "  File \"x.py\"");
    }
}
