//! `memos.yaml`: facts and rules that every payload includes. The file is edited as text, so that comments are kept. An
//! edit is rejected if the result does not parse to the expected memos.

use std::fmt;
use std::path::Path;

use serde::de::{self, Deserialize, Deserializer, MapAccess};

use super::files::line_end;
use super::lock::Lock;
use super::{Project, atomic, yaml};
use crate::error::{Error, Result};
use crate::text::nearest;

/// Loads the memos in file order.
pub fn load(project: &Project) -> Result<Vec<String>> {
    parse(project.shown(&project.memos_file()), &raw_text(project)?.unwrap_or_default())
}

/// The file's text, which is included verbatim; `None` if it does not exist.
pub fn raw_text(project: &Project) -> Result<Option<String>> {
    project.read(&project.memos_file())
}

/// Appends a memo.
pub fn add(project: &Project, memo: &str) -> Result<()> {
    let memo = memo.trim();
    if memo.is_empty() {
        return Err(Error::input("the memo is empty", "add some text: teddy memo add \"Use pnpm\""));
    }
    change(project, |text, memos| {
        let mut expected = memos.to_vec();
        expected.push(memo.to_owned());
        Ok((with_added(text, memos, memo), expected, ()))
    })
}

/// Removes a memo, given by its text, its 1-based number or a unique prefix; returns the memo.
pub fn remove(project: &Project, which: &str) -> Result<String> {
    change(project, |text, memos| {
        let index = find(memos, which)?;
        let mut expected = memos.to_vec();
        let removed = expected.remove(index);
        Ok((with_removed(text, memos, index), expected, removed))
    })
}

/// Applies `edit`, which returns the new text, the memos that this text must parse to, and a result.
fn change<T>(
    project: &Project,
    edit: impl FnOnce(&str, &[String]) -> Result<(Option<String>, Vec<String>, T)>,
) -> Result<T> {
    let path = project.memos_file();
    let shown = project.shown(&path);
    let _lock = Lock::wait(&project.teddy_dir())?;
    let text = raw_text(project)?.unwrap_or_default();
    let memos = parse(shown, &text)?;
    let (new, expected, result) = edit(&text, &memos)?;
    let new = new.filter(|new| parse(shown, new).is_ok_and(|memos| memos == expected));
    let Some(new) = new else {
        let what = format!("{} has a layout that teddy cannot edit safely", shown.display());
        return Err(Error::input(what, "edit it by hand; nothing was changed"));
    };
    atomic::write(&path, new.as_bytes())?;
    Ok(result)
}

/// Parses the text of a memos file.
pub fn parse(path: &Path, text: &str) -> Result<Vec<String>> {
    let memos: Vec<Memo> = yaml::parse(path, text)?;
    Ok(memos.into_iter().map(|Memo(text)| text).collect())
}

/// Finds a memo by text, number or prefix.
fn find(memos: &[String], which: &str) -> Result<usize> {
    let which = which.trim();
    if let Some(index) = memos.iter().position(|memo| memo == which) {
        return Ok(index);
    }
    if let Ok(number) = which.parse::<usize>()
        && (1..=memos.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    let starting: Vec<usize> =
        (0..memos.len()).filter(|index| !which.is_empty() && memos[*index].starts_with(which)).collect();
    match starting.as_slice() {
        [index] => Ok(*index),
        [] => {
            let nearest = nearest(which, memos.iter().map(String::as_str)).map(ToOwned::to_owned);
            Err(Error::Missing { kind: "memo", name: which.to_owned(), nearest })
        }
        several => {
            let what = format!("{} memos begin with `{which}`", several.len());
            Err(Error::input(what, "give more of the text, or the number from `teddy memo list`"))
        }
    }
}

/// A memo as people write it. It may also be a number, or `Note: something`, which YAML parses as a mapping.
struct Memo(String);

impl<'de> Deserialize<'de> for Memo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MemoVisitor).map(Memo)
    }
}

struct MemoVisitor;

impl<'de> de::Visitor<'de> for MemoVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        let Some((Memo(key), Memo(value))) = map.next_entry()? else {
            return Err(de::Error::custom("a memo must be a string, not a mapping"));
        };
        if map.next_key::<Memo>()?.is_some() {
            return Err(de::Error::custom("a memo must be a string, not a mapping; quote it if it contains a colon"));
        }
        Ok(format!("{key}: {value}"))
    }
}

/// Appends an item; `None` if the layout is not supported.
fn with_added(text: &str, memos: &[String], memo: &str) -> Option<String> {
    let end = line_end(text);
    let mut new = as_block_list(text, memos)?;
    let indent = item_starts(&new).first().map_or(0, |(_, indent)| *indent);
    if !new.is_empty() && !new.ends_with('\n') {
        new.push_str(end);
    }
    new.push_str(&item(memo, indent, end)?);
    Some(new)
}

/// Removes the item at `index`, keeping comments around it.
fn with_removed(text: &str, memos: &[String], index: usize) -> Option<String> {
    let text = as_block_list(text, memos)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let starts = item_starts(&text);
    if starts.len() != memos.len() {
        return None;
    }
    let (first, indent) = *starts.get(index)?;
    let next = starts.get(index + 1).map_or(lines.len(), |(line, _)| *line);
    // Blank lines and comments before the next item belong to that item, unless they are indented deeper.
    let own = lines[first + 1..next].iter().rposition(|line| {
        let body = line.trim_start();
        !body.is_empty() && (!body.starts_with('#') || line.len() - body.len() > indent)
    });
    let last = own.map_or(first, |at| first + 1 + at);
    let mut new = lines[..first].concat();
    if memos.len() == 1 {
        new.push_str("[]");
        new.push_str(line_end(&text));
    }
    new.push_str(&lines[last + 1..].concat());
    Some(new)
}

/// Converts `[a, b]` to a list with one item per line. Any other layout is unchanged.
fn as_block_list(text: &str, memos: &[String]) -> Option<String> {
    let has_content =
        |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#') && line.trim() != "---";
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(first) = lines.iter().position(|line| has_content(line.trim_start_matches('\u{feff}'))) else {
        return Some(text.to_owned());
    };
    if !lines[first].trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        return Some(text.to_owned());
    }
    // Comments inside the brackets would be lost.
    let last = lines.iter().rposition(|line| has_content(line))?;
    if lines[first..=last].iter().any(|line| line.contains('#')) {
        return None;
    }
    let end = line_end(text);
    let mut new = lines[..first].concat();
    for memo in memos {
        new.push_str(&item(memo, 0, end)?);
    }
    new.push_str(&lines[last + 1..].concat());
    Some(new)
}

/// Line and indentation of every item of the outermost list.
fn item_starts(text: &str) -> Vec<(usize, usize)> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}');
        let body = line.trim_start_matches(' ');
        let indent = line.len() - body.len();
        let dash = body == "-" || body.starts_with("- ") || body.starts_with("-\t");
        if dash && starts.first().is_none_or(|(_, first)| *first == indent) {
            starts.push((number, indent));
        }
    }
    starts
}

/// Formats an item, quoted if necessary.
fn item(memo: &str, indent: usize, end: &str) -> Option<String> {
    let mut written = serde_yaml::to_string(&[memo]).ok()?;
    if written.trim_end().contains('\n') {
        // Values of several lines are written as one JSON string.
        written = format!("- {}\n", serde_json::Value::from(memo));
    }
    Some(format!("{}{}{end}", " ".repeat(indent), written.trim_end()))
}

#[cfg(test)]
#[path = "memos_tests.rs"]
mod tests;
