//! Reads commits and trees by id.

use std::path::Path;

use git2::{Oid, Repository};

/// Reads objects on one thread. libgit2's handle cannot be shared between threads.
pub(super) struct Objects(Repository);

impl Objects {
    /// Opens a repository by its git directory.
    pub fn open(git_dir: &Path) -> Result<Self, git2::Error> {
        Repository::open(git_dir).map(Self)
    }

    /// An object's content without its header.
    pub fn read(&self, id: Oid) -> Result<Vec<u8>, git2::Error> {
        Ok(self.0.odb()?.read(id)?.data().to_vec())
    }
}
