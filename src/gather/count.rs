//! Counts the tokens of all files, immediately for a command or in the background for the workbench.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;

use rayon::prelude::*;

use super::corpus::{Corpus, SourceFile};
use super::read::{decode, read_below};
use super::tokens::Tokenizer;
use crate::error::{Error, Result};
use crate::ids::FileId;
use crate::platform::dir::Dir;

/// Number of files in a batch. It is small, so that no thread waits for another one with large files.
const TOGETHER: usize = 8;
/// Markers for files that are not counted yet or cannot be read.
const UNKNOWN: u32 = u32::MAX;
const UNREADABLE: u32 = u32::MAX - 1;

/// Token counts so far; clones of a corpus share them.
#[derive(Debug)]
pub struct TokenCounts {
    /// Tokenizer of the counts, set by the first count.
    tokenizer: OnceLock<Tokenizer>,
    /// Token count of each file, or a marker.
    tokens: Vec<AtomicU32>,
}

impl TokenCounts {
    /// Counts for `files` files, all unknown.
    pub(super) fn unknown(files: usize) -> Self {
        Self { tokenizer: OnceLock::new(), tokens: (0..files).map(|_| AtomicU32::new(UNKNOWN)).collect() }
    }

    fn get(&self, file: FileId) -> u32 {
        self.tokens.get(file.index()).map_or(UNKNOWN, |tokens| tokens.load(Ordering::Relaxed))
    }

    fn set(&self, file: FileId, tokens: u32) {
        if let Some(slot) = self.tokens.get(file.index()) {
            slot.store(tokens, Ordering::Relaxed);
        }
    }
}

impl Corpus {
    /// Token counts of all files as they are on disk; `None` for a file that can no longer be read. The count in a
    /// payload differs slightly if secrets are redacted.
    ///
    /// `report` is called after each file.
    pub fn count_all(&self, tokenizer: Tokenizer, report: &(dyn Fn() + Sync)) -> Result<Vec<Option<usize>>> {
        let root = self.opened()?;
        let counted = |file| {
            let tokens = count(&root, file, tokenizer);
            report();
            tokens
        };
        Ok(self.files.par_iter().with_max_len(TOGETHER).map(counted).collect())
    }

    /// Counts in background threads. [`Corpus::counted`] returns the results so far. `report` receives the number of
    /// finished files. Stops early when `wanted` returns false.
    pub fn count_in_background(
        &self,
        tokenizer: Tokenizer,
        wanted: &(dyn Fn() -> bool + Sync),
        report: &(dyn Fn(usize) + Sync),
    ) -> Result<()> {
        let root = self.opened()?;
        if *self.sizes.tokenizer.get_or_init(|| tokenizer) != tokenizer {
            return Ok(());
        }
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            while wanted() {
                let from = next.fetch_add(TOGETHER, Ordering::Relaxed);
                let Some(files) = self.files.get(from..).filter(|files| !files.is_empty()) else { return };
                for (file, index) in files.iter().take(TOGETHER).zip(from..) {
                    if self.sizes.get(FileId::new(index)) == UNKNOWN {
                        let tokens = count(&root, file, tokenizer).and_then(|tokens| u32::try_from(tokens).ok());
                        self.sizes.set(FileId::new(index), tokens.unwrap_or(UNREADABLE).min(UNREADABLE));
                    }
                }
                let together = files.len().min(TOGETHER);
                report(done.fetch_add(together, Ordering::Relaxed) + together);
            }
        };
        thread::scope(|scope| {
            for _ in 1..thread::available_parallelism().map_or(1, std::num::NonZero::get) {
                scope.spawn(work);
            }
            work();
        });
        Ok(())
    }

    /// The token count of a file, if known for this tokenizer.
    pub fn counted(&self, file: FileId, tokenizer: Tokenizer) -> Option<usize> {
        let tokens = self.sizes.get(file);
        (tokens < UNREADABLE && self.sizes.tokenizer.get() == Some(&tokenizer)).then_some(tokens as usize)
    }

    /// Copies the counts of unchanged files from an older corpus.
    pub fn copy_counts_from(&self, older: &Self) {
        let Some(tokenizer) = older.sizes.tokenizer.get() else { return };
        if self.sizes.tokenizer.get_or_init(|| *tokenizer) != tokenizer {
            return;
        }
        for (index, file) in FileId::enumerate(&self.files) {
            let same = |at: &FileId| file.stamp.is_some() && older.files[*at].stamp == file.stamp;
            let before = older.find(&file.path).filter(same);
            if let Some(before) = before {
                self.sizes.set(index, older.sizes.get(before));
            }
        }
    }

    fn opened(&self) -> Result<Dir> {
        Dir::open(&self.root).map_err(|error| Error::io("open", &self.root, error))
    }
}

fn count(root: &Dir, file: &SourceFile, tokenizer: Tokenizer) -> Option<usize> {
    let (bytes, _) = read_below(root, &file.path, u64::MAX).ok()?;
    decode(&file.path, &bytes).ok().map(|decoded| tokenizer.count(&decoded.text))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Mutex;

    use super::*;
    use crate::gather::samples;
    use crate::gather::terms::Vocabulary;
    use crate::gather::tokens::DEFAULT;

    fn gathered(root: &std::path::Path) -> Corpus {
        samples::gathered(root, &Vocabulary::All)
    }

    fn known(corpus: &Corpus) -> Vec<Option<usize>> {
        FileId::all(corpus.files.len()).map(|file| corpus.counted(file, DEFAULT)).collect()
    }

    fn project() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for index in 0..40 {
            fs::write(dir.path().join(format!("{index:02}.rs")), "fn f() {}\n".repeat(index + 1)).unwrap();
        }
        dir
    }

    #[test]
    fn background_counts_equal_direct_counts() {
        let dir = project();
        let corpus = gathered(dir.path());
        assert_eq!(known(&corpus), vec![None; 40]);
        let report = Mutex::new(Vec::new());
        corpus.count_in_background(DEFAULT, &|| true, &|done| report.lock().unwrap().push(done)).unwrap();
        assert_eq!(known(&corpus), corpus.count_all(DEFAULT, &|| ()).unwrap());
        assert_eq!(report.into_inner().unwrap().into_iter().max(), Some(40));
        assert_eq!(
            corpus.counted(FileId::new(0), Tokenizer::named("cl100k_base").unwrap()),
            None,
            "they are another tokenizer's"
        );
    }

    #[test]
    fn a_cancelled_count_stops_immediately() {
        let dir = project();
        let corpus = gathered(dir.path());
        corpus.count_in_background(DEFAULT, &|| false, &|_| panic!("nothing was done")).unwrap();
        assert_eq!(known(&corpus), vec![None; 40]);
    }

    #[test]
    fn unchanged_files_are_not_counted_again() {
        let dir = project();
        let before = gathered(dir.path());
        before.count_in_background(DEFAULT, &|| true, &|_| ()).unwrap();
        fs::write(dir.path().join("07.rs"), "fn other() {}\n").unwrap();
        fs::remove_file(dir.path().join("03.rs")).unwrap();
        let after = gathered(dir.path());
        after.copy_counts_from(&before);
        let unknown: Vec<&str> = FileId::all(39)
            .filter(|at| after.counted(*at, DEFAULT).is_none())
            .map(|at| after.files[at].path.as_str())
            .collect();
        assert_eq!(unknown, ["07.rs"]);
        after.count_in_background(DEFAULT, &|| true, &|_| ()).unwrap();
        assert_eq!(known(&after), after.count_all(DEFAULT, &|| ()).unwrap());
    }
}
