//! The lower-case paths of all items in one string, so that a filter can search a million paths within a frame.

use memchr::memmem::Finder;

use crate::gather::item::Item;
use crate::ids::ItemId;

/// Lower-case paths by item.
#[derive(Debug, Clone, Default)]
pub struct LowerPaths {
    text: String,
    /// End of each path in the text.
    ends: Vec<usize>,
}

impl LowerPaths {
    /// The paths of these items.
    pub fn of(items: &[Item]) -> Self {
        let mut paths = Self {
            text: String::with_capacity(items.iter().map(|item| item.path.len() + 1).sum()),
            ends: Vec::with_capacity(items.len()),
        };
        for item in items {
            if item.path.is_ascii() {
                let start = paths.text.len();
                paths.text.push_str(&item.path);
                paths.text[start..].make_ascii_lowercase();
            } else {
                paths.text.push_str(&item.path.to_lowercase());
            }
            paths.ends.push(paths.text.len());
            // No word of a filter contains a line end, so no match crosses two paths.
            paths.text.push('\n');
        }
        paths
    }

    /// The path of an item.
    pub fn get(&self, item: ItemId) -> &str {
        let start = item.index().checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        &self.text[start..self.ends[item]]
    }

    /// For each item, whether its path contains the word.
    pub fn containing(&self, word: &str) -> Vec<bool> {
        let finder = Finder::new(word);
        let mut found = vec![false; self.ends.len()];
        let (mut at, mut from) = (0, 0);
        while let Some(hit) = self.text.as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
            while self.ends.get(at).is_some_and(|end| *end < from + hit) {
                at += 1;
            }
            let Some(end) = self.ends.get(at) else { break };
            found[at] = true;
            from = end + 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::item::{ItemKind, Source};
    use crate::ids::FileId;
    use proptest::prelude::*;

    fn paths(paths: &[String]) -> LowerPaths {
        let item = |path: &String| Item {
            kind: ItemKind::File,
            path: path.clone(),
            source: Source::File(FileId::new(0)),
            about: None,
        };
        LowerPaths::of(&paths.iter().map(item).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn a_search_of_all_paths_finds_what_a_search_of_each_finds(
            all in prop::collection::vec("[abA/éÉ]{0,6}", 0..20), word in "[ab/é]{1,3}",
        ) {
            let lower = paths(&all);
            let found = lower.containing(&word);
            for (at, path) in all.iter().enumerate() {
                prop_assert_eq!(lower.get(ItemId::new(at)), path.to_lowercase());
                prop_assert_eq!(found[at], path.to_lowercase().contains(&word), "{} in {}", word, path);
            }
        }
    }
}
