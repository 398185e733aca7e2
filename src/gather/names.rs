//! Names that hold a secret: a path cannot be shown with a part of it replaced, so its file is left out, and that is told.

use std::borrow::Cow;

use super::corpus::{Skipped, SourceFile};
use super::git::{Commit, GitFacts};
use crate::redact::Policy;

/// Whether there is a secret in the path of a file, or of something that was left out.
pub fn hold_secret(files: &[SourceFile], skipped: &[Skipped], redactor: &Policy) -> bool {
    let paths = files.iter().map(|file| file.path.as_str()).chain(skipped.iter().map(|skipped| skipped.path.as_str()));
    any_secret(paths, redactor)
}

/// Takes out every file whose path holds a secret, and replaces the secrets in what is told about paths that were left out.
pub fn withhold(files: &mut Vec<SourceFile>, skipped: &mut Vec<Skipped>, redactor: &Policy) {
    for entry in skipped.iter_mut() {
        entry.path = redactor.redact(&entry.path, "").0.into_owned();
    }
    files.retain(|file| {
        let (shown, found) = redactor.redact(&file.path, "");
        let Some(finding) = found.first() else { return true };
        let why = format!("its name holds a secret ({})", finding.rule);
        skipped.push(Skipped { path: shown.into_owned(), why });
        false
    });
    skipped.sort_unstable();
    skipped.dedup();
}

/// The same for what git knows: the branch's name, and files that exist no more.
pub fn withhold_from_facts(facts: &mut GitFacts, redactor: &Policy) {
    if let Some(branch) = &mut facts.branch {
        *branch = redactor.redact(branch, "").0.into_owned();
    }
    if any_secret(facts.dirty.iter().map(|(path, _)| path.as_str()), redactor) {
        facts.dirty.retain(|(path, _)| redactor.redact(path, "").1.is_empty());
    }
}

/// The same for the words of commits, which reasons quote.
pub fn withhold_from_commits(commits: &mut [Commit], redactor: &Policy) {
    if any_secret(commits.iter().map(|commit| commit.message.as_str()), redactor) {
        for commit in commits {
            if let (Cow::Owned(message), _) = redactor.redact(&commit.message, "") {
                commit.message = message;
            }
        }
    }
}

/// One look at all of them: in nearly every project there is none.
fn any_secret<'a>(paths: impl Iterator<Item = &'a str>, redactor: &Policy) -> bool {
    let joined: Vec<&str> = paths.collect();
    !redactor.redact(&joined.join("\n"), "").1.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_a_name_is_told_without_it() {
        let token = crate::redact::sample_token();
        let mut files = Vec::new();
        let mut skipped = vec![Skipped { path: format!("links/{token}"), why: "symbolic link".to_owned() }];
        withhold(&mut files, &mut skipped, &Policy::default());
        assert_eq!(skipped[0].path, "links/[REDACTED:github-token]");
        let mut facts = GitFacts { branch: Some(format!("fix/{token}")), ..GitFacts::default() };
        withhold_from_facts(&mut facts, &Policy::default());
        assert_eq!(facts.branch.as_deref(), Some("fix/[REDACTED:github-token]"));
    }
}
