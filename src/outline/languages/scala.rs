//! Scala 2 and 3, with braces or indentation.

use super::java;
use super::kotlin::{self, INTERPOLATION};
use super::spec::{LanguageSpec, OutlineReader, SLASHES};
use crate::outline::definitions::DefinitionKind::{Constant, Function, Implementation, Type};
use crate::outline::readers::declarations::{self, DeclarationSyntax};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::escaped_end;
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["sc", "sbt"],
    interpreters: &["scala"],
    imports: Some(kotlin::imports),
    resolve: Some(java::resolve),
    symbols: Some(&SymbolSyntax::c_like(DefinitionWords::new(
        &[
            "private", "protected", "final", "sealed", "abstract", "implicit", "lazy", "override", "case", "inline",
            "opaque", "open", "transparent",
        ],
        &["class", "trait", "object", "def", "type", "val", "var", "enum", "given"],
    ))),
    tests: java::TESTS,
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        declarations: DeclarationSyntax {
            kinds: &[
                ("class", Type),
                ("trait", Type),
                ("object", Type),
                ("enum", Type),
                ("type", Type),
                ("def", Function),
                ("val", Constant),
                ("var", Constant),
                ("given", Constant),
                ("extension", Implementation),
            ],
            modifiers: &[
                "private", "protected", "final", "sealed", "abstract", "implicit", "lazy", "override", "case",
                "inline", "opaque", "open", "transparent", "infix", "package",
            ],
            call_tables: true,
            indented_bodies: true,
            block_values: true,
            ..DeclarationSyntax::NONE
        },
        ..TokenSyntax::new(
            LexicalSyntax { nested_comments: true, text_end, ..LexicalSyntax::C_LIKE },
            declarations::read,
        )
    })),
    ..LanguageSpec::code("scala", "scala", SLASHES, &["scala"])
};

fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let rest = &lexer.bytes[lexer.at..];
    let end = match rest[0] {
        b'"' => INTERPOLATION.end(lexer.bytes, lexer.at),
        b'`' => escaped_end(lexer.bytes, lexer.at + 1, b'`', false),
        b'\'' if rest.get(1) == Some(&b'\\') => escaped_end(lexer.bytes, lexer.at + 1, b'\'', false),
        // A character literal; any other quote belongs to a symbol or a macro.
        b'\'' => {
            let character = lexer.text.get(lexer.at + 1..)?.chars().next()?;
            let end = lexer.at + 1 + character.len_utf8();
            (lexer.bytes.get(end) == Some(&b'\'')).then_some(end + 1)?
        }
        _ => return None,
    };
    Some((TokenKind::Text, end))
}
