//! Ignore rules. The rules of a directory take precedence over those of its parents.
//!
//! An ignore file is read only if the directory listing contains it and it is a small regular file, because a pipe,
//! device or endless file would block the walk.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Ignore file names, highest precedence first.
pub(super) const NAMES: [&str; 3] = [".teddyignore", ".ignore", ".gitignore"];
/// A repository's own exclude file, with the lowest precedence.
const EXCLUDE: &str = ".git/info/exclude";
const KINDS: usize = NAMES.len() + 1;
/// Maximum size of an ignore file.
const LARGEST: u64 = 1_000_000;

/// Rules of one directory and its parents.
#[derive(Debug, Default)]
pub(super) struct IgnoreRules {
    parent: Option<Arc<IgnoreRules>>,
    /// Rules of each ignore file, in the order of [`NAMES`].
    own: [Option<Gitignore>; KINDS],
}

impl IgnoreRules {
    /// Rules from above the project's root: the user's global rules, and those of the repository that contains the
    /// project.
    pub fn above(root: &Path) -> Arc<Self> {
        let (global, _) = GitignoreBuilder::new(root).build_global();
        let own = [None, None, None, (!global.is_empty()).then_some(global)];
        let mut rules = Arc::new(Self { parent: None, own });
        let above: Vec<&Path> = root.ancestors().skip(1).collect();
        let is_top = |dir: &Path| dir.join(".git").symlink_metadata().is_ok();
        // If no repository contains the project, the rules of parent directories do not apply.
        let count = if is_top(root) { None } else { above.iter().position(|dir| is_top(dir)) };
        for dir in above.iter().take(count.map_or(0, |last| last + 1)).rev() {
            rules = Self::of_unlisted(dir, &rules);
        }
        rules
    }

    /// Rules of a directory that has not been listed.
    fn of_unlisted(dir: &Path, parent: &Arc<Self>) -> Arc<Self> {
        let names = NAMES.iter().copied().chain([".git"]).filter(|name| dir.join(name).symlink_metadata().is_ok());
        Self::of(dir, names.map(OsStr::new), parent).0
    }

    /// Rules of a directory with these entries, and the name of an ignore file that must not be read.
    pub fn of<'n>(
        dir: &Path,
        names: impl Iterator<Item = &'n OsStr>,
        parent: &Arc<Self>,
    ) -> (Arc<Self>, Option<&'static str>) {
        let mut here = [false; KINDS];
        for name in names {
            // The first character rules out most names.
            if name.as_encoded_bytes().first() == Some(&b'.') {
                let kind = NAMES.iter().position(|known| name == *known).or((name == ".git").then_some(KINDS - 1));
                if let Some(kind) = kind {
                    here[kind] = true;
                }
            }
        }
        if here == [false; KINDS] {
            return (Arc::clone(parent), None);
        }
        let (mut own, mut unfit) = ([const { None }; KINDS], None);
        for kind in (0..KINDS).filter(|kind| here[*kind]) {
            let name = NAMES.get(kind).copied().unwrap_or(EXCLUDE);
            let Some(file) = (if name == EXCLUDE { excludes_of(dir) } else { Some(dir.join(name)) }) else { continue };
            match fs::metadata(&file) {
                Ok(meta) if !meta.is_file() || meta.len() > LARGEST => unfit = Some(name),
                Ok(_) => own[kind] = read(dir, &file),
                // The ignore file is missing or unreadable. The directory is walked anyway.
                Err(_) => {}
            }
        }
        (Arc::new(Self { parent: Some(Arc::clone(parent)), own }), unfit)
    }

    /// Rules of a directory whose ignore files have these contents, by name.
    pub fn of_texts(dir: &Path, texts: &[(&str, String)], parent: &Arc<Self>) -> Arc<Self> {
        let mut own = [const { None }; KINDS];
        for (kind, name) in NAMES.iter().enumerate() {
            let Some((_, text)) = texts.iter().find(|(known, _)| known == name) else { continue };
            let mut builder = GitignoreBuilder::new(dir);
            for line in text.lines() {
                // Invalid globs are skipped, as git does.
                let _ = builder.add_line(None, line);
            }
            own[kind] = builder.build().ok().filter(|rules| !rules.is_empty());
        }
        if own.iter().all(Option::is_none) {
            return Arc::clone(parent);
        }
        Arc::new(Self { parent: Some(Arc::clone(parent)), own })
    }

    /// Returns true if a path in the directory is ignored.
    pub fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        for kind in 0..KINDS {
            let levels = std::iter::successors(Some(self), |rules| rules.parent.as_deref());
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

/// Returns true if ignore files exclude a path or one of its directories.
pub(super) fn ignores(root: &Path, below: &Path) -> bool {
    let (mut rules, mut path) = (IgnoreRules::above(root), root.to_path_buf());
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        rules = IgnoreRules::of_unlisted(&path, &rules);
        path.push(part);
        let is_dir = parts.peek().is_some();
        if rules.ignores(&path, is_dir) || (is_dir && is_linked_worktree(&path)) {
            return true;
        }
    }
    false
}

/// Returns true if a directory is a linked worktree (`git worktree add`). Its `.git` file points into the repository's
/// `worktrees/`; the `.git` file of a submodule points into `modules/`.
pub(super) fn is_linked_worktree(dir: &Path) -> bool {
    let store = line_of(&dir.join(".git"));
    let place = store.as_deref().and_then(|line| line.strip_prefix("gitdir: ")).map(Path::new);
    place.and_then(|place| place.parent()?.file_name()).is_some_and(|name| name == "worktrees")
}

