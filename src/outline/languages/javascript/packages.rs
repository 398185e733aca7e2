//! Packages of a workspace and path aliases, from `package.json` and `tsconfig.json`.

use std::collections::HashMap;

use serde_json::Value;

use crate::outline::graph::GraphNode;
use crate::outline::graph::tree::{join, relative, split, upwards};
use crate::outline::imports::{Import, ImportList};
use crate::outline::manifests::{ManifestKind, lenient_json, setting, strings_in, values_of};

pub(super) const MANIFESTS: &[ManifestKind] = &[
    ManifestKind { name: ("package.json", "package.json"), read: read_package },
    ManifestKind { name: ("tsconfig", ".json"), read: read_compiler_options },
    ManifestKind { name: ("jsconfig", ".json"), read: read_compiler_options },
];

/// Maximum depth of configurations that extend each other.
const DEEPEST: usize = 6;

fn read_package(text: &str, found: &mut ImportList) {
    let package = lenient_json(text);
    if let Some(name) = package["name"].as_str() {
        found.add(setting("name", name, Vec::new()));
    }
    let entries = ["source", "module", "main", "types"].iter().flat_map(|field| strings_in(&package[*field]));
    found.add(setting("main", ".", entries.collect()));
    for (field, root) in [("imports", "#"), ("exports", ".")] {
        match &package[field] {
            Value::Object(map) if map.keys().any(|key| key.starts_with(root)) => {
                for (key, value) in map {
                    found.add(setting(field, key, strings_in(value)));
                }
            }
            Value::Null => {}
            value => found.add(setting(field, root, strings_in(value))),
        }
    }
}

fn read_compiler_options(text: &str, found: &mut ImportList) {
    let config = lenient_json(text);
    found.add(setting("extends", ".", strings_in(&config["extends"])));
    let options = &config["compilerOptions"];
    if let Some(base) = options["baseUrl"].as_str() {
        found.add(setting("base", base, Vec::new()));
    }
    if let Value::Object(paths) = &options["paths"] {
        for (pattern, targets) in paths {
            found.add(setting("paths", pattern, strings_in(targets)));
        }
    }
}

/// Targets of imports that are not paths.
#[derive(Default)]
pub(crate) struct ScriptPackages {
    /// Packages by name.
    by_name: HashMap<String, Package>,
    /// Aliases by the directory of the `package.json` or `tsconfig.json`.
    aliases: HashMap<String, Vec<Alias>>,
    /// Base directories by the directory of the `tsconfig.json`.
    bases: HashMap<String, String>,
}

struct Package {
    directory: String,
    /// Subpaths with their targets.
    exports: Vec<Alias>,
}

/// A pattern with at most one `*`, and paths from the root of the tree.
#[derive(Clone)]
struct Alias {
    pattern: String,
    targets: Vec<String>,
}

impl Alias {
    fn new(directory: &str, pattern: &str, targets: &[String]) -> Self {
        let targets = targets.iter().filter_map(|target| relative(directory, target)).collect();
        Self { pattern: pattern.to_owned(), targets }
    }

    /// Paths for a specification, if it matches the pattern.
    fn apply(&self, spec: &str) -> Option<Vec<String>> {
        let Some((before, after)) = self.pattern.split_once('*') else {
            return (self.pattern == spec).then(|| self.targets.clone());
        };
        let middle = spec.strip_prefix(before)?.strip_suffix(after)?;
        Some(self.targets.iter().map(|target| target.replacen('*', middle, 1)).collect())
    }
}

