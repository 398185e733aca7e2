//! The names that a file defines, found line by line.

mod shapes;
mod words;

#[cfg(test)]
mod tests;

use super::lines::lines_of;
use crate::outline::language::Language;
use shapes::{c_function, definition_macro, go_method, member_function, script_assignment, script_method};
use words::{Words, words};

/// More definitions than this come from a generator.
const MOST: usize = 5_000;
/// Room for the definitions of most files, and for the name of one: growing takes longer than writing them.
const USUAL: usize = 64;
const USUAL_NAME: usize = 16;
/// A longer line is minified or data.
const LONGEST_LINE: usize = 1_000;

/// A name that a file defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The name.
    pub name: &'a str,
    /// Its line, from 1.
    pub line: u32,
}

/// The names that a file defines, in the order of the text. A large project has a million, so they are kept in one piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// One after the other.
    names: Box<str>,
    /// Where each ends, and its line.
    ends: Box<[(u32, u32)]>,
}

impl Symbols {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Each with its line.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Symbol<'_>> + ExactSizeIterator {
        (0..self.ends.len()).map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
            let (end, line) = self.ends[at];
            Symbol { name: &self.names[start as usize..end as usize], line }
        })
    }
}

impl<'a> FromIterator<Symbol<'a>> for Symbols {
    fn from_iter<I: IntoIterator<Item = Symbol<'a>>>(symbols: I) -> Self {
        let symbols = symbols.into_iter();
        let few = symbols.size_hint().0;
        let (mut names, mut ends) = (String::with_capacity(few * USUAL_NAME), Vec::with_capacity(few));
        for symbol in symbols {
            names.push_str(symbol.name);
            ends.push((names.len() as u32, symbol.line));
        }
        Self { names: names.into(), ends: ends.into() }
    }
}

/// What `text` defines: functions, methods, types, constants, macros, modules; at most 5,000, in the order of the text.
pub fn symbols(language: Language, text: &str) -> Symbols {
    let words = words(language);
    let mut found = Vec::with_capacity(USUAL);
    let mut comment: Option<&'static str> = None;
    let mut in_go_block = false;
    for (number, line) in (1_u32..).zip(lines_of(text)) {
        if let Some(end) = comment {
            if line.contains(end) {
                comment = None;
            }
            continue;
        }
        let trimmed = line.trim_ascii_start();
        let Some(&first) = trimmed.as_bytes().first() else { continue };
        if let Some(end) = opens_comment(language, first, trimmed) {
            comment = Some(end);
            continue;
        }
        if is_comment(language, first, trimmed) || line.len() > LONGEST_LINE {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let name = if language == Language::Go && in_go_block {
            in_go_block = first != b')';
            (indent == 1 || line.starts_with("    ") && indent == 4).then(|| go_block_name(trimmed)).flatten()
        } else {
            in_go_block = language == Language::Go && indent == 0 && opens_go_block(trimmed);
            let keyword = if words.begin_with(first) { by_keyword(words, trimmed) } else { None };
            keyword.or_else(|| by_shape(language, trimmed, indent))
        };
        if let Some(name) = name.filter(|name| name.len() <= 200) {
            found.push(Symbol { name, line: number });
            if found.len() >= MOST {
                break;
            }
        }
    }
    found.into_iter().collect()
}

/// What ends the comment or docstring that this line opens and does not close.
fn opens_comment(language: Language, first: u8, line: &str) -> Option<&'static str> {
    if !matches!(first, b'"' | b'\'' | b'r' | b'=' | b'-' | b'/' | b'<') {
        return None;
    }
    let open =
        |start: &str, end: &'static str| line.strip_prefix(start).filter(|rest| !rest.contains(end)).map(|_| end);
    match language {
        Language::Python => {
            open("\"\"\"", "\"\"\"").or_else(|| open("'''", "'''")).or_else(|| open("r\"\"\"", "\"\"\""))
        }
        Language::Ruby => open("=begin", "=end"),
        Language::Lua => open("--[[", "]]"),
        Language::Shell => None,
        Language::Vue | Language::Svelte => open("/*", "*/").or_else(|| open("<!--", "-->")),
        _ => open("/*", "*/"),
    }
}

fn is_comment(language: Language, first: u8, line: &str) -> bool {
    match language {
        Language::Python | Language::Ruby | Language::Shell => first == b'#',
        Language::Lua => line.starts_with("--"),
        Language::C | Language::Cpp => line.starts_with("//") || line.starts_with("* "),
        Language::Php => line.starts_with("//") || first == b'*' || line.starts_with("# "),
        _ => line.starts_with("//") || line.starts_with("/*") || first == b'*',
    }
}

