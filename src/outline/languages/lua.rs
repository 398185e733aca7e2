//! Lua.

use super::Language;
use super::spec::{DASHES, LanguageSpec, TestNaming};
use crate::outline::graph::tree::FileTree;
use crate::outline::imports::{Import, ImportList, is_word, quoted};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax, assigned};

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    interpreters: &["lua", "luajit"],
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| {
        let found = resolver.remembered(Language::Lua, &import.spec, module_files).to_vec();
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
    ..LanguageSpec::code("lua", "lua", DASHES, &["lua"])
};

fn imports(text: &str, found: &mut ImportList) {
    let mut from = 0;
    while let Some(at) = text[from..].find("require").map(|at| from + at) {
        if found.full() {
            return;
        }
        from = at + "require".len();
        // A line can be megabytes long; a comment sign that far away is of no interest.
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

/// Every file that a Lua module name can mean.
fn module_files(tree: &FileTree<'_>, module: &str) -> Vec<u32> {
    let path = module.replace('.', "/");
    let mut found = tree.ending_in(&format!("{path}.lua"));
    found.extend(tree.ending_in(&format!("{path}/init.lua")));
    found
}
