//! TypeScript, with and without JSX.

use super::javascript::outline::read_typed;
use super::javascript::{self, LEXICAL, strings};
use super::spec::{LanguageSpec, OutlineReader};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::LexicalSyntax;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    name: "typescript",
    fence_tag: "typescript",
    extensions: &["ts", "mts", "cts"],
    other_extensions: &[],
    manifests: &[],
    interpreters: &["deno", "ts-node", "tsx"],
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(LEXICAL, read_typed))),
    ..javascript::SPEC
};

pub(super) const TSX: LanguageSpec = LanguageSpec {
    name: "tsx",
    fence_tag: "tsx",
    extensions: &["tsx"],
    interpreters: &[],
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax { element_may_begin: Some(strings::expression_may_begin), ..LEXICAL },
        read_typed,
    ))),
    ..SPEC
};
