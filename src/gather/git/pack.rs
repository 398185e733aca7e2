//! Commits and trees out of one pack. A history asks for thousands of trees that are kept as differences from each other:
//! here each difference is applied once, into what is remembered, with one inflater for all of them.

use std::fs::File;
use std::rc::Rc;
use std::sync::Arc;

use flate2::{Decompress, FlushDecompress, Status};
use git2::Oid;

use super::pack_index::{PackIndex, open_file, read_at};
use super::quick_hash::QuickMap;

/// An object as git keeps it, without its header.
pub(super) type Bytes = Rc<Vec<u8>>;

/// One pack of a repository.
pub(super) struct Pack {
    index: Arc<PackIndex>,
    pages: Pages,
    inflater: Decompress,
    /// Objects by where they start: most are the base of another.
    known: QuickMap<u64, Bytes>,
    /// Bytes in `known`.
    remembered: usize,
    /// Room for a difference.
    delta: Vec<u8>,
}

/// Bytes of objects that are remembered before starting over, so that memory stays bounded.
const REMEMBERED: usize = 6_000_000;
/// A larger object is no commit or tree that this is for.
const LARGEST: usize = 4_000_000;
/// git itself makes chains of 50, of 250 at most when asked to try hard; a damaged one may be a ring.
const LONGEST_CHAIN: usize = 300;

const COMMIT: u8 = 1;
const TREE: u8 = 2;
const OFFSET_DELTA: u8 = 6;
const ID_DELTA: u8 = 7;

/// Where an object of the pack is, and what it is made of.
struct Entry {
    /// Its length, or that of its difference.
    size: usize,
    /// Where its compressed bytes start.
    data: u64,
    /// Where its base starts, if it is a difference.
    base: Option<u64>,
}

impl Pack {
    /// The pack that belongs to this index; `None` for what is better left to libgit2.
    pub fn open(index: &Arc<PackIndex>) -> Option<Self> {
        Some(Self {
            pages: Pages::of(open_file(&index.pack)?),
            index: Arc::clone(index),
            inflater: Decompress::new(true),
            known: QuickMap::default(),
            remembered: 0,
            delta: Vec::new(),
        })
    }

    /// A commit or a tree; `None` where the pack does not have it, or it is better left to libgit2.
    pub fn read(&mut self, id: Oid) -> Option<Bytes> {
        let mut at = self.index.offset(id)?;
        let mut chain: Vec<(u64, Entry)> = Vec::new();
        let mut bytes = loop {
            if let Some(known) = self.known.get(&at) {
                break Rc::clone(known);
            }
            let entry = self.entry(at)?;
            if let Some(base) = entry.base {
                if chain.len() == LONGEST_CHAIN {
                    return None;
                }
                chain.push((at, entry));
                at = base;
            } else {
                let mut whole = Vec::new();
                self.inflate(&entry, &mut whole)?;
                break self.remember(at, whole);
            }
        };
        for (at, entry) in chain.into_iter().rev() {
            let mut delta = std::mem::take(&mut self.delta);
            self.inflate(&entry, &mut delta)?;
            let made = applied(&bytes, &delta);
            self.delta = delta;
            bytes = self.remember(at, made?);
        }
        Some(bytes)
    }

    fn remember(&mut self, at: u64, bytes: Vec<u8>) -> Bytes {
        let bytes = Rc::new(bytes);
        self.remembered += bytes.len();
        if self.remembered > REMEMBERED {
            self.remembered = bytes.len();
            self.known.clear();
        }
        self.known.insert(at, Rc::clone(&bytes));
        bytes
    }

