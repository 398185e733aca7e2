//! The `.teddy` directory: locating, reading and changing it safely.
//!
//! | module | contents |
//! | --- | --- |
//! | [`active_context`] | the `Active Context` block of an answer |
//! | [`secret_allowlist`] | allowed false positives of the secret scanner, in the user's state directory |
//! | [`atomic`] | atomic writes, appending to logs, removing leftover temporary files |
//! | [`budget_log`] | log of applied budgets, and statistics |
//! | [`checkpoint`] | `checkpoint.json`, from which a turn can be restored |
//! | [`clock`] | time and calendar dates |
//! | [`config`] | configuration: defaults, the user's file, the repository's file |
//! | [`context`] | `.context` files: parsing, resolving, editing |
//! | [`files`] | bounded reads that stay inside the project |
//! | [`lock`] | session locks |
//! | [`overrides`] | tiers, overrides and steps, as stored |
//! | [`phase`] | discovery, implementation, validation |
//! | [`memos`] | `memos.yaml`, edited without losing comments |
//! | [`session_ops`] | rename and delete sessions, branch turns |
//! | [`session`] | sessions: names, `session.yaml`, listing, lookup |
//! | `slug` | readable part of a session name |
//! | [`task`] | task type and complexity |
//! | [`turn`] | turns: ids, states, `turn.yaml` |
//! | [`turn_changes`] | `changes.json`: the files that changed until a turn's report |
//! | `yaml` | bounded parsing, located errors, merging with other programs' changes |

pub mod active_context;
pub mod agent_requests;
pub mod approvals;
pub mod atomic;
pub mod budget_log;
pub mod checkpoint;
pub mod clock;
pub mod config;
pub mod context;
pub mod files;
pub mod git_exclude;
pub mod line_spec;
pub mod lock;
pub mod memos;
pub mod overrides;
pub mod phase;
pub mod secret_allowlist;
pub mod session;
pub mod session_ops;
mod slug;
pub mod task;
pub mod turn;
pub mod turn_changes;
mod yaml;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
pub(crate) use yaml::null_is_default;

/// Maximum size of a payload file.
pub const PAYLOAD_BYTES: u64 = 64_000_000;

/// Name of the directory that marks a project.
pub const TEDDY_DIR: &str = ".teddy";

/// Files created by `init`: name and contents.
const STARTERS: [(&str, &str); 3] = [
    (".gitignore", "# Local files. Committing sessions is up to you.\n.lock\n.screen\n*.tmp\n"),
    (
        "global.context",
        "\
# Files included in full in every session, one entry per line:
#   docs/ARCHITECTURE.md       a file
#   docs/adr/                  a directory with everything below it
#   src/**/*.proto             a glob
#   src/main.rs:10-80          a range of lines
#   src/main.rs#parse_args     a definition
#   !docs/adr/0001-old.md      removes what an earlier line added
# session.context and turn.context add to this list and override it.
",
    ),
    (
        "memos.yaml",
        "\
# Facts and rules for every payload; `teddy memo add TEXT` appends one.
[]
",
    ),
];

