//! Imports of a file, found line by line without parsing: fast enough for every file of a large repository.

#[cfg(test)]
mod tests;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

use crate::outline::language::Language;
use crate::outline::manifests::settings;

/// Maximum number of imports per file; further imports add no information.
const MOST: usize = 400;
/// Maximum length of an import statement; longer text is data that starts like one.
pub(crate) const LONGEST_STATEMENT: usize = 16 * 1024;

/// Maximum number of statements per file that start like an import but have no end.
const MOST_MISSES: usize = 2_000;

/// An import as written in the source.
///
/// The specification keeps its language's spelling (`crate::a`, `..pkg.mod`, `./x`, `<vector>`), with three exceptions
/// that make it resolvable without its context: Rust's `mod x;` becomes `self::x`, Ruby's `require_relative "x"`
/// becomes `./x`, and a path after a shell or PHP variable loses the variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Import {
    /// Module or path that is imported from.
    pub spec: String,
    /// Imported names, if the syntax lists them.
    pub names: Vec<String>,
}

impl Import {
    pub(crate) fn bare(spec: impl Into<String>) -> Self {
        Self { spec: spec.into(), names: Vec::new() }
    }
}

/// All imports of `text` in source order, including those inside functions; at most 400.
pub fn imports(language: Language, text: &str) -> Vec<Import> {
    let mut found = ImportList::default();
    if let Some(collect) = language.spec().imports {
        collect(text, &mut found);
    }
    found.into_imports()
}

/// Imports of a file, or the resolution settings of a manifest.
pub fn imports_of(path: &str, language: Option<Language>, text: &str) -> Vec<Import> {
    let by_language = || language.map(|language| imports(language, text)).unwrap_or_default();
    settings(path, text).unwrap_or_else(by_language)
}

/// Collects imports up to the limit.
#[derive(Default)]
pub(crate) struct ImportList {
    imports: Vec<Import>,
    misses: usize,
}

impl ImportList {
    /// The imports, without spare capacity, because a large project has millions.
    pub(crate) fn into_imports(mut self) -> Vec<Import> {
        for import in &mut self.imports {
            import.names.shrink_to_fit();
        }
        self.imports.shrink_to_fit();
        self.imports
    }

    pub(crate) fn full(&self) -> bool {
        self.imports.len() >= MOST || self.misses >= MOST_MISSES
    }

    /// Counts a statement without an end, so that the time for a file full of them stays linear.
    pub(crate) fn miss(&mut self) {
        self.misses += 1;
    }

    pub(crate) fn add(&mut self, import: Import) {
        if !self.full() && !import.spec.is_empty() {
            self.imports.push(import);
        }
    }
}

/// Lines of source text with their offsets, without block comments that start a line.
pub(crate) struct CodeLines<'a> {
    text: &'a str,
    next: usize,
    in_comment: bool,
    block_comments: bool,
}

impl<'a> CodeLines<'a> {
    /// Reads the lines of a language without `/* … */`.
    pub(crate) fn plain(text: &'a str) -> Self {
        Self { text, next: 0, in_comment: false, block_comments: false }
    }

    /// Lines of a language with `/* … */`.
    pub(crate) fn curly(text: &'a str) -> Self {
        Self { text, next: 0, in_comment: false, block_comments: true }
    }

    /// The next line that contains `word`, like [`Iterator::next`].
    pub(crate) fn next_with(&mut self, word: &Finder<'_>) -> Option<(usize, usize, &'a str)> {
        let at = self.next + word.find(self.text.as_bytes().get(self.next..)?)?;
        let before = &self.text.as_bytes()[self.next..at];
        self.next += memrchr(b'\n', before).map_or(0, |end| end + 1);
        self.next()
    }

    /// Continues with the line after the one that contains `offset`.
    pub(crate) fn skip_to(&mut self, offset: usize) {
        let offset = offset.min(self.text.len());
        if offset > self.next {
            self.next = memchr(b'\n', &self.text.as_bytes()[offset..]).map_or(self.text.len(), |at| offset + at + 1);
        }
    }
}

impl<'a> Iterator for CodeLines<'a> {
    /// Start of a line, its indentation, and the rest of it.
    type Item = (usize, usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.next >= self.text.len() {
                return None;
            }
            let start = self.next;
            let rest = &self.text[start..];
            let line = memchr(b'\n', rest.as_bytes()).map_or(rest, |at| &rest[..at]);
            self.next = start + line.len() + 1;
            if self.in_comment {
                self.in_comment = !line.contains("*/");
                continue;
            }
            let trimmed = line.trim_ascii_start();
            if self.block_comments && trimmed.starts_with("/*") {
                self.in_comment = !trimmed[2..].contains("*/");
                continue;
            }
            return Some((start, line.len() - trimmed.len(), trimmed));
        }
    }
}

/// The text from `start` up to the first `end`, unless it is too far away.
pub(crate) fn until(text: &str, start: usize, end: char) -> Option<&str> {
    let rest = &text[start..];
    let window = &rest[..rest.floor_char_boundary(LONGEST_STATEMENT)];
    window.find(end).map(|at| &window[..at])
}

/// `rest` after `word`, if `word` is the whole first word.
pub(crate) fn after_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim_ascii_start)
}

/// Content of the quotes at the start of `text`, after blanks and an opening parenthesis.
pub(crate) fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\r', '(']);
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
    let inner = &text[1..];
    let end = inner.find([quote, '\n'])?;
    inner[end..].starts_with(quote).then_some(&inner[..end])
}

/// Returns true if `byte` can be part of a name.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The name at the start of `text`; empty if there is none.
pub(crate) fn leading_name(text: &str) -> &str {
    let end = text.bytes().position(|byte| !is_word(byte)).unwrap_or(text.len());
    &text[..end]
}

/// Imported names of a list such as `a, b as c, type d`, without their aliases.
pub(crate) fn listed_names(list: &str, renames: &[&str]) -> Vec<String> {
    list.split(',')
        .filter_map(|part| {
            let part = part.trim();
            let part = part.strip_prefix("type ").unwrap_or(part);
            let name = renames.iter().find_map(|rename| part.split_once(rename)).map_or(part, |(name, _)| name).trim();
            (!name.is_empty() && name.len() <= 200 && !name.contains(char::is_whitespace)).then(|| name.to_owned())
        })
        .collect()
}

/// The dotted name at the start of `text`, including a trailing `*`.
pub(crate) fn dotted(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | '$'))).unwrap_or(text.len());
    &text[..end]
}
