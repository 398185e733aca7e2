//! Small projects on disk for tests, gathered without history and cache.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::progress::NoObserver;
use super::terms::Vocabulary;
use super::walk::Walk;
use super::{Corpus, Gather};

/// Writes files below `root`, creating directories.
pub(crate) fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Gathers `root`, counting the terms of `vocabulary`.
pub(crate) fn gathered(root: &Path, vocabulary: &Vocabulary) -> Corpus {
    let walk = Walk { root, max_file_bytes: 1 << 20, ignore: &[], vocabulary, observer: &NoObserver };
    Gather { walk, history_commits: 0, base: None, cache: None, redactor: Arc::default() }.run().unwrap()
}

/// A temporary project with these files.
pub(crate) fn corpus(files: &[(&str, &str)]) -> (TempDir, Corpus) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let corpus = gathered(dir.path(), &Vocabulary::All);
    (dir, corpus)
}
