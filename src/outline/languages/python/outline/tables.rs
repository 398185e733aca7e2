//! Python lists, tuples, sets and dictionaries that are long enough to be shortened.

/// An open bracket.
#[derive(Debug, Clone, Copy)]
pub(super) struct PythonBracket {
    bracket: u8,
    pub(super) start: usize,
    pub(super) row: u32,
    pub(super) has_comma: bool,
    pub(super) has_for: bool,
    /// Number of tables before it.
    pub(super) tables_before: usize,
}

impl PythonBracket {
    pub(super) fn new(bracket: u8, start: usize, row: u32, tables_before: usize) -> Self {
        Self { bracket, start, row, has_comma: false, has_for: false, tables_before }
    }

    pub(super) fn closes_with(&self, bracket: u8) -> bool {
        matches!((self.bracket, bracket), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
    }

    /// Returns true if the bracket follows something that is called or indexed.
    fn is_applied(&self, bytes: &[u8]) -> bool {
        let before = bytes[..self.start].trim_ascii_end();
        let Some(last) = before.last().filter(|_| self.bracket != b'{') else { return false };
        if !last.is_ascii_alphanumeric() && !matches!(last, b'_' | b')' | b']' | b'}' | b'"' | b'\'' | 0x80..) {
            return false;
        }
        let letters =
            before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..));
        let word = &before[before.len() - letters.count()..];
        !KEYWORDS.contains(&word)
    }
}

const KEYWORDS: [&[u8]; 14] = [
    b"in", b"return", b"and", b"or", b"not", b"is", b"if", b"else", b"yield", b"await", b"assert", b"del", b"for",
    b"print",
];

/// Returns true if the bracket contains a table of data. Arguments of calls do not count, because
/// they are configuration rather than data.
pub(super) fn is_table(bytes: &[u8], group: PythonBracket, around: &[PythonBracket]) -> bool {
    if group.has_for || (group.bracket == b'(' && !group.has_comma) || group.is_applied(bytes) {
        return false;
    }
    let is_call = |group: &PythonBracket| group.bracket == b'(' && group.is_applied(bytes);
    match around {
        [.., call, list] if list.bracket != b'{' => !is_call(list) && !is_call(call),
        [.., outer] => !is_call(outer),
        [] => true,
    }
}
