//! The project's name in the manifests at its root.

use serde_json::Value;

use super::dependencies::parse_toml;
use crate::gather::corpus::Corpus;

/// Reads the name from the text of a manifest.
type ManifestReader = fn(&str) -> Option<String>;

/// Manifests with a name.
const MANIFESTS: [(&str, ManifestReader); 11] = [
    ("Cargo.toml", |text| toml(text, &["package"])),
    ("package.json", json),
    ("pyproject.toml", |text| toml(text, &["project"]).or_else(|| toml(text, &["tool", "poetry"]))),
    ("setup.cfg", setup_cfg),
    ("setup.py", |text| assigned(text, "name")),
    ("go.mod", go),
    ("composer.json", json),
    ("settings.gradle", |text| assigned(text, "rootProject.name")),
    ("settings.gradle.kts", |text| assigned(text, "rootProject.name")),
    ("CMakeLists.txt", |text| called(text, "project(")),
    ("configure.ac", |text| called(text, "AC_INIT(")),
];

/// The names in the root's manifests and gemspecs, without duplicates.
pub fn own_names(corpus: &Corpus) -> Vec<String> {
    let read = |(name, reader): &(&str, ManifestReader)| reader(&corpus.raw_text(corpus.find(name)?)?);
    let at_root = corpus.files.iter().filter(|file| !file.path.contains('/'));
    let gems = at_root.filter_map(|file| file.path.strip_suffix(".gemspec")).map(str::to_owned);
    let mut names: Vec<String> = MANIFESTS.iter().filter_map(read).chain(gems).collect();
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    names
}

/// `name` in the table at this path.
fn toml(text: &str, path: &[&str]) -> Option<String> {
    let manifest = toml::Value::Table(parse_toml(text));
    let table = path.iter().try_fold(&manifest, |table, key| table.get(key))?;
    table.get("name")?.as_str().map(str::to_owned)
}

fn setup_cfg(text: &str) -> Option<String> {
    let metadata = text.lines().map(str::trim).skip_while(|line| *line != "[metadata]").skip(1);
    metadata.take_while(|line| !line.starts_with('[')).find_map(|line| value(line, "name"))
}

fn assigned(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| value(line.trim(), key))
}

/// The value in a line such as `name = "x"` or `name='x',`.
fn value(line: &str, key: &str) -> Option<String> {
    let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
    Some(value.trim_matches([' ', ',', ';', '"', '\'']).to_owned())
}

/// The first argument of a call such as `project(Catch2 VERSION 3)` or `AC_INIT([jq], …)`.
fn called(text: &str, call: &str) -> Option<String> {
    let after = text.lines().find_map(|line| line.trim_start().strip_prefix(call))?;
    let is_around = |c: char| matches!(c, '[' | ']' | '"' | ' ' | ',' | ')');
    after.split(is_around).find(|word| !word.is_empty()).map(str::to_owned)
}

/// The name in a JSON manifest, without its scope: `@angular/core`, `symfony/console`.
fn json(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let name = value.get("name")?.as_str()?;
    name.rsplit('/').next().map(str::to_owned)
}

/// The last component of a Go module path that is not a version: `github.com/gohugoio/hugo`, `example.com/tool/v2`.
fn go(text: &str) -> Option<String> {
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    let is_version = |part: &str| {
        part.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    module.trim().rsplit('/').find(|part| !is_version(part)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::own_names;
    use crate::gather::samples::corpus;

    #[test]
    fn the_name_is_read_from_every_kind_of_manifest() {
        for (path, text) in [
            ("Cargo.toml", "[workspace]\nname = \"no\"\n\n[package]\nedition = \"2024\"\nname = \"shop\"\n"),
            ("package.json", "{\"name\": \"@corner/shop\", \"private\": true}"),
            ("pyproject.toml", "[build-system]\nname = 1\n[project]\nname = \"shop\"\n"),
            ("pyproject.toml", "[tool.poetry]\nname = 'shop'\n"),
            ("setup.cfg", "[metadata]\nname = shop\n"),
            ("setup.py", "from setuptools import setup\n\nsetup(\n    name='shop',\n)\n"),
            ("go.mod", "module example.com/corner/shop/v2\n\ngo 1.22\n"),
            ("composer.json", "{\"name\": \"corner/shop\"}"),
            ("settings.gradle.kts", "rootProject.name = \"shop\"\n"),
            ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(shop VERSION 1.0)\n"),
            ("configure.ac", "AC_INIT([shop], [1.0])\n"),
            ("shop.gemspec", "Gem::Specification.new\n"),
        ] {
            let (_dir, corpus) = corpus(&[(path, text), ("src/a.rs", "fn a() {}\n")]);
            assert_eq!(own_names(&corpus), ["shop"], "{path}");
        }
    }

    #[test]
    fn missing_and_invalid_manifests_have_no_name() {
        let files = [
            ("package.json", "{ name: "),
            ("Cargo.toml", "[workspace]\nmembers = []\n"),
            ("go.mod", "go 1.22\n"),
            ("CMakeLists.txt", "project(\n"),
            ("lib/setup.py", "setup(name='inner')\n"),
        ];
        let (_dir, corpus) = corpus(&files);
        assert!(own_names(&corpus).is_empty(), "{:?}", own_names(&corpus));
    }
}
