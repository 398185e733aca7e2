//! Blobs and directories of commits, read without a checkout.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use git2::{Oid, Repository};

use super::log::{CommitHeader, Log};
use super::objects::Objects;
use super::tree_diff::TreeDiff;
use super::{Git, changed_ranges::LineRange, changed_ranges::changed_ranges};

/// The id of a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlobId(Oid);

/// The id of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CommitId(pub(super) Oid);

/// The id of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreeId(Oid);

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A commit of the log.
#[derive(Debug, Clone)]
pub struct LoggedCommit {
    /// Its id.
    pub id: CommitId,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// Commit time in seconds since 1970.
    pub time: i64,
    /// Message, truncated to about 2,000 bytes.
    pub message: String,
}

/// A path that a commit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPath {
    /// Relative to the project root.
    pub path: String,
    /// The blob before; `None` for a new file.
    pub before: Option<BlobId>,
    /// The blob after; `None` for a deleted file.
    pub after: Option<BlobId>,
}

/// Reads blobs on any thread.
pub struct Blobs {
    git_dir: PathBuf,
    /// One handle per thread that has read so far.
    idle: Mutex<Vec<Objects>>,
}

impl Blobs {
    /// A blob's bytes. The error is the reason why they are missing.
    pub fn read(&self, id: BlobId) -> Result<Vec<u8>, String> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let missing = |error: git2::Error| format!("unreadable: {}", error.message());
        let objects = idle.map_or_else(|| Objects::open(&self.git_dir), Ok).map_err(missing)?;
        let bytes = objects.read(id.0).map_err(missing);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(objects);
        bytes
    }
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blobs").field("git_dir", &self.git_dir).finish_non_exhaustive()
    }
}

/// Kind of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File(BlobId),
    /// A symbolic link.
    Link,
    /// A directory.
    Directory(TreeId),
}

/// A tree entry.
#[derive(Debug)]
pub struct DirectoryEntry {
    /// Its name; `None` if it is not valid UTF-8.
    pub name: Option<String>,
    /// Its kind.
    pub kind: EntryKind,
}

/// Reads directories of commits. A directory that several commits share is read once.
pub struct Trees {
    repository: Repository,
    prefix: String,
    known: HashMap<TreeId, Arc<Vec<DirectoryEntry>>>,
}

impl Trees {
    /// The project's directory in a commit; `None` if the commit does not have it.
    pub fn project(&self, commit: CommitId) -> Option<TreeId> {
        let tree = self.repository.find_commit(commit.0).ok()?.tree().ok()?;
        let prefix = self.prefix.trim_end_matches('/');
        if prefix.is_empty() {
            return Some(TreeId(tree.id()));
        }
        Some(TreeId(tree.get_path(Path::new(prefix)).ok()?.to_object(&self.repository).ok()?.as_tree()?.id()))
    }

    /// The entries of a directory, except submodules. Empty if the directory is missing.
    pub fn entries(&mut self, id: TreeId) -> Arc<Vec<DirectoryEntry>> {
        if let Some(known) = self.known.get(&id) {
            return Arc::clone(known);
        }
        let entry = |entry: git2::TreeEntry<'_>| {
            let kind = match entry.filemode() & 0o170_000 {
                0o040_000 => EntryKind::Directory(TreeId(entry.id())),
                0o120_000 => EntryKind::Link,
                0o100_000 => EntryKind::File(BlobId(entry.id())),
                _ => return None,
            };
            Some(DirectoryEntry { name: entry.name().ok().map(ToOwned::to_owned), kind })
        };
        let tree = self.repository.find_tree(id.0).ok();
        let entries = Arc::new(tree.iter().flat_map(|tree| tree.iter().filter_map(entry)).collect());
        self.known.insert(id, Arc::clone(&entries));
        entries
    }
}

impl Git {
    /// A reader of blobs.
    pub fn blobs(&self) -> Blobs {
        Blobs { git_dir: self.git_dir(), idle: Mutex::default() }
    }

    /// A reader of directories.
    pub fn trees(&self) -> Result<Trees, String> {
        let repository = Repository::open(self.git_dir()).map_err(|error| error.message().to_owned())?;
        Ok(Trees { repository, prefix: self.prefix.clone(), known: HashMap::new() })
    }

    /// The commit that a revision names.
    pub fn commit_of(&self, revision: &str) -> Option<CommitId> {
        let commit = self.repository.revparse_single(revision).ok()?.peel_to_commit().ok()?;
        Some(CommitId(commit.id()))
    }

    /// A commit by its id; `None` if it is missing.
    pub fn logged(&self, id: CommitId) -> Option<LoggedCommit> {
        self.log_from(id).ok()?.next()
    }

    /// A blob's bytes.
    pub fn blob_bytes(&self, id: BlobId) -> Option<Vec<u8>> {
        Some(self.repository.find_blob(id.0).ok()?.content().to_vec())
    }

    /// The log of a commit, newest first, merges included. Missing commits, as in a shallow clone, are skipped.
    pub fn log_from(&self, head: CommitId) -> Result<impl Iterator<Item = LoggedCommit> + use<>, String> {
        let objects = Objects::open(&self.git_dir()).map_err(|error| error.message().to_owned())?;
        let read = move |id| objects.read(id).ok().and_then(|bytes| CommitHeader::parse(&bytes)).map(Arc::new);
        let commit = |(id, header)| {
            let CommitHeader { parents, time, message, .. } = Arc::unwrap_or_clone(header);
            LoggedCommit { id: CommitId(id), parents: parents.into_iter().map(CommitId).collect(), time, message }
        };
        Ok(Log::below(head.0, read).map(commit))
    }

    /// The project paths that differ between two commits, up to `most`, and true if there are more. `None` if a commit
    /// is missing.
    pub fn changes_between(&self, old: CommitId, new: CommitId, most: usize) -> Option<(Vec<ChangedPath>, bool)> {
        let tree = |id: CommitId| self.repository.find_commit(id.0).ok()?.tree().ok();
        let (old, new) = (tree(old)?, tree(new)?);
        let mut diff = TreeDiff::new(Objects::open(&self.git_dir()).ok()?);
        let (paths, more) = diff.paths(Some(old.id()), new.id(), most).ok()?;
        let blob = |tree: &git2::Tree<'_>, path: &str| {
            let entry = tree.get_path(Path::new(path)).ok()?;
            (entry.filemode() & 0o170_000 == 0o100_000).then(|| BlobId(entry.id()))
        };
        let change = |path: &String| {
            let inside = self.inside(path)?.to_owned();
            Some(ChangedPath { path: inside, before: blob(&old, path), after: blob(&new, path) })
        };
        Some((paths.iter().filter_map(change).collect(), more))
    }

    /// The line ranges of the old text that differ in the new one.
    pub fn changed_lines(&self, before: BlobId, after: BlobId) -> Option<Vec<LineRange>> {
        let blob = |id: BlobId| self.repository.find_blob(id.0).ok();
        let (before, after) = (blob(before)?, blob(after)?);
        Some(changed_ranges(before.content(), after.content()))
    }
}
