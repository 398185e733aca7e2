//! PHP.

mod imports;
mod outline;
mod resolve;
mod strings;

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::LexicalSyntax;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["phtml", "php5", "php7", "php8"],
    interpreters: &["php"],
    first_line: &["<?php"],
    imports: Some(imports::scan),
    resolve: Some(resolve::resolve),
    symbols: Some(&SymbolSyntax {
        line_comments: &["//", "*", "# "],
        ..SymbolSyntax::c_like(DefinitionWords::new(
            &["public", "private", "protected", "static", "final", "abstract", "readonly"],
            &["function", "class", "interface", "trait", "enum", "const"],
        ))
    }),
    tests: TestNaming {
        family: Some(Language::Php),
        suffixes: &["Test", "Tests", "_test", "Cest"],
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax {
            text_end: strings::text_end,
            line_comment_end: Some(strings::comment_end),
            program_start: Some(strings::program_start),
            ..LexicalSyntax::C_LIKE
        },
        outline::read,
    ))),
    ..LanguageSpec::code("php", "php", SLASHES, &["php"])
};
