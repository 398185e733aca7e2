//! Syntax highlighting as roles, so that the theme decides the colours.

use std::sync::{Mutex, OnceLock, PoisonError};

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use super::pane::Piece;
use super::theme::Role;

/// Maximum sizes of a file and of a line. Anything larger is not highlighted, because that would take too long.
const MOST_BYTES: usize = 400_000;
const LONGEST_LINE: usize = 2_000;

/// Name of the grammar that colours nothing.
const PLAIN: &str = "Plain Text";

fn syntaxes() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(two_face::syntax::extra_newlines)
}

/// The colours of text of at least this many bytes are cached, because highlighting it takes longer than a frame.
const SLOW: usize = 20_000;
/// Number of entries in the cache: enough for switching between a few files, with the previous version of each.
const KEPT: usize = 8;

/// A file's text and its coloured lines.
struct ColoredText {
    path: String,
    text: String,
    lines: Vec<Vec<Piece>>,
}

/// The cache of large texts, newest last.
static LAST: Mutex<Vec<ColoredText>> = Mutex::new(Vec::new());

/// Highlights text; returns its lines as pieces with roles.
pub fn lines(text: &str, path: &str, most: usize) -> Vec<Vec<Piece>> {
    if text.len() < SLOW {
        return coloured(text, syntax_for(path), most);
    }
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = last().iter().find(|known| known.path == path && known.text == text) {
        return known.lines.iter().take(most).cloned().collect();
    }
    let lines = coloured(text, syntax_for(path), most);
    let mut last = last();
    if last.len() == KEPT {
        last.remove(0);
    }
    last.push(ColoredText { path: path.to_owned(), text: text.to_owned(), lines: lines.clone() });
    lines
}

/// Splits text into lines without colours.
pub fn plain(text: &str, most: usize) -> Vec<Vec<Piece>> {
    coloured(text, None, most)
}

/// Returns true if the text takes long to highlight and its colours are not cached.
pub fn is_slow(text: &str, path: &str) -> bool {
    let known = || LAST.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|known| known.path == path);
    text.len() >= SLOW && text.len() <= MOST_BYTES && syntax_for(path).is_some() && !known()
}

/// The roles of a line's parts with their lengths in bytes; empty for plain text.
pub type LineRoles = Vec<(Role, usize)>;

/// The roles of every line of Markdown text. Code in a fence is highlighted in the language of the fence.
pub fn fenced(text: &str) -> Vec<LineRoles> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut roles = vec![LineRoles::new(); lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let (ticks, tag) = fence(lines[at]);
        if ticks < 3 {
            at += 1;
            continue;
        }
        let ends = |line: &&str| matches!(fence(line), (count, "") if count >= ticks);
        let end = lines[at + 1..].iter().position(ends).map_or(lines.len(), |count| at + 1 + count);
        if let Some(syntax) = syntaxes().find_syntax_by_token(tag).filter(|found| found.name != PLAIN) {
            let code = lines[at + 1..end].concat();
            for (line, pieces) in roles[at + 1..end].iter_mut().zip(coloured(&code, Some(syntax), usize::MAX)) {
                *line = pieces.into_iter().map(|(role, text)| (role, text.len())).collect();
            }
        }
        at = end + 1;
    }
    roles
}

/// The number of backticks at the start of a line, and the word after them.
fn fence(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches('`');
    (line.len() - rest.len(), rest.trim())
}

fn coloured(text: &str, syntax: Option<&SyntaxReference>, most: usize) -> Vec<Vec<Piece>> {
    let Some(syntax) = syntax.filter(|_| text.len() <= MOST_BYTES) else {
        return text.lines().take(most).map(|line| vec![(Role::Text, line.to_owned())]).collect();
    };
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut given_up = false;
    text.split_inclusive('\n')
        .take(most)
        .map(|line| {
            given_up |= line.len() > LONGEST_LINE;
            let plain = || vec![(Role::Text, line.trim_end_matches(['\n', '\r']).to_owned())];
            if given_up {
                return plain();
            }
            if let Ok(changes) = state.parse_line(line, syntaxes()) {
                return pieces(line, &changes, &mut stack);
            }
            given_up = true;
            plain()
        })
        .collect()
}

fn syntax_for(path: &str) -> Option<&'static SyntaxReference> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or(name, |(_, extension)| extension);
    let extension = match extension {
        "jsx" | "mjs" | "cjs" => "js",
        "mts" | "cts" => "ts",
        "pyi" => "py",
        other => other,
    };
    let set = syntaxes();
    set.find_syntax_by_extension(name)
        .or_else(|| set.find_syntax_by_extension(extension))
        .filter(|found| found.name != PLAIN)
}

