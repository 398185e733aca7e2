//! Files that a Python import refers to.

use crate::outline::graph::Resolver;
use crate::outline::graph::tree::{FileTree, before_suffix, is_above, join, split, without_extension};
use crate::outline::imports::Import;
use crate::outline::language::Language;

/// Adds the files of the imported names if these are modules, else the file of the package.
pub(super) fn resolve(resolver: &mut Resolver<'_, '_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
    if import.spec.starts_with('.') {
        targets.extend(python_relative(resolver.tree, from, import));
        return;
    }
    let mut whole = import.names.is_empty();
    for name in &import.names {
        let found = module(resolver, from, &format!("{}.{name}", import.spec));
        whole |= found.is_empty();
        targets.extend(found);
    }
    if whole {
        targets.extend(module(resolver, from, &import.spec));
    }
}

fn module(resolver: &mut Resolver<'_, '_>, from: u32, module: &str) -> Vec<u32> {
    let candidates = resolver.cached(Language::Python, module, python).to_vec();
    python_reachable(resolver.tree, from, module, &candidates)
}

/// `a.b` for `from .a import b`, relative to the importing file's package.
fn python_relative(tree: &FileTree<'_>, from: u32, import: &Import) -> Vec<u32> {
    let module = import.spec.trim_start_matches('.');
    let mut package = split(tree.paths[from as usize]).0;
    for _ in 1..import.spec.len() - module.len() {
        if package.is_empty() {
            return Vec::new();
        }
        package = split(package).0;
    }
    let base = if module.is_empty() { package.to_owned() } else { join(package, &module.replace('.', "/")) };
    let mut found = Vec::new();
    let mut whole = import.names.is_empty();
    for name in &import.names {
        match python_file(tree, &join(&base, name)) {
            Some(file) => found.push(file),
            None => whole = true,
        }
    }
    if whole {
        found.extend(python_file(tree, &base));
    }
    found
}

fn python_file(tree: &FileTree<'_>, module: &str) -> Option<u32> {
    [".py", "/__init__.py", ".pyi", "/__init__.pyi"].iter().find_map(|end| tree.at(&format!("{module}{end}")))
}

/// Every file that `a.b.c` can refer to: below a directory that is not a package itself.
fn python(tree: &FileTree<'_>, module: &str) -> Vec<u32> {
    let path = module.replace('.', "/");
    let last = split(&path).1;
    let plain = tree.with_stem(last).iter().copied().filter(|file| {
        tree.languages[*file as usize] == Some(Language::Python)
            && is_import_root(tree, before_suffix(without_extension(tree.paths[*file as usize]), &path))
    });
    let packages = tree.directories_named(last).iter().filter_map(|directory| {
        let init = tree.at(&join(directory, "__init__.py"))?;
        is_import_root(tree, before_suffix(directory, &path)).then_some(init)
    });
    packages.chain(plain).collect()
}

fn is_import_root(tree: &FileTree<'_>, root: Option<&str>) -> bool {
    root.is_some_and(|root| tree.at(&join(root, "__init__.py")).is_none())
}

/// The candidates that the importing file refers to. A single name must be nearby; otherwise every `json.py` would
/// match `import json`.
fn python_reachable(tree: &FileTree<'_>, from: u32, module: &str, candidates: &[u32]) -> Vec<u32> {
    let here = split(tree.paths[from as usize]).0;
    if module.contains('.') {
        return tree.nearest(from, candidates);
    }
    let at_hand: Vec<u32> = candidates
        .iter()
        .copied()
        .filter(|file| {
            let path = without_extension(tree.paths[*file as usize]);
            let path = path.strip_suffix("/__init__").unwrap_or(path);
            let root = split(path).0;
            is_above(root, here) || matches!(split(root).1, "src" | "lib" | "python")
        })
        .collect();
    tree.nearest(from, &at_hand)
}
