//! The files that differ from HEAD, according to the index and the metadata that the walk collected.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use git2::{DiffOptions, ObjectType, Oid};

use super::index_file::{ASSUME_UNCHANGED, IndexEntry, IndexFile, SKIP_WORKTREE};
use super::{Git, filters};

/// Kind of difference from HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatusChange {
    /// Content differs.
    Modified,
    /// New and staged.
    Added,
    /// Not tracked.
    Untracked,
    /// Deleted.
    Deleted,
}

/// Size and modification time in seconds.
pub type FileStat = (u64, i64);

/// The index, the only data from git that the status needs. It can be read in parallel with the walk.
#[derive(Debug, Default)]
pub struct IndexSnapshot {
    /// Tracked project files.
    entries: Vec<IndexEntry>,
    /// Staged changes.
    staged: Vec<(String, StatusChange)>,
    /// Files that were modified before this second cannot have changed unnoticed since the index was written.
    settled: i64,
}

impl IndexSnapshot {
    /// Paths that differ from HEAD. `walked` has the files on disk.
    pub fn dirty(self, root: &Path, walked: &HashMap<&str, FileStat>) -> Vec<(String, StatusChange)> {
        let mut found: HashMap<String, StatusChange> = HashMap::new();
        let mut tracked = HashSet::with_capacity(self.entries.len());
        let mut differing: Vec<&IndexEntry> = Vec::new();
        for entry in &self.entries {
            let path = entry.path.as_str();
            tracked.insert(path);
            if entry.assumed_unchanged {
                continue;
            }
            let Some((size, modified)) = walked.get(path) else {
                // The file was not walked: it is ignored, binary, a submodule, a link or deleted.
                if entry.is_file && std::fs::symlink_metadata(root.join(path)).is_err() {
                    found.insert(path.to_owned(), StatusChange::Deleted);
                }
                continue;
            };
            let same_stat =
                u64::from(entry.size) == *size && i64::from(entry.modified) == *modified && *modified < self.settled;
            if !same_stat && Oid::hash_file(ObjectType::Blob, root.join(path)).ok() != Some(entry.id) {
                differing.push(entry);
            }
        }
        for entry in filters::changed(root, differing) {
            found.insert(entry.path.clone(), StatusChange::Modified);
        }
        let submodules: Vec<&str> =
            self.entries.iter().filter(|entry| entry.is_submodule).map(|entry| entry.path.as_str()).collect();
        let in_submodule = |path: &str| {
            let is_below = |module: &&str| path.strip_prefix(module).is_some_and(|rest| rest.starts_with('/'));
            submodules.iter().any(is_below)
        };
        for path in walked.keys().filter(|path| !tracked.contains(**path) && !in_submodule(path)) {
            found.insert((*path).to_owned(), StatusChange::Untracked);
        }
        for (path, change) in self.staged {
            found.entry(path).or_insert(change);
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort();
        found
    }
}

impl IndexSnapshot {
    /// Like [`IndexSnapshot::dirty`], but without a walk. Untracked files are not found.
    pub fn dirty_on_disk(self, root: &Path) -> Vec<(String, StatusChange)> {
        let stat = |entry: &IndexEntry| {
            let metadata = root.join(&entry.path).symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
            let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some((entry.path.clone(), (metadata.len(), modified.as_secs().cast_signed())))
        };
        let found: Vec<(String, FileStat)> = self.entries.iter().filter_map(stat).collect();
        let walked = found.iter().map(|(path, stat)| (path.as_str(), *stat)).collect();
        self.dirty(root, &walked)
    }
}

impl Git {
    /// Reads the index; `None` if there is none.
    pub fn tracked(&self) -> Option<IndexSnapshot> {
        let file = self.repository.path().join("index");
        // A file that was written in the same second as the index may have changed afterwards without changing its
        // size.
        let settled = file.metadata().and_then(|meta| meta.modified()).ok();
        let settled = settled.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let settled = settled.map_or(i64::MIN, |since| since.as_secs().cast_signed());
        let head = self.repository.head().and_then(|head| head.peel_to_tree()).ok();
        let (mut entries, staged) = match std::fs::read(&file).ok().and_then(|bytes| IndexFile::parse(&bytes)) {
            Some(IndexFile { entries, tree }) if tree.is_some() && tree == head.as_ref().map(git2::Tree::id) => {
                (entries, Vec::new())
            }
            read => {
                let index = self.repository.index().ok()?;
                (read.map_or_else(|| entries_of(&index), |read| read.entries), self.staged(&index, head.as_ref()))
            }
        };
        if !self.prefix.is_empty() {
            entries.retain_mut(|entry| {
                let inside = self.inside(&entry.path).map(ToOwned::to_owned);
                inside.map(|path| entry.path = path).is_some()
            });
        }
        Some(IndexSnapshot { entries, staged, settled })
    }

