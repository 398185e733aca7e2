//! Python's tracebacks, also inside logs and chained, and its syntax errors.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{Kind, Order, Reading, Spot};
use super::notation::pattern;

static FRAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"File "(?P<path>[^"\n]+)", line (?P<line>\d{1,7})(?:, in (?P<name>.+))?"#));
static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s|:\]])(?P<what>(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*)?(?:Error|Exception|Warning|Exit|Interrupt|Group|Iteration|Failure|Timeout|DoesNotExist|NotFound|Denied)(?::\s.*)?)$",
    )
});

/// What ends a traceback at the margin, whatever its name.
static ENDS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?::\s.*)?$"));

/// Reads a line; true if it is Python's.
pub fn read(line: &str, into: &mut Reading) -> bool {
    if line.contains("Traceback (most recent call last)") {
        into.begin(Kind::Trace, "", Order::OutermostFirst);
        return true;
    }
    if line.contains("File \"")
        && let Some(found) = FRAME.captures(line)
        && let Ok(number) = found["line"].parse()
    {
        // A syntax error's place has no function, and may come without the line that begins a traceback.
        if !into.is_open(&[Kind::Trace, Kind::Test]) || into.has_message() && into.is_open(&[Kind::Trace]) {
            into.begin(Kind::Trace, "", Order::OutermostFirst);
        }
        into.spot(Spot::at(&found["path"], number, None), Kind::Trace, Order::OutermostFirst);
        return true;
    }
    if into.is_open(&[Kind::Trace])
        && into.has_spots()
        && !into.has_message()
        && !line.contains(" at ")
        && let Some(what) = RAISED
            .captures(line)
            .map_or_else(|| ENDS.is_match(line).then_some(line), |found| found.name("what").map(|what| what.as_str()))
    {
        into.says(what);
        into.close();
        return true;
    }
    false
}
