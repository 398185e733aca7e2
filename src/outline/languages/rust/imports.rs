//! `use` trees, `mod x;`, `extern crate`.

use crate::outline::imports::{CodeLines, Import, ImportList, LONGEST_STATEMENT, after_word, leading_name, quoted};

/// Maximum depth of nested groups.
const DEEPEST: usize = 32;

pub(super) fn scan(text: &str, found: &mut ImportList) {
    let mut lines = CodeLines::curly(text);
    // Enclosing inline modules with their indentation; inside one, `super` is this file.
    let mut inline: Vec<(usize, &str)> = Vec::new();
    let mut path_attribute: Option<&str> = None;
    while let Some((start, indent, line)) = lines.next() {
        if found.full() {
            return;
        }
        match line.as_bytes().first() {
            Some(b'}') => inline.retain(|(module, _)| *module < indent),
            Some(b'#') => {
                if let Some((_, value)) = line.strip_prefix("#[path").and_then(|rest| rest.split_once('=')) {
                    path_attribute = quoted(value);
                }
                continue;
            }
            Some(b'u' | b'p' | b'm' | b'e') => {
                let item = without_visibility(line);
                if let Some(tree) = after_word(item, "use") {
                    let from = start + indent + (line.len() - tree.len());
                    if let Some(statement) = statement_from(text, from) {
                        use_tree(statement, inline.len(), found);
                        lines.skip_to(from + statement.len());
                    } else {
                        found.miss();
                    }
                } else if let Some(rest) = after_word(item, "mod") {
                    let name = leading_name(rest);
                    let after = rest[name.len()..].trim_start();
                    if after.starts_with(';') && !name.is_empty() {
                        let spec = if let Some(path) = path_attribute {
                            format!("./{}", path.trim_start_matches("./"))
                        } else {
                            let around: Vec<&str> = inline.iter().map(|(_, module)| *module).chain([name]).collect();
                            format!("self::{}", around.join("::"))
                        };
                        found.add(Import::bare(spec));
                    } else if after.starts_with('{') && !after.trim_end().ends_with('}') {
                        inline.push((indent, name));
                    }
                } else if let Some(rest) = after_word(item, "extern").and_then(|rest| after_word(rest, "crate")) {
                    found.add(Import::bare(leading_name(rest)));
                }
            }
            _ => {}
        }
        if !line.starts_with("//") {
            path_attribute = None;
        }
    }
}

/// Text from `from` to the semicolon that ends the statement; semicolons in comments do not count.
fn statement_from(text: &str, from: usize) -> Option<&str> {
    let window = &text[from..text.floor_char_boundary(from + LONGEST_STATEMENT)];
    let mut searched = 0;
    loop {
        let end = searched + window[searched..].find(';')?;
        match window[searched..end].find("//") {
            None => return Some(&window[..end]),
            Some(comment) => searched += comment + window[searched + comment..].find('\n')?,
        }
    }
}

fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(')').map_or(line, |(_, rest)| rest.trim_ascii_start()),
        None if rest.starts_with(' ') => rest.trim_ascii_start(),
        None => line,
    }
}

/// Expands `a::{b, c::{d, e as f}}` to one import per prefix, with its names.
fn use_tree(statement: &str, inline_depth: usize, found: &mut ImportList) {
    let mut prefixes: Vec<usize> = Vec::new();
    let mut prefix = String::new();
    let mut segment = String::new();
    let mut here: Vec<Import> = Vec::new();
    for line in statement.lines() {
        let code = line.split("//").next().unwrap_or_default();
        for character in code.chars() {
            match character {
                '{' => {
                    if prefixes.len() >= DEEPEST {
                        return;
                    }
                    prefixes.push(prefix.len());
                    prefix.push_str(segment.trim());
                    segment.clear();
                }
                ',' => flush(&prefix, &mut segment, inline_depth, &mut here),
                '}' => {
                    flush(&prefix, &mut segment, inline_depth, &mut here);
                    prefix.truncate(prefixes.pop().unwrap_or_default());
                }
                _ => segment.push(character),
            }
        }
        segment.push(' ');
    }
    flush(&prefix, &mut segment, inline_depth, &mut here);
    for import in here {
        found.add(import);
    }
}

fn flush(prefix: &str, segment: &mut String, inline_depth: usize, here: &mut Vec<Import>) {
    let part = segment.split(" as ").next().unwrap_or_default().trim();
    if part.is_empty() || part.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '(' | '=' | '<')) {
        segment.clear();
        return;
    }
    let whole = if part == "self" && !prefix.is_empty() {
        prefix.trim_end_matches(':').to_owned()
    } else {
        format!("{prefix}{part}")
    };
    segment.clear();
    let whole = leave_inline_modules(whole.trim_start_matches("::"), inline_depth);
    let (spec, name) = whole.rsplit_once("::").map_or((whole.as_str(), None), |(spec, name)| (spec, Some(name)));
    if spec.is_empty() {
        return;
    }
    match here.iter_mut().find(|import| import.spec == spec) {
        Some(import) => import.names.extend(name.map(str::to_owned)),
        None => here.push(Import { spec: spec.to_owned(), names: name.map(str::to_owned).into_iter().collect() }),
    }
}

/// Removes the levels of enclosing inline modules: inside `mod tests { … }`, the first `super` is
/// the file itself.
fn leave_inline_modules(path: &str, mut depth: usize) -> String {
    let mut rest = path.strip_prefix("self::").unwrap_or(path);
    let mut left = false;
    while depth > 0
        && let Some(outer) = rest.strip_prefix("super::")
    {
        rest = outer;
        depth -= 1;
        left = true;
    }
    if left && !rest.starts_with("super::") {
        format!("self::{rest}")
    } else if left {
        rest.to_owned()
    } else {
        path.to_owned()
    }
}
