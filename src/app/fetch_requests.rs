//! Parses requests to fetch content: `path`, `path:10-80`, or a LINKED line of the payload.

use crate::gather::item::ItemKind;
use crate::project::context::Span;
use crate::render::read_code_span;

/// A request to fetch an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchRequest {
    /// Path, or label of a virtual item.
    pub path: String,
    /// First and last line number, 1-based; `None` for the full item.
    pub span: Option<Span>,
}

/// Parses an argument, which may contain several lines pasted from an answer.
pub fn parse(text: &str) -> Result<Vec<FetchRequest>, String> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for line in &lines {
        match listed(line) {
            Some(request) => found.push(request?),
            // Pasted lines may include headings and sentences, which are skipped.
            None if lines.len() > 1 && (line.starts_with(['#', '<', '`']) || line.contains(' ')) => {}
            None => found.push(plain(line)?),
        }
    }
    if found.is_empty() {
        return Err(format!("`{}` names nothing to fetch", lines.first().unwrap_or(&"")));
    }
    Ok(found)
}

/// Parses `` - `path` lines 10-80 -- description ``, where bullet, lines and description are optional.
fn listed(line: &str) -> Option<Result<FetchRequest, String>> {
    let line = line.strip_prefix(['-', '*', '+']).unwrap_or(line).trim_start();
    if line.starts_with("```") {
        return None;
    }
    let (name, rest) = read_code_span(line)?;
    let rest = rest.trim_start().trim_start_matches([',', '(']).trim_start();
    let after = ["lines ", "line ", ":"].iter().find_map(|word| rest.strip_prefix(word));
    let digits = after.map(|after| {
        let end = after.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '–'))).unwrap_or(after.len());
        after[..end].replace('–', "-")
    });
    Some(match digits.filter(|digits| !digits.is_empty()) {
        Some(digits) => span(&digits, line).map(|span| FetchRequest { path: name.trim().to_owned(), span }),
        None => plain(name.trim()),
    })
}

/// Parses `path` or `path:10-80`. Labels such as `commits:src/a.py` have no lines.
fn plain(text: &str) -> Result<FetchRequest, String> {
    let numbered = [ItemKind::Memo.name(), ItemKind::Delta.name()];
    match text.rsplit_once(':') {
        // `memo:3` and `delta:01` are labels.
        Some((label, _)) if numbered.contains(&label) => Ok(FetchRequest { path: text.to_owned(), span: None }),
        Some((path, lines)) if !lines.is_empty() && lines.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
            Ok(FetchRequest { path: path.to_owned(), span: span(lines, text)? })
        }
        _ => Ok(FetchRequest { path: text.to_owned(), span: None }),
    }
}

/// Parses `10-80` or `10`. `0-0` refers to an empty file.
fn span(digits: &str, line: &str) -> Result<Option<Span>, String> {
    let (first, last) = digits.split_once('-').unwrap_or((digits, digits));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(0), Ok(0)) => Ok(None),
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok(Some((first, last))),
        _ => Err(format!("`{digits}` in `{line}` is not a line range; write it as `10-80`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<(String, Option<Span>)> {
        parse(text).unwrap().into_iter().map(|request| (request.path, request.span)).collect()
    }

    #[test]
    fn paths_and_linked_lines_are_equivalent() {
        for text in [
            "src/a.py:10-80",
            "`src/a.py` lines 10-80",
            "- `src/a.py` lines 10-80 -- Keeps what was paid",
            "* `src/a.py`, lines 10-80",
            "`src/a.py:10-80`",
            "`src/a.py` (lines 10–80)",
            "- `src/a.py`:10-80",
        ] {
            assert_eq!(read(text), [("src/a.py".to_owned(), Some((10, 80)))], "{text}");
        }
        assert_eq!(read("src/my file.py"), [("src/my file.py".to_owned(), None)]);
        assert_eq!(
            read("- ``src/we\"ird`name`.txt`` lines 1-1 -- x"),
            [("src/we\"ird`name`.txt".to_owned(), Some((1, 1)))]
        );
        assert_eq!(read("`empty.py` lines 0-0 -- file"), [("empty.py".to_owned(), None)]);
        assert_eq!(read("commits:src/a.py"), [("commits:src/a.py".to_owned(), None)]);
        assert_eq!(read("`memo:3` lines 1-1 -- x"), [("memo:3".to_owned(), Some((1, 1)))]);
        assert_eq!(read("delta:01"), [("delta:01".to_owned(), None)]);
        assert_eq!(read("memo:3:1-1"), [("memo:3".to_owned(), Some((1, 1)))]);
        assert_eq!(read("src/a.py:7"), [("src/a.py".to_owned(), Some((7, 7)))]);
    }

    #[test]
    fn a_whole_answer_can_be_pasted() {
        let answer = "### LINKED:dependencies\n<!-- source: x -->\nPlease give me:\n\n- `a.py` lines 1-6 -- Sends mail\n- `b.py`\nc.py:1-2\n";
        let paths: Vec<String> = read(answer).into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["a.py", "b.py", "c.py"]);
    }

    #[test]
    fn invalid_requests_are_reported() {
        for text in ["a.py:9-3", "`a.py` lines 0-4", "a.py:5-", "a.py:99999999999", "", "please do\nsomething else\n"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "(?s)[`:a-z0-9 .\\-–\n#<]{0,60}") {
            for request in parse(&text).unwrap_or_default() {
                prop_assert!(request.span.is_none_or(|(first, last)| 0 < first && first <= last));
            }
        }
    }
}
