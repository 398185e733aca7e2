//! The files of past commits, read from git without a checkout. Each version of a file is parsed once for all commits
//! that contain it.
//!
//! Nothing outside a commit is read: no file on disk, no cache, no configuration, and no commit that is not one of its
//! ancestors.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::corpus::{Corpus, SharedList, SkippedFile, SourceFile};
use super::count::TokenCounts;
use super::git::{BlobId, Blobs, CommitId, EntryKind, Git, GitFacts, Histories, LoggedCommit, TreeId, Trees};
use super::ignore_files::{self, IgnoreRules};
use super::parse_file::parse_file;
use super::read::decode;
use super::terms::{CountTable, TermCounter, Terms, Vocabulary};
use super::tokens::Tokenizer;
use super::tree::NEVER;
use super::{classify, file_items, links, names};
use crate::error::{Error, Result};
use crate::redact::Policy;

/// The commit that a corpus was read from.
#[derive(Debug)]
pub struct CommitFiles {
    pub(super) blobs: Arc<Blobs>,
    /// Names of all files at the root, including files that are not candidates.
    pub(super) root_names: HashSet<String>,
}

/// Settings of [`Snapshots::read`].
pub struct SnapshotSettings<'a> {
    /// Project root; nothing in it is read.
    pub root: &'a Path,
    /// Larger files are skipped.
    pub max_file_bytes: u64,
    /// Maximum number of commits in the history of each commit.
    pub history_commits: usize,
    /// Finds secrets.
    pub redactor: Arc<Policy>,
}

/// Observes the reading; called from every thread.
pub trait ReadObserver: Sync {
    /// Reports that `done` of `of` file versions have been read.
    fn read(&self, done: usize, of: usize);
    /// Returns false to cancel.
    fn should_continue(&self) -> bool;
}

/// The files and histories of some commits.
pub struct Snapshots {
    root: PathBuf,
    redactor: Arc<Policy>,
    blobs: Arc<Blobs>,
    versions: Vec<FileVersion>,
    /// Positions in `versions`, by path.
    positions: HashMap<String, Vec<u32>>,
    terms: Arc<Terms>,
    lists: HashMap<CommitId, FileList>,
    histories: Histories,
}

/// One version of a file.
struct FileVersion {
    path: String,
    blob: BlobId,
    /// The file, or the reason to skip it.
    parsed: Result<SourceFile, String>,
    /// Its tokens; [`UNKNOWN`] until they are counted.
    tokens: AtomicU32,
}

/// Marks tokens that are not counted yet.
const UNKNOWN: u32 = u32::MAX;

/// The files of one commit.
struct FileList {
    time: i64,
    /// Positions in the list of versions.
    versions: Vec<u32>,
    skipped: Vec<SkippedFile>,
    root_names: HashSet<String>,
}

impl Snapshots {
    /// Reads the files and histories of these commits. Returns an error if it is cancelled.
    pub fn read(
        git: &Git,
        commits: &[LoggedCommit],
        settings: SnapshotSettings<'_>,
        observer: &dyn ReadObserver,
    ) -> Result<Self> {
        let SnapshotSettings { root, max_file_bytes, history_commits, redactor } = settings;
        let blobs = Arc::new(git.blobs());
        let mut lister = Lister {
            root,
            blobs: &blobs,
            trees: git.trees().map_err(Error::Git)?,
            versions: Vec::new(),
            positions: HashMap::new(),
        };
        let mut lists = HashMap::new();
        for commit in commits {
            check(observer)?;
            lists.insert(commit.id, lister.list(commit));
        }
        let (mut versions, positions) = (lister.versions, lister.positions);
        let terms = parse(&mut versions, &blobs, max_file_bytes, observer);
        check(observer)?;
        let ids: Vec<CommitId> = commits.iter().map(|commit| commit.id).collect();
        let mut histories = git.histories(&ids, history_commits, &|| observer.should_continue());
        names::withhold_from_commits(histories.commits_mut(), &redactor);
        check(observer)?;
        Ok(Self {
            root: root.to_path_buf(),
            redactor,
            blobs,
            versions,
            positions,
            terms: Arc::new(terms),
            lists,
            histories,
        })
    }

    /// Token count of a file in one of the corpora, computed once per version.
    pub fn tokens(&self, file: &SourceFile, tokenizer: Tokenizer) -> usize {
        let is_same = |version: &&FileVersion| Some(&version.blob) == file.blob.as_deref();
        let positions = self.positions.get(&file.path).into_iter().flatten();
        let version = positions.filter_map(|at| self.versions.get(*at as usize)).find(is_same);
        let known = version.map_or(UNKNOWN, |version| version.tokens.load(Ordering::Relaxed));
        if known != UNKNOWN {
            return known as usize;
        }
        let bytes = file.blob.as_deref().and_then(|blob| self.blobs.read(*blob).ok()).unwrap_or_default();
        let tokens = decode(&file.path, &bytes).map_or(0, |decoded| tokenizer.count(&decoded.text));
        if let Some(version) = version {
            version.tokens.store(tokens as u32, Ordering::Relaxed);
        }
        tokens
    }

