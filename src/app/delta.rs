//! Changes since the last delivered payload, or since the last commit, for the screen.

use std::collections::HashSet;

use crate::gather::Corpus;
use crate::gather::delta::{self, Delta, FileDelta};
use crate::gather::{git, read};
use crate::ids::{FileId, ItemId};
use crate::project::checkpoint;
use crate::project::turn::Turn;

/// Diff of a file against an earlier version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileDiff {
    /// Name of the version that the file is compared with. Empty if there is no such version; `text` is then the
    /// reason.
    pub since: String,
    /// The diff as git prints it; empty if there is none.
    pub text: String,
}

/// A delivered payload, and the changes since its delivery.
pub struct PayloadDelta {
    delta: Delta,
}

impl From<Delta> for PayloadDelta {
    fn from(delta: Delta) -> Self {
        Self { delta }
    }
}

impl From<PayloadDelta> for Delta {
    fn from(delivered: PayloadDelta) -> Self {
        delivered.delta
    }
}

impl PayloadDelta {
    /// The payload of this turn, if it was delivered.
    pub fn of(turn: &Turn, corpus: &Corpus) -> Option<Self> {
        checkpoint::load(turn).ok().flatten().map(|then| Self { delta: delta::since(corpus, &then) })
    }

    /// The changed items among the payload's sources.
    pub fn sources_changed(&self, corpus: &Corpus) -> HashSet<ItemId> {
        let sources = self.delta.files.iter().filter(|file| file.was_in_payload);
        sources.filter_map(|file| corpus.find(&file.path).map(ItemId::from)).collect()
    }

    /// The changes since the payload.
    pub fn delta(&self) -> &Delta {
        &self.delta
    }

    /// Name on the screen.
    pub fn name(&self) -> String {
        format!("turn {}", self.delta.since)
    }

    fn of_file(&self, path: &str) -> Option<&FileDelta> {
        self.delta.files.iter().find(|file| file.path == path)
    }
}

/// The items whose files changed since the payload. Without a delivered payload, the items that differ from the head
/// commit.
pub fn changed(delivered: Option<&PayloadDelta>, corpus: &Corpus) -> HashSet<ItemId> {
    if let Some(delivered) = delivered {
        return delivered.delta.files.iter().filter_map(|file| corpus.find(&file.path).map(ItemId::from)).collect();
    }
    let dirty = corpus.git.iter().flat_map(|git| &git.dirty);
    dirty.filter_map(|(path, _)| corpus.find(path).map(ItemId::from)).collect()
}

/// Name of the version that files are compared with if no payload was delivered.
pub fn last_commit(corpus: &Corpus) -> &'static str {
    let is_empty = corpus.git.as_ref().is_some_and(|git| git.head_time.is_none());
    if is_empty { "an empty repository" } else { "the last commit" }
}

/// Diff of a file since the payload, or else since the head commit. Secrets are redacted on both sides.
pub fn difference(delivered: Option<&PayloadDelta>, corpus: &Corpus, file: FileId) -> FileDiff {
    let path = &corpus.files[file].path;
    let mut lost = String::new();
    if let Some(delivered) = delivered {
        let turn = delivered.name();
        match delivered.of_file(path) {
            None => return FileDiff { since: turn, text: String::new() },
            Some(FileDelta { diff: Some(diff), .. }) => return FileDiff { since: turn, text: diff.clone() },
            Some(FileDelta { diff: None, .. }) => {
                lost = format!(" (it changed since {turn}, but git does not have that version)");
            }
        }
    }
    match git::open(&corpus.root) {
        Ok(Some(git)) => {
            let old = git.head_bytes(path).unwrap_or_default();
            let old = read::decode(path, &old).map(|decoded| decoded.text).unwrap_or_default();
            let (old, _) = corpus.redactor.redact(&old, path);
            let text = git::difference(&old, &corpus.file_text(file).shown, path);
            FileDiff { since: format!("{}{lost}", last_commit(corpus)), text }
        }
        Ok(None) if lost.is_empty() => FileDiff {
            since: String::new(),
            text: "nothing to compare with: no payload was delivered yet, and this is not a git repository".to_owned(),
        },
        Ok(None) => FileDiff { since: String::new(), text: format!("nothing to compare with{lost}") },
        Err(why) => FileDiff { since: String::new(), text: format!("git: {why}") },
    }
}

