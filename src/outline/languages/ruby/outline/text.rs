//! Ends of strings, regular expressions and here-documents of Ruby.

use memchr::memchr2;

use crate::outline::by_line::heredocs::Heredoc;
use crate::outline::tokens::strings::{DEEPEST, braced_end};

/// End of a literal that started before `from`: after `close`, where `open` and `close` nest. If `has_holes`, `#{…}` is
/// code. Returns the end of the file if the literal is not closed.
pub(super) fn text_end(bytes: &[u8], from: usize, open: u8, close: u8, has_holes: bool, depth: usize) -> usize {
    let (mut at, mut nested) = (from, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'#' if has_holes && bytes.get(at + 1) == Some(&b'{') && depth < DEEPEST => {
                at = hole_end(bytes, at + 2, depth);
                continue;
            }
            _ if byte == close && nested == 0 => return at + 1,
            _ if byte == close => nested -= 1,
            _ if byte == open && open != close => nested += 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// End of `#{…}` in a literal.
fn hole_end(bytes: &[u8], from: usize, depth: usize) -> usize {
    braced_end(bytes, from, |at, byte| match byte {
        // `$'` and similar are variables.
        b'$' => Some(at + 2),
        b'"' | b'\'' | b'`' => Some(text_end(bytes, at + 1, byte, byte, byte != b'\'', depth + 1)),
        _ => None,
    })
}

/// End of `%w[…]`, `%(…)` and so on, whose `%` is at `from`; `None` if it is an operator.
pub(super) fn percent_end(bytes: &[u8], from: usize) -> Option<usize> {
    let letter = *bytes.get(from + 1)?;
    let has_letter = matches!(letter, b'w' | b'W' | b'i' | b'I' | b'q' | b'Q' | b'r' | b's' | b'x');
    let open = *bytes.get(from + 1 + usize::from(has_letter))?;
    let close = match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        b'|' | b'!' | b'/' | b'-' | b'^' | b'@' | b'+' | b'*' | b'#' | b'%' | b'_' | b'.' | b',' | b':' | b';'
        | b'"' | b'\'' | b'~' | b'$'
            if has_letter || matches!(open, b'|' | b'!' | b'/' | b'-' | b'^') =>
        {
            open
        }
        _ => return None,
    };
    let has_holes = !matches!(letter, b'w' | b'i' | b'q' | b's');
    Some(text_end(bytes, from + 2 + usize::from(has_letter), open, close, has_holes, 0))
}

/// End of `/…/` with its flags, given the position after its first slash.
pub(super) fn regex_end(bytes: &[u8], from: usize) -> usize {
    let end = text_end(bytes, from, b'/', b'/', true, 0);
    end + bytes[end..].iter().take_while(|byte| byte.is_ascii_lowercase()).count()
}

/// Returns true if there is another `/` on this line.
pub(super) fn closes_on_line(bytes: &[u8], from: usize) -> bool {
    memchr2(b'/', b'\n', &bytes[from..]).is_some_and(|length| bytes[from + length] == b'/')
}

/// The here-document whose `<<` is at `from`, if it looks like one.
pub(super) fn heredoc(bytes: &[u8], from: usize) -> Option<Heredoc> {
    let mut at = from + 2;
    let may_be_indented = matches!(bytes.get(at), Some(b'~' | b'-'));
    at += usize::from(may_be_indented);
    let quote = *bytes.get(at)?;
    if matches!(quote, b'"' | b'\'' | b'`') {
        let length = memchr2(quote, b'\n', &bytes[at + 1..]).filter(|length| *length > 0)?;
        let end = at + 1 + length;
        return (bytes[end] == quote).then_some(Heredoc { name: (at + 1, end), may_be_indented, end: end + 1 });
    }
    let length =
        bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80).count();
    let is_name = quote.is_ascii_uppercase() || (may_be_indented && (quote.is_ascii_lowercase() || quote == b'_'));
    is_name.then_some(Heredoc { name: (at, at + length), may_be_indented, end: at + length })
}
