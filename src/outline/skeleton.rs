//! Shortens source files: replaces bodies, long tables, or everything outside selected lines with markers.

use super::lines::{Gap, TextRows, count_of_lines};
use super::shape::{Foldable, Shape};
use crate::outline::language::Language;

/// Text with parts replaced by markers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortenedText {
    /// The remaining text, with a marker in place of each gap.
    pub text: String,
    /// Lines of the original that `text` contains verbatim (1-based, inclusive), merged and sorted.
    pub spans: Vec<(u32, u32)>,
    /// Rows of `text` (0-based, sorted) that replace omitted lines.
    pub markers: Vec<u32>,
}

/// The file without its bodies. Imports, signatures, types, docstrings and doc comments are kept, and so are
/// definitions that overlap the lines in `keep`. `None` if the language has no reader or the text is too large.
///
/// Brackets stay balanced, and the result is never longer than the original.
pub fn skeleton(language: Language, text: &str, keep: &[(u32, u32)]) -> Option<ShortenedText> {
    Some(skeleton_by(&Shape::of(language, text)?, language, text, keep))
}

/// Like [`skeleton`], for text whose shape is known.
pub fn skeleton_by(shape: &Shape, language: Language, text: &str, keep: &[(u32, u32)]) -> ShortenedText {
    let lines = TextRows::of(text);
    lines.without(&gaps(&shape.folds, language, &lines, keep))
}

/// The gaps in order; none overlaps the lines in `keep`.
fn gaps(folds: &[Foldable], language: Language, lines: &TextRows<'_>, keep: &[(u32, u32)]) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    let mut gaps_before = Vec::with_capacity(folds.len());
    for (at, fold) in folds.iter().enumerate() {
        gaps_before.push(gaps.len());
        let kept = keep.iter().any(|&(first, last)| first <= fold.scope.1 + 1 && last > fold.scope.0);
        if kept || fold.gap.is_some() {
            gaps.truncate(gaps_before[at - fold.holds]);
        }
        if !kept {
            gaps.extend(gap(fold, language, lines));
        }
    }
    gaps
}

/// The gap of a fold, if its marker is shorter than its text.
fn gap(fold: &Foldable, language: Language, lines: &TextRows<'_>) -> Option<Gap> {
    let (first, last) = fold.gap.map(|(first, last)| (first as usize, last as usize))?;
    let statement = if fold.is_body { language.spec().empty_body } else { "" };
    let (before, after) = language.line_comment().unwrap_or_default();
    let indentation = lines.indentation(first, last);
    let mark = format!("{indentation}{statement}{before}... ({}){after}", count_of_lines(last + 1 - first));
    (mark.len() < lines.bytes(first, last)).then_some(Gap { first, last, mark })
}

