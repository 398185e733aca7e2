//! JavaScript and TypeScript: V8 stack traces, jest and vitest.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder};
use super::notations::{colon, pattern, without_prefix};

static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:Uncaught |Unhandled |\(node:\d+\) |\[cause\]: )*(?P<what>(?:[A-Z]\w*)?(?:Error|Exception|Rejection)(?: \[[\w_]+\])?(?:: .*)?)$",
    )
});
static JEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*● (?P<what>.+)$"));
static VITEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:FAIL|×|✗)\s+(?P<what>\S+\.\w+ > .+)$"));
static SCRIPT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\.(?:[cm]?[jt]sx?|vue|svelte|astro)(?:\?\S*)?:\d"));

/// Reads a line; returns whether it comes from a JavaScript engine or test runner.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    let trimmed = without_prefix(line).trim_start();
    if let Some(rest) = trimmed.strip_prefix("at ").or_else(|| trimmed.strip_prefix("❯ ")) {
        if !SCRIPT.is_match(rest) {
            // Frames without a file of the project, such as `at new Promise (<anonymous>)` and
            // `at node:internal/…:12:3`.
            return rest.ends_with("(<anonymous>)") || rest.contains("node:internal/");
        }
        let Some((location, _, _)) = colon(rest) else { return false };
        into.location(location, FailureKind::Trace, FrameOrder::InnermostFirst);
        return true;
    }
    // Safari and Firefox write `name@http://localhost/x.js:1:2`.
    if let Some((name, rest)) = trimmed.split_once('@')
        && SCRIPT.is_match(rest)
        && !name.contains(' ')
        && let Some((location, "", after)) = colon(rest)
        && after.is_empty()
    {
        into.location(location, FailureKind::Trace, FrameOrder::InnermostFirst);
        return true;
    }
    // Node's test runner and others that print TAP.
    if let Some(rest) = trimmed.strip_prefix("not ok ") {
        let what = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '-'));
        into.begin(FailureKind::Test, what, FrameOrder::InnermostFirst);
        return true;
    }
    if into.is_open(&[FailureKind::Test])
        && (trimmed.ends_with(')') || trimmed.starts_with("location: "))
        && SCRIPT.is_match(trimmed)
        && let Some((location, _, _)) = colon(trimmed)
    {
        into.location(location, FailureKind::Test, FrameOrder::InnermostFirst);
        return true;
    }
    for (regex, mark) in [(&*JEST, '●'), (&*VITEST, '>')] {
        if trimmed.contains(mark)
            && let Some(found) = regex.captures(trimmed)
        {
            into.begin(FailureKind::Test, &found["what"], FrameOrder::InnermostFirst);
            return true;
        }
    }
    if let Some(found) = RAISED.captures(trimmed) {
        if into.is_open(&[FailureKind::Test]) && !into.has_locations() {
            into.add_message(&found["what"]);
        } else if trimmed.starts_with("[cause]") {
            into.cause(&found["what"], FrameOrder::InnermostFirst);
        } else {
            into.begin(FailureKind::Trace, &found["what"], FrameOrder::InnermostFirst);
        }
        return true;
    }
    false
}
