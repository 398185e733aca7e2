//! Repositories and tree objects for tests.

use std::path::Path;

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

/// Runs git without the user's configuration.
pub(crate) fn run_git(dir: &Path, args: &[&str]) {
    let mut git = std::process::Command::new("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(args).current_dir(dir);
    let output = git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}
