//! `.context` files: paths to include in full, one entry per line.
//!
//! An entry is a file, a directory (everything below it), a glob, `path:10-80` or `path:10-80,95` for ranges of lines,
//! `path#symbol` for a definition, or `!entry` to remove something added by a higher level or an earlier line. `#`
//! starts a comment at the start of a line or after a space. A name with special characters can be written as a JSON
//! string: `"odd #name:10-20"`. If a file has the whole entry as its name, the entry refers to that file.

use std::path::Path;

use super::line_spec::{self, LineSpec};
use super::{atomic, files};
use crate::error::{Error, Result};
use crate::platform::files::{has_drive, with_slashes};

mod edit;
mod resolve;

pub use super::line_spec::Span;
pub use edit::{
    covers, excludes, is_match, with_added, with_added_lines, with_added_pattern, with_added_whole, with_removed,
    with_removed_lines, with_removed_whole,
};
pub use resolve::{ContextLevel, FindLines, ResolvedEntry, resolve};

/// Parsed entries of a `.context` file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextList {
    /// Entries in file order.
    pub entries: Vec<ContextEntry>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextEntry {
    /// Files the entry applies to.
    pub pattern: Pattern,
    /// Lines of the file; `None` is the whole file.
    pub lines: Option<LineSpec>,
    /// The entry without quotes, if it names lines. A file may have exactly this name.
    pub as_name: Option<String>,
    /// True for `!entry`, which removes files.
    pub negated: bool,
    /// 1-based line in the file.
    pub line: usize,
}

impl ContextEntry {
    /// Returns true if the entry names whole files, not some of their lines.
    pub fn is_whole(&self) -> bool {
        self.lines.is_none()
    }

    /// The entry as text, without quotes.
    pub fn text(&self) -> String {
        let lines = self.lines.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{}{lines}", self.pattern.text())
    }

    /// Treats the entry as the name of a file, if it was not quoted.
    pub fn take_as_name(&mut self) {
        if let Some(name) = self.as_name.take() {
            (self.pattern, self.lines) = (Pattern::Path(name), None);
        }
    }
}

/// The files that an entry names, relative to the project's root and with `/` as separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// A file or directory. It must be a directory if the path ends with `/`. An empty path is the root.
    Path(String),
    /// A glob. A file with exactly this name takes precedence (`app/[id]/page.tsx`).
    Glob(String),
}

impl Pattern {
    /// Text of the path or glob.
    pub fn text(&self) -> &str {
        match self {
            Self::Path(text) | Self::Glob(text) => text,
        }
    }
}

/// An invalid entry of a `.context` file; the other entries still apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryProblem {
    /// Level of the file, if several levels are resolved together.
    pub level: Option<ContextLevel>,
    /// 1-based line number.
    pub line: usize,
    /// The entry as written.
    pub entry: String,
    /// Reason.
    pub why: String,
}

impl ContextList {
    /// Reads and parses the file at `path`, which is below `root`. Entries that leave the project through a symlink are
    /// rejected one by one. If the file is missing, there are no entries.
    pub fn load(root: &Path, path: &Path) -> Result<(Self, Vec<EntryProblem>)> {
        let text = files::read_inside(root, path)?.unwrap_or_default();
        let (mut list, mut problems) = parse(&text);
        problems.extend(list.drop_escapes(root));
        problems.sort_by_key(|problem| problem.line);
        Ok((list, problems))
    }

    /// Removes entries that leave `root` through a symlink.
    pub fn drop_escapes(&mut self, root: &Path) -> Vec<EntryProblem> {
        let mut problems = Vec::new();
        self.entries.retain(|entry| {
            let start = literal_start(&entry.pattern);
            let Err(error) = files::refuse_escapes(root, start) else { return true };
            let why = match error {
                Error::Outside { .. } => "a symlink leads outside the project".to_owned(),
                other => other.to_string(),
            };
            problems.push(EntryProblem { level: None, line: entry.line, entry: entry.pattern.text().to_owned(), why });
            false
        });
        problems
    }
}

/// Applies `edit` to the current text of the `.context` file at `path`; returns true if it changed.
pub fn change(root: &Path, path: &Path, edit: impl FnOnce(&str) -> String) -> Result<bool> {
    let text = files::read_inside(root, path)?;
    let new = edit(text.as_deref().unwrap_or_default());
    let changed = new != text.unwrap_or_default();
    if changed {
        atomic::write(path, new.as_bytes())?;
    }
    Ok(changed)
}

/// The literal start of a pattern: the whole path, or a glob up to its first special character.
fn literal_start(pattern: &Pattern) -> &str {
    let text = match pattern {
        Pattern::Path(text) => text,
        Pattern::Glob(text) => {
            let special = text.find(is_glob_char).unwrap_or(text.len());
            &text[..text[..special].rfind('/').unwrap_or(0)]
        }
    };
    if text.is_empty() { "." } else { text.trim_end_matches('/') }
}

