//! Commits remembered between runs, in the user's cache directory: a commit never changes, so its id is the whole key.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Commit;
use crate::gather::Cache;
use crate::project::atomic;
use crate::redact::Redactor;
use crate::text::hex;

/// The remembered commits of one repository.
pub struct HistoryCache {
    file: PathBuf,
    keep: bool,
}

impl HistoryCache {
    /// The part of the cache that is about the repository at `git_dir`.
    pub fn new(cache: Cache<'_>, git_dir: &Path) -> Self {
        let name = hex(&Sha256::digest(git_dir.as_os_str().as_encoded_bytes()));
        Self { file: cache.dir.join("history").join(format!("{}.jsonl", &name[..24])), keep: cache.keep }
    }

    /// What is remembered, newest first. Lines that make no sense are skipped: they will be read from git again.
    pub(super) fn load(&self) -> Remembered {
        let Ok(text) = fs::read_to_string(&self.file) else { return Remembered::default() };
        let head = text.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
        let head = head.and_then(|line| line["head"].as_str().map(ToOwned::to_owned));
        Remembered { head, commits: text.lines().filter_map(parse).collect() }
    }

    /// Remembers these commits, the newest under this head, instead of what was there; failing to is no harm.
    pub(super) fn save(&self, head: Option<&str>, commits: &[Commit]) {
        let Some(parent) = self.file.parent().filter(|_| self.keep) else { return };
        let lines = commits.iter().map(|commit| {
            let line = json!({
                "id": commit.id, "time": commit.time, "message": commit.message,
                "paths": commit.paths, "touched": commit.touched,
            });
            format!("{line}\n")
        });
        let first = head.map(|head| format!("{}\n", json!({ "head": head })));
        let mut text: String = first.into_iter().chain(lines).collect();
        let secrets: HashSet<usize> =
            Redactor::builtin().find(&text, "").iter().map(|finding| finding.line as usize - 1).collect();
        if !secrets.is_empty() {
            // Such a commit is read from git again every time.
            let lines = text.split_inclusive('\n').enumerate();
            text = lines.filter(|(index, _)| !secrets.contains(index)).map(|(_, line)| line).collect();
        }
        let _ = fs::create_dir_all(parent);
        let _ = atomic::write(&self.file, text.as_bytes());
    }
}

/// What a cache held.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Remembered {
    /// The head that these were the newest commits under.
    pub head: Option<String>,
    /// The commits.
    pub commits: Vec<Commit>,
}

fn parse(line: &str) -> Option<Commit> {
    let value: Value = serde_json::from_str(line).ok()?;
    let paths =
        value["paths"].as_array()?.iter().map(|path| path.as_str().map(ToOwned::to_owned)).collect::<Option<_>>()?;
    Some(Commit {
        id: value["id"].as_str()?.to_owned(),
        time: value["time"].as_i64()?,
        message: value["message"].as_str()?.to_owned(),
        paths,
        touched: u32::try_from(value["touched"].as_u64()?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded_and_nonsense_is_skipped() {
        let dir = tempfile::tempdir().unwrap();
        let cache = HistoryCache::new(Cache { dir: dir.path(), keep: true }, Path::new("/some/repo/.git"));
        let commit = Commit {
            id: "0123456789ab".to_owned(),
            time: 5,
            message: "Fix \"it\"\n\nbody".to_owned(),
            paths: vec!["a/b.rs".to_owned()],
            touched: 1,
        };
        cache.save(Some("0123"), std::slice::from_ref(&commit));
        let whole = Remembered { head: Some("0123".to_owned()), commits: vec![commit.clone()] };
        assert_eq!(cache.load(), whole);
        let text = fs::read_to_string(&cache.file).unwrap();
        fs::write(&cache.file, format!("{{torn\n{text}[]\n")).unwrap();
        assert_eq!(cache.load(), Remembered { head: None, commits: vec![commit] });
    }
}
