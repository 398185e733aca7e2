//! Texts in other clothes: UTF-16, and base64.

/// UTF-16 text as UTF-8, with the place every character came from.
#[derive(Debug)]
pub(super) struct Decoded {
    pub text: String,
    /// For every byte of `text`, where its character starts in the original; one more for the end.
    pub origin: Vec<usize>,
}

/// Decodes UTF-16 with a byte order mark, or without one where every other byte of the beginning is NUL.
pub(super) fn utf16(bytes: &[u8]) -> Option<Decoded> {
    let (big, skip) = match bytes {
        [0xFE, 0xFF, ..] => (true, 2),
        [0xFF, 0xFE, ..] => (false, 2),
        _ => (guess_order(bytes)?, 0),
    };
    let mut decoded =
        Decoded { text: String::with_capacity(bytes.len() / 2), origin: Vec::with_capacity(bytes.len() / 2 + 1) };
    let units = bytes[skip..]
        .chunks_exact(2)
        .map(|pair| if big { u16::from_be_bytes([pair[0], pair[1]]) } else { u16::from_le_bytes([pair[0], pair[1]]) });
    let mut at = skip;
    for character in char::decode_utf16(units) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        decoded.text.push(character);
        decoded.origin.resize(decoded.text.len(), at);
        at += 2 * character.len_utf16();
    }
    decoded.origin.push(at.min(bytes.len()));
    Some(decoded)
}

fn guess_order(bytes: &[u8]) -> Option<bool> {
    let head = &bytes[..bytes.len().min(512) & !1];
    if head.len() < 8 {
        return None;
    }
    let nuls = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (nuls(0), nuls(1));
    let half = head.len() / 2;
    match (even * 10 >= half * 8, odd * 10 >= half * 8) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Decodes as much base64 as there is, standard or URL-safe; stops at the first byte that is none.
pub(super) fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() * 3 / 4);
    let (mut held, mut bits) = (0_u32, 0);
    for &byte in bytes {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        held = (held << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits & 0xFF) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_both_ways_keeps_places() {
        for big in [false, true] {
            let mut bytes = if big { vec![0xFE, 0xFF] } else { vec![0xFF, 0xFE] };
            for unit in "aß😀z".encode_utf16() {
                bytes.extend(if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
            }
            let decoded = utf16(&bytes).unwrap();
            assert_eq!(decoded.text, "aß😀z");
            assert_eq!(decoded.origin[decoded.text.find('z').unwrap()], bytes.len() - 2);
            assert_eq!(decoded.origin.len(), decoded.text.len() + 1);
            assert_eq!(decoded.origin.last(), Some(&bytes.len()));
        }
        assert!(utf16(b"plain text without any mark").is_none());
    }

    #[test]
    fn base64_of_known_text() {
        assert_eq!(base64(b"aGVsbG8gd29ybGQ="), b"hello world");
        assert_eq!(base64(b"!"), b"");
    }
}
