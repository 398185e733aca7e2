//! Rust modules: `crate`, `self`, `super`, `mod x;` and the crates of a workspace.

use std::collections::{BTreeMap, HashMap};

use crate::outline::graph::GraphNode;
use crate::outline::graph::tree::{FileTree, join, relative, split, stem, upwards};
use crate::outline::imports::{Import, ImportList};
use crate::outline::language::Language;
use crate::outline::manifests::{ManifestKind, setting, values_of};

/// Crates of the tree, by their name in `use`.
pub(crate) struct RustCrates {
    roots: HashMap<String, Vec<String>>,
    /// Source directories of renamed dependencies, by the manifest's directory and the new name.
    renamed: HashMap<(String, String), String>,
}

pub(super) const MANIFESTS: &[ManifestKind] =
    &[ManifestKind { name: ("Cargo.toml", "Cargo.toml"), read: read_manifest }];

/// Collects the names of the package and its library, and dependencies inside the tree.
fn read_manifest(text: &str, found: &mut ImportList) {
    let Ok(manifest) = text.parse::<toml::Table>() else { return };
    let name_in = |section: &str| Some(manifest.get(section)?.get("name")?.as_str()?.to_owned());
    for (section, name) in ["package", "lib"].iter().filter_map(|section| Some((section, name_in(section)?))) {
        found.add(setting(section, &name, Vec::new()));
    }
    let workspace = manifest.get("workspace").and_then(toml::Value::as_table);
    for table in [Some(&manifest), workspace].into_iter().flatten() {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (key, value) in table.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
                let text_of = |field: &str| value.get(field).and_then(toml::Value::as_str).map(str::to_owned);
                if let Some(package) = text_of("package") {
                    found.add(setting("renamed", key, vec![package]));
                }
            }
        }
    }
}

impl RustCrates {
    pub(crate) fn new(tree: &FileTree<'_>, nodes: &[GraphNode<'_>]) -> Self {
        let mut roots: HashMap<String, Vec<String>> = HashMap::new();
        for &file in tree.with_stem("lib").iter().chain(tree.with_stem("main")) {
            let (source, name) = split(tree.paths[file as usize]);
            let (package, last) = split(source);
            if last != "src" || !matches!(name, "lib.rs" | "main.rs") || package.is_empty() {
                continue;
            }
            let known = roots.entry(split(package).1.replace('-', "_")).or_default();
            if !known.iter().any(|root| root == source) {
                known.push(source.to_owned());
            }
        }
        let mut crates = Self { roots, renamed: HashMap::new() };
        crates.read_manifests(tree, nodes);
        crates.learn_names(tree, nodes);
        crates
    }

    /// Adds the names that manifests give to packages, libraries and dependencies.
    fn read_manifests(&mut self, tree: &FileTree<'_>, nodes: &[GraphNode<'_>]) {
        let manifests = || nodes.iter().filter(|node| split(node.path).1 == "Cargo.toml");
        for node in manifests() {
            let source = join(split(node.path).0, "src");
            if tree.at(&join(&source, "lib.rs")).is_none() {
                continue;
            }
            for (name, _) in values_of(node.imports, "package").chain(values_of(node.imports, "lib")) {
                let known = self.roots.entry(name.replace('-', "_")).or_default();
                if !known.contains(&source) {
                    known.push(source.clone());
                }
            }
        }
        for node in manifests() {
            let directory = split(node.path).0;
            for (key, package) in values_of(node.imports, "renamed") {
                let root = package.first().and_then(|it| self.root_of(tree, &it.replace('-', "_"), node.path));
                if let Some(root) = root {
                    self.renamed.insert((directory.to_owned(), key.replace('-', "_")), root);
                }
            }
        }
    }

    /// Source directory of a dependency renamed by a manifest above the file.
    fn renamed_root(&self, path: &str, name: &str) -> Option<&String> {
        if self.renamed.is_empty() {
            return None;
        }
        upwards(split(path).0).find_map(|directory| self.renamed.get(&(directory.to_owned(), name.to_owned())))
    }

    /// Learns the name by which a package's tests and binaries import its library. This name can differ from the
    /// directory's name; it is the name under which most of them import modules of the library.
    fn learn_names(&mut self, tree: &FileTree<'_>, nodes: &[GraphNode<'_>]) {
        let mut votes: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for node in nodes.iter().filter(|node| node.language == Some(Language::Rust)) {
            let Some(source) = library_from_outside(tree, node.path) else { continue };
            let own = children(node.path);
            for import in node.imports {
                let (first, below) = import.spec.split_once("::").unwrap_or((&import.spec, ""));
                if is_reserved(first) || self.roots.contains_key(first) || child(tree, &own, first).is_some() {
                    continue;
                }
                let second = below.split("::").next().filter(|second| !second.is_empty());
                let named =
                    second.into_iter().chain(import.names.iter().map(String::as_str).filter(|_| below.is_empty()));
                let known = named.filter(|name| child(tree, &source, name).is_some()).count();
                if known > 0 {
                    *votes.entry((source.clone(), first)).or_default() += known;
                }
            }
        }
        let mut best: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for ((source, name), count) in votes {
            let known = best.entry(source).or_insert((count, name));
            *known = (*known).max((count, name));
        }
        for (source, (_, name)) in best {
            self.roots.entry(name.to_owned()).or_default().push(source);
        }
    }

    /// Adds the files that a `use` or `mod` refers to: for each name, the innermost module of its path that is a file.
    pub(crate) fn resolve(&self, tree: &FileTree<'_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
        let path = tree.paths[from as usize];
        if let Some(file) = import.spec.strip_prefix("./") {
            targets.extend(relative(split(path).0, file).and_then(|path| tree.at(&path)));
            return;
        }
        let mut segments: Vec<&str> = import.spec.split("::").collect();
        if import.names.is_empty() {
            targets.extend(self.module(tree, path, &segments));
        }
        for name in &import.names {
            segments.push(name);
            targets.extend(self.module(tree, path, &segments));
            segments.pop();
        }
    }

    fn module(&self, tree: &FileTree<'_>, path: &str, segments: &[&str]) -> Option<u32> {
        let (&first, rest) = segments.split_first()?;
        match first {
            "std" | "core" | "alloc" | "proc_macro" => None,
            "crate" | "$crate" => walk(tree, &crate_root(tree, path), rest, true),
            "self" => walk(tree, &children(path), rest, false),
            "super" => {
                let mut home = children(path);
                let mut rest = segments;
                while let Some((&"super", after)) = rest.split_first() {
                    home = split(&home).0.to_owned();
                    rest = after;
                }
                walk(tree, &home, rest, true)
            }
            _ => {
                let own = children(path);
                child(tree, &own, first)
                    .and_then(|_| walk(tree, &own, segments, false))
                    .or_else(|| {
                        let renamed = self.renamed_root(path, first).cloned();
                        let root = renamed.or_else(|| self.root_of(tree, first, path))?;
                        walk(tree, &root, rest, true)
                    })
                    .or_else(|| self.by_last_word(tree, first, rest))
            }
        }
    }

    /// Finds a renamed dependency: `tui::buffer` refers to `helix-tui` if that is the only crate whose name ends with
    /// `tui`, and it has a module `buffer`.
    fn by_last_word(&self, tree: &FileTree<'_>, name: &str, rest: &[&str]) -> Option<u32> {
        let module = rest.first()?;
        let end = format!("_{name}");
        let mut fitting = self.roots.iter().filter(|(known, _)| known.ends_with(&end)).flat_map(|(_, roots)| roots);
        let root = fitting.next()?;
        if fitting.next().is_some() {
            return None;
        }
        child(tree, root, module)?;
        walk(tree, root, rest, false)
    }

    /// Source directory of the crate with this name; the nearest if there are several.
    fn root_of(&self, tree: &FileTree<'_>, name: &str, path: &str) -> Option<String> {
        let known = self.roots.get(name)?;
        let here = split(path).0;
        let near = |root: &&String| root.split('/').zip(here.split('/')).take_while(|(a, b)| a == b).count();
        let root = known.iter().max_by_key(near)?;
        tree.at(&join(root, "lib.rs")).map(|_| root.clone())
    }
}

