//! What the walk found out about each file, remembered between runs in the user's cache directory.
//!
//! A file is taken as known only while its device, inode, size and both its times are what they were when it was read, and
//! only if those times were well past by then: what was written a moment ago may be written again without a trace. A cache
//! that another version wrote, that is damaged or too large counts as none. It holds names, numbers and hashes of words, never
//! a file's text, and of a file whose names hold a secret nothing.
//!
//! The first run in a project counts its own task's words only, so that it is not kept waiting for what nobody may ever ask.
//! A run about other words counts them all, and from then on every task is known.

mod bytes;
mod keep;
mod stamp;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::corpus::SourceFile;
use super::role::Role;
use super::terms::{Sheet, TermCounts, TermId, Vocabulary};
use crate::outline::imports::Import;
use crate::outline::language::Language;
use crate::outline::symbols::{Symbol, Symbols};
use crate::text::hex;
use bytes::{Reader, checksum};
pub(super) use keep::{Keeping, Kept};
pub(super) use stamp::Stamp;

/// Raised whenever something else is told of the same text: what an older number wrote is not read.
const EDITION: &str = concat!("teddy facts, ", env!("CARGO_PKG_VERSION"), ", edition 8\n");
/// A larger cache is neither written nor read.
const LARGEST: u64 = 400_000_000;
/// The directory of what was found out about files.
const FACTS: &str = "facts";
/// The length of the checksum.
const SUM: usize = 8;

/// The cache file of the project at `root`.
fn file_for(cache_dir: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let name = hex(&Sha256::digest(root.as_os_str().as_encoded_bytes()));
    cache_dir.join(FACTS).join(format!("{}.bin", &name[..24]))
}

/// Reads the cache of the project at `root`; `None` where there is none that can be used.
pub(super) fn read(cache_dir: &Path, root: &Path) -> Option<Vec<u8>> {
    whole(&file_for(cache_dir, root))
}

/// A cache with its edition and its sum, if both are right.
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

/// What is remembered about every file.
pub(super) struct Known<'a> {
    files: HashMap<&'a str, (Stamp, &'a [u8])>,
    counted: Counted,
}

/// Which words were counted in every file, in order; `None` is all of them.
type Counted = Option<Vec<TermId>>;

impl<'a> Known<'a> {
    /// From what [`read`] gave, with how often each file says which word.
    pub fn parse(bytes: &'a [u8]) -> Option<(Self, Sheet)> {
        let (body, counts_end) = bytes.get(EDITION.len() + SUM..)?.split_last_chunk::<8>()?;
        let (counts, rest) = body.split_at_checked(usize::try_from(u64::from_le_bytes(*counts_end)).ok()?)?;
        let mut reader = Reader(rest);
        let sheet = Sheet::from_parts(reader.words()?, counts.to_vec());
        let counted = if reader.number()? == 1 { Some(reader.words()?) } else { None };
        let count = reader.number()?;
        let mut files = HashMap::with_capacity(count.min(1 << 20) as usize);
        for _ in 0..count {
            let path = reader.text()?;
            let stamp = Stamp::read(&mut reader)?;
            files.insert(path, (stamp, reader.bytes()?));
        }
        Some((Self { files, counted }, sheet))
    }

    /// Whether all words were counted.
    pub fn has_all_words(&self) -> bool {
        self.counted.is_none()
    }

    /// Whether the words of `vocabulary` were counted.
    pub fn answers(&self, vocabulary: &Vocabulary) -> bool {
        match (&self.counted, vocabulary.terms()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(counted), Some(wanted)) => wanted.iter().all(|term| counted.binary_search(term).is_ok()),
        }
    }

    /// How many files are remembered.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// What is known of the file at `path`, if its state is still `stamp`.
    pub fn get(&self, path: &str, stamp: Stamp) -> Option<Fact> {
        let (known, facts) = self.files.get(path)?;
        (*known == stamp).then(|| fact(facts, path, stamp))?
    }
}

/// What is remembered of one file.
pub(super) enum Fact {
    /// It is no text.
    Binary,
    /// All that the walk tells of a text; its counts are on the remembered sheet.
    Text(Box<SourceFile>),
}

fn fact(bytes: &[u8], path: &str, stamp: Stamp) -> Option<Fact> {
    let mut reader = Reader(bytes);
    let text = reader.number()? == 1;
    if !text {
        return Some(Fact::Binary);
    }
    let lines = reader.small()?;
    let says_generated = reader.number()? == 1;
    let terms = TermCounts::from_parts(reader.small()?, reader.small()?, reader.small()?);
    let count = reader.number()?;
    let symbols: Option<Symbols> =
        (0..count).map(|_| Some(Symbol { line: reader.small()?, name: reader.text()? })).collect();
    let count = reader.number()?;
    let imports: Option<Vec<Import>> = (0..count)
        .map(|_| {
            let (spec, names) = (reader.text()?.to_owned(), reader.number()?);
            let names: Option<Vec<String>> = (0..names).map(|_| Some(reader.text()?.to_owned())).collect();
            Some(Import { spec, names: names? })
        })
        .collect();
    Some(Fact::Text(Box::new(SourceFile {
        path: path.to_owned(),
        // Only files whose names alone tell their language are remembered.
        language: Language::of(path, ""),
        role: if says_generated { Role::Generated } else { Role::Source },
        says_generated,
        bytes: stamp.size(),
        lines,
        modified: stamp.modified_seconds(),
        imports: imports?,
        symbols: symbols?,
        terms,
        stamp: Some(stamp),
        text: OnceLock::new(),
    })))
}
