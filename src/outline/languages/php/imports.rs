//! `use`, `require` and `include` of PHP.

use crate::outline::imports::{CodeLines, Import, ImportList, after_word, is_word, listed_names, quoted, until};

pub(super) fn scan(text: &str, found: &mut ImportList) {
    let mut lines = CodeLines::curly(text);
    while let Some((start, indent, line)) = lines.next() {
        if found.full() {
            return;
        }
        if let Some(rest) = after_word(line, "use") {
            let from = start + indent + line.len() - rest.len();
            // A trait's `use` ends with a block and a closure's has a parenthesis, so neither is a path up to the
            // semicolon.
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

fn php_use(statement: &str, found: &mut ImportList) {
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
