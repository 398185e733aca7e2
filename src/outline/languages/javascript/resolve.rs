//! The file that a JavaScript import refers to.

use super::packages::ScriptPackages;
use crate::outline::graph::tree::{FileTree, join, relative, split, upwards};

const SCRIPT_EXTENSIONS: [&str; 13] =
    ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte", ".json"];
/// Directories in which workspaces keep their packages.
const WORKSPACES: [&str; 7] = ["packages", "libs", "apps", "modules", "plugins", "crates", "internal"];

/// The file that an import refers to, if it is in the tree.
pub(super) fn script(tree: &FileTree<'_>, packages: &ScriptPackages, from: u32, spec: &str) -> Option<u32> {
    let here = split(tree.paths[from as usize]).0;
    let spec = spec.split(['?', '!']).next().unwrap_or_default();
    if spec.starts_with('.') {
        return script_file(tree, &relative(here, spec)?);
    }
    if let Some(absolute) = spec.strip_prefix('/') {
        return upwards(here).find_map(|directory| script_file(tree, &join(directory, absolute)));
    }
    if let Some(file) = configured(tree, packages, here, spec) {
        return Some(file);
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

/// The file according to manifests: by an alias, by a package's exports, or relative to the base directory.
fn configured(tree: &FileTree<'_>, packages: &ScriptPackages, here: &str, spec: &str) -> Option<u32> {
    let aliased = packages.aliased(here, spec);
    let exported = packages.exported(spec);
    let based = packages.below_base(here, spec);
    let mut paths = aliased.iter().chain(&exported);
    paths.find_map(|path| built_from(tree, path)).or_else(|| script_file(tree, &based?))
}

/// The file at a path, or the source it is built from.
fn built_from(tree: &FileTree<'_>, path: &str) -> Option<u32> {
    script_file(tree, path).or_else(|| {
        let directory =
            ["dist", "lib", "build", "out"].iter().find(|name| path.split('/').any(|part| part == **name))?;
        let (before, after) = path.split_once(&format!("{directory}/"))?;
        let extension = after.find(".d.").or_else(|| after.rfind('.')).unwrap_or(after.len());
        let stem = after[..extension].trim_start_matches("esm/").trim_start_matches("cjs/");
        script_file(tree, &format!("{before}src/{stem}"))
    })
}

fn script_below(tree: &FileTree<'_>, directory: &str, spec: &str) -> Option<u32> {
    script_file(tree, &join(&join(directory, "src"), spec)).or_else(|| script_file(tree, &join(directory, spec)))
}

/// A module by its path without extension, with a different extension, or as a directory.
fn script_file(tree: &FileTree<'_>, path: &str) -> Option<u32> {
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
    // TypeScript sources import the name of the compiled file.
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

/// `name/sub` or `@scope/name/sub` if the tree has a package directory of that name.
fn workspace_package(tree: &FileTree<'_>, spec: &str) -> Option<u32> {
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
