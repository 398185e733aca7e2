//! The parallel walk: every file is opened once, on all cores, and what can be told cheaply is told at once.

use std::fs::DirEntry;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::UNIX_EPOCH;

use ignore::overrides::{Override, OverrideBuilder};
use rayon::prelude::*;

use super::corpus::{Skipped, SourceFile, count_lines};
use super::file_cache::{Fact, Known, Stamp};
use super::git::slashed;
use super::ignore_files;
use super::own_payloads::{DELIVERED, looks_delivered};
use super::progress::{Sighting, WalkObserver, still_wanted};
use super::read::{BINARY, Unread, decode_in, read_into, too_large};
use super::role::{Role, looks_generated};
use super::terms::{Sheet, TermCounter, Terms, Vocabulary, Wanted};
use super::tree::{Found, Tree, Visitor};
use crate::error::{Error, Result};
use crate::outline::imports::imports_of;
use crate::outline::language::Language;
use crate::outline::symbols::symbols;
use crate::project::TEDDY_DIR;
use crate::project::dir_handle::Dir;

/// What to walk and how.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
    /// The project's root.
    pub root: &'a Path,
    /// Larger files are left out.
    pub max_file_bytes: u64,
    /// Globs that are left out, as in an ignore file.
    pub ignore: &'a [String],
    /// Which terms to count.
    pub vocabulary: &'a Vocabulary,
    /// Who is told what was read, and can stop it.
    pub observer: &'a dyn WalkObserver,
}

/// What the walk found.
#[derive(Default)]
pub struct Walked {
    /// Text files, sorted by path, their role still to be judged among all paths.
    pub files: Vec<SourceFile>,
    /// What was left out, sorted by path.
    pub skipped: Vec<Skipped>,
    /// How often each file says which word.
    pub sheets: Vec<Sheet>,
    /// Files that are no text, with their state.
    pub(super) binary: Vec<(String, Stamp)>,
    /// How many of all these had to be read.
    pub fresh: usize,
}

/// What one thread found, its words on one sheet.
struct Part {
    found: Walked,
    sheet: Sheet,
    /// For each file whether its counts are on this sheet.
    counted_here: Vec<bool>,
}

impl Walked {
    fn take_in(&mut self, Part { mut found, sheet, counted_here }: Part) {
        let number = self.sheets.len();
        self.sheets.push(sheet);
        for (file, _) in found.files.iter_mut().zip(counted_here).filter(|(_, here)| *here) {
            file.terms = file.terms.on_sheet(number);
        }
        self.fresh += found.fresh;
        self.binary.append(&mut found.binary);
        self.files.append(&mut found.files);
        self.skipped.append(&mut found.skipped);
    }
}

impl Walk<'_> {
    /// Walks and reads; an error once nobody waits for it any more.
    pub fn run(&self) -> Result<Walked> {
        self.run_knowing(None, None)
    }

    /// The same, without reading the files that are as they were in an earlier run, whose words are on `sheet`.
    pub(super) fn run_knowing(&self, known: Option<&Known<'_>>, sheet: Option<Sheet>) -> Result<Walked> {
        let root = Dir::open(self.root).map_err(|error| Error::io("open", self.root, error))?;
        let remembered = Terms::new(sheet.into_iter().collect());
        let found = Mutex::new(Vec::new());
        let looked_for = self.observer.looks_for().iter().zip(0..).map(|(term, at)| (*term, at)).collect();
        let remembered_words = remembered.wanted(&looked_for);
        let overrides = self.overrides()?;
        Tree { root: self.root, overrides: &overrides, heeds_ignore_files: true }.visit(|| Reading {
            walk: self,
            known,
            remembered: &remembered_words,
            root: &root,
            found: &found,
            counter: TermCounter::new(self.vocabulary).with_first(self.observer.looks_for()),
            sheet: Sheet::default(),
            buffer: Vec::new(),
            mine: Walked::default(),
            counted_here: Vec::new(),
            told: 0,
        });
        drop(remembered_words);
        still_wanted(self.observer)?;
        let mut walked = Walked { sheets: remembered.into_sheets(), ..Walked::default() };
        for part in found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            walked.take_in(part);
        }
        walked.files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
        walked.skipped.sort_unstable();
        walked.skipped.dedup();
        Ok(walked)
    }

    /// Whether the file at a path that is no file any more would have been left out: by an ignore file, the configuration, or as
    /// one of our own.
    pub(super) fn leaves_out_gone(&self) -> Result<impl Fn(&str) -> bool + use<'_>> {
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
                Error::input(format!("`{glob}` is not a glob: {error}"), "mend `ignore` in the configuration")
            })?;
        }
        builder.build().map_err(|error| Error::input(format!("ignore globs: {error}"), ""))
    }
}

