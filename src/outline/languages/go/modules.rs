//! Go packages: an import path ends with a directory, and the part before it is the module.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use crate::outline::graph::GraphNode;
use crate::outline::graph::tree::MOST_OF_A_PACKAGE;
use crate::outline::graph::tree::{FileTree, before_suffix, join, relative, shared_tail, split};
use crate::outline::imports::ImportList;
use crate::outline::language::Language;
use crate::outline::manifests::{ManifestKind, setting, values_of};

/// Packages that import paths refer to.
pub(crate) struct GoModules {
    packages: HashMap<String, Vec<u32>>,
}

pub(super) const MANIFESTS: &[ManifestKind] = &[ManifestKind { name: ("go.mod", "go.mod"), read: read_manifest }];

/// Collects the module path, and modules replaced by directories.
fn read_manifest(text: &str, found: &mut ImportList) {
    let mut in_replacements = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        if let Some(module) = line.strip_prefix("module ") {
            found.add(setting("module", module.trim_matches([' ', '"']), Vec::new()));
        }
        let replacement = line.strip_prefix("replace ").unwrap_or(if in_replacements { line } else { "" });
        if let Some((from, to)) = replacement.split_once("=>") {
            let (from, to) = (from.split_whitespace().next(), to.trim());
            if let Some(from) = from.filter(|_| to.starts_with('.')) {
                found.add(setting("replace", from, vec![to.to_owned()]));
            }
        }
        in_replacements = line == "replace (" || in_replacements && line != ")";
    }
}

/// Module directories by module path.
fn module_roots(nodes: &[GraphNode<'_>]) -> BTreeMap<String, String> {
    let mut roots = BTreeMap::new();
    for node in nodes.iter().filter(|node| split(node.path).1 == "go.mod") {
        let directory = split(node.path).0;
        for (from, to) in values_of(node.imports, "replace") {
            if let Some(root) = to.first().and_then(|to| relative(directory, to)) {
                roots.entry(from.to_owned()).or_insert(root);
            }
        }
        for (module, _) in values_of(node.imports, "module") {
            roots.insert(module.to_owned(), directory.to_owned());
        }
    }
    roots
}

/// One interpretation of an import path: the module's name, and the part that matches the end of a directory.
struct ImportReading<'a, 's> {
    directory: &'a str,
    shared: usize,
    module: &'s str,
    root: &'a str,
}

impl GoModules {
    /// Interprets all import paths together: the module's name is unknown, but the paths share it.
    pub(crate) fn new(tree: &FileTree<'_>, nodes: &[GraphNode<'_>]) -> Self {
        let go = nodes.iter().filter(|node| node.language == Some(Language::Go));
        let specs: HashSet<&str> = go.flat_map(|node| node.imports).map(|import| import.spec.as_str()).collect();
        let roots: HashSet<&str> = nodes.iter().filter_map(|node| before_suffix(node.path, "go.mod")).collect();
        let mut readings: Vec<(&str, Vec<ImportReading<'_, '_>>)> = specs
            .into_par_iter()
            .map(|spec| (spec, readings(tree, &roots, spec)))
            .filter(|(_, all)| !all.is_empty())
            .collect();
        readings.sort_unstable_by_key(|(spec, _)| *spec);
        // For each root directory, the module name that most paths share.
        let mut votes: HashMap<(&str, &str), usize> = HashMap::new();
        for reading in readings.iter().flat_map(|(_, all)| all) {
            *votes.entry((reading.root, reading.module)).or_default() += reading.shared;
        }
        let mut elected: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for ((root, module), count) in votes {
            let best = elected.entry(root).or_insert((count, module));
            *best = (*best).max((count, module));
        }
        let mut packages = HashMap::new();
        for (spec, all) in &readings {
            let best = all
                .iter()
                .filter(|reading| {
                    reading.module.is_empty()
                        || elected.get(reading.root).is_some_and(|(_, name)| *name == reading.module)
                })
                .max_by_key(|reading| (reading.shared, std::cmp::Reverse(reading.directory.len())));
            if let Some(reading) = best {
                packages.insert((*spec).to_owned(), package_files(tree, reading.directory));
            }
        }
        // The module path itself is the package in the module's root.
        for (root, (_, module)) in elected {
            if roots.contains(root) && !packages.contains_key(module) {
                packages.insert(module.to_owned(), package_files(tree, root));
            }
        }
        let mut modules = Self { packages };
        modules.add_known(tree, nodes);
        modules
    }

    /// Adds the packages of modules that a `go.mod` names, which need not be guessed.
    fn add_known(&mut self, tree: &FileTree<'_>, nodes: &[GraphNode<'_>]) {
        let roots = module_roots(nodes);
        if roots.is_empty() {
            return;
        }
        let go = nodes.iter().filter(|node| node.language == Some(Language::Go));
        let specs: HashSet<&str> = go.flat_map(|node| node.imports).map(|import| import.spec.as_str()).collect();
        for spec in specs {
            let ends = spec.match_indices('/').map(|(at, _)| at).chain([spec.len()]);
            let known = ends.rev().find_map(|end| Some((roots.get(&spec[..end])?, spec[end..].trim_matches('/'))));
            if let Some((root, below)) = known {
                let directory = if below.is_empty() { root.clone() } else { join(root, below) };
                let files = package_files(tree, &directory);
                if !files.is_empty() {
                    self.packages.insert(spec.to_owned(), files);
                }
            }
        }
    }

    /// Files of the package at an import path; none if it is not in the tree.
    pub(crate) fn package(&self, spec: &str) -> &[u32] {
        self.packages.get(spec).map_or(&[], Vec::as_slice)
    }
}

/// Every directory that an import path could refer to; `roots` are the directories with a `go.mod`.
fn readings<'a, 's>(tree: &FileTree<'a>, roots: &HashSet<&str>, spec: &'s str) -> Vec<ImportReading<'a, 's>> {
    let mut found = Vec::new();
    let length = spec.split('/').count();
    let first = spec.split('/').next().unwrap_or_default();
    // A path without a dot in its first component belongs to the standard library, unless a module has such a name.
    if STANDARD.contains(&first) {
        return found;
    }
    let named = tree.directories_named(split(spec).1);
    for &directory in named {
        let shared = shared_tail(directory.split('/'), spec.split('/'));
        let root = nth_last(directory, shared);
        let whole = root.is_empty() || shared == length && shared >= 2;
        if whole || roots.contains(root) || shared >= 3 && !roots.contains("") {
            found.push(ImportReading { directory, shared, module: nth_last(spec, shared), root });
        }
    }
    found
}

/// `path` without its last `count` components.
fn nth_last(path: &str, count: usize) -> &str {
    let mut rest = path;
    for _ in 0..count {
        rest = split(rest).0;
    }
    rest
}

/// The package's own code: no tests, hand-written files first.
fn package_files(tree: &FileTree<'_>, directory: &str) -> Vec<u32> {
    let mut files: Vec<u32> = tree
        .files_in(directory)
        .iter()
        .copied()
        .filter(|file| {
            tree.languages[*file as usize] == Some(Language::Go) && !tree.paths[*file as usize].ends_with("_test.go")
        })
        .collect();
    files.sort_by_key(|file| {
        let path = tree.paths[*file as usize];
        (path.contains("generated") || path.ends_with(".pb.go") || path.ends_with("/doc.go"), path)
    });
    files.truncate(MOST_OF_A_PACKAGE);
    files
}

/// First components of the standard library's import paths.
const STANDARD: &[&str] = &[
    "archive", "bufio", "builtin", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug",
    "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "io", "iter",
    "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
    "strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe",
    "weak", "C",
];
