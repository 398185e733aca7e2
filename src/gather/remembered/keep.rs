//! Writing the cache, beside whatever else is done with what was read.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::SystemTime;

use super::bytes::{Writer, checksum};
use super::{EDITION, LARGEST, Stamp, file_for};
use crate::gather::corpus::{Shared, SourceFile};
use crate::gather::language::Language;
use crate::gather::terms::{TermCounts, TermId, Terms};
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
pub(in crate::gather) struct Kept {
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
pub(in crate::gather) struct Keeping(Option<JoinHandle<()>>);

impl Keeping {
    /// Starts to write the cache of the project at `root`.
    pub fn start(cache_dir: &Path, root: &Path, kept: Kept) -> Self {
        let file = file_for(cache_dir, root);
        // Without a thread there is no cache, which does no harm.
        Self(std::thread::Builder::new().spawn(move || replace(&file, &kept.body())).ok())
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
    /// All that follows the edition and the sum.
    fn body(&self) -> Vec<u8> {
        let secretive = self.secretive();
        let kept: Vec<(&SourceFile, Stamp)> = self
            .files
            .iter()
            .zip(&secretive)
            .filter(|(file, secretive)| !**secretive && file.language == Language::of(&file.path, ""))
            .filter_map(|(file, _)| Some((file, file.stamp.filter(|stamp| stamp.settled_at(self.began))?)))
            .collect();
        let (sheet, counts) = self.terms.gathered(kept.iter().map(|(file, _)| &file.terms));
        let (ids, bytes) = sheet.parts();
        // Some more than it will be: growing by doubling would take three times as much for a moment.
        let names = kept.iter().map(|(file, _)| names_len(file)).sum::<usize>();
        let mut body = Writer(Vec::with_capacity(8 * ids.len() + bytes.len() + names));
        body.number(u64::from(self.counted.is_some()));
        if let Some(counted) = &self.counted {
            body.words(counted);
        }
        body.words(ids);
        body.bytes(bytes);
        drop(sheet);
        let binary: Vec<_> = self.binary.iter().filter(|(_, stamp)| stamp.settled_at(self.began)).collect();
        body.number((kept.len() + binary.len()) as u64);
        let mut entry = Writer::default();
        for ((file, stamp), counts) in kept.into_iter().zip(counts) {
            entry.0.clear();
            text_facts(&mut entry, file, counts);
            body.text(&file.path);
            stamp.write(&mut body);
            body.bytes(&entry.0);
        }
        for (path, stamp) in binary {
            body.text(path);
            stamp.write(&mut body);
            body.bytes(&[0]);
        }
        body.0
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

/// About how many bytes the facts of a file take, its words aside.
fn names_len(file: &SourceFile) -> usize {
    let imports = file
        .imports
        .iter()
        .map(|import| import.spec.len() + 2 + import.names.iter().map(|name| name.len() + 1).sum::<usize>());
    let symbols = file.symbols.iter().map(|symbol| symbol.name.len() + 4);
    file.path.len() + 64 + imports.chain(symbols).sum::<usize>()
}

/// Replaces a cache in one step; failing to is no harm.
fn replace(file: &Path, body: &[u8]) {
    let Some(dir) = file.parent() else { return };
    let head = [EDITION.as_bytes(), &checksum(body).to_le_bytes()].concat();
    if (head.len() + body.len()) as u64 > LARGEST {
        let _ = fs::remove_file(file);
        return;
    }
    let _ = make_private(dir);
    // Only its owner can read a temporary file. A torn one would be noticed by its sum, so nobody waits for the disk.
    let written = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(dir).and_then(|mut temporary| {
        temporary.write_all(&head)?;
        temporary.write_all(body)?;
        temporary.persist(file).map_err(|error| error.error)
    });
    if written.is_ok() {
        sweep(dir);
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
