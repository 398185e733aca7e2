//! Finds long random words: tokens without a name next to them.

use super::entropy::{CharCounts, is_uuid, longest_sequence, looks_random, run_share, shannon};

/// Minimum length; shorter random words may be names.
pub(super) const SHORTEST: usize = 24;
/// Maximum length; longer words are data.
const LONGEST: usize = 700;
/// A line that consists of one word of this length is encoded data if an adjacent line looks the same.
const BLOCK: usize = 40;

/// Words of at least the minimum length, including separators within tokens.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        // Checks every nth byte only; a long enough word cannot lie between two of them.
        while at + SHORTEST <= text.len() {
            let probe = at + SHORTEST - 1;
            if !is_part(text[probe]) {
                at = probe + 1;
                continue;
            }
            let mut start = probe;
            while start > at && is_part(text[start - 1]) {
                start -= 1;
            }
            if start > at || at == 0 || !is_part(text[at - 1]) {
                let end = (probe..text.len()).find(|&index| !is_part(text[index])).unwrap_or(text.len());
                at = end + 1;
                if end - start >= SHORTEST && end - start <= LONGEST {
                    return Some((start, end));
                }
            } else {
                at = (probe..text.len()).find(|&index| !is_part(text[index])).unwrap_or(text.len()) + 1;
            }
        }
        None
    })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'|' | b'%' | b'~')
}

/// Returns true if a word may contain a token: it has digits, is in mixed case or hexadecimal, and is not inside
/// encoded data.
pub(super) fn may_hold_token(text: &[u8], start: usize, end: usize) -> bool {
    let word = &text[start..end];
    let makeup = CharCounts::of(word);
    if makeup.digits < 3 || makeup.flips < 3 || makeup.letters() * 5 < word.len() || is_uuid(word) {
        return false;
    }
    // A word next to `+`, `/` or `=` is part of base64, a path or a URL, which other matchers handle.
    let before = start.checked_sub(1).map_or(b' ', |at| text[at]);
    let after = text.get(end).copied().unwrap_or(b' ');
    let encoded = |byte: u8| matches!(byte, b'+' | b'/' | b'\\' | b'#');
    !encoded(before) && !encoded(after) && after != b'=' && !in_block(text, start, end)
}

/// Returns true for clearly random text: all three character classes, well mixed, no words.
pub(super) fn is_mixed(secret: &[u8]) -> bool {
    let mut all = CharCounts::default();
    let mut kept = 0;
    for stretch in secret.split(|byte| !byte.is_ascii_alphanumeric()) {
        let makeup = CharCounts::of(stretch);
        let mixed = makeup.upper > 0 && makeup.lower > 0 && makeup.digits > 0 && makeup.flips >= 2;
        // Camel-case names change case at the start of each word, random text anywhere.
        if stretch.len() >= 6 && mixed && (makeup.flips + makeup.case_flips) * 4 >= stretch.len().min(40) {
            kept += stretch.len();
            all.upper += makeup.upper;
            all.lower += makeup.lower;
            all.digits += makeup.digits;
            all.flips += makeup.flips;
        }
    }
    kept >= 30
        && kept * 2 >= secret.len()
        && all.upper > 3
        && all.lower > 3
        && all.digits > 2
        && all.flips > 3
        && shannon(secret) >= 3.9
        && run_share(secret) < 0.2
        && longest_sequence(secret) < 8
}

/// Returns true for a long random path component that is not a commit id or digest.
pub(super) fn has_random_segment(path: &[u8]) -> bool {
    path.split(|byte| matches!(byte, b'/' | b'?' | b'=' | b'&' | b'@')).any(|part| {
        let digest = matches!(part.len(), 40 | 64) && part.iter().all(u8::is_ascii_hexdigit);
        part.len() >= 18 && !digest && CharCounts::of(part).digits > 2 && looks_random(part)
    })
}

/// Returns true inside a block of lines that each consist of one long word: certificates, images, archives.
fn in_block(text: &[u8], start: usize, end: usize) -> bool {
    let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line_end = text[end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| end + at);
    // A line with other text is not part of a block.
    if line_end - line_start > end - start + 24 {
        return false;
    }
    let is_data = |line: &[u8]| {
        let longest =
            line.split(|byte| !(byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte))).map(<[u8]>::len).max();
        longest.is_some_and(|longest| longest >= BLOCK && longest + 24 >= line.len())
    };
    let above = line_start.checked_sub(1).is_some_and(|before| {
        let from = text[..before].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        is_data(&text[from..before])
    });
    let below = text
        .get(line_end + 1..)
        .is_some_and(|rest| is_data(rest.split(|byte| *byte == b'\n').next().unwrap_or_default()));
    above || below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<&str> {
        words(text.as_bytes()).map(|(start, end)| &text[start..end]).collect()
    }

    #[test]
    fn long_words_are_found_at_any_position() {
        let long = "abcdefghij.klmnopqrst-uvwxyz";
        for text in [format!("{long} short {long}"), format!("x {long}\n{long}"), format!("é{long}é {long}")] {
            assert_eq!(all(&text), [long, long], "{text}");
        }
        assert!(all("no word here is of any length at all, none").is_empty());
        assert!(all(&"a".repeat(LONGEST + 1)).is_empty());
    }

    #[test]
    fn random_text_is_distinguished_from_names() {
        for token in ["abx_Zq8vT2mXw9LrK4sNp7Yd3BcFh5GjQ1Wz", "Zq8vT2mXw9Lr.K4sNp7.Yd3BcFh5GjQ1WzR6tUeX0aSoIi"] {
            assert!(is_mixed(token.as_bytes()), "{token}");
        }
        for name in [
            "HTTPServerRequestHandlerV2WithTimeout30",
            "some-long-package-name-with-version-1.2.3-beta4",
            "TestCreateUserInGroupAndDelete4",
            "0123456789ABCDEFabcdef0123456789",
        ] {
            assert!(!is_mixed(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn blocks_of_data_are_not_redacted() {
        let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8";
        let block = format!("{line}\n{line}\n");
        assert!(!may_hold_token(block.as_bytes(), 0, line.len()));
        assert!(may_hold_token(line.as_bytes(), 0, line.len()));
    }
}
