//! Prints to the terminal: documents and tables to standard output, messages to standard error.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use crate::deliver::{self, Delivery};
use crate::error::Result;
use crate::redact::message;
use crate::text::{harmless_json, printable};

/// Prints to standard output; a closed pipe is not an error.
pub fn print_text(text: &str) -> Result<()> {
    deliver::to_stdout(text).map(drop)
}

/// Prints a document: byte for byte into a pipe or a file, with control characters escaped on a terminal.
pub fn print_document(text: &str) -> Result<Delivery> {
    if !std::io::stdout().is_terminal() {
        return deliver::to_stdout(text);
    }
    let harmless: Vec<Cow<'_, str>> = text.split_inclusive(['\n', '\t']).flat_map(harmless).collect();
    deliver::to_stdout(&harmless.concat())
}

/// An escaped piece of text, and the line ending or tab after it.
fn harmless(piece: &str) -> [Cow<'_, str>; 2] {
    let body = piece.trim_end_matches(['\n', '\t']);
    [printable(body.strip_suffix('\r').unwrap_or(body)), Cow::Borrowed(&piece[body.len()..])]
}

/// Prints JSON with control and invisible characters escaped.
pub fn print_json(json: &str) -> Result<()> {
    print_text(&format!("{}\n", harmless_json(json)))
}

/// Prints one line to standard error, with control characters escaped and secrets redacted.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(&message(line)));
}

/// Width of tables and charts.
pub fn terminal_width() -> usize {
    // Some terminals report 0.
    let columns =
        crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns)).filter(|columns| *columns > 0);
    columns.unwrap_or(100).clamp(50, 200)
}

/// Returns true if the environment requests ASCII or supports nothing else.
pub fn only_ascii() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if set("TEDDY_ASCII").is_some() || set("TERM").is_some_and(|term| term == "dumb") {
        return true;
    }
    // Without a locale (Windows, containers), terminals support UTF-8.
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}
