//! JavaScript and TypeScript: V8's stacks, jest and vitest.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{Kind, Order, Reading};
use super::notation::{colon, pattern, without_prefix};

static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:Uncaught |Unhandled |\(node:\d+\) |\[cause\]: )*(?P<what>(?:[A-Z]\w*)?(?:Error|Exception|Rejection)(?: \[[\w_]+\])?(?:: .*)?)$",
    )
});
static JEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*● (?P<what>.+)$"));
static VITEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:FAIL|×|✗)\s+(?P<what>\S+\.\w+ > .+)$"));
static SCRIPT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\.(?:[cm]?[jt]sx?|vue|svelte|astro)(?:\?\S*)?:\d"));

/// Reads a line; true if it is a JavaScript engine's or test runner's.
pub fn read(line: &str, into: &mut Reading) -> bool {
    let trimmed = without_prefix(line).trim_start();
    if let Some(rest) = trimmed.strip_prefix("at ").or_else(|| trimmed.strip_prefix("❯ ")) {
        if !SCRIPT.is_match(rest) {
            // `at new Promise (<anonymous>)` and `at node:internal/…:12:3` are frames too, of nobody here.
            return rest.ends_with("(<anonymous>)") || rest.contains("node:internal/");
        }
        let Some((spot, _, _)) = colon(rest) else { return false };
        into.spot(spot, Kind::Trace, Order::InnermostFirst);
        return true;
    }
    // Safari and Firefox: `name@http://localhost/x.js:1:2`.
    if let Some((name, rest)) = trimmed.split_once('@')
        && SCRIPT.is_match(rest)
        && !name.contains(' ')
        && let Some((spot, "", after)) = colon(rest)
        && after.is_empty()
    {
        into.spot(spot, Kind::Trace, Order::InnermostFirst);
        return true;
    }
    // Node's own test runner, and others that speak TAP.
    if let Some(rest) = trimmed.strip_prefix("not ok ") {
        let what = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '-'));
        into.begin(Kind::Test, what, Order::InnermostFirst);
        return true;
    }
    if into.is_open(&[Kind::Test])
        && (trimmed.ends_with(')') || trimmed.starts_with("location: "))
        && SCRIPT.is_match(trimmed)
        && let Some((spot, _, _)) = colon(trimmed)
    {
        into.spot(spot, Kind::Test, Order::InnermostFirst);
        return true;
    }
    for (regex, mark) in [(&*JEST, '●'), (&*VITEST, '>')] {
        if trimmed.contains(mark)
            && let Some(found) = regex.captures(trimmed)
        {
            into.begin(Kind::Test, &found["what"], Order::InnermostFirst);
            return true;
        }
    }
    if let Some(found) = RAISED.captures(trimmed) {
        if into.is_open(&[Kind::Test]) && !into.has_spots() {
            into.says(&found["what"]);
        } else if trimmed.starts_with("[cause]") {
            into.cause(&found["what"], Order::InnermostFirst);
        } else {
            into.begin(Kind::Trace, &found["what"], Order::InnermostFirst);
        }
        return true;
    }
    false
}
