//! POSIX shells, Bash and Zsh.

mod outline;

use super::Language;
use super::spec::{HASH, LanguageSpec, OutlineReader, TestNaming};
use crate::outline::graph::tree::by_path_or_ending;
use crate::outline::imports::{CodeLines, Import, ImportList, after_word};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax, leading_word};

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["zsh", "ksh", "ebuild"],
    file_names: &[
        ".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile",
        ".kshrc", "PKGBUILD", "APKBUILD", ".envrc",
    ],
    interpreters: &["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "bats"],
    imports: Some(imports),
    resolve: Some(|resolver, from, import, targets| {
        targets.extend(by_path_or_ending(resolver.tree, from, &import.spec));
    }),
    symbols: Some(&SymbolSyntax {
        by_shape: Some(|line, _| {
            let name = leading_word(line);
            let after = line[name.len()..].trim_ascii_start();
            (!name.is_empty() && after.starts_with("()")).then_some(name)
        }),
        ..SymbolSyntax::hashed(DefinitionWords::new(&[], &["function"]))
    }),
    tests: TestNaming {
        family: Some(Language::Shell),
        prefixes: &["test_"],
        suffixes: &["_test", ".test"],
        directory_decides: true,
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Lines(outline::read)),
    empty_body: ": ",
    ..LanguageSpec::code("shell", "bash", HASH, &["sh", "bash", "bats"])
};

fn imports(text: &str, found: &mut ImportList) {
    for (_, _, line) in CodeLines::plain(text) {
        if found.full() {
            return;
        }
        let sourced = after_word(line, "source").or_else(|| after_word(line, ".")).or_else(|| {
            let at = ["&& . ", "&& source ", "|| . ", "; . "]
                .iter()
                .find_map(|word| line.find(word).map(|at| at + word.len()));
            at.map(|at| &line[at..])
        });
        let Some(path) = sourced.filter(|_| !line.starts_with('#')) else { continue };
        if let Some(path) = literal_path(path) {
            found.add(Import::bare(path));
        }
    }
}

/// Literal end of a shell word: `"$(dirname "$0")/lib/a.sh"` is `./lib/a.sh`.
fn literal_path(word: &str) -> Option<String> {
    let after_holes = word.rfind([')', '}']).map_or(word, |at| &word[at + 1..]);
    let (holes, rest) = match word.trim_start_matches(['"', '\'']).strip_prefix('$') {
        Some(name) if after_holes.len() == word.len() => (true, name.trim_start_matches(is_name)),
        _ => (after_holes.len() < word.len(), after_holes),
    };
    let rest = rest.trim_start_matches(['"', '\'']);
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '&' | '|' | '<' | '>'))
        .unwrap_or(rest.len());
    let path = &rest[..end];
    if path.contains('$') || path.is_empty() {
        return None;
    }
    Some(if holes { format!("./{}", path.trim_start_matches('/')) } else { path.to_owned() })
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
