//! Headings of a Markdown document, and their link fragments as GitHub generates them.

use std::collections::HashMap;

/// One heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    /// Text of the heading, without markup.
    pub text: String,
    /// Fragment for links to the heading, unique in the document.
    pub slug: String,
    /// Line of the heading, from 1.
    pub line: u32,
}

/// Headings of a document, in order, without those in code blocks and comments.
pub(super) fn headings(markdown: &str) -> Vec<Heading> {
    let mut found: Vec<(String, u32)> = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut comment = false;
    let mut paragraph: Option<(String, u32)> = None;
    for (index, line) in markdown.lines().enumerate() {
        let number = index as u32 + 1;
        let indent = line.len() - line.trim_start_matches(' ').len();
        let body = line.trim();
        if comment {
            comment = !body.contains("-->");
            continue;
        }
        let mark = body.bytes().next().unwrap_or_default();
        let run = body.bytes().take_while(|byte| *byte == mark).count();
        if let Some((own, length)) = fence {
            if own == mark && run >= length && body.len() == run && indent < 4 {
                fence = None;
            }
            continue;
        }
        // A continuation line of a paragraph may be indented. Elsewhere, four spaces or a tab start a code block.
        let code = (indent >= 4 || line.starts_with('\t')) && paragraph.is_none();
        if body.is_empty() || code {
            paragraph = None;
        } else if indent < 4 && run >= 3 && (mark == b'~' || mark == b'`' && !body[run..].contains('`')) {
            fence = Some((mark, run));
            paragraph = None;
        } else if body.starts_with("<!--") {
            comment = !body.contains("-->");
            paragraph = None;
        } else if let Some(text) = atx(body).filter(|_| indent < 4) {
            found.push((text, number));
            paragraph = None;
        } else if indent < 4 && (mark == b'=' || mark == b'-') && run == body.len() && paragraph.is_some() {
            found.extend(paragraph.take());
        } else if starts_block(body) {
            paragraph = None;
        } else {
            match &mut paragraph {
                Some((text, _)) => {
                    text.push(' ');
                    text.push_str(body);
                }
                None => paragraph = Some((body.to_owned(), number)),
            }
        }
    }
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut named = Vec::new();
    for (text, line) in found {
        let text = plain(&text);
        let slug = unique(&slug(&text), &mut taken);
        if !slug.is_empty() {
            named.push(Heading { text, slug, line });
        }
    }
    named
}

/// The heading in a line that starts with `#`.
fn atx(body: &str) -> Option<String> {
    let marks = body.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &body[marks..];
    if !(1..=6).contains(&marks) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim();
    let without = rest.trim_end_matches('#');
    let closed = without.is_empty() || without.ends_with([' ', '\t']);
    Some(if closed { without.trim_end() } else { rest }.to_owned())
}

/// Returns true if dashes below this line do not make it a heading, because the line is a list, a quote, a table or
/// HTML.
fn starts_block(body: &str) -> bool {
    let item = body.strip_prefix(['-', '*', '+']).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = (1..10).contains(&digits) && body[digits..].starts_with(['.', ')']);
    let bare = body.replace(' ', "");
    let rule = bare.len() >= 3 && ['-', '*', '_'].iter().any(|mark| bare.trim_matches(*mark).is_empty());
    item || numbered || rule || body.starts_with(['>', '<', '|'])
}

/// The text of a heading without its inline marks.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '!', '<', '`', '\\']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        let (shown, after) = match here.as_bytes()[0] {
            b'\\' => {
                let next: String = here[1..].chars().take(1).collect();
                let after = &here[1 + next.len()..];
                (next, after)
            }
            b'`' => {
                let marks = here.bytes().take_while(|byte| *byte == b'`').count();
                match here[marks..].split_once(&here[..marks]) {
                    Some((code, after)) => (code.to_owned(), after),
                    None => (String::new(), &here[marks..]),
                }
            }
            b'<' => match here
                .split_once('>')
                .filter(|(tag, _)| tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/'))
            {
                Some((_, after)) => (String::new(), after),
                None => ("<".to_owned(), &here[1..]),
            },
            b'!' if !here.starts_with("![") => ("!".to_owned(), &here[1..]),
            first => link(&here[usize::from(first == b'!')..]).map_or_else(
                || (here[..1].to_owned(), &here[1..]),
                |(label, after)| (if first == b'!' { String::new() } else { plain(label) }, after),
            ),
        };
        out.push_str(&shown);
        rest = after;
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// The label of `[label](target)` or `[label][name]`, and the text after it.
fn link(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (open, close) = if rest.starts_with('(') { ('(', ')') } else { ('[', ']') };
    let (_, after) = rest.strip_prefix(open)?.split_once(close)?;
    Some((label, after))
}

/// Fragment of a heading: lower case, spaces as hyphens, no punctuation.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for character in text.trim().to_lowercase().chars() {
        match character {
            ' ' => out.push('-'),
            '-' | '_' => out.push(character),
            other if other.is_alphanumeric() || is_combining(other) => out.push(other),
            _ => {}
        }
    }
    out
}

/// Returns true for a combining mark, which belongs to the letter before it.
fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{93e}'..='\u{94d}' | '\u{fe0f}')
}