/// Only the given lines (1-based, in any order, possibly overlapping). Each gap, including those at both ends, becomes
/// a line with the number of omitted lines.
pub fn cut_to_spans(language: Option<Language>, text: &str, spans: &[(u32, u32)]) -> ShortenedText {
    let lines = TextRows::of(text);
    let mut wanted = vec![false; lines.count()];
    for &(first, last) in spans {
        let first = (first.max(1) as usize) - 1;
        let last = (last as usize).min(wanted.len());
        if first < last {
            wanted[first..last].fill(true);
        }
    }
    let (before, after) = language.and_then(Language::line_comment).unwrap_or_default();
    let mut gaps = Vec::new();
    let mut row = 0;
    while row < wanted.len() {
        let end = (row..wanted.len()).find(|&next| wanted[next] != wanted[row]).unwrap_or(wanted.len());
        if !wanted[row] {
            let indentation = lines.indentation(end, wanted.len());
            let mark = format!("{indentation}{before}… ({}){after}", count_of_lines(end - row));
            gaps.push(Gap { first: row, last: end - 1, mark });
        }
        row = end;
    }
    lines.without(&gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(language: Language, text: &str, keep: &[(u32, u32)]) -> String {
        skeleton(language, text, keep).unwrap().text
    }

    #[test]
    fn definitions_that_overlap_kept_lines_are_not_shortened() {
        let text =
            "/// One.\nfn one() {\n    a();\n    b();\n    c();\n}\n\nfn two() {\n    a();\n    b();\n    c();\n}\n";
        let without_two =
            "/// One.\nfn one() {\n    a();\n    b();\n    c();\n}\n\nfn two() {\n    // ... (3 lines)\n}\n";
        for line in [1, 2, 4, 6] {
            assert_eq!(shortened(Language::Rust, text, &[(line, line)]), without_two, "line {line}");
        }
        let cut = skeleton(Language::Rust, text, &[(7, 8)]).unwrap();
        assert_eq!(cut.spans, [(1, 2), (6, 12)]);
    }

    #[test]
    fn keeping_a_method_does_not_keep_its_whole_class() {
        let text = "class A:\n    def a(self):\n        x()\n        y()\n        z()\n\n    def b(self):\n        x()\n        y()\n        z()\n";
        let expected = "class A:\n    def a(self):\n        ...  # ... (3 lines)\n\n    def b(self):\n        x()\n        y()\n        z()\n";
        assert_eq!(shortened(Language::Python, text, &[(8, 8)]), expected);
    }

    #[test]
    fn bodies_that_share_a_line_with_other_code_are_kept() {
        for (language, text) in [
            (Language::C, "int f(void) { int a = 1;\n    a++;\n    a++;\n    a++;\n    return a;\n}\n"),
            (Language::C, "int f(void) {\n    int a = 1;\n    a++;\n    a++;\n    return a; }\n"),
            (Language::Python, "def f(): a = [\n    1,\n    2,\n    3,\n    4,\n]\n"),
            (Language::Ruby, "def f() a\n  b\n  c\n  d\n  e\nend\n"),
            (Language::JavaScript, "function f() {\n  a();\n  b();\n}\n"),
        ] {
            assert_eq!(shortened(language, text, &[]), text);
        }
    }

    #[test]
    fn a_here_document_that_ends_inside_a_block_is_kept() {
        let text = "run(<<~TEXT) do |x|\n  some text\n  TEXT\n  first(x)\n  second(x)\n  third(x)\nend\n";
        assert_eq!(shortened(Language::Ruby, text, &[]), text);
    }

    #[test]
    fn a_file_with_a_syntax_error_is_still_shortened() {
        let text = "fn f() {\n    a();\n    b();\n    c();\n}\n\nfn g( {\n";
        assert_eq!(shortened(Language::Rust, text, &[]), "fn f() {\n    // ... (3 lines)\n}\n\nfn g( {\n");
    }

    #[test]
    fn languages_without_a_reader_and_empty_files_have_no_skeleton() {
        assert_eq!(skeleton(Language::Markdown, "# a\n", &[]), None);
        assert_eq!(skeleton(Language::Go, "", &[]), Some(ShortenedText::default()));
    }

    #[test]
    fn gaps_become_comments_in_the_syntax_of_the_language() {
        let text = "a\nb\nc\nd\n    e\nf\ng\nh\n";
        let cut = cut_to_spans(Some(Language::Python), text, &[(5, 6), (1, 1)]);
        assert_eq!(cut.text, "a\n    # … (3 lines)\n    e\nf\n# … (2 lines)\n");
        assert_eq!(cut.spans, [(1, 1), (5, 6)]);
        assert_eq!(
            cut_to_spans(Some(Language::Html), text, &[(1, 6)]).text,
            "a\nb\nc\nd\n    e\nf\n<!-- … (2 lines) -->\n"
        );
        assert_eq!(cut_to_spans(None, text, &[]).text, "… (8 lines)\n");
        assert_eq!(cut_to_spans(None, "", &[(1, 9)]), ShortenedText::default());
    }

    #[test]
    fn a_line_shorter_than_its_marker_is_also_omitted() {
        let cut = cut_to_spans(Some(Language::C), "a\n\nb\n", &[(1, 1), (3, 3)]);
        assert_eq!(
            cut,
            ShortenedText { text: "a\n// … (1 line)\nb\n".to_owned(), spans: vec![(1, 1), (3, 3)], markers: vec![1] }
        );
        let long = format!("a\n{}\nb", "x".repeat(80));
        assert_eq!(cut_to_spans(Some(Language::C), &long, &[(1, 1), (3, 3)]).text, "a\n// … (1 line)\nb");
    }

    #[test]
    fn markers_use_the_line_breaks_of_the_file() {
        assert_eq!(cut_to_spans(None, "a\r\nb\r\nc\r\n", &[(3, 3)]).text, "… (2 lines)\r\nc\r\n");
    }
}
