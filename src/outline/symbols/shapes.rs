//! Definitions that no keyword marks, known by the shape of their line.

use super::leading_word;
use crate::outline::language::Language;

/// Words that start a statement which looks like a definition.
const STATEMENTS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "else",
    "do",
    "try",
    "new",
    "throw",
    "throws",
    "function",
    "with",
    "await",
    "yield",
    "case",
    "delete",
    "typeof",
    "goto",
    "sizeof",
    "defined",
    "using",
    "lock",
    "foreach",
    "fixed",
    "assert",
    "super",
    "this",
    "default",
    "elseif",
    "synchronized",
    "package",
    "import",
    "public:",
    "private:",
    "template",
    "operator",
    "typedef",
    "finally",
    "when",
    "in",
    "of",
];

/// The text after Go's receiver: `(r *T) Name(…)`.
pub(super) fn go_method(text: &str) -> Option<&str> {
    text.split_once(')').map(|(_, rest)| rest.trim_ascii_start()).filter(|rest| !leading_word(rest).is_empty())
}

/// `const name = …`, `exports.name = …`, `A.prototype.name = …`, `name: function`, `name = (…) =>`.
pub(super) fn script_assignment(line: &str, indent: usize) -> Option<&str> {
    let exported = line.strip_prefix("export ").unwrap_or(line);
    let declared = ["const ", "let ", "var "].iter().find_map(|word| exported.strip_prefix(word));
    if let Some(rest) = declared {
        let rest = rest.trim_ascii_start();
        let rest = rest.strip_prefix("enum ").unwrap_or(rest);
        let name = leading_word(rest);
        let value = rest[name.len()..].split_once('=').map_or("", |(_, value)| value.trim_ascii());
        let callable = value.contains("=>") || value.starts_with("function") || value.starts_with("async ");
        return (!name.is_empty() && (indent == 0 || callable)).then_some(name);
    }
    let (left, value) = line.split_once('=').or_else(|| line.split_once(':'))?;
    let value = value.trim_ascii();
    let callable =
        value.starts_with("function") || value.starts_with("async ") || value.starts_with('(') && value.contains("=>");
    let assigned = left.starts_with("exports.") || left.starts_with("module.exports.") || left.contains(".prototype.");
    if !callable && !assigned || value.starts_with('=') {
        return None;
    }
    let name = left.trim_ascii().rsplit(['.', ' ']).next()?;
    (!name.is_empty() && leading_word(name).len() == name.len()).then_some(name)
}

/// `async name(…) {` inside a class or an object.
pub(super) fn script_method(line: &str, indent: usize) -> Option<&str> {
    const MODIFIERS: [&str; 11] = [
        "async",
        "static",
        "get",
        "set",
        "public",
        "private",
        "protected",
        "readonly",
        "override",
        "abstract",
        "declare",
    ];
    if indent == 0 {
        return None;
    }
    let mut rest = line.trim_start_matches(['*', '#']);
    loop {
        let word = leading_word(rest);
        let after = &rest[word.len()..];
        if MODIFIERS.contains(&word) && after.starts_with(' ') {
            rest = after.trim_ascii_start().trim_start_matches(['*', '#']);
            continue;
        }
        let opens = line.trim_ascii_end().ends_with('{') || after == "(" && indent <= 4;
        let called = after.starts_with('(') || after.starts_with('<');
        // A call with a callback ends in `{` as well, but holds an arrow or the word function.
        let callback = after.contains("=> {") || after.contains("function");
        let plain = !word.is_empty() && !STATEMENTS.contains(&word) && called && opens && !callback;
        return plain.then_some(word);
    }
}

/// `public static <T> Map<K, V> name(…) {`: a type, a name, a parenthesis; neither a call nor an assignment.
pub(super) fn member_function(line: &str) -> Option<&str> {
    let (before, after) = line.split_once('(')?;
    let end = after.trim_ascii_end();
    let opens = end.ends_with(['{', ',', '('])
        || end.is_empty()
        || end.ends_with(')')
        || end.contains(") throws ")
        || end.contains("=>");
    let declares = end.ends_with(';');
    let before = before.trim_ascii_end();
    let name_at = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$').len();
    let name = &before[name_at..];
    let head = before[..name_at].trim_ascii();
    let first = leading_word(head);
    let modified = matches!(
        first,
        "public" | "private" | "protected" | "internal" | "static" | "abstract" | "override" | "virtual"
    );
    let is_type = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '<' | '>' | ',' | '[' | ']' | '_' | '.' | '?' | '@' | '&' | '\t')
    };
    let plain = !name.is_empty()
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !head.is_empty()
        && head.chars().all(is_type)
        && !head.ends_with('.')
        && !STATEMENTS.contains(&first)
        && !STATEMENTS.contains(&name);
    (plain && (opens && (modified || end.ends_with('{')) || declares && (modified || !head.contains(['.', '@']))))
        .then_some(name)
}

/// `#define NAME`.
pub(super) fn definition_macro(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_ascii_start().strip_prefix("define")?;
    let name = leading_word(rest.trim_ascii_start());
    (rest.starts_with([' ', '\t']) && !name.is_empty()).then_some(name)
}

/// A function's definition: `static int name(…) {`, `Type Class::name(…)`, or its name at the start of the line.
pub(super) fn c_function(line: &str, indent: usize, language: Language) -> Option<&str> {
    if let Some(alias) = line.strip_prefix("using ") {
        let name = leading_word(alias);
        return (language == Language::Cpp && alias[name.len()..].trim_ascii_start().starts_with('=')).then_some(name);
    }
    if let Some(end) = line.strip_prefix("} ").filter(|_| indent == 0) {
        // `} Name;` closes a typedef.
        let name = leading_word(end);
        return (end[name.len()..].trim_ascii_end() == ";" && !name.is_empty()).then_some(name);
    }
    let (before, after) = line.split_once('(')?;
    let end = after.trim_ascii_end();
    if before.contains(['=', '"', '#', '+', '/', '!', '|', '?', '.'])
        || end.ends_with(';') && !(language == Language::Cpp && indent > 0)
    {
        return None;
    }
    let opens = end.ends_with(['{', ',', '}'])
        || end.ends_with(')')
        || end.ends_with("const")
        || end.ends_with("override")
        || end.is_empty();
    let before = before.trim_ascii_end();
    let name_at = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '~').len();
    let name = before[name_at..].trim_start_matches('~');
    let head = before[..name_at].trim_ascii();
    let first = leading_word(head);
    if name.is_empty()
        || STATEMENTS.contains(&name)
        || STATEMENTS.contains(&first)
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let typed = !first.is_empty()
        && (head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '&' | '>' | ':' | '_')));
    if indent == 0 {
        let macro_call =
            head.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        return (opens && !macro_call && (typed || head.is_empty())).then_some(name);
    }
    // Inside a class: a member with a type before it; calls have none.
    let declares = end.ends_with(';')
        && (end.starts_with(')')
            || end.contains(" const;")
            || end.contains(") noexcept")
            || end.contains("= 0;")
            || end.contains("override;"));
    (language == Language::Cpp
        && typed
        && !head.ends_with("->")
        && (end.ends_with('{') || !head.ends_with(':') && (end.ends_with('}') || declares)))
        .then_some(name)
}
