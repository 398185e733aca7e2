//! Kotlin.

use super::java;
use super::spec::{LanguageSpec, OutlineReader, SLASHES};
use crate::outline::definitions::DefinitionKind::{Constant, Function, Type};
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, dotted, listed_names, until};
use crate::outline::readers::declarations::{self, DeclarationSyntax};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{Interpolation, escaped_end, quoted};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    imports: Some(imports),
    resolve: Some(java::resolve),
    symbols: Some(&SymbolSyntax::c_like(
        DefinitionWords::new(
            &[
                "public", "private", "protected", "internal", "open", "abstract", "final", "sealed", "data", "inner",
                "inline", "value", "override", "suspend", "operator", "infix", "tailrec", "lateinit", "const",
                "companion", "annotation", "external", "expect", "actual", "enum",
            ],
            &["class", "interface", "object", "fun", "typealias", "val", "var"],
        )
        .qualified(),
    )),
    tests: java::TESTS,
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        declarations: DeclarationSyntax {
            kinds: &[
                ("fun", Function),
                ("constructor", Function),
                ("init", Function),
                ("object", Type),
                ("interface", Type),
                ("class", Type),
                ("enum", Type),
                ("typealias", Type),
                ("val", Constant),
                ("var", Constant),
            ],
            modifiers: &[
                "public", "private", "internal", "protected", "open", "abstract", "final", "override", "sealed",
                "data", "inner", "inline", "suspend", "operator", "infix", "tailrec", "external", "lateinit", "const",
                "expect", "actual", "annotation", "value", "companion",
            ],
            own_names: &["constructor", "init"],
            accessors: true,
            call_tables: true,
            ..DeclarationSyntax::NONE
        },
        ..TokenSyntax::new(
            LexicalSyntax { nested_comments: true, text_end, ..LexicalSyntax::C_LIKE },
            declarations::read,
        )
    })),
    ..LanguageSpec::code("kotlin", "kotlin", SLASHES, &["kt", "kts"])
};

/// `"${…}"` on one line or in triple quotes.
pub(super) const INTERPOLATION: Interpolation = Interpolation { hole: *b"${", quotes: b"\"", long_escapes: false };

fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let end = match lexer.bytes[lexer.at] {
        b'"' => INTERPOLATION.end(lexer.bytes, lexer.at),
        b'\'' => quoted(lexer)?,
        // A name with spaces.
        b'`' => escaped_end(lexer.bytes, lexer.at + 1, b'`', false),
        _ => return None,
    };
    Some((TokenKind::Text, end))
}

pub(super) fn imports(text: &str, found: &mut ImportList) {
    let mut lines = CodeLines::curly(text);
    while let Some((start, indent, line)) = lines.next() {
        if found.full() {
            return;
        }
        let Some(rest) = after_word(line, "import") else { continue };
        let spec = dotted(rest);
        if let Some(list) = rest[spec.len()..].strip_prefix('{') {
            let from = start + indent + line.len() - list.len();
            let Some(list) = until(text, from, '}') else {
                found.miss();
                continue;
            };
            lines.skip_to(from + list.len());
            let names = listed_names(list, &["=>", " as "]);
            found.add(Import { spec: spec.trim_end_matches('.').to_owned(), names });
            continue;
        }
        match spec.rsplit_once('.') {
            Some((package, "_")) => found.add(Import::bare(format!("{package}.*"))),
            Some((_, name)) if name != "*" => {
                found.add(Import { spec: spec.to_owned(), names: vec![name.to_owned()] });
            }
            _ => found.add(Import::bare(spec)),
        }
    }
}
