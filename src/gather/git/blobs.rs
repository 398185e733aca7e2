//! Blobs by id or by commit and path, and the paths changed since a commit.

use std::path::Path;

use git2::{ObjectType, Oid};

use super::Git;
use super::objects::Objects;
use super::tree_diff::TreeDiff;

/// Maximum number of changed paths of a useful delta.
const MOST_PATHS: usize = 5_000;

/// The git object id of these bytes.
pub fn blob_id(bytes: &[u8]) -> Option<String> {
    Oid::hash_object(ObjectType::Blob, bytes).ok().map(|id| id.to_string())
}

impl Git {
    /// Full id of HEAD; `None` before the first commit.
    pub fn head_id(&self) -> Option<String> {
        self.repository.head().and_then(|head| head.peel_to_commit()).ok().map(|commit| commit.id().to_string())
    }

    /// The blob with this id, if the repository has it.
    pub fn blob(&self, id: &str) -> Option<Vec<u8>> {
        let blob = self.repository.find_blob(Oid::from_str(id).ok()?).ok()?;
        Some(blob.content().to_vec())
    }

    /// The blob id at a project path in a commit.
    pub fn blob_at(&self, commit: &str, path: &str) -> Option<String> {
        let tree = self.repository.find_commit(Oid::from_str(commit).ok()?).ok()?.tree().ok()?;
        let entry = tree.get_path(Path::new(&format!("{}{path}", self.prefix))).ok()?;
        (entry.kind() == Some(ObjectType::Blob)).then(|| entry.id().to_string())
    }

    /// Project paths that differ between a commit and HEAD. `None` if the commit does not exist, or if too many paths
    /// differ.
    pub fn changed_since(&self, commit: &str) -> Option<Vec<String>> {
        let old = self.repository.find_commit(Oid::from_str(commit).ok()?).ok()?.tree_id();
        let new = self.repository.head().ok()?.peel_to_commit().ok()?.tree_id();
        let objects = Objects::open(self.repository.path()).ok()?;
        let (paths, more) = TreeDiff::new(objects).paths(Some(old), new, MOST_PATHS).ok()?;
        let inside = paths.iter().filter_map(|path| self.inside(path)).map(ToOwned::to_owned);
        (!more).then(|| inside.collect())
    }
}
