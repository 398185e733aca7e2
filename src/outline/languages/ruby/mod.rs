//! Ruby.

mod outline;

use super::Language;
use super::spec::{HASH, LanguageSpec, OutlineReader, TestNaming};
use crate::outline::graph::Resolver;
use crate::outline::graph::tree::{FileTree, before_suffix, beside, is_above, split};
use crate::outline::imports::{CodeLines, Import, ImportList, quoted};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax, assigned};

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["rake", "gemspec", "ru", "podspec", "rbi"],
    file_names: &[
        "Gemfile", "Rakefile", "Guardfile", "Vagrantfile", "Podfile", "Brewfile", "Fastfile", "Capfile", "Dangerfile",
        ".irbrc", ".pryrc",
    ],
    interpreters: &["ruby", "jruby", "rake"],
    imports: Some(imports),
    resolve: Some(resolve),
    symbols: Some(&SymbolSyntax {
        block_comments: &[("=begin", "=end")],
        by_shape: Some(|line, _| assigned(line).filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))),
        ..SymbolSyntax::hashed(
            DefinitionWords::new(
                &["private", "protected", "public", "private_class_method", "module_function"],
                &["def", "class", "module"],
            )
            .qualified(),
        )
    }),
    tests: TestNaming {
        family: Some(Language::Ruby),
        prefixes: &["test_"],
        suffixes: &["_spec", "_test"],
        support: &["spec_helper", "test_helper", "rails_helper"],
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Lines(outline::read)),
    ..LanguageSpec::code("ruby", "ruby", HASH, &["rb"])
};

fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::plain(text) {
        if !matches!(line.as_bytes().first(), Some(b'r' | b'a' | b'l' | b'b')) {
            continue;
        }
        if found.full() {
            return;
        }
        let line = line.strip_prefix("begin; ").unwrap_or(line);
        if let Some(rest) = line.strip_prefix("require_relative") {
            if let Some(path) = argument(rest) {
                let path = if path.starts_with('.') { path.to_owned() } else { format!("./{path}") };
                found.add(Import::bare(path));
            }
        } else if let Some(rest) = line.strip_prefix("require").or_else(|| line.strip_prefix("load")) {
            if let Some(path) = argument(rest) {
                found.add(Import::bare(path));
            }
        } else if let Some((name, path)) = line.strip_prefix("autoload").and_then(|rest| rest.split_once(',')) {
            let name = name.trim_matches([' ', ':', '(', '"', '\'']);
            if let Some(path) = argument(&format!(" {}", path.trim_start())) {
                found.add(Import { spec: path.to_owned(), names: vec![name.to_owned()] });
            }
        }
    }
}

/// A quoted argument without interpolation, after a blank or a parenthesis.
fn argument(rest: &str) -> Option<&str> {
    rest.starts_with([' ', '(', '\t']).then(|| quoted(rest)).flatten().filter(|path| !path.contains("#{"))
}

/// Adds the file at a path relative to this file or to a library directory.
fn resolve(resolver: &mut Resolver<'_, '_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
    let spec = &import.spec;
    if spec.starts_with('.') {
        let tree = resolver.tree;
        targets.extend(beside(tree, from, &format!("{spec}.rb")).or_else(|| beside(tree, from, spec)));
        return;
    }
    let found = resolver.cached(Language::Ruby, spec, required_files).to_vec();
    targets.extend(reachable(resolver.tree, from, spec, &found));
}

/// Every file that `require "a/b"` can refer to; if some are below a `lib` directory, only those.
fn required_files(tree: &FileTree<'_>, spec: &str) -> Vec<u32> {
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

/// The candidates that the requiring file refers to: a single name outside `lib` must be nearby.
fn reachable(tree: &FileTree<'_>, from: u32, spec: &str, candidates: &[u32]) -> Vec<u32> {
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