/// `pub async fn name`: any number of modifiers, a keyword, the name.
fn by_keyword<'a>(words: &Words, line: &'a str) -> Option<&'a str> {
    let mut rest = line;
    for _ in 0..8 {
        let word = leading_word(rest);
        if word.is_empty() {
            return None;
        }
        let after = &rest[word.len()..];
        if words.keywords.contains(&word) && after.starts_with([' ', '\t', '!', '*', '(', '<']) {
            let named = after.trim_start_matches([' ', '\t', '!', '*']);
            // Go's `func (r *T) Name`, Kotlin's `fun <T> name`, `enum class Name`.
            let named = if named.starts_with('(') { go_method(named)? } else { named };
            let named = skip_generics(named);
            let name = leading_word(named);
            if words.keywords.contains(&name) || words.modifiers.contains(&name) {
                rest = named;
                continue;
            }
            return qualified(words, named).filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
        }
        if !words.modifiers.contains(&word) {
            return None;
        }
        rest = skip_argument(after.trim_ascii_start());
    }
    None
}

/// The name, or the last part of a qualified one such as `self.name` or `a.b.Name`.
fn qualified<'a>(words: &Words, text: &'a str) -> Option<&'a str> {
    let mut name = leading_word(text);
    let mut rest = skip_generics(&text[name.len()..]);
    while words.qualified
        && let Some(after) = rest.strip_prefix("::").or_else(|| rest.strip_prefix(['.', ':']))
    {
        let next = leading_word(after);
        if next.is_empty() {
            break;
        }
        name = next;
        rest = &after[next.len()..];
    }
    (!name.is_empty()).then_some(name)
}

/// `pub(crate) …`, `extern "C" …`: what belongs to the modifier before.
fn skip_argument(text: &str) -> &str {
    if let Some(inner) = text.strip_prefix('(') {
        return inner.split_once(')').map_or("", |(_, rest)| rest.trim_ascii_start());
    }
    if let Some(inner) = text.strip_prefix('"') {
        return inner.split_once('"').map_or("", |(_, rest)| rest.trim_ascii_start());
    }
    text
}

fn skip_generics(text: &str) -> &str {
    if !text.starts_with('<') {
        return text;
    }
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text[at + 1..].trim_ascii_start();
        }
    }
    ""
}

/// Definitions that no keyword marks.
fn by_shape(language: Language, line: &str, indent: usize) -> Option<&str> {
    match language {
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Vue | Language::Svelte => {
            script_assignment(line, indent).or_else(|| script_method(line, indent))
        }
        Language::Java | Language::CSharp => member_function(line),
        Language::C | Language::Cpp => definition_macro(line).or_else(|| c_function(line, indent, language)),
        Language::Python => (indent == 0).then(|| assigned(line)).flatten(),
        Language::Ruby => assigned(line).filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase())),
        Language::Shell => {
            let name = leading_word(line);
            let after = line[name.len()..].trim_ascii_start();
            (!name.is_empty() && after.starts_with("()")).then_some(name)
        }
        Language::Lua => assigned(line).filter(|_| line.contains("function")),
        _ => None,
    }
}

/// `NAME = …` or `NAME: type = …`, not a comparison.
fn assigned(line: &str) -> Option<&str> {
    let name = leading_word(line);
    let after = line[name.len()..].trim_ascii_start();
    let plain = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=~");
    let typed = after.starts_with(": ") && after.contains(" = ");
    (!name.is_empty() && (plain || typed)).then_some(name)
}

fn opens_go_block(line: &str) -> bool {
    ["const (", "var (", "type ("].iter().any(|start| line.starts_with(start))
}

/// A name in a block of constants, variables or types: an entry, not part of a value.
fn go_block_name(line: &str) -> Option<&str> {
    let name = leading_word(line);
    let after = &line[name.len()..];
    (!name.is_empty() && name != "_" && (after.is_empty() || after.starts_with([' ', '\t', ',']))).then_some(name)
}

/// The name that `text` starts with; empty when it starts with none.
fn leading_word(text: &str) -> &str {
    let ascii = text.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'));
    match ascii {
        None => return text,
        Some(end) if text.as_bytes()[end].is_ascii() => return &text[..end],
        Some(_) => {}
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
    &text[..end]
}
