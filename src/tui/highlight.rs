//! Syntax highlighting as roles, so that the theme decides the colours.

use std::sync::OnceLock;

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use super::pane::Piece;
use super::theme::Role;

/// Maximum sizes of texts and lines; larger ones are not highlighted, because that would take too long.
const MOST_BYTES: usize = 400_000;
const LONGEST_LINE: usize = 2_000;

fn syntaxes() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(SyntaxSet::load_defaults_newlines)
}

/// The lines of a text as pieces with roles.
pub fn lines(text: &str, path: &str, most: usize) -> Vec<Vec<Piece>> {
    let syntax = if text.len() > MOST_BYTES { None } else { syntax_for(path) };
    let Some(syntax) = syntax else {
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
    // The bundled grammars do not include TypeScript; that of JavaScript is close enough.
    let extension = match extension {
        "ts" | "tsx" | "jsx" | "mjs" | "cjs" => "js",
        "pyi" => "py",
        "kt" | "kts" => "java",
        other => other,
    };
    let set = syntaxes();
    set.find_syntax_by_extension(name)
        .or_else(|| set.find_syntax_by_extension(extension))
        .filter(|found| found.name != "Plain Text")
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
