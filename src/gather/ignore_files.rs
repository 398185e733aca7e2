//! What ignore files leave out: the rules of each directory that has some, over those of the directories around it.
//!
//! An ignore file is read only where the listing of its directory shows one, and only if it is a small regular file: a pipe, a
//! device or an endless file under its name would hold up the walk for ever.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The names of ignore files, the one that has the last word first.
const NAMES: [&str; 3] = [".teddyignore", ".ignore", ".gitignore"];
/// Besides them, a repository leaves out what this file of its store says.
const EXCLUDE: &str = ".git/info/exclude";
const KINDS: usize = NAMES.len() + 1;
/// No person writes a longer one.
const LARGEST: u64 = 1_000_000;

/// The rules of one directory and of those around it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    around: Option<Arc<Rules>>,
    /// By kind, in the order of [`NAMES`].
    own: [Option<Gitignore>; KINDS],
}

impl Rules {
    /// The rules that hold at the top of a project before its own: the person's, and those of the repository around it.
    pub fn around(root: &Path) -> Arc<Self> {
        let (global, _) = GitignoreBuilder::new(root).build_global();
        let own = [None, None, None, (!global.is_empty()).then_some(global)];
        let mut rules = Arc::new(Self { around: None, own });
        let above: Vec<&Path> = root.ancestors().skip(1).collect();
        let is_top = |dir: &Path| dir.join(".git").symlink_metadata().is_ok();
        // A project that is no part of a larger repository has nothing to do with what lies above it.
        let count = if is_top(root) { None } else { above.iter().position(|dir| is_top(dir)) };
        for dir in above.iter().take(count.map_or(0, |last| last + 1)).rev() {
            rules = Self::looked_up(dir, &rules);
        }
        rules
    }

    /// The rules of a directory that nobody has listed.
    fn looked_up(dir: &Path, around: &Arc<Self>) -> Arc<Self> {
        let names = NAMES.iter().copied().chain([".git"]).filter(|name| dir.join(name).symlink_metadata().is_ok());
        Self::of(dir, names.map(OsStr::new), around).0
    }

    /// The rules of a directory whose entries have these names, inside of `around`, and the name of an ignore file that must not
    /// be read.
    pub fn of<'n>(
        dir: &Path,
        names: impl Iterator<Item = &'n OsStr>,
        around: &Arc<Self>,
    ) -> (Arc<Self>, Option<&'static str>) {
        let mut here = [false; KINDS];
        for name in names {
            // Nearly every name ends this question with its first letter.
            if name.as_encoded_bytes().first() == Some(&b'.') {
                let kind = NAMES.iter().position(|known| name == *known).or((name == ".git").then_some(KINDS - 1));
                if let Some(kind) = kind {
                    here[kind] = true;
                }
            }
        }
        if here == [false; KINDS] {
            return (Arc::clone(around), None);
        }
        let (mut own, mut unfit) = ([const { None }; KINDS], None);
        for kind in (0..KINDS).filter(|kind| here[*kind]) {
            let name = NAMES.get(kind).copied().unwrap_or(EXCLUDE);
            let Some(file) = (if name == EXCLUDE { excludes_of(dir) } else { Some(dir.join(name)) }) else { continue };
            match fs::metadata(&file) {
                Ok(meta) if !meta.is_file() || meta.len() > LARGEST => unfit = Some(name),
                Ok(_) => own[kind] = read(dir, &file),
                // There is none, or it cannot be read, which is no reason to leave its directory out.
                Err(_) => {}
            }
        }
        (Arc::new(Self { around: Some(Arc::clone(around)), own }), unfit)
    }

    /// Whether a path in the directory is left out.
    pub fn leave_out(&self, path: &Path, is_dir: bool) -> bool {
        for kind in 0..KINDS {
            let levels = std::iter::successors(Some(self), |rules| rules.around.as_deref());
            for rules in levels.filter_map(|level| level.own[kind].as_ref()) {
                match rules.matched(path, is_dir) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
        }
        false
    }
}

/// Whether ignore files leave out a path of the project, or a directory on the way to it.
pub(super) fn leave_out(root: &Path, below: &Path) -> bool {
    let (mut rules, mut path) = (Rules::around(root), root.to_path_buf());
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        rules = Rules::looked_up(&path, &rules);
        path.push(part);
        let is_dir = parts.peek().is_some();
        if rules.leave_out(&path, is_dir) || (is_dir && is_work_tree(&path)) {
            return true;
        }
    }
    false
}

/// Whether a directory is another work tree of a repository (`git worktree add`). There `.git` is a file that names a place among the
/// store's work trees; that of a submodule names one among its modules.
pub(super) fn is_work_tree(dir: &Path) -> bool {
    let store = line_of(&dir.join(".git"));
    let place = store.as_deref().and_then(|line| line.strip_prefix("gitdir: ")).map(Path::new);
    place.and_then(|place| place.parent()?.file_name()).is_some_and(|name| name == "worktrees")
}