/// Whether the walk would leave out the file at this path because an ignore file says so.
pub fn is_ignored(root: &Path, below: &str) -> bool {
    ignore_files::leave_out(root, Path::new(below))
}

/// How many files the walk would leave out because an ignore file says so, for `teddy doctor`.
pub fn count_ignored(root: &Path) -> usize {
    struct Count<'a>(&'a AtomicUsize);
    impl Visitor for Count<'_> {
        fn file(&mut self, found: &Found<'_>) {
            self.0.fetch_add(usize::from(found.kind.is_file()), Ordering::Relaxed);
        }
        fn left_out(&mut self, _: &Path, _: String) {}
        fn wants_more(&self) -> bool {
            true
        }
    }
    let count = |heeds_ignore_files| {
        let (files, overrides) = (AtomicUsize::new(0), Override::empty());
        Tree { root, overrides: &overrides, heeds_ignore_files }.visit(|| Count(&files));
        files.into_inner()
    };
    count(false).saturating_sub(count(true))
}

/// After so many files each thread tells of them.
const TELL_EVERY: usize = 50;

/// What one thread reads.
struct Reading<'a> {
    walk: &'a Walk<'a>,
    known: Option<&'a Known<'a>>,
    /// The terms that the observer looks for, in files that are known.
    remembered: &'a Wanted<'a>,
    /// Every file is opened from here, whatever has become of the path since.
    root: &'a Dir,
    found: &'a Mutex<Vec<Part>>,
    counter: TermCounter<'a>,
    sheet: Sheet,
    /// The file that is being read.
    buffer: Vec<u8>,
    mine: Walked,
    /// For each file of mine whether its counts are on this sheet.
    counted_here: Vec<bool>,
    /// How many of them were told.
    told: usize,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.tell();
        self.sheet.close(&mut self.counter);
        let part = Part {
            found: std::mem::take(&mut self.mine),
            sheet: std::mem::take(&mut self.sheet),
            counted_here: std::mem::take(&mut self.counted_here),
        };
        self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(part);
    }
}

impl Visitor for Reading<'_> {
    fn file(&mut self, found: &Found<'_>) {
        let outcome = match slashed(found.path) {
            _ if found.kind.is_symlink() => Err("symbolic link".to_owned()),
            _ if !found.kind.is_file() => Err("special file (neither file, directory nor link)".to_owned()),
            None => Err("its name is not UTF-8".to_owned()),
            Some(path) => match self.known_or_read(found.entry, path) {
                // It was a file a moment ago, so a directory on the way has become a link: its name is ours, what is below is not.
                Err(Unread::Link) => return self.skip_link(found.path),
                read => read.map_err(|why| why.to_string()),
            },
        };
        match outcome {
            Ok((file, here)) => {
                self.mine.files.push(file);
                self.counted_here.push(here);
                if self.mine.files.len() >= self.told + TELL_EVERY {
                    self.tell();
                }
            }
            Err(why) => self.left_out(found.path, why),
        }
    }

    fn left_out(&mut self, path: &Path, why: String) {
        self.mine.skipped.push(Skipped { path: crate::text::printable(&path.to_string_lossy()).into_owned(), why });
    }

    fn wants_more(&self) -> bool {
        self.walk.observer.wanted()
    }
}

