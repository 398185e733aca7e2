//! Where in a pack an object is: the pack's index, a table of sorted ids. Ids are as good as random, so where one must be is
//! nearly known, and one look at a few neighbours finds it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use git2::Oid;

/// The index of one pack.
pub(super) struct PackIndex {
    /// Where the pack is.
    pub pack: PathBuf,
    file: File,
    /// How many ids begin with this byte or a smaller one.
    upto: Vec<u32>,
    /// Where each object starts, as the file has it.
    places: Vec<u8>,
    /// The ids, as the file has them; empty where they would take too much memory.
    ids: Vec<u8>,
}

const ID: u64 = 20;
/// The second version's mark and number.
const MARK: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
const UPTO: usize = 256;
/// Where the ids start.
const IDS: u64 = (MARK.len() + UPTO * 4) as u64;
/// Ids looked at together: an id is nearly always within so many of where it should be.
const NEIGHBOURS: u32 = 64;
/// The same in memory, where another look takes no longer than one at something further away.
const NEAR: u32 = 8;
/// Up to so many objects in all packs, and most repositories have fewer, ids are read at once: asking the file for each takes longer.
const MOST_IDS: u32 = 1_000_000;
/// With more objects in all packs the places would take too much memory.
const MOST_OBJECTS: u32 = 6_000_000;
/// How often a place is reckoned from how ids are spread; those of a pack that was made for the purpose are not.
const RECKONED: usize = 6;
/// A place beyond two gigabytes is in another table.
const FAR: u32 = 0x8000_0000;

impl PackIndex {
    /// `None` where it is damaged, of another version, or too large beside so many objects in other packs.
    pub fn open(path: &Path, elsewhere: u32) -> Option<Self> {
        let file = open_file(path)?;
        let mut head = [0; IDS as usize];
        (read_at(&file, 0, &mut head)? == head.len() && head.starts_with(&MARK)).then_some(())?;
        let (numbers, _) = head[MARK.len()..].as_chunks::<4>();
        let upto: Vec<u32> = numbers.iter().map(|four| u32::from_be_bytes(*four)).collect();
        let count = upto.is_sorted().then(|| upto.last().copied()).flatten()?;
        let all = elsewhere.checked_add(count).filter(|all| *all <= MOST_OBJECTS)?;
        // Behind the ids are checksums, then the places.
        let mut places = vec![0; count as usize * 4];
        let at = IDS + u64::from(count) * (ID + 4);
        (read_at(&file, at, &mut places)? == places.len()).then_some(())?;
        let mut ids = if all <= MOST_IDS { vec![0; count as usize * ID as usize] } else { Vec::new() };
        (read_at(&file, IDS, &mut ids)? == ids.len()).then_some(())?;
        Some(Self { pack: path.with_extension("pack"), file, upto, places, ids })
    }

    /// How many objects the pack has.
    pub fn count(&self) -> u32 {
        self.upto.last().copied().unwrap_or(0)
    }

    /// Where the object starts in the pack; `None` if it is not in it.
    pub fn offset(&self, id: Oid) -> Option<u64> {
        let position = self.position(id)? as usize;
        let place = u32::from_be_bytes(*self.places.get(position * 4..)?.first_chunk()?);
        if place < FAR {
            return Some(u64::from(place));
        }
        let behind = IDS + u64::from(self.count()) * (ID + 8);
        let mut bytes = [0; 8];
        let there = read_at(&self.file, behind + u64::from(place - FAR) * 8, &mut bytes)?;
        (there == bytes.len()).then(|| u64::from_be_bytes(bytes))
    }

