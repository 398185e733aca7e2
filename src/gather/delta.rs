//! Changes since the last delivered payload, detected by content, with a diff where git still has the delivered
//! version.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::corpus::{Corpus, count_lines};
use super::git;
use super::item::{Item, ItemKind, Source};
use super::past_files::{PastFiles, PastState, is_own};
use super::read;
use crate::project::checkpoint::Checkpoint;
use crate::text::{counted, hex, printable, thousands};

/// Maximum number of files listed by name.
const LISTED: usize = 200;

/// Kind of change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeKind {
    /// Content changed.
    Changed,
    /// New file.
    Added,
    /// Deleted file.
    Removed,
    /// Same content under another name.
    Renamed {
        /// Previous path.
        from: String,
    },
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDelta {
    /// The path; for a deleted file, its former path.
    pub path: String,
    /// Kind of change.
    pub kind: ChangeKind,
    /// The diff with secrets redacted, if the delivered version is known.
    pub diff: Option<String>,
    /// True if the payload contained or linked the file.
    pub was_in_payload: bool,
}

/// All changes since a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    /// Turn of the payload to compare with.
    pub since: String,
    /// Files of the payload first, then by path.
    pub files: Vec<FileDelta>,
}

/// A file as it is now.
struct PresentFile {
    bytes: Vec<u8>,
    blob: Option<String>,
}

/// Compares the delivered state with the gathered one.
pub fn since(corpus: &Corpus, delivered: &Checkpoint) -> Delta {
    let git = git::open(&corpus.root).ok().flatten();
    let past = PastFiles::new(git.as_ref(), delivered);
    let mut delta = Delta { since: delivered.turn.clone(), files: Vec::new() };
    let mut gone: BTreeMap<String, PastState> = BTreeMap::new();
    let mut added: BTreeMap<String, PresentFile> = BTreeMap::new();
    for path in candidates(&past, corpus) {
        match (past.of(&path), now(corpus, &path)) {
            (PastState::Unknown, _) | (PastState::Absent, None) => {}
            (PastState::Absent, Some(now)) => drop(added.insert(path, now)),
            (before @ PastState::Present { .. }, None) => {
                // A file that exists but is no longer a candidate (ignored, binary, too large) was not deleted.
                if std::fs::symlink_metadata(corpus.root.join(&path)).is_err() {
                    gone.insert(path, before);
                }
            }
            (PastState::Present { blob, sha256 }, Some(now)) => {
                if !same(blob.as_deref(), sha256.as_deref(), &now) {
                    let diff = diff(&past, corpus, &path, blob.as_deref(), &now.bytes);
                    delta.push(&past, path, ChangeKind::Changed, diff);
                }
            }
        }
    }
    for (path, now) in added {
        let twin = gone.iter().find(|(_, before)| match before {
            PastState::Present { blob, sha256 } => same(blob.as_deref(), sha256.as_deref(), &now),
            _ => false,
        });
        match twin.map(|(from, _)| from.clone()) {
            Some(from) => {
                gone.remove(&from);
                delta.push(&past, path, ChangeKind::Renamed { from }, None);
            }
            None => delta.push(&past, path, ChangeKind::Added, None),
        }
    }
    for path in gone.into_keys() {
        delta.push(&past, path, ChangeKind::Removed, None);
    }
    delta.files.sort_by(|a, b| b.was_in_payload.cmp(&a.was_in_payload).then_with(|| a.path.cmp(&b.path)));
    delta
}

/// Returns true if two versions have the same content, or cannot be compared.
fn same(blob: Option<&str>, sha256: Option<&str>, now: &PresentFile) -> bool {
    match (sha256, blob, &now.blob) {
        (Some(sha256), ..) => hex(&Sha256::digest(&now.bytes)) == sha256,
        (None, Some(blob), Some(now)) => blob == now,
        _ => true,
    }
}

