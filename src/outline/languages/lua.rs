//! Lua.

use super::Language;
use super::spec::{DASHES, LanguageSpec, OutlineReader, TestNaming};
use crate::outline::definitions::DefinitionKind::{Constant, Function, Method};
use crate::outline::graph::tree::FileTree;
use crate::outline::imports::{Import, ImportList, is_word, quoted};
use crate::outline::readers::declarations::line_end;
use crate::outline::symbols::{DefinitionWords, SymbolSyntax, assigned};
use crate::outline::tokens::TokenSyntax;
use crate::outline::tokens::lexer::{Lexer, LexicalSyntax};
use crate::outline::tokens::reader::TokenReader;
use crate::outline::tokens::strings::{after, quoted as quoted_text};
use crate::outline::tokens::token::TokenKind;
use crate::outline::tokens::values::BracketUse;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    interpreters: &["lua", "luajit"],
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| {
        let found = resolver.cached(Language::Lua, &import.spec, module_files).to_vec();
        targets.extend(resolver.tree.nearest(from, &found));
    }),
    symbols: Some(&SymbolSyntax {
        words: DefinitionWords::new(&["local"], &["function"]).qualified(),
        line_comments: &["--"],
        block_comments: &[("--[[", "]]")],
        by_shape: Some(|line, _| assigned(line).filter(|_| line.contains("function"))),
        groups: &[],
    }),
    tests: TestNaming {
        family: Some(Language::Lua),
        prefixes: &["test_"],
        suffixes: &["_spec", "_test"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Tokens(&TokenSyntax::new(
        LexicalSyntax {
            line_comment: b"--",
            block_comments: false,
            line_comment_end: Some(comment_end),
            text_end,
            ..LexicalSyntax::C_LIKE
        },
        read,
    ))),
    ..LanguageSpec::code("lua", "lua", DASHES, &["lua"])
};

/// End of `[[…]]` or `[==[…]==]`, if one starts here.
fn long_end(bytes: &[u8], at: usize) -> Option<usize> {
    let level = bytes.get(at + 1..)?.iter().take_while(|byte| **byte == b'=').count();
    let begins = bytes.get(at) == Some(&b'[') && bytes.get(at + 1 + level) == Some(&b'[');
    begins.then(|| after(bytes, at + 2 + level, &[&b"]"[..], &vec![b'='; level], b"]"].concat()))
}

fn comment_end(bytes: &[u8], at: usize) -> usize {
    let line_end = || memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
    long_end(bytes, at + 2).unwrap_or_else(line_end)
}

/// Strings. Words that open and close a block become brackets.
fn text_end(lexer: &Lexer<'_>) -> Option<(TokenKind, usize)> {
    if is_word(lexer.bytes[lexer.at]) {
        let end = lexer.word_end(lexer.at);
        let kind = match &lexer.text[lexer.at..end] {
            "function" | "if" | "do" | "repeat" => TokenKind::Open(b'{'),
            "end" | "until" => TokenKind::Close(b'}'),
            _ => return None,
        };
        return Some((kind, end));
    }
    Some((TokenKind::Text, long_end(lexer.bytes, lexer.at).or_else(|| quoted_text(lexer))?))
}

/// Reads top-level functions and assignments.
fn read(reader: &mut TokenReader<'_>) {
    let to = reader.tokens.len();
    let mut at = reader.next_code(0, to);
    while at < to {
        let name = if reader.is_word(at, "local") { reader.next(at, to) } else { at };
        let first = reader.first_row(at);
        let mut next = line_end(reader, at, to);
        if reader.word(name) == "function" {
            next = reader.close(name) + 1;
            let path = path_from(reader, name + 1, b'(');
            reader.define(if path.contains(':') { Method } else { Function }, path, first, name);
            fold_function(reader, name);
        } else {
            let equals = reader.seek(name, next, b'=');
            let last = reader.before(next, at).unwrap_or(at);
            if equals < next && reader.kind(name) == TokenKind::Word && !reader.joined(equals, *b"==") {
                let is_function = reader.word(reader.next(equals, next)) == "function";
                let path = path_from(reader, name, b'=');
                reader.define(if is_function { Function } else { Constant }, path, first, last);
            }
            reader.value(at, next, group, false);
        }
        at = reader.next_code(next.max(at + 1), to);
    }
}

/// Text from a token up to a punctuation mark or bracket, such as `a.b:c` in `function a.b:c(`.
fn path_from<'t>(reader: &TokenReader<'t>, from: usize, end: u8) -> &'t str {
    const LONGEST: usize = 40;
    let length = (from..).take(LONGEST).take_while(|at| !reader.opens(*at, end) && !reader.is(*at, end)).count();
    let last = (from + length).min(reader.tokens.len()).saturating_sub(1);
    let (Some(first), Some(last)) = (reader.tokens.get(from), reader.tokens.get(last)) else { return "" };
    reader.text.get(first.start as usize..last.end as usize).unwrap_or("")
}

/// Records that a skeleton can omit the body of the function that starts here.
fn fold_function(reader: &mut TokenReader<'_>, function: usize) {
    let close = reader.close(function);
    let parameters = (function + 1..close).find(|at| reader.opens(*at, b'('));
    let rows = parameters.and_then(|at| reader.between(reader.close(at), close));
    match rows {
        Some(rows) => reader.fold_rows(reader.row(function), rows),
        None => reader.functions_seen += 1,
    }
}

fn group(reader: &TokenReader<'_>, open: usize) -> BracketUse {
    match reader.word(open) {
        "function" => BracketUse::Special(fold_function),
        "{" => BracketUse::Table,
        "(" => BracketUse::Arguments,
        _ => BracketUse::Other,
    }
}

fn imports(text: &str, found: &mut ImportList) {
    let mut from = 0;
    while let Some(at) = text[from..].find("require").map(|at| from + at) {
        if found.full() {
            return;
        }
        from = at + "require".len();
        // A line can be megabytes long, so only its last 300 bytes are searched for a comment
        // marker.
        let line = &text[text.floor_char_boundary(at.saturating_sub(300))..at];
        let line = &line[line.rfind('\n').map_or(0, |newline| newline + 1)..];
        let inside_word = at.checked_sub(1).is_some_and(|before| is_word(text.as_bytes()[before]));
        if inside_word || line.trim_start().starts_with("--") {
            continue;
        }
        if let Some(module) = quoted(&text[from..]).filter(|module| !module.contains(' ')) {
            found.add(Import::bare(module));
        }
    }
}

/// Every file that a Lua module name can refer to.
fn module_files(tree: &FileTree<'_>, module: &str) -> Vec<u32> {
    let path = module.replace('.', "/");
    let mut found = tree.ending_in(&format!("{path}.lua"));
    found.extend(tree.ending_in(&format!("{path}/init.lua")));
    found
}
