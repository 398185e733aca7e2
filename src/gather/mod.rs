//! Reads the world once: walk, classify, read, find imports and names, ask git.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`corpus`], [`item`] | what was read: every file, every candidate, and texts on demand |
//! | [`walk`], `tree`, `ignore_files`, [`read`], `names`, `own_payloads` | listing directories, finding files, reading one, leaving out what must not be read or named, and payloads |
//! | [`language`], [`role`], [`docs`] | what a file is written in, what it is for, which are the contract |
//! | [`code`], [`terms`] | imports, names, tests and definitions; words and how often they are said |
//! | [`git`], [`delta`], [`mod@facts`] | branch, changes and history; what changed since the last payload; how the project is built |
//! | [`evidence`], [`virtual_items`] | logs and traces; candidates that are not files |
//! | [`tokens`], `count` | what a text costs, and counting all of them |
//! | `file_cache`, [`progress`] | what is kept between runs; who waits for a scan |

pub mod corpus;
mod count;
pub mod delta;
pub mod docs;
pub mod evidence;
pub mod facts;
mod file_cache;
pub mod git;
mod ignore_files;
pub mod item;
mod names;
pub(crate) mod own_payloads;
pub mod progress;
pub mod read;
pub mod role;
#[cfg(test)]
pub(crate) mod samples;
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
use corpus::Shared;
pub use corpus::{Corpus, SourceFile, Text};
use count::Sizes;
use file_cache::{Keeping, Kept, Known};
use git::{GitFacts, History, HistoryCache};
use item::{Item, ItemKind, Source};
use role::Role;
use terms::{TermId, Terms, Vocabulary};
use test_map::TestMap;
use walk::{Walk, Walked};

use crate::error::Result;
use crate::project::clock;
use crate::redact::Policy;

/// What to gather and how.
pub struct Gather<'a> {
    /// What to walk.
    pub walk: Walk<'a>,
    /// How many past commits to look at.
    pub history_commits: usize,
    /// Where commits and files are remembered between runs; `None` remembers nothing.
    pub cache: Option<Cache<'a>>,
    /// Finds secrets.
    pub redactor: Arc<Policy>,
}

/// The user's cache.
#[derive(Debug, Clone, Copy)]
pub struct Cache<'a> {
    /// Where it is.
    pub dir: &'a Path,
    /// Whether it may be written, or only read.
    pub keep: bool,
}

/// A cache lacks so few files before it is worth writing it again: one in a hundred, and some.
const FEW: usize = 20;

impl Gather<'_> {
    /// Gathers.
    pub fn run(self) -> Result<Corpus> {
        let root = self.walk.root;
        let began = SystemTime::now();
        let observer = self.walk.observer;
        // git needs no file and the walk no history: side by side.
        let (walked, git) = std::thread::scope(|scope| {
            let git = scope.spawn(|| self.ask_git());
            scope.spawn(|| self.redactor.prepare());
            (self.files(), git.join().unwrap_or_else(|_| Err("reading the repository failed".to_owned())))
        });
        let (git, git_off) = match git {
            Ok(git) => (git, None),
            Err(why) => (None, Some(why)),
        };
        let Files { walked, counted, worth_keeping } = walked?;
        let Walked { mut files, mut skipped, sheets, binary, .. } = walked;
        let (secret, roles) = rayon::join(|| names::hold_secret(&files, &skipped, &self.redactor), || roles_of(&files));
        let roles = if secret {
            names::withhold(&mut files, &mut skipped, &self.redactor);
            roles_of(&files)
        } else {
            roles
        };
        for (file, role) in files.iter_mut().zip(roles) {
            // What a file says about itself beats what its name suggests.
            if file.role != Role::Generated {
                file.role = role;
            }
        }
        let leaves_out = self.walk.leaves_out_gone()?;
        let (facts, (graph, tests)) = rayon::join(
            || git.map(|git| facts(git, root, &files, &self.redactor, leaves_out)),
            || rayon::join(|| ImportGraph::build(&nodes(&files)), || tests(&files)),
        );
        let now = match clock::source_date_epoch()? {
            Some(epoch) => epoch,
            None => facts.as_ref().and_then(|facts| facts.head_time).map_or_else(clock::now, Ok)?,
        };
        progress::still_wanted(observer)?;
        let items = files.iter().enumerate().map(|(index, file)| file_item(index, file)).collect();
        let (files, terms) = (Shared::from(files), Arc::new(Terms::new(sheets)));
        let keeping = self.cache.filter(|cache| cache.keep && worth_keeping).map(|cache| {
            let redactor = Arc::clone(&self.redactor);
            let kept = Kept { files: files.clone(), terms: Arc::clone(&terms), counted, binary, began, redactor };
            Arc::new(Keeping::start(cache.dir, root, kept))
        });
        Ok(Corpus {
            sizes: Arc::new(Sizes::unknown(files.len())),
            keeping,
            root: root.to_path_buf(),
            items,
            files,
            skipped: skipped.into(),
            git: facts.map(Arc::new),
            git_off,
            terms,
            graph: Arc::new(graph),
            tests: Arc::new(tests),
            now,
            redactor: self.redactor,
        })
    }
}