fn now(corpus: &Corpus, path: &str) -> Option<PresentFile> {
    corpus.find(path)?;
    let bytes = read::read_bytes(&corpus.root, path, u64::MAX).ok()?;
    let blob = git::blob_id(&bytes);
    Some(PresentFile { bytes, blob })
}

/// The paths that may differ. Only their files are read.
fn candidates(past: &PastFiles<'_>, corpus: &Corpus) -> BTreeSet<String> {
    let mut paths = past.recorded();
    if past.has_repository() {
        paths.extend(past.since_commit().iter().cloned());
        paths.extend(corpus.git.iter().flat_map(|facts| &facts.dirty).map(|(path, _)| path.clone()));
    } else if past.lists_files() {
        paths.extend(corpus.files.iter().map(|file| file.path.clone()));
    }
    paths.retain(|path| !is_own(path));
    paths
}

/// The diff against the delivered version, if git has it.
fn diff(past: &PastFiles<'_>, corpus: &Corpus, path: &str, blob: Option<&str>, now: &[u8]) -> Option<String> {
    let old = past.git()?.blob(blob?)?;
    let (old, now) = (read::decode(path, &old).ok()?.text, read::decode(path, now).ok()?.text);
    let diff = git::difference(&old, &now, path);
    (!diff.is_empty()).then(|| corpus.redactor.redact(&diff, path).0.into_owned())
}

impl Delta {
    fn push(&mut self, past: &PastFiles<'_>, path: String, kind: ChangeKind, diff: Option<String>) {
        let before = match &kind {
            ChangeKind::Renamed { from } => from.as_str(),
            _ => path.as_str(),
        };
        let was_in_payload = past.was_delivered(before);
        self.files.push(FileDelta { path, kind, diff, was_in_payload });
    }

    /// Returns true if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The payload item, with at most `most_bytes` of diffs; `None` if nothing changed.
    pub fn item(&self, corpus: &Corpus, most_bytes: usize) -> Option<Item> {
        if self.is_empty() {
            return None;
        }
        let path = format!("{}:{}", ItemKind::Delta.name(), self.since);
        let text = self.text(corpus, most_bytes);
        let (text, _) = corpus.redactor.redact(&text, &path);
        Some(Item { kind: ItemKind::Delta, path, source: Source::Text(Arc::from(text.as_ref())), about: None })
    }

    /// The delta as text: one line per file, then the diffs, files of the payload first.
    pub fn text(&self, corpus: &Corpus, most_bytes: usize) -> String {
        let mut lines = vec![format!("Since turn {} was delivered: {}.\n", printable(&self.since), self.counted())];
        let mut diffs: Vec<&str> = Vec::new();
        let mut room = most_bytes;
        for file in self.files.iter().take(LISTED) {
            let path = printable(&file.path);
            lines.push(match (&file.kind, &file.diff) {
                (ChangeKind::Changed, Some(diff)) if diff.len() <= room => {
                    room -= diff.len();
                    diffs.push(diff);
                    format!("changed {path}\n")
                }
                (ChangeKind::Changed, Some(diff)) => {
                    let count = thousands(count_lines(diff) as usize);
                    format!("changed {path} (diff of {count} lines omitted)\n")
                }
                (ChangeKind::Changed, None) => {
                    format!("changed {path} (no diff: the delivered version is not in git)\n")
                }
                (ChangeKind::Added, _) => format!("added {path}{}\n", lines_of(corpus, &file.path)),
                (ChangeKind::Removed, _) => format!("removed {path}\n"),
                (ChangeKind::Renamed { from }, _) => format!("renamed {} -> {path}\n", printable(from)),
            });
        }
        if self.files.len() > LISTED {
            lines.push(format!("… and {} more\n", thousands(self.files.len() - LISTED)));
        }
        let diffs = diffs.into_iter().map(ended);
        lines.into_iter().map(Cow::Owned).chain(diffs).collect()
    }

