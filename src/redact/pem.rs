//! Private key blocks: plain, escaped into one line, split over string literals, truncated, or encoded in base64.

use memchr::memmem::find as position;

use super::entropy::{CharCounts, run_share};
use super::value::contains;

/// Maximum length of a key block.
const REACH: usize = 64 * 1024;
const DASHES: &[u8] = b"-----";

/// The private key block whose `-----BEGIN` is at `at`, if it is one.
pub(super) fn find(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let label_start = at + b"-----BEGIN".len();
    let label_end = label_start + position(&text[label_start..text.len().min(label_start + 60)], DASHES)?;
    let label = text[label_start..label_end].to_ascii_uppercase();
    if !contains(&label, b"PRIVATE") {
        return None;
    }
    let body = label_end + DASHES.len();
    let window = &text[body..text.len().min(body + REACH)];
    let next = position(window, b"-----BEGIN").unwrap_or(window.len());
    match position(&window[..next], b"-----END") {
        Some(end) => {
            let stop = body + end;
            let tail = &text[stop + 8..text.len().min(stop + 80)];
            let close = position(tail, DASHES).map_or(stop, |found| stop + 8 + found + DASHES.len());
            holds_key(&window[..end]).then_some((at, close))
        }
        None => cut_off(text, at, body),
    }
}

/// Returns true for base64 that is long enough for a key and is not filler.
fn holds_key(body: &[u8]) -> bool {
    let kept: Vec<u8> = body.iter().copied().filter(|byte| is_base64(*byte)).collect();
    let longest = body.split(|byte| !is_base64(*byte)).map(<[u8]>::len).max().unwrap_or(0);
    let makeup = CharCounts::of(&kept);
    longest >= 16 && kept.len() >= 24 && makeup.lower > 0 && makeup.upper > 0 && run_share(&kept) < 0.3
}

/// A block without its end: the lines below the header up to the first blank line.
fn cut_off(text: &[u8], at: usize, body: usize) -> Option<(usize, usize)> {
    let rest = &text[body..text.len().min(body + REACH)];
    // A header inside quotes is a constant in code.
    let after = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))?;
    let escaped = rest[after..].starts_with(b"\\n") || rest[after..].starts_with(b"\\r\\n");
    if rest[after] != b'\n' && !escaped {
        return None;
    }
    if escaped {
        let stop = rest.iter().position(|byte| matches!(byte, b'"' | b'\'' | b' ' | b'\n')).unwrap_or(rest.len());
        return (stop > after + 8).then_some((at, body + stop));
    }
    let mut end = body + after + 1;
    for line in rest[after + 1..].split_inclusive(|byte| *byte == b'\n').take(200) {
        let trimmed = line.trim_ascii();
        let header = contains(trimmed, b": ") && trimmed.len() < 80;
        let code = trimmed.iter().any(|byte| b"\"'`(){};<>*".contains(byte)) && !header;
        if trimmed.is_empty() || code {
            break;
        }
        end += line.len();
    }
    let end = body + text[body..end].trim_ascii_end().len();
    (end > body + 4).then_some((at, end))
}

/// A key file encoded in base64, as in Kubernetes secrets and CI variables: `LS0tLS1CRUdJTi…` at `at`.
pub(super) fn find_wrapped(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let length = text[at..].iter().take(REACH).take_while(|byte| is_base64(**byte) || **byte == b'=').count();
    let head = super::decode::base64(&text[at..at + length.min(120)]);
    (contains(&head, b"PRIVATE") && length >= 80).then_some((at, at + length))
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/'
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8";

    fn block(text: &str) -> Option<&str> {
        let at = text.find("-----BEGIN")?;
        find(text.as_bytes(), at).map(|(start, end)| &text[start..end])
    }

    #[test]
    fn complete_escaped_and_truncated_blocks() {
        let (begin, end) =
            (format!("-----BEGIN {} KEY-----", "RSA PRIVATE"), format!("-----END {} KEY-----", "RSA PRIVATE"));
        let plain = format!("{begin}\n{BODY}\n{end}");
        assert_eq!(block(&format!("a\n{plain}\nb")), Some(plain.as_str()));
        let escaped = format!("{begin}\\n{BODY}\\n{end}");
        assert_eq!(block(&format!("{{\"k\": \"{escaped}\\n\"}}")), Some(escaped.as_str()));
        let cut = format!("{begin}\n{BODY}\n{BODY}");
        assert_eq!(block(&format!("{cut}\n\nmore text")), Some(cut.as_str()));
    }

    #[test]
    fn constants_public_keys_and_fillers_are_kept() {
        let begin = format!("-----BEGIN {} KEY-----", "PRIVATE");
        let end = format!("-----END {} KEY-----", "PRIVATE");
        assert_eq!(block(&format!("if x.startswith(\"{begin}\"):\n    pass\n")), None);
        assert_eq!(block(&format!("{begin}\nanything\n{end}")), None);
        assert_eq!(block(&format!("{begin}{end}")), None);
        assert_eq!(block(&format!("-----BEGIN PUBLIC KEY-----\n{BODY}\n-----END PUBLIC KEY-----")), None);
    }
}
