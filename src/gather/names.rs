//! Paths that contain secrets. A path cannot be shown partly redacted, so the file is skipped and reported.

use std::borrow::Cow;

use super::corpus::{SkippedFile, SourceFile};
use super::git::{Commit, GitFacts};
use crate::project::turn_changes::TurnChanges;
use crate::redact::Policy;

/// Returns true if a path contains a secret.
pub fn hold_secret(files: &[SourceFile], skipped: &[SkippedFile], redactor: &Policy) -> bool {
    let paths = files.iter().map(|file| file.path.as_str()).chain(skipped.iter().map(|skipped| skipped.path.as_str()));
    any_secret(paths, redactor)
}

/// Removes files whose paths contain secrets, and redacts the paths of skipped files.
pub fn withhold(files: &mut Vec<SourceFile>, skipped: &mut Vec<SkippedFile>, redactor: &Policy) {
    for entry in skipped.iter_mut() {
        entry.path = redactor.redact(&entry.path, "").0.into_owned();
    }
    files.retain(|file| {
        let (shown, found) = redactor.redact(&file.path, "");
        let Some(finding) = found.first() else { return true };
        let why = format!("name contains a secret ({})", finding.rule);
        skipped.push(SkippedFile { path: shown.into_owned(), why });
        false
    });
    skipped.sort_unstable();
    skipped.dedup();
}

/// Redacts the branch name and removes changed paths that contain secrets.
pub fn withhold_from_facts(facts: &mut GitFacts, redactor: &Policy) {
    if let Some(branch) = &mut facts.branch {
        *branch = redactor.redact(branch, "").0.into_owned();
    }
    if any_secret(facts.dirty.iter().map(|(path, _)| path.as_str()), redactor) {
        facts.dirty.retain(|(path, _)| redactor.redact(path, "").1.is_empty());
    }
}

/// Removes paths that contain secrets from the changes of a turn.
pub fn withhold_from_changes(changes: &mut TurnChanges, redactor: &Policy) {
    for paths in [&mut changes.changed, &mut changes.added, &mut changes.removed] {
        if any_secret(paths.iter().map(String::as_str), redactor) {
            paths.retain(|path| redactor.redact(path, "").1.is_empty());
        }
    }
}

/// Redacts commit messages, which reasons quote.
pub fn withhold_from_commits(commits: &mut [Commit], redactor: &Policy) {
    if any_secret(commits.iter().map(|commit| commit.message.as_str()), redactor) {
        for commit in commits {
            if let (Cow::Owned(message), _) = redactor.redact(&commit.message, "") {
                commit.message = message;
            }
        }
    }
}

/// Searches all paths together, because nearly every project has no match.
fn any_secret<'a>(paths: impl Iterator<Item = &'a str>, redactor: &Policy) -> bool {
    let joined: Vec<&str> = paths.collect();
    !redactor.redact(&joined.join("\n"), "").1.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_paths_and_branches_are_redacted() {
        let token = crate::redact::sample_token();
        let mut files = Vec::new();
        let mut skipped = vec![SkippedFile { path: format!("links/{token}"), why: "symbolic link".to_owned() }];
        withhold(&mut files, &mut skipped, &Policy::default());
        assert_eq!(skipped[0].path, "links/[REDACTED:github-token]");
        let mut facts = GitFacts { branch: Some(format!("fix/{token}")), ..GitFacts::default() };
        withhold_from_facts(&mut facts, &Policy::default());
        assert_eq!(facts.branch.as_deref(), Some("fix/[REDACTED:github-token]"));
    }
}
