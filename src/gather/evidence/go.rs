//! Go: panics, `go test`, `go vet` and what the compiler says.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{Kind, Order, Reading, Spot};
use super::notation::{colon, pattern};

static FAILED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*--- FAIL: (?P<test>[\w/#.-]+)"));
static PACKAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:FAIL|ok)\s+(?P<package>[\w./~-]+)(?:\s|$)"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^# (?P<package>[\w./~-]+)(?: \[.*\])?$"));

/// Reads a line; true if it is Go's.
pub fn read(line: &str, into: &mut Reading) -> bool {
    if let Some(message) = line.strip_prefix("panic: ").or_else(|| line.strip_prefix("fatal error: ")) {
        into.begin(Kind::Panic, message, Order::InnermostFirst);
        return true;
    }
    if line.starts_with("goroutine ") && line.ends_with("]:") {
        if !into.is_open(&[Kind::Panic]) || into.has_spots() {
            into.begin(Kind::Panic, line.trim_end_matches(':'), Order::InnermostFirst);
        }
        return true;
    }
    if line.contains("--- FAIL: ")
        && let Some(found) = FAILED.captures(line)
    {
        into.begin(Kind::Test, &found["test"], Order::InnermostFirst);
        // A test that says nothing is still a place.
        into.fallback = found["test"].split('/').next().map(|name| Spot::named("", name));
        return true;
    }
    if let Some(found) = PACKAGE.captures(line) {
        into.package_was(&found["package"]);
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
    let Some((spot, before, after)) = colon(line) else { return false };
    let indented = line.starts_with(['\t', ' ']);
    if indented && before.trim().is_empty() && (after.starts_with(" +0x") || after.is_empty()) {
        into.spot(spot, Kind::Panic, Order::InnermostFirst);
        return true;
    }
    if indented && before.trim().is_empty() && after.starts_with(": ") && into.is_open(&[Kind::Test]) {
        into.says(after.trim_start_matches(':'));
        into.spot(spot, Kind::Test, Order::InnermostFirst);
        return true;
    }
    let before = before.trim();
    if matches!(before, "" | "vet:") && after.starts_with(": ") {
        into.single(Kind::Compiler, after.trim_start_matches(':'), spot);
        return true;
    }
    false
}
