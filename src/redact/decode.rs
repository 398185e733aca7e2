//! Decoding of UTF-16 and base64.

/// UTF-16 text as UTF-8, with the original position of every character.
#[derive(Debug)]
pub(super) struct Utf16Text {
    pub text: String,
    /// For every byte of `text`, the original position of its character. The last entry is for the end of the text.
    pub origin: Vec<usize>,
}

/// Decodes UTF-16 without a byte order mark, recognized by NULs at every other byte.
pub(super) fn utf16(bytes: &[u8]) -> Option<Utf16Text> {
    let big = is_big_endian(bytes)?;
    let mut decoded =
        Utf16Text { text: String::with_capacity(bytes.len() / 2), origin: Vec::with_capacity(bytes.len() / 2 + 1) };
    let units = bytes
        .chunks_exact(2)
        .map(|pair| if big { u16::from_be_bytes([pair[0], pair[1]]) } else { u16::from_le_bytes([pair[0], pair[1]]) });
    let mut at = 0;
    for character in char::decode_utf16(units) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        decoded.text.push(character);
        decoded.origin.resize(decoded.text.len(), at);
        at += 2 * character.len_utf16();
    }
    decoded.origin.push(at.min(bytes.len()));
    Some(decoded)
}

/// Byte order, derived from the position of the NULs of Latin letters; `None` if it is not UTF-16.
fn is_big_endian(bytes: &[u8]) -> Option<bool> {
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

/// Decodes standard or URL-safe base64 up to the first other byte.
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
    fn utf16_is_recognized_by_nuls_and_keeps_positions() {
        let encode = |text: &str, big: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        for big in [false, true] {
            let is_some = |text: &str| utf16(&encode(text, big)).is_some();
            let decoded = utf16(&encode("a\u{e9}\u{1f600}bcdefgh", big)).unwrap();
            assert_eq!(decoded.text, "a\u{e9}\u{1f600}bcdefgh");
            assert_eq!(decoded.origin, [0, 2, 2, 4, 4, 4, 4, 8, 10, 12, 14, 16, 18, 20, 22]);
            assert!(is_some("abcd") && !is_some("abc"));
            // Eight of ten characters must be Latin.
            assert!(is_some("abcdefgh\u{4f60}\u{4f60}") && !is_some("abcdefg\u{4f60}\u{4f60}\u{4f60}"));
        }
        assert!(utf16(&[0; 40]).is_none() && utf16(b"plain text of bytes").is_none());
    }

    #[test]
    fn base64_of_known_text() {
        assert_eq!(base64(b"aGVsbG8gd29ybGQ="), b"hello world");
        assert_eq!(base64(b"am9lOnB3-_8=x"), b"joe:pw\xfb\xff");
        assert_eq!(base64(b"!"), b"");
    }
}
