//! Data from git: branch, status, history. No other module uses git2.

mod base;
mod blobs;
mod branch_changes;
mod changed_ranges;
mod diff;
mod filters;
mod histories;
mod history;
mod history_cache;
mod index_file;
mod line_diff;
mod log;
mod objects;
#[cfg(test)]
pub(crate) mod samples;
mod status;
mod tree_diff;
mod trees;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use git2::{ErrorCode, Repository};

pub use base::{BaseCommit, BaseError, short_id};
pub use blobs::blob_id;
pub use branch_changes::{BranchCommit, PathChange, PathKind, TreeFile};
pub use changed_ranges::LineRange;
pub use diff::difference;
pub use histories::Histories;
pub use history::{Commit, History};
pub use history_cache::HistoryCache;
pub use line_diff::LineDiff;
pub use status::{FileStat, IndexSnapshot, StatusChange};
pub use trees::{BlobId, Blobs, ChangedPath, CommitId, DirectoryEntry, EntryKind, LoggedCommit, TreeId, Trees};

/// Data from git about the project.
#[derive(Debug, Default)]
pub struct GitFacts {
    /// Branch name; `None` if HEAD is detached.
    pub branch: Option<String>,
    /// Shortened id of HEAD; `None` in an empty repository.
    pub head: Option<String>,
    /// Commit time of HEAD in seconds since 1970.
    pub head_time: Option<i64>,
    /// True if the history is truncated.
    pub shallow: bool,
    /// True in a linked worktree.
    pub linked_worktree: bool,
    /// Top-level directory of the worktree.
    pub top: Option<PathBuf>,
    /// True if `origin` is another checkout on this machine.
    pub clone_of_checkout: bool,
    /// Paths that differ from HEAD, in order, relative to the project's root.
    pub dirty: Vec<(String, StatusChange)>,
    /// Recent commits, newest first, without merges.
    pub commits: Vec<Commit>,
    /// Time of the last commit that changed each path.
    pub last_touched: HashMap<String, i64>,
}

impl GitFacts {
    /// Sets the history, newest first.
    pub(in crate::gather) fn set_commits(&mut self, commits: Vec<Commit>) {
        for commit in &commits {
            for path in &commit.paths {
                // The commits come newest first, so the first one is the last change.
                self.last_touched.entry(path.clone()).or_insert(commit.time);
            }
        }
        self.commits = commits;
    }
}

/// An open repository.
pub struct Git {
    repository: Repository,
    /// The project root relative to the worktree, with a trailing `/` unless empty.
    prefix: String,
}

/// Opens the repository whose worktree contains `root`. `None` if there is none; an error if git refuses to open it.
pub fn open(root: &Path) -> Result<Option<Git>, String> {
    match discover(root)? {
        Some(repository) => in_worktree(repository, root),
        None => Ok(None),
    }
}

/// Like [`open`], but also opens a bare repository and treats all of its files as the project.
pub fn open_history(root: &Path) -> Result<Option<Git>, String> {
    match discover(root)? {
        Some(repository) if repository.is_bare() => Ok(Some(Git { repository, prefix: String::new() })),
        Some(repository) => in_worktree(repository, root),
        None => Ok(None),
    }
}

fn discover(root: &Path) -> Result<Option<Repository>, String> {
    // Verifying the hashes of objects would cost more than reading them, and history is only a signal for scoring.
    git2::opts::strict_hash_verification(false);
    refuse_traps(root)?;
    match Repository::discover(root) {
        Ok(repository) => Ok(Some(repository)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(refusal(&error, root)),
    }
}

fn in_worktree(repository: Repository, root: &Path) -> Result<Option<Git>, String> {
    let Some(workdir) = repository.workdir() else { return Ok(None) };
    let workdir = workdir.canonicalize().map_err(|error| error.to_string())?;
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let Ok(below) = root.strip_prefix(&workdir) else { return Ok(None) };
    let Some(prefix) = slashed(below) else { return Err("the project path is not valid UTF-8".to_owned()) };
    let prefix = if prefix.is_empty() { prefix } else { format!("{prefix}/") };
    Ok(Some(Git { repository, prefix }))
}

/// The reason why libgit2 cannot open a repository, in one line.
fn refusal(error: &git2::Error, root: &Path) -> String {
    let message = error.message();
    if error.code() == ErrorCode::Owner {
        let top = root.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(root).display();
        return format!(
            "detected dubious ownership in repository at '{top}'; to trust it: git config --global --add safe.directory {top}"
        );
    }
    if message.contains("refstorage") {
        return "the repository uses reftable, which libgit2 cannot read".to_owned();
    }
    if message.contains("objectformat") || message.contains("object format") || message.contains("sha256") {
        return "the repository uses SHA-256 object ids, which libgit2 cannot read".to_owned();
    }
    message.to_owned()
}

/// Rejects a repository whose own files are pipes or devices, because reading them would block.
fn refuse_traps(root: &Path) -> Result<(), String> {
    let exists = |store: &PathBuf| store.symlink_metadata().is_ok();
    let bare = || Some(root.to_path_buf()).filter(|store| exists(&store.join("objects")));
    let Some(store) = root.ancestors().map(|dir| dir.join(".git")).find(exists).or_else(bare) else { return Ok(()) };
    let own =
        ["HEAD", "config", "index", "packed-refs", "shallow", "commondir", "info/grafts", "objects/info/alternates"];
    let files = own.iter().map(|name| store.join(name)).chain([store.clone()]);
    for file in files {
        if std::fs::metadata(&file).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
            let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
            return Err(format!("`{name}` is neither a file nor a directory"));
        }
    }
    Ok(())
}

