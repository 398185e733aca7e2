//! Commits and trees by their ids: out of the repository's packs, where nearly all of them are, or else from libgit2.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use git2::{Oid, Repository};

use super::pack::{Bytes, Pack};
use super::pack_index::{PackIndex, open_file};

/// Where a repository keeps its objects.
pub(super) struct Store {
    repository: PathBuf,
    packs: Vec<Arc<PackIndex>>,
}

/// Reads objects of one repository, on one thread.
pub(super) struct Objects {
    /// The one that had the last object first: objects that belong together are together.
    packs: Vec<Pack>,
    /// Where the repository is, and the same opened once something is not in a pack.
    repository: PathBuf,
    opened: Option<Repository>,
}

/// With more packs, each to be asked, libgit2 with its index of all of them is the better one.
const MOST_PACKS: usize = 24;

/// Stores of objects that are looked into; libgit2 knows the others too.
const MOST_STORES: usize = 6;
const LONGEST_LIST: u64 = 64_000;

impl Store {
    /// Of a repository that is asked for a few objects only: libgit2 has them sooner than the tables of all packs are read.
    pub fn for_few(repository: &Repository) -> Self {
        Self { repository: repository.path().to_path_buf(), packs: Vec::new() }
    }

    /// The packs of a repository, and of those that it borrows from.
    pub fn of(repository: &Repository) -> Self {
        let mut stores = vec![repository.commondir().join("objects")];
        let mut at = 0;
        // Those may borrow in turn.
        while let Some(store) = stores.get(at).filter(|_| at < MOST_STORES) {
            let borrowed = borrowed(store);
            stores.extend(borrowed);
            at += 1;
        }
        let names = stores.iter().filter_map(|store| std::fs::read_dir(store.join("pack")).ok()).flatten().flatten();
        let is_index = |path: &PathBuf| path.extension().is_some_and(|end| end == "idx");
        let mut indices: Vec<PathBuf> = names.map(|entry| entry.path()).filter(is_index).collect();
        indices.sort_unstable();
        if indices.len() > MOST_PACKS {
            indices.clear();
        }
        let (mut packs, mut held) = (Vec::new(), 0);
        for index in indices {
            if let Some(index) = PackIndex::open(&index, held) {
                held += index.count();
                packs.push(Arc::new(index));
            }
        }
        Self { repository: repository.path().to_path_buf(), packs }
    }
}

impl Objects {
    /// What the store has.
    pub fn of(store: &Store) -> Self {
        let packs = store.packs.iter().filter_map(Pack::open).collect();
        Self { packs, repository: store.repository.clone(), opened: None }
    }

    /// The object as git keeps it, without its header.
    pub fn read(&mut self, id: Oid) -> Result<Bytes, git2::Error> {
        for at in 0..self.packs.len() {
            if let Some(bytes) = self.packs[at].read(id) {
                self.packs[..=at].rotate_right(1);
                return Ok(bytes);
            }
        }
        let repository = match self.opened.take() {
            Some(opened) => opened,
            None => Repository::open(&self.repository)?,
        };
        let objects = self.opened.insert(repository).odb()?;
        let object = objects.read(id)?;
        Ok(Rc::new(object.data().to_vec()))
    }
}

/// The other stores that a store borrows from.
fn borrowed(store: &Path) -> Vec<PathBuf> {
    let list = store.join("info").join("alternates");
    let text = open_file(&list).and_then(|file| std::io::read_to_string(file.take(LONGEST_LIST)).ok());
    let lines = text.as_deref().unwrap_or_default().lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| store.join(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_borrowed_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (lender, borrower) = (dir.path().join("lender"), dir.path().join("borrower"));
        let repository = Repository::init_bare(&lender).unwrap();
        let who = git2::Signature::new("A", "a@example.org", &git2::Time::new(5, 0)).unwrap();
        let tree = repository.find_tree(repository.treebuilder(None).unwrap().write().unwrap()).unwrap();
        let commit = repository.commit(Some("HEAD"), &who, &who, "Begin", &tree, &[]).unwrap();
        let mut packer = repository.packbuilder().unwrap();
        packer.insert_commit(commit).unwrap();
        packer.write(&lender.join("objects/pack"), 0).unwrap();
        let borrowing = Repository::init_bare(&borrower).unwrap();
        assert!(Objects::of(&Store::of(&borrowing)).read(commit).is_err());
        std::fs::write(borrower.join("objects/info/alternates"), "# from\n../../lender/objects\n").unwrap();
        let store = Store::of(&borrowing);
        assert_eq!(store.packs.len(), 1);
        let mut objects = Objects::of(&store);
        let found = objects.read(commit).unwrap();
        assert!(objects.opened.is_none(), "libgit2 was not asked");
        assert_eq!(found.as_slice(), repository.odb().unwrap().read(commit).unwrap().data());
        // Two that borrow from each other are no endless way.
        std::fs::write(lender.join("objects/info/alternates"), "../../borrower/objects").unwrap();
        assert!(Objects::of(&Store::of(&borrowing)).read(commit).is_ok());
    }
}
