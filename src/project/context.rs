//! `.context` files: which paths a person wants in full, one entry a line.
//!
//! A line is a file, a directory (everything below it), a glob, `path:10-80` for some lines, or `!entry` to take out what
//! an upper level or an earlier line put in. `#` starts a comment at the beginning of a line or after a blank. A name that
//! looks like something else can be written as a JSON string: `"odd #name:10-20"`.

use std::path::Path;

use super::{atomic, files};
use crate::error::{Error, Result};

mod edit;
mod resolve;

pub use edit::{covers, takes_out, with_added, with_added_pattern, with_added_span, with_added_whole, with_removed};
pub use resolve::{Level, Resolved, resolve};

/// The entries of one `.context` file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextList {
    /// In the order of the file.
    pub entries: Vec<Entry>,
}

/// First and last line, from 1.
pub type Span = (u32, u32);

/// One line that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Which files.
    pub pattern: Pattern,
    /// First and last line, from 1, if not the whole file.
    pub span: Option<Span>,
    /// Whether it takes out instead of putting in.
    pub negated: bool,
    /// Its line in the file, from 1.
    pub line: usize,
}

/// What an entry names, relative to the project's root, with `/` between the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// A file or a directory, whichever it turns out to be; only a directory if it ends with `/`. Empty: the root.
    Path(String),
    /// A glob; a file whose name is exactly this text is preferred (`app/[id]/page.tsx`).
    Glob(String),
}

impl Pattern {
    /// The text of the path or the glob.
    pub fn text(&self) -> &str {
        match self {
            Self::Path(text) | Self::Glob(text) => text,
        }
    }
}

/// Something in a `.context` file that does not work; the rest does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The level of the file, once several are resolved together.
    pub level: Option<Level>,
    /// The line, from 1.
    pub line: usize,
    /// The entry as it is written.
    pub entry: String,
    /// What is wrong with it.
    pub why: String,
}

impl ContextList {
    /// Reads and parses the file at `path`, which is below `root`; entries that leave the project through a symlink are
    /// refused one by one. A file that does not exist has no entries.
    pub fn load(root: &Path, path: &Path) -> Result<(Self, Vec<Problem>)> {
        let text = files::read_inside(root, path)?.unwrap_or_default();
        let (mut list, mut problems) = parse(&text);
        problems.extend(list.drop_escapes(root));
        problems.sort_by_key(|problem| problem.line);
        Ok((list, problems))
    }

    /// Takes out entries that lead out of `root` through a symlink.
    pub fn drop_escapes(&mut self, root: &Path) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.entries.retain(|entry| {
            let start = literal_start(&entry.pattern);
            let Err(error) = files::refuse_escapes(root, start) else { return true };
            let why = match error {
                Error::Outside { .. } => "a symlink on the way leads out of the project".to_owned(),
                other => other.to_string(),
            };
            problems.push(Problem { level: None, line: entry.line, entry: entry.pattern.text().to_owned(), why });
            false
        });
        problems
    }
}

/// Changes the `.context` file at `path`, below `root`, as `edit` says of its text as it is now; says whether it did.
pub fn change(root: &Path, path: &Path, edit: impl FnOnce(&str) -> String) -> Result<bool> {
    let text = files::read_inside(root, path)?;
    let new = edit(text.as_deref().unwrap_or_default());
    let changed = new != text.unwrap_or_default();
    if changed {
        atomic::write(path, new.as_bytes())?;
    }
    Ok(changed)
}

/// The part of a pattern that names real directories: all of a path, a glob up to its first special character.
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

/// Parses the text of a `.context` file. Lines that do not work become problems; the others still count.
pub fn parse(text: &str) -> (ContextList, Vec<Problem>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut list, mut problems) = (ContextList::default(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        match parse_line(line, index + 1) {
            Ok(entry) => list.entries.extend(entry),
            Err(why) => {
                problems.push(Problem { level: None, line: index + 1, entry: line.trim().to_owned(), why });
            }
        }
    }
    (list, problems)
}

/// One line: an entry, nothing, or what is wrong with it.
fn parse_line(line: &str, number: usize) -> Result<Option<Entry>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (negated, rest) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest.trim_start()));
    let (name, span, quoted) = if rest.starts_with('"') {
        let (name, after) = unquote(rest)?;
        let after = without_comment(after).trim();
        let span = match after.strip_prefix(':') {
            Some(span) => Some(parse_span(span)?),
            None if after.is_empty() => None,
            None => return Err(format!("`{after}` after the closing quote is not understood")),
        };
        (name, span, true)
    } else {
        let (name, span) = split_span(without_comment(rest).trim())?;
        (name.to_owned(), span, false)
    };
    let path = normalise(&name, quoted)?;
    let pattern =
        if !quoted && path.contains(is_glob_char) { Pattern::Glob(checked_glob(path)?) } else { Pattern::Path(path) };
    if span.is_some() && pattern.text().ends_with('/') {
        return Err("lines can be given for a file, not for a directory".to_owned());
    }
    Ok(Some(Entry { pattern, span, negated, line: number }))
}

/// Whether the character makes an entry a glob.
fn is_glob_char(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | '{')
}

/// The text before a comment that starts after a blank.
fn without_comment(text: &str) -> &str {
    let start = text.char_indices().find(|(at, c)| *c == '#' && text[..*at].ends_with(char::is_whitespace));
    start.map_or(text, |(at, _)| &text[..at])
}

/// Reads the JSON string at the start of `text`; returns it with what follows.
fn unquote(text: &str) -> Result<(String, &str), String> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match strings.next() {
        Some(Ok(name)) => Ok((name, &text[strings.byte_offset()..])),
        _ => Err("the quoted name is not a complete JSON string".to_owned()),
    }
}

/// Splits `path:10-80` or `path:10`. What follows the last colon is a span if it is made of digits and dashes.
fn split_span(text: &str) -> Result<(&str, Option<Span>), String> {
    match text.rsplit_once(':') {
        Some((path, span)) if span.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
            Ok((path, Some(parse_span(span)?)))
        }
        _ => Ok((text, None)),
    }
}

fn parse_span(text: &str) -> Result<Span, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err(format!("`{text}` is not a span of lines; write it as `10-80`")),
    }
}

/// The path with `/` between its parts and without `.` and `..`; trailing `/` kept. An error if it is not in the project.
fn normalise(name: &str, quoted: bool) -> Result<String, String> {
    // A quoted name is teddy's own way to write one, so it has `/` everywhere.
    let name = if cfg!(windows) && !quoted { name.replace('\\', "/") } else { name.to_owned() };
    if name.is_empty() {
        return Err("there is no path".to_owned());
    }
    let drive = name.as_bytes().get(1) == Some(&b':')
        && name.as_bytes()[0].is_ascii_alphabetic()
        && (cfg!(windows) || matches!(name.as_bytes().get(2), Some(b'/' | b'\\')));
    if name.starts_with('/') || drive || (!quoted && (name == "~" || name.starts_with("~/"))) {
        return Err("it is absolute; write it relative to the project's root".to_owned());
    }
    if name.contains('\0') || (!quoted && name.contains(char::is_control)) {
        return Err("it has a control character".to_owned());
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

/// The glob, if it can be compiled.
fn checked_glob(text: String) -> Result<String, String> {
    match compile(&text) {
        Ok(_) => Ok(text),
        // `app/[id/page.tsx` may still be the name of a file.
        Err(error) => Err(format!("it is not a glob: {error}; quote it if it is a name")),
    }
}

/// `*` stays within one directory, `**` does not; a glob that ends with `/` takes everything below what it matches.
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
