//! Go: panics, `go test`, `go vet` and compiler messages.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder, LogLocation};
use super::notations::{colon, pattern};

static FAILED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*--- FAIL: (?P<test>[\w/#.-]+)"));
static PACKAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:FAIL|ok)\s+(?P<package>[\w./~-]+)(?:\s|$)"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^# (?P<package>[\w./~-]+)(?: \[.*\])?$"));

/// Reads a line; returns whether it comes from Go.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    if let Some(message) = line.strip_prefix("panic: ").or_else(|| line.strip_prefix("fatal error: ")) {
        into.begin(FailureKind::Panic, message, FrameOrder::InnermostFirst);
        return true;
    }
    if line.starts_with("goroutine ") && line.ends_with("]:") {
        if !into.is_open(&[FailureKind::Panic]) || into.has_locations() {
            into.begin(FailureKind::Panic, line.trim_end_matches(':'), FrameOrder::InnermostFirst);
        }
        return true;
    }
    if line.contains("--- FAIL: ")
        && let Some(found) = FAILED.captures(line)
    {
        into.begin(FailureKind::Test, &found["test"], FrameOrder::InnermostFirst);
        // A test that prints no location is found by its name.
        into.fallback = found["test"].split('/').next().map(|name| LogLocation::named("", name));
        return true;
    }
    if let Some(found) = PACKAGE.captures(line) {
        into.assign_package(&found["package"]);
        return true;
    }
    if line.starts_with("# ")
        && let Some(found) = HEADING.captures(line)
    {
        into.package = Some(found["package"].to_owned());
        return true;
    }
    if !line.contains(".go:") {
        return false;
    }
    let Some((location, before, after)) = colon(line) else { return false };
    let indented = line.starts_with(['\t', ' ']);
    if indented && before.trim().is_empty() && (after.starts_with(" +0x") || after.is_empty()) {
        into.location(location, FailureKind::Panic, FrameOrder::InnermostFirst);
        return true;
    }
    if indented && before.trim().is_empty() && after.starts_with(": ") && into.is_open(&[FailureKind::Test]) {
        into.add_message(after.trim_start_matches(':'));
        into.location(location, FailureKind::Test, FrameOrder::InnermostFirst);
        return true;
    }
    let before = before.trim();
    if matches!(before, "" | "vet:") && after.starts_with(": ") {
        into.single(FailureKind::Compiler, after.trim_start_matches(':'), location);
        return true;
    }
    false
}
