//! The lines of a file that a change touches.

use git2::{DiffOptions, Patch};

/// First and last line, 1-based and inclusive.
pub type LineRange = (u32, u32);

/// The line ranges of `old` that differ in `new`. An insertion touches the lines before and after it. Empty for binary
/// files.
pub fn changed_ranges(old: &[u8], new: &[u8]) -> Vec<LineRange> {
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).indent_heuristic(true);
    let Ok(patch) = Patch::from_buffers(old, None, new, None, Some(&mut options)) else { return Vec::new() };
    let lines = memchr::memchr_iter(b'\n', old).count() as u32 + u32::from(!old.is_empty() && !old.ends_with(b"\n"));
    let range = |hunk: usize| {
        let (hunk, _) = patch.hunk(hunk).ok()?;
        let (first, count) = (hunk.old_start(), hunk.old_lines());
        // For an insertion, git reports the line before it, which is 0 at the start of the file.
        let (first, last) = if count == 0 { (first, first + 1) } else { (first, first + count - 1) };
        Some((first.max(1), last.min(lines).max(1)))
    };
    (0..patch.num_hunks()).filter_map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_deleted_and_inserted_lines_have_ranges_in_the_old_text() {
        let old = b"a\nb\nc\nd\ne\nf\n";
        let ranges = |new: &[u8]| changed_ranges(old, new);
        assert_eq!(ranges(b"a\nB\nC\nd\ne\nf\n"), [(2, 3)]);
        assert_eq!(ranges(b"a\nc\nd\ne\nf\n"), [(2, 2)]);
        assert_eq!(ranges(b"a\nb\nnew\nc\nd\nE\nf\n"), [(2, 3), (5, 5)]);
        assert_eq!(ranges(b"new\na\nb\nc\nd\ne\nf\n"), [(1, 1)]);
        assert_eq!(ranges(b"a\nb\nc\nd\ne\nf\nnew\n"), [(6, 6)]);
        assert_eq!(ranges(old), []);
        assert_eq!(changed_ranges(b"", b"new\n"), [(1, 1)]);
    }
}
