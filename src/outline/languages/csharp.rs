//! C#.

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::graph::tree::{FileTree, MOST_OF_A_PACKAGE, before_suffix, ends_with_path, split};
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, dotted, leading_name};
use crate::outline::readers::classes::{self, ClassSyntax};
use crate::outline::symbols::shapes::member_function;
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{DEEPEST, MOST_MARKS, after, braced_end, escaped_end, quoted};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["csx"],
    imports: Some(imports),
    resolve: Some(|resolver, _, import, targets| {
        targets.extend_from_slice(resolver.cached(Language::CSharp, &import.spec, namespace_files));
    }),
    symbols: Some(&SymbolSyntax {
        by_shape: Some(|line, _| member_function(line)),
        ..SymbolSyntax::c_like(
            DefinitionWords::new(
                &[
                    "public", "private", "protected", "internal", "static", "sealed", "abstract", "partial",
                    "readonly", "ref", "file", "unsafe", "new",
                ],
                &["class", "interface", "struct", "enum", "record", "namespace"],
            )
            .qualified(),
        )
    }),
    tests: TestNaming {
        family: Some(Language::CSharp),
        suffixes: &["Test", "Tests", "Spec", "Specs", "TestCase"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        classes: ClassSyntax {
            keywords: &["class", "interface", "enum", "struct", "namespace", "delegate", "event"],
            bracket_attributes: true,
            initializers: true,
            ..ClassSyntax::PLAIN
        },
        ..TokenSyntax::new(
            LexicalSyntax {
                directives: true,
                text_end: |lexer| Some((TokenKind::Text, text_end(lexer)?)),
                ..LexicalSyntax::C_LIKE
            },
            classes::read,
        )
    })),
    ..LanguageSpec::code("c#", "csharp", SLASHES, &["cs"])
};

fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::curly(text) {
        if found.full() {
            return;
        }
        let line = after_word(line, "global").unwrap_or(line);
        let Some(rest) = after_word(line, "using") else { continue };
        let rest = after_word(rest, "static").unwrap_or(rest);
        let rest = match rest.split_once('=') {
            Some((alias, target)) if leading_name(alias).len() == alias.trim_end().len() => target.trim_start(),
            Some(_) => continue,
            None => rest,
        };
        let rest = rest.strip_prefix("global::").unwrap_or(rest);
        let spec = dotted(rest);
        // `using var x = …` and `using (…)` are statements.
        if rest[spec.len()..].trim_start().starts_with([';', '<']) {
            found.add(Import::bare(spec));
        }
    }
}

/// Files of the directories that a namespace names, if there are few.
fn namespace_files(tree: &FileTree<'_>, namespace: &str) -> Vec<u32> {
    let path = namespace.replace('.', "/");
    let (first, rest) = path.split_once('/').unwrap_or((&path, ""));
    // `A.B/C`, `A/B/C` and `A.Core/B/C` can all be `A.B.C`.
    let named = |directory: &&&str| {
        let assembly = before_suffix(directory, rest).map(|before| split(before).1);
        ends_with_path(&directory.replace('.', "/"), &path)
            || assembly
                .and_then(|name| name.strip_prefix(first))
                .is_some_and(|name| name.is_empty() || name.starts_with('.'))
    };
    let mut directories: Vec<&str> = tree.directories_named(namespace).to_vec();
    if !rest.is_empty() {
        directories.extend(tree.directories_named(split(&path).1).iter().filter(named));
    }
    // Tests may use the same namespace, but an import does not refer to them.
    let product = |directory: &&str| {
        const OTHERS: [&str; 6] = ["Tests", "Test", "Specs", "Benchmarks", "tests", "test"];
        !directory.split('/').any(|part| OTHERS.iter().any(|other| part.ends_with(other)))
    };
    if directories.iter().any(product) {
        directories.retain(product);
    }
    let found: Vec<u32> = directories
        .iter()
        .flat_map(|directory| tree.files_in(directory))
        .copied()
        .filter(|file| tree.languages[*file as usize] == Some(Language::CSharp))
        .collect();
    if found.len() > MOST_OF_A_PACKAGE { Vec::new() } else { found }
}

/// `@"…""…"`, `$"…{…}…"`, `"""…"""` and their combinations.
fn text_end(lexer: &Lexer<'_>) -> Option<usize> {
    let rest = &lexer.bytes[lexer.at..];
    let prefix = rest.iter().take(MOST_MARKS).take_while(|byte| matches!(byte, b'$' | b'@')).count();
    let quotes = rest[prefix..].iter().take_while(|byte| **byte == b'"').count();
    if quotes == 0 {
        return if prefix == 0 { quoted(lexer) } else { None };
    }
    let (dollars, is_verbatim) = (rest[..prefix].contains(&b'$'), rest[..prefix].contains(&b'@'));
    if quotes >= 3 && !is_verbatim {
        let closing = vec![b'"'; quotes];
        let end = after(lexer.bytes, lexer.at + prefix + quotes, &closing);
        return Some(end + lexer.bytes[end..].iter().take_while(|byte| **byte == b'"').count());
    }
    Some(csharp_end(lexer.bytes, lexer.at + prefix + 1, is_verbatim, dollars, 0))
}

fn csharp_end(bytes: &[u8], from: usize, is_verbatim: bool, has_holes: bool, depth: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' if is_verbatim && bytes.get(at + 1) == Some(&b'"') => at += 2,
            b'"' => return at + 1,
            b'\\' if !is_verbatim => at += 2,
            b'\n' if !is_verbatim => return at,
            b'{' if has_holes && bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' if has_holes && depth < DEEPEST => at = hole_end(bytes, at + 1, is_verbatim, depth),
            _ => at += 1,
        }
    }
    bytes.len()
}

/// End of `{…}` in a string.
fn hole_end(bytes: &[u8], from: usize, is_verbatim: bool, depth: usize) -> usize {
    braced_end(bytes, from, |at, byte| match byte {
        b'\n' if !is_verbatim => Some(at),
        b'\'' => Some(escaped_end(bytes, at + 1, byte, false)),
        b'"' => {
            let marks = bytes[..at].iter().rev().take(MOST_MARKS).take_while(|byte| matches!(byte, b'$' | b'@'));
            let (mut holes, mut verbatim) = (false, false);
            for mark in marks {
                holes |= *mark == b'$';
                verbatim |= *mark == b'@';
            }
            Some(csharp_end(bytes, at + 1, verbatim, holes, depth + 1))
        }
        _ => None,
    })
}
