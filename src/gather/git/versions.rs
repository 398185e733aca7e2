//! A file's text in the head commit, and the difference between two texts.

use git2::{DiffOptions, Oid, Patch};

use super::Git;
use super::dirty::cut;

impl Git {
    /// The bytes of a file in the head commit; `None` if it is not there.
    pub fn head_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let tree = self.repository.head().ok()?.peel_to_tree().ok()?;
        self.bytes_of(self.blob_in(&tree, path)?)
    }

    fn blob_in(&self, tree: &git2::Tree<'_>, path: &str) -> Option<Oid> {
        tree.get_path(format!("{}{path}", self.prefix).as_ref()).ok().map(|entry| entry.id())
    }

    fn bytes_of(&self, id: Oid) -> Option<Vec<u8>> {
        self.repository.find_blob(id).ok().map(|blob| blob.content().to_vec())
    }
}

/// What turns one text into the other, as git prints it; empty where they are the same.
pub fn difference(old: &str, new: &str, path: &str) -> String {
    if old == new {
        return String::new();
    }
    let mut options = DiffOptions::new();
    options.force_text(true);
    let name = Some(std::path::Path::new(path));
    let made = Patch::from_buffers(old.as_bytes(), name, new.as_bytes(), name, Some(&mut options));
    made.and_then(|mut made| made.to_buf().map(|text| cut(&text))).unwrap_or_default()
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
}