/// A relative path with `/` on every platform; `None` if it is not UTF-8.
pub fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

impl Git {
    /// Branch, HEAD and kind of repository.
    pub fn facts(&self) -> GitFacts {
        let mut facts = GitFacts {
            shallow: self.repository.is_shallow(),
            linked_worktree: self.repository.is_worktree(),
            top: self.repository.workdir().and_then(|top| top.canonicalize().ok()),
            clone_of_checkout: self.clone_of_checkout(),
            branch: self.branch(),
            ..GitFacts::default()
        };
        if let Ok(commit) = self.repository.head().and_then(|head| head.peel_to_commit()) {
            facts.head = Some(commit.id().to_string()[..12].to_owned());
            facts.head_time = Some(commit.time().seconds());
        }
        facts
    }

    /// Returns true if `origin` is a local directory with a worktree. A bare repository is assumed to be a server.
    fn clone_of_checkout(&self) -> bool {
        let Ok(origin) = self.repository.find_remote("origin") else { return false };
        let Ok(url) = origin.url() else { return false };
        let path = Path::new(url.strip_prefix("file://").unwrap_or(url));
        path.is_absolute() && path.join(".git").exists()
    }

    fn branch(&self) -> Option<String> {
        match self.repository.head() {
            Ok(head) if head.is_branch() => head.shorthand().ok().map(ToOwned::to_owned),
            Ok(_) => None,
            // A branch without commits also has a name.
            Err(_) => {
                let head = self.repository.find_reference("HEAD").ok()?;
                let target = head.symbolic_target().ok()??;
                target.strip_prefix("refs/heads/").map(ToOwned::to_owned)
            }
        }
    }

    /// The repository's git directory.
    pub fn git_dir(&self) -> PathBuf {
        self.repository.path().to_path_buf()
    }

    /// The project path for a repository path; `None` outside the project.
    fn inside<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(self.prefix.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::samples::run_git;
    use super::*;

    fn repository(arguments: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        run_git(dir.path(), &[&["init", "-q"], arguments].concat());
        std::fs::write(dir.path().join("a.rs"), "fn a() {}\n").unwrap();
        run_git(dir.path(), &["add", "."]);
        run_git(dir.path(), &["commit", "-q", "-m", "Begin"]);
        dir
    }

    fn refused(root: &Path) -> String {
        open(root).err().unwrap_or_default()
    }

    #[test]
    fn unsupported_repositories_say_what_is_missing() {
        let sha256 = repository(&["--object-format=sha256"]);
        assert_eq!(refused(sha256.path()), "the repository uses SHA-256 object ids, which libgit2 cannot read");
        let reftable = repository(&["--ref-format=reftable"]);
        assert_eq!(refused(reftable.path()), "the repository uses reftable, which libgit2 cannot read");
    }

    #[cfg(unix)]
    #[test]
    fn a_repository_of_another_user_names_the_exception_to_add() {
        let dir = repository(&[]);
        let other = rustix::fs::Uid::from_raw(12_345);
        if rustix::process::geteuid().as_raw() != 0 {
            eprintln!("skipped: needs root to change the owner");
            return;
        }
        for path in [dir.path().to_path_buf(), dir.path().join(".git")] {
            rustix::fs::chown(path, Some(other), None).unwrap();
        }
        let why = refused(dir.path());
        let exception = format!("git config --global --add safe.directory {}", dir.path().display());
        assert!(why.starts_with("detected dubious ownership") && why.ends_with(&exception), "{why}");
    }

    #[test]
    fn shallow_clones_and_linked_worktrees_have_status_and_history() {
        let dir = repository(&[]);
        for number in 0..3 {
            std::fs::write(dir.path().join("a.rs"), format!("fn a{number}() {{}}\n")).unwrap();
            run_git(dir.path(), &["commit", "-q", "-a", "-m", &format!("Change {number}")]);
        }
        let (source, copies) = (format!("file://{}", dir.path().display()), tempfile::tempdir().unwrap());
        run_git(copies.path(), &["clone", "-q", "--depth", "2", &source, "shallow"]);
        let linked = copies.path().join("linked");
        run_git(dir.path(), &["worktree", "add", "-q", linked.to_str().unwrap()]);
        for (root, commits) in [(copies.path().join("shallow"), 2), (linked, 4)] {
            let git = open(&root).unwrap().unwrap();
            let history = git.history(10, None, &|| true);
            assert_eq!((history.commits.len(), history.commits[0].paths.len()), (commits, 1), "{}", root.display());
            std::fs::write(root.join("a.rs"), "edited").unwrap();
            let on_disk = HashMap::from([("a.rs", (6, 0))]);
            let changed = vec![("a.rs".to_owned(), StatusChange::Modified)];
            assert_eq!(git.tracked().unwrap().dirty(&root, &on_disk), changed, "{}", root.display());
        }
    }
}
