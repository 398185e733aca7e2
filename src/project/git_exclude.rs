//! Keeps `.teddy/` out of git with a rule in `.git/info/exclude`, which is never committed.

use std::path::{Path, PathBuf};

use super::{TEDDY_DIR, atomic, files};
use crate::error::{Error, Result};

/// The exclude file of the repository around `root`, and the rule for the `.teddy/` in `root`. `None` outside a
/// repository, or if `.git` is a link to another directory.
fn rule(root: &Path) -> Option<(PathBuf, String)> {
    let top = root.ancestors().find(|dir| dir.join(".git").symlink_metadata().is_ok())?;
    let git = top.join(".git");
    if !git.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return None;
    }
    let inside: Vec<&str> = root.strip_prefix(top).ok()?.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let below = inside.iter().map(|part| format!("{part}/")).collect::<Vec<_>>().concat();
    // A name with special characters would be a pattern and exclude something else.
    let is_plain = !below.contains(['*', '?', '[', ']', '\\', '!', '#']);
    is_plain.then(|| (git.join("info/exclude"), format!("/{below}{TEDDY_DIR}/")))
}

/// Returns true if `.teddy/` below `root` can be kept out of git.
pub fn is_possible(root: &Path) -> bool {
    rule(root).is_some()
}

/// Adds the rule if it is missing; returns the file.
pub fn add(root: &Path) -> Result<Option<PathBuf>> {
    let Some((file, rule)) = rule(root) else { return Ok(None) };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if files::is_absent(&error) => String::new(),
        Err(error) => return Err(Error::io("read", &file, error)),
    };
    if text.lines().any(|line| line.trim() == rule) {
        return Ok(Some(file));
    }
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))?;
    }
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    atomic::write(&file, format!("{text}{end}{rule}\n").as_bytes())?;
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_added_once_and_other_lines_stay() {
        let dir = tempfile::tempdir().unwrap();
        let (top, root) = (dir.path().to_path_buf(), dir.path().join("sub/shop"));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(top.join(".git/info")).unwrap();
        std::fs::write(top.join(".git/info/exclude"), "*.log").unwrap();
        for _ in 0..2 {
            add(&root).unwrap();
        }
        assert_eq!(std::fs::read_to_string(top.join(".git/info/exclude")).unwrap(), "*.log\n/sub/shop/.teddy/\n");
    }

    #[test]
    fn a_linked_worktree_is_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".git"), "gitdir: elsewhere\n").unwrap();
        assert!(!is_possible(dir.path()));
        assert_eq!(add(dir.path()).unwrap(), None);
    }
}
