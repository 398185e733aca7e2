//! Names that a file defines, found line by line.

pub(crate) mod shapes;

#[cfg(test)]
mod tests;

use super::lines::lines_of;
use crate::leb128;
use crate::outline::language::Language;

/// Maximum number of definitions; files with more are generated.
const MOST: usize = 5_000;
/// Initial capacity for definitions, and for one name. It is enough for most files, so that buffers rarely grow.
const USUAL: usize = 64;
const USUAL_NAME: usize = 16;
/// Maximum length of a line; longer lines are minified or data.
const LONGEST_LINE: usize = 1_000;

/// A name that a file defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Name as written.
    pub name: &'a str,
    /// 1-based line number.
    pub line: u32,
}

/// Names that a file defines, in source order. A large project has millions, so they are stored in a compact form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// All names, concatenated.
    names: Box<str>,
    /// Length of each name, and the number of lines since the one before it.
    numbers: Box<[u8]>,
}

impl Symbols {
    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns true if there are no symbols.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Each name with its line.
    pub fn iter(&self) -> impl Iterator<Item = Symbol<'_>> {
        let (mut names, mut numbers, mut line) = (&*self.names, &*self.numbers, 0_u32);
        std::iter::from_fn(move || {
            let (name, rest) = names.split_at_checked(leb128::take(&mut numbers)? as usize)?;
            line = line.wrapping_add(leb128::take(&mut numbers)? as u32);
            names = rest;
            Some(Symbol { name, line })
        })
    }
}

impl<'a> FromIterator<Symbol<'a>> for Symbols {
    fn from_iter<I: IntoIterator<Item = Symbol<'a>>>(symbols: I) -> Self {
        let symbols = symbols.into_iter();
        let few = symbols.size_hint().0;
        let (mut names, mut numbers) = (String::with_capacity(few * USUAL_NAME), Vec::with_capacity(few * 2));
        let mut before = 0_u32;
        for symbol in symbols {
            names.push_str(symbol.name);
            leb128::put(&mut numbers, symbol.name.len() as u64);
            leb128::put(&mut numbers, u64::from(symbol.line.wrapping_sub(before)));
            before = symbol.line;
        }
        Self { names: names.into(), numbers: numbers.into() }
    }
}

/// Definitions that are recognizable in a single line.
pub(crate) struct SymbolSyntax {
    pub(crate) words: DefinitionWords,
    /// Prefixes of comment lines.
    pub(crate) line_comments: &'static [&'static str],
    /// Delimiters of multi-line comments and docstrings.
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// Name that a line, given without its indentation, defines without a keyword.
    pub(crate) by_shape: Option<fn(&str, usize) -> Option<&str>>,
    /// Prefixes of lines that open a group of definitions, closed by `)`.
    pub(crate) groups: &'static [&'static str],
}

impl SymbolSyntax {
    /// For languages with `//` and `/* … */`.
    pub(crate) const fn c_like(words: DefinitionWords) -> Self {
        Self { words, line_comments: &["//", "/*", "*"], block_comments: &[("/*", "*/")], by_shape: None, groups: &[] }
    }

    /// For languages with `#`.
    pub(crate) const fn hashed(words: DefinitionWords) -> Self {
        Self { words, line_comments: &["#"], block_comments: &[], by_shape: None, groups: &[] }
    }
}

/// The words that a language puts before the name in a definition.
pub(crate) struct DefinitionWords {
    /// Words that may precede the keyword.
    modifiers: &'static [&'static str],
    /// Keywords that precede the name.
    keywords: &'static [&'static str],
    /// True if the name may be qualified (`self.name`, `a.b.name`); only its last part is recorded.
    qualified: bool,
    /// First letters of these words as a bit set. Most lines begin with a different letter, so they are skipped
    /// quickly.
    first_letters: u128,
}

impl DefinitionWords {
    pub(crate) const fn new(modifiers: &'static [&'static str], keywords: &'static [&'static str]) -> Self {
        let first_letters = first_letters(modifiers) | first_letters(keywords);
        Self { modifiers, keywords, qualified: false, first_letters }
    }

    pub(crate) const fn qualified(self) -> Self {
        Self { qualified: true, ..self }
    }

    /// Returns true if a line with this first letter can begin with one of the words.
    fn may_begin_with(&self, first: u8) -> bool {
        first < 128 && self.first_letters >> first & 1 == 1
    }
}

