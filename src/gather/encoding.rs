//! Detects the encoding of text and decodes it to UTF-8; line endings are kept.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

/// Skip reason for files that are not text.
pub(super) const BINARY: &str = "binary";

/// Number of bytes that are examined to distinguish text from binary data.
const SAMPLE: usize = 8_000;
/// Number of bytes that are searched for a declaration such as `coding: latin-1`.
const DECLARATION: usize = 1_024;
/// Number of bytes that the detector examines. More bytes would not change the result.
const DETECTED: usize = 64_000;

/// Decoded text.
#[derive(Debug, PartialEq, Eq)]
pub struct DecodedText<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Name of the encoding if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// True if invalid bytes were replaced.
    pub lossy: bool,
}

/// Decodes UTF-8, UTF-16 with or without a byte order mark, or a legacy encoding. The only possible error is `BINARY`.
pub fn decode(bytes: &[u8]) -> Result<DecodedText<'_>, String> {
    let binary = || Err(BINARY.to_owned());
    match bytes {
        [0xff, 0xfe, rest @ ..] => return strict(rest, UTF_16LE).filter(|text| !has_nul(text)).map_or_else(binary, Ok),
        [0xfe, 0xff, rest @ ..] => return strict(rest, UTF_16BE).filter(|text| !has_nul(text)).map_or_else(binary, Ok),
        _ => {}
    }
    if memchr(0, bytes).is_some() {
        return utf16_without_mark(bytes).map_or_else(binary, Ok);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(DecodedText { text: Cow::Borrowed(text), encoding: None, lossy: false });
    }
    if has_control_bytes(bytes) {
        return binary();
    }
    let lossy = || DecodedText { text: String::from_utf8_lossy(bytes), encoding: None, lossy: true };
    if is_mostly_utf8(bytes) {
        return Ok(lossy());
    }
    match legacy(bytes) {
        Some(decoded) => Ok(decoded),
        None if is_mostly_ascii(bytes) => Ok(lossy()),
        None => binary(),
    }
}

/// Decodes without replacing anything; `None` if a byte sequence is invalid.
fn strict<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Option<DecodedText<'a>> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(DecodedText { text, encoding: Some(encoding.name()), lossy: false })
}

fn has_nul(decoded: &DecodedText<'_>) -> bool {
    memchr(0, decoded.text.as_bytes()).is_some()
}

/// Decodes UTF-16 without a byte order mark, if most characters are ASCII: at least a fifth of the units have a NUL
/// byte, nearly always as the same one of their two bytes.
fn utf16_without_mark(bytes: &[u8]) -> Option<DecodedText<'_>> {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    let nuls = |half: usize| sample.iter().skip(half).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second) = (nuls(0), nuls(1));
    let units = sample.len() / 2;
    let encoding = match (first, second) {
        _ if !bytes.len().is_multiple_of(2) || (first + second) * 5 < units => return None,
        _ if first * 20 < second => UTF_16LE,
        _ if second * 20 < first => UTF_16BE,
        _ => return None,
    };
    strict(bytes, encoding).filter(|decoded| is_plausible(&decoded.text))
}

/// Decodes text in a declared or detected encoding other than UTF-8, if the result looks like text.
fn legacy(bytes: &[u8]) -> Option<DecodedText<'_>> {
    let decode = |encoding| strict(bytes, encoding).filter(|decoded| is_plausible(&decoded.text));
    declared(bytes).and_then(decode).or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        let sample = &bytes[..bytes.len().min(DETECTED)];
        detector.feed(sample, sample.len() == bytes.len());
        decode(detector.guess(None, Utf8Detection::Deny))
    })
}

