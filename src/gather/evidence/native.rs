//! C and C++: debugger backtraces, sanitizers, failed assertions.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{Kind, Order, Reading};
use super::notation::{colon, pattern};

static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:\(gdb\) )?(?:frame |\* ?frame )?#(?P<number>\d{1,5})\s*:?\s+(?P<rest>.*)$"));
static SANITIZER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:ERROR|WARNING): (?P<what>(?:Address|Thread|Memory|Leak|UndefinedBehavior|HWAddress)Sanitizer: .*)$")
});
static SIGNAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:received|terminated with) signal (?P<signal>SIG\w+)|stop reason = (?P<reason>.+)$"));

/// Headings of the further stacks that a sanitizer prints.
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

/// Reads a line; true if it is a debugger's or a sanitizer's.
pub fn read(line: &str, into: &mut Reading) -> bool {
    if line.contains("Sanitizer: ")
        && let Some(found) = SANITIZER.captures(line)
    {
        // Addresses are another at every run.
        let what = found["what"].split(" on ").next().unwrap_or_default();
        into.begin(Kind::Crash, what, Order::InnermostFirst);
        return true;
    }
    if line.contains("SUMMARY: ") && line.contains("Sanitizer: ") {
        // The same place again.
        into.close();
        return true;
    }
    if let Some((place, what)) = line.split_once(": runtime error: ")
        && let Some((spot, _, _)) = colon(place)
    {
        into.begin(Kind::Crash, what, Order::InnermostFirst);
        into.spot(spot, Kind::Crash, Order::InnermostFirst);
        return true;
    }
    if (line.contains("signal SIG") || line.contains("stop reason = "))
        && let Some(found) = SIGNAL.captures(line)
    {
        let what = found.name("signal").or_else(|| found.name("reason")).map_or("", |what| what.as_str());
        into.begin(Kind::Crash, what, Order::InnermostFirst);
        return true;
    }
    if into.is_open(&[Kind::Crash])
        && let Some(further) = FURTHER.iter().find(|further| line.contains(*further))
    {
        into.begin(Kind::Crash, further, Order::InnermostFirst);
        return true;
    }
    if line.contains("Assertion ")
        && line.contains("failed")
        && let Some((spot, _, after)) = colon(line)
    {
        into.single(Kind::Crash, after.trim_start_matches(':'), spot);
        return true;
    }
    if line.contains('#')
        && let Some(found) = NUMBERED.captures(line)
    {
        return frame(&found["number"], &found["rest"], into);
    }
    false
}

fn frame(number: &str, rest: &str, into: &mut Reading) -> bool {
    let place = colon(rest);
    let stack = rest.starts_with("0x") || rest.contains(" in ") || rest.contains(") at ") || place.is_some();
    if !stack {
        return false;
    }
    // A stack that starts again is another one: the next thread's.
    if number.trim_start_matches('0').is_empty() && (into.has_spots() || !into.is_open(&[Kind::Crash])) {
        into.begin(Kind::Crash, "", Order::InnermostFirst);
    }
    if let Some((spot, _, _)) = place {
        into.spot(spot, Kind::Crash, Order::InnermostFirst);
    }
    true
}
