//! Languages that import by dotted name: Java, Kotlin, Scala, C#, Swift.

use super::{Found, Import, Lines, after_word, leading_name, listed_names, until};

pub(super) fn java(text: &str, found: &mut Found) {
    for (_, _, line) in Lines::curly(text) {
        if found.full() {
            return;
        }
        let Some(rest) = after_word(line, "import") else { continue };
        let (rest, is_static) = after_word(rest, "static").map_or((rest, false), |rest| (rest, true));
        let spec = dotted(rest);
        if spec.is_empty() || !rest[spec.len()..].trim_start().starts_with(';') {
            continue;
        }
        match spec.rsplit_once('.') {
            Some((class, member)) if is_static => {
                found.add(Import { spec: class.to_owned(), names: vec![member.to_owned()] });
            }
            Some((_, "*")) | None => found.add(Import::bare(spec)),
            Some((_, name)) => found.add(Import { spec: spec.to_owned(), names: vec![name.to_owned()] }),
        }
    }
}

pub(super) fn kotlin_or_scala(text: &str, found: &mut Found) {
    let mut lines = Lines::curly(text);
    while let Some((start, indent, line)) = lines.next() {
        if found.full() {
            return;
        }
        let Some(rest) = after_word(line, "import") else { continue };
        let spec = dotted(rest);
        if let Some(list) = rest[spec.len()..].strip_prefix('{') {
            let from = start + indent + line.len() - list.len();
            let Some(list) = until(text, from, '}') else {
                found.miss();
                continue;
            };
            lines.skip_to(from + list.len());
            let names = listed_names(list, &["=>", " as "]);
            found.add(Import { spec: spec.trim_end_matches('.').to_owned(), names });
            continue;
        }
        match spec.rsplit_once('.') {
            Some((package, "_")) => found.add(Import::bare(format!("{package}.*"))),
            Some((_, name)) if name != "*" => {
                found.add(Import { spec: spec.to_owned(), names: vec![name.to_owned()] });
            }
            _ => found.add(Import::bare(spec)),
        }
    }
}

pub(super) fn c_sharp(text: &str, found: &mut Found) {
    for (_, _, line) in Lines::curly(text) {
        if found.full() {
            return;
        }
        let line = after_word(line, "global").unwrap_or(line);
        let Some(rest) = after_word(line, "using") else { continue };
        let rest = after_word(rest, "static").unwrap_or(rest);
        let rest = match rest.split_once('=') {
            Some((alias, target)) if leading_name(alias).len() == alias.trim_end().len() => target.trim_start(),
            Some(_) => continue,
            None => rest,
        };
        let rest = rest.strip_prefix("global::").unwrap_or(rest);
        let spec = dotted(rest);
        // `using var x = …` and `using (…)` are statements.
        if rest[spec.len()..].trim_start().starts_with([';', '<']) {
            found.add(Import::bare(spec));
        }
    }
}

pub(super) fn swift(text: &str, found: &mut Found) {
    const KINDS: [&str; 8] = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"];
    for (_, _, line) in Lines::curly(text) {
        if found.full() {
            return;
        }
        let line = after_word(line, "@testable").unwrap_or(line);
        let Some(rest) = after_word(line, "import") else { continue };
        let rest = KINDS.iter().find_map(|kind| after_word(rest, kind)).unwrap_or(rest);
        found.add(Import::bare(dotted(rest)));
    }
}

/// The dotted name that `text` starts with, a last `*` included.
fn dotted(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | '$'))).unwrap_or(text.len());
    &text[..end]
}
