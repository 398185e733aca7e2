//! Reads the project once: walks it, classifies and reads files, extracts imports and definitions, and reads data from
//! git.
//!
//! | module | content |
//! | --- | --- |
//! | [`corpus`], [`item`] | the result: every file, every candidate, file contents on demand |
//! | [`walk`], `tree`, `ignore_files`, [`read`], [`encoding`], [`notebook`], `names`, `own_payloads` | directory walk, ignore rules, reading and
//! decoding one file, paths with secrets, teddy's own payloads |
//! | [`snapshots`], `parse_file` | the files of past commits, read from git; facts about one file |
//! | [`role`], [`docs`] | classification: code, test, configuration; README and other key documents |
//! | [`terms`], [`test_map`] | term counts per file; tests matched to sources |
//! | [`git`], [`delta`], [`changes`], [`review`], [`mod@facts`] | branch, status and history; changes since the last payload, for the next payload and
//! as paths; changes under review; build and test commands |
//! | [`evidence`], [`virtual_items`] | logs and stack traces; candidates that are not files |
//! | [`tokens`], `count` | tokenizers; token counts of all files |
//! | `file_cache`, [`progress`] | results stored between runs; progress and cancellation |

pub mod changes;
pub mod corpus;
mod count;
pub mod delta;
pub mod docs;
pub mod encoding;
pub mod evidence;
pub mod facts;
mod file_cache;
pub mod git;
mod ignore_files;
pub mod item;
mod names;
pub mod notebook;
pub(crate) mod own_payloads;
pub mod owners;
mod parse_file;
mod past_files;
pub mod progress;
pub mod read;
pub mod review;
pub mod role;
#[cfg(test)]
pub(crate) mod samples;
mod search;
pub mod snapshots;
pub mod terms;
pub mod test_map;
pub mod tokens;
mod tree;
pub mod virtual_items;
pub mod walk;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::ids::FileId;
use crate::outline::graph::{GraphNode, ImportGraph};
pub use corpus::{Corpus, SourceFile, Text};
use corpus::{SharedList, SkippedFile};
use count::TokenCounts;
use file_cache::{CacheContent, CacheWriter, CachedFiles};
use git::{GitFacts, History, HistoryCache};
use item::{Item, ItemKind, Source};
use review::Review;
use role::Role;
use terms::{TermId, Terms, Vocabulary};
use test_map::TestMap;
use walk::{Walk, WalkResult};

use crate::error::{Error, Result};
use crate::project::clock;
use crate::redact::Policy;

/// Settings of one scan.
pub struct Gather<'a> {
    /// The files to walk.
    pub walk: Walk<'a>,
    /// Number of commits of history to read.
    pub history_commits: usize,
    /// Cache directory for history and files; `None` disables caching.
    pub cache: Option<Cache<'a>>,
    /// The commit that the working tree is compared with, in a review.
    pub base: Option<&'a str>,
    /// Finds secrets.
    pub redactor: Arc<Policy>,
}

/// The user's cache directory.
#[derive(Debug, Clone, Copy)]
pub struct Cache<'a> {
    /// The directory.
    pub dir: &'a Path,
    /// True to write new results, false to only read them.
    pub keep: bool,
}

/// The cache is written again only if more than one file in a hundred, plus this number of files, had to be read.
const FEW: usize = 20;

