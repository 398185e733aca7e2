//! Splits a task's text into prose and tokens. `assets/task-type/features.py` does the same for training; change both
//! together.

/// Stands for a code span or an identifier.
pub const CODE: &str = "<code>";
/// Stands for a path.
pub const PATH: &str = "<path>";
/// Stands for a link.
pub const URL: &str = "<url>";
/// Stands for a number.
pub const NUMBER: &str = "<num>";

/// Maximum number of characters read. The rest of a long pasted log would add no information.
const LONGEST: usize = 6000;

/// Prefixes of conventional commits with their standard spelling.
const PREFIXES: [(&str, &str); 16] = [
    ("feat", "feat"),
    ("feature", "feat"),
    ("fix", "fix"),
    ("bugfix", "fix"),
    ("hotfix", "fix"),
    ("refactor", "refactor"),
    ("style", "style"),
    ("chore", "chore"),
    ("build", "build"),
    ("ci", "ci"),
    ("test", "test"),
    ("tests", "test"),
    ("docs", "docs"),
    ("doc", "docs"),
    ("perf", "perf"),
    ("revert", "revert"),
];

/// Extensions that make a name a path, even without a directory.
const EXTENSIONS: [&str; 62] = [
    "py", "rs", "go", "js", "mjs", "ts", "tsx", "jsx", "vue", "svelte", "java", "kt", "c", "h", "cc", "cpp", "hpp",
    "cs", "rb", "php", "pl", "swift", "scala", "sql", "proto", "sh", "bash", "ps1", "md", "rst", "adoc", "txt", "toml",
    "yaml", "yml", "json", "xml", "html", "css", "scss", "less", "ini", "cfg", "conf", "lock", "tf", "ex", "exs",
    "erl", "hs", "ml", "lua", "r", "jl", "dart", "svg", "csv", "erb", "gradle", "cmake", "patch", "diff",
];

/// Punctuation around a word.
pub const TRIM: &str = "()[]{}<>\"'«»„“”‘’,.;:!?…*—–-。，、；：！？（）「」『』【】";
/// Punctuation around a path, which may begin with a dot.
const AROUND_PATH: &str = "([{\"'«„“,;:!?)]}»”";

/// A task's text without code blocks.
pub struct Prose<'a> {
    /// Trimmed lines that are not empty.
    pub lines: Vec<&'a str>,
    /// True if there was a fenced code block.
    pub fenced: bool,
    /// True if there was a stack trace.
    pub trace: bool,
}

/// Separates prose from code blocks.
pub fn prose(text: &str) -> Prose<'_> {
    let mut prose = Prose { lines: Vec::new(), fenced: false, trace: false };
    let mut inside = false;
    for line in first_chars(text, LONGEST).lines().map(str::trim) {
        prose.trace |= is_trace(line);
        if line.starts_with("```") || line.starts_with("~~~") {
            inside = !inside;
            prose.fenced = true;
        } else if !inside && !line.is_empty() {
            prose.lines.push(line);
        }
    }
    prose
}

