//! Both versions of a changed file, read from git and from the disk.

use super::super::git::{PathChange, PathKind, StatusChange, TreeFile};
use super::super::read;
use super::{ChangedContent, Corpus, Git, LineDiff};

/// Largest file whose lines are compared.
const MOST_BYTES: u64 = 4_000_000;

/// One version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileVersion {
    /// It does not exist.
    Absent,
    /// Text.
    Text {
        /// Decoded text, with the line endings of the base.
        text: String,
        /// True if it can be executed.
        executable: bool,
    },
    /// Not text, with the size.
    Binary(u64),
    /// A symbolic link.
    Link,
    /// A submodule at this commit.
    Submodule(String),
    /// Not read, with the reason.
    Unread(String),
}

/// A changed path with both versions.
#[derive(Debug)]
pub(super) struct ChangedBytes {
    pub path: String,
    pub before: FileVersion,
    pub after: FileVersion,
    pub renamed_from: Option<String>,
    pub untracked: bool,
}

/// Reads both versions of changed paths.
pub(super) struct VersionReader<'a> {
    pub corpus: &'a Corpus,
    pub git: &'a Git,
    pub skips: &'a dyn Fn(&str) -> bool,
}

impl VersionReader<'_> {
    /// Both versions of a path; `None` if they are equal.
    pub fn read(&self, path: String, change: &PathChange) -> Option<ChangedBytes> {
        let dirty = working_tree_of(self.corpus, &path);
        if self.corpus.find(&path).is_none() && (self.skips)(&path) {
            let ignored = || FileVersion::Unread("ignored".to_owned());
            let version = |there: bool| if there { ignored() } else { FileVersion::Absent };
            let after = version(change.after.is_some());
            return Some(ChangedBytes {
                before: version(change.before.is_some()),
                after,
                path,
                renamed_from: None,
                untracked: false,
            });
        }
        let before = change.before.as_ref().map_or(FileVersion::Absent, |file| self.version_in_git(&path, file));
        let after = match (&change.after, dirty) {
            (Some(file), _) if file.kind == PathKind::Submodule => FileVersion::Submodule(file.id.clone()),
            (_, Some(StatusChange::Deleted)) | (None, None) => FileVersion::Absent,
            (Some(file), None) => self.version_in_git(&path, file),
            (after, Some(_)) => {
                let executable = after.as_ref().or(change.before.as_ref()).is_some_and(|file| file.executable);
                self.version_on_disk(&path, &before, executable)
            }
        };
        let untracked = dirty == Some(StatusChange::Untracked);
        (before != after).then_some(ChangedBytes { path, before, after, renamed_from: None, untracked })
    }

    fn version_in_git(&self, path: &str, file: &TreeFile) -> FileVersion {
        match file.kind {
            PathKind::Submodule => return FileVersion::Submodule(file.id.clone()),
            PathKind::Link => return FileVersion::Link,
            PathKind::File => {}
        }
        match self.git.blob_size(&file.id) {
            Some(size) if size <= MOST_BYTES => {}
            Some(_) => return FileVersion::Unread("too large to compare".to_owned()),
            None => return FileVersion::Unread("git does not have its content".to_owned()),
        }
        let bytes = self.git.blob(&file.id).unwrap_or_default();
        decoded(path, &bytes, file.executable)
    }

    /// The file on disk. It is read through a handle below the root, because git would follow a directory that has
    /// become a link.
    fn version_on_disk(&self, path: &str, before: &FileVersion, executable: bool) -> FileVersion {
        match read::read_bytes(&self.corpus.root, path, MOST_BYTES) {
            Ok(bytes) => match (decoded(path, &bytes, executable), before) {
                // `core.autocrlf` or an attribute may have converted the line endings on disk.
                (FileVersion::Text { text, executable }, FileVersion::Text { text: old, .. })
                    if !old.contains('\r') && text.contains('\r') =>
                {
                    FileVersion::Text { text: text.replace("\r\n", "\n"), executable }
                }
                (version, _) => version,
            },
            Err(_) => match self.corpus.root.join(path).symlink_metadata() {
                Ok(meta) if meta.is_symlink() => FileVersion::Link,
                Ok(meta) if meta.len() > MOST_BYTES => FileVersion::Unread("too large to compare".to_owned()),
                Ok(_) => FileVersion::Unread("not a regular file".to_owned()),
                Err(_) => FileVersion::Absent,
            },
        }
    }
}

fn working_tree_of(corpus: &Corpus, path: &str) -> Option<StatusChange> {
    let dirty = &corpus.git.as_ref()?.dirty;
    dirty.binary_search_by(|(known, _)| known.as_str().cmp(path)).ok().map(|at| dirty[at].1)
}

fn decoded(path: &str, bytes: &[u8], executable: bool) -> FileVersion {
    match read::decode(path, bytes) {
        Ok(decoded) => FileVersion::Text { text: decoded.text.into_owned(), executable },
        Err(_) => FileVersion::Binary(bytes.len() as u64),
    }
}

/// The change from one version to the other.
pub(super) fn compared(path: &str, before: &FileVersion, after: &FileVersion) -> ChangedContent {
    use FileVersion::{Absent, Binary, Link, Submodule, Text, Unread};
    let text = |version: &FileVersion| match version {
        Text { text, .. } => Some(text.clone()),
        Absent => Some(String::new()),
        _ => None,
    };
    let size = |version: &FileVersion| match version {
        Binary(size) => Some(*size),
        Text { text, .. } => Some(text.len() as u64),
        _ => None,
    };
    let commit = |version: &FileVersion| match version {
        Submodule(id) => Some(id.clone()),
        _ => None,
    };
    match (before, after) {
        (Unread(why), _) | (_, Unread(why)) => ChangedContent::Unread(why.clone()),
        (Submodule(_), _) | (_, Submodule(_)) => ChangedContent::Submodule(commit(before), commit(after)),
        (Link, _) | (_, Link) => ChangedContent::Link,
        (Binary(_), _) | (_, Binary(_)) => ChangedContent::Binary(size(before), size(after)),
        _ => match text(before).zip(text(after)) {
            Some((old, new)) => ChangedContent::Text(LineDiff::between(&old, &new, path)),
            None => ChangedContent::Link,
        },
    }
}
