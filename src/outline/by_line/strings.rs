//! Ends of Python strings.

use memchr::memmem;

use crate::outline::tokens::strings::escaped_end;

/// Maximum depth of strings nested in the expressions of other strings.
const DEEPEST: usize = 4;

/// End of a string, and whether it has a closing quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StringEnd {
    pub(crate) at: usize,
    pub(crate) is_closed: bool,
}

/// Finds the ends of strings.
#[derive(Debug, Default)]
pub(crate) struct StringScanner {
    /// End of the last failed search for a closing brace; searching again from every quote before
    /// it would take quadratic time.
    no_hole_before: usize,
}

impl StringScanner {
    /// End of the string whose first quote is at `from`.
    pub(crate) fn end(&mut self, bytes: &[u8], from: usize) -> StringEnd {
        let quote = bytes[from];
        if bytes[from..].starts_with(&[quote; 3]) {
            return long_end(bytes, from + 3, quote);
        }
        if has_holes(bytes, from) && from >= self.no_hole_before {
            match end_with_holes(bytes, from + 1, quote, 0) {
                Ok(at) => return StringEnd { at, is_closed: true },
                Err(tried) => self.no_hole_before = tried,
            }
        }
        let at = escaped_end(bytes, from + 1, quote, false);
        StringEnd { at, is_closed: at > from + 1 && bytes[at - 1] == quote }
    }
}

/// End of `"""…"""`, given the position after its opening quotes.
fn long_end(bytes: &[u8], from: usize, quote: u8) -> StringEnd {
    let quotes = [quote; 3];
    let mut at = from;
    while let Some(length) = bytes.get(at..).and_then(|rest| memmem::find(rest, &quotes)) {
        let found = at + length;
        let escapes = bytes[from..found].iter().rev().take_while(|byte| **byte == b'\\').count();
        if escapes.is_multiple_of(2) {
            return StringEnd { at: found + 3, is_closed: true };
        }
        at = found + 1;
    }
    StringEnd { at: bytes.len(), is_closed: false }
}

/// Returns true if the string's prefix makes `{…}` in it an expression.
fn has_holes(bytes: &[u8], quote_at: usize) -> bool {
    let prefix = bytes[..quote_at].iter().rev().take(2).take_while(|byte| byte.is_ascii_alphabetic());
    prefix.into_iter().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'))
}

/// End of `f"…{…}…"` on one line, where nested strings may use the same quotes; otherwise the
/// position at which the search stopped.
fn end_with_holes(bytes: &[u8], from: usize, quote: u8, depth: usize) -> Result<usize, usize> {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return Err(at),
            b'{' if bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' => at = hole_end(bytes, at + 1, depth)?,
            _ if byte == quote => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(bytes.len())
}

/// End of `{…}`.
fn hole_end(bytes: &[u8], from: usize, depth: usize) -> Result<usize, usize> {
    let (mut at, mut open) = (from, 1_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => return Err(at),
            b'{' => open += 1,
            b'}' => {
                open -= 1;
                if open == 0 {
                    return Ok(at + 1);
                }
            }
            b'"' | b'\'' => {
                if depth >= DEEPEST {
                    return Err(at);
                }
                at = end_with_holes(bytes, at + 1, byte, depth + 1)?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Err(bytes.len())
}
