//! Languages that import by qualified name: Python, the JVM's, PHP, C#.

use super::super::imports::Import;
use super::tree::{Tree, before_suffix, ends_with_path, is_above, join, shared_tail, split, without_extension};
use super::{MOST_AMBIGUOUS, MOST_OF_A_PACKAGE};
use crate::outline::language::Language;

/// `a.b` from `from .a import b`, seen from the importing file's package.
pub(super) fn python_relative(tree: &Tree<'_>, from: u32, import: &Import) -> Vec<u32> {
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

fn python_file(tree: &Tree<'_>, module: &str) -> Option<u32> {
    [".py", "/__init__.py", ".pyi", "/__init__.pyi"].iter().find_map(|end| tree.at(&format!("{module}{end}")))
}

/// Every file that `a.b.c` can mean: below a directory that is no package itself.
pub(super) fn python(tree: &Tree<'_>, module: &str) -> Vec<u32> {
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

fn is_import_root(tree: &Tree<'_>, root: Option<&str>) -> bool {
    root.is_some_and(|root| tree.at(&join(root, "__init__.py")).is_none())
}

/// Of the candidates, what the importing file means. A single name must be at hand, or every `json.py` would be `json`.
pub(super) fn python_reachable(tree: &Tree<'_>, from: u32, module: &str, candidates: &[u32]) -> Vec<u32> {
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

/// The files of a class: `a.b.C`, or the class around a nested one or a member.
pub(super) fn jvm(tree: &Tree<'_>, name: &str) -> Vec<u32> {
    let mut name = name;
    loop {
        let path = name.replace('.', "/");
        let found: Vec<u32> = tree
            .with_stem(split(&path).1)
            .iter()
            .copied()
            .filter(|file| {
                matches!(tree.languages[*file as usize], Some(Language::Java | Language::Kotlin | Language::Scala))
                    && path.contains('/')
                    && ends_with_path(without_extension(tree.paths[*file as usize]), &path)
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
        // Packages are in lower case: going on above a class would find something else.
        match name.rsplit_once('.') {
            Some((outer, _)) if outer.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase)) => {
                name = outer;
            }
            _ => return Vec::new(),
        }
    }
}

/// The files of `a.b.*`, if they are few enough to mean something.
pub(super) fn jvm_package(tree: &Tree<'_>, wildcard: &str) -> Vec<u32> {
    let path = wildcard.trim_end_matches(".*").replace('.', "/");
    if !path.contains('/') {
        return Vec::new();
    }
    let found: Vec<u32> = tree
        .directories_named(split(&path).1)
        .iter()
        .filter(|directory| ends_with_path(directory, &path))
        .flat_map(|directory| tree.files_in(directory))
        .copied()
        .filter(|file| {
            matches!(tree.languages[*file as usize], Some(Language::Java | Language::Kotlin | Language::Scala))
        })
        .collect();
    if found.len() > MOST_AMBIGUOUS { Vec::new() } else { found }
}

/// The files of `A\B\C` by the longest agreement of the namespace's end with the path's end, at least `B/C.php`.
pub(super) fn php(tree: &Tree<'_>, name: &str) -> Vec<u32> {
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

/// The files of the directories that a namespace names, if they are few.
pub(super) fn c_sharp(tree: &Tree<'_>, namespace: &str) -> Vec<u32> {
    let path = namespace.replace('.', "/");
    let (first, rest) = path.split_once('/').unwrap_or((&path, ""));
    // `A.B/C`, `A/B/C` and `A.Core/B/C` can all be `A.B.C`.
    let named = |directory: &&&str| {
        let assembly = before_suffix(directory, rest).map(|before| split(before).1);
        ends_with_path(&directory.replace('.', "/"), &path)
            || assembly
                .and_then(|name| name.strip_prefix(first))
                .is_some_and(|name| name.is_empty() || name.starts_with('.'))
    };
    let mut directories: Vec<&str> = tree.directories_named(namespace).to_vec();
    if !rest.is_empty() {
        directories.extend(tree.directories_named(split(&path).1).iter().filter(named));
    }
    // A namespace's tests share its name but are not what somebody imports it for.
    let product = |directory: &&str| {
        const OTHERS: [&str; 6] = ["Tests", "Test", "Specs", "Benchmarks", "tests", "test"];
        !directory.split('/').any(|part| OTHERS.iter().any(|other| part.ends_with(other)))
    };
    if directories.iter().any(product) {
        directories.retain(product);
    }
    let found: Vec<u32> = directories
        .iter()
        .flat_map(|directory| tree.files_in(directory))
        .copied()
        .filter(|file| tree.languages[*file as usize] == Some(Language::CSharp))
        .collect();
    if found.len() > MOST_OF_A_PACKAGE { Vec::new() } else { found }
}