/// A directory tree with `.teddy/` at its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// Finds the project of `start`: the nearest directory with a `.teddy/` among `start` and its ancestors, but not
    /// above the git work tree.
    ///
    /// Fails if `.teddy` is a file or a symlink that leaves its directory.
    pub fn find(start: &Path) -> Result<Option<Self>> {
        let start = files::physical(start).map_err(|e| Error::io("open", start, e))?;
        for dir in start.ancestors() {
            if let Some(project) = Self::open(dir)? {
                return Ok(Some(project));
            }
            if is_work_tree(dir) {
                break;
            }
        }
        Ok(None)
    }

    /// Directory for a new `.teddy/`: the root of the git work tree of `start`, else `start` itself.
    pub fn root_for(start: &Path) -> Result<PathBuf> {
        let start = files::physical(start).map_err(|e| Error::io("open", start, e))?;
        Ok(start.ancestors().find(|dir| is_work_tree(dir)).unwrap_or(&start).to_path_buf())
    }

    /// Creates the missing parts of `.teddy/` in `root` and returns their paths. Existing files are not changed.
    ///
    /// On an error, everything that this call created is removed.
    pub fn init(root: &Path) -> Result<(Self, Vec<PathBuf>)> {
        let root = files::physical(root).map_err(|e| Error::io("open", root, e))?;
        // Checks an existing `.teddy` before writing to it.
        Self::open(&root)?;
        let project = Self { root };
        let mut made = Vec::new();
        match project.make_missing(&mut made) {
            Ok(()) => Ok((project, made)),
            Err(error) => {
                Self::undo_init(&made);
                Err(error)
            }
        }
    }

    /// Removes the paths created by [`Project::init`].
    pub fn undo_init(made: &[PathBuf]) {
        for path in made.iter().rev() {
            // Only empty directories are removed, so no other file is lost.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
    }

    /// Opens the project at `root`, if it has a `.teddy/`.
    pub fn open(root: &Path) -> Result<Option<Self>> {
        for name in [TEDDY_DIR, ".teddy/sessions"] {
            let path = root.join(name);
            match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => {}
                Ok(meta) if meta.is_symlink() => {
                    files::refuse_escapes(root, name).map_err(|_| {
                        let what = format!("{} is a symlink that leads outside the project", path.display());
                        Error::input(what, "replace it with a directory")
                    })?;
                    if !path.is_dir() {
                        return Err(not_a_directory(&path));
                    }
                }
                Ok(_) => return Err(not_a_directory(&path)),
                Err(error) if error.kind() == io::ErrorKind::NotFound && name == TEDDY_DIR => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io("open", &path, error)),
            }
        }
        Ok(Some(Self { root: root.to_path_buf() }))
    }

    /// The directory that holds `.teddy/`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `.teddy/`.
    pub fn teddy_dir(&self) -> PathBuf {
        self.root.join(TEDDY_DIR)
    }

    /// `.teddy/sessions/`.
    pub fn sessions_dir(&self) -> PathBuf {
        self.teddy_dir().join("sessions")
    }

    /// `.teddy/config.yaml`, which need not exist.
    pub fn config_file(&self) -> PathBuf {
        self.teddy_dir().join("config.yaml")
    }

    /// `.teddy/global.context`.
    pub fn global_context(&self) -> PathBuf {
        self.teddy_dir().join("global.context")
    }

    /// `.teddy/memos.yaml`.
    pub fn memos_file(&self) -> PathBuf {
        self.teddy_dir().join("memos.yaml")
    }

    /// `.teddy/manifests.yaml`, which need not exist.
    pub fn manifests_file(&self) -> PathBuf {
        self.teddy_dir().join("manifests.yaml")
    }

    /// `.teddy/context-budget-log.jsonl`.
    pub fn budget_log(&self) -> PathBuf {
        self.teddy_dir().join("context-budget-log.jsonl")
    }

    /// `path` relative to the root, for messages.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Reads a file inside the project as text; `None` if it does not exist.
    pub fn read(&self, path: &Path) -> Result<Option<String>> {
        files::read_inside(&self.root, path)
    }

    /// Reads a YAML file inside the project; `None` if it does not exist, the default if it is empty.
    pub fn read_yaml<T: DeserializeOwned + Default>(&self, path: &Path) -> Result<Option<T>> {
        self.read(path)?.map(|text| yaml::parse(self.shown(path), &text)).transpose()
    }

    /// Reads a payload inside the project; `None` if it does not exist.
    pub fn read_payload(&self, path: &Path) -> Result<Option<String>> {
        files::read_inside_up_to(&self.root, path, PAYLOAD_BYTES)
    }

    /// Removes temporary files in `.teddy/` whose process no longer runs; returns their paths.
    pub fn sweep(&self) -> Vec<PathBuf> {
        let mut gone = atomic::sweep(&self.teddy_dir());
        gone.extend(atomic::sweep(&self.sessions_dir()));
        for session in subdirectories(&self.sessions_dir()) {
            gone.extend(atomic::sweep(&session));
            gone.extend(subdirectories(&session).iter().flat_map(|turn| atomic::sweep(turn)));
        }
        gone
    }

    /// Creates missing directories and starter files, and appends each to `made`.
    fn make_missing(&self, made: &mut Vec<PathBuf>) -> Result<()> {
        for dir in [self.teddy_dir(), self.sessions_dir()] {
            match fs::create_dir(&dir) {
                Ok(()) => made.push(dir),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io("create", dir, error)),
            }
        }
        for (name, text) in STARTERS {
            let path = self.teddy_dir().join(name);
            if path.symlink_metadata().is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
                atomic::write(&path, text.as_bytes())?;
                made.push(path);
            }
        }
        Ok(())
    }
}

/// Parses a built-in YAML file, or one of the user's own, such as a keymap. An empty file is the default.
pub fn parse_own<T: DeserializeOwned + Default>(path: &Path, text: &str) -> Result<T> {
    yaml::parse(path, text)
}

