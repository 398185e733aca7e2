//! Modules of Maven and Gradle builds, and their dependencies on each other.

use std::collections::HashMap;

use crate::outline::graph::GraphNode;
use crate::outline::graph::tree::{join, split, upwards};
use crate::outline::imports::ImportList;
use crate::outline::manifests::{ManifestKind, setting, values_of};

pub(super) const MANIFESTS: &[ManifestKind] = &[
    ManifestKind { name: ("pom.xml", "pom.xml"), read: read_maven },
    ManifestKind { name: ("build.gradle", "build.gradle"), read: read_gradle },
    ManifestKind { name: ("build.gradle.kts", "build.gradle.kts"), read: read_gradle },
];

/// Collects the artifact's own name and its dependencies.
fn read_maven(text: &str, found: &mut ImportList) {
    let (mut parents, mut rest): (Vec<&str>, &str) = (Vec::new(), text);
    while let Some((_, after)) = rest.split_once('<') {
        let Some((tag, after)) = after.split_once('>') else { return };
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            while parents.pop().is_some_and(|parent| parent != name) {}
        } else if !tag.starts_with(['!', '?']) && !tag.ends_with('/') {
            let name = tag.split_whitespace().next().unwrap_or_default();
            let value = rest.split('<').next().unwrap_or_default().trim();
            match (parents.last(), name) {
                (Some(&"project"), "artifactId") => found.add(setting("artifact", value, Vec::new())),
                (Some(&"dependency"), "artifactId") => found.add(setting("dependency", value, Vec::new())),
                _ => {}
            }
            parents.push(name);
        }
    }
}

/// Collects `project(":a:b")` and `projects.a.b` as paths.
fn read_gradle(text: &str, found: &mut ImportList) {
    found.add(setting("gradle", ".", Vec::new()));
    for (at, call) in text.match_indices("project(") {
        let argument =
            text[at + call.len()..].trim_start_matches("path").trim_start_matches([' ', ':', '=', '\'', '"']);
        let path = argument.split(['\'', '"', ')']).next().unwrap_or_default();
        found.add(setting("project", &path.replace(':', "/"), Vec::new()));
    }
    for (at, accessor) in text.match_indices("(projects.") {
        let path = text[at + accessor.len()..].split(')').next().unwrap_or_default();
        found.add(setting("project", &kebab(path).replace('.', "/"), Vec::new()));
    }
}

/// Type-safe accessors write `my-module` as `myModule`.
fn kebab(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_uppercase() {
            text.push('-');
        }
        text.extend(character.to_lowercase());
    }
    text
}

/// Modules that each module depends on, by directory.
#[derive(Default)]
pub(crate) struct JvmBuilds {
    dependencies: HashMap<String, Vec<String>>,
}

impl JvmBuilds {
    pub(crate) fn new(nodes: &[GraphNode<'_>]) -> Self {
        let manifests = || nodes.iter().filter(|node| MANIFESTS.iter().any(|manifest| manifest.matches(node.path)));
        let mut artifacts: HashMap<&str, &str> = HashMap::new();
        for node in manifests() {
            artifacts.extend(values_of(node.imports, "artifact").map(|(name, _)| (name, split(node.path).0)));
        }
        let is_module = |directory: &str| manifests().any(|node| split(node.path).0 == directory);
        let mut dependencies: HashMap<String, Vec<String>> = HashMap::new();
        for node in manifests() {
            let directory = split(node.path).0;
            let by_artifact = values_of(node.imports, "dependency").filter_map(|(name, _)| artifacts.get(name));
            // A project's path is relative to the build's root, which is one of its ancestors.
            let by_path = values_of(node.imports, "project").filter_map(|(path, _)| {
                let path = path.trim_matches('/');
                upwards(directory).map(|root| join(root, path)).find(|candidate| is_module(candidate))
            });
            let all = by_artifact.map(|directory| (*directory).to_owned()).chain(by_path).collect();
            dependencies.insert(directory.to_owned(), all);
        }
        Self { dependencies }
    }

    /// The candidates in the importing file's module or in its dependencies; all candidates if there are none.
    pub(super) fn reachable(&self, from: &str, candidates: &[u32], path_of: impl Fn(u32) -> String) -> Vec<u32> {
        let module = upwards(split(from).0).find(|directory| self.dependencies.contains_key(*directory));
        let Some(module) = module.filter(|_| candidates.len() > 1) else { return candidates.to_vec() };
        let wanted = |file: &&u32| {
            let path = path_of(**file);
            let owner = upwards(split(&path).0).find(|directory| self.dependencies.contains_key(*directory));
            owner.is_some_and(|owner| owner == module || self.dependencies[module].iter().any(|it| it == owner))
        };
        let reachable: Vec<u32> = candidates.iter().filter(wanted).copied().collect();
        if reachable.is_empty() { candidates.to_vec() } else { reachable }
    }
}
