//! Go.

pub(crate) mod modules;
mod outline;

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES, TestNaming};
use crate::outline::imports::{CodeLines, Import, ImportList, quoted as quoted_path};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::strings::{after, quoted};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    imports: Some(imports),
    resolve: Some(|resolver, _, import, targets| {
        targets.extend_from_slice(resolver.modules.package(&import.spec));
    }),
    manifests: modules::MANIFESTS,
    symbols: Some(&SymbolSyntax {
        groups: &["const (", "var (", "type ("],
        ..SymbolSyntax::c_like(DefinitionWords::new(&[], &["func", "type", "const", "var"]))
    }),
    tests: TestNaming { family: Some(Language::Go), suffixes: &["_test"], ..TestNaming::NONE },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax { text_end, ..LexicalSyntax::C_LIKE },
        outline::read,
    ))),
    ..LanguageSpec::code("go", "go", SLASHES, &["go"])
};

/// Strings, including multi-line `` `…` ``.
fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let end = if lexer.follows(b"`") { after(lexer.bytes, lexer.at + 1, b"`") } else { quoted(lexer)? };
    Some((TokenKind::Text, end))
}

fn imports(text: &str, found: &mut ImportList) {
    let mut in_block = false;
    for (_, indent, line) in CodeLines::curly(text) {
        if found.full() {
            return;
        }
        if in_block {
            in_block = !line.starts_with(')');
            if in_block && let Some(path) = line.find(['"', '`']).filter(|_| !line.starts_with("//")) {
                found.add(Import::bare(quoted_path(&line[path..]).unwrap_or_default()));
            }
            continue;
        }
        if indent > 0 {
            continue;
        }
        if let Some(rest) = line.strip_prefix("import") {
            let rest = rest.trim_ascii();
            if rest.starts_with('(') {
                in_block = !rest.contains(')');
            } else if let Some(path) = rest.find(['"', '`']) {
                found.add(Import::bare(quoted_path(&rest[path..]).unwrap_or_default()));
            }
        } else if line.starts_with("func ") || line.starts_with("type ") {
            // In Go, imports come first; the rest of the file has none.
            return;
        }
    }
}
