//! Line numbers in the contents of files: `12: text`, aligned, and empty lines as `12:`. The numbers can be removed
//! again.

use crate::outline::skeleton::ShortenedText;

/// The marker in a content's description.
pub(super) const NUMBERED: &str = ", numbered";

/// Adds line numbers to a full text.
pub(super) fn number_whole(text: &str) -> String {
    let count = text.split_inclusive('\n').count();
    let rows = text.split_inclusive('\n').zip(1..).map(|(row, number)| (row, Some(number)));
    numbered(rows, count as u32)
}

/// Adds line numbers to an excerpt, except to markers for omitted lines. `count` is the number of lines in the full
/// text.
pub(super) fn number_cut(cut: &ShortenedText, count: u32) -> String {
    let mut numbers = cut.spans.iter().flat_map(|(first, last)| *first..=*last);
    let rows = cut.text.split_inclusive('\n').zip(0..).map(|(row, at)| {
        let is_marker = cut.markers.binary_search(&at).is_ok();
        (row, if is_marker { None } else { numbers.next() })
    });
    numbered(rows, count)
}

fn numbered<'t>(rows: impl Iterator<Item = (&'t str, Option<u32>)>, count: u32) -> String {
    let width = count.max(1).ilog10() as usize + 1;
    let mut text = String::new();
    for (row, number) in rows {
        match number {
            // A space at the end of a line would be lost in some editors.
            Some(number) if row == "\n" => text.push_str(&format!("{number:width$}:")),
            Some(number) => text.push_str(&format!("{number:width$}: ")),
            None => {}
        }
        text.push_str(row);
    }
    text
}

/// The text without its line numbers.
pub(super) fn without_numbers(text: &str) -> String {
    text.split_inclusive('\n').map(|row| after_number(row).unwrap_or(row)).collect()
}

/// The rest of a row after its number; `None` if it has none.
fn after_number(row: &str) -> Option<&str> {
    let digits = row.trim_start_matches(' ');
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = rest.strip_prefix(':').filter(|_| rest.len() < digits.len())?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::outline::language::Language;
    use crate::outline::skeleton::{cut_to_spans, skeleton};

    #[test]
    fn numbers_are_aligned_and_empty_lines_have_no_trailing_space() {
        let text = (1..=10).map(|number| if number == 2 { "\n".to_owned() } else { "  x\n".to_owned() });
        let shown = number_whole(&text.collect::<String>());
        assert!(shown.starts_with(" 1:   x\n 2:\n 3:   x\n"), "{shown}");
        assert!(shown.ends_with("10:   x\n"), "{shown}");
        assert_eq!(number_whole(""), "");
    }

    #[test]
    fn an_excerpt_has_the_numbers_of_the_file() {
        let text = "a\nb\nc\nd\n    e\nf\ng\nh\n";
        let cut = cut_to_spans(Some(Language::Python), text, &[(5, 6), (1, 1)]);
        assert_eq!(number_cut(&cut, 8), "1: a\n    # … (3 lines)\n5:     e\n6: f\n# … (2 lines)\n");
        assert_eq!(without_numbers(&number_cut(&cut, 8)), cut.text);
    }

    #[test]
    fn an_outline_has_the_numbers_of_the_file() {
        let text = "fn one() {\n    a();\n    b();\n    c();\n}\n\nfn two() {\n    a();\n    b();\n    c();\n}\n";
        let cut = skeleton(Language::Rust, text, &[]).unwrap();
        let shown = number_cut(&cut, 11);
        let expected =
            " 1: fn one() {\n    // ... (3 lines)\n 5: }\n 6:\n 7: fn two() {\n    // ... (3 lines)\n11: }\n";
        assert_eq!(shown, expected);
        assert_eq!(without_numbers(&shown), cut.text);
    }

    proptest! {
        #[test]
        fn numbers_can_be_removed_again(text in "([a-z0-9: \\r]{0,6}\n){0,12}[a-z0-9: ]{0,4}", spans in prop::collection::vec((0u32..9, 0u32..12), 0..4)) {
            prop_assert_eq!(without_numbers(&number_whole(&text)), text.clone());
            let cut = cut_to_spans(None, &text, &spans);
            let shown = number_cut(&cut, text.split_inclusive('\n').count() as u32);
            prop_assert_eq!(without_numbers(&shown), cut.text.clone());
            // Each number is the position of its line in the file.
            let rows: Vec<&str> = text.split_inclusive('\n').collect();
            for row in shown.split_inclusive('\n').filter(|row| after_number(row).is_some()) {
                let number: usize = row.split(':').next().unwrap().trim().parse().unwrap();
                prop_assert_eq!(after_number(row).unwrap(), rows[number - 1]);
            }
        }
    }
}
