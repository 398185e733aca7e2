//! teddy's section in a Markdown file, between two comments.

use std::path::Path;

use super::broken;
use super::toml_entry::gap;
use crate::error::Result;

const BEGIN: &str = "<!-- teddy:begin -->";
const END: &str = "<!-- teddy:end -->";

/// Adds teddy's section at the end.
pub(super) fn added(path: &Path, text: &str, section: &str) -> Result<String> {
    if found(path, text)?.is_some() {
        return Ok(text.to_owned());
    }
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let section = format!("{BEGIN}\n{section}{END}\n").replace('\n', ends);
    Ok(format!("{text}{}{section}", gap(text)))
}

/// Removes teddy's section; `None` if nothing else is left.
pub(super) fn removed(path: &Path, text: &str) -> Result<Option<String>> {
    let Some((from, to)) = found(path, text)? else { return Ok(Some(text.to_owned())) };
    let (before, after) = (&text[..from], &text[to..]);
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let rest = format!("{}{after}", before.strip_suffix(ends).unwrap_or(before));
    Ok((!rest.is_empty()).then_some(rest))
}

/// Start and end of teddy's section.
fn found(path: &Path, text: &str) -> Result<Option<(usize, usize)>> {
    match (text.find(BEGIN), text.find(END)) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) if from < to && text.matches(BEGIN).count() == 1 && text.matches(END).count() == 1 => {
            let end = to + END.len();
            let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            Ok(Some((from, line_end)))
        }
        _ => Err(broken(path, &format!("it must have {BEGIN} and {END} once, in this order"))),
    }
}
