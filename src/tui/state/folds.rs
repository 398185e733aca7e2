//! The folded directories of the tree. A large project has hundreds of thousands of directories, so only exceptions are
//! stored.

use std::collections::{HashMap, HashSet};

/// The state of directories that were not folded or unfolded individually.
#[derive(Debug, Clone, Default)]
enum DefaultFolding {
    /// As the tree opens: unfolded down to these directories. With a filter, all are unfolded.
    Opening(HashSet<String>),
    Folded,
    #[default]
    Unfolded,
}

/// The folded directories.
#[derive(Debug, Clone, Default)]
pub struct Folds {
    others: DefaultFolding,
    /// Directories that were folded (true) or unfolded individually.
    single: HashMap<String, bool>,
}

impl Folds {
    /// The tree as it opens, unfolded down to these directories.
    pub fn opening(unfolded: HashSet<String>) -> Self {
        Self { others: DefaultFolding::Opening(unfolded), single: HashMap::new() }
    }

    /// Folds or unfolds one directory.
    pub fn set(&mut self, directory: String, folded: bool) {
        self.single.insert(directory, folded);
    }

    /// Folds or unfolds every directory.
    pub fn set_all(&mut self, folded: bool) {
        self.others = if folded { DefaultFolding::Folded } else { DefaultFolding::Unfolded };
        self.single.clear();
    }

    /// Returns true if the directory is folded, in a list with or without a filter.
    pub fn is_folded(&self, directory: &str, filtered: bool) -> bool {
        match (self.single.get(directory), &self.others) {
            (Some(folded), _) => *folded,
            (None, DefaultFolding::Opening(unfolded)) => !filtered && !unfolded.contains(directory),
            (None, DefaultFolding::Folded) => true,
            (None, DefaultFolding::Unfolded) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_unfolds_directories_that_nobody_folded() {
        let mut folds = Folds::opening(["src/".to_owned()].into());
        folds.set("src/a/".to_owned(), true);
        let folded = |folds: &Folds, filtered| ["src/", "src/a/", "docs/"].map(|path| folds.is_folded(path, filtered));
        assert_eq!(folded(&folds, false), [false, true, true]);
        assert_eq!(folded(&folds, true), [false, true, false]);
        folds.set_all(true);
        assert_eq!(folded(&folds, true), [true; 3]);
        folds.set_all(false);
        assert_eq!(folded(&folds, false), [false; 3]);
    }
}
