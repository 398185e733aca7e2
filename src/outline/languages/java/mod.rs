//! Java, and code shared with Kotlin and Scala: test names, and files of packages and classes.

pub(crate) mod builds;

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming, ends_with_any};
use crate::outline::graph::Resolver;
use crate::outline::graph::tree::{FileTree, MOST_AMBIGUOUS, ends_with_path, split, without_extension};
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, dotted};
use crate::outline::readers::classes::{self, ClassSyntax};
use crate::outline::symbols::shapes::member_function;
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::quoted;
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    imports: Some(imports),
    resolve: Some(resolve),
    manifests: builds::MANIFESTS,
    symbols: Some(&SymbolSyntax {
        by_shape: Some(|line, _| member_function(line)),
        ..SymbolSyntax::c_like(DefinitionWords::new(
            &["public", "private", "protected", "static", "final", "abstract", "sealed", "strictfp", "non"],
            &["class", "interface", "enum", "record"],
        ))
    }),
    tests: TESTS,
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        classes: ClassSyntax { enum_bodies: true, compact_constructors: true, ..ClassSyntax::PLAIN },
        ..TokenSyntax::new(LexicalSyntax { text_end, ..LexicalSyntax::C_LIKE }, classes::read)
    })),
    ..LanguageSpec::code("java", "java", SLASHES, &["java"])
};

pub(super) const TESTS: TestNaming =
    TestNaming { family: Some(Language::Java), is_test: Some(is_test), ..TestNaming::NONE };

fn is_test(stem: &str) -> bool {
    let ends = |suffixes: &[&str]| ends_with_any(stem, suffixes);
    ends(&["Test", "Tests", "TestCase", "IT", "ITCase", "Spec", "Suite"]) && !ends(&["TestSuite"])
        || ends(&["TestSuite"]) && stem.len() > 9
        || stem.starts_with("Test")
            && stem.as_bytes().get(4).is_some_and(u8::is_ascii_uppercase)
            && !stem.contains("Util")
}

fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::curly(text) {
        if found.full() {
            return;
        }
        let Some(rest) = after_word(line, "import") else { continue };
        let (rest, is_static) = after_word(rest, "static").map_or((rest, false), |rest| (rest, true));
        let spec = dotted(rest);
        if spec.is_empty() || !rest[spec.len()..].trim_start().starts_with(';') {
            continue;
        }
        match spec.rsplit_once('.') {
            Some((class, member)) if is_static => {
                found.add(Import { spec: class.to_owned(), names: vec![member.to_owned()] });
            }
            Some((_, "*")) | None => found.add(Import::bare(spec)),
            Some((_, name)) => found.add(Import { spec: spec.to_owned(), names: vec![name.to_owned()] }),
        }
    }
}

/// Strings, including multi-line `"""…"""`.
fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    if !lexer.follows(b"\"\"\"") {
        return Some((TokenKind::Text, quoted(lexer)?));
    }
    let mut at = lexer.at + 3;
    while at < lexer.bytes.len() {
        if lexer.bytes[at] == b'\\' {
            at += 2;
        } else if lexer.bytes[at..].starts_with(b"\"\"\"") {
            // Further quotes at the end belong to the string.
            let end = at + lexer.bytes[at..].iter().take_while(|byte| **byte == b'"').count();
            return Some((TokenKind::Text, end));
        } else {
            at += 1;
        }
    }
    Some((TokenKind::Text, lexer.bytes.len()))
}

/// Adds the files of an imported class, of the class that contains an imported member, or of a package.
pub(super) fn resolve(resolver: &mut Resolver<'_, '_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
    if let Some(package) = import.spec.strip_suffix(".*") {
        let class = resolver.cached(Language::Java, package, class_files).to_vec();
        if class.is_empty() {
            let found = resolver.cached(Language::Java, &import.spec, package_files);
            targets.extend_from_slice(found);
        } else {
            targets.extend(nearest_class(resolver, from, &class));
        }
        return;
    }
    let class = resolver.cached(Language::Java, &import.spec, class_files).to_vec();
    if !class.is_empty() {
        targets.extend(nearest_class(resolver, from, &class));
        return;
    }
    for name in &import.names {
        let found = resolver.cached(Language::Java, &format!("{}.{name}", import.spec), class_files).to_vec();
        targets.extend(nearest_class(resolver, from, &found));
    }
}

/// Nearest files of a class; if Java and Kotlin both define it, those in the language of the importing file.
fn nearest_class(resolver: &Resolver<'_, '_>, from: u32, candidates: &[u32]) -> Vec<u32> {
    let tree = resolver.tree;
    let path_of = |file: u32| tree.paths[file as usize].to_owned();
    let candidates = resolver.builds.reachable(tree.paths[from as usize], candidates, path_of);
    let mut nearest = tree.nearest(from, &candidates);
    let language = tree.languages[from as usize];
    let same = |file: &u32| tree.languages[*file as usize] == language;
    if nearest.iter().any(same) {
        nearest.retain(same);
    }
    nearest
}

/// Files of the class `a.b.C`, or of the class around a nested class or member.
fn class_files(tree: &FileTree<'_>, name: &str) -> Vec<u32> {
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
        // Package names are in lower case, so the search stops at the first capitalized part.
        match name.rsplit_once('.') {
            Some((outer, _)) if outer.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase)) => {
                name = outer;
            }
            _ => return Vec::new(),
        }
    }
}

/// Files of `a.b.*`, if there are few.
fn package_files(tree: &FileTree<'_>, wildcard: &str) -> Vec<u32> {
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
