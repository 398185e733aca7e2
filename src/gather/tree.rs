//! Walks the project: lists every directory once, on all cores, without ignored files.

use std::fs::{self, DirEntry, FileType};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ignore::overrides::Override;

use super::ignore_files::{IgnoreRules, is_linked_worktree};

/// Directories that are never walked.
pub(super) const NEVER: [&str; 5] = [".git", ".jj", ".hg", ".svn", ".teddy"];
/// Maximum depth of directories. Each level makes paths longer and the walk slower.
const DEEPEST: usize = 128;
/// Maximum number of files of one directory that a thread takes in one batch.
const BATCH: usize = 128;

/// Settings of a walk.
pub(super) struct Tree<'a> {
    /// Project root.
    pub root: &'a Path,
    /// Globs that apply regardless of ignore files.
    pub overrides: &'a Override,
    /// Apply ignore files.
    pub uses_ignore_files: bool,
}

/// A directory entry that is not a directory.
pub(super) struct FileEntry<'a> {
    /// Relative to the root.
    pub path: &'a Path,
    /// File type, without following links.
    pub kind: FileType,
    /// The directory entry.
    pub entry: &'a DirEntry,
}

/// Receives the files, one visitor per thread.
pub(super) trait Visitor {
    /// Called for every entry that is not a directory.
    fn file(&mut self, found: &FileEntry<'_>);
    /// Called for a path that is skipped for any reason except an ignore file.
    fn skipped(&mut self, path: &Path, why: String);
    /// Returns false to stop the walk.
    fn should_continue(&self) -> bool;
}

/// A directory to list.
struct Directory {
    path: PathBuf,
    depth: usize,
    rules: Arc<IgnoreRules>,
}

/// Files of one directory.
type Batch = (Arc<Path>, Vec<(DirEntry, FileType)>);

enum WalkTask {
    List(Directory),
    Classify(Batch),
}

impl Tree<'_> {
    /// Passes every file to one of the visitors.
    pub fn visit<V: Visitor>(&self, visitor: impl Fn() -> V + Sync) {
        let rules = if self.uses_ignore_files { IgnoreRules::above(self.root) } else { Arc::default() };
        let queue = Queue::new(Directory { path: PathBuf::new(), depth: 0, rules });
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, std::num::NonZero::get) {
                scope.spawn(|| Worker { tree: self, queue: &queue, visitor: visitor() }.run());
            }
        });
    }
}

struct Worker<'a, V> {
    tree: &'a Tree<'a>,
    queue: &'a Queue,
    visitor: V,
}

