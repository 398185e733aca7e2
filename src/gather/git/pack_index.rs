//! Where in a pack an object is: the pack's index, a table of sorted ids. Ids are as good as random, so where one must be is
//! nearly known, and one look at a few neighbours finds it.

use std::fs::File;
use std::io;
use std::path::Path;

use git2::Oid;

/// The index of one pack.
pub(super) struct PackIndex {
    file: File,
    /// How many ids begin with this byte or a smaller one.
    upto: Vec<u32>,
}

const ID: u64 = 20;
/// The second version's mark and number.
const MARK: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
const UPTO: usize = 256;
/// Where the ids start.
const IDS: u64 = (MARK.len() + UPTO * 4) as u64;
/// Ids looked at together: an id is nearly always within so many of where it should be.
const NEIGHBOURS: u32 = 128;
/// A place beyond two gigabytes is in another table.
const FAR: u32 = 0x8000_0000;

impl PackIndex {
    /// `None` where it is damaged or of another version.
    pub fn open(path: &Path) -> Option<Self> {
        let file = open_file(path)?;
        let mut head = [0; IDS as usize];
        (read_at(&file, 0, &mut head)? == head.len() && head.starts_with(&MARK)).then_some(())?;
        let (numbers, _) = head[MARK.len()..].as_chunks::<4>();
        let upto: Vec<u32> = numbers.iter().map(|four| u32::from_be_bytes(*four)).collect();
        upto.is_sorted().then_some(Self { file, upto })
    }

    /// Where the object starts in the pack; `None` if it is not in it.
    pub fn offset(&self, id: Oid) -> Option<u64> {
        let position = u64::from(self.position(id)?);
        let count = u64::from(*self.upto.last()?);
        // Behind the ids are checksums, then the places.
        let places = IDS + count * (ID + 4);
        let place = u32::from_be_bytes(self.exactly(places + position * 4)?);
        if place < FAR {
            return Some(u64::from(place));
        }
        Some(u64::from_be_bytes(self.exactly(places + count * 4 + u64::from(place - FAR) * 8)?))
    }

    fn position(&self, id: Oid) -> Option<u32> {
        let id = id.as_bytes();
        let (&first, rest) = id.split_first()?;
        let first = usize::from(first);
        let mut low = if first == 0 { 0 } else { self.upto[first - 1] };
        let mut high = self.upto[first];
        let share = u64::from(u32::from_be_bytes(*rest.first_chunk()?));
        let mut middle = low + ((u64::from(high - low) * share) >> 32) as u32;
        let mut ids = [0; NEIGHBOURS as usize * ID as usize];
        while low < high {
            let start = middle.saturating_sub(NEIGHBOURS / 2).max(low);
            let count = NEIGHBOURS.min(high - start);
            let ids = &mut ids[..count as usize * ID as usize];
            (read_at(&self.file, IDS + u64::from(start) * ID, ids)? == ids.len()).then_some(())?;
            let (all, _) = ids.as_chunks::<{ ID as usize }>();
            match all.binary_search_by(|other| other.as_slice().cmp(id)) {
                Ok(at) => return Some(start + at as u32),
                Err(0) => high = start,
                Err(at) if at == all.len() => low = start + count,
                Err(_) => return None,
            }
            middle = u32::midpoint(low, high);
        }
        None
    }

    fn exactly<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        (read_at(&self.file, at, &mut bytes)? == N).then_some(bytes)
    }
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
