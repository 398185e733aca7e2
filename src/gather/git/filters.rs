//! Compares files with the index the way git does: after line ending conversion, `ident` and other filters.

use std::fs;
use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, DiffOptions, ObjectType, Oid};
use sha2::{Digest, Sha256};

use super::index_file::IndexEntry;
use super::{Git, open};
use crate::gather::encoding;
use crate::text::hex;

/// Of the entries whose bytes differ from the index, those that git considers changed.
pub(super) fn changed<'e>(root: &Path, differing: Vec<&'e IndexEntry>) -> Vec<&'e IndexEntry> {
    if differing.is_empty() {
        return differing;
    }
    let Ok(Some(git)) = open(root) else { return differing };
    let mut plain = Vec::new();
    let mut changed = Vec::new();
    for entry in differing {
        let path = git.prefix.clone() + &entry.path;
        let same = match (git.attribute(&path, "filter"), git.attribute(&path, "working-tree-encoding")) {
            (Some(filter), _) => is_filtered(&filter, &root.join(&entry.path), entry),
            (None, Some(_)) => is_encoded(&root.join(&entry.path), entry),
            (None, None) => {
                plain.push((path, entry));
                continue;
            }
        };
        if !same {
            changed.push(entry);
        }
    }
    changed.extend(git.differing(plain));
    changed
}

impl Git {
    /// The value of a string attribute.
    fn attribute(&self, path: &str, name: &str) -> Option<String> {
        let value = self.repository.get_attr(Path::new(path), name, AttrCheckFlags::FILE_THEN_INDEX).ok()?;
        match AttrValue::from_string(value) {
            AttrValue::String(value) => Some(value.to_owned()),
            _ => None,
        }
    }

    /// The entries that differ after libgit2's built-in filters: line endings and `ident`.
    fn differing<'e>(&self, entries: Vec<(String, &'e IndexEntry)>) -> Vec<&'e IndexEntry> {
        let mut options = DiffOptions::new();
        options.ignore_submodules(true).skip_binary_check(true).disable_pathspec_match(true);
        for (path, _) in &entries {
            options.pathspec(path);
        }
        let all = || entries.iter().map(|(_, entry)| *entry).collect();
        if entries.is_empty() {
            return Vec::new();
        }
        let Ok(diff) = self.repository.diff_index_to_workdir(None, Some(&mut options)) else { return all() };
        let paths: std::collections::HashSet<String> =
            diff.deltas().filter_map(|delta| delta.new_file().path().and_then(super::slashed)).collect();
        entries.into_iter().filter(|(path, _)| paths.contains(path)).map(|(_, entry)| entry).collect()
    }
}

/// Returns whether a file with an external filter is unchanged. Git LFS stores a pointer that can be computed; other filters
/// are not run, and only a changed size counts.
fn is_filtered(filter: &str, file: &Path, entry: &IndexEntry) -> bool {
    if filter != "lfs" {
        return fs::symlink_metadata(file).is_ok_and(|meta| meta.len() as u32 == entry.size);
    }
    let Ok(bytes) = fs::read(file) else { return false };
    let sha256 = hex(&Sha256::digest(&bytes));
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {}\n", bytes.len());
    Oid::hash_object(ObjectType::Blob, pointer.as_bytes()).ok() == Some(entry.id)
}

/// Returns whether a file with `working-tree-encoding`, which git stores as UTF-8, is unchanged.
fn is_encoded(file: &Path, entry: &IndexEntry) -> bool {
    let Ok(bytes) = fs::read(file) else { return false };
    let Ok(decoded) = encoding::decode(&bytes) else { return false };
    Oid::hash_object(ObjectType::Blob, decoded.text.as_bytes()).ok() == Some(entry.id)
}
