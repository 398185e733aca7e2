//! Reads git's index file. To find staged changes, libgit2 hashes the whole file and compares every directory of HEAD
//! with it. The file's cache-tree extension usually shows immediately that nothing is staged.

use git2::Oid;

/// An index entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub path: String,
    pub size: u32,
    /// Modification time in seconds.
    pub modified: i32,
    pub is_file: bool,
    pub is_submodule: bool,
    /// True for entries marked assume-unchanged or skip-worktree, such as files outside a sparse checkout. They are not
    /// compared with the disk.
    pub assumed_unchanged: bool,
    pub id: Oid,
}

/// A parsed index.
#[derive(Debug)]
pub(super) struct IndexFile {
    /// Entries with UTF-8 paths, sorted.
    pub entries: Vec<IndexEntry>,
    /// Tree of the whole index, if the cache-tree extension has it.
    pub tree: Option<Oid>,
}

const ID: usize = 20;
/// Length of an entry before its name.
const FIXED: usize = 42 + ID;
const EXTENDED: u16 = 0x4000;
/// Flag of an entry that is not compared with the disk.
pub(super) const ASSUME_UNCHANGED: u16 = 0x8000;
/// Extended flag of an entry outside a sparse checkout.
pub(super) const SKIP_WORKTREE: u16 = 0x4000;
const STAGE: u16 = 0x3000;

impl IndexFile {
    /// Parses an index file. `None` if it is damaged, has conflicts, or uses a feature that is left to libgit2.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(b"DIRC")?.get(..bytes.len().checked_sub(4 + ID)?)?;
        let (version, count) = (number(&mut rest)?, number(&mut rest)?);
        let mut entries = Vec::with_capacity(count.min(1 << 20) as usize);
        let mut path = Vec::new();
        for _ in 0..count {
            let fixed = rest.get(..FIXED)?;
            let (mode, flags) = (u32::from_be_bytes(fixed[24..28].try_into().ok()?), two(&fixed[FIXED - 2..])?);
            if flags & STAGE != 0 {
                return None;
            }
            let more_flags = if flags & EXTENDED == 0 { None } else { Some(two(rest.get(FIXED..)?)?) };
            let head = FIXED + if more_flags.is_some() { 2 } else { 0 };
            let length = match version {
                2 | 3 => {
                    path.clear();
                    let name = terminated(rest.get(head..)?)?;
                    path.extend_from_slice(name);
                    // Entries are padded with one to eight NUL bytes to a multiple of eight.
                    (head + name.len() + 8) & !7
                }
                4 => {
                    let mut after = rest.get(head..)?;
                    let dropped = offset(&mut after)?;
                    path.truncate(path.len().checked_sub(dropped)?);
                    let name = terminated(after)?;
                    path.extend_from_slice(name);
                    rest.len() - after.len() + name.len() + 1
                }
                _ => return None,
            };
            rest = rest.get(length..)?;
            let Ok(path) = std::str::from_utf8(&path) else { continue };
            entries.push(IndexEntry {
                path: path.to_owned(),
                size: u32::from_be_bytes(fixed[36..40].try_into().ok()?),
                modified: i32::from_be_bytes(fixed[8..12].try_into().ok()?),
                is_file: mode & 0o170_000 == 0o100_000,
                is_submodule: mode & 0o170_000 == 0o160_000,
                assumed_unchanged: flags & ASSUME_UNCHANGED != 0
                    || more_flags.is_some_and(|flags| flags & SKIP_WORKTREE != 0),
                id: Oid::from_bytes(&fixed[40..40 + ID]).ok()?,
            });
        }
        Some(Self { entries, tree: tree(rest)? })
    }
}

/// The tree in the extensions. The outer `None` means that a required extension is unknown.
#[allow(clippy::option_option, reason = "the outer `None` is an unreadable index, the inner one a missing tree")]
fn tree(mut rest: &[u8]) -> Option<Option<Oid>> {
    let mut found = None;
    while !rest.is_empty() {
        let (name, after) = rest.split_at_checked(4)?;
        rest = after;
        let length = number(&mut rest)? as usize;
        let (content, after) = rest.split_at_checked(length)?;
        rest = after;
        if name == b"TREE" {
            found = root_tree(content);
        } else if !name[0].is_ascii_uppercase() {
            // A reader must understand extensions with a lower-case name.
            return None;
        }
    }
    Some(found)
}

/// The tree of the whole index. It is the first entry, unless that entry is invalid.
fn root_tree(content: &[u8]) -> Option<Oid> {
    let content = content.strip_prefix(b"\0")?;
    let end = content.iter().position(|byte| *byte == b'\n')?;
    let id = content.get(end + 1..end + 1 + ID)?;
    (!content.starts_with(b"-")).then(|| Oid::from_bytes(id).ok())?
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (four, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_be_bytes(*four))
}