/// The encoding that the text declares: `# -*- coding: latin-1 -*-`, `encoding="Shift_JIS"`, `charset=big5`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARATION)];
    ["coding", "charset"].iter().find_map(|word| {
        let after = &head[memmem::find(head, word.as_bytes())? + word.len()..];
        let is_separator = |byte: &u8| matches!(byte, b':' | b'=' | b' ' | b'"' | b'\'');
        let start = after.iter().position(|byte| !is_separator(byte)).filter(|start| *start > 0)?;
        let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let length = after[start..].iter().take_while(|byte| is_label(byte)).count();
        let label = after[start..start + length].to_ascii_lowercase();
        // Python has the names `latin_1` and `latin-1` for `latin1`.
        let label: Vec<u8> = match label.as_slice() {
            b"latin-1" | b"latin_1" => b"latin1".to_vec(),
            _ => label.iter().map(|byte| if *byte == b'_' && label != b"shift_jis" { b'-' } else { *byte }).collect(),
        };
        Encoding::for_label(&label).filter(|encoding| *encoding != UTF_8)
    })
}

/// Returns true if a sample has more control characters than text ever has.
fn has_control_bytes(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let control = sample.iter().filter(|byte| matches!(byte, 0x01..=0x08 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)).count();
    control * 50 > sample.len()
}

/// Returns true if valid UTF-8 sequences clearly outnumber the invalid ones, as in a damaged UTF-8 file.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes[..bytes.len().min(DETECTED)].utf8_chunks() {
        valid += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid >= 4 * invalid
}

fn is_mostly_ascii(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    sample.iter().filter(|byte| !byte.is_ascii()).count() * 3 <= sample.len()
}

/// Returns true if decoded text has no characters typical of binary data, and its non-ASCII characters are mostly
/// letters.
fn is_plausible(text: &str) -> bool {
    let (mut foreign, mut letters) = (0usize, 0usize);
    for character in text.chars().take(SAMPLE) {
        match character {
            '\t' | '\n' | '\r' | '\x0c' | '\x1b' | ' '..='~' => {}
            // Control characters, private use and noncharacters.
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' | '\u{fffd}'..='\u{ffff}' => return false,
            _ => {
                foreign += 1;
                letters += usize::from(character.is_alphanumeric() || is_punctuation(character));
            }
        }
    }
    letters * 2 >= foreign
}

