//! A file in the head commit and now, and the difference between two texts.

use std::path::Path;

use git2::{DiffOptions, Patch};

use super::Git;
use crate::gather::read;

/// A diff longer than this is cut: nobody reads it, and it would fill the budget.
const PATCH_BYTES: usize = 200_000;
/// Of a larger file no diff is made.
const PATCH_SOURCE_BYTES: u64 = 10_000_000;

impl Git {
    /// The bytes of a file in the head commit; `None` if it is not there.
    pub fn head_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let tree = self.repository.head().ok()?.peel_to_tree().ok()?;
        let entry = tree.get_path(Path::new(&format!("{}{path}", self.prefix))).ok()?;
        self.repository.find_blob(entry.id()).ok().map(|blob| blob.content().to_vec())
    }

    /// The diff of one file between the head commit and the disk, as git prints it; empty if there is none, or none is made.
    ///
    /// The file is read by handle below `root` and handed to git, which would follow a directory that has become a link.
    pub fn patch(&self, root: &Path, path: &str) -> String {
        let before = self.head_bytes(path).unwrap_or_default();
        let now = match read::read_bytes(root, path, PATCH_SOURCE_BYTES) {
            Ok(bytes) => bytes,
            // It is there and cannot be read, or is too large: that is not the same as gone.
            Err(_) if root.join(path).symlink_metadata().is_ok_and(|meta| meta.is_file()) => return String::new(),
            Err(_) => Vec::new(),
        };
        let (Ok((before, _)), Ok((mut now, _))) = (read::decode(before.clone()), read::decode(now.clone())) else {
            return printed(&before, &now, path, &mut DiffOptions::new());
        };
        if !before.contains('\r') && now.contains('\r') {
            // git may have been told to write other line ends to disk than it keeps.
            now = now.replace("\r\n", "\n");
        }
        difference(&before, &now, path)
    }
}

/// What turns one text into the other, as git prints it; empty where they are the same.
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

/// A diff's text, cut at a line when it is too long.
fn cut(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text).into_owned();
    if text.len() >= PATCH_BYTES {
        let end = text.floor_char_boundary(PATCH_BYTES);
        text.truncate(text[..end].rfind('\n').map_or(0, |end| end + 1));
        text.push_str("… (the rest of this diff is left out)\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_told() {
        assert_eq!(difference("a\nb\n", "a\nb\n", "x.rs"), "");
        let text = difference("a\nb\nc\n", "a\nB\nc\n", "src/x.rs");
        assert!(text.contains("+++ b/src/x.rs") && text.contains("\n-b\n+B\n"), "{text}");
        assert!(difference("", "new\n", "n").contains("+new"));
    }

    #[test]
    fn a_long_difference_is_cut_at_a_line() {
        let text = difference("", &"a line\n".repeat(PATCH_BYTES), "x.rs");
        assert!(text.len() < PATCH_BYTES + 100 && text.ends_with("\n+a line\n… (the rest of this diff is left out)\n"));
    }

    #[test]
    fn what_is_no_text_and_what_is_too_large_is_not_told_line_by_line() {
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