#[cfg(test)]
mod tests {
    use super::super::environment::Environment;
    use super::*;
    use crate::project::checkpoint::{Artifact, Checkpoint};

    fn git_in(root: &std::path::Path, arguments: &[&str]) -> String {
        let named = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
        let done = std::process::Command::new("git").args(named).args(arguments).current_dir(root).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    fn commit(root: &std::path::Path, message: &str) {
        git_in(root, &["add", "-A"]);
        git_in(root, &["commit", "-qm", message]);
    }

    fn corpus(root: &std::path::Path) -> Corpus {
        let env = Environment::open(Some(root)).unwrap();
        super::super::candidates::gather_texts(&env, &crate::gather::progress::NoObserver).unwrap()
    }

    fn delivered(corpus: &Corpus, sha256: &str, blob: Option<String>) -> PayloadDelta {
        let artifact = Artifact {
            path: "a.rs".to_owned(),
            sha256: sha256.to_owned(),
            blob,
            kind: checkpoint::ArtifactKind::File,
            tier: crate::place::Tier::Raw,
            tokens: None,
        };
        let then = Checkpoint { turn: "01".to_owned(), artifacts: vec![artifact], ..Checkpoint::default() };
        PayloadDelta { delta: delta::since(corpus, &then) }
    }

    #[test]
    fn a_file_is_compared_with_the_delivered_text_even_if_head_changed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let write = |text: &str| std::fs::write(root.join("a.rs"), text).unwrap();
        git_in(&root, &["init", "-q"]);
        write("one\n");
        let first = difference(None, &corpus(&root), FileId::new(0));
        assert!(first.since.contains("an empty repository") && first.text.contains("+one\n"), "{first:?}");
        commit(&root, "one");
        let now = corpus(&root);
        let (sum, blob) = (now.file_text(FileId::new(0)).sha256.clone(), git_in(&root, &["rev-parse", "HEAD:a.rs"]));
        let same = difference(Some(&delivered(&now, &sum, Some(blob.clone()))), &now, FileId::new(0));
        assert_eq!((same.since.as_str(), same.text.as_str()), ("turn 01", ""));
        write("two\n");
        commit(&root, "two");
        write("three\n");
        let now = corpus(&root);
        let then = delivered(&now, &sum, Some(blob));
        assert_eq!(
            (changed(Some(&then), &now), then.sources_changed(&now)),
            (HashSet::from([ItemId::new(0)]), HashSet::from([ItemId::new(0)]))
        );
        let since = difference(Some(&then), &now, FileId::new(0));
        assert!(since.since == "turn 01" && since.text.contains("-one\n+three\n"), "{since:?}");
        // Without a payload, or without its text, the head commit is the base.
        let head = difference(None, &now, FileId::new(0));
        assert!(head.since == "the last commit" && head.text.contains("-two\n+three\n"), "{head:?}");
        let lost = difference(Some(&delivered(&now, "00", None)), &now, FileId::new(0));
        assert!(lost.since.contains("git does not have") && lost.text.contains("-two\n+three\n"), "{lost:?}");
    }

    #[test]
    fn secrets_are_redacted_on_both_sides_of_a_diff() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let secret = |tail: &str| format!("x = 1\npassword = \"{}{tail}\"\n", "qZ7vT2mXw9");
        git_in(&root, &["init", "-q"]);
        std::fs::write(root.join("a.py"), secret("Lk4RbP")).unwrap();
        commit(&root, "one");
        std::fs::write(root.join("a.py"), secret("Hs8NcD") + "y = 2\n").unwrap();
        let shown = difference(None, &corpus(&root), FileId::new(0)).text;
        assert!(shown.contains("+y = 2") && !shown.contains("qZ7vT2mXw9"), "{shown}");
    }
}