impl ScriptPackages {
    pub(crate) fn new(nodes: &[GraphNode<'_>]) -> Self {
        let mut packages = Self::default();
        let manifests: HashMap<&str, &[Import]> = nodes
            .iter()
            .filter(|node| MANIFESTS.iter().any(|manifest| manifest.matches(node.path)))
            .map(|node| (node.path, node.imports))
            .collect();
        let mut paths: Vec<&str> = manifests.keys().copied().collect();
        // `tsconfig.json` takes precedence over its variants.
        paths.sort_unstable_by_key(|path| (path.len(), *path));
        for path in paths {
            let (directory, name) = split(path);
            if name == "package.json" {
                packages.add_package(directory, manifests[path]);
            } else {
                packages.add_config(directory, path, &manifests, 0);
            }
        }
        for aliases in packages.aliases.values_mut() {
            // The longest prefix wins.
            aliases.sort_by_key(|alias| std::cmp::Reverse(alias.pattern.find('*').unwrap_or(usize::MAX)));
        }
        packages
    }

    fn add_package(&mut self, directory: &str, settings: &[Import]) {
        let aliases = values_of(settings, "imports").map(|(key, targets)| Alias::new(directory, key, targets));
        self.aliases.entry(directory.to_owned()).or_default().extend(aliases);
        let exports = values_of(settings, "exports").chain(values_of(settings, "main"));
        let exports = exports.map(|(key, targets)| Alias::new(directory, key, targets)).collect();
        if let Some((name, _)) = values_of(settings, "name").next() {
            let package = Package { directory: directory.to_owned(), exports };
            self.by_name.entry(name.to_owned()).or_insert(package);
        }
    }

    /// Adds the settings of a configuration, and of those it extends, to `owner`.
    fn add_config(&mut self, owner: &str, path: &str, manifests: &HashMap<&str, &[Import]>, depth: usize) {
        let Some(settings) = manifests.get(path).filter(|_| depth < DEEPEST) else { return };
        let directory = split(path).0;
        let base = values_of(settings, "base").find_map(|(base, _)| relative(directory, base));
        let from = base.clone().unwrap_or_else(|| directory.to_owned());
        let paths: Vec<Alias> =
            values_of(settings, "paths").map(|(pattern, targets)| Alias::new(&from, pattern, targets)).collect();
        let aliases = self.aliases.entry(owner.to_owned()).or_default();
        // The paths of a configuration replace those of the configuration it extends.
        if !aliases.iter().any(|alias| !alias.pattern.starts_with('#')) {
            aliases.extend(paths);
        }
        if let Some(base) = base {
            self.bases.entry(owner.to_owned()).or_insert(base);
        }
        for (_, extended) in values_of(settings, "extends") {
            for other in extended.iter().rev().filter_map(|other| relative(directory, other)) {
                let with_extension = format!("{other}.json");
                let known = [other, with_extension].into_iter().find(|path| manifests.contains_key(path.as_str()));
                if let Some(known) = known {
                    self.add_config(owner, &known, manifests, depth + 1);
                }
            }
        }
    }

    /// Paths for an alias defined in an ancestor directory, nearest first.
    pub(super) fn aliased(&self, here: &str, spec: &str) -> Vec<String> {
        let lists = upwards(here).filter_map(|directory| self.aliases.get(directory));
        lists.flatten().find_map(|alias| alias.apply(spec)).unwrap_or_default()
    }

    /// Paths for a name that a package of the tree exports; the last path is the package's directory with the subpath.
    pub(super) fn exported(&self, spec: &str) -> Vec<String> {
        let ends = spec.match_indices('/').map(|(at, _)| at).chain([spec.len()]);
        let Some((package, below)) = ends.rev().find_map(|end| Some((self.by_name.get(&spec[..end])?, &spec[end..])))
        else {
            return Vec::new();
        };
        let subpath = format!(".{below}");
        let mut paths: Vec<String> =
            package.exports.iter().filter_map(|alias| alias.apply(&subpath)).flatten().collect();
        paths.push(join(&package.directory, below.trim_start_matches('/')));
        paths
    }

    /// A path relative to the base directory of the nearest configuration.
    pub(super) fn below_base(&self, here: &str, spec: &str) -> Option<String> {
        let base = upwards(here).find_map(|directory| self.bases.get(directory))?;
        Some(join(base, spec))
    }
}
