//! Compares files with the index as git does: after converting line endings, `ident` and other filters.

use std::fs;
use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, DiffOptions, ObjectType, Oid};
use sha2::{Digest, Sha256};

use super::index_file::IndexEntry;
use super::{Git, open};
use crate::gather::encoding;
use crate::text::hex;

/// The entries that git considers changed, among those whose bytes differ from the index.
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

/// Returns true if a file with an external filter is unchanged. The pointer that Git LFS stores can be computed. Other
/// filters are not run, so such a file counts as changed only if its size differs.
fn is_filtered(filter: &str, file: &Path, entry: &IndexEntry) -> bool {
    if filter != "lfs" {
        return fs::symlink_metadata(file).is_ok_and(|meta| meta.len() as u32 == entry.size);
    }
    let Ok(bytes) = fs::read(file) else { return false };
    let sha256 = hex(&Sha256::digest(&bytes));
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {}\n", bytes.len());
    Oid::hash_object(ObjectType::Blob, pointer.as_bytes()).ok() == Some(entry.id)
}

/// Returns true if a file with `working-tree-encoding` is unchanged. git stores such a file as UTF-8.
fn is_encoded(file: &Path, entry: &IndexEntry) -> bool {
    let Ok(bytes) = fs::read(file) else { return false };
    let Ok(decoded) = encoding::decode(&bytes) else { return false };
    Oid::hash_object(ObjectType::Blob, decoded.text.as_bytes()).ok() == Some(entry.id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::gather::git::samples::run_git;
    use crate::gather::git::{FileStat, StatusChange};

    /// The status of these files, compared by content.
    fn status(root: &Path, paths: &[&'static str]) -> Vec<(String, StatusChange)> {
        let on_disk: HashMap<&str, FileStat> =
            paths.iter().map(|path| (*path, (root.join(path).metadata().unwrap().len(), 0))).collect();
        let git = open(root).unwrap().unwrap();
        git.tracked().unwrap().dirty(root, &on_disk).into_iter().filter(|(path, _)| path != ".gitattributes").collect()
    }

    fn repository(attributes: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".gitattributes"), attributes).unwrap();
        run_git(dir.path(), &["init", "-q"]);
        dir
    }

    fn commit(root: &Path) {
        run_git(root, &["add", "."]);
        run_git(root, &["commit", "-q", "-m", "Begin"]);
    }

    fn modified(path: &str) -> Vec<(String, StatusChange)> {
        vec![(path.to_owned(), StatusChange::Modified)]
    }

    #[test]
    fn converted_line_endings_are_not_a_change() {
        let dir = repository("*.bat text eol=crlf\n*.txt text=auto\n");
        let root = dir.path();
        fs::write(root.join("a.bat"), "echo a\r\necho b\r\n").unwrap();
        fs::write(root.join("b.txt"), "one\n").unwrap();
        commit(root);
        assert_eq!(status(root, &["a.bat", "b.txt"]), []);
        fs::write(root.join("a.bat"), "echo a\r\necho c\r\n").unwrap();
        assert_eq!(status(root, &["a.bat", "b.txt"]), modified("a.bat"));
    }

    #[test]
    fn filters_are_not_a_change() {
        let dir = repository("*.up filter=upper\n*.dat filter=lfs\n*.u16 working-tree-encoding=UTF-16LE\n");
        let root = dir.path();
        run_git(root, &["config", "filter.upper.clean", "tr A-Z a-z"]);
        run_git(root, &["config", "filter.upper.smudge", "tr a-z A-Z"]);
        let pointer = "f=$(mktemp); cat >$f; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' \
                       $(sha256sum <$f | cut -d' ' -f1) $(wc -c <$f); rm $f";
        run_git(root, &["config", "filter.lfs.clean", pointer]);
        fs::write(root.join("a.up"), "SHOUT\n").unwrap();
        fs::write(root.join("b.dat"), "large data\n").unwrap();
        let wide: Vec<u8> = "wide text\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        fs::write(root.join("c.u16"), wide).unwrap();
        commit(root);
        let paths = ["a.up", "b.dat", "c.u16"];
        assert_eq!(status(root, &paths), []);
        fs::write(root.join("b.dat"), "other data\n").unwrap();
        assert_eq!(status(root, &paths), modified("b.dat"));
        fs::write(root.join("b.dat"), "large data\n").unwrap();
        fs::write(root.join("a.up"), "SHOUT LOUDER\n").unwrap();
        assert_eq!(status(root, &paths), modified("a.up"));
    }

    #[test]
    fn files_of_a_submodule_are_not_untracked() {
        let dir = tempfile::tempdir().unwrap();
        let (inner, outer) = (dir.path().join("inner"), dir.path().join("outer"));
        for root in [&inner, &outer] {
            fs::create_dir(root).unwrap();
            run_git(root, &["init", "-q"]);
            fs::write(root.join("a.rs"), "fn a() {}\n").unwrap();
            commit(root);
        }
        run_git(&outer, &["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../inner", "lib"]);
        run_git(&outer, &["commit", "-q", "-m", "Add a submodule"]);
        fs::write(outer.join("new.rs"), "").unwrap();
        let untracked = vec![("new.rs".to_owned(), StatusChange::Untracked)];
        assert_eq!(status(&outer, &["a.rs", "lib/a.rs", "new.rs", ".gitmodules"]), untracked);
    }
}