/// Punctuation and symbols that occur in text in legacy encodings.
fn is_punctuation(character: char) -> bool {
    matches!(character, '\u{a0}'..='\u{bf}' | '\u{2010}'..='\u{203a}' | '€' | '™' | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{25ff}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}')
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};
    use proptest::prelude::*;

    use super::*;

    fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, _, failed) = encoding.encode(text);
        assert!(!failed, "{text}");
        bytes.into_owned()
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    const JAPANESE: &str = "// 払い戻しの金額を計算する。返品された商品だけを数える。\r\nint refund(int amount) {\r\n    return amount; // 手数料を引かない\r\n}\r\n";
    const CHINESE: &str = "/* 计算退款金额，只统计已退回的商品。 */\nint refund(int amount) {\n    return amount; /* 不扣除手续费 */\n}\n";
    const TAIWANESE: &str = "/* 計算退款金額，只統計已退回的商品。 */\nint refund(int amount) {\n    return amount; /* 不扣除手續費 */\n}\n";
    const KOREAN: &str = "// 환불 금액을 계산합니다. 반품된 상품만 셉니다.\nint refund(int amount) {\n    return amount; // 수수료를 빼지 않습니다\n}\n";
    const RUSSIAN: &str = "// Вычисляет сумму возврата, считаются только возвращённые товары.\nint refund(int amount) { return amount; }\n";
    const GREEK: &str =
        "// Υπολογίζει το ποσό της επιστροφής χρημάτων για τα προϊόντα.\nint refund(int amount) { return amount; }\n";
    const CZECH: &str = "// Vypočítá částku k vrácení, počítá se jen vrácené zboží. Příliš žluťoučký kůň úpěl ďábelské ódy.\nint refund;\n";
    const FRENCH: &str = "// Calcule le montant à rembourser, après déduction des frais.\nint refund(int amount) { return amount; } // « été »\n";

    #[test]
    fn legacy_encodings_are_detected_and_decoded() {
        for (text, encoding) in [
            (JAPANESE, SHIFT_JIS),
            (CHINESE, GBK),
            (TAIWANESE, BIG5),
            (KOREAN, EUC_KR),
            (RUSSIAN, WINDOWS_1251),
            (GREEK, WINDOWS_1253),
            (CZECH, WINDOWS_1250),
            (FRENCH, WINDOWS_1252),
        ] {
            let bytes = encoded(text, encoding);
            let decoded = decode(&bytes).unwrap_or_else(|why| panic!("{}: {why}", encoding.name()));
            assert_eq!(decoded.text, text, "{} was read as {:?}", encoding.name(), decoded.encoding);
            assert_eq!((decoded.encoding, decoded.lossy), (Some(encoding.name()), false));
        }
    }

    #[test]
    fn utf16_is_decoded_with_and_without_a_mark() {
        for text in ["fn main() {}\r\n// caf\u{e9}\n", FRENCH, JAPANESE] {
            let (little, big) = (utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes));
            for (bytes, mark, name) in [(little, [0xff, 0xfe], "UTF-16LE"), (big, [0xfe, 0xff], "UTF-16BE")] {
                let decoded = decode(&bytes).unwrap();
                assert_eq!((decoded.text.as_ref(), decoded.encoding), (text, Some(name)));
                let marked = [&mark[..], &bytes].concat();
                assert_eq!(decode(&marked).unwrap().text, text);
            }
        }
    }

    #[test]
    fn a_declared_encoding_takes_precedence_over_detection() {
        let text = "# -*- coding: iso-8859-2 -*-\nname = \"Łódź\"\n";
        let bytes = encoded(text, encoding_rs::ISO_8859_2);
        let decoded = decode(&bytes).unwrap();
        assert_eq!((decoded.text.as_ref(), decoded.encoding), (text, Some("ISO-8859-2")));
        let bytes = encoded("# coding: latin_1\n# caf\u{e9}\n", WINDOWS_1252);
        assert_eq!(decode(&bytes).unwrap().text, "# coding: latin_1\n# caf\u{e9}\n");
    }

    #[test]
    fn utf8_is_borrowed_and_damaged_utf8_is_still_read_as_utf8() {
        let decoded = decode("fn main() {} // é\r\n".as_bytes()).unwrap();
        assert!(matches!(decoded, DecodedText { text: Cow::Borrowed(_), encoding: None, lossy: false }));
        assert_eq!(decode(b"").unwrap().text, "");
        let damaged = [JAPANESE.as_bytes(), b"\xff\n"].concat();
        let decoded = decode(&damaged).unwrap();
        assert!(decoded.lossy && decoded.text.starts_with(JAPANESE), "{}", decoded.text);
    }

    #[test]
    fn binary_data_is_not_text() {
        let mut late = vec![b'a'; SAMPLE + 10];
        late.push(0);
        let compressed: Vec<u8> = (0..2_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8 | 1).collect();
        let table: Vec<u8> = (0..500u16).flat_map(|n| (n * 7).to_le_bytes()).collect();
        for bytes in [b"\x7fELF\x00\x01".as_slice(), &[0x93, 0x81, 0xfe, 0xa7, 0x41], &late, &compressed, &table] {
            assert_eq!(decode(bytes), Err(BINARY.to_owned()), "{:?}", &bytes[..4]);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode_without_nul_or_fail(bytes in prop::collection::vec(any::<u8>(), 0..300), wide in any::<bool>()) {
            let bytes = if wide { bytes.iter().flat_map(|byte| [*byte, 0]).collect() } else { bytes };
            if let Ok(decoded) = decode(&bytes) {
                prop_assert!(!decoded.text.contains('\0'));
                prop_assert!(decoded.encoding.is_none() || !decoded.lossy);
            }
        }
    }
}
