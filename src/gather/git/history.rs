//! Past commits with the files they touched, within a cap, remembered by commit id.

use std::collections::HashMap;

use git2::Oid;
use rayon::prelude::*;
use serde::Deserialize;

use super::history_cache::CachedFile;
use super::log::{Found, newest};
use super::objects::Objects;
use super::tree_diff::TreeDiff;
use super::{Git, HistoryCache};

/// One past commit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Commit {
    /// Its id, shortened.
    pub id: String,
    /// Its time, in seconds since 1970.
    pub time: i64,
    /// Its message, cut after some 2,000 bytes.
    pub message: String,
    /// The paths it touched, relative to the project's root; empty when there are too many to mean anything.
    pub paths: Vec<String>,
    /// How many paths it touched in all; for a sweep only that it was too many.
    pub touched: u32,
}

/// The newest commits.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Newest first, merges left out.
    pub commits: Vec<Commit>,
    /// Whether the built-in rules were asked already, and found no secret in any of them.
    pub clean: bool,
}

/// A commit that touches more paths than this is a sweep: its paths say nothing about its message.
const SWEEP: usize = 60;
/// Commits looked at in one go on one thread.
const CHUNK: usize = 256;

impl Git {
    /// The newest `cap` commits that are no merges, newest first; fewer, and none of them remembered, once `wanted` says no.
    pub fn history(&self, cap: usize, cache: Option<&HistoryCache>, wanted: &(dyn Fn() -> bool + Sync)) -> History {
        if cap == 0 {
            return History::default();
        }
        let CachedFile { head: before, checked, commits: remembered } =
            cache.map(HistoryCache::load).unwrap_or_default();
        let Some(id) = self.repository.head().ok().and_then(|head| head.target()) else { return History::default() };
        let head = Some(id.to_string());
        // Which commits are the newest under a head never changes. A history that is shorter than asked for may have been cut off.
        if before == head && remembered.len() == cap {
            return self.relative(remembered, checked);
        }
        let git_dir = self.git_dir();
        let Ok(objects) = Objects::open(&git_dir) else { return History::default() };
        let newest = newest(id, cap, &objects);
        let mut known: HashMap<String, Commit> =
            remembered.into_iter().map(|commit| (commit.id.clone(), commit)).collect();
        let known: Vec<Option<Commit>> = newest.iter().map(|found| known.remove(&short(found.id))).collect();
        let missing: Vec<&Found> =
            newest.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(found, _)| found).collect();
        // A commit's tree is asked for as its own and as its child's parent's.
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

    /// The commits with paths relative to the project's root; those outside it drop out.
    fn relative(&self, mut commits: Vec<Commit>, clean: bool) -> History {
        if !self.prefix.is_empty() {
            for commit in &mut commits {
                commit.paths =
                    commit.paths.iter().filter_map(|path| self.inside(path)).map(ToOwned::to_owned).collect();
            }
        }
        History { commits, clean }
    }
}

fn short(id: Oid) -> String {
    id.to_string()[..12].to_owned()
}

impl Found {
    /// The commit with the paths that it touched; `trees` are those of the commits that were found.
    fn compared(&self, trees: &HashMap<Oid, Oid>, diff: &mut TreeDiff) -> Result<Commit, git2::Error> {
        let (id, message) = (short(self.id), self.message.clone());
        let mut commit = Commit { id, time: self.time, message, paths: Vec::new(), touched: 0 };
        let tree_of = |id: Oid| trees.get(&id).copied().map_or_else(|| diff.tree_of(id), Ok);
        // Where a shallow clone ends, the parent is named but not there: what the commit changed cannot be told.
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
    fn a_remembered_history_is_that_of_the_head() {
        let dir = tempfile::tempdir().unwrap();
        let (root, caches) = (dir.path().join("project"), dir.path().join("cache"));
        let told = |cap: usize| -> Vec<String> {
            let git = crate::gather::git::open(&root).unwrap().unwrap();
            let cache = HistoryCache::new(Cache { dir: &caches, keep: true }, &git.git_dir());
            let plain = git.history(cap, None, &|| true);
            assert!(!plain.clean, "nobody looked");
            // Written, then read.
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
        assert_eq!(told(2), ["Add c", "Add b"]);
        assert_eq!(told(3), ["Add c", "Add b", "Add a"]);
        commit(&root, "d");
        assert_eq!(told(2), ["Add d", "Add c"]);
        assert_eq!(told(9), ["Add d", "Add c", "Add b", "Add a"]);
        // Back to where it was: what is remembered belongs to another head.
        let repository = Repository::open(&root).unwrap();
        let before = repository.head().unwrap().peel_to_commit().unwrap().parent(0).unwrap();
        repository.reset(before.as_object(), git2::ResetType::Hard, None).unwrap();
        assert_eq!(told(2), ["Add c", "Add b"]);
        // Under the same head git is not asked for a single commit.
        std::fs::remove_dir_all(root.join(".git/objects")).unwrap();
        std::fs::create_dir(root.join(".git/objects")).unwrap();
        let git = crate::gather::git::open(&root).unwrap().unwrap();
        let cache = HistoryCache::new(Cache { dir: &caches, keep: true }, &git.git_dir());
        assert_eq!(git.history(2, Some(&cache), &|| true).commits.len(), 2);
        assert_eq!(git.history(2, None, &|| true).commits.len(), 0);
    }
}