impl Reading<'_> {
    /// Tells of the files that were read since the last time.
    fn tell(&mut self) {
        let new = self.mine.files.get(self.told..).unwrap_or_default();
        if new.is_empty() {
            return;
        }
        let looked_for = self.walk.observer.looks_for().len();
        let sighting = |(file, here): (&SourceFile, &bool)| Sighting {
            path: file.path.clone(),
            lines: file.lines,
            language: file.language,
            words: file.terms.length,
            says: match (looked_for, here) {
                (0, _) => Vec::new(),
                (_, true) => self.sheet.first_of(&file.terms, looked_for),
                (_, false) => self.remembered.of(&file.terms),
            },
        };
        self.walk.observer.found(new.iter().zip(&self.counted_here[self.told..]).map(sighting).collect());
        self.told = self.mine.files.len();
    }

    fn skip_link(&mut self, relative: &Path) {
        let mut way: Vec<&Path> = relative.ancestors().collect();
        way.reverse();
        let is_link = |part: &&&Path| self.walk.root.join(part).symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        // If it is a directory again by now, the top of the way has to do.
        let link = way.iter().find(is_link).or(way.get(1)).copied().unwrap_or(relative);
        self.left_out(link, "symbolic link".to_owned());
    }

    /// The file, and whether its words were counted just now.
    fn known_or_read(&mut self, entry: &DirEntry, path: String) -> std::result::Result<(SourceFile, bool), Unread> {
        if let Some(known) = self.known
            && let Some(stamp) = entry.metadata().ok().and_then(|meta| Stamp::of(&meta))
            && let Some(fact) = known.get(&path, stamp)
        {
            if stamp.size() > self.walk.max_file_bytes {
                return Err(Unread::Other(too_large(stamp.size(), self.walk.max_file_bytes)));
            }
            return match fact {
                Fact::Text(file) => Ok((*file, false)),
                Fact::Binary => {
                    self.mine.binary.push((path, stamp));
                    Err(Unread::Other(BINARY.to_owned()))
                }
            };
        }
        self.mine.fresh += 1;
        self.read(path).map(|file| (file, true))
    }

    fn read(&mut self, path: String) -> std::result::Result<SourceFile, Unread> {
        let meta = read_into(&mut self.buffer, self.root, &path, self.walk.max_file_bytes)?;
        let size = self.buffer.len() as u64;
        let stamp = Stamp::of(&meta);
        let text = match decode_in(&self.buffer) {
            Ok((text, _)) => text,
            Err(why) => {
                self.mine.binary.extend(stamp.filter(|_| why == BINARY).map(|stamp| (path, stamp)));
                return Err(Unread::Other(why));
            }
        };
        if looks_delivered(&text) {
            return Err(Unread::Other(DELIVERED.to_owned()));
        }
        let modified = meta.modified().ok();
        let language = Language::of(&path, text.lines().next().unwrap_or_default());
        let generated = looks_generated(&text);
        let modified =
            modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs());
        Ok(SourceFile {
            role: if generated { Role::Generated } else { Role::Source },
            bytes: size,
            lines: count_lines(&text),
            modified: modified.cast_signed(),
            imports: imports_of(&path, language, &text),
            symbols: language
                .filter(|language| language.is_code() && !generated)
                .map(|language| symbols(language, &text))
                .unwrap_or_default(),
            terms: self.sheet.add(&mut self.counter, &text),
            says_generated: generated,
            // A file that grew meanwhile is not what its state says.
            stamp: stamp.filter(|stamp| stamp.size() == size),
            text: OnceLock::new(),
            language,
            path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks on until it has seen enough.
    struct Impatient {
        seen: AtomicUsize,
        enough: usize,
    }

    impl WalkObserver for Impatient {
        fn found(&self, files: Vec<Sighting>) {
            self.seen.fetch_add(files.len(), Ordering::SeqCst);
        }

        fn wanted(&self) -> bool {
            self.seen.load(Ordering::SeqCst) < self.enough
        }
    }

    fn walk(files: usize, enough: usize) -> (Result<Walked>, usize) {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..files {
            std::fs::write(dir.path().join(format!("f{number:04}.rs")), "fn main() {}\n").unwrap();
        }
        let observer = Impatient { seen: AtomicUsize::new(0), enough };
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
    fn every_file_is_told_once() {
        let (walked, seen) = walk(333, usize::MAX);
        assert_eq!((walked.unwrap().files.len(), seen), (333, 333));
    }

    #[test]
    fn a_walk_that_nobody_wants_stops() {
        let (walked, seen) = walk(3_000, 100);
        assert!(walked.is_err_and(|error| error.to_string().contains("cancelled")));
        // Each thread may be within a batch when the last word is said, not more.
        assert!(seen < 3_000 / 2, "{seen} of 3,000 were read");
    }
}
