//! Rust: panics with backtraces, `cargo test`, rustc and clippy messages.

use std::sync::LazyLock;

use regex::Regex;

use super::failure::{FailureKind, FailureReader, FrameOrder};
use super::notations::{colon, pattern};

static LEVEL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<level>error|warning)(?:\[(?P<code>[\w:]+)\])?: (?P<what>.+)$"));

/// Reads a line; returns whether it comes from Rust.
pub fn read(line: &str, into: &mut FailureReader) -> bool {
    if let Some((before, after)) = line.split_once("panicked at ") {
        return panicked(before, after, into);
    }
    let trimmed = line.trim_start();
    for arrow in ["--> ", "::: "] {
        if let Some(rest) = trimmed.strip_prefix(arrow)
            && let Some((location, "", _)) = colon(rest)
        {
            if arrow == "--> " {
                let (kind, what) = into.announced.take().unwrap_or((FailureKind::Compiler, String::new()));
                into.begin(kind, &what, FrameOrder::InnermostFirst);
            }
            into.location(location, FailureKind::Compiler, FrameOrder::InnermostFirst);
            return true;
        }
    }
    if let Some(found) = LEVEL.captures(trimmed) {
        let kind = if &found["level"] == "error" { FailureKind::Compiler } else { FailureKind::Warning };
        let code = found.name("code").map_or(String::new(), |code| format!("{} ", code.as_str()));
        into.announced = Some((kind, format!("{code}{}", &found["what"])));
        return true;
    }
    // A backtrace frame: `at ./src/main.rs:4:5` below the function's number and name.
    if let Some(rest) = trimmed.strip_prefix("at ")
        && rest.contains(".rs:")
        && let Some((location, "", after)) = colon(rest)
        && after.is_empty()
    {
        into.location(location, FailureKind::Panic, FrameOrder::InnermostFirst);
        return true;
    }
    // The panic message is on the line after the location.
    if into.message_follows && into.is_open(&[FailureKind::Panic]) {
        into.message_follows = false;
        if !trimmed.starts_with("note:") && !trimmed.starts_with("stack backtrace") {
            into.add_message(trimmed);
            return true;
        }
    }
    is_frame(trimmed) && into.is_open(&[FailureKind::Panic])
}

fn panicked(before: &str, after: &str, into: &mut FailureReader) -> bool {
    // Before Rust 1.73 the message came first: `panicked at 'message', src/x.rs:1:2`.
    let (message, place) = match after.rsplit_once(", ") {
        Some((message, place)) if after.starts_with('\'') => (message.trim_matches('\''), place),
        _ => ("", after),
    };
    let Some((location, _, _)) = colon(place) else { return false };
    let thread = before.split('\'').nth(1).unwrap_or_default();
    let what = if thread.is_empty() || thread == "main" || thread == "<unnamed>" { "" } else { thread };
    into.begin(FailureKind::Panic, "", FrameOrder::InnermostFirst);
    into.location(location, FailureKind::Panic, FrameOrder::InnermostFirst);
    into.add_message(what);
    into.add_message(message);
    into.message_follows = message.is_empty();
    true
}

/// `  12: core::panicking::panic_fmt`, `  12:     0x55d0 - core::…`
fn is_frame(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}