    /// The header of an object: four bits of its size and what it is, more of the size, and how far before it the base is.
    fn entry(&mut self, start: u64) -> Option<Entry> {
        let mut at = start;
        let mut next = || {
            at += 1;
            self.pages.byte(at - 1)
        };
        let first = next()?;
        let (mut size, mut shift, mut more) = (usize::from(first & 0x0f), 4, first & 0x80 != 0);
        while more {
            let byte = next()?;
            size |= usize::from(byte & 0x7f).checked_shl(shift)?;
            (shift, more) = (shift + 7, byte & 0x80 != 0);
        }
        let base = match first >> 4 & 7 {
            COMMIT | TREE => None,
            OFFSET_DELTA => {
                let mut byte = next()?;
                let mut distance = u64::from(byte & 0x7f);
                while byte & 0x80 != 0 {
                    byte = next()?;
                    distance = distance.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(byte & 0x7f))?;
                }
                Some(start.checked_sub(distance)?)
            }
            ID_DELTA => {
                let mut id = [0; 20];
                for byte in &mut id {
                    *byte = next()?;
                }
                Some(self.index.offset(Oid::from_bytes(&id).ok()?)?)
            }
            _ => return None,
        };
        (size <= LARGEST).then_some(Entry { size, data: at, base })
    }

    /// Unpacks what the entry holds into `out`.
    fn inflate(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Option<()> {
        out.clear();
        out.resize(entry.size, 0);
        self.inflater.reset(true);
        let (mut read, mut written) = (0, 0);
        while written < entry.size {
            let input = self.pages.from(entry.data + read)?;
            let status = self.inflater.decompress(input, &mut out[written..], FlushDecompress::None).ok()?;
            let (now_read, now_written) = (self.inflater.total_in(), self.inflater.total_out() as usize);
            if now_written < entry.size && (status == Status::StreamEnd || (now_read, now_written) == (read, written)) {
                return None;
            }
            (read, written) = (now_read, now_written);
        }
        Some(())
    }
}

/// What a difference makes of its base.
fn applied(base: &[u8], mut delta: &[u8]) -> Option<Vec<u8>> {
    let (from, to) = (length(&mut delta)?, length(&mut delta)?);
    if from != base.len() || to > LARGEST {
        return None;
    }
    let mut out = Vec::with_capacity(to);
    while let Some((&what, rest)) = delta.split_first() {
        delta = rest;
        if what & 0x80 == 0 {
            // So many new bytes.
            let (new, rest) = delta.split_at_checked(usize::from(what))?;
            if new.is_empty() {
                return None;
            }
            out.extend_from_slice(new);
            delta = rest;
        } else {
            // A piece of the base: seven bits say which bytes of its place and length follow.
            let mut number = |bits: std::ops::Range<u8>| {
                let first = bits.start;
                bits.filter(|bit| what >> bit & 1 == 1).try_fold(0, |number, bit| {
                    let (&byte, rest) = delta.split_first()?;
                    delta = rest;
                    Some(number | usize::from(byte) << ((bit - first) * 8))
                })
            };
            let (start, length) = (number(0..4)?, number(4..7)?);
            let length = if length == 0 { 0x1_0000 } else { length };
            out.extend_from_slice(base.get(start..start.checked_add(length)?)?);
        }
        if out.len() > to {
            return None;
        }
    }
    (out.len() == to).then_some(out)
}

/// Seven bits a byte, the lowest first.
fn length(bytes: &mut &[u8]) -> Option<usize> {
    let (mut value, mut shift) = (0usize, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
        shift += 7;
    }
}

/// A few pages of a file: what is read one after the other lies close together in a pack.
struct Pages {
    file: File,
    pages: Vec<(u64, Vec<u8>)>,
}

const PAGE: u64 = 1 << 13;
/// A power of two.
const PAGES: u64 = 64;

impl Pages {
    fn of(file: File) -> Self {
        Self { file, pages: vec![(u64::MAX, Vec::new()); PAGES as usize] }
    }

    /// The bytes from here to the end of the page; `None` at the end of the file.
    fn from(&mut self, at: u64) -> Option<&[u8]> {
        let number = at / PAGE;
        let page = &mut self.pages[(number % PAGES) as usize];
        if page.0 != number {
            page.1.resize(PAGE as usize, 0);
            page.0 = u64::MAX;
            let length = read_at(&self.file, number * PAGE, &mut page.1)?;
            page.1.truncate(length);
            page.0 = number;
        }
        page.1.get((at % PAGE) as usize..).filter(|bytes| !bytes.is_empty())
    }