fn read(dir: &Path, file: &Path) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(dir);
    // What of it is no glob is passed over, as git does.
    let _ = builder.add(file);
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// Where the repository whose work tree begins at `dir` says what it leaves out. In a linked work tree `.git` is a file that
/// names a store, which names the one that it shares.
fn excludes_of(dir: &Path) -> Option<PathBuf> {
    let git = dir.join(".git");
    if git.is_dir() {
        return Some(dir.join(EXCLUDE));
    }
    let store = dir.join(line_of(&git)?.strip_prefix("gitdir: ")?);
    let shared = line_of(&store.join("commondir")).map_or_else(|| store.clone(), |shared| store.join(shared));
    Some(shared.join("info/exclude"))
}

/// The first line of a small file.
fn line_of(file: &Path) -> Option<String> {
    fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    let mut text = String::new();
    fs::File::open(file).ok()?.take(10_000).read_to_string(&mut text).ok()?;
    text.lines().next().map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new(files: &[(&str, &str)]) -> Self {
            let place = Self(tempfile::tempdir().unwrap());
            crate::gather::samples::write(place.0.path(), files);
            place
        }

        fn rules(&self, dir: &str, around: &Arc<Rules>) -> (Arc<Rules>, Option<&'static str>) {
            let dir = self.0.path().join(dir);
            let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            Rules::of(&dir, names.iter().map(AsRef::as_ref), around)
        }

        fn left_out<'p>(&self, rules: &Rules, paths: &[&'p str]) -> Vec<&'p str> {
            paths.iter().copied().filter(|path| rules.leave_out(&self.0.path().join(path), false)).collect()
        }
    }

    #[test]
    fn only_small_regular_files_are_fit() {
        let place = Place::new(&[(".gitignore", "*.log\n")]);
        let none = Arc::default();
        assert_eq!(place.rules("", &none).1, None);
        fs::create_dir(place.0.path().join(".ignore")).unwrap();
        let (rules, unfit) = place.rules("", &none);
        assert_eq!(unfit, Some(".ignore"));
        assert_eq!(place.left_out(&rules, &["a.log", "a.rs"]), ["a.log"], "the others still count");
        fs::remove_dir(place.0.path().join(".ignore")).unwrap();
        fs::write(place.0.path().join(".gitignore"), "x\n".repeat(600_000)).unwrap();
        assert_eq!(place.rules("", &none).1, Some(".gitignore"));
    }

    #[test]
    fn the_nearest_rule_counts_and_our_own_file_has_the_last_word() {
        let place = Place::new(&[
            (".gitignore", "*.log\n*.tmp\n"),
            (".teddyignore", "!kept.tmp\n"),
            ("deep/.gitignore", "!*.log\nown\n"),
            ("deep/.ignore", "b.log\n"),
        ]);
        let top = place.rules("", &Arc::default()).0;
        assert_eq!(place.left_out(&top, &["a.log", "a.tmp", "kept.tmp", "own", "a.rs"]), ["a.log", "a.tmp"]);
        let deep = place.rules("deep", &top).0;
        let paths = ["deep/a.log", "deep/b.log", "deep/a.tmp", "deep/kept.tmp", "deep/own"];
        assert_eq!(place.left_out(&deep, &paths), ["deep/b.log", "deep/a.tmp", "deep/own"]);
    }

    #[test]
    fn a_directory_without_ignore_files_shares_the_rules_around_it() {
        let place = Place::new(&[("deep/a.rs", "")]);
        let top = Arc::default();
        assert!(Arc::ptr_eq(&place.rules("deep", &top).0, &top));
    }

    #[test]
    fn a_repository_leaves_out_what_its_store_says_in_every_work_tree() {
        let place = Place::new(&[
            ("main/.git/info/exclude", "scratch\n"),
            ("main/.git/worktrees/other/commondir", "../..\n"),
            ("other/.git", ""),
        ]);
        let store = place.0.path().join("main/.git/worktrees/other");
        fs::write(place.0.path().join("other/.git"), format!("gitdir: {}\n", store.display())).unwrap();
        for tree in ["main", "other"] {
            let rules = place.rules(tree, &Arc::default()).0;
            let scratch = format!("{tree}/scratch");
            assert_eq!(place.left_out(&rules, &[&scratch, "a.rs"]), [&scratch]);
        }
    }

    #[test]
    fn one_path_is_judged_by_all_directories_on_the_way() {
        let place = Place::new(&[(".gitignore", "/build\n"), ("a/.gitignore", "/top.log\n"), ("a/b/c.rs", "")]);
        let left_out = |path: &&&str| leave_out(place.0.path(), Path::new(path));
        let paths = ["build/x.rs", "a/build/x.rs", "a/top.log", "a/b/top.log", "top.log", "a/b/c.rs"];
        assert_eq!(paths.iter().filter(left_out).collect::<Vec<_>>(), [&"build/x.rs", &"a/top.log"]);
    }

    #[test]
    fn only_the_repository_around_a_project_rules_it() {
        let place = Place::new(&[
            (".gitignore", "*\n"),
            ("repo/.git/HEAD", ""),
            ("repo/.gitignore", "*.log\n"),
            ("repo/part/a.rs", ""),
        ]);
        let paths = ["repo/part/a.rs", "repo/part/a.log"];
        let part = Rules::around(&place.0.path().join("repo/part"));
        assert_eq!(place.left_out(&part, &paths), ["repo/part/a.log"]);
        let repo = Rules::around(&place.0.path().join("repo"));
        assert_eq!(place.left_out(&repo, &paths), [""; 0]);
    }
}
