//! Files that an include refers to, and headers with their implementations.

use crate::outline::graph::Resolver;
use crate::outline::graph::tree::{FileTree, beside, join, split, stem};
use crate::outline::imports::Import;
use crate::outline::language::Language;

/// Adds the file next to the including one, else the nearest file whose path ends with the included path.
pub(super) fn resolve(resolver: &mut Resolver<'_, '_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
    let spec = &import.spec;
    let angle = spec.strip_prefix('<').and_then(|spec| spec.strip_suffix('>'));
    let path = angle.unwrap_or(spec);
    if angle.is_none()
        && let Some(beside) = beside(resolver.tree, from, path)
    {
        targets.push(beside);
        return;
    }
    let mut configured = resolver.include_directories.iter().map(|directory| join(directory, path));
    if let Some(file) = configured.find_map(|path| resolver.tree.at(&path)) {
        targets.push(file);
        return;
    }
    let found = resolver.cached(Language::C, spec, |tree, _| include(tree, path, angle.is_some())).to_vec();
    targets.extend(resolver.tree.nearest(from, &found));
}

/// Every file whose path ends with the included path.
fn include(tree: &FileTree<'_>, spec: &str, angle: bool) -> Vec<u32> {
    let path = spec.rsplit("../").next().unwrap_or(spec).trim_start_matches("./");
    let mut found = tree.ending_in(path);
    found.retain(|file| matches!(tree.languages[*file as usize], Some(Language::C | Language::Cpp)));
    // `<string.h>` is a system header even if another file has that name, unless an include directory contains it.
    if angle && !path.contains('/') {
        found.retain(|file| split(split(tree.paths[*file as usize]).0).1 == "include");
    }
    found
}

/// Header of an implementation, or implementations of a header: in the same directory, else the only match.
pub(super) fn companions(tree: &FileTree<'_>, from: u32) -> Vec<u32> {
    let path = tree.paths[from as usize];
    let (directory, name) = split(path);
    let header = is_header(name);
    let others: Vec<u32> = tree
        .with_stem(stem(name))
        .iter()
        .copied()
        .filter(|file| {
            let other = tree.paths[*file as usize];
            matches!(tree.languages[*file as usize], Some(Language::C | Language::Cpp)) && is_header(other) != header
        })
        .collect();
    let beside: Vec<u32> =
        others.iter().copied().filter(|file| split(tree.paths[*file as usize]).0 == directory).collect();
    if !beside.is_empty() {
        return beside;
    }
    // Each must be the only match of the other; otherwise `main.c` of one tool would pair with `main.h` of another.
    let same_kind = |file: &&u32| {
        let other = tree.paths[**file as usize];
        matches!(tree.languages[**file as usize], Some(Language::C | Language::Cpp)) && is_header(other) == header
    };
    if others.len() == 1 && tree.with_stem(stem(name)).iter().filter(same_kind).count() == 1 {
        others
    } else {
        Vec::new()
    }
}

fn is_header(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| matches!(extension, "h" | "hh" | "hpp" | "hxx" | "H" | "inl" | "ipp"))
}
