//! Python: tracebacks, including chained ones and those inside logs, and syntax errors.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder, LogLocation};
use super::notations::pattern;

static FRAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"File "(?P<path>[^"\n]+)", line (?P<line>\d{1,7})(?:, in (?P<name>.+))?"#));
static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s|:\]])(?P<what>(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*)?(?:Error|Exception|Warning|Exit|Interrupt|Group|Iteration|Failure|Timeout|DoesNotExist|NotFound|Denied)(?::\s.*)?)$",
    )
});

/// Last line of a traceback at the left margin, for exceptions with any name.
static ENDS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?::\s.*)?$"));

/// Reads a line; returns whether it belongs to a Python traceback.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    if line.contains("Traceback (most recent call last)") {
        into.begin(FailureKind::Trace, "", FrameOrder::OutermostFirst);
        return true;
    }
    if line.contains("File \"")
        && let Some(found) = FRAME.captures(line)
        && let Ok(number) = found["line"].parse()
    {
        // The location of a syntax error has no function, and may have no traceback above it.
        if !into.is_open(&[FailureKind::Trace, FailureKind::Test])
            || into.has_message() && into.is_open(&[FailureKind::Trace])
        {
            into.begin(FailureKind::Trace, "", FrameOrder::OutermostFirst);
        }
        into.location(LogLocation::at(&found["path"], number, None), FailureKind::Trace, FrameOrder::OutermostFirst);
        return true;
    }
    if into.is_open(&[FailureKind::Trace])
        && into.has_locations()
        && !into.has_message()
        && !line.contains(" at ")
        && let Some(what) = RAISED
            .captures(line)
            .map_or_else(|| ENDS.is_match(line).then_some(line), |found| found.name("what").map(|what| what.as_str()))
    {
        into.add_message(what);
        into.close();
        return true;
    }
    false
}
