//! Tree objects for tests.

use git2::{Index, IndexEntry, IndexTime, Oid, Repository};

/// Writes a tree with these files.
pub(super) fn tree(repository: &Repository, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Oid {
    let mut index = Index::new().unwrap();
    let time = IndexTime::new(0, 0);
    for (path, content) in files {
        let entry = IndexEntry {
            ctime: time,
            mtime: time,
            dev: 0,
            ino: 0,
            mode: 0o100_644,
            uid: 0,
            gid: 0,
            file_size: 1,
            id: repository.blob(&content).unwrap(),
            flags: 0,
            flags_extended: 0,
            path: path.into_bytes(),
        };
        index.add(&entry).unwrap();
    }
    index.write_tree_to(repository).unwrap()
}