/// The first `most` characters of the text.
pub fn first_chars(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

fn is_trace(line: &str) -> bool {
    line.starts_with("Traceback (most recent call last)")
        || line.contains("panicked at")
        || line.starts_with("panic: ")
        || line.starts_with("goroutine ")
        || (line.starts_with("File \"") && line.contains("\", line "))
        || line.contains("stack backtrace")
        || (line.starts_with("at ") && line.contains(['(', ':']))
        || line.contains("SIGSEGV")
}

/// The canonical name of a conventional-commit prefix, true if it marks a breaking change, and the rest of the line.
pub fn prefix(title: &str) -> (Option<&'static str>, bool, &str) {
    let end = title.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(title.len());
    let (word, mut rest) = title.split_at(end);
    if rest.starts_with('(') {
        match rest.find(')') {
            Some(close) => rest = &rest[close + 1..],
            None => return (None, false, title),
        }
    }
    let breaking = rest.starts_with('!');
    rest = if breaking { &rest[1..] } else { rest };
    // Other capitalized words are more often a topic than a prefix.
    let word = match word {
        "Docs" | "Doc" | "Feature" | "Fix" => word.to_ascii_lowercase(),
        _ => word.to_owned(),
    };
    let known = PREFIXES.iter().find(|(name, _)| *name == word).map(|(_, known)| *known);
    match (known, rest.strip_prefix(": ")) {
        (Some(known), Some(rest)) => (Some(known), breaking, rest.trim()),
        _ => (None, false, title),
    }
}

/// Returns true for Chinese, Japanese and Korean characters, which have no spaces between words.
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Returns true for letters of scripts with spaces between words.
pub fn is_word(c: char) -> bool {
    c.is_alphabetic() && !is_cjk(c)
}

/// Returns true if this part of a line is a path.
pub fn is_path(chunk: &str) -> bool {
    if chunk.contains("://") {
        return false;
    }
    let name = if chunk.contains('.') { chunk.split(':').next().unwrap_or(chunk) } else { chunk };
    let allowed = |c: char| c.is_alphanumeric() || "/._-+*@~".contains(c);
    if !name.chars().all(allowed) || !name.contains(char::is_alphanumeric) {
        return false;
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    if let Some((stem, extension)) = last.rsplit_once('.')
        && !stem.is_empty()
        && EXTENSIONS.contains(&extension.to_lowercase().as_str())
    {
        return true;
    }
    let slashes = name.matches('/').count();
    slashes >= 2 || (slashes == 1 && name.ends_with('/') && name.chars().count() > 2)
}

/// The path in this part of a line, without the punctuation around it.
pub fn bare_path(raw: &str) -> &str {
    raw.trim_matches(|c| AROUND_PATH.contains(c)).trim_end_matches('.')
}

fn is_identifier(chunk: &str) -> bool {
    if chunk.contains("::") || chunk.ends_with("()") {
        return true;
    }
    if !chunk.chars().all(|c| c.is_ascii_alphanumeric() || "_.#".contains(c)) {
        return false;
    }
    let inner = chunk.trim_matches('_');
    if inner.contains('_') && inner.contains(char::is_alphabetic) {
        return true;
    }
    let bytes = chunk.as_bytes();
    bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Splits a line into tokens, and collects its paths as written.
pub fn tokens(line: &str, paths: &mut Vec<String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        if let Some((inner, after)) = rest.strip_prefix('`').and_then(|after| after.split_once('`')) {
            if is_path(inner) {
                paths.push(inner.to_owned());
                out.push(PATH.to_owned());
            } else {
                out.push(CODE.to_owned());
            }
            rest = after.trim_start();
            continue;
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(|c: char| c.is_whitespace() || c == '`').map_or(rest.len(), |at| at + first);
        chunk_tokens(&rest[..end], &mut out, paths);
        rest = rest[end..].trim_start();
    }
    out
}

fn chunk_tokens(raw: &str, out: &mut Vec<String>, paths: &mut Vec<String>) {
    let chunk = raw.trim_matches(|c| TRIM.contains(c));
    let bare = bare_path(raw);
    if chunk.contains("://") {
        out.push(URL.to_owned());
    } else if is_path(bare) {
        paths.push(bare.to_owned());
        out.push(PATH.to_owned());
    } else if !chunk.is_empty() && (is_identifier(chunk) || raw.contains(&format!("{chunk}()"))) {
        out.push(CODE.to_owned());
    } else {
        words(chunk, out);
    }
    if raw.trim_end_matches(|c| ")\"'»”".contains(c)).ends_with(['?', '？']) {
        out.push("?".to_owned());
    }
}

/// Splits text into lower-case words, or into pairs of characters in scripts without spaces.
fn words(chunk: &str, out: &mut Vec<String>) {
    let chars: Vec<char> = chunk.chars().collect();
    let next_is = |at: usize, is: fn(char) -> bool| chars.get(at + 1).is_some_and(|c| is(*c));
    let mut at = 0;
    while at < chars.len() {
        let mut end = at + 1;
        let c = chars[at];
        if is_cjk(c) {
            while end < chars.len() && is_cjk(chars[end]) {
                end += 1;
            }
            let run = &chars[at..end];
            if run.len() == 1 {
                out.push(c.to_string());
            }
            out.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if is_word(c) {
            while end < chars.len() && (is_word(chars[end]) || ("'’".contains(chars[end]) && next_is(end, is_word))) {
                end += 1;
            }
            out.push(chars[at..end].iter().collect::<String>().to_lowercase().replace('’', "'"));
        } else if c.is_numeric() {
            let separator = |at: usize| ".,".contains(chars[at]) && next_is(at, char::is_numeric);
            while end < chars.len() && (chars[end].is_numeric() || separator(end)) {
                end += 1;
            }
            out.push(NUMBER.to_owned());
        }
        at = end;
    }
}

/// The line in lower case, with `§` in place of code spans and paths, so that no phrase is found in them.
pub fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let last = parts.len() - 1;
    let prose =
        |(at, part): (usize, &&'_ str)| if at % 2 == 0 || at == last { (*part).to_owned() } else { "§".to_owned() };
    let joined = parts.iter().enumerate().map(prose).collect::<Vec<_>>().join(" ");
    let chunks = joined.split_whitespace().map(|chunk| if is_path(bare_path(chunk)) { "§" } else { chunk });
    chunks.collect::<Vec<_>>().join(" ").to_lowercase().replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_words_code_paths_and_numbers() {
        let mut paths = Vec::new();
        let found = tokens("Don't call `a b` in src/x/y.rs:12, parse_it() or 3.5 times?", &mut paths);
        assert_eq!(found, ["don't", "call", CODE, "in", PATH, CODE, "or", NUMBER, "times", "?"]);
        assert_eq!(paths, ["src/x/y.rs:12"]);
        assert_eq!(tokens("修复登录", &mut paths), ["修复", "复登", "登录"]);
    }

    #[test]
    fn only_known_prefixes_are_cut_off() {
        assert_eq!(prefix("feat(ui)!: show sizes"), (Some("feat"), true, "show sizes"));
        assert_eq!(prefix("Move tool: show sizes"), (None, false, "Move tool: show sizes"));
    }

    #[test]
    fn a_slash_alone_is_not_a_path() {
        for (chunk, is) in [("and/or", false), ("docs/", true), ("a/b/c", true), ("x.rs", true), ("e.g", false)] {
            assert_eq!(is_path(chunk), is, "{chunk}");
        }
    }
}
