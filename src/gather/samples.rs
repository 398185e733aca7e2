//! Small projects on disk for the tests, gathered without history and cache.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::progress::NoObserver;
use super::terms::Vocabulary;
use super::walk::Walk;
use super::{Corpus, Gather};

/// Writes files below `root`, and the directories that they need.
pub(crate) fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// What is below `root`, with the counts of these words.
pub(crate) fn gathered(root: &Path, vocabulary: &Vocabulary) -> Corpus {
    let walk = Walk { root, max_file_bytes: 1 << 20, ignore: &[], vocabulary, observer: &NoObserver };
    Gather { walk, history_commits: 0, cache: None, redactor: Arc::default() }.run().unwrap()
}

/// A project of these files.
pub(crate) fn corpus(files: &[(&str, &str)]) -> (TempDir, Corpus) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let corpus = gathered(dir.path(), &Vocabulary::All);
    (dir, corpus)
}