const fn first_letters(words: &[&str]) -> u128 {
    let (mut bits, mut at) = (0, 0);
    while at < words.len() {
        bits |= 1 << words[at].as_bytes()[0];
        at += 1;
    }
    bits
}

/// Functions, methods, types, constants, macros and modules that `text` defines; at most 5,000, in source order.
pub fn symbols(language: Language, text: &str) -> Symbols {
    let Some(syntax) = language.spec().symbols else { return Symbols::default() };
    let mut found = Vec::with_capacity(USUAL);
    let mut comment: Option<&'static str> = None;
    let mut in_group = false;
    for (number, line) in (1_u32..).zip(lines_of(text)) {
        if let Some(end) = comment {
            if line.contains(end) {
                comment = None;
            }
            continue;
        }
        let trimmed = line.trim_ascii_start();
        let Some(&first) = trimmed.as_bytes().first() else { continue };
        if let Some(end) = opened_comment(syntax, first, trimmed) {
            comment = Some(end);
            continue;
        }
        if begins_with_any(syntax.line_comments, first, trimmed) || line.len() > LONGEST_LINE {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let name = if in_group {
            in_group = first != b')';
            (indent == 1 || line.starts_with("    ") && indent == 4).then(|| grouped_name(trimmed)).flatten()
        } else {
            in_group = indent == 0 && syntax.groups.iter().any(|start| trimmed.starts_with(start));
            let words = &syntax.words;
            let keyword = if words.may_begin_with(first) { by_keyword(words, trimmed) } else { None };
            keyword.or_else(|| syntax.by_shape.and_then(|by_shape| by_shape(trimmed, indent)))
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

/// End delimiter of the comment or docstring that this line opens and does not close.
fn opened_comment(syntax: &SymbolSyntax, first: u8, line: &str) -> Option<&'static str> {
    syntax
        .block_comments
        .iter()
        .filter(|(start, _)| start.as_bytes()[0] == first)
        .find_map(|(start, end)| line.strip_prefix(start).filter(|rest| !rest.contains(end)).map(|_| *end))
}

fn begins_with_any(starts: &[&str], first: u8, line: &str) -> bool {
    starts.iter().any(|start| start.as_bytes()[0] == first && line.starts_with(start))
}

/// `pub async fn name`: any number of modifiers, a keyword, the name.
fn by_keyword<'a>(words: &DefinitionWords, line: &'a str) -> Option<&'a str> {
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
            let named = if named.starts_with('(') { after_receiver(named)? } else { named };
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

/// The text after Go's receiver: `(r *T) Name(…)`.
fn after_receiver(text: &str) -> Option<&str> {
    text.split_once(')').map(|(_, rest)| rest.trim_ascii_start()).filter(|rest| !leading_word(rest).is_empty())
}

/// The name, or the last part of a qualified one such as `self.name` or `a.b.Name`.
fn qualified<'a>(words: &DefinitionWords, text: &'a str) -> Option<&'a str> {
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

/// Rest of a modifier: `pub(crate) …`, `extern "C" …`.
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

/// `NAME = …` or `NAME: type = …`, not a comparison.
pub(crate) fn assigned(line: &str) -> Option<&str> {
    let name = leading_word(line);
    let after = line[name.len()..].trim_ascii_start();
    let plain = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=~");
    let typed = after.starts_with(": ") && after.contains(" = ");
    (!name.is_empty() && (plain || typed)).then_some(name)
}

/// Name in a block of constants, variables or types, if the line is an entry and not part of a value.
fn grouped_name(line: &str) -> Option<&str> {
    let name = leading_word(line);
    let after = &line[name.len()..];
    (!name.is_empty() && name != "_" && (after.is_empty() || after.starts_with([' ', '\t', ',']))).then_some(name)
}

/// The name at the start of `text`; empty if there is none.
pub(crate) fn leading_word(text: &str) -> &str {
    let ascii = text.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'));
    match ascii {
        None => return text,
        Some(end) if text.as_bytes()[end].is_ascii() => return &text[..end],
        Some(_) => {}
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
    &text[..end]
}
