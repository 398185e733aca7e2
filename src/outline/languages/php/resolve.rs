//! Files that a PHP name or path refers to.

use crate::outline::graph::Resolver;
use crate::outline::graph::tree::{FileTree, by_path_or_ending, shared_tail, without_extension};
use crate::outline::imports::Import;
use crate::outline::language::Language;

/// Adds the files of a class, or of each name in a group.
pub(super) fn resolve(resolver: &mut Resolver<'_, '_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
    if import.spec.starts_with("./") {
        targets.extend(by_path_or_ending(resolver.tree, from, &import.spec));
        return;
    }
    let found = resolver.cached(Language::Php, &import.spec, class_files).to_vec();
    if !found.is_empty() {
        targets.extend(resolver.tree.nearest(from, &found));
        return;
    }
    for name in &import.names {
        let found = resolver.cached(Language::Php, &format!("{}\\{name}", import.spec), class_files).to_vec();
        targets.extend(resolver.tree.nearest(from, &found));
    }
}

/// Files of `A\B\C` whose path shares the longest suffix with the namespace, at least `B/C.php`.
fn class_files(tree: &FileTree<'_>, name: &str) -> Vec<u32> {
    let last = name.rsplit('\\').next().unwrap_or_default();
    let parts = name.split('\\').count();
    let mut longest = 2;
    let mut found = Vec::new();
    for &file in tree.with_stem(last) {
        if tree.languages[file as usize] != Some(Language::Php) {
            continue;
        }
        let path = without_extension(tree.paths[file as usize]);
        let mut agreement = shared_tail(path.split('/'), name.split('\\'));
        // `App\Kernel` in `src/Kernel.php`: the namespace's first part is mapped to the source directory.
        if agreement + 1 == parts && matches!(path.rsplit('/').nth(agreement), Some("src" | "app" | "lib")) {
            agreement += 1;
        }
        if agreement > longest {
            longest = agreement;
            found.clear();
        }
        if agreement == longest {
            found.push(file);
        }
    }
    found
}
