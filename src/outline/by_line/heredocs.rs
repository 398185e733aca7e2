//! Here-documents: strings that begin on the line after their operator and end with a delimiter line.

use memchr::memchr;

/// Maximum number of here-documents without an end; each costs a search through the rest of the text.
const MOST_FAILURES: usize = 8;

/// A here-document whose operator has been read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heredoc {
    /// Range of its delimiter.
    pub(crate) name: (usize, usize),
    pub(crate) may_be_indented: bool,
    /// End of the operator.
    pub(crate) end: usize,
}

/// Finds the ends of here-documents.
#[derive(Debug, Default)]
pub(crate) struct Heredocs {
    failures: usize,
}

impl Heredocs {
    /// Start of the line after a document that begins at `from`.
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
