//! Earlier texts of one file, and the difference between two texts.

use std::collections::HashSet;

use git2::{DiffOptions, Oid, Patch, Sort};

use super::Git;
use super::dirty::cut;

/// Commits looked at for an earlier text.
const MOST_COMMITS: usize = 500;

impl Git {
    /// The bytes of a file in the head commit; `None` if it is not there.
    pub fn head_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let tree = self.repository.head().ok()?.peel_to_tree().ok()?;
        self.bytes_of(self.blob_in(&tree, path)?)
    }

    /// The newest bytes of a file that are the wanted ones, in the index or in one of the last commits.
    pub fn earlier_bytes(&self, path: &str, wanted: &dyn Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
        let mut tried = HashSet::new();
        let mut attempt = |id: Oid| {
            let bytes = tried.insert(id).then(|| self.bytes_of(id)).flatten()?;
            wanted(&bytes).then_some(bytes)
        };
        let full = format!("{}{path}", self.prefix);
        let staged = self.repository.index().ok().and_then(|index| index.get_path(full.as_ref(), 0));
        if let Some(found) = staged.and_then(|entry| attempt(entry.id)) {
            return Some(found);
        }
        let mut walk = self.repository.revwalk().ok()?;
        walk.push_head().ok()?;
        walk.set_sorting(Sort::TIME).ok()?;
        walk.take(MOST_COMMITS).flatten().find_map(|id| {
            let tree = self.repository.find_commit(id).ok()?.tree().ok()?;
            attempt(self.blob_in(&tree, path)?)
        })
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
