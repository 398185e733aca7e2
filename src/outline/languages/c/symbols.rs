//! Definitions in C and C++ that have no keyword.

use crate::outline::symbols::leading_word;
use crate::outline::symbols::shapes::STATEMENTS;

/// The macro, type or function that a line of C defines.
pub(super) fn by_shape(line: &str, indent: usize) -> Option<&str> {
    definition_macro(line).or_else(|| function(line, indent, false))
}

/// The same for C++.
pub(in crate::outline::languages) fn cpp_by_shape(line: &str, indent: usize) -> Option<&str> {
    definition_macro(line).or_else(|| function(line, indent, true))
}

/// `#define NAME`.
fn definition_macro(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_ascii_start().strip_prefix("define")?;
    let name = leading_word(rest.trim_ascii_start());
    (rest.starts_with([' ', '\t']) && !name.is_empty()).then_some(name)
}

/// A function definition: `static int name(…) {`, `Type Class::name(…)`, or its name at the start of the line.
fn function(line: &str, indent: usize, is_cpp: bool) -> Option<&str> {
    if let Some(alias) = line.strip_prefix("using ") {
        let name = leading_word(alias);
        return (is_cpp && alias[name.len()..].trim_ascii_start().starts_with('=')).then_some(name);
    }
    if let Some(end) = line.strip_prefix("} ").filter(|_| indent == 0) {
        // `} Name;` closes a typedef.
        let name = leading_word(end);
        return (end[name.len()..].trim_ascii_end() == ";" && !name.is_empty()).then_some(name);
    }
    let (before, after) = line.split_once('(')?;
    let end = after.trim_ascii_end();
    if before.contains(['=', '"', '#', '+', '/', '!', '|', '?', '.']) || end.ends_with(';') && !(is_cpp && indent > 0) {
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
    // Inside a class, a member has a type before its name, but a call has none.
    let declares = end.ends_with(';')
        && (end.starts_with(')')
            || end.contains(" const;")
            || end.contains(") noexcept")
            || end.contains("= 0;")
            || end.contains("override;"));
    (is_cpp
        && typed
        && !head.ends_with("->")
        && (end.ends_with('{') || !head.ends_with(':') && (end.ends_with('}') || declares)))
        .then_some(name)
}
