//! Writes the cache in the background.

use std::fs;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::SystemTime;

use super::bytes::{ByteWriter, ChecksummedWriter};
use super::{EDITION, LARGEST, SUM, StampDigest, file_for};
use crate::gather::corpus::{SharedList, SourceFile};
use crate::gather::terms::{TermCounts, TermId, Terms};
use crate::outline::language::Language;
use crate::platform::files::create_private_dir;
use crate::redact::Policy;

/// Limits for the number and total size of caches; the oldest are removed first.
const MOST: usize = 40;
const MOST_BYTES: u64 = 1_000_000_000;
/// Number of files that are searched for secrets together.
const CHUNK: usize = 256;
/// Minimum length of a name that is searched for secrets. Shorter names cannot contain one.
const SHORTEST_SECRET: usize = 12;
/// Name prefix of temporary files.
const TEMPORARY: &str = ".facts";

/// Data to cache.
pub(crate) struct CacheContent {
    /// All text files.
    pub files: SharedList<SourceFile>,
    /// Their term counts.
    pub terms: Arc<Terms>,
    /// The counted terms, sorted; `None` for all.
    pub counted: Option<Vec<TermId>>,
    /// Binary files.
    pub binary: Vec<(String, StampDigest)>,
    /// Start of the walk.
    pub began: SystemTime,
    pub redactor: Arc<Policy>,
}

/// A cache that is written in the background. Dropping it waits until the cache is written.
#[derive(Debug)]
pub(crate) struct CacheWriter(Option<JoinHandle<()>>);

impl CacheWriter {
    /// Starts writing the cache of the project at `root`.
    pub fn start(cache_dir: &Path, root: &Path, kept: CacheContent) -> Self {
        let file = file_for(cache_dir, root);
        // If the thread cannot start, nothing is cached.
        Self(std::thread::Builder::new().spawn(move || replace(&file, &kept)).ok())
    }
}

impl Drop for CacheWriter {
    fn drop(&mut self) {
        if let Some(writing) = self.0.take() {
            let _ = writing.join();
        }
    }
}

impl CacheContent {
    /// Writes everything after version and checksum: counts, term ids and files. The length of the counts comes last,
    /// because it is not known earlier.
    fn write(&self, to: &mut ChecksummedWriter<impl Write>) -> io::Result<()> {
        let has_secret = self.has_secret();
        let kept: Vec<(&SourceFile, StampDigest)> = self
            .files
            .iter()
            .zip(&has_secret)
            .filter(|(file, has_secret)| !**has_secret && file.language == Language::of(&file.path, ""))
            .filter_map(|(file, _)| Some((file, file.stamp.filter(|stamp| stamp.settled_at(self.began))?)))
            .collect();
        let counts_of = kept.iter().map(|(file, _)| &file.terms);
        let (ids, counts) = self.terms.gathered(counts_of, |bytes| to.put(|out| out.0.extend_from_slice(bytes)))?;
        let counts_end = to.len();
        to.put(|out| out.words(&ids))?;
        drop(ids);
        to.put(|out| {
            out.number(u64::from(self.counted.is_some()));
            if let Some(counted) = &self.counted {
                out.words(counted);
            }
        })?;
        let binary: Vec<_> = self.binary.iter().filter(|(_, stamp)| stamp.settled_at(self.began)).collect();
        to.put(|out| out.number((kept.len() + binary.len()) as u64))?;
        let mut entry = ByteWriter::default();
        for ((file, stamp), counts) in kept.into_iter().zip(counts) {
            entry.0.clear();
            text_facts(&mut entry, file, counts);
            to.put(|out| {
                out.text(&file.path);
                stamp.write(out);
                out.bytes(&entry.0);
            })?;
        }
        for (path, stamp) in binary {
            to.put(|out| {
                out.text(path);
                stamp.write(out);
                out.bytes(&[0]);
            })?;
        }
        to.put(|out| out.0.extend_from_slice(&counts_end.to_le_bytes()))
    }

