//! A file at HEAD and its diff against the file on disk.

use std::path::Path;

use git2::{DiffOptions, Patch};

use super::Git;
use crate::gather::read;

/// Maximum size of a diff. The rest is omitted.
const PATCH_BYTES: usize = 200_000;
/// Maximum size of a file that has a diff.
const PATCH_SOURCE_BYTES: u64 = 10_000_000;

impl Git {
    /// The file's bytes at HEAD; `None` if HEAD does not have the file.
    pub fn head_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let tree = self.repository.head().ok()?.peel_to_tree().ok()?;
        let entry = tree.get_path(Path::new(&format!("{}{path}", self.prefix))).ok()?;
        self.repository.find_blob(entry.id()).ok().map(|blob| blob.content().to_vec())
    }

    /// The diff of a file between HEAD and the disk, as git prints it. Empty if nothing changed or the file is too
    /// large.
    ///
    /// The file is read through a handle below `root`, because git would follow a directory that has become a link.
    pub fn patch(&self, root: &Path, path: &str) -> String {
        let before = self.head_bytes(path).unwrap_or_default();
        let now = match read::read_bytes(root, path, PATCH_SOURCE_BYTES) {
            Ok(bytes) => bytes,
            // The file exists but is unreadable or too large, so it was not deleted.
            Err(_) if root.join(path).symlink_metadata().is_ok_and(|meta| meta.is_file()) => return String::new(),
            Err(_) => Vec::new(),
        };
        let (Ok(old), Ok(new)) = (read::decode(path, &before), read::decode(path, &now)) else {
            return printed(&before, &now, path, &mut DiffOptions::new());
        };
        let (before, mut now) = (old.text, new.text);
        if !before.contains('\r') && now.contains('\r') {
            // `core.autocrlf` or an attribute may have converted the line endings on disk.
            now = now.replace("\r\n", "\n").into();
        }
        difference(&before, &now, path)
    }
}

/// The unified diff between two versions of a file; empty if they are equal.
pub fn difference(old: &str, new: &str, path: &str) -> String {
    if old == new {
        return String::new();
    }
    printed(old.as_bytes(), new.as_bytes(), path, DiffOptions::new().force_text(true))
}

fn printed(old: &[u8], new: &[u8], path: &str, options: &mut DiffOptions) -> String {
    let name = Some(Path::new(path));
    let made = Patch::from_buffers(old, name, new, name, Some(options));
    made.and_then(|mut made| made.to_buf().map(|text| cut(&text))).unwrap_or_default()
}

/// The diff as text, truncated at the end of a line.
fn cut(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text).into_owned();
    if text.len() >= PATCH_BYTES {
        let end = text.floor_char_boundary(PATCH_BYTES);
        text.truncate(text[..end].rfind('\n').map_or(0, |end| end + 1));
        text.push_str("… (rest of the diff omitted)\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_files_have_no_diff() {
        assert_eq!(difference("a\nb\n", "a\nb\n", "x.rs"), "");
        let text = difference("a\nb\nc\n", "a\nB\nc\n", "src/x.rs");
        assert!(text.contains("+++ b/src/x.rs") && text.contains("\n-b\n+B\n"), "{text}");
        assert!(difference("", "new\n", "n").contains("+new"));
    }

    #[test]
    fn a_long_diff_is_cut_at_a_line() {
        let text = difference("", &"a line\n".repeat(PATCH_BYTES), "x.rs");
        assert!(text.len() < PATCH_BYTES + 100 && text.ends_with("\n+a line\n… (rest of the diff omitted)\n"));
    }

    #[test]
    fn binary_and_large_files_have_no_line_diff() {
        let dir = tempfile::tempdir().unwrap();
        git2::Repository::init(dir.path()).unwrap();
        let git = crate::gather::git::open(dir.path()).unwrap().unwrap();
        let patch = |bytes: &[u8]| {
            std::fs::write(dir.path().join("a"), bytes).unwrap();
            git.patch(dir.path(), "a")
        };
        assert!(patch(b"text\n").contains("\n+text\n"));
        assert!(patch(b"\x7fELF\0\0").contains("\nBinary files "));
        assert_eq!(patch(&vec![b'x'; PATCH_SOURCE_BYTES as usize + 1]), "");
    }
}
