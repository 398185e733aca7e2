//! Protocol Buffers.

use super::Language;
use super::spec::{LanguageSpec, OutlineReader, SLASHES};
use crate::outline::definitions::DefinitionKind::{Function, Implementation, Type};
use crate::outline::graph::FileTree;
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, quoted};
use crate::outline::readers::declarations::{self, DeclarationSyntax};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::LexicalSyntax;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| {
        let found = resolver.cached(Language::Proto, &import.spec, FileTree::ending_in).to_vec();
        targets.extend(resolver.tree.nearest(from, &found));
    }),
    symbols: Some(&SymbolSyntax::c_like(DefinitionWords::new(&[], &["message", "enum", "service", "rpc"]))),
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        declarations: DeclarationSyntax {
            kinds: &[
                ("message", Type),
                ("enum", Type),
                ("service", Type),
                ("rpc", Function),
                ("extend", Implementation),
            ],
            dotted_names: true,
            semicolons: true,
            field_tables: true,
            ..DeclarationSyntax::NONE
        },
        ..TokenSyntax::new(LexicalSyntax::C_LIKE, declarations::read)
    })),
    ..LanguageSpec::code("protobuf", "protobuf", SLASHES, &["proto"])
};

/// `import public "a/b.proto";`
fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::curly(text) {
        let Some(rest) = after_word(line, "import") else { continue };
        let rest = after_word(rest, "public").or_else(|| after_word(rest, "weak")).unwrap_or(rest);
        found.add(Import::bare(quoted(rest).unwrap_or_default()));
    }
}
