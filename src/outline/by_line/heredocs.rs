//! Here-documents: texts that begin on the line after their announcement and end with a line of their own.

use memchr::memchr;

/// After so many of them without an end none is sought any more; that would take the time of the whole text each.
const MOST_FAILURES: usize = 8;

/// A here-document that has been announced.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heredoc {
    /// The range of its name.
    pub(crate) name: (usize, usize),
    pub(crate) may_be_indented: bool,
    /// The end of the announcement.
    pub(crate) end: usize,
}

/// Finds the ends of here-documents.
#[derive(Debug, Default)]
pub(crate) struct Heredocs {
    failures: usize,
}

impl Heredocs {
    /// The start of the line after a document that begins at `from`.
    pub(crate) fn end(&mut self, bytes: &[u8], document: Heredoc, from: usize) -> Option<usize> {
        if self.failures >= MOST_FAILURES {
            return None;
        }
        let name = &bytes[document.name.0..document.name.1];
        let mut at = from;
        while at < bytes.len() {
            let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            let line = bytes[at..end].strip_suffix(b"\r").unwrap_or(&bytes[at..end]);
            let line = if document.may_be_indented { line.trim_ascii_start() } else { line };
            if line == name {
                return Some((end + 1).min(bytes.len()));
            }
            at = end + 1;
        }
        self.failures += 1;
        None
    }
}
