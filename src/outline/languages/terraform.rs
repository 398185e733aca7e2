//! HCL, as Terraform, Packer and Nomad use it.

use super::Language;
use super::spec::{HASH, LanguageSpec, OutlineReader, TestNaming};
use crate::outline::by_line::heredocs::{Heredoc, Heredocs};
use crate::outline::definitions::DefinitionKind::{Constant, Module, Type};
use crate::outline::graph::tree::{MOST_OF_A_PACKAGE, relative, split};
use crate::outline::imports::{CodeLines, Import, ImportList, after_word, quoted};
use crate::outline::readers::declarations::line_end;
use crate::outline::symbols::{DefinitionWords, SymbolSyntax};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::strings::Interpolation;
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["tfvars"],
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| {
        let here = split(resolver.tree.paths[from as usize]).0;
        let files = relative(here, &import.spec).map_or(&[][..], |directory| resolver.tree.files_in(&directory));
        let is_code = |file: &&u32| resolver.tree.languages[**file as usize] == Some(Language::Terraform);
        targets.extend(files.iter().filter(is_code).take(MOST_OF_A_PACKAGE));
    }),
    symbols: Some(&SymbolSyntax {
        line_comments: &["#", "//"],
        block_comments: &[("/*", "*/")],
        by_shape: Some(|line, indent| if indent == 0 { last_label(line) } else { None }),
        ..SymbolSyntax::hashed(DefinitionWords::new(&[], &[]))
    }),
    tests: TestNaming { suffixes: &[".tftest"], ..TestNaming::NONE },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(LexicalSyntax { text_end, ..LexicalSyntax::C_LIKE }, read))),
    ..LanguageSpec::code("terraform", "hcl", HASH, &["tf", "hcl"])
};

const MOST_LABELS: usize = 8;

/// The last label of `resource "type" "name" {`.
fn last_label(line: &str) -> Option<&str> {
    line.trim_end().strip_suffix('{')?.trim_end().strip_suffix('"')?.rsplit('"').next().filter(|name| !name.is_empty())
}

/// `source = "./modules/network"` in a module block.
fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::plain(text) {
        let value = after_word(line, "source").and_then(|rest| rest.strip_prefix('=')).and_then(quoted);
        if let Some(path) = value.filter(|path| path.starts_with("./") || path.starts_with("../")) {
            found.add(Import::bare(path));
        }
    }
}

/// Reads top-level blocks and attributes; the contents of a block are its body.
fn read(reader: &mut TokenReader<'_>) {
    let to = reader.tokens.len();
    let mut at = reader.next_code(0, to);
    while at < to {
        let (first, mut labels, mut next) = (reader.first_row(at), Vec::new(), reader.next(at, to));
        let is_label = |next: usize| matches!(reader.kind(next), TokenKind::Text | TokenKind::Word);
        while next < to && is_label(next) && reader.row(next) == reader.row(at) && labels.len() < MOST_LABELS {
            labels.push(reader.word(next).trim_matches('"'));
            next = reader.next(next, to);
        }
        if reader.opens(next, b'{') {
            let kind = match reader.word(at) {
                "module" => Module,
                "variable" | "output" | "locals" => Constant,
                _ => Type,
            };
            let name = if labels.is_empty() { reader.word(at).to_owned() } else { labels.join(".") };
            reader.define(kind, &name, first, next);
            reader.fold_body(first, next, next);
            next = reader.close(next) + 1;
        } else {
            next = line_end(reader, at, to);
            if labels.is_empty() && reader.kind(at) == TokenKind::Word {
                let last = reader.before(next, at).unwrap_or(at);
                reader.define(Constant, reader.word(at), first, last);
                reader.value(at, next, |_, _| BracketUse::Table, false);
            }
        }
        at = reader.next_code(next, to);
    }
}

/// `#` comments, strings with `${…}`, and here-documents.
fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    const INTERPOLATION: Interpolation = Interpolation { hole: *b"${", quotes: b"\"", long_escapes: true };
    let end = match lexer.bytes[lexer.at] {
        b'#' => return Some((TokenKind::Comment, lexer.line_end(lexer.at))),
        b'"' => INTERPOLATION.end(lexer.bytes, lexer.at),
        b'<' if lexer.follows(b"<<") => {
            let start = lexer.at + 2 + usize::from(lexer.bytes.get(lexer.at + 2) == Some(&b'-'));
            let name = (start, lexer.word_end(start));
            if name.1 == start || lexer.unterminated.get() {
                return None;
            }
            let line_end = lexer.line_end(lexer.at);
            let document = Heredoc { name, may_be_indented: true, end: line_end };
            let end = Heredocs::default().end(lexer.bytes, document, line_end + 1);
            lexer.unterminated.set(end.is_none());
            end?
        }
        _ => return None,
    };
    Some((TokenKind::Text, end))
}
