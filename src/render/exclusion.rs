//! Excluded items, and their removal from the text of other items.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use aho_corasick::AhoCorasick;

use super::payload_meta::PayloadMeta;
use crate::gather::Corpus;
use crate::gather::item::{ItemKind, Source};
use crate::ids::{FileId, ItemId};
use crate::place::{Override, Placement};

/// Maximum number of paths that are searched one by one. More paths are searched in a single pass.
const FEW: usize = 32;

/// The excluded items of a placement.
#[derive(Debug, Default)]
pub(super) struct Exclusion {
    /// Items that an override excludes, in order.
    ruled: Vec<ItemId>,
    /// For each item up to the last excluded one, true if it is excluded.
    held: Vec<bool>,
    /// Paths of the excluded items, sorted.
    paths: Vec<String>,
    finder: OnceLock<Option<AhoCorasick>>,
}

/// The last exclusion, cached because placing requests the same one many times.
#[derive(Default)]
pub(super) struct LastExclusion(Mutex<Arc<Exclusion>>);

impl LastExclusion {
    pub fn of(&self, corpus: &Corpus, placement: &Placement) -> Arc<Exclusion> {
        let ruled = placement.active().filter(|placed| placed.overridden == Some(Override::Exclude));
        let mut ruled: Vec<ItemId> =
            ruled.map(|placed| placed.item).filter(|item| item.index() < corpus.items.len()).collect();
        ruled.sort_unstable();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.ruled != ruled {
            *last = Arc::new(Exclusion::new(corpus, ruled));
        }
        Arc::clone(&last)
    }
}

impl Exclusion {
    fn new(corpus: &Corpus, ruled: Vec<ItemId>) -> Self {
        let mut items: BTreeSet<ItemId> = ruled.iter().copied().collect();
        let files: HashSet<FileId> = items.iter().filter_map(|item| file_index(corpus, *item)).collect();
        // Items that belong to an excluded file, such as its diff, are excluded with it.
        let others = ItemId::enumerate(&corpus.items).skip(corpus.files.len());
        let about = others.filter(|(_, item)| item.about.is_some_and(|file| files.contains(&file)));
        items.extend(about.map(|(index, _)| index));
        let mut paths: Vec<String> = items.iter().map(|item| corpus.items[*item].path.clone()).collect();
        paths.sort_unstable();
        let mut held = vec![false; items.last().map_or(0, |last| last.index() + 1)];
        for item in &items {
            held[*item] = true;
        }
        Self { ruled, held, paths, finder: OnceLock::new() }
    }

    /// Returns true if nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    fn items(&self) -> impl Iterator<Item = ItemId> {
        ItemId::enumerate(&self.held).filter(|(_, held)| **held).map(|(item, _)| item)
    }

    /// Returns true if the item is excluded.
    pub fn holds(&self, item: ItemId) -> bool {
        self.held.get(item.index()).copied().unwrap_or_default()
    }

    /// Returns true if the path belongs to an excluded item.
    pub fn holds_path(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// Returns true if the text names an excluded item.
    pub fn named_in(&self, text: &str) -> bool {
        let finder = || AhoCorasick::new(&self.paths).ok();
        match self.finder.get_or_init(|| if self.paths.len() > FEW { finder() } else { None }) {
            Some(finder) => {
                finder.find_overlapping_iter(text).any(|found| stands_alone(text, found.start(), found.end()))
            }
            None => self.paths.iter().any(|path| names(text, path)),
        }
    }

    /// The memos that are not excluded.
    pub fn remaining_memos(&self, corpus: &Corpus, memos: &[String]) -> Vec<String> {
        let excluded = self.items().filter(|item| corpus.items[*item].kind == ItemKind::Memo);
        let texts: Vec<_> = excluded.map(|item| corpus.item_text(item)).collect();
        let gone = |memo: &&String| texts.iter().any(|text| text.shown.trim() == memo.trim());
        memos.iter().filter(|memo| !gone(memo)).cloned().collect()
    }

    /// The text of `memos.yaml`, or a list of the remaining memos if one is excluded.
    pub fn memos_text(&self, corpus: &Corpus, meta: &PayloadMeta) -> String {
        let remaining = self.remaining_memos(corpus, &meta.memos);
        if remaining.len() == meta.memos.len() {
            return meta.memos_file.clone();
        }
        // Continuation lines are indented, as in YAML.
        let mut list = String::new();
        for memo in remaining {
            list.push_str(&format!("- {}\n", memo.trim_end().replace('\n', "\n  ")));
        }
        list
    }

    /// Removes the parts about excluded files from text that lists files (a diff or a list of commits).
    pub fn strip<'t>(&self, kind: ItemKind, text: &'t str) -> Cow<'t, str> {
        if !matches!(kind, ItemKind::Changes | ItemKind::Delta | ItemKind::Review | ItemKind::Commits)
            || !self.named_in(text)
        {
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

/// Returns true if the text names exactly this path, not a longer path that contains it.
fn names(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| stands_alone(text, at, at + path.len()))
}

