//! Chooses the commits to replay: small changes of existing source files with a meaningful message.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::BenchObserver;
use super::change::{CommitChange, FileChange, functions_around};
use crate::error::{Error, Result};
use crate::gather::git::{ChangedPath, CommitId, EntryKind, Git, LoggedCommit, TreeId, Trees};
use crate::gather::read::decode;
use crate::gather::role::{Role, Roles};
use crate::outline::language::Language;
use crate::score::Task;
use crate::text::thousands;

/// A commit that changes more source files than this is a mass edit.
pub const MOST_SOURCES: usize = 6;
/// A commit that changes more paths than this, of any kind, is also a mass edit.
const MOST_PATHS: usize = 60;
/// Minimum number of words in a meaningful message.
const FEWEST_WORDS: usize = 3;

/// Reason why a commit is not replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// The commit has several parents.
    Merge,
    /// The commit has no parent, or a shallow clone does not contain the parent.
    NoParent,
    /// The commit reverts an earlier one.
    Revert,
    /// The commit only changes a version number.
    VersionBump,
    /// The message says too little.
    Message,
    /// The commit changes too many files.
    MassEdit,
    /// The commit changes no existing source file: only tests, documents or configuration, or only new files.
    NoSource,
}

impl SkipReason {
    /// Counts commits with this reason: `1 merge`, `12 merges`.
    fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Merge => ("merge", "merges"),
            Self::NoParent => ("without a parent", "without a parent"),
            Self::Revert => ("revert", "reverts"),
            Self::VersionBump => ("version bump", "version bumps"),
            Self::Message => ("with too short a message", "with too short a message"),
            Self::MassEdit => ("mass edit", "mass edits"),
            Self::NoSource => ("without changed source files", "without changed source files"),
        };
        format!("{} {}", thousands(count), if count == 1 { one } else { many })
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::NoParent => "no_parent",
            Self::Revert => "revert",
            Self::VersionBump => "version_bump",
            Self::Message => "message",
            Self::MassEdit => "mass_edit",
            Self::NoSource => "no_source",
        }
    }
}

/// A commit to replay.
pub struct SuitableCommit {
    /// Its id.
    pub id: CommitId,
    /// The parent commit, whose files the plan is based on.
    pub parent: LoggedCommit,
    /// The message without trailers.
    pub task: String,
    /// Its changes.
    pub change: CommitChange,
}

/// Commits to replay, and how many were skipped.
pub struct Selection {
    /// Newest first.
    pub commits: Vec<SuitableCommit>,
    /// Number of skipped commits by reason.
    pub skipped: Vec<(SkipReason, usize)>,
}

impl Selection {
    /// Lists the skipped commits by reason.
    pub fn skipped_in_words(&self) -> String {
        skipped_in_words(&self.skipped)
    }
}

/// Lists skipped commits by reason: `12 merges, 3 reverts`.
pub fn skipped_in_words(skipped: &[(SkipReason, usize)]) -> String {
    let parts: Vec<String> = skipped.iter().map(|(reason, count)| reason.counted(*count)).collect();
    if parts.is_empty() { "the history is empty".to_owned() } else { parts.join(", ") }
}

/// The newest `count` suitable commits, starting at `from`.
pub fn select(git: &Git, from: CommitId, count: usize, observer: &dyn BenchObserver) -> Result<Selection> {
    let mut selector = Selector { git, trees: git.trees().map_err(Error::Git)? };
    let (mut commits, mut skipped) = (Vec::new(), BTreeMap::new());
    let log = git.log_from(from).map_err(Error::Git)?;
    for commit in log {
        if commits.len() == count || !observer.should_continue() {
            break;
        }
        match selector.examine(&commit) {
            Ok(suitable) => {
                commits.push(suitable);
                observer.progress(commits.len(), count);
            }
            Err(reason) => *skipped.entry(reason).or_insert(0) += 1,
        }
    }
    Ok(Selection { commits, skipped: skipped.into_iter().collect() })
}

struct Selector<'a> {
    git: &'a Git,
    trees: Trees,
}