/// Source directory of the package's library, for a file of the package outside that library.
fn library_from_outside(tree: &FileTree<'_>, path: &str) -> Option<String> {
    let package = upwards(split(path).0).find(|directory| tree.at(&join(directory, "src/lib.rs")).is_some())?;
    let source = join(package, "src");
    let inside = path.strip_prefix(&source).and_then(|below| below.strip_prefix('/'));
    inside.is_none_or(|below| below == "main.rs" || below.starts_with("bin/")).then_some(source)
}

fn is_reserved(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc" | "proc_macro" | "crate" | "$crate" | "self" | "super")
}

/// Directory of this file's child modules.
fn children(path: &str) -> String {
    let (directory, name) = split(path);
    if is_crate_file(directory, name) || name == "mod.rs" { directory.to_owned() } else { join(directory, stem(name)) }
}

/// Returns true if a file is the root of a crate, so that its modules are in the same directory.
fn is_crate_file(directory: &str, name: &str) -> bool {
    matches!(name, "lib.rs" | "main.rs" | "build.rs")
        || matches!(split(directory).1, "tests" | "examples" | "benches")
            && !directory.split('/').any(|part| part == "src")
        || directory.ends_with("src/bin")
}

/// Root directory of the crate that a file belongs to.
fn crate_root(tree: &FileTree<'_>, path: &str) -> String {
    let here = split(path).0;
    for directory in upwards(here) {
        let name = split(directory).1;
        let is_root = tree.at(&join(directory, "lib.rs")).is_some() || tree.at(&join(directory, "main.rs")).is_some();
        if is_root || matches!(name, "tests" | "examples" | "benches") && is_crate_file(directory, "") {
            return directory.to_owned();
        }
    }
    here.to_owned()
}

/// Follows a module path from a directory as far as there are files.
fn walk(tree: &FileTree<'_>, directory: &str, segments: &[&str], with_owner: bool) -> Option<u32> {
    let mut directory = directory.to_owned();
    let mut found = if with_owner { owner(tree, &directory) } else { None };
    for segment in segments {
        // A segment without a file can be an inline module with files below it.
        found = child(tree, &directory, segment).or(found);
        directory = join(&directory, segment);
    }
    found
}

fn child(tree: &FileTree<'_>, directory: &str, name: &str) -> Option<u32> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    tree.at(&join(directory, &format!("{name}.rs"))).or_else(|| tree.at(&join(directory, &format!("{name}/mod.rs"))))
}

/// The file of the module whose children are in `directory`.
fn owner(tree: &FileTree<'_>, directory: &str) -> Option<u32> {
    ["lib.rs", "mod.rs", "main.rs"]
        .iter()
        .find_map(|name| tree.at(&join(directory, name)))
        .or_else(|| tree.at(&format!("{directory}.rs")))
}