impl<V: Visitor> Worker<'_, V> {
    fn run(mut self) {
        // If this thread panics, the other threads stop instead of waiting for it.
        let _done = CloseOnPanic(self.queue);
        while let Some(work) = self.queue.take() {
            match work {
                WalkTask::List(directory) => self.list(&directory),
                WalkTask::Classify((dir, files)) => self.visit_files(&dir, &files),
            }
            self.queue.finished();
            if !self.visitor.should_continue() {
                return self.queue.close();
            }
        }
    }

    fn list(&mut self, directory: &Directory) {
        let absolute = self.tree.root.join(&directory.path);
        let unreadable = |error: std::io::Error| format!("unreadable: {error}");
        let entries = match fs::read_dir(&absolute) {
            Ok(entries) => entries,
            Err(error) => return self.visitor.skipped(&directory.path, unreadable(error)),
        };
        let mut listed = Vec::new();
        for entry in entries {
            match entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) {
                Ok(entry) => listed.push(entry),
                Err(error) => self.visitor.skipped(&directory.path, unreadable(error)),
            }
        }
        let has_git_file = |(entry, kind): &(DirEntry, FileType)| kind.is_file() && entry.file_name() == ".git";
        if directory.depth > 0 && listed.iter().any(has_git_file) && is_linked_worktree(&absolute) {
            // A linked worktree contains another copy of every file.
            return self.visitor.skipped(&directory.path, "another worktree of this repository".to_owned());
        }
        let Some(rules) = self.rules(directory, &absolute, &listed) else { return };
        let (mut below, mut files) = (Vec::new(), Vec::new());
        for (entry, kind) in listed {
            let name = entry.file_name();
            let is_dir = kind.is_dir();
            if NEVER.iter().any(|never| name == *never) {
                continue;
            }
            let whole = absolute.join(&name);
            if self.tree.overrides.matched(&whole, is_dir).is_ignore() || rules.ignores(&whole, is_dir) {
                continue;
            }
            if !is_dir {
                files.push((entry, kind));
            } else if directory.depth == DEEPEST {
                let why = format!("more than {DEEPEST} directories deep");
                self.visitor.skipped(&directory.path.join(&name), why);
            } else {
                let (path, depth, rules) = (directory.path.join(&name), directory.depth + 1, Arc::clone(&rules));
                below.push(Directory { path, depth, rules });
            }
        }
        let (dir, mut batches): (Arc<Path>, _) = (Arc::from(directory.path.as_path()), Vec::new());
        while files.len() > BATCH {
            batches.push((Arc::clone(&dir), files.split_off(files.len() - BATCH)));
        }
        self.queue.put(below, batches);
        self.visit_files(&dir, &files);
    }

    /// The ignore rules of a directory; `None` if it must be skipped.
    fn rules(
        &mut self,
        directory: &Directory,
        absolute: &Path,
        listed: &[(DirEntry, FileType)],
    ) -> Option<Arc<IgnoreRules>> {
        if !self.tree.uses_ignore_files {
            return Some(Arc::clone(&directory.rules));
        }
        let names: Vec<_> = listed.iter().map(|(entry, _)| entry.file_name()).collect();
        let (rules, unfit) = IgnoreRules::of(absolute, names.iter().map(AsRef::as_ref), &directory.rules);
        match unfit {
            None => return Some(rules),
            // The root itself is never skipped.
            Some(name) if directory.depth == 0 => {
                self.visitor.skipped(Path::new(name), "ignored: not a regular file, or larger than 1 MB".to_owned());
                return Some(rules);
            }
            Some(name) => {
                self.visitor.skipped(&directory.path, format!("its {name} is not a regular file, or larger than 1 MB"));
            }
        }
        None
    }

    fn visit_files(&mut self, dir: &Path, files: &[(DirEntry, FileType)]) {
        for (entry, kind) in files {
            if !self.visitor.should_continue() {
                return;
            }
            self.visitor.file(&FileEntry { path: &dir.join(entry.file_name()), kind: *kind, entry });
        }
    }
}

/// Pending work, newest first, so that the queue stays short.
struct Queue {
    state: Mutex<QueueState>,
    more: Condvar,
}

struct QueueState {
    /// Files of directories. They are taken before further directories, because each batch keeps a directory handle
    /// open.
    batches: Vec<Batch>,
    directories: Vec<Directory>,
    /// Number of threads that are working and may add more work.
    busy: usize,
    /// Threads waiting for work.
    waiting: usize,
    closed: bool,
}

impl QueueState {
    fn has_work(&self) -> bool {
        !self.batches.is_empty() || !self.directories.is_empty()
    }
}

