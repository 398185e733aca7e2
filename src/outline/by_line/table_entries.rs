//! Entries of a table in a file that is read line by line; a skeleton keeps the first few.

use memchr::{memchr, memchr_iter};

use crate::outline::by_line::strings::StringScanner;
use crate::outline::raw_outline::SAMPLE_ROWS;
use crate::outline::raw_outline::SHORTEST_TABLE;

/// Rows of a table that a skeleton can omit: all but the first few entries, if the brackets are on separate rows.
pub(crate) fn entries(
    bytes: &[u8],
    open: (usize, u32),
    close: (usize, u32),
    strings: &mut StringScanner,
) -> Option<(u32, u32)> {
    let ((open, open_row), (close, close_row)) = (open, close);
    let first_line = memchr(b'\n', bytes.get(open..close)?)?;
    let beside = bytes[open + 1..open + first_line].trim_ascii();
    let shares_row = !beside.is_empty() && !beside.starts_with(b"#");
    let blanks = bytes[..close].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if shares_row || bytes.get(..close - blanks)?.last() != Some(&b'\n') {
        return None;
    }
    let (first, last) = (open_row + 1, close_row.checked_sub(1)?);
    let inside = &bytes[..close];
    let mut entries =
        TableEntries { bytes: inside, at: open + first_line + 1, row: first, sample_end: first + SAMPLE_ROWS as u32 };
    let mut sampled = first;
    while let Some(start) = entries.next_start() {
        if start >= sampled && start >= entries.sample_end {
            break;
        }
        let Some(end) = entries.end(strings) else {
            // An entry that continues beyond the sample is omitted if it begins its row; otherwise
            // the sample ends before that row.
            return (start >= sampled).then_some((start, last)).filter(|rows| is_long(*rows));
        };
        sampled = sampled.max(end + 1);
    }
    Some((sampled, last)).filter(|rows| is_long(*rows))
}

fn is_long((first, last): (u32, u32)) -> bool {
    (last + 1) as usize >= first as usize + SHORTEST_TABLE - 3
}

/// Reads the first entries of a table one by one.
struct TableEntries<'t> {
    bytes: &'t [u8],
    at: usize,
    row: u32,
    sample_end: u32,
}

impl TableEntries<'_> {
    /// Row on which the next entry or comment begins.
    fn next_start(&mut self) -> Option<u32> {
        loop {
            match self.bytes.get(self.at)? {
                b'\n' => self.row += 1,
                b' ' | b'\t' | b'\r' | b',' => {}
                _ => return Some(self.row),
            }
            self.at += 1;
        }
    }

    /// Row on which the current entry ends; `None` if it is beyond the sample.
    fn end(&mut self, strings: &mut StringScanner) -> Option<u32> {
        let is_comment = self.bytes.get(self.at) == Some(&b'#');
        let (mut depth, mut end) = (0_usize, self.row);
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'#' => {
                    self.at += memchr(b'\n', &self.bytes[self.at..]).unwrap_or(self.bytes.len() - self.at);
                    if is_comment {
                        return (self.row < self.sample_end).then_some(self.row);
                    }
                    continue;
                }
                b'"' | b'\'' => {
                    let string_end = strings.end(self.bytes, self.at).at;
                    self.row += memchr_iter(b'\n', &self.bytes[self.at..string_end]).count() as u32;
                    (self.at, end) = (string_end, self.row);
                    continue;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'\n' => self.row += 1,
                b',' if depth == 0 => break,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                end = self.row;
            }
            if end >= self.sample_end {
                break;
            }
            self.at += 1;
        }
        (end < self.sample_end).then_some(end)
    }
}
