//! Go, C and C++, Ruby, PHP, shell and Lua: imports that name a path.

use super::{Found, Import, Lines, after_word, is_word, listed_names, quoted, until};

pub(super) fn go(text: &str, found: &mut Found) {
    let mut in_block = false;
    for (_, indent, line) in Lines::curly(text) {
        if found.full() {
            return;
        }
        if in_block {
            in_block = !line.starts_with(')');
            if in_block && let Some(path) = line.find(['"', '`']).filter(|_| !line.starts_with("//")) {
                found.add(Import::bare(quoted(&line[path..]).unwrap_or_default()));
            }
            continue;
        }
        if indent > 0 {
            continue;
        }
        if let Some(rest) = line.strip_prefix("import") {
            let rest = rest.trim_ascii();
            if rest.starts_with('(') {
                in_block = !rest.contains(')');
            } else if let Some(path) = rest.find(['"', '`']) {
                found.add(Import::bare(quoted(&rest[path..]).unwrap_or_default()));
            }
        } else if line.starts_with("func ") || line.starts_with("type ") {
            // Imports come first in Go; the rest of the file holds none.
            return;
        }
    }
}

pub(super) fn c(text: &str, found: &mut Found) {
    for (_, _, line) in Lines::curly(text) {
        let Some(rest) = line.strip_prefix('#') else { continue };
        let Some(rest) = rest.trim_ascii_start().strip_prefix("include") else { continue };
        if found.full() {
            return;
        }
        let rest = rest.strip_prefix("_next").unwrap_or(rest).trim_ascii_start();
        if let Some(path) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(path, _)| path) {
            found.add(Import::bare(format!("<{path}>")));
        } else if rest.starts_with('"') {
            found.add(Import::bare(quoted(rest).unwrap_or_default()));
        }
    }
}

pub(super) fn ruby(text: &str, found: &mut Found) {
    for (_, _, line) in Lines::plain(text) {
        if !matches!(line.as_bytes().first(), Some(b'r' | b'a' | b'l' | b'b')) {
            continue;
        }
        if found.full() {
            return;
        }
        let line = line.strip_prefix("begin; ").unwrap_or(line);
        if let Some(rest) = line.strip_prefix("require_relative") {
            if let Some(path) = argument(rest) {
                let path = if path.starts_with('.') { path.to_owned() } else { format!("./{path}") };
                found.add(Import::bare(path));
            }
        } else if let Some(rest) = line.strip_prefix("require").or_else(|| line.strip_prefix("load")) {
            if let Some(path) = argument(rest) {
                found.add(Import::bare(path));
            }
        } else if let Some((name, path)) = line.strip_prefix("autoload").and_then(|rest| rest.split_once(',')) {
            let name = name.trim_matches([' ', ':', '(', '"', '\'']);
            if let Some(path) = argument(&format!(" {}", path.trim_start())) {
                found.add(Import { spec: path.to_owned(), names: vec![name.to_owned()] });
            }
        }
    }
}

/// A quoted argument without interpolation, after a blank or a parenthesis.
fn argument(rest: &str) -> Option<&str> {
    rest.starts_with([' ', '(', '\t']).then(|| quoted(rest)).flatten().filter(|path| !path.contains("#{"))
}

pub(super) fn php(text: &str, found: &mut Found) {
    let mut lines = Lines::curly(text);
    while let Some((start, indent, line)) = lines.next() {
        if found.full() {
            return;
        }
        if let Some(rest) = after_word(line, "use") {
            let from = start + indent + line.len() - rest.len();
            // A trait's `use` ends in a block, a closure's has a parenthesis: neither is a path up to the semicolon.
            let Some(statement) = until(text, from, ';') else {
                found.miss();
                continue;
            };
            php_use(statement, found);
            lines.skip_to(from + statement.len());
        } else if let Some(at) = ["require", "include"].iter().find_map(|word| line.find(word)) {
            let before = at.checked_sub(1).map(|before| line.as_bytes()[before]);
            if before.is_some_and(|byte| is_word(byte) || byte == b'>') || line.starts_with(['*', '/', '#']) {
                continue;
            }
            let rest = line[at + "require".len()..].trim_start_matches("_once");
            if let Some(path) = rest.find(['"', '\'']).and_then(|at| quoted(&rest[at..]))
                && rest.starts_with([' ', '(', '"', '\''])
                && !path.contains(['$', '{'])
            {
                found.add(Import::bare(format!("./{}", path.trim_start_matches('/').trim_start_matches("./"))));
            }
        }
    }
}

fn php_use(statement: &str, found: &mut Found) {
    let statement = after_word(statement, "function").or_else(|| after_word(statement, "const")).unwrap_or(statement);
    if let Some((prefix, list)) = statement.split_once('{') {
        let Some(prefix) = prefix.trim().strip_suffix('\\') else { return };
        let names = listed_names(list.trim_end_matches([' ', '\n', '\r', '}']), &[" as "]);
        found.add(Import { spec: prefix.trim_start_matches('\\').to_owned(), names });
        return;
    }
    for name in listed_names(statement, &[" as "]) {
        if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '\\' | '_')) {
            let spec = name.trim_start_matches('\\');
            let names = spec.rsplit('\\').next().map(str::to_owned).into_iter().collect();
            found.add(Import { spec: spec.to_owned(), names });
        }
    }
}

pub(super) fn shell(text: &str, found: &mut Found) {
    for (_, _, line) in Lines::plain(text) {
        if found.full() {
            return;
        }
        let sourced = after_word(line, "source").or_else(|| after_word(line, ".")).or_else(|| {
            let at = ["&& . ", "&& source ", "|| . ", "; . "]
                .iter()
                .find_map(|word| line.find(word).map(|at| at + word.len()));
            at.map(|at| &line[at..])
        });
        let Some(path) = sourced.filter(|_| !line.starts_with('#')) else { continue };
        if let Some(path) = literal_path(path) {
            found.add(Import::bare(path));
        }
    }
}

/// The literal end of a shell word: `"$(dirname "$0")/lib/a.sh"` is `./lib/a.sh`.
fn literal_path(word: &str) -> Option<String> {
    let after_holes = word.rfind([')', '}']).map_or(word, |at| &word[at + 1..]);
    let (holes, rest) = match word.trim_start_matches(['"', '\'']).strip_prefix('$') {
        Some(name) if after_holes.len() == word.len() => (true, name.trim_start_matches(is_name)),
        _ => (after_holes.len() < word.len(), after_holes),
    };
    let rest = rest.trim_start_matches(['"', '\'']);
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '&' | '|' | '<' | '>'))
        .unwrap_or(rest.len());
    let path = &rest[..end];
    if path.contains('$') || path.is_empty() {
        return None;
    }
    Some(if holes { format!("./{}", path.trim_start_matches('/')) } else { path.to_owned() })
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

pub(super) fn lua(text: &str, found: &mut Found) {
    let mut from = 0;
    while let Some(at) = text[from..].find("require").map(|at| from + at) {
        if found.full() {
            return;
        }
        from = at + "require".len();
        // A line can be megabytes long; a comment sign that far away is of no interest.
        let line = &text[text.floor_char_boundary(at.saturating_sub(300))..at];
        let line = &line[line.rfind('\n').map_or(0, |newline| newline + 1)..];
        let inside_word = at.checked_sub(1).is_some_and(|before| is_word(text.as_bytes()[before]));
        if inside_word || line.trim_start().starts_with("--") {
            continue;
        }
        if let Some(module) = quoted(&text[from..]).filter(|module| !module.contains(' ')) {
            found.add(Import::bare(module));
        }
    }
}
