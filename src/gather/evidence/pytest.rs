//! What pytest and unittest print: long and short tracebacks, `E` lines, the summary.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{Kind, Order, Reading, Spot};
use super::notation::{colon, pattern};

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^_{3,}\s+(?:ERROR (?:at \w+ of|collecting) )?(\S.*?)\s+_{3,}$"));
static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^:(?:\s(?:in\s\S.*|[A-Za-z_][\w.]*))?$"));
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|\s)(?:FAILED|ERROR) (?P<path>[^\s:]+\.py)(?:::(?P<names>\S+))?(?: - (?P<what>.*))?$")
});

/// Reads a line; true if it is pytest's.
pub fn read(line: &str, into: &mut Reading) -> bool {
    if line.starts_with("___")
        && let Some(found) = HEADING.captures(line)
    {
        into.begin(Kind::Test, &found[1], Order::OutermostFirst);
        return true;
    }
    if let Some(message) = line.strip_prefix("E ")
        && into.is_open(&[Kind::Test])
    {
        if message.starts_with("  ") && !message.trim().is_empty() {
            into.says(message.trim());
        }
        return true;
    }
    if line.contains(".py:")
        && let Some((spot, before, after)) = colon(line)
        && before.is_empty()
        && FRAME.is_match(after)
    {
        if !into.is_open(&[Kind::Test]) {
            into.begin(Kind::Test, "", Order::OutermostFirst);
        }
        into.spot(spot, Kind::Test, Order::OutermostFirst);
        return true;
    }
    if (line.contains("FAILED ") || line.contains("ERROR "))
        && line.contains(".py")
        && let Some(found) = SUMMARY.captures(line)
    {
        let Some(name) = found.name("names").map(|names| last_name(names.as_str())) else { return false };
        let what = found.name("what").map_or(name.to_owned(), |what| format!("{name}: {}", what.as_str()));
        into.single(Kind::Test, &what, Spot::named(&found["path"], name));
        return true;
    }
    false
}

/// The test's own name in `Class::test_x[case]`.
fn last_name(names: &str) -> &str {
    let names = names.split('[').next().unwrap_or(names);
    names.rsplit("::").next().unwrap_or(names)
}