    fn byte(&mut self, at: u64) -> Option<u8> {
        self.from(at)?.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use git2::Repository;
    use proptest::prelude::*;

    use super::super::objects::{Objects, Store};
    use super::super::samples;
    use super::*;

    /// A repository with trees that differ little from each other, all in one pack: as git packs them, or libgit2, which
    /// names the base of a difference by its id.
    fn packed(by_git: bool) -> (tempfile::TempDir, Repository, Vec<Oid>, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let repository = Repository::init(dir.path()).unwrap();
        let mut ids = Vec::new();
        for round in 0..40u32 {
            let files = (0..300u32).map(|file| {
                let content = format!("{file} {}", if file == round * 7 { round } else { 0 });
                (format!("directory-{}/file-{file:04}.txt", file / 150), content.into_bytes())
            });
            let tree = repository.find_tree(samples::tree(&repository, files)).unwrap();
            let who = git2::Signature::new("A", "a@example.org", &git2::Time::new(i64::from(round), 0)).unwrap();
            ids.push(repository.commit(None, &who, &who, &format!("Round {round}"), &tree, &[]).unwrap());
            ids.extend(tree.iter().map(|entry| entry.id()).chain([tree.id()]));
        }
        let packs = dir.path().join(".git/objects/pack");
        let commits = ids.iter().filter(|id| repository.find_commit(**id).is_ok());
        if by_git {
            for commit in commits {
                repository.reference(&format!("refs/heads/{commit}"), *commit, false, "").unwrap();
            }
            let git = Command::new("git").args(["repack", "-adq"]).current_dir(dir.path()).status();
            assert!(git.unwrap().success());
        } else {
            let mut packer = repository.packbuilder().unwrap();
            for commit in commits {
                packer.insert_commit(*commit).unwrap();
            }
            packer.write(&packs, 0).unwrap();
        }
        let mut index = fs::read_dir(packs).unwrap().map(|entry| entry.unwrap().path());
        let index = index.find(|path| path.extension().is_some_and(|end| end == "idx")).unwrap();
        (dir, repository, ids, index)
    }

    fn open(index: &Path) -> Option<Pack> {
        Pack::open(&Arc::new(PackIndex::open(index, 0)?))
    }

    #[test]
    fn commits_and_trees_are_what_libgit2_reads() {
        for by_git in [true, false] {
            let (_dir, repository, ids, index) = packed(by_git);
            let objects = repository.odb().unwrap();
            let mut pack = open(&index).unwrap();
            for id in &ids {
                assert_eq!(pack.read(*id).unwrap().as_slice(), objects.read(*id).unwrap().data(), "{id}");
            }
            let is_difference = |id: &&Oid| {
                let at = pack.index.offset(**id).unwrap();
                pack.entry(at).unwrap().base.is_some()
            };
            assert!(ids.iter().filter(is_difference).count() > 20, "most trees should be differences from another");
            // With so many objects in other packs the ids stay in the file, and with more this pack is left to libgit2.
            let beside = PackIndex::open(&index, 1_000_000).unwrap();
            assert!(ids.iter().all(|id| beside.offset(*id) == pack.index.offset(*id)));
            assert!(PackIndex::open(&index, 6_000_000).is_none());
            // What is no commit and no tree, and what is not there, is somebody else's.
            let loose = repository.blob(b"not in the pack").unwrap();
            assert!(pack.read(loose).is_none());
            assert_eq!(Objects::of(&Store::of(&repository)).read(loose).unwrap().as_slice(), b"not in the pack");
            let blob = repository.blob(b"1 0").unwrap();
            assert!(pack.index.offset(blob).is_some() && pack.read(blob).is_none());
        }
    }

    #[test]
    fn damage_is_no_end_of_it() {
        let (_dir, _repository, ids, index) = packed(true);
        let file = index.with_extension("pack");
        for path in [&file, &index] {
            let whole = fs::read(path).unwrap();
            fs::remove_file(path).unwrap();
            for at in (0..whole.len()).step_by(whole.len() / 12) {
                let mut damaged = whole.clone();
                damaged[at] ^= 0x55;
                for bytes in [&damaged, &whole[..at]] {
                    fs::write(path, bytes).unwrap();
                    let Some(mut pack) = open(&index) else { continue };
                    for id in &ids {
                        pack.read(*id);
                    }
                }
            }
            fs::write(path, whole).unwrap();
        }
        assert!(open(&index).unwrap().read(ids[0]).is_some());
    }

    proptest! {
        #[test]
        fn any_difference_is_applied_or_refused(base in prop::collection::vec(any::<u8>(), 0..40), delta in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(made) = applied(&base, &delta) {
                let mut rest = delta.as_slice();
                prop_assert_eq!(length(&mut rest), Some(base.len()));
                prop_assert_eq!(length(&mut rest), Some(made.len()));
            }
        }
    }

    #[test]
    fn pieces_of_the_base_and_new_bytes_make_the_object() {
        // From 10 bytes to 9: "3456" out of the base, "new", "01" out of the base.
        let delta = [10, 9, 0x91, 3, 4, 3, b'n', b'e', b'w', 0x90, 2];
        assert_eq!(applied(b"0123456789", &delta).unwrap(), b"3456new01");
        assert!(applied(b"012345678", &delta).is_none(), "another base");
        assert!(applied(b"0123456789", &delta[..9]).is_none(), "too short");
        assert!(applied(b"0123456789", &[10, 9, 0x91, 8, 4]).is_none(), "beyond the base");
    }
}
