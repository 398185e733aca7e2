//! Untrusted text inside XML tags.
//! teddy's own text is escaped. File contents are not, because models read code best verbatim. Each content is
//! enclosed in a tag that it cannot close: `file`, or `file-1`, `file-2` and so on if the content contains `</file>`.
//! Markdown fences solve the same problem with more backticks. Every tag starts a line, so the parser can work line by
//! line.

use crate::text::printable;

/// The first line of a payload that starts with its contents.
pub(in crate::render) const START: &str = "<context_payload>\n";

/// A tag that nothing in `text` can close.
pub(in crate::render) fn tag_for(name: &str, text: &str) -> String {
    let mut tag = name.to_owned();
    let mut number = 0;
    while text.contains(&format!("</{tag}>")) {
        number += 1;
        tag = format!("{name}-{number}");
    }
    tag
}

/// Escapes any path or name as the value of an attribute.
pub(in crate::render) fn attribute(text: &str) -> String {
    escaped(&printable(text)).replace('"', "&quot;")
}

/// Escapes a line of teddy's own text, which may contain untrusted names.
pub(in crate::render) fn prose(text: &str) -> String {
    // The lines are written for Markdown, where a backslash prevents `<` from starting a tag.
    escaped(&text.replace("\\<", "<"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Reverses the escaping.
pub(in crate::render) fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The value of an attribute of a tag.
pub(in crate::render) fn value(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| unescaped(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_tag_is_one_that_the_text_does_not_close() {
        assert_eq!(tag_for("file", "<file>"), "file");
        assert_eq!(tag_for("file", "a </file> b"), "file-1");
        assert_eq!(tag_for("file", "</file></file-1></file-3>"), "file-2");
    }

    proptest! {
        #[test]
        fn no_text_closes_its_tag(text in "(</?(file|item)(-[0-3])?>|[a-z<>/ \n]){0,30}") {
            let tag = tag_for("file", &text);
            let end = format!("</{tag}>");
            let written = format!("{text}{end}");
            prop_assert_eq!(written.find(&end), Some(text.len()));
        }

        #[test]
        fn attributes_are_read_back(path in "[a&<>\";=lt ./]{0,20}") {
            let line = format!("<link path=\"{}\" lines=\"1-2\">", attribute(&path));
            prop_assert_eq!(value(&line, "path"), Some(path));
            prop_assert_eq!(value(&line, "lines"), Some("1-2".to_owned()));
        }
    }
}