impl Gather<'_> {
    /// Runs the scan.
    pub fn run(self) -> Result<Corpus> {
        let root = self.walk.root;
        let began = SystemTime::now();
        let observer = self.walk.observer;
        // git and the walk do not depend on each other, so they run in parallel.
        let (walked, git) = std::thread::scope(|scope| {
            let git = scope.spawn(|| self.read_git());
            scope.spawn(|| self.redactor.prepare());
            (self.files(), git.join().unwrap_or_else(|_| Err("cannot read the repository".to_owned())))
        });
        let (git, git_off) = match git {
            Ok(git) => (git, None),
            Err(why) => (None, Some(why)),
        };
        let WalkedFiles { walked, counted, worth_keeping } = walked?;
        let WalkResult { mut files, mut skipped, tables, binary, .. } = walked;
        classify(&mut files, &mut skipped, &self.redactor);
        let skips = self.walk.skips_deleted()?;
        let (facts, (graph, tests)) =
            rayon::join(|| git.map(|git| facts(git, root, &files, &self.redactor, &skips)), || links(&files));
        let now = clock::now()?;
        progress::still_wanted(observer)?;
        let items = file_items(&files);
        let (files, terms) = (SharedList::from(files), Arc::new(Terms::new(tables)));
        let cache_writer = self.cache.filter(|cache| cache.keep && worth_keeping).map(|cache| {
            let redactor = Arc::clone(&self.redactor);
            let kept =
                CacheContent { files: files.clone(), terms: Arc::clone(&terms), counted, binary, began, redactor };
            Arc::new(CacheWriter::start(cache.dir, root, kept))
        });
        let mut corpus = Corpus {
            sizes: Arc::new(TokenCounts::unknown(files.len())),
            cache_writer,
            root: root.to_path_buf(),
            commit: None,
            items,
            files,
            skipped: skipped.into(),
            git: facts.map(Arc::new),
            git_off,
            terms,
            graph: Arc::new(graph),
            tests: Arc::new(tests),
            now,
            review: None,
            redactor: self.redactor,
        };
        corpus.review = review_of(&corpus, self.base, &skips)?.map(Arc::new);
        Ok(corpus)
    }
}

/// Result of the walk, and how to cache it.
struct WalkedFiles {
    walked: WalkResult,
    /// The counted terms; `None` for all.
    counted: Option<Vec<TermId>>,
    /// True if enough files are missing from the cache to rewrite it.
    worth_keeping: bool,
}

/// Data from git that does not depend on the walk.
struct GitSnapshot {
    head: GitFacts,
    history: History,
    tracked: Option<git::IndexSnapshot>,
}

impl Gather<'_> {
    fn read_git(&self) -> std::result::Result<Option<GitSnapshot>, String> {
        let Some(git) = git::open(self.walk.root)? else { return Ok(None) };
        let cache = self.cache.map(|cache| HistoryCache::new(cache, &git.git_dir()));
        let history = git.history(self.history_commits, cache.as_ref(), &|| self.walk.observer.should_continue());
        Ok(Some(GitSnapshot { head: git.facts(), history, tracked: git.tracked() }))
    }

    /// Walks the project, reusing cached results.
    fn files(&self) -> Result<WalkedFiles> {
        static ALL: Vocabulary = Vocabulary::All;
        let cached = self.cache.and_then(|cache| file_cache::read(cache.dir, self.walk.root));
        let cached = cached.and_then(CachedFiles::parse);
        let answers = |known: &CachedFiles| known.answers(self.walk.vocabulary);
        // After a second task, a third one is likely, so all words are counted from then on.
        let count_all = cached.as_ref().is_some_and(|(known, _)| known.has_all_words() || !answers(known));
        let (known, table) = cached.filter(|(known, _)| answers(known)).unzip();
        let keeps = self.cache.is_some_and(|cache| cache.keep);
        let vocabulary = if keeps && count_all { &ALL } else { self.walk.vocabulary };
        let few = known.as_ref().map_or(0, |known| known.len() / 100 + FEW);
        let walked = Walk { vocabulary, ..self.walk }.run_with_cache(known, table)?;
        let worth_keeping = walked.fresh > few;
        Ok(WalkedFiles { walked, counted: vocabulary.terms(), worth_keeping })
    }
}

fn file_items(files: &[SourceFile]) -> Vec<Item> {
    let item = |(index, file): (usize, &SourceFile)| {
        let kind = if docs::is_contract(&file.path) { ItemKind::Doc } else { ItemKind::File };
        Item { kind, path: file.path.clone(), source: Source::File(FileId::new(index)), about: None }
    };
    files.iter().enumerate().map(item).collect()
}

