//! Commits in the user's cache directory, by id. A commit never changes.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Commit;
use crate::gather::Cache;
use crate::project::atomic;
use crate::redact::Redactor;
use crate::text::hex;

/// Cached commits of one repository.
pub struct HistoryCache {
    file: PathBuf,
    keep: bool,
}

impl HistoryCache {
    /// The cache of the repository at `git_dir`.
    pub fn new(cache: Cache<'_>, git_dir: &Path) -> Self {
        let name = hex(&Sha256::digest(git_dir.as_os_str().as_encoded_bytes()));
        Self { file: cache.dir.join("history").join(format!("{}.jsonl", &name[..24])), keep: cache.keep }
    }

    /// Loads the commits, newest first. Invalid lines are skipped, and their commits are read from git again.
    pub(super) fn load(&self) -> CachedFile {
        let Ok(text) = fs::read_to_string(&self.file) else { return CachedFile::default() };
        let head = text.lines().next().and_then(|line| serde_json::from_str::<CacheHeader>(line).ok());
        let head = head.and_then(|line| line.head);
        let checked = text.lines().next().is_some_and(|line| line == first_line(head.as_deref()));
        let commits = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        CachedFile { head, checked, commits }
    }

    /// Replaces the cache with the newest ancestors of `head`. Errors are ignored. Commits that contain secrets are not
    /// cached; returns true if there are no such commits.
    pub(super) fn save(&self, head: Option<&str>, commits: &[Commit]) -> bool {
        let Some(parent) = self.file.parent().filter(|_| self.keep) else { return false };
        let clean = |commits: &[Commit]| {
            let mut seen = HashSet::new();
            let paths = commits.iter().flat_map(|commit| &commit.paths).map(String::as_str);
            let paths = paths.filter(|path| seen.insert(*path));
            let words: Vec<&str> = commits.iter().map(|commit| commit.message.as_str()).chain(paths).collect();
            Redactor::builtin().find(&words.join("\n"), "").is_empty()
        };
        let all_clean = clean(commits);
        let kept = commits.iter().filter(|commit| all_clean || clean(std::slice::from_ref(commit)));
        let lines = kept.map(|commit| {
            json!({
                "id": commit.id, "time": commit.time, "message": commit.message,
                "paths": commit.paths, "touched": commit.touched,
            })
            .to_string()
        });
        let text: String =
            std::iter::once(first_line(head)).chain(lines).flat_map(|line| [line, "\n".into()]).collect();
        let _ = fs::create_dir_all(parent);
        let _ = atomic::write(&self.file, text.as_bytes());
        all_clean
    }
}

/// The header line: HEAD and the version of the built-in rules.
fn first_line(head: Option<&str>) -> String {
    json!({ "head": head, "rules": Redactor::builtin_edition() }).to_string()
}

/// Content of a cache file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CachedFile {
    /// HEAD of the cached history.
    pub head: Option<String>,
    /// True if this version's built-in rules found no secret.
    pub checked: bool,
    pub commits: Vec<Commit>,
}

/// First line of a cache file.
#[derive(Deserialize)]
struct CacheHeader {
    head: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_commits_are_loaded_and_invalid_lines_skipped() {
        let dir = tempfile::tempdir().unwrap();
        let cache = HistoryCache::new(Cache { dir: dir.path(), keep: true }, Path::new("/some/repo/.git"));
        let commit = Commit {
            id: "0123456789ab".to_owned(),
            time: 5,
            message: "Fix \"it\"\n\nbody".to_owned(),
            paths: vec!["a/b.rs".to_owned()],
            touched: 1,
        };
        assert!(cache.save(Some("0123"), std::slice::from_ref(&commit)));
        let whole = CachedFile { head: Some("0123".to_owned()), checked: true, commits: vec![commit.clone()] };
        assert_eq!(cache.load(), whole);
        let text = fs::read_to_string(&cache.file).unwrap();
        fs::write(&cache.file, format!("{{torn\n{text}[]\n")).unwrap();
        assert_eq!(cache.load(), CachedFile { head: None, checked: false, commits: vec![commit] });
        fs::write(&cache.file, text.replace("\"rules\":\"", "\"rules\":\"older ")).unwrap();
        assert_eq!(cache.load(), CachedFile { checked: false, ..whole });
    }

    #[test]
    fn a_commit_with_a_secret_is_not_cached() {
        let dir = tempfile::tempdir().unwrap();
        let cache = HistoryCache::new(Cache { dir: dir.path(), keep: true }, Path::new("/some/repo/.git"));
        let commit = |id: &str, message: &str| Commit {
            id: id.to_owned(),
            time: 5,
            message: message.to_owned(),
            paths: Vec::new(),
            touched: 1,
        };
        let token = format!("{}{}", "ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
        let commits = [commit("a", "Fix it"), commit("b", &format!("Sign in\n\nwith {token}")), commit("c", "Mend it")];
        assert!(!cache.save(None, &commits));
        assert!(!fs::read_to_string(&cache.file).unwrap().contains(&token));
        let kept: Vec<String> = cache.load().commits.into_iter().map(|commit| commit.id).collect();
        assert_eq!(kept, ["a", "c"]);
    }
}