fn read(dir: &Path, file: &Path) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(dir);
    // Invalid globs are skipped, as git does.
    let _ = builder.add(file);
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// The exclude file of the repository whose worktree starts at `dir`. A linked worktree's `.git` file leads to the
/// shared repository.
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

    struct TestProject(tempfile::TempDir);

    impl TestProject {
        fn new(files: &[(&str, &str)]) -> Self {
            let place = Self(tempfile::tempdir().unwrap());
            crate::gather::samples::write(place.0.path(), files);
            place
        }

        fn rules(&self, dir: &str, parent: &Arc<IgnoreRules>) -> (Arc<IgnoreRules>, Option<&'static str>) {
            let dir = self.0.path().join(dir);
            let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            IgnoreRules::of(&dir, names.iter().map(AsRef::as_ref), parent)
        }

        fn ignored_paths<'p>(&self, rules: &IgnoreRules, paths: &[&'p str]) -> Vec<&'p str> {
            paths.iter().copied().filter(|path| rules.ignores(&self.0.path().join(path), false)).collect()
        }
    }

    #[test]
    fn only_small_regular_ignore_files_are_read() {
        let place = TestProject::new(&[(".gitignore", "*.log\n")]);
        let none = Arc::default();
        assert_eq!(place.rules("", &none).1, None);
        fs::create_dir(place.0.path().join(".ignore")).unwrap();
        let (rules, unfit) = place.rules("", &none);
        assert_eq!(unfit, Some(".ignore"));
        assert_eq!(place.ignored_paths(&rules, &["a.log", "a.rs"]), ["a.log"], "the others still count");
        fs::remove_dir(place.0.path().join(".ignore")).unwrap();
        fs::write(place.0.path().join(".gitignore"), "x\n".repeat(600_000)).unwrap();
        assert_eq!(place.rules("", &none).1, Some(".gitignore"));
    }

    #[test]
    fn nearer_rules_take_precedence_and_teddyignore_over_all() {
        let place = TestProject::new(&[
            (".gitignore", "*.log\n*.tmp\n"),
            (".teddyignore", "!kept.tmp\n"),
            ("deep/.gitignore", "!*.log\nown\n"),
            ("deep/.ignore", "b.log\n"),
        ]);
        let top = place.rules("", &Arc::default()).0;
        assert_eq!(place.ignored_paths(&top, &["a.log", "a.tmp", "kept.tmp", "own", "a.rs"]), ["a.log", "a.tmp"]);
        let deep = place.rules("deep", &top).0;
        let paths = ["deep/a.log", "deep/b.log", "deep/a.tmp", "deep/kept.tmp", "deep/own"];
        assert_eq!(place.ignored_paths(&deep, &paths), ["deep/b.log", "deep/a.tmp", "deep/own"]);
    }

    #[test]
    fn a_directory_without_ignore_files_shares_its_parents_rules() {
        let place = TestProject::new(&[("deep/a.rs", "")]);
        let top = Arc::default();
        assert!(Arc::ptr_eq(&place.rules("deep", &top).0, &top));
    }

    #[test]
    fn the_exclude_file_applies_to_every_worktree() {
        let place = TestProject::new(&[
            ("main/.git/info/exclude", "scratch\n"),
            ("main/.git/worktrees/other/commondir", "../..\n"),
            ("other/.git", ""),
        ]);
        let store = place.0.path().join("main/.git/worktrees/other");
        fs::write(place.0.path().join("other/.git"), format!("gitdir: {}\n", store.display())).unwrap();
        for tree in ["main", "other"] {
            let rules = place.rules(tree, &Arc::default()).0;
            let scratch = format!("{tree}/scratch");
            assert_eq!(place.ignored_paths(&rules, &[&scratch, "a.rs"]), [&scratch]);
        }
    }

    #[test]
    fn a_path_is_checked_against_all_its_directories() {
        let place = TestProject::new(&[(".gitignore", "/build\n"), ("a/.gitignore", "/top.log\n"), ("a/b/c.rs", "")]);
        let ignored_paths = |path: &&&str| ignores(place.0.path(), Path::new(path));
        let paths = ["build/x.rs", "a/build/x.rs", "a/top.log", "a/b/top.log", "top.log", "a/b/c.rs"];
        assert_eq!(paths.iter().filter(ignored_paths).collect::<Vec<_>>(), [&"build/x.rs", &"a/top.log"]);
    }

    #[test]
    fn only_the_enclosing_repository_applies() {
        let place = TestProject::new(&[
            (".gitignore", "*\n"),
            ("repo/.git/HEAD", ""),
            ("repo/.gitignore", "*.log\n"),
            ("repo/part/a.rs", ""),
        ]);
        let paths = ["repo/part/a.rs", "repo/part/a.log"];
        let part = IgnoreRules::above(&place.0.path().join("repo/part"));
        assert_eq!(place.ignored_paths(&part, &paths), ["repo/part/a.log"]);
        let repo = IgnoreRules::above(&place.0.path().join("repo"));
        assert_eq!(place.ignored_paths(&repo, &paths), [""; 0]);
    }
}
