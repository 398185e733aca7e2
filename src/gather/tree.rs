//! The files of a project: every directory listed once, on all cores, without what ignore files leave out.

use std::fs::{self, DirEntry, FileType};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ignore::overrides::Override;

use super::ignore_files::{Rules, is_work_tree};

/// Names that are never candidates: the repository's own store and ours.
const NEVER: [&str; 2] = [".git", ".teddy"];
/// Deeper directories are left out: no project is so deep, and every step down costs the more the deeper it is.
const DEEPEST: usize = 128;
/// Files of one directory that are looked at in one go; the others wait for whoever has time.
const BATCH: usize = 128;

/// What to list and how.
pub(super) struct Tree<'a> {
    /// The project's root.
    pub root: &'a Path,
    /// What is left out whatever ignore files say.
    pub overrides: &'a Override,
    /// Whether ignore files are heeded.
    pub heeds_ignore_files: bool,
}

/// Something that is no directory.
pub(super) struct Found<'a> {
    /// Relative to the root.
    pub path: &'a Path,
    /// What it is, links not followed.
    pub kind: FileType,
    /// How the directory lists it.
    pub entry: &'a DirEntry,
}

/// Whoever looks at the files, one on each thread.
pub(super) trait Visitor {
    /// Sees something that is no directory.
    fn file(&mut self, found: &Found<'_>);
    /// Hears of a path that is left out for another reason than an ignore file.
    fn left_out(&mut self, path: &Path, why: String);
    /// Whether to go on.
    fn wants_more(&self) -> bool;
}

/// A directory to list.
struct Directory {
    path: PathBuf,
    depth: usize,
    rules: Arc<Rules>,
}

/// Files of the directory at a path.
type Batch = (Arc<Path>, Vec<(DirEntry, FileType)>);

enum Work {
    List(Directory),
    Look(Batch),
}

impl Tree<'_> {
    /// Shows every file to one of the visitors.
    pub fn visit<V: Visitor>(&self, visitor: impl Fn() -> V + Sync) {
        let rules = if self.heeds_ignore_files { Rules::around(self.root) } else { Arc::default() };
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
        // Whatever happens to this one, the others do not wait for it.
        let _done = Closing(self.queue);
        while let Some(work) = self.queue.take() {
            match work {
                Work::List(directory) => self.list(&directory),
                Work::Look((dir, files)) => self.look(&dir, &files),
            }
            self.queue.finished();
            if !self.visitor.wants_more() {
                return self.queue.close();
            }
        }
    }