/// Gives every file its role, and removes files whose paths contain secrets.
fn classify(files: &mut Vec<SourceFile>, skipped: &mut Vec<SkippedFile>, redactor: &Policy) {
    let (secret, roles) = rayon::join(|| names::hold_secret(files, skipped, redactor), || roles_of(files));
    let roles = if secret {
        names::withhold(files, skipped, redactor);
        roles_of(files)
    } else {
        roles
    };
    for (file, role) in files.iter_mut().zip(roles) {
        // A marker inside the file takes precedence over its name.
        if file.role != Role::Generated {
            file.role = role;
        }
    }
}

/// The references between files: imports, and tests of sources.
fn links(files: &[SourceFile]) -> (ImportGraph, TestMap) {
    rayon::join(|| ImportGraph::build(&nodes(files)), || tests(files))
}

/// The changes since the base, if there is one.
fn review_of(corpus: &Corpus, base: Option<&str>, skips: &dyn Fn(&str) -> bool) -> Result<Option<Review>> {
    let Some(base) = base else { return Ok(None) };
    let git = git::open(&corpus.root).map_err(Error::Git)?.ok_or_else(|| Error::Git("no repository".to_owned()))?;
    Review::new(corpus, &git, base, skips).map(Some).map_err(Error::Git)
}

fn nodes(files: &[SourceFile]) -> Vec<GraphNode<'_>> {
    files.iter().map(|file| GraphNode { path: &file.path, language: file.language, imports: &file.imports }).collect()
}

fn tests(files: &[SourceFile]) -> TestMap {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let roles: Vec<Role> = files.iter().map(|file| file.role).collect();
    TestMap::build(&paths, &roles)
}

/// Completes the git data with the files that the walk has found on disk.
fn facts(
    git: GitSnapshot,
    root: &Path,
    files: &[SourceFile],
    redactor: &Policy,
    skips: &impl Fn(&str) -> bool,
) -> GitFacts {
    let GitSnapshot { head: mut facts, history: History { commits, clean }, tracked } = git;
    let seen: HashMap<&str, git::FileStat> =
        files.iter().map(|file| (file.path.as_str(), (file.bytes, file.modified))).collect();
    facts.dirty = tracked.map(|tracked| tracked.dirty(root, &seen)).unwrap_or_default();
    // Staged and deleted files follow the same ignore rules, because their diffs show their text.
    let is_gone = |path: &str| root.join(path).symlink_metadata().is_err();
    facts.dirty.retain(|(path, _)| seen.contains_key(path.as_str()) || (is_gone(path) && !skips(path)));
    facts.set_commits(commits);
    names::withhold_from_facts(&mut facts, redactor);
    if !clean || redactor.finds_more_than_builtin() {
        names::withhold_from_commits(&mut facts.commits, redactor);
    }
    facts
}

/// The role of each file, which depends on the names of all files.
fn roles_of(files: &[SourceFile]) -> Vec<Role> {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let languages: Vec<_> = files.iter().map(|file| file.language).collect();
    role::roles(&paths, &languages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_commits_are_searched_again_with_custom_rules() {
        let rules = "rules:\n  - id: reference\n    regex: 'ABCXYZ-[0-9]{6}'\n";
        let message = |policy: &Policy, clean| {
            let commit = git::Commit {
                id: "0123456789ab".to_owned(),
                time: 5,
                message: "Close ABCXYZ-123456".to_owned(),
                paths: Vec::new(),
                touched: 0,
            };
            let history = History { commits: vec![commit], clean };
            let git = GitSnapshot { head: GitFacts::default(), history, tracked: None };
            facts(git, Path::new(""), &[], policy, &|_: &str| false).commits.remove(0).message
        };
        let own = Policy::new(Some(rules), &[]).unwrap();
        assert_eq!(message(&own, true), "Close [REDACTED:reference]");
        assert_eq!(message(&own, false), "Close [REDACTED:reference]");
        assert_eq!(message(&Policy::default(), true), "Close ABCXYZ-123456");
    }
}
