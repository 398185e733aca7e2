//! Files as git keeps them: what bytes are called, what a commit held, and what changed since.

use std::path::Path;

use git2::{ObjectType, Oid};

use super::Git;
use super::objects::Objects;
use super::tree_diff::TreeDiff;

/// More paths than this are no delta that anybody would read.
const MOST_PATHS: usize = 5_000;

/// What git calls these bytes.
pub fn blob_id(bytes: &[u8]) -> Option<String> {
    Oid::hash_object(ObjectType::Blob, bytes).ok().map(|id| id.to_string())
}

impl Git {
    /// The head commit's whole id; none before the first commit.
    pub fn head_id(&self) -> Option<String> {
        self.repository.head().and_then(|head| head.peel_to_commit()).ok().map(|commit| commit.id().to_string())
    }

    /// The bytes of this name, where the repository has them.
    pub fn blob(&self, id: &str) -> Option<Vec<u8>> {
        let blob = self.repository.find_blob(Oid::from_str(id).ok()?).ok()?;
        Some(blob.content().to_vec())
    }

    /// What a commit held at a path of the project.
    pub fn blob_at(&self, commit: &str, path: &str) -> Option<String> {
        let tree = self.repository.find_commit(Oid::from_str(commit).ok()?).ok()?.tree().ok()?;
        let entry = tree.get_path(Path::new(&format!("{}{path}", self.prefix))).ok()?;
        (entry.kind() == Some(ObjectType::Blob)).then(|| entry.id().to_string())
    }

    /// The project's paths that differ between a commit and the head; none where the commit is gone or too much differs.
    pub fn changed_since(&self, commit: &str) -> Option<Vec<String>> {
        let old = self.repository.find_commit(Oid::from_str(commit).ok()?).ok()?.tree_id();
        let new = self.repository.head().ok()?.peel_to_commit().ok()?.tree_id();
        let objects = Objects::open(self.repository.path()).ok()?;
        let (paths, more) = TreeDiff::new(objects).paths(Some(old), new, MOST_PATHS).ok()?;
        let inside = paths.iter().filter_map(|path| self.inside(path)).map(ToOwned::to_owned);
        (!more).then(|| inside.collect())
    }
}
