//! Walks and reads the project in parallel; every file is opened once.

use std::fs::DirEntry;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use ignore::overrides::{Override, OverrideBuilder};
use rayon::prelude::*;

use super::corpus::{SkippedFile, SourceFile};
use super::encoding::BINARY;
use super::file_cache::{CachedFile, CachedFiles, Stamp, StampDigest};
use super::git::slashed;
use super::ignore_files;
use super::notebook;
use super::parse_file::parse_file;
use super::progress::{ScannedFile, WalkObserver, still_wanted};
use super::read::{ReadError, read_into, too_large};
use super::terms::{CountTable, TermCounter, TermLookup, Terms, Vocabulary};
use super::tree::{FileEntry, Tree, Visitor};
use crate::error::{Error, Result};
use crate::platform::dir::Dir;
use crate::project::TEDDY_DIR;

/// Settings of a walk.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
    /// Project root.
    pub root: &'a Path,
    /// Larger files are skipped.
    pub max_file_bytes: u64,
    /// Globs to ignore, as in an ignore file.
    pub ignore: &'a [String],
    /// Terms to count.
    pub vocabulary: &'a Vocabulary,
    /// Receives progress and can cancel.
    pub observer: &'a dyn WalkObserver,
}

/// Result of a walk.
#[derive(Default)]
pub struct WalkResult {
    /// Text files, sorted by path, with preliminary roles.
    pub files: Vec<SourceFile>,
    /// Skipped paths, sorted.
    pub skipped: Vec<SkippedFile>,
    /// Term counts.
    pub tables: Vec<CountTable>,
    /// Binary files with their metadata.
    pub(super) binary: Vec<(String, StampDigest)>,
    /// Number of files that were not cached.
    pub fresh: usize,
}

/// Result of one thread, with its own table of counts.
#[derive(Default)]
struct ThreadResult {
    /// The files in batches, so that no list of a million files is copied while it grows.
    batches: Vec<Batch>,
    skipped: Vec<SkippedFile>,
    binary: Vec<(String, StampDigest)>,
    fresh: usize,
    table: CountTable,
}

/// Some files, each with true if its counts are in the thread's table.
type Batch = Vec<(SourceFile, bool)>;

impl WalkResult {
    fn merge(&mut self, mut part: ThreadResult) {
        let number = self.tables.len();
        self.tables.push(part.table);
        for (mut file, here) in part.batches.into_iter().flatten() {
            if here {
                file.terms = file.terms.in_table(number);
            }
            self.files.push(file);
        }
        self.fresh += part.fresh;
        self.binary.append(&mut part.binary);
        self.skipped.append(&mut part.skipped);
    }
}

impl Walk<'_> {
    /// Walks and reads. Returns an error if it is cancelled.
    pub fn run(&self) -> Result<WalkResult> {
        self.run_with_cache(None, None)
    }

    /// Walks and reads. Results of unchanged files are taken from the cache, whose counts are in `table`.
    pub(super) fn run_with_cache(&self, known: Option<CachedFiles>, table: Option<CountTable>) -> Result<WalkResult> {
        let root = Dir::open(self.root).map_err(|error| Error::io("open", self.root, error))?;
        let cached_terms = Terms::new(table.into_iter().collect());
        let found = Mutex::new(Vec::new());
        let looked_for = self.observer.search_terms().iter().zip(0..).map(|(term, at)| (*term, at)).collect();
        let cached_lookup = cached_terms.wanted(&looked_for);
        let overrides = self.overrides()?;
        Tree { root: self.root, overrides: &overrides, uses_ignore_files: true }.visit(|| FileReader {
            walk: self,
            known: known.as_ref(),
            cached: &cached_lookup,
            root: &root,
            found: &found,
            counter: TermCounter::new(self.vocabulary).with_first(self.observer.search_terms()),
            table: CountTable::default(),
            buffer: Vec::new(),
            mine: ThreadResult::default(),
            batch: Vec::new(),
        });
        drop(cached_lookup);
        drop(known);
        still_wanted(self.observer)?;
        let mut walked = WalkResult { tables: cached_terms.into_tables(), ..WalkResult::default() };
        let parts = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        walked.files.reserve_exact(parts.iter().flat_map(|part| &part.batches).map(Vec::len).sum());
        for part in parts {
            walked.merge(part);
        }
        walked.files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
        walked.skipped.sort_unstable();
        walked.skipped.dedup();
        Ok(walked)
    }

    /// Returns a function that checks whether a deleted file would have been skipped: by an ignore file, by the
    /// configuration, or because it belongs to teddy.
    pub(super) fn skips_deleted(&self) -> Result<impl Fn(&str) -> bool + use<'_>> {
        let overrides = self.overrides()?;
        Ok(move |path: &str| {
            let mut way = Path::new(path).ancestors().filter(|part| !part.as_os_str().is_empty());
            path.split('/').next() == Some(TEDDY_DIR)
                || way.clone().skip(1).any(|part| overrides.matched(part, true).is_ignore())
                || way.next().is_some_and(|file| overrides.matched(file, false).is_ignore())
                || is_ignored(self.root, path)
        })
    }

    fn overrides(&self) -> Result<Override> {
        let mut builder = OverrideBuilder::new(self.root);
        for glob in self.ignore {
            builder.add(&format!("!{glob}")).map_err(|error| {
                Error::input(format!("`{glob}` is not a valid glob: {error}"), "fix `ignore` in the configuration")
            })?;
        }
        builder.build().map_err(|error| Error::input(format!("ignore globs: {error}"), ""))
    }
}

