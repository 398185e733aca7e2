//! C, and code shared with C++.

pub(crate) mod include_paths;
pub(super) mod outline;
pub(super) mod resolve;
pub(super) mod symbols;

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::imports::{CodeLines, Import, ImportList, quoted as quoted_path};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{after, escaped_end};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    imports: Some(imports),
    resolve: Some(resolve::resolve),
    manifests: include_paths::MANIFESTS,
    companions: Some(resolve::companions),
    symbols: Some(&SYMBOLS),
    tests: TestNaming {
        family: Some(Language::C),
        prefixes: &["test_", "test-"],
        suffixes: &["_test", "_tests", ".test", ".tests", "_unittest", "-test", "Test", "Tests", "_unit"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax {
            directives: true,
            quoted_digits: true,
            text_end: |lexer| Some((TokenKind::Text, text_end(lexer)?)),
            ..LexicalSyntax::C_LIKE
        },
        outline::read,
    ))),
    // A header may be C or C++; C is right in most projects.
    ..LanguageSpec::code("c", "c", SLASHES, &["c", "h"])
};

pub(super) const SYMBOLS: SymbolSyntax = SymbolSyntax {
    line_comments: &["//", "* "],
    by_shape: Some(symbols::by_shape),
    ..SymbolSyntax::c_like(
        DefinitionWords::new(
            &["typedef", "static", "export", "inline", "constexpr", "extern"],
            &["struct", "class", "enum", "union", "namespace", "concept"],
        )
        .qualified(),
    )
};

fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::curly(text) {
        let Some(rest) = line.strip_prefix('#') else { continue };
        let Some(rest) = rest.trim_ascii_start().strip_prefix("include") else { continue };
        if found.full() {
            return;
        }
        let rest = rest.strip_prefix("_next").unwrap_or(rest).trim_ascii_start();
        if let Some(path) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(path, _)| path) {
            found.add(Import::bare(format!("<{path}>")));
        } else if rest.starts_with('"') {
            found.add(Import::bare(quoted_path(rest).unwrap_or_default()));
        }
    }
}

/// Strings, including `L"…"` and `R"mark(…)mark"`.
fn text_end(lexer: &Lexer<'_>) -> Option<usize> {
    let rest = &lexer.bytes[lexer.at..];
    let prefix = rest.iter().take(3).take_while(|byte| matches!(byte, b'L' | b'u' | b'U' | b'8' | b'R')).count();
    let quote = *rest.get(prefix)?;
    // The `@` before an Objective-C string is a separate token.
    if prefix > 0 && rest[prefix - 1] == b'R' && quote == b'"' {
        let mark = rest[prefix + 1..].iter().take(17).position(|byte| *byte == b'(')?;
        let mut closing = vec![b')'];
        closing.extend_from_slice(&rest[prefix + 1..prefix + 1 + mark]);
        closing.push(b'"');
        return Some(after(lexer.bytes, lexer.at + prefix + mark + 2, &closing));
    }
    matches!(quote, b'"' | b'\'').then(|| escaped_end(lexer.bytes, lexer.at + prefix + 1, quote, false))
}
