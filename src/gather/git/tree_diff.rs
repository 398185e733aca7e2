//! Which paths differ between two trees. libgit2's own diff walks both trees in full; most subtrees are the same, and
//! their ids say so.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use git2::{ObjectType, Oid, Repository};

/// Compares trees of one repository, remembering those it has seen: a commit's tree is its child's parent tree.
pub(super) struct TreeDiff<'r> {
    repository: &'r Repository,
    seen: HashMap<Oid, Rc<[Entry]>>,
}

struct Entry {
    name: Box<[u8]>,
    id: Oid,
    is_tree: bool,
}

/// Trees that are remembered before starting over, so that memory stays bounded.
const REMEMBERED: usize = 4_000;

impl<'r> TreeDiff<'r> {
    pub(super) fn new(repository: &'r Repository) -> Self {
        Self { repository, seen: HashMap::new() }
    }

    /// The paths that differ, up to `most`; the flag says whether there are more.
    pub(super) fn paths(
        &mut self,
        old: Option<Oid>,
        new: Oid,
        most: usize,
    ) -> Result<(Vec<String>, bool), git2::Error> {
        let mut found = Found { paths: Vec::new(), most, more: false };
        self.compare(old, Some(new), &mut Vec::new(), &mut found)?;
        Ok((found.paths, found.more))
    }

    fn compare(
        &mut self,
        old: Option<Oid>,
        new: Option<Oid>,
        at: &mut Vec<u8>,
        found: &mut Found,
    ) -> Result<(), git2::Error> {
        let (old, new) = (self.entries(old)?, self.entries(new)?);
        let (mut left, mut right) = (old.iter().peekable(), new.iter().peekable());
        while !found.more {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.name.cmp(&b.name),
            };
            let a = if order == Ordering::Greater { None } else { left.next() };
            let b = if order == Ordering::Less { None } else { right.next() };
            if a.map(|entry| entry.id) != b.map(|entry| entry.id) {
                self.differing(a, b, at, found)?;
            }
        }
        Ok(())
    }

    fn differing(
        &mut self,
        a: Option<&Entry>,
        b: Option<&Entry>,
        at: &mut Vec<u8>,
        found: &mut Found,
    ) -> Result<(), git2::Error> {
        let Some(name) = a.or(b).map(|entry| &entry.name) else { return Ok(()) };
        let length = at.len();
        at.extend_from_slice(name);
        let tree = |entry: Option<&Entry>| entry.filter(|entry| entry.is_tree).map(|entry| entry.id);
        if a.into_iter().chain(b).any(|entry| !entry.is_tree) {
            found.push(at);
        }
        if tree(a).is_some() || tree(b).is_some() {
            at.push(b'/');
            self.compare(tree(a), tree(b), at, found)?;
        }
        at.truncate(length);
        Ok(())
    }

    /// A tree's entries by name; submodules left out.
    fn entries(&mut self, id: Option<Oid>) -> Result<Rc<[Entry]>, git2::Error> {
        let Some(id) = id else { return Ok(Rc::from([])) };
        if let Some(known) = self.seen.get(&id) {
            return Ok(Rc::clone(known));
        }
        let tree = self.repository.find_tree(id)?;
        let mut entries: Vec<Entry> = tree
            .iter()
            .filter(|entry| matches!(entry.kind(), Some(ObjectType::Blob | ObjectType::Tree)))
            .map(|entry| Entry {
                name: entry.name_bytes().into(),
                id: entry.id(),
                is_tree: entry.kind() == Some(ObjectType::Tree),
            })
            .collect();
        // git sorts directories as if they ended in a slash.
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let entries: Rc<[Entry]> = entries.into();
        if self.seen.len() >= REMEMBERED {
            self.seen.clear();
        }
        self.seen.insert(id, Rc::clone(&entries));
        Ok(entries)
    }
}

struct Found {
    paths: Vec<String>,
    most: usize,
    more: bool,
}

impl Found {
    fn push(&mut self, path: &[u8]) {
        if self.paths.len() == self.most {
            self.more = true;
        } else if let Ok(path) = std::str::from_utf8(path) {
            self.paths.push(path.to_owned());
        }
    }
}