/// Returns true if an ignore file excludes the path.
pub fn is_ignored(root: &Path, below: &str) -> bool {
    ignore_files::ignores(root, Path::new(below))
}

/// Number of files that ignore files exclude, for `teddy doctor`.
pub fn count_ignored(root: &Path) -> usize {
    struct CountVisitor<'a>(&'a AtomicUsize);
    impl Visitor for CountVisitor<'_> {
        fn file(&mut self, found: &FileEntry<'_>) {
            self.0.fetch_add(usize::from(found.kind.is_file()), Ordering::Relaxed);
        }
        fn skipped(&mut self, _: &Path, _: String) {}
        fn should_continue(&self) -> bool {
            true
        }
    }
    let count = |uses_ignore_files| {
        let (files, overrides) = (AtomicUsize::new(0), Override::empty());
        Tree { root, overrides: &overrides, uses_ignore_files }.visit(|| CountVisitor(&files));
        files.into_inner()
    };
    count(false).saturating_sub(count(true))
}

/// Files per batch, after which a thread reports its progress.
const BATCH: usize = 50;

/// Reads files on one thread.
struct FileReader<'a> {
    walk: &'a Walk<'a>,
    known: Option<&'a CachedFiles>,
    /// Counts of the observer's search terms in cached files.
    cached: &'a TermLookup<'a>,
    /// Files are opened relative to this handle, even if the project's directory is renamed in the meantime.
    root: &'a Dir,
    found: &'a Mutex<Vec<ThreadResult>>,
    counter: TermCounter<'a>,
    table: CountTable,
    /// Content of the current file.
    buffer: Vec<u8>,
    mine: ThreadResult,
    /// The files since the last report.
    batch: Batch,
}

impl Drop for FileReader<'_> {
    fn drop(&mut self) {
        self.report();
        self.table.close(&mut self.counter);
        let part = ThreadResult { table: std::mem::take(&mut self.table), ..std::mem::take(&mut self.mine) };
        self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(part);
    }
}

impl Visitor for FileReader<'_> {
    fn file(&mut self, found: &FileEntry<'_>) {
        let outcome = match slashed(found.path) {
            _ if found.kind.is_symlink() => Err("symbolic link".to_owned()),
            _ if !found.kind.is_file() => Err("special file (not a file, directory or link)".to_owned()),
            None => Err("name is not valid UTF-8".to_owned()),
            Some(path) => match self.known_or_read(found.entry, path) {
                // A moment ago, this was a file, so one of its directories has become a link. The link is reported
                // instead of the path behind it.
                Err(ReadError::Link) => return self.skip_link(found.path),
                read => read.map_err(|why| why.to_string()),
            },
        };
        match outcome {
            Ok(read) => {
                self.batch.push(read);
                if self.batch.len() >= BATCH {
                    self.report();
                }
            }
            Err(why) => self.skipped(found.path, why),
        }
    }

    fn skipped(&mut self, path: &Path, why: String) {
        self.mine.skipped.push(SkippedFile { path: crate::text::printable(&path.to_string_lossy()).into_owned(), why });
    }

    fn should_continue(&self) -> bool {
        self.walk.observer.should_continue()
    }
}

