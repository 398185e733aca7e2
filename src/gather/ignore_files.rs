//! Ignore files that are none: a pipe, a device or an endless file under the name of one would hold up the walk for ever.

use std::fs;
use std::path::Path;

/// What the walk reads in every directory before it goes in.
const NAMES: [&str; 4] = [".gitignore", ".ignore", ".teddyignore", ".git/info/exclude"];
/// No person writes a longer one.
const LARGEST: u64 = 1_000_000;

/// The first ignore file in `dir` that must not be read.
pub(super) fn unfit(dir: &Path) -> Option<&'static str> {
    NAMES.into_iter().find(|name| match fs::metadata(dir.join(name)) {
        Ok(meta) => !meta.is_file() || meta.len() > LARGEST,
        // There is none, or the walk will say why it cannot be read.
        Err(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_regular_files_are_fit() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(unfit(dir.path()), None);
        fs::write(dir.path().join(".gitignore"), "*.log\n").unwrap();
        assert_eq!(unfit(dir.path()), None);
        fs::create_dir(dir.path().join(".ignore")).unwrap();
        assert_eq!(unfit(dir.path()), Some(".ignore"));
        fs::write(dir.path().join(".gitignore"), "x\n".repeat(600_000)).unwrap();
        assert_eq!(unfit(dir.path()), Some(".gitignore"));
    }
}