/// Returns true for the root of a git work tree. In linked work trees and submodules, `.git` is a file.
fn is_work_tree(dir: &Path) -> bool {
    dir.join(".git").symlink_metadata().is_ok()
}

/// Subdirectories of `dir`, sorted, without symlinks and hidden directories.
pub(crate) fn subdirectories(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn not_a_directory(path: &Path) -> Error {
    Error::input(format!("{} is in the way: it is not a directory", path.display()), "move it aside")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temp() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = files::physical(dir.path()).unwrap();
        (dir, root)
    }

    #[test]
    fn init_makes_everything_once_and_overwrites_nothing() {
        let (_keep, root) = temp();
        let (project, made) = Project::init(&root).unwrap();
        let names: Vec<_> = made.iter().map(|p| p.strip_prefix(&root).unwrap().to_str().unwrap()).collect();
        assert_eq!(
            names,
            [".teddy", ".teddy/sessions", ".teddy/.gitignore", ".teddy/global.context", ".teddy/memos.yaml"]
        );
        fs::write(project.memos_file(), "- mine\n").unwrap();
        fs::remove_file(project.global_context()).unwrap();
        let (again, made) = Project::init(&root).unwrap();
        assert_eq!((again, made), (project.clone(), vec![project.global_context()]));
        assert_eq!(fs::read_to_string(project.memos_file()).unwrap(), "- mine\n");
        assert!(Project::init(&root).unwrap().1.is_empty());
    }

    #[test]
    fn starter_files_are_valid_and_empty() {
        let (_keep, root) = temp();
        let (project, _) = Project::init(&root).unwrap();
        assert_eq!(memos::load(&project).unwrap(), Vec::<String>::new());
        let text = project.read(&project.global_context()).unwrap().unwrap();
        let (list, problems) = context::parse(&text);
        assert!(list.entries.is_empty() && problems.is_empty());
    }

    /// The test below runs this in a process that cannot write files.
    #[cfg(unix)]
    #[test]
    fn in_a_process_that_cannot_write() {
        let Ok(dir) = std::env::var("TEDDY_TEST_UNWRITABLE_DIR") else { return };
        assert_eq!(Project::init(Path::new(&dir)).unwrap_err().exit_code(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_failed_init_removes_what_it_created() {
        let (_keep, root) = temp();
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --exact project::tests::in_a_process_that_cannot_write";
        let output = std::process::Command::new("sh")
            .args(["-c", script])
            .arg(std::env::current_exe().unwrap())
            .env("TEDDY_TEST_UNWRITABLE_DIR", &root)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    }

    /// The test below runs this in a process with other environment variables.
    #[test]
    fn in_a_process_with_variables() {
        let Ok(dir) = std::env::var("TEDDY_TEST_DIR") else { return };
        let dir = PathBuf::from(dir);
        assert_eq!(config::user_dir(), Some(dir.join("config")));
        assert_eq!(secret_allowlist::state_dir(), Some(dir.join("state")));
        assert_eq!(clock::source_date_epoch().unwrap(), Some(1_769_250_600));
        assert_eq!(clock::now().unwrap(), 1_769_250_600);
        assert_eq!(config::Config::load(None).unwrap().history_commits, 7);
    }

    #[test]
    fn environment_variables_set_directories_and_time() {
        let (_keep, root) = temp();
        fs::create_dir(root.join("config")).unwrap();
        fs::write(root.join("config/config.yaml"), "history_commits: 7\n").unwrap();
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "project::tests::in_a_process_with_variables"])
            .env("TEDDY_TEST_DIR", &root)
            .env(config::CONFIG_DIR_VARIABLE, root.join("config"))
            .env(secret_allowlist::STATE_DIR_VARIABLE, root.join("state"))
            .env("SOURCE_DATE_EPOCH", "1769250600")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
    }

    #[test]
    fn a_project_is_open_with_sessions_or_without() {
        let (_keep, root) = temp();
        assert_eq!(Project::open(&root).unwrap(), None);
        fs::create_dir(root.join(".teddy")).unwrap();
        assert_eq!(Project::open(&root).unwrap().unwrap().root(), root);
        fs::write(root.join(".teddy/sessions"), "").unwrap();
        assert!(Project::open(&root).unwrap_err().to_string().contains("sessions is in the way"));
        fs::remove_file(root.join(".teddy/sessions")).unwrap();
        fs::create_dir(root.join(".teddy/sessions")).unwrap();
        assert!(Project::open(&root).unwrap().is_some());
        // A path below a file is an error, and not a missing project.
        fs::write(root.join("file"), "").unwrap();
        assert_eq!(Project::open(&root.join("file")).unwrap_err().exit_code(), 3);
    }

    #[test]
    fn project_files_have_fixed_paths() {
        let project = Project { root: PathBuf::from("/shop") };
        let places = [
            (project.teddy_dir(), ""),
            (project.sessions_dir(), "/sessions"),
            (project.config_file(), "/config.yaml"),
            (project.global_context(), "/global.context"),
            (project.memos_file(), "/memos.yaml"),
            (project.manifests_file(), "/manifests.yaml"),
            (project.budget_log(), "/context-budget-log.jsonl"),
        ];
        for (path, place) in places {
            assert_eq!(path, PathBuf::from(format!("/shop/.teddy{place}")));
        }
    }

    #[test]
    fn payloads_have_a_larger_size_limit() {
        let (_keep, root) = temp();
        let (project, _) = Project::init(&root).unwrap();
        let path = root.join("payload.md");
        assert_eq!(project.read_payload(&path).unwrap(), None);
        fs::write(&path, "x".repeat(files::MAX_BYTES as usize + 1)).unwrap();
        assert_eq!(project.read_payload(&path).unwrap().unwrap().len() as u64, files::MAX_BYTES + 1);
        assert!(project.read(&path).is_err());
    }

    #[test]
    fn finds_the_nearest_but_never_above_the_work_tree() {
        let (_keep, root) = temp();
        let deep = root.join("repo/src/deep");
        fs::create_dir_all(&deep).unwrap();
        assert_eq!(Project::root_for(&deep).unwrap(), deep);
        Project::init(&root).unwrap();
        assert_eq!(Project::find(&deep).unwrap().unwrap().root(), root);
        fs::write(root.join("repo/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(Project::find(&deep).unwrap(), None);
        assert_eq!(Project::root_for(&deep).unwrap(), root.join("repo"));
        Project::init(&root.join("repo")).unwrap();
        assert_eq!(Project::find(&deep).unwrap().unwrap().root(), root.join("repo"));
        assert_eq!(Project::find(&root.join("missing")).unwrap_err().exit_code(), 3);
    }

    #[test]
    fn other_yaml_files_have_located_errors() {
        let (_keep, root) = temp();
        let (project, _) = Project::init(&root).unwrap();
        let read = || project.read_yaml::<Vec<u32>>(&project.manifests_file());
        assert_eq!(read().unwrap(), None);
        fs::write(project.manifests_file(), "- 1\n- 2\n").unwrap();
        assert_eq!(read().unwrap(), Some(vec![1, 2]));
        fs::write(project.manifests_file(), "- 1\n- x\n").unwrap();
        assert!(matches!(read(), Err(Error::Syntax { line: 2, column: 3, .. })));
        assert!(matches!(project.read(Path::new("/etc/passwd")), Err(Error::Outside { .. })));
    }

    #[test]
    fn a_file_named_teddy_is_an_error_with_a_message() {
        let (_keep, root) = temp();
        fs::write(root.join(".teddy"), "").unwrap();
        for error in [Project::find(&root).unwrap_err(), Project::init(&root).unwrap_err()] {
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(".teddy is in the way"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_that_leave_the_project_are_errors() {
        use std::os::unix::fs::symlink;
        let (_keep, outer) = temp();
        let root = outer.join("project");
        fs::create_dir_all(root.join("inside")).unwrap();
        fs::create_dir(outer.join("outside")).unwrap();
        symlink("../outside", root.join(".teddy")).unwrap();
        let error = Project::init(&root).unwrap_err();
        assert!(error.to_string().contains("leads outside the project"), "{error}");
        assert_eq!(fs::read_dir(outer.join("outside")).unwrap().count(), 0);
        fs::remove_file(root.join(".teddy")).unwrap();
        symlink("inside", root.join(".teddy")).unwrap();
        symlink("../../outside", root.join("inside/sessions")).unwrap();
        assert!(Project::find(&root).is_err());
        fs::remove_file(root.join("inside/sessions")).unwrap();
        assert_eq!(Project::init(&root).unwrap().1.len(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn leftovers_are_removed_on_every_level() {
        let (_keep, root) = temp();
        let (project, _) = Project::init(&root).unwrap();
        let turn = project.sessions_dir().join("20260124-x/01");
        fs::create_dir_all(&turn).unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        for dir in [project.teddy_dir(), project.sessions_dir(), turn.parent().unwrap().to_path_buf(), turn] {
            fs::write(dir.join(format!(".x.{}.tmp", child.id())), "").unwrap();
        }
        assert_eq!(project.sweep().len(), 4);
        assert!(project.sweep().is_empty());
    }
}
