//! JavaScript, and frameworks whose files contain it. TypeScript shares all of this.

pub(super) mod imports;
pub(super) mod outline;
pub(crate) mod packages;
mod resolve;
pub(super) mod strings;
mod symbols;

use super::Language;
use super::spec::{ANGLE, LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::LexicalSyntax;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["es6"],
    interpreters: &["node", "nodejs", "bun", "zx"],
    imports: Some(imports::scan),
    resolve: Some(|resolver, from, import, targets| {
        targets.extend(resolve::script(resolver.tree, &resolver.packages, from, &import.spec));
    }),
    manifests: packages::MANIFESTS,
    symbols: Some(&SYMBOLS),
    tests: TestNaming {
        family: Some(Language::JavaScript),
        suffixes: &[".spec", ".test", ".test-d", ".e2e", ".cy", "-test", "_test", "-spec", "_spec", ".e2e-spec"],
        names: &["test", "tests"],
        support: &["setupTests", "test-utils", "testUtils", "vitest-setup", "jest-setup", "vitestSetup"],
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax { element_may_begin: Some(strings::expression_may_begin), ..LEXICAL },
        outline::read,
    ))),
    ..LanguageSpec::code("javascript", "javascript", SLASHES, &["js", "mjs", "cjs", "jsx"])
};

pub(super) const VUE: LanguageSpec = component("vue", &["vue"]);
pub(super) const SVELTE: LanguageSpec = component("svelte", &["svelte"]);

pub(super) const LEXICAL: LexicalSyntax = LexicalSyntax { text_end: strings::text_end, ..LexicalSyntax::C_LIKE };

const SYMBOLS: SymbolSyntax = SymbolSyntax {
    by_shape: Some(symbols::by_shape),
    ..SymbolSyntax::c_like(DefinitionWords::new(
        &["export", "default", "async", "declare", "abstract"],
        &["function", "class", "interface", "type", "enum", "namespace"],
    ))
};

/// A file with markup around its script: imports and definitions are found line by line, but there is no outline.
const fn component(name: &'static str, extensions: &'static [&'static str]) -> LanguageSpec {
    LanguageSpec {
        imports: SPEC.imports,
        resolve: SPEC.resolve,
        symbols: Some(&SymbolSyntax { block_comments: &[("/*", "*/"), ("<!--", "-->")], ..SYMBOLS }),
        tests: TestNaming { support: &[], ..SPEC.tests },
        ..LanguageSpec::code(name, name, ANGLE, extensions)
    }
}