impl Selector<'_> {
    fn examine(&mut self, commit: &LoggedCommit) -> Result<SuitableCommit, SkipReason> {
        if commit.parents.len() > 1 {
            return Err(SkipReason::Merge);
        }
        let task = without_trailers(&commit.message);
        judge_message(&task)?;
        let parent = *commit.parents.first().ok_or(SkipReason::NoParent)?;
        let parent = self.git.logged(parent).ok_or(SkipReason::NoParent)?;
        let change = self.change(parent.id, commit.id)?;
        Ok(SuitableCommit { id: commit.id, parent, task, change })
    }

    fn change(&mut self, parent: CommitId, commit: CommitId) -> Result<CommitChange, SkipReason> {
        let (paths, more) = self.git.changes_between(parent, commit, MOST_PATHS).ok_or(SkipReason::NoParent)?;
        if more {
            return Err(SkipReason::MassEdit);
        }
        let existing = |path: &&ChangedPath| path.before.is_some() && code(&path.path).is_some();
        let existing: Vec<&ChangedPath> = paths.iter().filter(existing).collect();
        if existing.is_empty() {
            return Err(SkipReason::NoSource);
        }
        // A file's role depends on the files around it at the parent commit.
        let roles = self.roles(parent);
        let role = |path: &ChangedPath| roles.role(&path.path, code(&path.path));
        let sources: Vec<&ChangedPath> = existing.iter().copied().filter(|path| role(path) == Role::Source).collect();
        if sources.len() > MOST_SOURCES {
            return Err(SkipReason::MassEdit);
        }
        let modified = |path: &&&ChangedPath| path.after.is_some() && path.after != path.before;
        let files: Vec<FileChange> =
            sources.iter().filter(modified).filter_map(|path| self.file_change(path)).collect();
        if files.is_empty() {
            return Err(SkipReason::NoSource);
        }
        let is_test = |path: &&&ChangedPath| matches!(role(path), Role::Test | Role::TestSupport);
        let tests = existing.iter().filter(is_test).filter(modified).map(|path| path.path.clone()).collect();
        Ok(CommitChange { files, tests })
    }

    fn file_change(&self, path: &ChangedPath) -> Option<FileChange> {
        let (before, after) = (path.before?, path.after?);
        let lines = self.git.changed_lines(before, after)?;
        let bytes = self.git.blob_bytes(before)?;
        let text = decode(&path.path, &bytes).ok()?.text;
        let functions = functions_around(code(&path.path)?, &text, &lines);
        (!lines.is_empty()).then(|| FileChange { path: path.path.clone(), lines, functions })
    }

    fn roles(&mut self, commit: CommitId) -> Roles {
        let mut paths = Vec::new();
        if let Some(tree) = self.trees.project(commit) {
            self.paths(tree, &mut String::new(), &mut paths);
        }
        let languages: Vec<Option<Language>> = paths.iter().map(|path| Language::of(path, "")).collect();
        Roles::build(&paths.iter().map(String::as_str).collect::<Vec<_>>(), &languages)
    }

    fn paths(&mut self, tree: TreeId, below: &mut String, paths: &mut Vec<String>) {
        for entry in self.trees.entries(tree).iter() {
            let Some(name) = &entry.name else { continue };
            let length = below.len();
            below.push_str(name);
            match entry.kind {
                EntryKind::Directory(tree) => {
                    below.push('/');
                    self.paths(tree, below, paths);
                }
                EntryKind::File(_) => paths.push(below.clone()),
                EntryKind::Link => {}
            }
            below.truncate(length);
        }
    }
}

fn code(path: &str) -> Option<Language> {
    Language::of(path, "").filter(|language| language.is_code())
}

/// The message without trailers such as `Signed-off-by`.
pub fn without_trailers(message: &str) -> String {
    static TRAILER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^(signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|suggested-by|approved-by|cc|change-id|git-svn-id|reviewed-on|cherry-picked-from|pr-url|bug|differential revision): ?\S").ok()
    });
    let is_trailer = |line: &&str| TRAILER.as_ref().is_some_and(|trailer| trailer.is_match(line.trim()));
    let kept: Vec<&str> = message.lines().filter(|line| !is_trailer(line)).collect();
    kept.join("\n").trim().to_owned()
}

/// Rejects reverts, version bumps and messages that say too little.
fn judge_message(task: &str) -> Result<(), SkipReason> {
    let subject = task.lines().next().unwrap_or_default().to_lowercase();
    if subject.starts_with("revert") || task.contains("This reverts commit") {
        return Err(SkipReason::Revert);
    }
    if is_version_bump(&subject) {
        return Err(SkipReason::VersionBump);
    }
    let words: HashSet<&str> =
        task.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 2 || !word.is_ascii()).collect();
    // In scripts without spaces between words, even a meaningful message counts as few words.
    let enough = words.len() >= FEWEST_WORDS || words.iter().any(|word| !word.is_ascii());
    if enough && Task::untyped(task).has_content() { Ok(()) } else { Err(SkipReason::Message) }
}

/// Recognizes subjects such as `Bump version`, `Release 1.2`, `v2.0.1` and `chore(deps): update x to v3`.
fn is_version_bump(subject: &str) -> bool {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let number = r"v?\d+(\.\d+)+\S*";
        Regex::new(&format!(
            r"^(\[\S+\] *)?((chore|build|release|deps|ci)(\([^)]*\))?!?: *)?({number}\.?$|bump(s|ed)?\b|(post-?)?releas(e|es|ed|ing)\b( version)? *{number}|(prepare|start|begin)(s|d|ed)?\b.*\b(releas\w*|{number})|(post-release )?version bump|(set|update|increment)(s|d|ed)? (the )?version\b|updated? .*\bto {number}\.?( \(#\d+\))?$|release\b$)"
        ))
        .ok()
    });
    PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(subject.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_are_not_part_of_the_task() {
        let message =
            "Fix the ledger\n\nAmounts: whole cents.\n\nSigned-off-by: A <a@example.org>\nCo-authored-by: B\n";
        assert_eq!(without_trailers(message), "Fix the ledger\n\nAmounts: whole cents.");
    }

    #[test]
    fn reverts_version_bumps_and_empty_messages_are_refused() {
        for (message, reason) in [
            ("Revert \"Add refunds\"", SkipReason::Revert),
            ("Reverted the change of the ledger", SkipReason::Revert),
            ("Undo it all\n\nThis reverts commit 0123456.", SkipReason::Revert),
            ("Bump version to 2.0", SkipReason::VersionBump),
            ("[5.2.x] Bumped version for 5.2.1 release.", SkipReason::VersionBump),
            ("v1.2.3", SkipReason::VersionBump),
            ("release: 1.4.0-rc.1", SkipReason::VersionBump),
            ("chore: prepare tokio v1.38.0 (#6601)", SkipReason::VersionBump),
            ("chore(deps): update dependency vite to v5.1.0", SkipReason::VersionBump),
            ("wip", SkipReason::Message),
            ("", SkipReason::Message),
            ("fix it", SkipReason::Message),
        ] {
            assert_eq!(judge_message(message), Err(reason), "{message}");
        }
        for message in [
            "Fixed #36664 -- Allowed a version argument in the loader.",
            "runtime: release the lock before waking the driver",
            "Add a version field to the header",
            "Release memory of dropped tasks earlier",
            "修复退款时的舍入错误",
        ] {
            assert_eq!(judge_message(message), Ok(()), "{message}");
        }
    }
}