/// Returns true if the match is a whole path. git writes `a/` and `b/` before paths.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    let before = &text[..start];
    let before =
        before.strip_suffix("a/").or(before.strip_suffix("b/")).or(before.strip_suffix("./")).unwrap_or(before);
    let mut after = text[end..].chars();
    let next = after.next();
    // A full stop ends a sentence unless the name continues: `a.rs` is not `a.rs.bak`.
    let goes_on = next.is_some_and(in_path) || next == Some('.') && after.next().is_some_and(in_path);
    !before.ends_with(|c| in_path(c) || c == '.') && !goes_on
}

fn file_index(corpus: &Corpus, item: ItemId) -> Option<FileId> {
    match corpus.items[item].source {
        Source::File(file) => Some(file),
        Source::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    fn excluding(paths: &[&str]) -> Exclusion {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        Exclusion { held: vec![true], paths, ..Exclusion::default() }
    }

    #[test]
    fn only_the_excluded_file_is_removed_from_a_diff() {
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
    fn many_and_few_paths_are_found_alike() {
        let many: Vec<String> = (0..=FEW).map(|index| format!("src/f{index:02}.rs")).collect();
        let many = excluding(&many.iter().map(String::as_str).chain(["f07.rs"]).collect::<Vec<_>>());
        for text in ["see src/f00.rs.", "`src/f32.rs`", "b/src/f08.rs", "f07.rs"] {
            assert!(many.named_in(text), "{text}");
        }
        for text in ["", "src/f99.rs", "lib/src/f01.rs", "src/f01.rs.bak", "src/f1.rs", "lib/f07.rs"] {
            assert!(!many.named_in(text), "{text}");
        }
    }

    fn ids(indices: &[usize]) -> Vec<ItemId> {
        indices.iter().copied().map(ItemId::new).collect()
    }

    #[test]
    fn only_the_excluded_memo_is_removed() {
        let (_dir, mut corpus) = samples::corpus(&[("a.rs", "x\n")]);
        samples::add_text(&mut corpus, ItemKind::Memo, "memo:1", "Use cents.\n\n  Round up.\n");
        samples::add_text(&mut corpus, ItemKind::Memo, "memo:2", "Be kind.\n");
        let meta = PayloadMeta {
            memos: vec!["Use cents.\n\n  Round up.\n".to_owned(), "Be kind.".to_owned()],
            memos_file: "# ours\n- Be kind.\n".to_owned(),
            ..samples::plain_meta()
        };
        let without = |ruled: Vec<ItemId>| Exclusion::new(&corpus, ruled).memos_text(&corpus, &meta);
        let id = ItemId::new;
        assert_eq!(without(vec![id(1)]), "- Be kind.\n");
        assert_eq!(without(vec![id(2)]), "- Use cents.\n  \n    Round up.\n");
        assert_eq!(without(vec![id(1), id(2)]), "");
        // Without an excluded memo the file is shown as it is.
        assert_eq!(without(vec![id(0)]), meta.memos_file);
        assert_eq!(without(vec![]), meta.memos_file);
    }

    #[test]
    fn exclusions_are_found_by_item_and_by_path() {
        let (_dir, corpus) = samples::corpus(&[("a.rs", ""), ("b.rs", ""), ("c.rs", ""), ("d.rs", "")]);
        let some = Exclusion::new(&corpus, ids(&[0, 2]));
        assert_eq!(ItemId::all(5).map(|item| some.holds(item)).collect::<Vec<_>>(), [true, false, true, false, false]);
        assert_eq!(some.items().collect::<Vec<_>>(), ids(&[0, 2]));
        assert!(
            some.holds_path("a.rs") && some.holds_path("c.rs") && !some.holds_path("b.rs") && !some.holds_path("a")
        );
        assert!(!some.is_empty() && Exclusion::new(&corpus, Vec::new()).is_empty());
        let last = LastExclusion::default();
        let of = |items: &[ItemId]| {
            let placed = items.iter().map(|item| samples::excluded(*item)).collect();
            last.of(&corpus, &samples::placement(placed))
        };
        let (first, again, other) = (of(&ids(&[2, 0])), of(&ids(&[0, 2])), of(&ids(&[1])));
        assert!(
            first.holds(ItemId::new(2))
                && again.holds(ItemId::new(0))
                && other.holds(ItemId::new(1))
                && !other.holds(ItemId::new(2))
        );
        assert_eq!(first.ruled, again.ruled);
        // A path that no longer exists is ignored.
        assert!(of(&ids(&[9])).is_empty());
    }

    #[test]
    fn only_commit_lists_lose_lines_about_excluded_files() {
        let commits = "abc Fix it\nsrc/a.rs\nsrc/b.rs\n";
        assert_eq!(excluding(&["src/b.rs"]).strip(ItemKind::Commits, commits), "abc Fix it\nsrc/a.rs\n");
        assert_eq!(excluding(&["src/b.rs"]).strip(ItemKind::Evidence, commits), commits);
    }
}