    fn list(&mut self, directory: &Directory) {
        let absolute = self.tree.root.join(&directory.path);
        let unreadable = |error: std::io::Error| format!("unreadable: {error}");
        let entries = match fs::read_dir(&absolute) {
            Ok(entries) => entries,
            Err(error) => return self.visitor.left_out(&directory.path, unreadable(error)),
        };
        let mut listed = Vec::new();
        for entry in entries {
            match entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) {
                Ok(entry) => listed.push(entry),
                Err(error) => self.visitor.left_out(&directory.path, unreadable(error)),
            }
        }
        let has_git_file = |(entry, kind): &(DirEntry, FileType)| kind.is_file() && entry.file_name() == ".git";
        if directory.depth > 0 && listed.iter().any(has_git_file) && is_work_tree(&absolute) {
            // It has every file of the project once more.
            return self.visitor.left_out(&directory.path, "another work tree of the repository".to_owned());
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
            if self.tree.overrides.matched(&whole, is_dir).is_ignore() || rules.leave_out(&whole, is_dir) {
                continue;
            }
            if !is_dir {
                files.push((entry, kind));
            } else if directory.depth == DEEPEST {
                let why = format!("more than {DEEPEST} directories deep");
                self.visitor.left_out(&directory.path.join(&name), why);
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
        self.look(&dir, &files);
    }

    /// The rules in a directory; none where it must not be entered.
    fn rules(&mut self, directory: &Directory, absolute: &Path, listed: &[(DirEntry, FileType)]) -> Option<Arc<Rules>> {
        if !self.tree.heeds_ignore_files {
            return Some(Arc::clone(&directory.rules));
        }
        let names: Vec<_> = listed.iter().map(|(entry, _)| entry.file_name()).collect();
        let (rules, unfit) = Rules::of(absolute, names.iter().map(AsRef::as_ref), &directory.rules);
        match unfit {
            None => return Some(rules),
            // The whole project cannot be left out.
            Some(name) if directory.depth == 0 => {
                self.visitor
                    .left_out(Path::new(name), "not a regular file of a fitting size: it is not heeded".to_owned());
                return Some(rules);
            }
            Some(name) => {
                self.visitor.left_out(&directory.path, format!("its {name} is no regular file of a fitting size"));
            }
        }
        None
    }

    fn look(&mut self, dir: &Path, files: &[(DirEntry, FileType)]) {
        for (entry, kind) in files {
            if !self.visitor.wants_more() {
                return;
            }
            self.visitor.file(&Found { path: &dir.join(entry.file_name()), kind: *kind, entry });
        }
    }
}

/// What is still to be done, the newest first, so that there is never much of it.
struct Queue {
    state: Mutex<State>,
    more: Condvar,
}

struct State {
    /// Each keeps its directory open until all of its files were seen, so these come first: there are never many open.
    batches: Vec<Batch>,
    directories: Vec<Directory>,
    /// How many are at work, and may find more of it.
    busy: usize,
    /// How many wait for some.
    waiting: usize,
    closed: bool,
}

impl State {
    fn has_work(&self) -> bool {
        !self.batches.is_empty() || !self.directories.is_empty()
    }
}

impl Queue {
    fn new(first: Directory) -> Self {
        let (batches, directories) = (Vec::new(), vec![first]);
        let state = State { batches, directories, busy: 0, waiting: 0, closed: false };
        Self { state: Mutex::new(state), more: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something to do; none once everything is done.
    fn take(&self) -> Option<Work> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            let batch = state.batches.pop().map(Work::Look);
            if let Some(work) = batch.or_else(|| state.directories.pop().map(Work::List)) {
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

/// Ends the work of all when one of them panics.
struct Closing<'a>(&'a Queue);

impl Drop for Closing<'_> {
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

    struct Names<'a> {
        seen: &'a Mutex<Vec<String>>,
        most: usize,
    }

    impl Visitor for Names<'_> {
        fn file(&mut self, found: &Found<'_>) {
            self.seen.lock().unwrap().push(found.path.to_string_lossy().into_owned());
        }

        fn left_out(&mut self, path: &Path, why: String) {
            self.seen.lock().unwrap().push(format!("{}: {why}", path.display()));
        }

        fn wants_more(&self) -> bool {
            self.seen.lock().unwrap().len() < self.most
        }
    }

    fn seen(root: &Path, heeds_ignore_files: bool, most: usize) -> Vec<String> {
        let (seen, overrides) = (Mutex::default(), Override::empty());
        Tree { root, overrides: &overrides, heeds_ignore_files }.visit(|| Names { seen: &seen, most });
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        seen
    }

    fn make(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What the walk of the library that reads ignore files for us finds, told to do the same.
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
    fn the_files_are_those_that_the_library_would_walk() {
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
    fn a_full_directory_is_shared_out_and_every_file_seen_once() {
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
    fn whoever_has_enough_is_not_shown_the_rest() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..2_000 {
            make(dir.path(), &format!("{}/{number}", number % 50), "");
        }
        assert!(seen(dir.path(), true, 10).len() < 200);
    }

    #[test]
    fn too_deep_is_told() {
        let dir = tempfile::tempdir().unwrap();
        make(dir.path(), &format!("{}deepest", "d/".repeat(DEEPEST)), "");
        make(dir.path(), &format!("{}deeper", "d/".repeat(DEEPEST + 1)), "");
        let seen = seen(dir.path(), true, usize::MAX);
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert!(seen.iter().any(|path| path.ends_with("deepest")));
        assert!(seen.iter().any(|path| path.ends_with("more than 128 directories deep")));
    }
}
