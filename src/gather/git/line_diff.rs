//! The diff between two versions of a file, with the lines that changed.

use std::path::Path;

use git2::{DiffOptions, Patch};

/// Hunks of a diff, and the lines that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineDiff {
    /// The hunks as git prints them, each with its own heading.
    pub hunks: Vec<String>,
    /// Lines of the new text that were added or changed (1-based), in order.
    pub added: Vec<(u32, u32)>,
    /// Lines of the new text after which lines were removed; 0 for the start of the text.
    pub removed_after: Vec<u32>,
    /// Added lines that are not blank.
    pub telling: Vec<u32>,
    /// Removed lines of the old text that are not blank.
    pub telling_removed: Vec<u32>,
    /// Lines of the old text that were removed or changed, in order.
    pub removed: Vec<(u32, u32)>,
    /// Number of added lines.
    pub plus: usize,
    /// Number of removed lines.
    pub minus: usize,
}

impl LineDiff {
    /// Compares two versions of a file.
    pub fn between(old: &str, new: &str, path: &str) -> Self {
        let name = Some(Path::new(path));
        let mut options = DiffOptions::new();
        options.force_text(true);
        let mut diff = Self::default();
        let Ok(mut compared) = Patch::from_buffers(old.as_bytes(), name, new.as_bytes(), name, Some(&mut options))
        else {
            return diff;
        };
        let mut reached = 0;
        let _ = compared.print(&mut |_, _, line| {
            let content = String::from_utf8_lossy(line.content());
            match line.origin() {
                'H' => diff.hunks.push(content.into_owned()),
                sign @ (' ' | '+' | '-') => {
                    if let Some(hunk) = diff.hunks.last_mut() {
                        hunk.push(sign);
                        hunk.push_str(&content);
                    }
                    let is_blank = content.trim().is_empty();
                    diff.count(sign, (line.old_lineno(), line.new_lineno()), is_blank, &mut reached);
                }
                // Notes about a missing newline at the end.
                '<' | '>' | '=' => {
                    if let Some(hunk) = diff.hunks.last_mut() {
                        hunk.push('\n');
                        hunk.push_str(content.trim_start_matches('\n'));
                    }
                }
                _ => {}
            }
            true
        });
        for hunk in &mut diff.hunks {
            if !hunk.ends_with('\n') {
                hunk.push('\n');
            }
        }
        diff.removed_after.dedup();
        diff
    }

    fn count(&mut self, sign: char, (old, new): (Option<u32>, Option<u32>), is_blank: bool, reached: &mut u32) {
        *reached = new.unwrap_or(*reached);
        if !is_blank {
            self.telling.extend(new.filter(|_| sign == '+'));
            self.telling_removed.extend(old.filter(|_| sign == '-'));
        }
        match (sign, old, new) {
            ('+', _, Some(line)) => {
                self.plus += 1;
                extend(&mut self.added, line);
            }
            ('-', Some(line), _) => {
                self.minus += 1;
                extend(&mut self.removed, line);
                // A hunk begins with context, so the preceding line is known, unless the file begins here.
                self.removed_after.push(*reached);
            }
            _ => {}
        }
    }
}

fn extend(spans: &mut Vec<(u32, u32)>, line: u32) {
    match spans.last_mut() {
        Some(last) if last.1 + 1 == line => last.1 = line,
        _ => spans.push((line, line)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_those_of_the_new_text() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n";
        let new = "a\nB\nc\nd\ne\nf\ng\nh\ni\nk\nl\n";
        let diff = LineDiff::between(old, new, "x");
        assert_eq!(diff.added, [(2, 2), (11, 11)]);
        assert_eq!((diff.removed, diff.removed_after), (vec![(2, 2), (10, 10)], vec![1, 9]));
        assert_eq!((diff.plus, diff.minus, diff.hunks.len()), (2, 2, 2));
        assert_eq!((diff.telling, diff.telling_removed), (vec![2, 11], vec![2, 10]));
        assert!(diff.hunks[0].starts_with("@@ -1,5 +1,5 @@\n a\n-b\n+B\n"), "{:?}", diff.hunks);
    }

    #[test]
    fn a_missing_newline_is_reported_on_its_own_line() {
        let diff = LineDiff::between("a\nb", "a\nc", "x");
        assert_eq!(
            diff.hunks,
            ["@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"]
        );
    }

    proptest! {
        #[test]
        fn unchanged_lines_are_common_to_both(old in "[ab\n]{0,40}", new in "[ab\n]{0,40}") {
            let diff = LineDiff::between(&old, &new, "x");
            let kept = |text: &str, changed: &[(u32, u32)]| -> Vec<String> {
                let lines = text.split_inclusive('\n').zip(1u32..);
                let unchanged = lines.filter(|(_, at)| !changed.iter().any(|span| span.0 <= *at && *at <= span.1));
                unchanged.map(|(line, _)| line.to_owned()).collect()
            };
            prop_assert_eq!(kept(&old, &diff.removed), kept(&new, &diff.added));
        }
    }
}
