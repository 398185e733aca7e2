//! The histories of several commits. Ancestors that they share are read once.

use std::collections::HashMap;
use std::sync::Arc;

use git2::Oid;
use rayon::prelude::*;

use super::history::{CHUNK, short};
use super::log::{CommitHeader, Log, LogEntry, without_merges};
use super::objects::Objects;
use super::tree_diff::TreeDiff;
use super::{Commit, CommitId, Git};

/// For each requested commit, the commit itself and its newest ancestors.
pub struct Histories {
    /// Every commit once.
    commits: Vec<Commit>,
    /// Positions in `commits`, newest first.
    lists: HashMap<CommitId, Vec<u32>>,
}

impl Histories {
    /// All commits, for redacting their messages.
    pub fn commits_mut(&mut self) -> &mut Vec<Commit> {
        &mut self.commits
    }

    /// A commit and its ancestors, newest first, without merges.
    pub fn of(&self, commit: CommitId) -> Vec<Commit> {
        let list = self.lists.get(&commit).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|at| self.commits.get(*at as usize).cloned()).collect()
    }
}

impl Git {
    /// The newest `cap` commits of each history. A history contains only the commit and its ancestors.
    pub fn histories(&self, of: &[CommitId], cap: usize, wanted: &(dyn Fn() -> bool + Sync)) -> Histories {
        let git_dir = self.git_dir();
        let mut histories = Histories { commits: Vec::new(), lists: HashMap::new() };
        let Ok(objects) = Objects::open(&git_dir) else { return histories };
        let mut headers: HashMap<Oid, Option<Arc<CommitHeader>>> = HashMap::new();
        let mut entries: Vec<LogEntry> = Vec::new();
        let mut positions: HashMap<Oid, u32> = HashMap::new();
        for commit in of {
            let read = |id| {
                let parsed = || objects.read(id).ok().and_then(|bytes| CommitHeader::parse(&bytes)).map(Arc::new);
                headers.entry(id).or_insert_with(parsed).clone()
            };
            let newest = without_merges(Log::below(commit.0, read), cap);
            let position = |entry: LogEntry| {
                *positions.entry(entry.id).or_insert_with(|| {
                    entries.push(entry);
                    entries.len() as u32 - 1
                })
            };
            histories.lists.insert(*commit, newest.into_iter().map(position).collect());
        }
        let trees: HashMap<Oid, Oid> = entries.iter().map(|entry| (entry.id, entry.tree)).collect();
        let read: Vec<Vec<Commit>> = entries
            .par_chunks(CHUNK)
            .map_init(
                || Objects::open(&git_dir).ok().map(TreeDiff::new),
                |diff, some| {
                    let commit = |entry: &LogEntry| {
                        let compared = diff.as_mut().filter(|_| wanted()).map(|diff| entry.compared(&trees, diff));
                        compared.and_then(Result::ok).unwrap_or_else(|| Commit {
                            id: short(entry.id),
                            time: entry.time,
                            message: entry.message.clone(),
                            paths: Vec::new(),
                            touched: 0,
                        })
                    };
                    some.iter().map(commit).collect()
                },
            )
            .collect();
        histories.commits = self.relative(read.into_iter().flatten().collect(), false).commits;
        histories
    }
}
