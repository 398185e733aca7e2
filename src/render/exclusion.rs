//! What the person excluded, and how other items' texts keep silent about it.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::gather::Corpus;
use crate::gather::item::{ItemKind, Source};
use crate::place::{Placement, Ruling};

/// The excluded items of a placement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exclusion {
    items: HashSet<usize>,
    paths: Vec<String>,
}

impl Exclusion {
    pub fn of(corpus: &Corpus, placement: &Placement) -> Self {
        let ruled = placement.placed.iter().filter(|placed| placed.ruling == Some(Ruling::Exclude));
        let mut items: HashSet<usize> =
            ruled.map(|placed| placed.item).filter(|item| *item < corpus.items.len()).collect();
        if items.is_empty() {
            return Self::default();
        }
        let files: HashSet<u32> = items.iter().filter_map(|item| file_index(corpus, *item)).collect();
        // What speaks of an excluded file goes with it.
        let about =
            corpus.items.iter().enumerate().filter(|(_, item)| item.about.is_some_and(|file| files.contains(&file)));
        let about: Vec<usize> = about.map(|(index, _)| index).collect();
        items.extend(about);
        let mut paths: Vec<String> = items.iter().map(|item| corpus.items[*item].path.clone()).collect();
        paths.sort_unstable();
        Self { items, paths }
    }

    /// Whether nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether the item is excluded.
    pub fn holds(&self, item: usize) -> bool {
        self.items.contains(&item)
    }

    /// Whether a path is that of an excluded item.
    pub fn holds_path(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// Whether a text names an excluded item.
    pub fn named_in(&self, text: &str) -> bool {
        self.paths.iter().any(|path| names(text, path))
    }

    /// The memos' lines without those of excluded memos.
    pub fn strip_memos(&self, corpus: &Corpus, memos: &str) -> String {
        let excluded = self.items.iter().filter(|item| corpus.items[**item].kind == ItemKind::Memo);
        let texts: Vec<_> = excluded.map(|item| corpus.item_text(*item)).collect();
        let gone = |line: &str| {
            texts
                .iter()
                .flat_map(|text| text.shown.lines())
                .any(|memo| !memo.trim().is_empty() && line.contains(memo.trim()))
        };
        memos.split_inclusive('\n').filter(|line| texts.is_empty() || !gone(line)).collect()
    }

    /// A text that lists files (a diff, a list of commits) without what it says on excluded ones.
    pub fn strip<'t>(&self, kind: ItemKind, text: &'t str) -> Cow<'t, str> {
        if !matches!(kind, ItemKind::Changes | ItemKind::Commits) || !self.named_in(text) {
            return Cow::Borrowed(text);
        }
        let mut kept = String::with_capacity(text.len());
        let mut in_excluded = false;
        for line in text.split_inclusive('\n') {
            if line.starts_with("diff --git ") {
                in_excluded = self.named_in(line);
            }
            if !in_excluded && !self.named_in(line) {
                kept.push_str(line);
            }
        }
        Cow::Owned(kept)
    }
}

/// Whether a text names this very path, and not one that it is a part of. git puts `a/` and `b/` before paths.
fn names(text: &str, path: &str) -> bool {
    let in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    text.match_indices(path).any(|(at, _)| {
        let before = &text[..at];
        let before =
            before.strip_suffix("a/").or(before.strip_suffix("b/")).or(before.strip_suffix("./")).unwrap_or(before);
        let mut after = text[at + path.len()..].chars();
        let next = after.next();
        // A full stop ends a sentence, unless it goes on: `a.rs` is not `a.rs.bak`.
        let goes_on = next.is_some_and(in_path) || next == Some('.') && after.next().is_some_and(in_path);
        !before.ends_with(|c| in_path(c) || c == '.') && !goes_on
    })
}

fn file_index(corpus: &Corpus, item: usize) -> Option<u32> {
    match corpus.items[item].source {
        Source::File(file) => Some(file),
        Source::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluding(paths: &[&str]) -> Exclusion {
        Exclusion { items: HashSet::from([0]), paths: paths.iter().map(|path| (*path).to_owned()).collect() }
    }

    #[test]
    fn a_diff_loses_the_excluded_file_only() {
        let diff = "diff --git a/a.rs b/a.rs\n+one\ndiff --git a/b.rs b/b.rs\n+two\ndiff --git a/c.rs b/c.rs\n+three\n";
        let left = excluding(&["b.rs"]).strip(ItemKind::Changes, diff).into_owned();
        assert_eq!(left, "diff --git a/a.rs b/a.rs\n+one\ndiff --git a/c.rs b/c.rs\n+three\n");
    }

    #[test]
    fn only_the_path_itself_is_a_mention() {
        for text in ["b.rs", "see b.rs.", "a/b.rs", "./b.rs: x", "`b.rs`", "(b.rs)"] {
            assert!(names(text, "b.rs"), "{text}");
        }
        for text in ["src/b.rs", "a/src/b.rs", "lib.rs", "b.rs.bak", "b.rst", "b.rs/x", "..b.rs"] {
            assert!(!names(text, "b.rs"), "{text}");
        }
    }

    #[test]
    fn commits_lose_the_line_and_other_texts_nothing() {
        let commits = "abc Fix it\nsrc/a.rs\nsrc/b.rs\n";
        assert_eq!(excluding(&["src/b.rs"]).strip(ItemKind::Commits, commits), "abc Fix it\nsrc/a.rs\n");
        assert_eq!(excluding(&["src/b.rs"]).strip(ItemKind::Evidence, commits), commits);
    }
}
