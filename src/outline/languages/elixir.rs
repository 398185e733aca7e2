//! Elixir.

use super::Language;
use super::spec::{HASH, LanguageSpec, OutlineReader, TestNaming};
use crate::outline::definitions::DefinitionKind::{Function, Implementation, Macro, Module, Type};
use crate::outline::graph::tree::FileTree;
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, dotted, listed_names};
use crate::outline::readers::declarations::{self, DeclarationSyntax};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax, is_word};
use crate::outline::tokens::strings::{Interpolation, escaped_end};
use crate::outline::tokens::token::TokenKind;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["heex"],
    interpreters: &["elixir"],
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| {
        let found = resolver.cached(Language::Elixir, &import.spec, module_files).to_vec();
        targets.extend(resolver.tree.nearest(from, &found));
    }),
    symbols: Some(&SymbolSyntax {
        block_comments: &[
            ("@doc \"\"\"", "\"\"\""),
            ("@moduledoc \"\"\"", "\"\"\""),
            ("@doc ~S\"\"\"", "\"\"\""),
            ("@moduledoc ~S\"\"\"", "\"\"\""),
        ],
        ..SymbolSyntax::hashed(
            DefinitionWords::new(
                &[],
                &[
                    "def", "defp", "defmacro", "defmacrop", "defmodule", "defprotocol", "defimpl", "defguard",
                    "defdelegate",
                ],
            )
            .qualified(),
        )
    }),
    tests: TestNaming {
        family: Some(Language::Elixir),
        suffixes: &["_test"],
        support: &["test_helper"],
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax {
        declarations: DeclarationSyntax {
            kinds: &[
                ("defmodule", Module),
                ("describe", Module),
                ("defprotocol", Type),
                ("defimpl", Implementation),
                ("def", Function),
                ("defp", Function),
                ("defdelegate", Function),
                ("test", Function),
                ("defmacro", Macro),
                ("defmacrop", Macro),
                ("defguard", Macro),
                ("defguardp", Macro),
            ],
            dotted_names: true,
            line_annotations: &["doc", "spec", "impl", "deprecated", "since", "tag"],
            ..DeclarationSyntax::NONE
        },
        ..TokenSyntax::new(
            LexicalSyntax { line_comment: b"#", block_comments: false, text_end, ..LexicalSyntax::C_LIKE },
            declarations::read,
        )
    })),
    ..LanguageSpec::code("elixir", "elixir", HASH, &["ex", "exs"])
};

const INTERPOLATION: Interpolation = Interpolation { hole: *b"#{", quotes: b"\"", long_escapes: true };

/// Strings, sigils and atoms. Words that open and close a block become brackets.
fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    let (bytes, at) = (lexer.bytes, lexer.at);
    let next = bytes.get(at + 1).copied().unwrap_or_default();
    let end = match bytes[at] {
        b'"' | b'\'' => INTERPOLATION.end(bytes, at),
        b'~' if next.is_ascii_alphabetic() => {
            let open = lexer.word_end(at + 1);
            match *bytes.get(open)? {
                quote @ (b'"' | b'\'') if bytes[open..].starts_with(&[quote; 3]) => INTERPOLATION.end(bytes, open),
                b'(' => escaped_end(bytes, open + 1, b')', true),
                b'[' => escaped_end(bytes, open + 1, b']', true),
                b'{' => escaped_end(bytes, open + 1, b'}', true),
                b'<' => escaped_end(bytes, open + 1, b'>', true),
                mark => escaped_end(bytes, open + 1, mark, true),
            }
        }
        b'?' if next == b'\\' => at + 3,
        b'?' if !next.is_ascii_whitespace() => at + 1 + lexer.text.get(at + 1..)?.chars().next()?.len_utf8(),
        b':' if next == b'"' => INTERPOLATION.end(bytes, at + 1),
        b':' if is_word(next) && (at == 0 || bytes[at - 1] != b':') => lexer.word_end(at + 1),
        byte if is_word(byte) && !byte.is_ascii_digit() => return Some(word(lexer)),
        _ => return None,
    };
    Some((TokenKind::Text, end))
}

/// A name, which may end with `?` or `!`; `do` and `fn` open a block unless they are keys.
fn word(lexer: &Lexer<'_>) -> (TokenKind, usize) {
    let end = lexer.word_end(lexer.at);
    let is_key = lexer.bytes.get(end) == Some(&b':') && lexer.bytes.get(end + 1) != Some(&b':');
    let is_suffix = matches!(lexer.bytes.get(end), Some(b'?' | b'!')) && lexer.bytes.get(end + 1) != Some(&b'=');
    let is_field = lexer.at > 0 && lexer.bytes[lexer.at - 1] == b'.';
    let kind = match &lexer.text[lexer.at..end] {
        "do" | "fn" if !is_key && !is_field => TokenKind::Open(b'{'),
        "end" if !is_key && !is_field => TokenKind::Close(b'}'),
        _ => TokenKind::Word,
    };
    (kind, end + usize::from(is_suffix))
}

/// `alias A.{B, C}`, `import A.B, only: …`, `use A`, `require A`
fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::plain(text) {
        if found.full() {
            return;
        }
        let rest = ["alias", "import", "use", "require"].iter().find_map(|word| after_word(line, word));
        let Some(rest) = rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) else { continue };
        let module = dotted(rest).trim_end_matches('.');
        match rest.split_once('{') {
            Some((_, list)) if list.contains('}') => {
                for name in listed_names(list.split('}').next().unwrap_or_default(), &[]) {
                    found.add(Import::bare(format!("{module}.{name}")));
                }
            }
            _ => found.add(Import::bare(module)),
        }
    }
}

/// `MyApp.Accounts.User` is in `my_app/accounts/user.ex`, or in the only file of that name.
fn module_files(tree: &FileTree<'_>, module: &str) -> Vec<u32> {
    let mut path = String::with_capacity(module.len() + 8);
    for (at, character) in module.char_indices() {
        let follows_small = module[..at].ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
        let follows_capital = module[..at].ends_with(char::is_uppercase);
        let precedes_small = module[at..].chars().nth(1).is_some_and(char::is_lowercase);
        if character.is_uppercase() && (follows_small || follows_capital && precedes_small) {
            path.push('_');
        }
        path.extend(character.to_lowercase().map(|c| if c == '.' { '/' } else { c }));
    }
    let found = tree.ending_in(&format!("{path}.ex"));
    if !found.is_empty() || !path.contains('/') {
        return found;
    }
    let named: Vec<u32> = tree.with_stem(path.rsplit('/').next().unwrap_or_default()).to_vec();
    if named.len() == 1 { named } else { Vec::new() }
}
