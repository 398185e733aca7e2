//! Zig.

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::definitions::DefinitionKind::{Constant, Function};
use crate::outline::graph::tree::beside;
use crate::outline::imports::{Import, ImportList, quoted as quoted_path};
use crate::outline::readers::declarations::{self, DeclarationSyntax};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{escaped_end, quoted};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["zon"],
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| targets.extend(beside(resolver.tree, from, &import.spec))),
    symbols: Some(&SymbolSyntax {
        block_comments: &[],
        ..SymbolSyntax::c_like(DefinitionWords::new(
            &["pub", "export", "extern", "inline", "threadlocal", "comptime", "noinline"],
            &["fn", "const", "var"],
        ))
    }),
    tests: TestNaming {
        family: Some(Language::Zig),
        prefixes: &["test_"],
        suffixes: &["_test", "_tests"],
        names: &["test", "tests"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        declarations: DeclarationSyntax {
            kinds: &[("fn", Function), ("test", Function), ("const", Constant), ("var", Constant)],
            modifiers: &["pub", "export", "extern", "inline", "noinline", "threadlocal"],
            semicolons: true,
            brace_tables: true,
            type_values: &["struct", "enum", "union", "opaque", "error"],
            ..DeclarationSyntax::NONE
        },
        ..TokenSyntax::new(
            LexicalSyntax { block_comments: false, text_end, ..LexicalSyntax::C_LIKE },
            declarations::read,
        )
    })),
    ..LanguageSpec::code("zig", "zig", SLASHES, &["zig"])
};

/// Strings, including multi-line strings, whose lines begin with `\\\\`, and quoted names.
fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    if lexer.follows(b"\\\\") {
        return Some((TokenKind::Text, lexer.line_end(lexer.at)));
    }
    if lexer.follows(b"@\"") {
        return Some((TokenKind::Word, escaped_end(lexer.bytes, lexer.at + 2, b'"', false)));
    }
    Some((TokenKind::Text, quoted(lexer)?))
}

/// `@import("a/b.zig")`; names without an extension are packages.
fn imports(text: &str, found: &mut ImportList) {
    for (at, call) in text.match_indices("@import(") {
        if found.full() {
            return;
        }
        if let Some(path) =
            quoted_path(&text[at + call.len()..]).filter(|path| Language::of(path, "") == Some(Language::Zig))
        {
            found.add(Import::bare(path));
        }
    }
}
