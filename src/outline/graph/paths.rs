//! Languages that import by path: JavaScript, C and C++, Ruby, shell, Lua.

use super::tree::{Tree, before_suffix, is_above, join, relative, split, stem, upwards};
use crate::outline::language::Language;

const SCRIPT_EXTENSIONS: [&str; 13] =
    ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte", ".json"];
/// Where a workspace keeps its packages.
const WORKSPACES: [&str; 7] = ["packages", "libs", "apps", "modules", "plugins", "crates", "internal"];

/// The file that a JavaScript import means, if it is in the tree.
pub(super) fn script(tree: &Tree<'_>, from: u32, spec: &str) -> Option<u32> {
    let here = split(tree.paths[from as usize]).0;
    let spec = spec.split(['?', '!']).next().unwrap_or_default();
    if spec.starts_with('.') {
        return script_file(tree, &relative(here, spec)?);
    }
    if let Some(absolute) = spec.strip_prefix('/') {
        return upwards(here).find_map(|directory| script_file(tree, &join(directory, absolute)));
    }
    if let Some(alias) = spec.strip_prefix("@/").or_else(|| spec.strip_prefix("~/")).or_else(|| spec.strip_prefix("#/"))
    {
        return upwards(here).find_map(|directory| script_below(tree, directory, alias));
    }
    if let Some(alias) = spec.strip_prefix('#') {
        return upwards(here).find_map(|directory| script_below(tree, directory, alias));
    }
    workspace_package(tree, spec).or_else(|| {
        // A configured base directory: `components/Button` below the importing package's `src`.
        let path = spec.contains('/') && !spec.starts_with('@');
        path.then(|| upwards(here).find_map(|directory| script_below(tree, directory, spec))).flatten()
    })
}

fn script_below(tree: &Tree<'_>, directory: &str, spec: &str) -> Option<u32> {
    script_file(tree, &join(&join(directory, "src"), spec)).or_else(|| script_file(tree, &join(directory, spec)))
}

/// A module by its path without extension, with another one, or as a directory.
fn script_file(tree: &Tree<'_>, path: &str) -> Option<u32> {
    let mut candidate = String::with_capacity(path.len() + 16);
    let mut attempt = |base: &str, middle: &str, end: &str| {
        candidate.clear();
        candidate.push_str(base);
        candidate.push_str(middle);
        candidate.push_str(end);
        tree.at(&candidate)
    };
    if let Some(file) = SCRIPT_EXTENSIONS.iter().find_map(|end| attempt(path, "", end)) {
        return Some(file);
    }
    // TypeScript sources import what they will be compiled to.
    for (compiled, sources) in
        [(".js", [".ts", ".tsx"]), (".mjs", [".mts", ".ts"]), (".cjs", [".cts", ".ts"]), (".jsx", [".tsx", ".ts"])]
    {
        if let Some(base) = path.strip_suffix(compiled)
            && let Some(file) = sources.iter().find_map(|source| attempt(base, "", source))
        {
            return Some(file);
        }
    }
    let index = if path.is_empty() { "index" } else { "/index" };
    SCRIPT_EXTENSIONS[1..].iter().find_map(|end| attempt(path, index, end))
}

/// `name/sub` or `@scope/name/sub` where the tree has a package directory of that name.
fn workspace_package(tree: &Tree<'_>, spec: &str) -> Option<u32> {
    let unscoped = if spec.starts_with('@') { spec.split_once('/')?.1 } else { spec };
    let (name, below) = unscoped.split_once('/').unwrap_or((unscoped, ""));
    tree.directories_named(name)
        .iter()
        .filter(|directory| {
            let parents = split(directory).0;
            parents.split('/').any(|part| WORKSPACES.contains(&part) || part.starts_with('@'))
                && tree.at(&join(directory, "package.json")).is_some()
        })
        .find_map(|directory| {
            if below.is_empty() {
                let entries = ["src/index", "index", "src/main", "lib/index", "src/node/index"];
                entries.iter().find_map(|entry| script_file(tree, &join(directory, entry)))
            } else {
                script_below(tree, directory, below)
            }
        })
}

/// A path seen from the importing file's directory.
pub(super) fn beside(tree: &Tree<'_>, from: u32, spec: &str) -> Option<u32> {
    relative(split(tree.paths[from as usize]).0, spec).and_then(|path| tree.at(&path))
}

/// Every file that an include can mean by the end of its path.
pub(super) fn include(tree: &Tree<'_>, spec: &str, angle: bool) -> Vec<u32> {
    let path = spec.rsplit("../").next().unwrap_or(spec).trim_start_matches("./");
    let mut found = tree.ending_in(path);
    found.retain(|file| matches!(tree.languages[*file as usize], Some(Language::C | Language::Cpp)));
    // `<string.h>` is the system's, whatever else has that name; only an include directory can mean it.
    if angle && !path.contains('/') {
        found.retain(|file| split(split(tree.paths[*file as usize]).0).1 == "include");
    }
    found
}

/// The header of an implementation or the implementations of a header: beside it, or in the only place there is.
pub(super) fn companions(tree: &Tree<'_>, from: u32) -> Vec<u32> {
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
    // Both must have no other choice, or `main.c` of one tool pairs with `main.h` of another.
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

/// Every file that `require "a/b"` can mean; those below a `lib` directory first and alone.
pub(super) fn ruby(tree: &Tree<'_>, spec: &str) -> Vec<u32> {
    let path =
        if spec.rsplit_once('.').is_some_and(|(_, end)| end == "rb") { spec.to_owned() } else { format!("{spec}.rb") };
    let found = tree.ending_in(&path);
    let in_library: Vec<u32> = found
        .iter()
        .copied()
        .filter(|file| before_suffix(tree.paths[*file as usize], &path).is_some_and(|root| split(root).1 == "lib"))
        .collect();
    if in_library.is_empty() { found } else { in_library }
}

/// Of the candidates, what the requiring file means: a single name outside `lib` must be at hand.
pub(super) fn ruby_reachable(tree: &Tree<'_>, from: u32, spec: &str, candidates: &[u32]) -> Vec<u32> {
    let here = split(tree.paths[from as usize]).0;
    let reachable: Vec<u32> = candidates
        .iter()
        .copied()
        .filter(|file| {
            let directory = split(tree.paths[*file as usize]).0;
            spec.contains('/') || split(directory).1 == "lib" || is_above(directory, here)
        })
        .collect();
    tree.nearest(from, &reachable)
}

/// A path seen from the file, from the directories above it, or the only file that ends so.
pub(super) fn shell(tree: &Tree<'_>, from: u32, spec: &str) -> Option<u32> {
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

/// Every file that a Lua module name can mean.
pub(super) fn lua(tree: &Tree<'_>, module: &str) -> Vec<u32> {
    let path = module.replace('.', "/");
    let mut found = tree.ending_in(&format!("{path}.lua"));
    found.extend(tree.ending_in(&format!("{path}/init.lua")));
    found
}