fn two(bytes: &[u8]) -> Option<u16> {
    bytes.first_chunk::<2>().map(|two| u16::from_be_bytes(*two))
}

/// Reads a variable-length offset: seven bits per byte, highest first, plus one for each byte after the first.
fn offset(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0usize;
    loop {
        let (first, after) = rest.split_first()?;
        *rest = after;
        value = value.checked_mul(128)?.checked_add(usize::from(first & 0x7f))?;
        if *first < 0x80 {
            return Some(value);
        }
        value += 1;
    }
}

fn terminated(bytes: &[u8]) -> Option<&[u8]> {
    memchr::memchr(0, bytes).map(|end| &bytes[..end])
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use git2::Repository;
    use proptest::prelude::*;

    use super::*;
    use crate::gather::git::status::entries_of;

    struct TestRepository {
        dir: tempfile::TempDir,
        repository: Repository,
    }

    impl TestRepository {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let repository = Repository::init(dir.path()).unwrap();
            let place = Self { dir, repository };
            for path in ["a.rs", "src/eight888", "src/long name é.rs", "src/longer/one.rs", "src/longer/two.rs"] {
                place.add(path);
            }
            place
        }

        fn add(&self, path: &str) {
            let file = self.dir.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, path).unwrap();
            let mut index = self.repository.index().unwrap();
            index.add_path(Path::new(path)).unwrap();
            index.write().unwrap();
        }

        /// Writes the cache-tree extension, as a commit does.
        fn note_tree(&self) -> Oid {
            let mut index = self.repository.index().unwrap();
            let tree = index.write_tree().unwrap();
            index.read_tree(&self.repository.find_tree(tree).unwrap()).unwrap();
            index.write().unwrap();
            tree
        }

        fn bytes(&self) -> Vec<u8> {
            fs::read(self.repository.path().join("index")).unwrap()
        }

        /// The entries that libgit2 reads.
        fn oracle(&self) -> Vec<IndexEntry> {
            entries_of(&Repository::open(self.dir.path()).unwrap().index().unwrap())
        }
    }

    #[test]
    fn every_version_reads_as_in_libgit2() {
        let place = TestRepository::new();
        let flag = |path: &str, flags: u16, flags_extended: u16| {
            let mut index = place.repository.index().unwrap();
            let mut entry = index.get_path(Path::new(path), 0).unwrap();
            (entry.flags, entry.flags_extended) = (entry.flags | flags, flags_extended);
            index.add(&entry).unwrap();
            index.write().unwrap();
        };
        flag("a.rs", ASSUME_UNCHANGED, 0);
        flag("src/longer/one.rs", EXTENDED, SKIP_WORKTREE);
        for version in [2, 3, 4] {
            let mut index = place.repository.index().unwrap();
            index.set_version(version).unwrap();
            index.write().unwrap();
            let read = IndexFile::parse(&place.bytes()).unwrap();
            assert_eq!(read.entries, place.oracle(), "version {version}");
            let assumed: Vec<bool> = read.entries.iter().map(|entry| entry.assumed_unchanged).collect();
            assert_eq!(assumed, [true, false, false, true, false], "version {version}");
        }
    }

    #[test]
    fn the_tree_is_known_until_something_is_added() {
        let place = TestRepository::new();
        assert_eq!(IndexFile::parse(&place.bytes()).unwrap().tree, None);
        let tree = place.note_tree();
        assert_eq!(IndexFile::parse(&place.bytes()).unwrap().tree, Some(tree));
        place.add("src/new.rs");
        assert_eq!(IndexFile::parse(&place.bytes()).unwrap().tree, None);
    }

    #[test]
    fn conflicts_and_unknown_extensions_are_left_to_libgit2() {
        let place = TestRepository::new();
        let whole = place.bytes();
        let mut merging = whole.clone();
        merging[12 + FIXED - 2] |= 0x10;
        assert!(IndexFile::parse(&merging).is_none());
        let sum = whole.len() - ID;
        let extended = |name: &[u8]| [&whole[..sum], name, &[0, 0, 0, 2, 9, 9], &whole[sum..]].concat();
        assert!(IndexFile::parse(&extended(b"ABCD")).is_some());
        assert!(IndexFile::parse(&extended(b"link")).is_none());
        assert!(IndexFile::parse(b"DIRC\0\0\0\x05\0\0\0\0").is_none());
    }

    proptest! {
        #[test]
        fn a_damaged_index_does_not_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
            static WHOLE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| TestRepository::new().bytes());
            let mut bytes = WHOLE.clone();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes.truncate(cut.index(bytes.len()));
            // Any result is fine, as long as the function returns.
            let read = IndexFile::parse(&bytes);
            prop_assert!(read.is_none_or(|index| index.entries.len() <= 5));
        }
    }
}