/// What the walk found, and what to make of it for the next one.
struct Files {
    walked: Walked,
    /// The words that were counted; `None` is all of them.
    counted: Option<Vec<TermId>>,
    /// Whether the cache lacks so much of it that it should be written again.
    worth_keeping: bool,
}

/// What git tells without a look at the files.
struct FromGit {
    head: GitFacts,
    history: History,
    tracked: Option<git::Tracked>,
}

impl Gather<'_> {
    fn ask_git(&self) -> std::result::Result<Option<FromGit>, String> {
        let Some(git) = git::open(self.walk.root)? else { return Ok(None) };
        let cache = self.cache.map(|cache| HistoryCache::new(cache, &git.git_dir()));
        let history = git.history(self.history_commits, cache.as_ref(), &|| self.walk.observer.wanted());
        Ok(Some(FromGit { head: git.facts(), history, tracked: git.tracked() }))
    }

    /// Walks with the help of what earlier walks found.
    fn files(&self) -> Result<Files> {
        static ALL: Vocabulary = Vocabulary::All;
        let remembered = self.cache.and_then(|cache| file_cache::read(cache.dir, self.walk.root));
        let remembered = remembered.as_deref().and_then(Known::parse);
        let answers = |known: &Known<'_>| known.answers(self.walk.vocabulary);
        // Whoever asks about other words than those of the first time will do so again; and what is kept is counted alike.
        let count_all = remembered.as_ref().is_some_and(|(known, _)| known.has_all_words() || !answers(known));
        let (known, sheet) = remembered.filter(|(known, _)| answers(known)).unzip();
        let keeps = self.cache.is_some_and(|cache| cache.keep);
        let vocabulary = if keeps && count_all { &ALL } else { self.walk.vocabulary };
        let walked = Walk { vocabulary, ..self.walk }.run_knowing(known.as_ref(), sheet)?;
        let worth_keeping = walked.fresh > known.as_ref().map_or(0, |known| known.len() / 100 + FEW);
        Ok(Files { walked, counted: vocabulary.terms(), worth_keeping })
    }
}

fn file_item(index: usize, file: &SourceFile) -> Item {
    let kind = if docs::is_contract(&file.path) { ItemKind::Doc } else { ItemKind::File };
    Item { kind, path: file.path.clone(), source: Source::File(FileId::new(index)), about: None }
}

fn nodes(files: &[SourceFile]) -> Vec<GraphNode<'_>> {
    files.iter().map(|file| GraphNode { path: &file.path, language: file.language, imports: &file.imports }).collect()
}

fn tests(files: &[SourceFile]) -> TestMap {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let roles: Vec<Role> = files.iter().map(|file| file.role).collect();
    TestMap::build(&paths, &roles)
}

/// What git knows, with what it takes the walk to tell.
fn facts(
    git: FromGit,
    root: &Path,
    files: &[SourceFile],
    redactor: &Policy,
    leaves_out: impl Fn(&str) -> bool,
) -> GitFacts {
    let FromGit { head: mut facts, history: History { commits, clean }, tracked } = git;
    let seen: HashMap<&str, git::Stat> =
        files.iter().map(|file| (file.path.as_str(), (file.bytes, file.modified))).collect();
    facts.dirty = tracked.map(|tracked| tracked.dirty(root, &seen)).unwrap_or_default();
    // What is staged or gone obeys the same rules as what is there: a change shows the text.
    let is_gone = |path: &str| root.join(path).symlink_metadata().is_err();
    facts.dirty.retain(|(path, _)| seen.contains_key(path.as_str()) || (is_gone(path) && !leaves_out(path)));
    for commit in &commits {
        for path in &commit.paths {
            // Newest first, so the first mention is the last touch.
            facts.last_touched.entry(path.clone()).or_insert(commit.time);
        }
    }
    facts.commits = commits;
    names::withhold_from_facts(&mut facts, redactor);
    if !clean || redactor.finds_more_than_builtin() {
        names::withhold_from_commits(&mut facts.commits, redactor);
    }
    facts
}

/// The role of each file, judged by its name among all of them.
fn roles_of(files: &[SourceFile]) -> Vec<Role> {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let languages: Vec<_> = files.iter().map(|file| file.language).collect();
    role::roles(&paths, &languages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_passed_the_usual_rules_is_searched_by_the_persons_own() {
        let rules = "rules:\n  - id: reference\n    regex: 'ABCXYZ-[0-9]{6}'\n";
        let told = |policy: &Policy, clean| {
            let commit = git::Commit {
                id: "0123456789ab".to_owned(),
                time: 5,
                message: "Close ABCXYZ-123456".to_owned(),
                paths: Vec::new(),
                touched: 0,
            };
            let history = History { commits: vec![commit], clean };
            let git = FromGit { head: GitFacts::default(), history, tracked: None };
            facts(git, Path::new(""), &[], policy, |_| false).commits.remove(0).message
        };
        let own = Policy::new(Some(rules), &[]).unwrap();
        assert_eq!(told(&own, true), "Close [REDACTED:reference]");
        assert_eq!(told(&own, false), "Close [REDACTED:reference]");
        assert_eq!(told(&Policy::default(), true), "Close ABCXYZ-123456");
    }
}
