//! The newest commits reachable from HEAD, in git's order.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use git2::Oid;

use super::objects::Objects;

/// A commit before its changed paths are known.
pub(super) struct LogEntry {
    pub id: Oid,
    pub tree: Oid,
    pub parent: Option<Oid>,
    pub time: i64,
    pub message: String,
}

const MESSAGE_BYTES: usize = 2000;

/// The newest `cap` commits without merges, newest first. Missing parents, as in a shallow clone, are skipped.
pub(super) fn newest(head: Oid, cap: usize, objects: &Objects) -> Vec<LogEntry> {
    let read = |id| objects.read(id).ok().and_then(|bytes| CommitHeader::parse(&bytes)).map(Arc::new);
    without_merges(Log::below(head, read), cap)
}

/// The first `cap` commits of a log that are not merges.
pub(super) fn without_merges(log: impl Iterator<Item = (Oid, Arc<CommitHeader>)>, cap: usize) -> Vec<LogEntry> {
    let entry = |(id, header)| {
        let CommitHeader { tree, parents, time, message } = Arc::unwrap_or_clone(header);
        LogEntry { id, tree, parent: parents.first().copied(), time, message }
    };
    log.filter(|(_, header)| header.parents.len() < 2).take(cap).map(entry).collect()
}

/// A commit and its ancestors, newest first, merges included.
pub(super) struct Log<R> {
    /// Ordered by time. Commits with equal times stay in the order in which they were found.
    pending: BinaryHeap<PendingCommit>,
    seen: HashSet<Oid>,
    read: R,
}

impl<R: FnMut(Oid) -> Option<Arc<CommitHeader>>> Log<R> {
    /// The log from `head`; `read` returns `None` for a missing commit, which is skipped.
    pub fn below(head: Oid, read: R) -> Self {
        let mut log = Self { pending: BinaryHeap::new(), seen: HashSet::new(), read };
        log.add(head);
        log
    }

    fn add(&mut self, id: Oid) {
        if self.seen.insert(id)
            && let Some(header) = (self.read)(id)
        {
            self.pending.push(PendingCommit { time: header.time, met: Reverse(self.seen.len()), id, header });
        }
    }
}

impl<R: FnMut(Oid) -> Option<Arc<CommitHeader>>> Iterator for Log<R> {
    type Item = (Oid, Arc<CommitHeader>);

    fn next(&mut self) -> Option<Self::Item> {
        let PendingCommit { id, header, .. } = self.pending.pop()?;
        for parent in &header.parents {
            self.add(*parent);
        }
        Some((id, header))
    }
}

/// A commit in the queue.
struct PendingCommit {
    time: i64,
    met: Reverse<usize>,
    id: Oid,
    header: Arc<CommitHeader>,
}

impl PendingCommit {
    fn key(&self) -> (i64, Reverse<usize>) {
        (self.time, self.met)
    }
}

