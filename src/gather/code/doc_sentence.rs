//! The first sentence of a doc comment, without its comment marks.

/// No sentence is worth more than this in an outline.
const LONGEST: usize = 200;

/// The first sentence of the comment (or docstring) `raw`; none if it says nothing.
pub(super) fn first_sentence(raw: &str) -> Option<String> {
    let mut words = String::new();
    for line in raw.lines() {
        let line = without_tags(without_marks(line));
        let line = line.trim();
        // Tags such as `@param` and an empty line both end the opening paragraph.
        if line.starts_with('@') || (line.is_empty() && !words.is_empty()) {
            break;
        }
        if line.is_empty() || line.chars().all(|c| c.is_ascii_punctuation()) {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(line);
        if words.len() > LONGEST {
            break;
        }
    }
    let end = words
        .char_indices()
        .find(|&(at, c)| matches!(c, '.' | '!' | '?' | '。') && ends_sentence(&words[at + c.len_utf8()..]))
        .map_or(words.len(), |(at, c)| at + c.len_utf8());
    words.truncate(end);
    if words.len() > LONGEST {
        words.truncate(words.floor_char_boundary(LONGEST));
        words.push('…');
    }
    (!words.is_empty()).then_some(words)
}

/// After "e.g." a sentence goes on in lower case; after its end it does not.
fn ends_sentence(rest: &str) -> bool {
    rest.is_empty() || (rest.starts_with(' ') && !rest.trim_start().starts_with(char::is_lowercase))
}

fn without_marks(line: &str) -> &str {
    const OPENING: [&str; 14] =
        ["/**", "/*!", "/*", "///", "//!", "//", "\"\"\"", "'''", "r\"\"\"", "R\"\"\"", "##", "#", "*/", "*"];
    let mut line = line.trim();
    if let Some(mark) = OPENING.iter().find(|mark| line.starts_with(**mark)) {
        line = line[mark.len()..].trim_start();
    }
    for mark in ["*/", "\"\"\"", "'''"] {
        line = line.strip_suffix(mark).unwrap_or(line).trim_end();
    }
    line
}

/// Takes out markup such as `<summary>` and `</p>`; comparisons and generics such as `a < b` or `Vec<T>` stay.
fn without_tags(line: &str) -> String {
    const TAGS: [&str; 8] = ["summary", "remarks", "p", "para", "b", "i", "em", "br"];
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at(open);
        out.push_str(before);
        let close = tag.find('>');
        let name = close.map(|close| tag[1..close].trim_matches(['/', ' ']));
        if let (Some(close), Some(name)) = (close, name)
            && TAGS.contains(&name)
        {
            rest = &tag[close + 1..];
        } else {
            out.push('<');
            rest = &tag[1..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn marks_tags_and_later_sentences_go() {
        for (raw, expected) in [
            ("/// Adds two. Slowly.\n", Some("Adds two.")),
            ("/**\n * Adds two\n * numbers.\n *\n * @param a one\n */", Some("Adds two numbers.")),
            ("/// <summary>\n/// Keeps a <c>List<T></c>.\n/// </summary>", Some("Keeps a <c>List<T></c>.")),
            ("\"\"\"Fetch a user, e.g. by name. Cached.\"\"\"", Some("Fetch a user, e.g. by name.")),
            ("# ----------\n# Loads it", Some("Loads it")),
            ("/* */", None),
            ("", None),
        ] {
            assert_eq!(first_sentence(raw).as_deref(), expected, "{raw}");
        }
    }

    #[test]
    fn an_endless_sentence_is_cut_at_a_character() {
        let cut = first_sentence(&"ä".repeat(500)).unwrap();
        assert!(cut.ends_with('…') && cut.len() <= super::LONGEST + 3);
    }
}
