//! Finds `import a.b` and `from .a import (b, c)` outside docstrings.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use crate::outline::imports::{CodeLines, Import, ImportList, after_word, listed_names, until};

static IMPORT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("import"));
static TRIPLE_QUOTES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(["\"\"\"", "'''"]).ok());

pub(super) fn scan(text: &str, found: &mut ImportList) {
    let strings = long_strings(text);
    let mut string = strings.iter().peekable();
    let mut lines = CodeLines::plain(text);
    // Every import has its keyword on its first line, so all other lines are skipped.
    while let Some((start, indent, line)) = lines.next_with(&IMPORT) {
        if !matches!(line.as_bytes().first(), Some(b'i' | b'f')) {
            continue;
        }
        if found.full() {
            return;
        }
        while string.next_if(|(_, end)| *end <= start).is_some() {}
        if string.peek().is_some_and(|(begin, _)| *begin < start) {
            continue;
        }
        if let Some(rest) = after_word(line, "import") {
            for module in code(rest).split(',') {
                let module = module.split(" as ").next().unwrap_or_default().trim();
                if is_module(module) {
                    found.add(Import::bare(module));
                }
            }
        } else if let Some(rest) = after_word(line, "from") {
            let Some((module, names)) = rest.split_once("import") else { continue };
            let module = module.trim().replace(' ', "");
            if !is_module(&module) {
                continue;
            }
            let names = names.trim();
            let listed = if names.starts_with('(') {
                let from = start + indent + line.len() - line.split_once('(').map_or(0, |(_, rest)| rest.len());
                let Some(list) = until(text, from, ')') else {
                    found.miss();
                    continue;
                };
                lines.skip_to(from + list.len());
                list.lines().map(code).collect::<Vec<_>>().join(" ")
            } else if names.ends_with('\\') {
                continued(text, start + indent + line.len() - names.len(), &mut lines)
            } else {
                code(names).to_owned()
            };
            found.add(Import { spec: module, names: listed_names(&listed, &[" as "]) });
        }
    }
}

/// The text from `from` on, including each line that follows a backslash at the end of a line.
fn continued(text: &str, from: usize, lines: &mut CodeLines<'_>) -> String {
    let mut joined = String::new();
    let mut end = from;
    for line in text[from..].split_inclusive('\n').take(50) {
        end += line.len();
        let line = line.trim();
        let more = line.strip_suffix('\\');
        joined.push_str(more.unwrap_or(line));
        joined.push(' ');
        if more.is_none() {
            break;
        }
    }
    lines.skip_to(end.saturating_sub(1));
    joined
}

fn code(line: &str) -> &str {
    line.split(['#', ';']).next().unwrap_or_default()
}

fn is_module(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// Ranges of the text inside triple quotes.
fn long_strings(text: &str) -> Vec<(usize, usize)> {
    let Some(quotes) = TRIPLE_QUOTES.as_ref() else { return Vec::new() };
    let mut ranges = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for quote in quotes.find_iter(text) {
        match open {
            None => open = Some((quote.start(), quote.pattern().as_usize())),
            Some((begin, kind)) if kind == quote.pattern().as_usize() => {
                ranges.push((begin, quote.end()));
                open = None;
            }
            Some(_) => {}
        }
    }
    ranges
}
