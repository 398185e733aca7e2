//! The paths that differ between two trees. Most subtrees are equal and are skipped by id, while libgit2's diff walks
//! both trees in full. Trees are compared as raw bytes, without parsing every entry.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use git2::Oid;
use memchr::memchr;

use super::log::CommitHeader;
use super::objects::Objects;

/// Compares trees of one repository and caches them, because a commit's tree is needed again to compare its child.
pub(super) struct TreeDiff {
    objects: Objects,
    seen: HashMap<Oid, Rc<Vec<u8>>>,
    /// Bytes in `seen`.
    cached_bytes: usize,
}

/// Maximum size of cached trees in bytes. The cache is cleared when it is reached.
const MOST_CACHED_BYTES: usize = 4_000_000;

/// A raw tree entry.
#[derive(Clone, Copy)]
struct TreeEntry<'a> {
    name: &'a [u8],
    id: &'a [u8],
    is_tree: bool,
}

impl TreeEntry<'_> {
    /// git sorts directories as if their names ended in a slash.
    fn cmp(&self, other: &Self) -> Ordering {
        let common = self.name.len().min(other.name.len());
        let next = |entry: &Self| entry.name.get(common).copied().unwrap_or(if entry.is_tree { b'/' } else { 0 });
        self.name[..common]
            .cmp(&other.name[..common])
            .then_with(|| next(self).cmp(&next(other)))
            // Valid names contain no slash and already differ. This only makes the order total.
            .then(self.name.len().cmp(&other.name.len()))
    }
}

/// Length of an object id.
const ID: usize = 20;
/// A mode has at most six digits.
const MODE: usize = 7;

impl<'a> TreeEntry<'a> {
    /// Parses `100644 name`, NUL, id; `None` for a submodule or invalid data.
    fn of(raw: &'a [u8]) -> Option<Self> {
        let (rest, id) = raw.split_at_checked(raw.len().checked_sub(ID)?)?;
        let space = rest.iter().position(|byte| *byte == b' ')?;
        let (mode, name) = (&rest[..space], rest[space + 1..].strip_suffix(&[0])?);
        let is_tree = mode == b"40000";
        (is_tree || mode.starts_with(b"10") || mode.starts_with(b"12")).then_some(Self { name, id, is_tree })
    }
}

/// Length of the common prefix.
fn common(a: &[u8], b: &[u8]) -> usize {
    const WIDE: usize = 64;
    let (wide, _) = a.as_chunks::<WIDE>();
    let (other, _) = b.as_chunks::<WIDE>();
    let same = wide.iter().zip(other).take_while(|(a, b)| a == b).count() * WIDE;
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// End of the entry at `at`. Invalid data ends the tree.
fn entry_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let space = rest.iter().take(MODE).position(|byte| *byte == b' ')?;
    let end = at + space + memchr(0, &rest[space..])? + 1 + ID;
    (end <= bytes.len()).then_some(end)
}

impl TreeDiff {
    pub(super) fn new(objects: Objects) -> Self {
        Self { objects, seen: HashMap::new(), cached_bytes: 0 }
    }

    pub(super) fn tree_of(&mut self, commit: Oid) -> Result<Oid, git2::Error> {
        let commit = CommitHeader::parse(&self.objects.read(commit)?);
        commit.map(|commit| commit.tree).ok_or_else(|| git2::Error::from_str("a commit without a tree"))
    }

    /// Up to `most` differing paths, and whether there are more.
    pub(super) fn paths(
        &mut self,
        old: Option<Oid>,
        new: Oid,
        most: usize,
    ) -> Result<(Vec<String>, bool), git2::Error> {
        let mut found = ChangedPaths { paths: Vec::new(), most, more: false };
        self.compare(old, Some(new), &mut Vec::new(), &mut found)?;
        Ok((found.paths, found.more))
    }