/// Parses a `.context` file. Invalid lines are returned as problems, and the other lines still apply.
pub fn parse(text: &str) -> (ContextList, Vec<EntryProblem>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut list, mut problems) = (ContextList::default(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        match parse_line(line, index + 1) {
            Ok(entry) => list.entries.extend(entry),
            Err(why) => {
                problems.push(EntryProblem { level: None, line: index + 1, entry: line.trim().to_owned(), why });
            }
        }
    }
    (list, problems)
}

/// Parses one line: an entry, nothing, or an error.
fn parse_line(line: &str, number: usize) -> Result<Option<ContextEntry>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (negated, rest) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest.trim_start()));
    let (name, lines, quoted) = if rest.starts_with('"') {
        let (name, after) = unquote(rest)?;
        let after = without_comment(after).trim();
        (name, lines_after(after)?, true)
    } else {
        let text = without_comment(rest).trim();
        match LineSpec::split(text)? {
            Some((name, lines)) => (name.to_owned(), Some(lines), false),
            None => (text.to_owned(), None, false),
        }
    };
    let as_name = lines.as_ref().filter(|_| !quoted).and_then(|lines| normalise(&lines.of_file(&name), false).ok());
    let path = normalise(&name, quoted)?;
    let pattern =
        if !quoted && path.contains(is_glob_char) { Pattern::Glob(checked_glob(path)?) } else { Pattern::Path(path) };
    if lines.is_some() && pattern.text().ends_with('/') {
        return Err("a line range needs a file, not a directory".to_owned());
    }
    Ok(Some(ContextEntry { pattern, lines, as_name, negated, line: number }))
}

/// Parses the lines after a quoted path.
fn lines_after(text: &str) -> Result<Option<LineSpec>, String> {
    if let Some(symbol) = text.strip_prefix('#').filter(|symbol| line_spec::is_symbol(symbol)) {
        return Ok(Some(LineSpec::Symbol(symbol.to_owned())));
    }
    match text.strip_prefix(':') {
        Some(ranges) => LineSpec::ranges(ranges).map(Some),
        None if text.is_empty() => Ok(None),
        None => Err(format!("`{text}` after the closing quote is not valid")),
    }
}

/// Returns true for characters that make an entry a glob.
fn is_glob_char(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | '{')
}

/// Strips a comment that starts after a space.
fn without_comment(text: &str) -> &str {
    let start = text.char_indices().find(|(at, c)| *c == '#' && text[..*at].ends_with(char::is_whitespace));
    start.map_or(text, |(at, _)| &text[..at])
}

/// Reads the JSON string at the start of `text`; returns the string and the remaining text.
fn unquote(text: &str) -> Result<(String, &str), String> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match strings.next() {
        Some(Ok(name)) => Ok((name, &text[strings.byte_offset()..])),
        _ => Err("the quoted name is not a complete JSON string".to_owned()),
    }
}

/// Normalizes a path to `/` separators without `.` and `..`; keeps a trailing `/`. Fails if it is outside the project.
fn normalise(name: &str, quoted: bool) -> Result<String, String> {
    // teddy itself writes quoted names, always with `/`.
    let name = if quoted { name.to_owned() } else { with_slashes(name) };
    if name.is_empty() {
        return Err("the path is empty".to_owned());
    }
    if name.starts_with('/') || has_drive(&name) || (!quoted && (name == "~" || name.starts_with("~/"))) {
        return Err("it is absolute; use a path relative to the project root".to_owned());
    }
    if name.contains('\0') || (!quoted && name.contains(char::is_control)) {
        return Err("it contains a control character".to_owned());
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Err("it is outside the project".to_owned());
                }
            }
            part => parts.push(part),
        }
    }
    let mut path = parts.join("/");
    if name.ends_with('/') && !path.is_empty() {
        path.push('/');
    }
    Ok(path)
}

/// Compiles a glob.
fn checked_glob(text: String) -> Result<String, String> {
    match compile(&text) {
        Ok(_) => Ok(text),
        // `app/[id/page.tsx` may still be the name of a file.
        Err(error) => Err(format!("it is not a valid glob: {error}; quote it if it is a file name")),
    }
}

/// `*` matches within one directory and `**` across directories. A trailing `/` matches everything below.
fn compile(text: &str) -> Result<globset::GlobMatcher, globset::Error> {
    let below = if text.ends_with('/') { format!("{text}**") } else { text.to_owned() };
    globset::GlobBuilder::new(&below)
        .literal_separator(true)
        .backslash_escape(false)
        .build()
        .map(|glob| glob.compile_matcher())
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod tests;