    /// Marks files with a name or an import that contains a secret. An import can be a URL with a password.
    fn has_secret(&self) -> Vec<bool> {
        let names = |file: &SourceFile| {
            let mut text = String::new();
            let imports = file.imports.iter().flat_map(|import| std::iter::once(&import.spec).chain(&import.names));
            let names = imports.map(String::as_str).chain(file.symbols.iter().map(|symbol| symbol.name));
            for name in names.filter(|name| name.len() >= SHORTEST_SECRET) {
                text.push_str(name);
                text.push('\n');
            }
            text
        };
        let clean = |text: &str| self.redactor.redact(text, "").1.is_empty();
        self.files
            .chunks(CHUNK)
            .flat_map(|files| {
                let each: Vec<String> = files.iter().map(names).collect();
                if clean(&each.concat()) {
                    vec![false; each.len()]
                } else {
                    each.iter().map(|text| !clean(text)).collect()
                }
            })
            .collect()
    }
}

/// Replaces a cache atomically; errors are ignored.
fn replace(file: &Path, kept: &CacheContent) {
    let Some(dir) = file.parent() else { return };
    let _ = create_private_dir(dir);
    // Temporary files are private. An incomplete file would fail its checksum, so it need not be synced.
    let written = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(dir).and_then(|mut temporary| {
        temporary.write_all(EDITION.as_bytes())?;
        temporary.write_all(&[0; SUM])?;
        let mut stream = ChecksummedWriter::new(temporary, LARGEST - (EDITION.len() + SUM) as u64);
        kept.write(&mut stream)?;
        let (mut temporary, sum) = stream.end()?;
        temporary.seek(io::SeekFrom::Start(EDITION.len() as u64))?;
        temporary.write_all(&sum.to_le_bytes())?;
        temporary.persist(file).map(drop).map_err(|error| error.error)
    });
    match written {
        Ok(()) => sweep(dir),
        // The old cache is outdated, so it is removed.
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            let _ = fs::remove_file(file);
        }
        Err(_) => {}
    }
}

fn text_facts(writer: &mut ByteWriter, file: &SourceFile, counts: TermCounts) {
    writer.number(1);
    writer.number(u64::from(file.lines));
    writer.number(u64::from(file.is_marked_generated));
    for number in counts.parts() {
        writer.number(u64::from(number));
    }
    writer.number(file.symbols.len() as u64);
    for symbol in file.symbols.iter() {
        writer.number(u64::from(symbol.line));
        writer.text(symbol.name);
    }
    writer.number(file.imports.len() as u64);
    for import in &file.imports {
        writer.text(&import.spec);
        writer.number(import.names.len() as u64);
        for name in &import.names {
            writer.text(name);
        }
    }
}

/// Removes the oldest caches beyond the limits and stale temporary files.
fn sweep(dir: &Path) {
    const HOUR: std::time::Duration = std::time::Duration::from_hours(1);
    let Ok(entries) = fs::read_dir(dir) else { return };
    let mut caches: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in entries.flatten() {
        let (path, Ok(meta)) = (entry.path(), entry.metadata()) else { continue };
        let Ok(modified) = meta.modified() else { continue };
        if path.extension().is_some_and(|extension| extension == "bin") {
            caches.push((modified, meta.len(), path));
        } else if entry.file_name().to_string_lossy().starts_with(TEMPORARY)
            && modified.elapsed().is_ok_and(|age| age > HOUR)
        {
            let _ = fs::remove_file(path);
        }
    }
    caches.sort_unstable_by(|a, b| b.cmp(a));
    let mut total = 0;
    for (at, (_, size, path)) in caches.iter().enumerate() {
        total += size;
        if at >= MOST || (at > 0 && total > MOST_BYTES) {
            let _ = fs::remove_file(path);
        }
    }
}
