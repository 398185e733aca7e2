//! The paths that differ between a base commit and the working tree, and the commits in between.

use std::collections::BTreeMap;

use git2::{Delta, DiffFile, DiffOptions, FileMode, Oid, Sort};

use super::Git;

/// Limits for the number of commits whose messages are read, and for the bytes of each message.
const MOST_COMMITS: usize = 200;
const MESSAGE_BYTES: usize = 4_000;

/// Kind of a path in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A submodule.
    Submodule,
}

/// A path in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Its object, or a submodule's commit.
    pub id: String,
    /// Its kind.
    pub kind: PathKind,
    /// True if it is executable.
    pub executable: bool,
}

/// Both versions of a path that differs between two commits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathChange {
    /// The version in the base.
    pub before: Option<TreeFile>,
    /// The version in HEAD, or in the working tree for a submodule.
    pub after: Option<TreeFile>,
}

/// A commit of the branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchCommit {
    /// Its full id.
    pub id: String,
    /// Time in seconds since 1970.
    pub time: i64,
    /// The message.
    pub message: String,
    /// True for a merge.
    pub is_merge: bool,
}

impl Git {
    /// The project paths that differ between a commit and HEAD, and submodules that differ in the working tree.
    pub fn changed_between(&self, base: &str) -> Result<BTreeMap<String, PathChange>, String> {
        let said = |error: git2::Error| error.message().to_owned();
        let base = self.tree_of(base).map_err(said)?;
        let head = self.repository.head().and_then(|head| head.peel_to_tree()).map_err(said)?;
        let mut options = DiffOptions::new();
        options.include_typechange(true).skip_binary_check(true).disable_pathspec_match(true);
        if !self.prefix.is_empty() {
            options.pathspec(&self.prefix);
        }
        let diff = self.repository.diff_tree_to_tree(Some(&base), Some(&head), Some(&mut options)).map_err(said)?;
        let mut changes = BTreeMap::new();
        for delta in diff.deltas() {
            let (old, new) = (delta.old_file(), delta.new_file());
            let Some(path) = new.path().or(old.path()).and_then(super::slashed) else { continue };
            let Some(path) = self.inside(&path) else { continue };
            let before = if delta.status() == Delta::Added { None } else { tree_file(&old) };
            let after = if delta.status() == Delta::Deleted { None } else { tree_file(&new) };
            changes.insert(path.to_owned(), PathChange { before, after });
        }
        self.add_submodules(&base, &mut changes);
        Ok(changes)
    }

    /// Adds submodules with the commit that is checked out, or else the one that is staged.
    fn add_submodules(&self, base: &git2::Tree<'_>, changes: &mut BTreeMap<String, PathChange>) {
        let Ok(index) = self.repository.index() else { return };
        for entry in index.iter().filter(|entry| entry.mode & 0o170_000 == 0o160_000) {
            let Ok(path) = String::from_utf8(entry.path) else { continue };
            let Some(inside) = self.inside(&path) else { continue };
            let checked_out = self.repository.find_submodule(&path).ok().and_then(|module| module.workdir_id());
            let now = checked_out.unwrap_or(entry.id);
            let before = base.get_path(std::path::Path::new(&path)).ok();
            if before.as_ref().is_some_and(|before| before.id() == now) {
                changes.remove(inside);
                continue;
            }
            let before = before.map(|entry| TreeFile {
                id: entry.id().to_string(),
                kind: kind(entry.filemode().cast_unsigned()),
                executable: false,
            });
            let after = TreeFile { id: now.to_string(), kind: PathKind::Submodule, executable: false };
            changes.insert(inside.to_owned(), PathChange { before, after: Some(after) });
        }
    }

    fn tree_of(&self, commit: &str) -> Result<git2::Tree<'_>, git2::Error> {
        self.repository.find_commit(Oid::from_str(commit)?)?.tree()
    }

    /// A project path in a commit.
    pub fn file_at(&self, commit: &str, path: &str) -> Option<TreeFile> {
        let tree = self.tree_of(commit).ok()?;
        let entry = tree.get_path(std::path::Path::new(&format!("{}{path}", self.prefix))).ok()?;
        let mode = entry.filemode().cast_unsigned();
        (mode != u32::from(FileMode::Tree)).then(|| TreeFile {
            id: entry.id().to_string(),
            kind: kind(mode),
            executable: mode == u32::from(FileMode::BlobExecutable),
        })
    }

    /// The size of a blob.
    pub fn blob_size(&self, id: &str) -> Option<u64> {
        let odb = self.repository.odb().ok()?;
        odb.read_header(Oid::from_str(id).ok()?).ok().map(|(size, _)| size as u64)
    }

    /// The commits that are in HEAD but not in the base, newest first, and true if there are more.
    pub fn commits_since(&self, base: &str) -> (Vec<BranchCommit>, bool) {
        let walk = || {
            let mut walk = self.repository.revwalk()?;
            walk.set_sorting(Sort::TOPOLOGICAL)?;
            walk.push_head()?;
            walk.hide(Oid::from_str(base)?)?;
            Ok::<_, git2::Error>(walk)
        };
        let Ok(walk) = walk() else { return (Vec::new(), false) };
        let commit = |id: Oid| {
            let commit = self.repository.find_commit(id).ok()?;
            let mut message = String::from_utf8_lossy(commit.message_bytes()).trim().to_owned();
            message.truncate(message.floor_char_boundary(MESSAGE_BYTES));
            let (time, is_merge) = (commit.time().seconds(), commit.parent_count() > 1);
            Some(BranchCommit { id: id.to_string(), time, message, is_merge })
        };
        let mut commits: Vec<BranchCommit> =
            walk.filter_map(Result::ok).take(MOST_COMMITS + 1).filter_map(commit).collect();
        let more = commits.len() > MOST_COMMITS;
        commits.truncate(MOST_COMMITS);
        (commits, more)
    }
}

fn kind(mode: u32) -> PathKind {
    match mode & 0o170_000 {
        0o160_000 => PathKind::Submodule,
        0o120_000 => PathKind::Link,
        _ => PathKind::File,
    }
}

fn tree_file(file: &DiffFile<'_>) -> Option<TreeFile> {
    let mode = u32::from(file.mode());
    file.exists().then(|| TreeFile {
        id: file.id().to_string(),
        kind: kind(mode),
        executable: file.mode() == FileMode::BlobExecutable,
    })
}