    fn position(&self, id: Oid) -> Option<u32> {
        let id = id.as_bytes().first_chunk()?;
        let first = usize::from(id[0]);
        let mut low = if first == 0 { 0 } else { self.upto[first - 1] };
        let mut high = self.upto[first];
        let all = u64::from(high - low);
        // How many ids lie between two, as they are spread.
        let between = |smaller: u32, larger: u32| ((u64::from(larger.saturating_sub(smaller)) * all) >> 32) as u32;
        let mut middle = low + between(0, after_first(id));
        let together = if self.ids.is_empty() { NEIGHBOURS } else { NEAR };
        let mut ids = [0; NEIGHBOURS as usize * ID as usize];
        for looks in 0.. {
            if low >= high {
                break;
            }
            if looks > RECKONED {
                middle = u32::midpoint(low, high);
            }
            let start = middle.saturating_sub(together / 2).clamp(low, high.saturating_sub(together).max(low));
            let count = together.min(high - start);
            let (at, length) = (u64::from(start) * ID, count as usize * ID as usize);
            let (near, _) = if self.ids.is_empty() {
                (read_at(&self.file, IDS + at, &mut ids[..length])? == length).then_some(())?;
                ids[..length].as_chunks()
            } else {
                self.ids.get(at as usize..at as usize + length)?.as_chunks()
            };
            match near.binary_search_by(|other| beginning(other).cmp(&beginning(id)).then_with(|| other.cmp(id))) {
                Ok(at) => return Some(start + at as u32),
                Err(0) => {
                    high = start;
                    middle = start.saturating_sub(between(after_first(id), after_first(near.first()?)));
                }
                Err(at) if at == near.len() => {
                    low = start + count;
                    middle = low.saturating_add(between(after_first(near.last()?), after_first(id)));
                }
                Err(_) => return None,
            }
        }
        None
    }
}

/// The first bytes of an id as a number: two ids nearly always differ there, and numbers are compared sooner than bytes.
fn beginning(id: &[u8; ID as usize]) -> u64 {
    id.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// Where an id lies among those that begin with the same byte.
fn after_first(id: &[u8; ID as usize]) -> u32 {
    u32::from_be_bytes([id[1], id[2], id[3], id[4]])
}

/// Opens a file of the repository; what is none, such as a pipe, could hold up whoever opens it.
pub(super) fn open_file(path: &Path) -> Option<File> {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file()).then(|| File::open(path).ok()).flatten()
}

/// Fills the buffer from this place of a file on; gives how much there was, `None` where it cannot be read.
pub(super) fn read_at(file: &File, mut at: u64, buffer: &mut [u8]) -> Option<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_some(file, at, &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => (filled, at) = (filled + count, at + count as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    Some(filled)
}

#[cfg(unix)]
fn read_some(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_some(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of these ids, in order, each at its own number.
    fn index(ids: &[[u8; 20]]) -> Vec<u8> {
        let upto = (0..=u8::MAX).map(|first| ids.iter().filter(|id| id[0] <= first).count() as u32);
        let mut bytes = MARK.to_vec();
        bytes.extend(upto.flat_map(u32::to_be_bytes));
        bytes.extend(ids.concat());
        bytes.extend(vec![0; ids.len() * 4]);
        bytes.extend((0..ids.len() as u32).flat_map(u32::to_be_bytes));
        bytes
    }

    #[test]
    fn ids_that_are_not_spread_are_found_too() {
        // All begin alike but for the last bytes; then as many at both ends.
        let close = (0..3_000u32).map(|number| {
            let mut id = [7; 20];
            id[16..].copy_from_slice(&number.to_be_bytes());
            id
        });
        let apart = (0..3_000u32).map(|number| {
            let mut id = [if number < 1_500 { 0 } else { 0xff }; 20];
            (id[0], id[1]) = (9, id[1]);
            id[16..].copy_from_slice(&number.to_be_bytes());
            id
        });
        let ids: Vec<[u8; 20]> = close.chain(apart).collect();
        assert!(ids.is_sorted());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pack-1.idx");
        std::fs::write(&path, index(&ids)).unwrap();
        for elsewhere in [0, MOST_IDS] {
            let index = PackIndex::open(&path, elsewhere).unwrap();
            assert_eq!(index.ids.is_empty(), elsewhere > 0);
            for (number, id) in ids.iter().enumerate() {
                assert_eq!(index.offset(Oid::from_bytes(id).unwrap()), Some(number as u64));
            }
            for missing in [[7; 20], [8; 20], [9; 20], [0; 20], [0xff; 20]] {
                assert_eq!(index.offset(Oid::from_bytes(&missing).unwrap()), None);
            }
        }
    }
}
