//! Rust.

pub(crate) mod crates;
mod imports;
mod outline;
mod strings;

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::LexicalSyntax;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    interpreters: &["rust-script"],
    imports: Some(imports::scan),
    resolve: Some(|resolver, from, import, targets| {
        resolver.crates.resolve(resolver.tree, from, import, targets);
    }),
    manifests: crates::MANIFESTS,
    symbols: Some(&SymbolSyntax::c_like(DefinitionWords::new(
        &["pub", "async", "unsafe", "extern", "default", "const", "auto"],
        &["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union", "macro_rules", "mut"],
    ))),
    tests: TestNaming {
        family: Some(Language::Rust),
        prefixes: &["test_"],
        suffixes: &["_test", "_tests"],
        names: &["tests", "test"],
        support: &["test_util", "test_utils", "test_helpers", "testutil", "testutils"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax { nested_comments: true, text_end: strings::text_end, ..LexicalSyntax::C_LIKE },
        outline::read,
    ))),
    ..LanguageSpec::code("rust", "rust", SLASHES, &["rs"])
};