impl PartialEq for PendingCommit {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for PendingCommit {}

impl PartialOrd for PendingCommit {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PendingCommit {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// The header of a commit object.
#[derive(Clone)]
pub(super) struct CommitHeader {
    pub tree: Oid,
    pub parents: Vec<Oid>,
    pub time: i64,
    /// Truncated to about 2,000 bytes.
    pub message: String,
}

impl CommitHeader {
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (mut tree, mut parents, mut time) = (None, Vec::new(), 0);
        let mut rest = bytes;
        loop {
            let end = memchr::memchr(b'\n', rest)?;
            let line = &rest[..end];
            rest = &rest[end + 1..];
            if let Some(id) = line.strip_prefix(b"tree ") {
                tree = Some(hex(id)?);
            } else if let Some(id) = line.strip_prefix(b"parent ") {
                parents.push(hex(id)?);
            } else if let Some(who) = line.strip_prefix(b"committer ") {
                time = time_of(who).unwrap_or(0);
            } else if line.is_empty() {
                break;
            }
            // The object of a commit without a message may end after its header.
            if rest.is_empty() {
                break;
            }
        }
        let start = rest.iter().position(|byte| *byte != b'\n').unwrap_or(rest.len());
        let message = &rest[start..];
        let mut message = String::from_utf8_lossy(&message[..message.len().min(MESSAGE_BYTES * 2)]).into_owned();
        message.truncate(message.floor_char_boundary(MESSAGE_BYTES));
        Some(Self { tree: tree?, parents, time, message })
    }
}

fn hex(id: &[u8]) -> Option<Oid> {
    Oid::from_str(std::str::from_utf8(id).ok()?).ok()
}

/// The seconds in `A Name <mail> 1700000000 +0100`.
fn time_of(who: &[u8]) -> Option<i64> {
    let after = &who[memchr::memrchr(b'>', who)? + 1..];
    std::str::from_utf8(after).ok()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use git2::{Repository, Signature, Time};
    use proptest::prelude::*;

    use super::*;

    /// Creates commits, each with a time and up to two earlier commits as parents; returns the last one.
    fn history(repository: &Repository, commits: &[(i64, Option<usize>, Option<usize>)]) -> Oid {
        let mut made: Vec<Oid> = Vec::new();
        let tree = repository.find_tree(repository.treebuilder(None).unwrap().write().unwrap()).unwrap();
        for (at, (time, first, second)) in commits.iter().enumerate() {
            let who = Signature::new("Ann 12 Bob", "a@example.org", &Time::new(1_700_000_000 + time, 60)).unwrap();
            let mut parents: Vec<usize> = [first, second].into_iter().flatten().map(|back| back % at.max(1)).collect();
            parents.dedup();
            parents.retain(|_| at > 0);
            let parents: Vec<git2::Commit<'_>> =
                parents.iter().map(|parent| repository.find_commit(made[*parent]).unwrap()).collect();
            let message = format!("\n\nCommit {at}\n\nwith a body\n");
            made.push(
                repository.commit(None, &who, &who, &message, &tree, &parents.iter().collect::<Vec<_>>()).unwrap(),
            );
        }
        *made.last().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_order_is_that_of_libgit2(
            commits in prop::collection::vec((0i64..12, prop::option::weighted(0.9, 0usize..20), prop::option::weighted(0.3, 0usize..20)), 1..20),
            cap in 0usize..24,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let repository = Repository::init(dir.path()).unwrap();
            let head = history(&repository, &commits);
            let mut walk = repository.revwalk().unwrap();
            walk.push(head).unwrap();
            let plain = walk.map(|id| repository.find_commit(id.unwrap()).unwrap()).filter(|commit| commit.parent_count() < 2);
            let expected: Vec<_> = plain
                .take(cap)
                .map(|commit| (commit.id(), commit.tree_id(), commit.parent_id(0).ok(), commit.time().seconds(), commit.message().unwrap().to_owned()))
                .collect();
            let found = newest(head, cap, &Objects::open(repository.path()).unwrap());
            let found: Vec<_> = found.into_iter().map(|one| (one.id, one.tree, one.parent, one.time, one.message)).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn parsing_any_bytes_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), head in "(tree |parent |committer |\n|[0-9a-f]{40}|<a> 12){0,12}") {
            CommitHeader::parse(&bytes);
            CommitHeader::parse(head.as_bytes());
        }
    }

    #[test]
    fn a_missing_parent_is_skipped() {
        let dir = tempfile::tempdir().unwrap();
        let repository = Repository::init(dir.path()).unwrap();
        let head = history(&repository, &[(0, None, None), (1, Some(0), None), (2, Some(1), None)]);
        let first = newest(head, 9, &Objects::open(repository.path()).unwrap()).pop().unwrap().id.to_string();
        std::fs::remove_file(dir.path().join(".git/objects").join(&first[..2]).join(&first[2..])).unwrap();
        let repository = Repository::open(dir.path()).unwrap();
        let found = newest(head, 9, &Objects::open(repository.path()).unwrap());
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].parent.map(|parent| parent.to_string()), Some(first));
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let text = format!("tree {}\ncommitter A <a> nonsense\n\n{}", "0".repeat(40), "é".repeat(3_000));
        let header = CommitHeader::parse(text.as_bytes()).unwrap();
        assert_eq!((header.message.len(), header.time), (2000, 0));
        assert!(header.message.chars().all(|character| character == 'é'));
    }
}
