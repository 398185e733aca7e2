//! Untrusted text inside Markdown: fences, code spans and lines that it cannot break out of.

use crate::text::printable;

/// A fence that nothing in `text` can close: longer than any run of backticks in the text, and at least `least` long.
pub(super) fn fence_for(text: &str, least: usize) -> String {
    "`".repeat(longest_run(text.as_bytes()).saturating_add(1).max(least))
}

fn longest_run(text: &[u8]) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for byte in text {
        run = if *byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A section with a heading and fenced text.
pub(super) fn section(heading: &str, text: &str, least: usize) -> String {
    let fence = fence_for(text, least);
    let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("## {heading}\n{fence}\n{text}{line_end}{fence}\n\n")
}

/// Formats any path or name as a code span.
pub(super) fn code_span(text: &str) -> String {
    let shown = printable(text);
    let marks = fence_for(&shown, 1);
    // Markdown strips one space from both ends if both have one, unless there are only spaces.
    let spaced = shown.starts_with(' ') && shown.ends_with(' ') && !shown.trim_matches(' ').is_empty();
    let padded = shown.starts_with('`') || shown.ends_with('`') || spaced;
    let pad = if padded || shown.is_empty() { " " } else { "" };
    format!("{marks}{pad}{shown}{pad}{marks}")
}

/// The code span at the start of `text`, and the rest.
pub(crate) fn read_code_span(text: &str) -> Option<(&str, &str)> {
    let marks = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = marks;
    while marks > 0 && at < text.len() {
        let Some(found) = text[at..].find('`') else { break };
        let start = at + found;
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if run == marks {
            let inside = &text[marks..start];
            let stripped = inside.strip_prefix(' ').and_then(|rest| rest.strip_suffix(' '));
            let spaces = inside.bytes().all(|byte| byte == b' ');
            return Some((stripped.filter(|_| !spaces).unwrap_or(inside), &text[start + run..]));
        }
        at = start + run;
    }
    None
}

/// Formats arbitrary text as one line: folds white space, makes control characters visible, and prevents tags and
/// comments.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" ")).replace('<', "\\<")
}

/// Shortens a line to about `most` characters, between words if possible.
pub(super) fn cut_line(line: &str, most: usize) -> String {
    let Some((end, _)) = line.char_indices().nth(most) else { return line.to_owned() };
    let start = &line[..end];
    let at = start.rfind(' ').filter(|at| *at * 2 > end).unwrap_or(end);
    // Otherwise, a trailing backslash would escape the ellipsis.
    format!("{}…", start[..at].trim_end_matches(['\\', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_fence_is_longer_than_any_fence_inside() {
        assert_eq!(fence_for("", 3), "```");
        assert_eq!(fence_for("a ``` b", 3), "````");
        assert_eq!(fence_for("a ````` b ``", 4), "``````");
    }

    #[test]
    fn paths_become_code_spans() {
        assert_eq!(code_span("src/a.rs"), "`src/a.rs`");
        assert_eq!(code_span("a`b.rs"), "``a`b.rs``");
        assert_eq!(code_span("`a"), "`` `a ``");
        assert_eq!(code_span("a\nb"), "`a␊b`");
    }

    #[test]
    fn lines_are_cut_between_words() {
        assert_eq!(cut_line("one two three", 20), "one two three");
        assert_eq!(cut_line("one two three", 9), "one two…");
        assert_eq!(cut_line("abcdefghij", 4), "abcd…");
        assert_eq!(cut_line("one two three four five", 14), "one two three…");
        assert_eq!(one_line("a\r\n\tb  <!-- c"), "a b \\<!-- c");
    }

    #[test]
    fn code_spans_round_trip() {
        for text in ["a", "a`b", "``", "`", " a ", "  ", " ", "a ``` b", "a b`c.ts"] {
            let span = code_span(text);
            assert_eq!(read_code_span(&format!("{span} rest")), Some((text, " rest")), "{span}");
        }
        for none in ["", "plain", "`open", "``a`", "a `b`"] {
            assert_eq!(read_code_span(none), None, "{none}");
        }
    }

    proptest! {
        #[test]
        fn spans_are_read_back(path in "[a`. é]{1,12}", rest in "[a` ]{0,6}") {
            prop_assume!(!path.bytes().all(|byte| byte == b' ') && !rest.starts_with('`'));
            let written = format!("{}{rest}", code_span(&path));
            prop_assert_eq!(read_code_span(&written), Some((path.as_str(), rest.as_str())));
        }
    }
}
