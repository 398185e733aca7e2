//! Ends of strings, for several languages.

use memchr::memmem;

use crate::outline::steps;
use crate::outline::tokens::lexer::Lexer;

/// Maximum number of characters before a quote that change the syntax of the string, such as `$$@"`
/// and `##"`.
pub(crate) const MOST_MARKS: usize = 8;

/// `"…"` and `'…'` on one line.
pub(crate) fn quoted(lexer: &Lexer<'_>) -> Option<usize> {
    let quote = *lexer.bytes.get(lexer.at)?;
    matches!(quote, b'"' | b'\'').then(|| escaped_end(lexer.bytes, lexer.at + 1, quote, false))
}

/// End of a string that started before `from`: after its quote, or at the end of the line if it must not span lines.
pub(crate) fn escaped_end(bytes: &[u8], from: usize, quote: u8, many_lines: bool) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // A break after `\` does not end a string.
            b'\\' => at += 1 + usize::from(bytes.get(at + 1..).is_some_and(|rest| rest.starts_with(b"\r\n"))),
            b'\n' if !many_lines => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        steps::count(1);
        at += 1;
    }
    bytes.len()
}

/// End of the first `needle` from `from` on; the end of the text if there is none.
pub(crate) fn after(bytes: &[u8], from: usize, needle: &[u8]) -> usize {
    let found = bytes.get(from..).and_then(|rest| memmem::find(rest, needle));
    let end = found.map_or(bytes.len(), |length| from + length + needle.len());
    steps::count(end.saturating_sub(from));
    end
}

/// End of an expression in a string: after the `}` that closes it. `skip` returns the end of the string or other token
/// that starts at a position; if it returns the position itself, the expression ends there.
pub(crate) fn braced_end(bytes: &[u8], from: usize, skip: impl Fn(usize, u8) -> Option<usize>) -> usize {
    let (mut at, mut open) = (from, 1_usize);
    while let Some(&byte) = bytes.get(at) {
        match skip(at, byte) {
            Some(end) if end == at => return at,
            Some(end) => at = end,
            None => {
                open += usize::from(byte == b'{');
                open -= usize::from(byte == b'}');
                at += 1;
                if open == 0 {
                    return at;
                }
            }
        }
    }
    bytes.len()
}

/// Maximum depth of strings nested in the expressions of other strings.
pub(crate) const DEEPEST: usize = 8;

/// Syntax of strings with expressions, such as `"${…}"` or `"\(…)"`, on one line or in triple quotes.
#[derive(Clone, Copy)]
pub(crate) struct Interpolation {
    /// Opening delimiter of an interpolated expression, such as `${`; its second byte is the bracket.
    pub(crate) hole: [u8; 2],
    /// Quotes of strings inside an expression.
    pub(crate) quotes: &'static [u8],
    /// True if `\` is an escape in triple quotes.
    pub(crate) long_escapes: bool,
}

impl Interpolation {
    /// End of the string whose first quote is at `start`.
    pub(crate) fn end(self, bytes: &[u8], start: usize) -> usize {
        self.end_at_depth(bytes, start, 0)
    }

    fn end_at_depth(self, bytes: &[u8], start: usize, depth: usize) -> usize {
        let quote = bytes[start];
        let triple = [quote; 3];
        let many_lines = bytes[start..].starts_with(&triple);
        let mut at = start + if many_lines { 3 } else { 1 };
        let has_escapes = !many_lines || self.long_escapes;
        while let Some(&byte) = bytes.get(at) {
            steps::count(1);
            match byte {
                _ if bytes[at..].starts_with(&self.hole) && depth < DEEPEST => at = self.hole_end(bytes, at + 2, depth),
                b'\\' if has_escapes => at += 2,
                _ if byte == quote && !many_lines => return at + 1,
                _ if byte == quote && bytes[at..].starts_with(&triple) => {
                    return at + bytes[at..].iter().take_while(|byte| **byte == quote).count();
                }
                b'\n' if !many_lines => return at,
                _ => at += 1,
            }
        }
        bytes.len()
    }

    fn hole_end(self, bytes: &[u8], from: usize, depth: usize) -> usize {
        let (opening, closing) = if self.hole[1] == b'{' { (b'{', b'}') } else { (b'(', b')') };
        let (mut at, mut open) = (from, 1_usize);
        while let Some(&byte) = bytes.get(at) {
            steps::count(1);
            if self.quotes.contains(&byte) {
                at = self.end_at_depth(bytes, at, depth + 1);
                continue;
            }
            open += usize::from(byte == opening);
            open -= usize::from(byte == closing);
            at += 1;
            if open == 0 {
                break;
            }
        }
        at
    }
}