fn pieces(line: &str, changes: &[(usize, syntect::parsing::ScopeStackOp)], stack: &mut ScopeStack) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut from = 0;
    let end = line.trim_end_matches(['\n', '\r']).len();
    let mut push = |from: usize, to: usize, role: Role| {
        let to = to.min(end);
        if from >= to {
            return;
        }
        match out.last_mut() {
            Some((last, text)) if *last == role => text.push_str(&line[from..to]),
            _ => out.push((role, line[from..to].to_owned())),
        }
    };
    for (at, change) in changes {
        push(from, *at, role(stack));
        from = *at;
        if stack.apply(change).is_err() {
            break;
        }
    }
    push(from, end, role(stack));
    out
}

/// The role of the innermost scope that has one.
fn role(stack: &ScopeStack) -> Role {
    for scope in stack.as_slice().iter().rev() {
        let name = scope.build_string();
        let starts = |prefix: &str| name.starts_with(prefix);
        if starts("comment") || starts("punctuation.definition.comment") {
            return Role::Comment;
        }
        if starts("string") || starts("punctuation.definition.string") {
            return Role::Str;
        }
        if starts("constant") {
            return Role::Number;
        }
        if starts("keyword.operator") || starts("punctuation") {
            return Role::Text;
        }
        if starts("keyword") || starts("storage") {
            return Role::Keyword;
        }
        if starts("entity.name.function") || starts("support.function") || starts("variable.function") {
            return Role::Function;
        }
        if starts("entity.name")
            || starts("support.type")
            || starts("support.class")
            || starts("entity.other.inherited")
        {
            return Role::Type;
        }
        if starts("markup.heading") {
            return Role::Title;
        }
    }
    Role::Text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn code_gets_roles_and_keeps_its_text() {
        let text = "fn main() {\n    // say it\n    let x = \"hi\";\n}\n";
        let lines = lines(text, "src/main.rs", 100);
        let joined: Vec<String> =
            lines.iter().map(|line| line.iter().map(|piece| piece.1.as_str()).collect()).collect();
        assert_eq!(joined, text.lines().collect::<Vec<_>>());
        let has = |role: Role| lines.iter().flatten().any(|(known, _)| *known == role);
        assert!(has(Role::Comment) && has(Role::Str) && has(Role::Keyword));
    }

    #[test]
    fn languages_beyond_the_usual_ones_have_grammars_of_their_own() {
        for (path, text, keyword) in [
            ("a.ts", "export interface Refund { cents: number }\n", "interface"),
            ("a.tsx", "const a: Refund = { cents: 1 };\n", "const"),
            ("a.kt", "data class Refund(val cents: Long)\n", "class"),
            ("a.swift", "func refund(cents: Int) -> Bool { true }\n", "func"),
            ("Cargo.toml", "[package]\nname = \"shop\"\n", "\"shop\""),
        ] {
            let lines = lines(text, path, 10);
            let found = lines.iter().flatten().find(|(_, piece)| piece.trim() == keyword);
            assert!(found.is_some_and(|(role, _)| *role != Role::Text), "{path}: {lines:?}");
        }
    }

    #[test]
    fn code_in_fences_is_coloured_by_its_language() {
        let text = "# Title\n\n````rust\nlet a = 1;\n```\n````\n\n```\nlet b\n```\nlet c\n";
        let roles = fenced(text);
        assert_eq!(roles.len(), text.lines().count());
        let coloured: Vec<usize> = (0..roles.len()).filter(|at| !roles[*at].is_empty()).collect();
        assert_eq!(coloured, [3, 4], "the shorter fence inside is code");
        assert!(roles[3].contains(&(Role::Keyword, 3)), "{:?}", roles[3]);
        assert_eq!(roles[3].iter().map(|(_, length)| length).sum::<usize>(), "let a = 1;".len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn no_text_is_lost(text in "[a-z\"'/*#{}\\n ü]{0,200}") {
            for path in ["a.py", "a.unknown", "a.rs"] {
                let joined: Vec<String> =
                    lines(&text, path, 1000).iter().map(|line| line.iter().map(|piece| piece.1.as_str()).collect()).collect();
                prop_assert_eq!(&joined, &text.lines().map(ToOwned::to_owned).collect::<Vec<_>>());
            }
        }
    }
}