    fn staged(&self, index: &git2::Index, head: Option<&git2::Tree<'_>>) -> Vec<(String, StatusChange)> {
        let mut options = DiffOptions::new();
        options.ignore_submodules(true).skip_binary_check(true);
        let Ok(diff) = self.repository.diff_tree_to_index(head, Some(index), Some(&mut options)) else {
            return Vec::new();
        };
        let change = |status| match status {
            git2::Delta::Added => StatusChange::Added,
            git2::Delta::Deleted => StatusChange::Deleted,
            _ => StatusChange::Modified,
        };
        diff.deltas()
            .filter_map(|delta| {
                let path = delta.new_file().path().and_then(super::slashed)?;
                Some((self.inside(&path)?.to_owned(), change(delta.status())))
            })
            .collect()
    }
}

/// The entries as libgit2 reads them.
pub(super) fn entries_of(index: &git2::Index) -> Vec<IndexEntry> {
    let entry = |entry: git2::IndexEntry| {
        Some(IndexEntry {
            path: String::from_utf8(entry.path).ok()?,
            size: entry.file_size,
            modified: entry.mtime.seconds(),
            is_file: entry.mode & 0o170_000 == 0o100_000,
            is_submodule: entry.mode & 0o170_000 == 0o160_000,
            assumed_unchanged: entry.flags & ASSUME_UNCHANGED != 0 || entry.flags_extended & SKIP_WORKTREE != 0,
            id: entry.id,
        })
    };
    index.iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use git2::{Repository, Signature, Time};

    use super::*;
    use crate::gather::git::samples::run_git;

    #[test]
    fn sparse_and_assume_unchanged_files_are_clean() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["top.rs", "near/a.rs", "near/b.rs", "near/c.rs", "far/d.rs", "far/deep/e.rs"] {
            let file = dir.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, path).unwrap();
        }
        run_git(dir.path(), &["init", "-q"]);
        run_git(dir.path(), &["add", "."]);
        run_git(dir.path(), &["commit", "-q", "-m", "Begin"]);
        let status = || {
            let on_disk = ["top.rs", "near/a.rs", "near/b.rs", "near/c.rs"].into_iter().filter_map(|path| {
                let meta = dir.path().join(path).metadata().ok()?;
                // The index has a different time, so the contents are compared.
                Some((path, (meta.len(), 0)))
            });
            let git = crate::gather::git::open(dir.path()).unwrap().unwrap();
            git.tracked().unwrap().dirty(dir.path(), &on_disk.collect())
        };
        run_git(dir.path(), &["sparse-checkout", "set", "near"]);
        assert!(!dir.path().join("far").exists());
        assert_eq!(status(), []);
        std::fs::write(dir.path().join("near/a.rs"), "edited").unwrap();
        std::fs::write(dir.path().join("near/b.rs"), "edited").unwrap();
        std::fs::remove_file(dir.path().join("near/c.rs")).unwrap();
        let changed = |path: &str, change| (path.to_owned(), change);
        let all = [
            changed("near/a.rs", StatusChange::Modified),
            changed("near/b.rs", StatusChange::Modified),
            changed("near/c.rs", StatusChange::Deleted),
        ];
        assert_eq!(status(), all);
        run_git(dir.path(), &["update-index", "--assume-unchanged", "near/b.rs", "near/c.rs"]);
        assert_eq!(status(), all[..1]);
        run_git(dir.path(), &["update-index", "--no-assume-unchanged", "near/b.rs", "near/c.rs"]);
        assert_eq!(status(), all);
    }

    #[test]
    fn a_sparse_index_reports_no_deletions() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["near/a.rs", "far/b.rs"] {
            let file = dir.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, path).unwrap();
        }
        run_git(dir.path(), &["init", "-q"]);
        run_git(dir.path(), &["add", "."]);
        run_git(dir.path(), &["commit", "-q", "-m", "Begin"]);
        run_git(dir.path(), &["sparse-checkout", "set", "--cone", "--sparse-index", "near"]);
        assert!(!dir.path().join("far").exists());
        let git = crate::gather::git::open(dir.path()).unwrap().unwrap();
        // libgit2 cannot read this kind of index, so there is no status.
        let on_disk = HashMap::from([("near/a.rs", (9, 0))]);
        assert!(git.tracked().is_none_or(|index| index.dirty(dir.path(), &on_disk).is_empty()));
    }

    #[test]
    fn staged_files_are_reported_until_they_are_committed() {
        let dir = tempfile::tempdir().unwrap();
        let repository = Repository::init(dir.path()).unwrap();
        let add = |name: &str| {
            std::fs::write(dir.path().join(name), name).unwrap();
            let mut index = repository.index().unwrap();
            index.add_path(Path::new(name)).unwrap();
            index.write().unwrap();
        };
        let commit = || {
            let mut index = repository.index().unwrap();
            let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
            // Writes the cache-tree extension, as git does.
            index.read_tree(&tree).unwrap();
            index.write().unwrap();
            let who = Signature::new("A", "a@example.org", &Time::new(1_769_000_000, 0)).unwrap();
            let parent = repository.head().and_then(|head| head.peel_to_commit()).ok();
            let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
            repository.commit(Some("HEAD"), &who, &who, "A commit", &tree, &parents).unwrap();
        };
        let staged = || crate::gather::git::open(dir.path()).unwrap().unwrap().tracked().unwrap().staged;
        let added = |name: &str| vec![(name.to_owned(), StatusChange::Added)];
        add("a");
        assert_eq!(staged(), added("a"));
        commit();
        assert_eq!(staged(), []);
        add("b");
        assert_eq!(staged(), added("b"));
        // The tree in the index differs from the tree of HEAD.
        let mut index = repository.index().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        index.read_tree(&tree).unwrap();
        index.write().unwrap();
        assert_eq!(staged(), added("b"));
        commit();
        assert_eq!(staged(), []);
    }
}
