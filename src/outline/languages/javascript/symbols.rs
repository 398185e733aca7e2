//! Definitions in JavaScript that have no keyword.

use crate::outline::symbols::leading_word;
use crate::outline::symbols::shapes::STATEMENTS;

/// The function, method or variable that a line defines.
pub(super) fn by_shape(line: &str, indent: usize) -> Option<&str> {
    script_assignment(line, indent).or_else(|| script_method(line, indent))
}

/// `const name = …`, `exports.name = …`, `A.prototype.name = …`, `name: function`, `name = (…) =>`.
fn script_assignment(line: &str, indent: usize) -> Option<&str> {
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
fn script_method(line: &str, indent: usize) -> Option<&str> {
    const MODIFIERS: [&str; 11] = [
        "async", "static", "get", "set", "public", "private", "protected", "readonly", "override", "abstract",
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
        // A call with a callback also ends with `{`, but contains an arrow or the word `function`.
        let callback = after.contains("=> {") || after.contains("function");
        let plain = !word.is_empty() && !STATEMENTS.contains(&word) && called && opens && !callback;
        return plain.then_some(word);
    }
}
