//! teddy's table at the end of a TOML file.

use std::path::Path;

use super::{NAME, broken};
use crate::error::Result;

const TABLE: &str = "[mcp_servers.teddy]\ncommand = \"teddy\"\nargs = [\"mcp\"]\n";

/// Adds teddy's table.
pub(super) fn added(path: &Path, text: &str) -> Result<String> {
    let value = parsed(path, text)?;
    if value.get("mcp_servers").is_some_and(|servers| servers.get(NAME).is_some()) {
        return Ok(text.to_owned());
    }
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let new = format!("{text}{}{}", gap(text), TABLE.replace('\n', ends));
    // An inline table `mcp_servers = {…}` cannot be extended.
    parsed(path, &new).map_err(|_| broken(path, "`mcp_servers` cannot be extended by a table at the end"))?;
    Ok(new)
}

/// Removes teddy's table; `None` if nothing else is left.
pub(super) fn removed(path: &Path, text: &str) -> Result<Option<String>> {
    let value = parsed(path, text)?;
    if value.get("mcp_servers").is_none_or(|servers| servers.get(NAME).is_none()) {
        return Ok(Some(text.to_owned()));
    }
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let table = TABLE.replace('\n', ends);
    let Some(at) = text.find(&table).filter(|at| *at == 0 || text[..*at].ends_with('\n')) else {
        return Err(broken(path, "the table `mcp_servers.teddy` was changed; remove it by hand"));
    };
    let (before, after) = (&text[..at], &text[at + table.len()..]);
    let rest = format!("{}{after}", before.strip_suffix(ends).unwrap_or(before));
    Ok((!rest.is_empty()).then_some(rest))
}

/// Line ending to insert between the text and teddy's part, so that a blank line separates them.
pub(super) fn gap(text: &str) -> &'static str {
    match text {
        "" => "",
        text if text.contains("\r\n") => "\r\n",
        _ => "\n",
    }
}

fn parsed(path: &Path, text: &str) -> Result<toml::Table> {
    text.parse().map_err(|error: toml::de::Error| broken(path, &format!("it is not valid TOML: {}", error.message())))
}
