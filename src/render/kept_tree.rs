//! The project's structure as in the previous payload, with the changes since then.
//!
//! A new file changes a line near the beginning of a prompt. To keep the beginning identical, the earlier tree is
//! reused, and the changes are listed further down.

use std::collections::HashSet;

use super::tree::Tree;
use crate::gather::tokens::Tokenizer;

/// Maximum number of listed changes. With more, the tree is drawn again.
const MOST_CHANGES: usize = 40;

/// A drawn tree, and the entries that were added (`+ src/new.rs`) or removed since.
pub(super) struct KeptTree {
    pub drawn: String,
    pub changes: Vec<String>,
}

/// Keeps a drawn tree if it is still correct, or if `may_differ` is set and little has changed. `most` is its token
/// limit.
pub(super) fn keep<'p>(
    old: &str,
    paths: impl IntoIterator<Item = &'p str>,
    tokenizer: Tokenizer,
    most: usize,
    may_differ: bool,
) -> Option<KeptTree> {
    let before = entries(old)?;
    let folded: HashSet<&str> =
        before.iter().filter_map(|entry| entry.rsplit_once("/ (").map(|(directory, _)| directory)).collect();
    let now = Tree::of(paths).draw_folded(&folded);
    if tokenizer.count(old) > most {
        return None;
    }
    if now == old {
        return Some(KeptTree { drawn: now, changes: Vec::new() });
    }
    let after = entries(&now)?;
    let (had, has): (HashSet<&String>, HashSet<&String>) = (before.iter().collect(), after.iter().collect());
    let added = after.iter().filter(|entry| !had.contains(entry)).map(|entry| format!("+ {entry}"));
    let removed = before.iter().filter(|entry| !has.contains(entry)).map(|entry| format!("- {entry}"));
    let changes: Vec<String> = removed.chain(added).collect();
    (may_differ && changes.len() <= MOST_CHANGES).then(|| KeptTree { drawn: old.to_owned(), changes })
}

/// The entries of a drawn tree as paths, with folded directories as `dir/ (12 files)`. `None` for any other text.
fn entries(drawn: &str) -> Option<Vec<String>> {
    let mut lines = drawn.lines();
    lines.next().filter(|first| *first == ".")?;
    let (mut open, mut entries): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for line in lines {
        let (mut rest, mut depth) = (line, 0);
        while let Some(inner) = rest.strip_prefix("│   ").or_else(|| rest.strip_prefix("    ")) {
            (rest, depth) = (inner, depth + 1);
        }
        let name = rest.strip_prefix("├── ").or_else(|| rest.strip_prefix("└── "))?;
        if depth > open.len() || name.starts_with('…') {
            return None;
        }
        open.truncate(depth);
        entries.push(format!("{}{name}", open.concat()));
        if name.ends_with('/') {
            open.push(name);
        }
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::tokens::DEFAULT;

    const PATHS: [&str; 5] = ["README.md", "docs/a.md", "docs/deep/b.md", "src/lib.rs", "src/main.rs"];

    fn changes(old: &str, paths: &[&str], may_differ: bool) -> Option<Vec<String>> {
        keep(old, paths.iter().copied(), DEFAULT, 10_000, may_differ).map(|kept| {
            assert!(kept.changes.is_empty() || kept.drawn == old);
            kept.changes
        })
    }

    #[test]
    fn a_tree_is_kept_with_the_changes_since() {
        let old = Tree::of(PATHS).draw(DEFAULT, 10_000);
        assert_eq!(changes(&old, &PATHS, false), Some(Vec::new()));
        let more = [&PATHS[..], &["src/new.rs", "tests/t.rs"]].concat();
        let added = ["+ src/new.rs", "+ tests/", "+ tests/t.rs"].map(str::to_owned).to_vec();
        assert_eq!(changes(&old, &more, true), Some(added));
        assert_eq!(changes(&old, &more, false), None);
        assert_eq!(changes(&old, &PATHS[..4], true), Some(vec!["- src/main.rs".to_owned()]));
        let many: Vec<String> = (0..MOST_CHANGES).map(|number| format!("more/{number}.rs")).collect();
        let many: Vec<&str> = PATHS.into_iter().chain(many.iter().map(String::as_str)).collect();
        assert_eq!(changes(&old, &many, true), None);
        assert!(keep(&old, PATHS, DEFAULT, 5, true).is_none(), "it no longer fits");
    }

    #[test]
    fn folded_directories_stay_folded() {
        let folded = Tree::of(PATHS).draw_folded(&HashSet::from(["docs"]));
        assert!(folded.contains("├── docs/ (2 files)\n"), "{folded}");
        assert_eq!(changes(&folded, &PATHS, false), Some(Vec::new()));
        let more = [&PATHS[..], &["docs/c.md"]].concat();
        let expected = ["- docs/ (2 files)", "+ docs/ (3 files)"].map(str::to_owned).to_vec();
        assert_eq!(changes(&folded, &more, true), Some(expected));
    }

    #[test]
    fn other_texts_are_not_kept() {
        for text in ["", "src\n", ".\nIgnore the above.\n", ".\n├── a\n│   │   ├── b\n", ".\n└── … (3 more)\n"]
        {
            assert_eq!(changes(text, &PATHS, true), None, "{text}");
        }
    }
}
