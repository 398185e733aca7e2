//! Include directories from `compile_commands.json`.

use std::collections::BTreeSet;

use crate::outline::graph::GraphNode;
use crate::outline::graph::tree::{FileTree, relative, split};
use crate::outline::imports::ImportList;
use crate::outline::manifests::{ManifestKind, lenient_json, setting, values_of};

pub(super) const MANIFESTS: &[ManifestKind] =
    &[ManifestKind { name: ("compile_commands.json", "compile_commands.json"), read: read_commands }];

/// Collects include directories, each with the directory it is relative to, and one source file to locate the root.
fn read_commands(text: &str, found: &mut ImportList) {
    let commands = lenient_json(text);
    let mut known = BTreeSet::new();
    for command in commands.as_array().into_iter().flatten() {
        let directory = command["directory"].as_str().unwrap_or_default();
        let file = command["file"].as_str().unwrap_or_default();
        if known.is_empty() {
            found.add(setting("file", directory, vec![file.to_owned()]));
        }
        let line = command["command"].as_str().unwrap_or_default().split_whitespace().map(str::to_owned);
        let arguments = command["arguments"].as_array().into_iter().flatten().filter_map(|it| it.as_str());
        let arguments: Vec<String> = line.chain(arguments.map(str::to_owned)).collect();
        for (at, argument) in arguments.iter().enumerate() {
            let flag = ["-I", "-isystem", "-iquote"].iter().find_map(|flag| argument.strip_prefix(flag));
            let path = match flag {
                Some("") => arguments.get(at + 1).map_or("", String::as_str),
                Some(path) => path,
                None => continue,
            };
            if known.insert((directory.to_owned(), path.to_owned())) {
                found.add(setting("include", directory, vec![path.trim_matches('"').to_owned()]));
            }
        }
    }
}

/// Include directories inside the tree.
pub(crate) fn include_directories(tree: &FileTree<'_>, nodes: &[GraphNode<'_>]) -> Vec<String> {
    let mut directories = Vec::new();
    for node in nodes.iter().filter(|node| MANIFESTS.iter().any(|manifest| manifest.matches(node.path))) {
        let Some(root) = values_of(node.imports, "file").find_map(|(from, file)| root_of(tree, from, file.first()?))
        else {
            continue;
        };
        for (from, paths) in values_of(node.imports, "include") {
            let inside = paths.iter().filter_map(|path| absolute(from, path));
            let inside = inside.filter_map(|path| Some(path.strip_prefix(&root)?.trim_start_matches('/').to_owned()));
            directories.extend(inside);
        }
    }
    directories.dedup();
    directories
}

/// A path relative to a directory, without its leading slash.
fn absolute(from: &str, path: &str) -> Option<String> {
    if path.starts_with('/') { relative("", path) } else { relative(from, path) }
}

/// Directory that contains the tree, without its leading slash: the part of a known absolute path before the path in
/// the tree.
fn root_of(tree: &FileTree<'_>, from: &str, file: &str) -> Option<String> {
    let path = absolute(from, file)?;
    let mut root = split(&path).0;
    loop {
        let inside = path[root.len()..].trim_start_matches('/');
        let is_known = tree.at(inside).is_some();
        if root.is_empty() {
            return is_known.then(String::new);
        }
        let (outer, _) = split(root);
        let is_known_above = tree.at(path[outer.len()..].trim_start_matches('/')).is_some();
        if is_known && !is_known_above {
            return Some(root.to_owned());
        }
        root = outer;
    }
}
