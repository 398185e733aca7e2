//! Writing the cache, beside whatever else is done with what was read.

use std::fs;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::SystemTime;

use super::bytes::{Stream, Writer};
use super::{EDITION, LARGEST, SUM, Stamp, file_for};
use crate::gather::corpus::{Shared, SourceFile};
use crate::gather::terms::{TermCounts, TermId, Terms};
use crate::outline::language::Language;
use crate::redact::Policy;

/// Caches of projects that are kept, and their bytes in all; the one that was written longest ago goes first.
const MOST: usize = 40;
const MOST_BYTES: u64 = 1_000_000_000;
/// Files that are searched for secrets at once.
const CHUNK: usize = 256;
/// A shorter name is no token and no address with a password in it. Most names are, and searching them takes its time.
const SHORTEST_SECRET: usize = 12;
/// How the names of files begin that are still being written.
const TEMPORARY: &str = ".facts";

/// What is to be remembered.
pub(crate) struct Kept {
    /// Every text file.
    pub files: Shared<SourceFile>,
    /// How often each says which word.
    pub terms: Arc<Terms>,
    /// The words that were counted, in order; `None` is all of them.
    pub counted: Option<Vec<TermId>>,
    /// Files that are no text.
    pub binary: Vec<(String, Stamp)>,
    /// When the walk began.
    pub began: SystemTime,
    /// Finds secrets.
    pub redactor: Arc<Policy>,
}

/// A cache that is being written; dropped, it waits until that is done.
#[derive(Debug)]
pub(crate) struct Keeping(Option<JoinHandle<()>>);

impl Keeping {
    /// Starts to write the cache of the project at `root`.
    pub fn start(cache_dir: &Path, root: &Path, kept: Kept) -> Self {
        let file = file_for(cache_dir, root);
        // Without a thread there is no cache, which does no harm.
        Self(std::thread::Builder::new().spawn(move || replace(&file, &kept)).ok())
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        if let Some(writing) = self.0.take() {
            let _ = writing.join();
        }
    }
}

impl Kept {
    /// Writes all that follows the edition and the sum: the counts, what their numbers stand for, then every file, and how long
    /// the counts are, which is not known before they are written.
    fn write(&self, to: &mut Stream<impl Write>) -> io::Result<()> {
        let secretive = self.secretive();
        let kept: Vec<(&SourceFile, Stamp)> = self
            .files
            .iter()
            .zip(&secretive)
            .filter(|(file, secretive)| !**secretive && file.language == Language::of(&file.path, ""))
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
        let mut entry = Writer::default();
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

    /// Which files have names in them that hold a secret: an import can be an address with a password.
    fn secretive(&self) -> Vec<bool> {
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

/// Replaces a cache in one step; failing to is no harm.
fn replace(file: &Path, kept: &Kept) {
    let Some(dir) = file.parent() else { return };
    let _ = make_private(dir);
    // Only its owner can read a temporary file. A torn one would be noticed by its sum, so nobody waits for the disk.
    let written = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(dir).and_then(|mut temporary| {
        temporary.write_all(EDITION.as_bytes())?;
        temporary.write_all(&[0; SUM])?;
        let mut stream = Stream::new(temporary, LARGEST - (EDITION.len() + SUM) as u64);
        kept.write(&mut stream)?;
        let (mut temporary, sum) = stream.end()?;
        temporary.seek(io::SeekFrom::Start(EDITION.len() as u64))?;
        temporary.write_all(&sum.to_le_bytes())?;
        temporary.persist(file).map(drop).map_err(|error| error.error)
    });
    match written {
        Ok(()) => sweep(dir),
        // What it told before is no longer so.
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            let _ = fs::remove_file(file);
        }
        Err(_) => {}
    }
}

fn text_facts(writer: &mut Writer, file: &SourceFile, counts: TermCounts) {
    writer.number(1);
    writer.number(u64::from(file.lines));
    writer.number(u64::from(file.says_generated));
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

/// Makes the directory for its owner alone.
fn make_private(dir: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Removes the oldest caches where there are too many, and what a process left that ended while it wrote.
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