impl FileReader<'_> {
    /// Reports the files read since the last report.
    fn report(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let looked_for = self.walk.observer.search_terms().len();
        let scanned = |(file, here): &(SourceFile, bool)| ScannedFile {
            path: file.path.clone(),
            lines: file.lines,
            language: file.language,
            words: file.terms.length,
            says: match (looked_for, here) {
                (0, _) => Vec::new(),
                (_, true) => self.table.first_of(&file.terms, looked_for),
                (_, false) => self.cached.of(&file.terms),
            },
        };
        self.walk.observer.files_read(self.batch.iter().map(scanned).collect());
        let next = Vec::with_capacity(BATCH);
        self.mine.batches.push(std::mem::replace(&mut self.batch, next));
    }

    fn skip_link(&mut self, relative: &Path) {
        let mut way: Vec<&Path> = relative.ancestors().collect();
        way.reverse();
        let is_link = |part: &&&Path| self.walk.root.join(part).symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        // If the link has become a directory again, the top-level directory is reported.
        let link = way.iter().find(is_link).or(way.get(1)).copied().unwrap_or(relative);
        self.skipped(link, "symbolic link".to_owned());
    }

    /// The file, and true if it was read instead of taken from the cache.
    fn known_or_read(&mut self, entry: &DirEntry, path: String) -> std::result::Result<(SourceFile, bool), ReadError> {
        if let Some(known) = self.known
            && let Some(stamp) = entry.metadata().ok().and_then(|meta| Stamp::of(&meta))
            && let Some(fact) = known.get(&path, stamp)
        {
            if stamp.size() > self.walk.max_file_bytes && !notebook::is_notebook(&path) {
                return Err(ReadError::Other(too_large(stamp.size(), self.walk.max_file_bytes)));
            }
            return match fact {
                CachedFile::Text(file) => Ok((*file, false)),
                CachedFile::Binary => {
                    self.mine.binary.push((path, stamp.digest()));
                    Err(ReadError::Other(BINARY.to_owned()))
                }
            };
        }
        self.mine.fresh += 1;
        self.read(path).map(|file| (file, true))
    }

    fn read(&mut self, path: String) -> std::result::Result<SourceFile, ReadError> {
        let limit = self.walk.max_file_bytes;
        let is_notebook = notebook::is_notebook(&path);
        let bytes_limit = if is_notebook { limit.max(notebook::LARGEST) } else { limit };
        let meta = read_into(&mut self.buffer, self.root, &path, bytes_limit)?;
        let size = self.buffer.len() as u64;
        let stamp = Stamp::of(&meta);
        let modified = meta.modified().ok();
        let modified =
            modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs());
        let add = |text: &str| self.table.add(&mut self.counter, text);
        match parse_file(&path, &self.buffer, limit, add) {
            Ok(file) => Ok(SourceFile {
                modified: modified.cast_signed(),
                // If a file has grown while it was read, its metadata no longer matches.
                stamp: stamp.filter(|stamp| stamp.size() == size).map(|stamp| stamp.digest()),
                ..file
            }),
            Err(why) => {
                self.mine.binary.extend(stamp.filter(|_| why == BINARY).map(|stamp| (path, stamp.digest())));
                Err(ReadError::Other(why))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cancels after some files.
    struct StopsAfter {
        seen: AtomicUsize,
        enough: usize,
    }

    impl WalkObserver for StopsAfter {
        fn files_read(&self, files: Vec<ScannedFile>) {
            self.seen.fetch_add(files.len(), Ordering::SeqCst);
        }

        fn should_continue(&self) -> bool {
            self.seen.load(Ordering::SeqCst) < self.enough
        }
    }

    fn walk(files: usize, enough: usize) -> (Result<WalkResult>, usize) {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..files {
            std::fs::write(dir.path().join(format!("f{number:04}.rs")), "fn main() {}\n").unwrap();
        }
        let observer = StopsAfter { seen: AtomicUsize::new(0), enough };
        let walk = Walk {
            root: dir.path(),
            max_file_bytes: 1000,
            ignore: &[],
            vocabulary: &Vocabulary::All,
            observer: &observer,
        };
        let walked = walk.run();
        (walked, observer.seen.load(Ordering::SeqCst))
    }

    #[test]
    fn every_file_is_reported_once() {
        let (walked, seen) = walk(333, usize::MAX);
        assert_eq!((walked.unwrap().files.len(), seen), (333, 333));
    }

    #[test]
    fn a_cancelled_walk_stops() {
        let (walked, seen) = walk(3_000, 100);
        assert!(walked.is_err_and(|error| error.to_string().contains("cancelled")));
        // Each thread may finish its current batch.
        assert!(seen < 3_000 / 2, "{seen} of 3,000 were read");
    }
}