    fn compare(
        &mut self,
        old: Option<Oid>,
        new: Option<Oid>,
        at: &mut Vec<u8>,
        found: &mut ChangedPaths,
    ) -> Result<(), git2::Error> {
        let (old, new) = (self.tree(old)?, self.tree(new)?);
        let (mut left, mut right) = (0, 0);
        while !found.more {
            // Bytes that both trees share are skipped without parsing.
            let same = common(&old[left..], &new[right..]);
            if left + same == old.len() && right + same == new.len() {
                break;
            }
            let from = left;
            while let Some(end) = entry_end(&old, left).filter(|end| end - from <= same) {
                left = end;
            }
            right += left - from;
            let (a_end, b_end) = (entry_end(&old, left), entry_end(&new, right));
            let (a, b) = (a_end.map(|end| &old[left..end]), b_end.map(|end| &new[right..end]));
            if a.is_none() && b.is_none() {
                break;
            }
            let (a, b) = (a.map(TreeEntry::of), b.map(TreeEntry::of));
            if matches!(a, Some(None)) || matches!(b, Some(None)) {
                left = a_end.filter(|_| matches!(a, Some(None))).unwrap_or(left);
                right = b_end.filter(|_| matches!(b, Some(None))).unwrap_or(right);
                continue;
            }
            let order = match (a.flatten(), b.flatten()) {
                (Some(a), Some(b)) => a.cmp(&b),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            let a = a.flatten().filter(|_| order != Ordering::Greater);
            let b = b.flatten().filter(|_| order != Ordering::Less);
            left = a_end.filter(|_| a.is_some()).unwrap_or(left);
            right = b_end.filter(|_| b.is_some()).unwrap_or(right);
            if a.map(|entry| entry.id) != b.map(|entry| entry.id) {
                self.differing(a, b, at, found)?;
            }
        }
        Ok(())
    }

    fn differing(
        &mut self,
        a: Option<TreeEntry<'_>>,
        b: Option<TreeEntry<'_>>,
        at: &mut Vec<u8>,
        found: &mut ChangedPaths,
    ) -> Result<(), git2::Error> {
        let Some(entry) = a.or(b) else { return Ok(()) };
        let length = at.len();
        at.extend_from_slice(entry.name);
        if entry.is_tree {
            let id = |entry: Option<TreeEntry<'_>>| entry.map(|entry| Oid::from_bytes(entry.id)).transpose();
            at.push(b'/');
            self.compare(id(a)?, id(b)?, at, found)?;
        } else {
            found.push(at);
        }
        at.truncate(length);
        Ok(())
    }

    fn tree(&mut self, id: Option<Oid>) -> Result<Rc<Vec<u8>>, git2::Error> {
        let Some(id) = id else { return Ok(Rc::default()) };
        if let Some(known) = self.seen.get(&id) {
            return Ok(Rc::clone(known));
        }
        let tree = Rc::new(self.objects.read(id)?);
        self.cached_bytes += tree.len();
        if self.cached_bytes > MOST_CACHED_BYTES {
            self.cached_bytes = tree.len();
            self.seen.clear();
        }
        self.seen.insert(id, Rc::clone(&tree));
        Ok(tree)
    }
}

struct ChangedPaths {
    paths: Vec<String>,
    most: usize,
    more: bool,
}

impl ChangedPaths {
    fn push(&mut self, path: &[u8]) {
        if self.paths.len() == self.most {
            self.more = true;
        } else if let Ok(path) = std::str::from_utf8(path) {
            self.paths.push(path.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use git2::Repository;
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;

    fn tree(repository: &Repository, files: &BTreeSet<(String, u8)>) -> Oid {
        samples::tree(repository, files.iter().map(|(path, content)| (path.clone(), vec![*content])))
    }

    fn names() -> impl Strategy<Value = BTreeSet<(String, u8)>> {
        // The paths include names that git does not order by their bytes, and files that become directories.
        let path =
            prop::sample::select(vec!["a", "a.b", "a-b", "a0", "b/a", "b/c/d", "b.c", "b-c", "c/a", "c", "d/e", "d.e"]);
        prop::collection::btree_set((path.prop_map(str::to_owned), 0u8..3), 0..9).prop_map(|files| {
            let mut kept: BTreeSet<(String, u8)> = BTreeSet::new();
            for (path, content) in files {
                let clash = |(other, _): &(String, u8)| {
                    *other == path || other.starts_with(&format!("{path}/")) || path.starts_with(&format!("{other}/"))
                };
                if !kept.iter().any(clash) {
                    kept.insert((path, content));
                }
            }
            kept
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_paths_are_those_that_libgit2_finds(old in names(), new in names()) {
            let dir = tempfile::tempdir().unwrap();
            let repository = Repository::init(dir.path()).unwrap();
            let (old, new) = (tree(&repository, &old), tree(&repository, &new));
            let found = TreeDiff::new(Objects::open(repository.path()).unwrap()).paths(Some(old), new, 60).unwrap();
            let trees = (repository.find_tree(old).unwrap(), repository.find_tree(new).unwrap());
            let diff = repository.diff_tree_to_tree(Some(&trees.0), Some(&trees.1), None).unwrap();
            let expected: BTreeSet<String> = diff
                .deltas()
                .flat_map(|delta| [delta.old_file().path().unwrap().to_owned(), delta.new_file().path().unwrap().to_owned()])
                .map(|path| path.to_str().unwrap().to_owned())
                .collect();
            prop_assert_eq!(found.0.iter().cloned().collect::<BTreeSet<String>>(), expected);
            prop_assert!(!found.1);
        }
    }
}
