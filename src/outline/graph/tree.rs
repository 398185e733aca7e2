//! The files of the tree, indexed by path, name and directory.

use rayon::prelude::*;

use super::GraphNode;
use super::key_index::KeyIndex;
use crate::outline::language::Language;

/// An import that matches more files than this is ambiguous.
pub(crate) const MOST_AMBIGUOUS: usize = 20;
/// A package or namespace resolves to at most this many files.
pub(crate) const MOST_OF_A_PACKAGE: usize = 30;

/// Every path, with the indexes that import resolution needs.
pub(crate) struct FileTree<'a> {
    pub(crate) paths: Vec<&'a str>,
    pub(crate) languages: Vec<Option<Language>>,
    by_path: KeyIndex<u32>,
    /// Code files.
    by_name: KeyIndex<u32>,
    /// Code files.
    by_stem: KeyIndex<u32>,
    by_directory: KeyIndex<u32>,
    directories_by_name: KeyIndex<&'a str>,
}

impl<'a> FileTree<'a> {
    pub(crate) fn new(nodes: &[GraphNode<'a>]) -> Self {
        let path = |file: u32| nodes[file as usize].path;
        let all = || 0..nodes.len() as u32;
        let code = || all().filter(|file| nodes[*file as usize].language.is_some());
        let mut directories: Vec<&str> = nodes.iter().map(|node| split(node.path).0).collect();
        directories.dedup();
        directories.par_sort_unstable();
        directories.dedup();
        Self {
            by_path: KeyIndex::new(all(), path),
            by_name: KeyIndex::new(code(), |file| split(path(file)).1),
            by_stem: KeyIndex::new(code(), |file| stem(split(path(file)).1)),
            by_directory: KeyIndex::new(all(), |file| split(path(file)).0),
            directories_by_name: KeyIndex::new(directories.into_iter(), |directory| split(directory).1),
            paths: nodes.iter().map(|node| node.path).collect(),
            languages: nodes.iter().map(|node| node.language).collect(),
        }
    }

    fn path(&self, file: u32) -> &'a str {
        self.paths[file as usize]
    }

    /// The file at this path.
    pub(crate) fn at(&self, path: &str) -> Option<u32> {
        self.by_path.get(path, |file| self.path(file)).first().copied()
    }

    /// Files directly in a directory.
    pub(crate) fn files_in(&self, directory: &str) -> &[u32] {
        self.by_directory.get(directory, |file| split(self.path(file)).0)
    }

    /// Code files with this name before the last dot.
    pub(crate) fn with_stem(&self, wanted: &str) -> &[u32] {
        self.by_stem.get(wanted, |file| stem(split(self.path(file)).1))
    }

    /// Directories with this name that contain files.
    pub(crate) fn directories_named(&self, name: &str) -> &[&'a str] {
        self.directories_by_name.get(name, |directory| split(directory).1)
    }

    /// Code files whose path is `suffix` or ends with `/suffix`.
    pub(crate) fn ending_in(&self, suffix: &str) -> Vec<u32> {
        let named = self.by_name.get(split(suffix).1, |file| split(self.path(file)).1);
        named.iter().copied().filter(|file| ends_with_path(self.path(*file), suffix)).collect()
    }

    /// The candidates nearest to `from` in the directory tree; none if too many are equally near.
    pub(crate) fn nearest(&self, from: u32, candidates: &[u32]) -> Vec<u32> {
        if candidates.len() < 2 {
            return candidates.to_vec();
        }
        let here = split(self.paths[from as usize]).0;
        let mut best: Option<(usize, usize)> = None;
        let mut nearest = Vec::new();
        for &candidate in candidates {
            let path = self.paths[candidate as usize];
            // More shared directories first, then the shallower path.
            let rank = (shared_directories(here, split(path).0), usize::MAX - path.matches('/').count());
            if best.is_none_or(|best| rank > best) {
                best = Some(rank);
                nearest.clear();
            }
            if best == Some(rank) {
                nearest.push(candidate);
            }
        }
        if nearest.len() > MOST_AMBIGUOUS {
            nearest.clear();
        }
        nearest
    }
}

/// Directory and name of a path.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// A file name without its last extension.
pub(crate) fn stem(name: &str) -> &str {
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

/// A path without its last extension.
pub(crate) fn without_extension(path: &str) -> &str {
    let name = split(path).1;
    &path[..path.len() - (name.len() - stem(name).len())]
}

/// Returns true if `path` is `suffix` or ends with `/suffix`.
pub(crate) fn ends_with_path(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Part of `path` before `suffix`, without the slash between them.
pub(crate) fn before_suffix<'a>(path: &'a str, suffix: &str) -> Option<&'a str> {
    let before = path.strip_suffix(suffix)?;
    if before.is_empty() { Some("") } else { before.strip_suffix('/') }
}

/// `directory/name`; the directory may be the root.
pub(crate) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// `spec` relative to `directory`, with `.` and `..` resolved; `None` if it leaves the tree.
pub(crate) fn relative(directory: &str, spec: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in spec.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns true if `directory` is `inner` or one of its ancestors.
pub(crate) fn is_above(directory: &str, inner: &str) -> bool {
    directory.is_empty() || inner.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A directory and its ancestors, innermost first, ending with the root.
pub(crate) fn upwards(directory: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(directory);
    std::iter::from_fn(move || {
        let current = next?;
        next = (!current.is_empty()).then(|| split(current).0);
        Some(current)
    })
}

/// Number of leading directories that two paths share.
fn shared_directories(left: &str, right: &str) -> usize {
    left.split('/').zip(right.split('/')).take_while(|(left, right)| left == right && !left.is_empty()).count()
}

/// Number of trailing components that two paths share.
pub(crate) fn shared_tail<'a>(
    left: impl DoubleEndedIterator<Item = &'a str>,
    right: impl DoubleEndedIterator<Item = &'a str>,
) -> usize {
    left.rev().zip(right.rev()).take_while(|(left, right)| left == right).count()
}

/// A path relative to the importing file's directory.
pub(crate) fn beside(tree: &FileTree<'_>, from: u32, spec: &str) -> Option<u32> {
    relative(split(tree.paths[from as usize]).0, spec).and_then(|path| tree.at(&path))
}

/// A path relative to the file or to one of its ancestors, or else the only file whose path ends with this path.
pub(crate) fn by_path_or_ending(tree: &FileTree<'_>, from: u32, spec: &str) -> Option<u32> {
    let spec = spec.trim_start_matches("./");
    let here = split(tree.paths[from as usize]).0;
    if let Some(file) = upwards(here).find_map(|directory| relative(directory, spec).and_then(|path| tree.at(&path))) {
        return Some(file);
    }
    let end = spec.rsplit("../").next().unwrap_or(spec).trim_start_matches('/');
    match tree.ending_in(end).as_slice() {
        [only] if end.contains('/') => Some(*only),
        _ => None,
    }
}
