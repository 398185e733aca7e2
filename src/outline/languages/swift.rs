//! Swift. An import names a whole module, and no file says where its sources are.

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::definitions::DefinitionKind::{Constant, Function, Implementation, Type};
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, dotted};
use crate::outline::readers::declarations::{self, DeclarationSyntax};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{Interpolation, MOST_MARKS, after, escaped_end};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    interpreters: &["swift"],
    imports: Some(imports),
    symbols: Some(&SymbolSyntax::c_like(DefinitionWords::new(
        &[
            "public", "private", "fileprivate", "internal", "open", "static", "final", "mutating", "override",
            "indirect", "lazy", "weak", "convenience", "required", "async", "nonisolated",
        ],
        &["class", "struct", "enum", "protocol", "func", "typealias", "actor", "let", "var", "extension"],
    ))),
    tests: TestNaming {
        family: Some(Language::Swift),
        suffixes: &["Test", "Tests", "Spec", "Specs", "TestCase"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        declarations: DeclarationSyntax {
            kinds: &[
                ("func", Function),
                ("init", Function),
                ("deinit", Function),
                ("subscript", Function),
                ("struct", Type),
                ("protocol", Type),
                ("actor", Type),
                ("class", Type),
                ("enum", Type),
                ("typealias", Type),
                ("extension", Implementation),
                ("let", Constant),
                ("var", Constant),
            ],
            modifiers: &[
                "public", "private", "internal", "fileprivate", "open", "final", "override", "infix", "static",
                "mutating", "nonmutating", "indirect", "weak", "unowned", "lazy", "required", "convenience", "dynamic",
                "optional", "prefix", "postfix", "nonisolated", "isolated", "async", "package",
            ],
            own_names: &["init", "deinit", "subscript"],
            bracket_tables: true,
            ..DeclarationSyntax::NONE
        },
        ..TokenSyntax::new(
            LexicalSyntax { nested_comments: true, directives: true, text_end, ..LexicalSyntax::C_LIKE },
            declarations::read,
        )
    })),
    ..LanguageSpec::code("swift", "swift", SLASHES, &["swift"])
};

/// `"\\(…)"` on one line or in triple quotes.
const INTERPOLATION: Interpolation = Interpolation { hole: *b"\\(", quotes: b"\"", long_escapes: true };

fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let hashes = lexer.bytes[lexer.at..].iter().take(MOST_MARKS).take_while(|byte| **byte == b'#').count();
    let end = match lexer.bytes[lexer.at] {
        _ if hashes > 0 && lexer.bytes.get(lexer.at + hashes) == Some(&b'"') => {
            let closing = [&b"\""[..], &vec![b'#'; hashes]].concat();
            after(lexer.bytes, lexer.at + hashes + 1, &closing)
        }
        b'"' => INTERPOLATION.end(lexer.bytes, lexer.at),
        // A keyword used as a name.
        b'`' => escaped_end(lexer.bytes, lexer.at + 1, b'`', false),
        _ => return None,
    };
    Some((TokenKind::Text, end))
}

fn imports(text: &str, found: &mut ImportList) {
    const KINDS: [&str; 8] = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"];
    for (_, _, line) in CodeLines::curly(text) {
        if found.full() {
            return;
        }
        let line = after_word(line, "@testable").unwrap_or(line);
        let Some(rest) = after_word(line, "import") else { continue };
        let rest = KINDS.iter().find_map(|kind| after_word(rest, kind)).unwrap_or(rest);
        found.add(Import::bare(dotted(rest)));
    }
}
