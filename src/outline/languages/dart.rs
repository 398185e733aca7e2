//! Dart.

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::graph::Resolver;
use crate::outline::graph::tree::beside;
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, quoted};
use crate::outline::readers::classes::{self, ClassSyntax};
use crate::outline::symbols::shapes::member_function;
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{Interpolation, after};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    imports: Some(imports),
    resolve: Some(resolve),
    symbols: Some(&SymbolSyntax {
        by_shape: Some(|line, _| member_function(line)),
        ..SymbolSyntax::c_like(DefinitionWords::new(
            &["abstract", "base", "final", "sealed", "interface", "external"],
            &["class", "enum", "mixin", "extension", "typedef"],
        ))
    }),
    tests: TestNaming { family: Some(Language::Dart), suffixes: &["_test"], ..TestNaming::NONE },
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        classes: ClassSyntax {
            keywords: &["class", "enum"],
            soft_keywords: &["mixin", "extension", "typedef"],
            enum_bodies: true,
            compact_constructors: true,
            initializers: true,
            top_level_members: true,
            ..ClassSyntax::PLAIN
        },
        ..TokenSyntax::new(LexicalSyntax { nested_comments: true, text_end, ..LexicalSyntax::C_LIKE }, classes::read)
    })),
    ..LanguageSpec::code("dart", "dart", SLASHES, &["dart"])
};

const INTERPOLATION: Interpolation = Interpolation { hole: *b"${", quotes: b"\"'", long_escapes: true };

fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let rest = &lexer.bytes[lexer.at..];
    let end = match rest {
        [b'"' | b'\'', ..] => INTERPOLATION.end(lexer.bytes, lexer.at),
        [b'r', quote @ (b'"' | b'\''), ..] => {
            let length = if rest[1..].starts_with(&[*quote; 3]) { 3 } else { 1 };
            after(lexer.bytes, lexer.at + 1 + length, &vec![*quote; length])
        }
        _ => return None,
    };
    Some((TokenKind::Text, end))
}

fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::curly(text) {
        if found.full() {
            return;
        }
        let rest = ["import", "export", "part"].iter().find_map(|word| after_word(line, word));
        if let Some(path) = rest.and_then(quoted) {
            found.add(Import::bare(path));
        }
    }
}

/// `package:name/a.dart` is `lib/a.dart` of the package, which usually has the name of its directory; other paths are
/// relative.
fn resolve(resolver: &mut Resolver<'_, '_>, from: u32, import: &Import, targets: &mut Vec<u32>) {
    let Some((package, path)) = import.spec.strip_prefix("package:").and_then(|spec| spec.split_once('/')) else {
        targets.extend(beside(resolver.tree, from, &import.spec));
        return;
    };
    let in_library = format!("lib/{path}");
    let found = resolver.cached(Language::Dart, &format!("{package}/{in_library}"), |tree, whole| {
        let named = tree.ending_in(whole);
        if named.is_empty() { tree.at(&in_library).into_iter().collect() } else { named }
    });
    let found = found.to_vec();
    targets.extend(resolver.tree.nearest(from, &found));
}
