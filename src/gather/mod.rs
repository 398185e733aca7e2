//! Reads the world once: walk, classify, read, find imports and names, ask git.

pub mod code;
pub mod corpus;
pub mod delta;
pub mod docs;
pub mod evidence;
pub mod extra;
pub mod facts;
pub mod git;
mod ignore_files;
pub mod item;
pub mod language;
mod names;
pub mod onlooker;
pub mod read;
pub mod role;
pub mod terms;
pub mod tokens;
pub mod walk;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use code::graph::{ImportGraph, Node};
use code::test_map::TestMap;
pub use corpus::{Corpus, SourceFile, Text};
use git::{GitFacts, HistoryCache};
use item::{Item, ItemKind, Source};
use role::Role;
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
    /// Where commits are remembered between runs; `None` remembers nothing.
    pub cache_dir: Option<&'a Path>,
    /// Finds secrets.
    pub redactor: Arc<Policy>,
}

impl Gather<'_> {
    /// Gathers.
    pub fn run(self) -> Result<Corpus> {
        let root = self.walk.root;
        let (git, git_off) = match git::open(root) {
            Ok(git) => (git, None),
            Err(why) => (None, Some(why)),
        };
        let cache = git.as_ref().zip(self.cache_dir).map(|(git, dir)| HistoryCache::new(dir, &git.git_dir()));
        // The history needs no file and the walk no history: side by side.
        let cap = self.history_commits;
        let (walked, commits) = std::thread::scope(|scope| {
            let history = git.is_some().then(|| {
                scope.spawn(|| match git::open(root) {
                    Ok(Some(git)) => git.history(cap, cache.as_ref(), &|| self.walk.onlooker.wanted()),
                    _ => Vec::new(),
                })
            });
            let walked = self.walk.run();
            (walked, history.and_then(|history| history.join().ok()).unwrap_or_default())
        });
        let Walked { mut files, mut skipped } = walked?;
        let onlooker = self.walk.onlooker;
        names::withhold(&mut files, &mut skipped, &self.redactor);
        let mut facts = git.as_ref().map(|git| facts(git, root, &files, commits));
        if let Some(facts) = &mut facts {
            names::withhold_from_facts(facts, &self.redactor);
        }
        let now = match clock::source_date_epoch()? {
            Some(epoch) => epoch,
            None => facts.as_ref().and_then(|facts| facts.head_time).map_or_else(clock::now, Ok)?,
        };
        onlooker::still_wanted(onlooker)?;
        judge_roles(&mut files);
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let roles: Vec<Role> = files.iter().map(|file| file.role).collect();
        let tests = TestMap::build(&paths, &roles);
        let nodes: Vec<Node<'_>> = files
            .iter()
            .map(|file| Node { path: &file.path, language: file.language, imports: &file.imports })
            .collect();
        onlooker::still_wanted(onlooker)?;
        let graph = ImportGraph::build(&nodes);
        let items = files.iter().enumerate().map(|(index, file)| file_item(index, file)).collect();
        Ok(Corpus {
            root: root.to_path_buf(),
            items,
            files: files.into(),
            skipped: skipped.into(),
            git: facts.map(Arc::new),
            git_off,
            graph: Arc::new(graph),
            tests: Arc::new(tests),
            now,
            redactor: self.redactor,
        })
    }
}

fn file_item(index: usize, file: &SourceFile) -> Item {
    let kind = if docs::is_contract(&file.path) { ItemKind::Doc } else { ItemKind::File };
    Item { kind, path: file.path.clone(), source: Source::File(index as u32), about: None }
}

fn facts(git: &git::Git, root: &Path, files: &[SourceFile], commits: Vec<git::Commit>) -> GitFacts {
    let mut facts = git.facts();
    let seen: HashMap<&str, git::Stat> =
        files.iter().map(|file| (file.path.as_str(), (file.bytes, file.modified))).collect();
    facts.dirty = git.dirty(root, &seen);
    for commit in &commits {
        for path in &commit.paths {
            // Newest first, so the first mention is the last touch.
            facts.last_touched.entry(path.clone()).or_insert(commit.time);
        }
    }
    facts.commits = commits;
    facts
}

fn judge_roles(files: &mut [SourceFile]) {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let languages: Vec<_> = files.iter().map(|file| file.language).collect();
    let roles = role::roles(&paths, &languages);
    for (file, role) in files.iter_mut().zip(roles) {
        // What a file says about itself beats what its name suggests.
        if file.role != Role::Generated {
            file.role = role;
        }
    }
}
