//! Ends of Python strings.

use memchr::memmem;

use crate::outline::tokens::strings::escaped_end;

/// Strings inside the holes of strings are followed up to this depth.
const DEEPEST: usize = 4;

/// The end of a string, and whether quotes close it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StringEnd {
    pub(crate) at: usize,
    pub(crate) is_closed: bool,
}

/// Finds the ends of strings.
#[derive(Debug, Default)]
pub(crate) struct StringScanner {
    /// Up to here a hole was sought in vain; looking for it again from every quote on the way would take forever.
    no_hole_before: usize,
}

impl StringScanner {
    /// The end of the string whose first quote is at `from`.
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

/// `"""…"""` from after its quotes.
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

/// True if the prefix of the string says that `{…}` in it is code.
fn has_holes(bytes: &[u8], quote_at: usize) -> bool {
    let prefix = bytes[..quote_at].iter().rev().take(2).take_while(|byte| byte.is_ascii_alphabetic());
    prefix.into_iter().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'))
}

/// The end of `f"…{…}…"` on one line, where strings in holes may have the same quotes; else how far it was sought.
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

/// The end of `{…}`.
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