    /// The corpus of one of the commits, as if that commit had just been checked out. `None` for another commit.
    pub fn corpus(&self, commit: CommitId) -> Option<Corpus> {
        let list = self.lists.get(&commit)?;
        let (mut files, mut skipped) = (Vec::with_capacity(list.versions.len()), list.skipped.clone());
        for version in list.versions.iter().filter_map(|at| self.versions.get(*at as usize)) {
            match &version.parsed {
                Ok(file) => {
                    files.push(SourceFile { modified: list.time, blob: Some(Box::new(version.blob)), ..file.clone() });
                }
                Err(why) => skipped.push(SkippedFile { path: version.path.clone(), why: why.clone() }),
            }
        }
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        skipped.sort_unstable();
        classify(&mut files, &mut skipped, &self.redactor);
        let (graph, tests) = links(&files);
        let id = commit.to_string();
        let mut facts = GitFacts {
            head: Some(id[..id.len().min(12)].to_owned()),
            head_time: Some(list.time),
            ..GitFacts::default()
        };
        facts.set_commits(self.histories.of(commit));
        Some(Corpus {
            sizes: Arc::new(TokenCounts::unknown(files.len())),
            cache_writer: None,
            root: self.root.clone(),
            commit: Some(Arc::new(CommitFiles { blobs: Arc::clone(&self.blobs), root_names: list.root_names.clone() })),
            items: file_items(&files),
            files: SharedList::from(files),
            skipped: skipped.into(),
            git: Some(Arc::new(facts)),
            git_off: None,
            review: None,
            terms: Arc::clone(&self.terms),
            graph: Arc::new(graph),
            tests: Arc::new(tests),
            now: list.time,
            redactor: Arc::clone(&self.redactor),
        })
    }
}

/// Lists the files of commits.
struct Lister<'a> {
    root: &'a Path,
    blobs: &'a Blobs,
    trees: Trees,
    versions: Vec<FileVersion>,
    /// Positions in `versions`, by path.
    positions: HashMap<String, Vec<u32>>,
}

impl Lister<'_> {
    fn list(&mut self, commit: &LoggedCommit) -> FileList {
        let mut list =
            FileList { time: commit.time, versions: Vec::new(), skipped: Vec::new(), root_names: HashSet::new() };
        if let Some(tree) = self.trees.project(commit.id) {
            self.directory(tree, "", &Arc::default(), &mut list);
        }
        list
    }

    fn directory(&mut self, tree: TreeId, path: &str, parent: &Arc<IgnoreRules>, list: &mut FileList) {
        let entries = self.trees.entries(tree);
        let absolute = self.root.join(path);
        let mut texts = Vec::new();
        for name in ignore_files::NAMES {
            let entry = entries.iter().find(|entry| entry.name.as_deref() == Some(name));
            if let Some(EntryKind::File(blob)) = entry.map(|entry| entry.kind)
                && let Ok(bytes) = self.blobs.read(blob)
            {
                texts.push((name, String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
        let rules = IgnoreRules::of_texts(&absolute, &texts, parent);
        for entry in entries.iter() {
            let Some(name) = &entry.name else { continue };
            let is_dir = matches!(entry.kind, EntryKind::Directory(_));
            if path.is_empty() && !is_dir {
                list.root_names.insert(name.clone());
            }
            if NEVER.contains(&name.as_str()) || rules.ignores(&absolute.join(name), is_dir) {
                continue;
            }
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            match entry.kind {
                EntryKind::Directory(tree) => self.directory(tree, &below, &rules, list),
                EntryKind::File(blob) => list.versions.push(self.version(below, blob)),
                EntryKind::Link => list.skipped.push(SkippedFile {
                    path: crate::text::printable(&below).into_owned(),
                    why: "symbolic link".to_owned(),
                }),
            }
        }
    }

    fn version(&mut self, path: String, blob: BlobId) -> u32 {
        let known = self.positions.entry(path.clone()).or_default();
        if let Some(at) = known.iter().find(|at| self.versions[**at as usize].blob == blob) {
            return *at;
        }
        let at = self.versions.len() as u32;
        known.push(at);
        self.versions.push(FileVersion { path, blob, parsed: Err(String::new()), tokens: AtomicU32::new(UNKNOWN) });
        at
    }
}

fn check(observer: &dyn ReadObserver) -> Result<()> {
    if observer.should_continue() { Ok(()) } else { Err(Error::negative("cancelled", "")) }
}

/// Parses every version on all cores, and counts all of its terms.
fn parse(versions: &mut [FileVersion], blobs: &Blobs, limit: u64, observer: &dyn ReadObserver) -> Terms {
    static ALL: Vocabulary = Vocabulary::All;
    // Each thread takes one small chunk after another. Larger chunks would not keep all threads busy, because file
    // sizes vary too much.
    const TOGETHER: usize = 32;
    let all = versions.len();
    let parts: Mutex<Vec<&mut [FileVersion]>> = Mutex::new(versions.chunks_mut(TOGETHER).collect());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let (numbers, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |_| {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        let (mut counter, mut table) = (TermCounter::new(&ALL), CountTable::default());
        while let Some(part) = next().filter(|_| observer.should_continue()) {
            let count = part.len();
            for version in part {
                let add = |text: &str| table.add(&mut counter, text).in_table(number);
                let bytes = blobs.read(version.blob);
                version.parsed = bytes.and_then(|bytes| parse_file(&version.path, &bytes, limit, add));
            }
            observer.read(done.fetch_add(count, Ordering::Relaxed) + count, all);
        }
        table.close(&mut counter);
        (number, table)
    };
    let mut tables: Vec<(usize, CountTable)> =
        (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).map(work).collect();
    tables.sort_unstable_by_key(|(number, _)| *number);
    Terms::new(tables.into_iter().map(|(_, table)| table).collect())
}