    fn counted(&self) -> String {
        let count = |wanted: fn(&ChangeKind) -> bool| self.files.iter().filter(|file| wanted(&file.kind)).count();
        let kinds = [
            (count(|kind| *kind == ChangeKind::Changed), "changed"),
            (count(|kind| *kind == ChangeKind::Added), "added"),
            (count(|kind| *kind == ChangeKind::Removed), "removed"),
            (count(|kind| matches!(kind, ChangeKind::Renamed { .. })), "renamed"),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        kinds.map(|(count, what)| format!("{} {what}", thousands(*count))).collect::<Vec<_>>().join(", ")
    }
}

fn lines_of(corpus: &Corpus, path: &str) -> String {
    let lines = corpus.find(path).map(|file| corpus.files[file].lines as usize);
    lines.map_or_else(String::new, |lines| format!(" ({})", counted(lines, "line")))
}

/// Appends a line ending if there is none.
fn ended(text: &str) -> Cow<'_, str> {
    if text.ends_with('\n') { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) }
}

/// The hunks of a diff without its header; empty for other text.
pub fn hunks(diff: &str) -> &str {
    match diff.find("\n@@ ") {
        Some(at) => &diff[at + 1..],
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;

    /// Compares two states of a directory without git.
    fn compared(before: &[(&str, &str)], after: &[(&str, &str)]) -> (Corpus, Delta) {
        let (_dir, corpus) = samples::corpus(after);
        let sum = |text: &str| hex(&Sha256::digest(text.as_bytes()));
        let files = before.iter().map(|(path, text)| ((*path).to_owned(), sum(text))).collect();
        let delivered = Checkpoint { turn: "01".to_owned(), files, ..Checkpoint::default() };
        let delta = since(&corpus, &delivered);
        (corpus, delta)
    }

    #[test]
    fn changes_are_detected_by_content() {
        let (corpus, delta) = compared(
            &[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("d.txt", "d\n")],
            &[("a.txt", "a\n"), ("b.txt", "other\n"), ("moved.txt", "c\n"), ("new.txt", "n\nn\n")],
        );
        assert_eq!(
            delta.text(&corpus, 1000),
            "Since turn 01 was delivered: 1 changed, 1 added, 1 removed, 1 renamed.\n\
             changed b.txt (no diff: the delivered version is not in git)\n\
             removed d.txt\n\
             renamed c.txt -> moved.txt\n\
             added new.txt (2 lines)\n"
        );
        let item = delta.item(&corpus, 1000).unwrap();
        assert_eq!((item.kind, item.path.as_str()), (ItemKind::Delta, "delta:01"));
    }

    #[test]
    fn no_change_or_an_unknown_past_gives_no_item() {
        let (corpus, delta) = compared(&[("a.txt", "a\n")], &[("a.txt", "a\n")]);
        assert!(delta.is_empty() && delta.item(&corpus, 1000).is_none());
        let (_, delta) = compared(&[], &[("a.txt", "a\n")]);
        assert!(delta.is_empty(), "{delta:?}");
    }

    #[test]
    fn large_diffs_and_long_lists_are_omitted() {
        let (corpus, _) = compared(&[], &[]);
        let file = |path: String, diff: &str| FileDelta {
            path,
            kind: ChangeKind::Changed,
            diff: Some(diff.to_owned()),
            was_in_payload: true,
        };
        let long = "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n".repeat(9);
        let mut delta =
            Delta { since: "02".to_owned(), files: vec![file("x".to_owned(), &long), file("y".to_owned(), "+y")] };
        let text = delta.text(&corpus, 50);
        assert!(text.contains("changed x (diff of 36 lines omitted)\n") && text.ends_with("changed y\n+y\n"), "{text}");
        delta.files = (0..250).map(|index| file(format!("f{index}"), "")).collect();
        assert!(delta.text(&corpus, 50).contains("… and 50 more\n"));
    }

    #[test]
    fn hunks_come_without_their_header() {
        assert_eq!(
            hunks("diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
            "@@ -1 +1 @@\n-a\n+b\n"
        );
        assert_eq!(hunks("no diff"), "");
    }
}
