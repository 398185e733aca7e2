//! Results of the walk, cached between runs in the user's cache directory.
//!
//! An entry is valid while the file's device, inode, size and both times are unchanged. The times must also have been
//! at least two seconds old when the file was read, because a file that was just written may change again within the
//! same clock tick. A cache that is damaged, too large or from another version is ignored. It holds names, numbers and
//! hashes of words, but never a file's text, and nothing about files whose names contain secrets.
//!
//! The first run counts only the words of its task. A run with other words counts all words, and from then on every
//! task can use the cache.

mod bytes;
mod stamp;
mod write;

#[cfg(test)]
mod tests;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::corpus::SourceFile;
use super::role::Role;
use super::terms::{CountTable, TermCounts, TermId, Vocabulary, hash_bytes};
use crate::outline::imports::Import;
use crate::outline::language::Language;
use crate::outline::symbols::{Symbol, Symbols};
use crate::text::hex;
use bytes::{ByteReader, checksum};
pub(super) use stamp::{Stamp, StampDigest};
pub(super) use write::{CacheContent, CacheWriter};

/// Version of the results. It must be increased whenever the results for the same text change, so that older caches are
/// ignored.
const EDITION: &str = concat!("teddy facts, ", env!("CARGO_PKG_VERSION"), ", edition 10\n");
/// Maximum size of a cache.
const LARGEST: u64 = 400_000_000;
/// Subdirectory of the cache directory.
const FACTS: &str = "facts";
/// Length of the checksum.
const SUM: usize = 8;

fn file_for(cache_dir: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let name = hex(&Sha256::digest(root.as_os_str().as_encoded_bytes()));
    cache_dir.join(FACTS).join(format!("{}.bin", &name[..24]))
}

/// Reads the cache of the project at `root`, if it is usable.
pub(super) fn read(cache_dir: &Path, root: &Path) -> Option<Vec<u8>> {
    whole(&file_for(cache_dir, root))
}

/// The file's bytes, if version and checksum match.
fn whole(file: &Path) -> Option<Vec<u8>> {
    let file = fs::File::open(file).ok()?;
    let meta = file.metadata().ok().filter(|meta| meta.is_file() && meta.len() <= LARGEST)?;
    let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let body = bytes.strip_prefix(EDITION.as_bytes())?;
    let (sum, body) = body.split_first_chunk::<SUM>()?;
    (checksum(body) == u64::from_le_bytes(*sum)).then_some(())?;
    Some(bytes)
}

/// The cached files.
pub(super) struct CachedFiles {
    bytes: Vec<u8>,
    /// Hash of each path and the position of its entry, sorted: a hash table for a million files would need more memory
    /// than the cache.
    index: Vec<(u32, u32)>,
    counted: CountedTerms,
}

/// The counted terms, sorted; `None` for all.
type CountedTerms = Option<Vec<TermId>>;

impl CachedFiles {
    /// Parses the bytes from [`read`]; also returns the term counts.
    pub fn parse(bytes: Vec<u8>) -> Option<(Self, CountTable)> {
        let (body, counts_end) = bytes.get(EDITION.len() + SUM..)?.split_last_chunk::<8>()?;
        let (counts, rest) = body.split_at_checked(usize::try_from(u64::from_le_bytes(*counts_end)).ok()?)?;
        let mut reader = ByteReader(rest);
        let table = CountTable::from_parts(reader.words()?, counts.to_vec());
        let counted = if reader.number()? == 1 { Some(reader.words()?) } else { None };
        let count = reader.number()?;
        let mut index = Vec::with_capacity(count.min(1 << 20) as usize);
        // The last bytes are the end of the counts.
        let end = bytes.len() - 8;
        for _ in 0..count {
            let at = end - reader.0.len();
            index.push((path_hash(reader.text()?), at as u32));
            StampDigest::read(&mut reader)?;
            reader.bytes()?;
        }
        index.sort_unstable();
        Some((Self { bytes, index, counted }, table))
    }

    /// Returns true if all words were counted.
    pub fn has_all_words(&self) -> bool {
        self.counted.is_none()
    }

    /// Returns true if the words of `vocabulary` were counted.
    pub fn answers(&self, vocabulary: &Vocabulary) -> bool {
        match (&self.counted, vocabulary.terms()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(counted), Some(wanted)) => wanted.iter().all(|term| counted.binary_search(term).is_ok()),
        }
    }

    /// Number of cached files.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// The result for the file at `path`, if its metadata is still `stamp`.
    pub fn get(&self, path: &str, stamp: Stamp) -> Option<CachedFile> {
        let (hash, digest) = (path_hash(path), stamp.digest());
        let start = self.index.partition_point(|(known, _)| *known < hash);
        self.index[start..].iter().take_while(|(known, _)| *known == hash).find_map(|(_, at)| {
            let mut reader = ByteReader(self.bytes.get(*at as usize..)?);
            let is_same = reader.text()? == path && StampDigest::read(&mut reader)? == digest;
            is_same.then(|| parse_file(reader.bytes()?, path, stamp))?
        })
    }
}

fn path_hash(path: &str) -> u32 {
    hash_bytes(path.as_bytes(), 0, path.len()) as u32
}

/// The cached result for one file.
pub(super) enum CachedFile {
    Binary,
    /// A text file; its counts are in the cached table.
    Text(Box<SourceFile>),
}

fn parse_file(bytes: &[u8], path: &str, stamp: Stamp) -> Option<CachedFile> {
    let mut reader = ByteReader(bytes);
    let text = reader.number()? == 1;
    if !text {
        return Some(CachedFile::Binary);
    }
    let lines = reader.small()?;
    let is_marked_generated = reader.number()? == 1;
    let terms = TermCounts::from_parts(reader.small()?, reader.small()?, reader.small()?);
    let count = reader.number()?;
    let symbols: Option<Symbols> =
        (0..count).map(|_| Some(Symbol { line: reader.small()?, name: reader.text()? })).collect();
    let imports = list(&mut reader, |reader| {
        Some(Import { spec: reader.text()?.to_owned(), names: list(reader, |reader| Some(reader.text()?.to_owned()))? })
    })?;
    Some(CachedFile::Text(Box::new(SourceFile {
        path: path.to_owned(),
        // Only files whose language is known from the name are cached.
        language: Language::of(path, ""),
        role: if is_marked_generated { Role::Generated } else { Role::Source },
        is_marked_generated,
        bytes: stamp.size(),
        lines,
        modified: stamp.modified_seconds(),
        imports: imports.into(),
        symbols: symbols?,
        terms,
        stamp: Some(stamp.digest()),
        blob: None,
        text: OnceLock::new(),
    })))
}

/// A list without spare capacity.
fn list<'a, T>(reader: &mut ByteReader<'a>, mut read: impl FnMut(&mut ByteReader<'a>) -> Option<T>) -> Option<Vec<T>> {
    let count = reader.number()?;
    let mut list = Vec::with_capacity(count.min(1 << 10) as usize);
    for _ in 0..count {
        list.push(read(reader)?);
    }
    Some(list)
}