/// Makes a slug unique: the second heading with the same slug gets `-1`, the third `-2`.
fn unique(slug: &str, taken: &mut HashMap<String, usize>) -> String {
    let mut name = slug.to_owned();
    while taken.contains_key(&name) {
        let count = taken.entry(slug.to_owned()).or_default();
        *count += 1;
        name = format!("{slug}-{count}");
    }
    taken.insert(name.clone(), 0);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};

    fn slugs(markdown: &str) -> Vec<String> {
        headings(markdown).into_iter().map(|heading| heading.slug).collect()
    }

    #[test]
    fn fragments_match_the_links_that_github_generates() {
        for (heading, fragment) in [
            ("Getting Started", "getting-started"),
            ("What's new in 2.0?", "whats-new-in-20"),
            ("The `foo_bar()` function", "the-foo_bar-function"),
            ("A -- B & C", "a----b--c"),
            ("[Install](docs/install.md) it", "install-it"),
            ("![logo](x.png) Name", "name"),
            ("Grüße, 世界!", "grüße-世界"),
            ("**Bold** and <b>tag</b>", "bold-and-tag"),
            ("1. First", "1-first"),
            ("C++ / C#", "c--c"),
            ("Trailing ##", "trailing"),
            ("snake_case_name", "snake_case_name"),
        ] {
            assert_eq!(slugs(&format!("# {heading}\n")), [fragment], "{heading}");
        }
        assert_eq!(slugs("# A\n## A\n# A-1\n# a\n"), ["a", "a-1", "a-1-1", "a-2"]);
    }

    #[test]
    fn only_headings_are_headings() {
        let text = "# One\n```\n# no\n```\n~~~~ x\n# no\n~~~\n~~~~\n<!-- # no\n# no\n-->\n    # no\n#no\n\n\
                    Two\n===\n\nThree\nlines\n---\n\n- item\n---\n| a |\n---\n####### no\n## Four ##\n";
        assert_eq!(slugs(text), ["one", "two", "three-lines", "four"]);
        assert_eq!(headings(text)[1].line, 15);
        assert_eq!(slugs("\n\n# !!!\n"), Vec::<String>::new());
    }

    #[test]
    fn a_line_below_text_can_make_it_a_heading() {
        for (text, found) in [
            ("Words\n=\n", &["words"][..]),
            ("Words\n-----\n", &["words"]),
            ("Words\n-=-\n", &[]),
            ("Words\n    ---\n", &[]),
            ("Words\n    go on\n---\n", &["words-go-on"]),
            ("    code\n---\n", &[]),
            ("\tcode\n---\n", &[]),
            ("* item\n---\n", &[]),
            ("+\n---\n", &[]),
            ("-item\n---\n", &["-item"]),
            ("1. item\n---\n", &[]),
            ("123456789) item\n---\n", &[]),
            ("1234567890. words\n---\n", &["1234567890-words"]),
            ("> quote\n---\n", &[]),
            ("<p>\n---\n", &[]),
            ("* * *\n---\n", &[]),
            ("__\n---\n", &["__"]),
            ("~~~\nx\n~~~\n# A\n", &["a"]),
            ("~~~\n```\n# no\n~~~\n# A\n", &["a"]),
            ("```a`b\n# A\n", &["a"]),
            ("``\n# A\n", &["a"]),
            ("````\n```\n# no\n`````\n# A\n", &["a"]),
            ("```\n    ```\n# no\n``` x\n# no\n```\n# A\n", &["a"]),
            ("<!-- x -->\n# A\n", &["a"]),
            ("Words\n    # no\n\n   # A\n", &["a"]),
            ("####### no\n###### A\n", &["a"]),
            ("#\tA\t#\n# B#\n", &["a", "b"]),
        ] {
            assert_eq!(slugs(text), found, "{text}");
        }
    }

    #[test]
    fn inline_markup_is_removed_from_headings() {
        for (text, shown) in [
            ("a \\* b \\", "a * b"),
            ("`` a`b `` c", "a`b  c"),
            ("`open c", "open c"),
            ("1 < 2 > 0", "1 < 2 > 0"),
            ("a<br/>b </i>c", "ab c"),
            ("a < b", "a < b"),
            ("Hi! [a][b] c", "Hi! a c"),
            ("[`a`](b) c", "a c"),
            ("[a] c", "[a] c"),
            ("[a](b", "[a](b"),
            ("![a](b)c", "c"),
            ("![a", "![a"),
        ] {
            assert_eq!(plain(text), shown, "{text}");
        }
    }

    /// The headings according to another Markdown parser.
    fn oracle(markdown: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut open: Option<String> = None;
        for event in Parser::new(markdown) {
            match event {
                Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut open {
                        heading.push_str(&text);
                    }
                }
                Event::SoftBreak | Event::HardBreak => {
                    if let Some(heading) = &mut open {
                        heading.push(' ');
                    }
                }
                Event::End(TagEnd::Heading(_)) => found.extend(open.take()),
                _ => {}
            }
        }
        let mut taken = HashMap::new();
        found.iter().map(|text| unique(&slug(text), &mut taken)).filter(|slug| !slug.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn headings_agree_with_another_parser(
            lines in prop::collection::vec(prop::sample::select(vec![
                "# One", "## Two `code`", "### Three ###", "#no", "text", "", "", "```", "~~~", "===", "---", "    # code",
                "more text", "####", "# One",
            ]), 0..14)
        ) {
            let text = lines.join("\n");
            prop_assert_eq!(slugs(&text), oracle(&text), "{}", text);
        }
    }
}
