//! Definitions without a keyword, recognized by the form of their line, in languages with similar syntax.

use super::leading_word;

/// Words that start a statement that looks like a definition.
pub(crate) const STATEMENTS: &[&str] = &[
    "if", "for", "while", "switch", "catch", "return", "else", "do", "try", "new", "throw", "throws", "function",
    "with", "await", "yield", "case", "delete", "typeof", "goto", "sizeof", "defined", "using", "lock", "foreach",
    "fixed", "assert", "super", "this", "default", "elseif", "synchronized", "package", "import", "public:",
    "private:", "template", "operator", "typedef", "finally", "when", "in", "of",
];

/// `public static <T> Map<K, V> name(…) {`: a type, a name, a parenthesis; neither a call nor an assignment.
pub(crate) fn member_function(line: &str) -> Option<&str> {
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