impl Queue {
    fn new(first: Directory) -> Self {
        let (batches, directories) = (Vec::new(), vec![first]);
        let state = QueueState { batches, directories, busy: 0, waiting: 0, closed: false };
        Self { state: Mutex::new(state), more: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next piece of work; `None` once everything is done.
    fn take(&self) -> Option<WalkTask> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            let batch = state.batches.pop().map(WalkTask::Classify);
            if let Some(work) = batch.or_else(|| state.directories.pop().map(WalkTask::List)) {
                state.busy += 1;
                return Some(work);
            }
            if state.busy == 0 {
                return None;
            }
            state.waiting += 1;
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn put(&self, directories: Vec<Directory>, batches: Vec<Batch>) {
        let mut state = self.state();
        state.directories.extend(directories);
        state.batches.extend(batches);
        if state.waiting > 0 && state.has_work() {
            self.more.notify_all();
        }
    }

    fn finished(&self) {
        let mut state = self.state();
        state.busy -= 1;
        if state.waiting > 0 && state.busy == 0 && !state.has_work() {
            self.more.notify_all();
        }
    }

    fn close(&self) {
        self.state().closed = true;
        self.more.notify_all();
    }
}

/// Closes the queue if its thread panics.
struct CloseOnPanic<'a>(&'a Queue);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    struct PathCollector<'a> {
        seen: &'a Mutex<Vec<String>>,
        most: usize,
    }

    impl Visitor for PathCollector<'_> {
        fn file(&mut self, found: &FileEntry<'_>) {
            self.seen.lock().unwrap().push(found.path.to_string_lossy().into_owned());
        }

        fn skipped(&mut self, path: &Path, why: String) {
            self.seen.lock().unwrap().push(format!("{}: {why}", path.display()));
        }

        fn should_continue(&self) -> bool {
            self.seen.lock().unwrap().len() < self.most
        }
    }

    fn seen(root: &Path, uses_ignore_files: bool, most: usize) -> Vec<String> {
        let (seen, overrides) = (Mutex::default(), Override::empty());
        Tree { root, overrides: &overrides, uses_ignore_files }.visit(|| PathCollector { seen: &seen, most });
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        seen
    }

    fn make(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The files that `ignore::Walk` finds with the same settings.
    fn oracle(root: &Path) -> Vec<String> {
        let mut builder = ignore::WalkBuilder::new(root);
        builder.hidden(false).require_git(false).parents(false).add_custom_ignore_filename(".teddyignore");
        builder.filter_entry(|entry| NEVER.iter().all(|never| entry.file_name() != *never));
        let files = builder.build().map(Result::unwrap).filter(|entry| !entry.file_type().unwrap().is_dir());
        let paths: BTreeSet<String> =
            files.map(|entry| entry.path().strip_prefix(root).unwrap().to_string_lossy().into_owned()).collect();
        paths.into_iter().collect()
    }

    #[test]
    fn the_walk_finds_the_same_files_as_the_ignore_crate() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for (path, text) in [
            (".gitignore", "/build\n*.log\n!kept.log\nnode_modules/\ndocs/*.tmp\n"),
            (".git/info/exclude", "scratch*\n"),
            (".git/HEAD", ""),
            (".teddy/x", ""),
            (".ignore", "secret.txt\n"),
            ("a/.gitignore", "!*.log\n/only-here\n"),
            ("a/.teddyignore", "*.rs\n!main.rs\n"),
        ] {
            make(root, path, text);
        }
        for dir in ["", "a/", "a/b/", "build/", "a/build/", "node_modules/x/", "docs/", ".hidden/", "scratch/"] {
            for name in ["x.log", "kept.log", "main.rs", "lib.rs", "secret.txt", "only-here", "scratch1", "y.tmp"] {
                make(root, &format!("{dir}{name}"), "");
            }
        }
        assert_eq!(seen(root, true, usize::MAX), oracle(root));
        assert!(seen(root, false, usize::MAX).len() > oracle(root).len());
    }

    #[test]
    fn every_file_of_a_large_directory_is_seen_once() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..=BATCH * 3 {
            make(dir.path(), &format!("full/{number}"), "");
        }
        make(dir.path(), "full/below/last", "");
        let seen = seen(dir.path(), true, usize::MAX);
        assert_eq!(seen.len(), BATCH * 3 + 2);
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len());
    }

    #[test]
    fn a_stopped_walk_visits_no_further_files() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..2_000 {
            make(dir.path(), &format!("{}/{number}", number % 50), "");
        }
        assert!(seen(dir.path(), true, 10).len() < 200);
    }

    #[test]
    fn directories_that_are_too_deep_are_reported() {
        let dir = tempfile::tempdir().unwrap();
        make(dir.path(), &format!("{}deepest", "d/".repeat(DEEPEST)), "");
        make(dir.path(), &format!("{}deeper", "d/".repeat(DEEPEST + 1)), "");
        let seen = seen(dir.path(), true, usize::MAX);
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert!(seen.iter().any(|path| path.ends_with("deepest")));
        assert!(seen.iter().any(|path| path.ends_with("more than 128 directories deep")));
    }
}
