//! Splits text into rows, and rebuilds it with some rows replaced by markers.

use memchr::memchr;

use super::skeleton::ShortenedText;

/// Lines of `text` without their endings, like [`str::lines`], found many bytes at a time.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let line = match memchr(b'\n', rest.as_bytes()) {
            _ if rest.is_empty() => return None,
            None => return Some(std::mem::take(&mut rest)),
            Some(end) => {
                let line = &rest[..end];
                rest = &rest[end + 1..];
                line
            }
        };
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// Rows to omit (0-based, inclusive), and their replacement (without a line break).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) mark: String,
}

/// Rows of source text, with their line breaks.
pub(super) struct TextRows<'t> {
    rows: Vec<&'t str>,
}

impl<'t> TextRows<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { rows: text.split_inclusive('\n').collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// A row without its line break; empty if it does not exist.
    pub(super) fn row(&self, row: usize) -> &'t str {
        self.rows.get(row).map_or("", |row| row.trim_end_matches(['\n', '\r']))
    }

    /// Indentation of the first row in the range that is not blank.
    pub(super) fn indentation(&self, first: usize, last: usize) -> &'t str {
        let row = (first..=last).map(|row| self.row(row)).find(|row| !row.trim().is_empty()).unwrap_or("");
        &row[..row.len() - row.trim_start().len()]
    }

    /// Number of bytes of the rows, without the last line break.
    pub(super) fn bytes(&self, first: usize, last: usize) -> usize {
        let before: usize = self.rows.iter().take(last).skip(first).map(|row| row.len()).sum();
        before + self.row(last).len()
    }

    /// The text with the gaps (sorted, disjoint, within the text) replaced by markers.
    pub(super) fn without(&self, gaps: &[Gap]) -> ShortenedText {
        let mut text = String::new();
        let mut kept = Vec::new();
        let mut markers = Vec::new();
        let (mut next, mut rows) = (0, 0);
        for gap in gaps {
            self.copy(next, gap.first, &mut text, &mut kept);
            rows += gap.first.saturating_sub(next) as u32;
            markers.push(rows);
            rows += 1;
            text.push_str(&gap.mark);
            let last = self.rows.get(gap.last).copied().unwrap_or("");
            text.push_str(&last[last.trim_end_matches(['\n', '\r']).len()..]);
            next = gap.last + 1;
        }
        self.copy(next, self.count(), &mut text, &mut kept);
        ShortenedText { text, spans: kept, markers }
    }

    fn copy(&self, from: usize, to: usize, text: &mut String, kept: &mut Vec<(u32, u32)>) {
        if from < to {
            text.extend(self.rows[from..to].iter().copied());
            kept.push((from as u32 + 1, to as u32));
        }
    }
}

/// `15 lines`, `1 line`; without thousands separators, because `replay` must reproduce delivered markers.
pub(super) fn count_of_lines(count: usize) -> String {
    format!("{count} {}", if count == 1 { "line" } else { "lines" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_agrees_with_the_standard_library() {
        for text in ["", "a", "a\n", "\n\na\r\n\r\nb\r", "é\n\r\n", "a\r\r\nb"] {
            assert_eq!(lines_of(text).collect::<Vec<_>>(), text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn a_marker_keeps_the_line_break_of_the_last_replaced_row() {
        let lines = TextRows::of("a\r\n  b\r\n  c\r\nd");
        let gap = |first, last| Gap { first, last, mark: "~".to_owned() };
        let cut = |text: &str, spans: &[(u32, u32)], markers: &[u32]| ShortenedText {
            text: text.to_owned(),
            spans: spans.to_vec(),
            markers: markers.to_vec(),
        };
        assert_eq!(lines.without(&[gap(1, 2)]), cut("a\r\n~\r\nd", &[(1, 1), (4, 4)], &[1]));
        assert_eq!(lines.without(&[gap(3, 3)]), cut("a\r\n  b\r\n  c\r\n~", &[(1, 3)], &[3]));
        assert_eq!(lines.without(&[gap(0, 0), gap(1, 1)]), cut("~\r\n~\r\n  c\r\nd", &[(3, 4)], &[0, 1]));
        assert_eq!(lines.without(&[]), cut("a\r\n  b\r\n  c\r\nd", &[(1, 4)], &[]));
        assert_eq!(lines.indentation(0, 3), "");
        assert_eq!(lines.indentation(1, 3), "  ");
        assert_eq!(lines.bytes(1, 2), 8);
    }
}
