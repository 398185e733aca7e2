//! C and C++: debugger backtraces, sanitizers, failed assertions.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder};
use super::notations::{colon, pattern};

static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:\(gdb\) )?(?:frame |\* ?frame )?#(?P<number>\d{1,5})\s*:?\s+(?P<rest>.*)$"));
static SANITIZER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:ERROR|WARNING): (?P<what>(?:Address|Thread|Memory|Leak|UndefinedBehavior|HWAddress)Sanitizer: .*)$")
});
static SIGNAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:received|terminated with) signal (?P<signal>SIG\w+)|stop reason = (?P<reason>.+)$"));

/// Headings of further stacks in a sanitizer report.
const FURTHER: [&str; 8] = [
    "freed by thread",
    "previously allocated by",
    "allocated by thread",
    "Previous write of",
    "Previous read of",
    "Location is",
    "Uninitialized value was created",
    "located in stack of",
];

/// Reads a line; returns whether it comes from a debugger or sanitizer.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    if line.contains("Sanitizer: ")
        && let Some(found) = SANITIZER.captures(line)
    {
        // Addresses differ between runs, so they are removed.
        let what = found["what"].split(" on ").next().unwrap_or_default();
        into.begin(FailureKind::Crash, what, FrameOrder::InnermostFirst);
        return true;
    }
    if line.contains("SUMMARY: ") && line.contains("Sanitizer: ") {
        // The summary only repeats the location.
        into.close();
        return true;
    }
    if let Some((place, what)) = line.split_once(": runtime error: ")
        && let Some((location, _, _)) = colon(place)
    {
        into.begin(FailureKind::Crash, what, FrameOrder::InnermostFirst);
        into.location(location, FailureKind::Crash, FrameOrder::InnermostFirst);
        return true;
    }
    if (line.contains("signal SIG") || line.contains("stop reason = "))
        && let Some(found) = SIGNAL.captures(line)
    {
        let what = found.name("signal").or_else(|| found.name("reason")).map_or("", |what| what.as_str());
        into.begin(FailureKind::Crash, what, FrameOrder::InnermostFirst);
        return true;
    }
    if into.is_open(&[FailureKind::Crash])
        && let Some(further) = FURTHER.iter().find(|further| line.contains(*further))
    {
        into.begin(FailureKind::Crash, further, FrameOrder::InnermostFirst);
        return true;
    }
    if line.contains("Assertion ")
        && line.contains("failed")
        && let Some((location, _, after)) = colon(line)
    {
        into.single(FailureKind::Crash, after.trim_start_matches(':'), location);
        return true;
    }
    if line.contains('#')
        && let Some(found) = NUMBERED.captures(line)
    {
        return frame(&found["number"], &found["rest"], into);
    }
    false
}

fn frame(number: &str, rest: &str, into: &mut FailureReader) -> bool {
    let place = colon(rest);
    let stack = rest.starts_with("0x") || rest.contains(" in ") || rest.contains(") at ") || place.is_some();
    if !stack {
        return false;
    }
    // Another frame 0 starts the stack of another thread.
    if number.trim_start_matches('0').is_empty() && (into.has_locations() || !into.is_open(&[FailureKind::Crash])) {
        into.begin(FailureKind::Crash, "", FrameOrder::InnermostFirst);
    }
    if let Some((location, _, _)) = place {
        into.location(location, FailureKind::Crash, FrameOrder::InnermostFirst);
    }
    true
}
