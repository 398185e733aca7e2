//! Resolves a path, a directory or a glob to items.

use globset::GlobBuilder;

use super::lines;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::ids::ItemId;
use crate::place::PinnedLines;
use crate::project::line_spec::LineSpec;
use crate::text::nearest;

/// Finds the items named by a path, a directory or a glob; the error suggests the nearest name.
pub fn select(corpus: &Corpus, pattern: &str) -> Result<Vec<ItemId>> {
    let plain = pattern.strip_prefix("./").unwrap_or(pattern);
    if plain.starts_with('/') || plain.split('/').any(|part| part == "..") {
        return Err(Error::Outside { entry: pattern.to_owned() });
    }
    if matches!(pattern, "." | "./") && !corpus.files.is_empty() {
        return Ok(ItemId::all(corpus.files.len()).collect());
    }
    if let Some(item) = lines::item_named(corpus, plain) {
        return Ok(vec![item]);
    }
    let directory = format!("{}/", plain.trim_end_matches('/'));
    let below: Vec<ItemId> = matching(corpus, |path| path.starts_with(&directory));
    if !below.is_empty() {
        return Ok(below);
    }
    let glob = GlobBuilder::new(plain).literal_separator(true).build().map_err(|error| {
        Error::input(
            format!("`{pattern}` is not a glob: {}", error.kind()),
            "use a file, a directory, or a glob such as `src/**/*.rs`",
        )
    })?;
    let glob = glob.compile_matcher();
    let found = matching(corpus, |path| glob.is_match(path));
    if !found.is_empty() {
        return Ok(found);
    }
    let named = |path: &str| path == plain || path.starts_with(&directory) || glob.is_match(path);
    match corpus.skipped.iter().find(|skipped| named(&skipped.path)) {
        Some(skipped) => Err(Error::input(
            format!("`{}` was skipped by the scan: {}", skipped.path, skipped.why),
            "choose another file",
        )),
        None => Err(nothing(corpus, pattern, plain)),
    }
}

fn matching(corpus: &Corpus, wanted: impl Fn(&str) -> bool) -> Vec<ItemId> {
    ItemId::enumerate(&corpus.items).filter(|(_, item)| wanted(&item.path)).map(|(index, _)| index).collect()
}

/// The items that a pattern names, or the lines of a file (`path:10-80`, `path#symbol`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternMatch {
    /// Items, in full.
    Items(Vec<ItemId>),
    /// Lines of one file.
    Lines(ItemId, Vec<PinnedLines>),
}

/// Resolves a pattern that may name lines of a file. `select` resolves its path. If the whole pattern is an existing
/// path, it is interpreted as that path.
pub fn with_lines(
    corpus: &Corpus,
    pattern: &str,
    select: impl Fn(&str) -> Result<Vec<ItemId>>,
) -> Result<PatternMatch> {
    let error = match select(pattern) {
        Ok(items) => return Ok(PatternMatch::Items(items)),
        Err(error @ Error::Missing { .. }) => error,
        Err(error) => return Err(error),
    };
    let hint = |path: &str| format!("use existing lines such as `{path}:10-80`, or a definition such as `{path}#main`");
    let (path, spec) = match LineSpec::split(pattern) {
        Ok(Some(found)) => found,
        Ok(None) => return Err(error),
        Err(why) => return Err(Error::input(format!("`{pattern}`: {why}"), hint("path"))),
    };
    let items = match select(path) {
        Ok(items) => items,
        // `memo:9` is a label, not line 9 of a file.
        Err(Error::Missing { nearest: None, .. }) => return Err(error),
        Err(other) => return Err(other),
    };
    let [item] = items.as_slice() else {
        let what = format!("`{path}` names {} items, and lines can only be given for one file", items.len());
        return Err(Error::input(what, "use the path of one file"));
    };
    let Some(file) = corpus.find(&corpus.items[*item].path) else {
        return Err(Error::input(
            format!("`{path}` is not a file; only files have lines to pin"),
            "use the path of a file",
        ));
    };
    match lines::find(corpus, file, &spec) {
        (found, None) => Ok(PatternMatch::Lines(*item, found)),
        (_, Some(why)) => Err(Error::input(format!("`{pattern}`: {why}"), hint(path))),
    }
}

/// Like [`select`], but also matches the diffs of deleted files by path. This is used for excluding and linking;
/// pinning a directory does not include these diffs.
pub fn select_with_gone(corpus: &Corpus, pattern: &str) -> Result<Vec<ItemId>> {
    let plain = pattern.strip_prefix("./").unwrap_or(pattern);
    let directory = format!("{}/", plain.trim_end_matches('/'));
    let glob = GlobBuilder::new(plain).literal_separator(true).build().map(|glob| glob.compile_matcher()).ok();
    let named = |path: &str| {
        path == plain || path.starts_with(&directory) || glob.as_ref().is_some_and(|glob| glob.is_match(path))
    };
    let is_gone = |item: &ItemId| corpus.deleted_path(*item).is_some_and(named);
    let mut gone: Vec<ItemId> = ItemId::all(corpus.items.len()).skip(corpus.files.len()).filter(is_gone).collect();
    match select(corpus, pattern) {
        Ok(mut found) => {
            gone.retain(|item| !found.contains(item));
            found.append(&mut gone);
            Ok(found)
        }
        Err(_) if !gone.is_empty() => Ok(gone),
        Err(error) => Err(error),
    }
}

/// The error for a name without a match, with the nearest name.
fn nothing(corpus: &Corpus, pattern: &str, plain: &str) -> Error {
    let name = plain.rsplit('/').next().unwrap_or(plain);
    let paths = || corpus.items.iter().map(|item| item.path.as_str());
    let same_name = paths().find(|path| path.rsplit('/').next() == Some(name)).map(ToOwned::to_owned);
    let close = same_name.or_else(|| nearest(plain, paths()).map(ToOwned::to_owned));
    Error::Missing { kind: "file", name: pattern.to_owned(), nearest: close }
}
