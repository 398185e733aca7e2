//! Recent commits with the paths they changed, cached by commit id.

use std::collections::HashMap;

use git2::Oid;
use rayon::prelude::*;
use serde::Deserialize;

use super::history_cache::CachedFile;
use super::log::LogEntry;
use super::log::newest;
use super::objects::Objects;
use super::tree_diff::TreeDiff;
use super::{Git, HistoryCache};

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Commit {
    /// Shortened id.
    pub id: String,
    /// Commit time in seconds since 1970.
    pub time: i64,
    /// Message, truncated to about 2,000 bytes.
    pub message: String,
    /// Changed paths relative to the project root; empty if there are too many to be meaningful.
    pub paths: Vec<String>,
    /// Number of changed paths; only a lower bound if there are more than `SWEEP`.
    pub touched: u32,
}

/// Recent commits.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Newest first, without merges.
    pub commits: Vec<Commit>,
    /// True if the built-in rules found no secret in any commit.
    pub clean: bool,
}

/// Maximum number of changed paths of a commit whose paths are listed. A larger commit's message says little about each
/// path.
const SWEEP: usize = 60;
/// Commits per batch and thread.
pub(super) const CHUNK: usize = 256;

impl Git {
    /// The newest `cap` commits without merges, newest first. If `wanted` returns false, the list is shorter and is not
    /// cached.
    pub fn history(&self, cap: usize, cache: Option<&HistoryCache>, wanted: &(dyn Fn() -> bool + Sync)) -> History {
        if cap == 0 {
            return History::default();
        }
        let CachedFile { head: before, checked, commits: cached } = cache.map(HistoryCache::load).unwrap_or_default();
        let Some(id) = self.repository.head().ok().and_then(|head| head.target()) else { return History::default() };
        let head = Some(id.to_string());
        // The newest ancestors of a HEAD never change. A shorter history may come from a shallow clone.
        if before == head && cached.len() == cap {
            return self.relative(cached, checked);
        }
        let git_dir = self.git_dir();
        let Ok(objects) = Objects::open(&git_dir) else { return History::default() };
        let newest = newest(id, cap, &objects);
        let mut known: HashMap<String, Commit> = cached.into_iter().map(|commit| (commit.id.clone(), commit)).collect();
        let known: Vec<Option<Commit>> = newest.iter().map(|found| known.remove(&short(found.id))).collect();
        let missing: Vec<&LogEntry> =
            newest.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(found, _)| found).collect();
        // The tree of a commit is needed again to compare its child.
        let trees: HashMap<Oid, Oid> = newest.iter().map(|found| (found.id, found.tree)).collect();
        let fresh: Vec<Vec<Option<Commit>>> = missing
            .par_chunks(CHUNK)
            .map_init(
                || Objects::open(&git_dir).ok().map(TreeDiff::new),
                |diff, some| match diff {
                    Some(diff) if wanted() => some.iter().map(|found| found.compared(&trees, diff).ok()).collect(),
                    _ => vec![None; some.len()],
                },
            )
            .collect();
        let changed = !missing.is_empty() || before != head;
        let mut fresh = fresh.into_iter().flatten();
        let commits: Vec<Commit> = known.into_iter().filter_map(|known| known.or_else(|| fresh.next()?)).collect();
        let clean = match cache {
            Some(cache) if changed && wanted() => cache.save(head.as_deref(), &commits),
            _ => !changed && checked,
        };
        self.relative(commits, clean)
    }

    /// Makes paths relative to the project's root, and removes paths outside it.
    pub(super) fn relative(&self, mut commits: Vec<Commit>, clean: bool) -> History {
        if !self.prefix.is_empty() {
            for commit in &mut commits {
                commit.paths =
                    commit.paths.iter().filter_map(|path| self.inside(path)).map(ToOwned::to_owned).collect();
            }
        }
        History { commits, clean }
    }
}

pub(super) fn short(id: Oid) -> String {
    id.to_string()[..12].to_owned()
}

impl LogEntry {
    /// The commit with its changed paths. `trees` has the trees of all listed commits.
    pub(super) fn compared(&self, trees: &HashMap<Oid, Oid>, diff: &mut TreeDiff) -> Result<Commit, git2::Error> {
        let (id, message) = (short(self.id), self.message.clone());
        let mut commit = Commit { id, time: self.time, message, paths: Vec::new(), touched: 0 };
        let tree_of = |id: Oid| trees.get(&id).copied().map_or_else(|| diff.tree_of(id), Ok);
        // At the end of a shallow clone, the parent is missing, so the changes are unknown.
        let Ok(parent) = self.parent.map(tree_of).transpose() else { return Ok(commit) };
        let (paths, more) = diff.paths(parent, self.tree, SWEEP)?;
        commit.touched = (paths.len() + usize::from(more)) as u32;
        if !more {
            commit.paths = paths;
        }
        Ok(commit)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use git2::Repository;

    use super::*;
    use crate::gather::Cache;

    fn commit(root: &Path, name: &str) {
        let repository = Repository::init(root).unwrap();
        std::fs::write(root.join(name), name).unwrap();
        let mut index = repository.index().unwrap();
        index.add_path(Path::new(name)).unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let who = git2::Signature::new("A", "a@example.org", &git2::Time::new(1_769_000_000, 0)).unwrap();
        let parent = repository.head().and_then(|head| head.peel_to_commit()).ok();
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        repository.commit(Some("HEAD"), &who, &who, &format!("Add {name}"), &tree, &parents).unwrap();
    }

    #[test]
    fn a_cached_history_belongs_to_its_head() {
        let dir = tempfile::tempdir().unwrap();
        let (root, caches) = (dir.path().join("project"), dir.path().join("cache"));
        let messages = |cap: usize| -> Vec<String> {
            let git = crate::gather::git::open(&root).unwrap().unwrap();
            let cache = HistoryCache::new(Cache { dir: &caches, keep: true }, &git.git_dir());
            let plain = git.history(cap, None, &|| true);
            assert!(!plain.clean, "not searched yet");
            // The first run writes the cache, the second one reads it.
            for _ in 0..2 {
                let History { commits, clean } = git.history(cap, Some(&cache), &|| true);
                assert_eq!(commits, plain.commits);
                assert!(clean);
            }
            plain.commits.into_iter().map(|commit| commit.message).collect()
        };
        for name in ["a", "b", "c"] {
            commit(&root, name);
        }
        assert_eq!(messages(2), ["Add c", "Add b"]);
        assert_eq!(messages(3), ["Add c", "Add b", "Add a"]);
        commit(&root, "d");
        assert_eq!(messages(2), ["Add d", "Add c"]);
        assert_eq!(messages(9), ["Add d", "Add c", "Add b", "Add a"]);
        // After a reset, the cache belongs to another HEAD.
        let repository = Repository::open(&root).unwrap();
        let before = repository.head().unwrap().peel_to_commit().unwrap().parent(0).unwrap();
        repository.reset(before.as_object(), git2::ResetType::Hard, None).unwrap();
        assert_eq!(messages(2), ["Add c", "Add b"]);
        // With the same HEAD, no object is read.
        std::fs::remove_dir_all(root.join(".git/objects")).unwrap();
        std::fs::create_dir(root.join(".git/objects")).unwrap();
        let git = crate::gather::git::open(&root).unwrap().unwrap();
        let cache = HistoryCache::new(Cache { dir: &caches, keep: true }, &git.git_dir());
        assert_eq!(git.history(2, Some(&cache), &|| true).commits.len(), 2);
        assert_eq!(git.history(2, None, &|| true).commits.len(), 0);
    }
}
