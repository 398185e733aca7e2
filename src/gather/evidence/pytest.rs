//! Output of pytest and unittest: long and short tracebacks, `E` lines, the summary.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder, LogLocation};
use super::notations::{colon, pattern};

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^_{3,}\s+(?:ERROR (?:at \w+ of|collecting) )?(\S.*?)\s+_{3,}$"));
static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^:(?:\s(?:in\s\S.*|[A-Za-z_][\w.]*))?$"));
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|\s)(?:FAILED|ERROR) (?P<path>[^\s:]+\.py)(?:::(?P<names>\S+))?(?: - (?P<what>.*))?$")
});

/// Reads a line; returns whether it comes from pytest.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    if line.starts_with("___")
        && let Some(found) = HEADING.captures(line)
    {
        into.begin(FailureKind::Test, &found[1], FrameOrder::OutermostFirst);
        return true;
    }
    if let Some(message) = line.strip_prefix("E ")
        && into.is_open(&[FailureKind::Test])
    {
        if message.starts_with("  ") && !message.trim().is_empty() {
            into.add_message(message.trim());
        }
        return true;
    }
    if line.contains(".py:")
        && let Some((location, before, after)) = colon(line)
        && before.is_empty()
        && FRAME.is_match(after)
    {
        if !into.is_open(&[FailureKind::Test]) {
            into.begin(FailureKind::Test, "", FrameOrder::OutermostFirst);
        }
        into.location(location, FailureKind::Test, FrameOrder::OutermostFirst);
        return true;
    }
    if (line.contains("FAILED ") || line.contains("ERROR "))
        && line.contains(".py")
        && let Some(found) = SUMMARY.captures(line)
    {
        let Some(name) = found.name("names").map(|names| last_name(names.as_str())) else { return false };
        let what = found.name("what").map_or(name.to_owned(), |what| format!("{name}: {}", what.as_str()));
        into.single(FailureKind::Test, &what, LogLocation::named(&found["path"], name));
        return true;
    }
    false
}

/// The test name in `Class::test_x[case]`.
fn last_name(names: &str) -> &str {
    let names = names.split('[').next().unwrap_or(names);
    names.rsplit("::").next().unwrap_or(names)
}
