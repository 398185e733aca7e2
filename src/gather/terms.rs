//! Terms for lexical scoring: identifiers and their `camelCase` and `snake_case` parts, lightly stemmed.
//!
//! A term is stored as a 64-bit hash. One pass over a file counts either every term, so that the task can be edited
//! without reading again, or only the terms of a [`Vocabulary`].

mod counts;
mod scan;
mod vocabulary;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub use counts::{CountTable, Counts, TermCounter, TermCounts, TermLookup, Terms};
pub use vocabulary::Vocabulary;

/// Hash of a term.
pub type TermId = u64;

/// A hasher for keys that are already hashes.
#[derive(Default)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// A map with terms as keys.
pub type TermMap<V> = HashMap<TermId, V, BuildHasherDefault<IdentityHasher>>;

/// Hash of a lower-case term.
pub fn hash(term: &str) -> TermId {
    hash_bytes(term.as_bytes(), 0, term.len())
}

/// Hash of a byte range, eight bytes at a time. This is good enough for a million words, and much faster than byte by
/// byte.
pub(in crate::gather) fn hash_bytes(bytes: &[u8], start: usize, end: usize) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut left = end - start;
    let mut state = K ^ left as u64;
    let mut rest = &bytes[start..];
    while left >= 8
        && let Some((eight, after)) = rest.split_first_chunk::<8>()
    {
        state = mix(state ^ u64::from_le_bytes(*eight));
        rest = after;
        left -= 8;
    }
    let last = match rest.first_chunk::<8>() {
        // Masking the bytes after the word is faster than reading only the word.
        Some(eight) => u64::from_le_bytes(*eight) & !(u64::MAX << (left * 8)),
        None => rest[..left].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    mix(state ^ last)
}

fn mix(value: u64) -> u64 {
    let wide = u128::from(value ^ 0xa076_1d64_78bd_642f) * u128::from(0xe703_7ed1_a0b4_28db_u64);
    (wide >> 64) as u64 ^ wide as u64
}

/// Calls `each` with every word: identifiers, numbers of two or more digits, words in other scripts.
pub fn words<'a>(text: &'a str, mut each: impl FnMut(&'a str)) {
    scan::runs(text.as_bytes(), |start, end| {
        let word = &text[start..end];
        // A single letter or digit is not a word.
        if word.len() > 1 && is_word(word) {
            each(word);
        }
    });
}

/// Calls `each` with every word that may contain a term of the vocabulary, and with the number of words before it.
/// Returns the total number of words.
pub fn words_for<'a>(text: &'a str, vocabulary: &Vocabulary, mut each: impl FnMut(&'a str, u32)) -> u32 {
    let mut no_words = 0;
    let runs = scan::wanted_runs(
        text.as_bytes(),
        |three| vocabulary.may_begin(three),
        |scan::WordRun { start, end, before, foreign }| {
            let word = &text[start..end];
            if foreign && !is_word(word) {
                no_words += 1;
            } else if !foreign || vocabulary.may_keep(word.as_bytes()) {
                each(word, before - no_words);
            }
        },
    );
    runs - no_words
}

/// Returns true if a run contains a letter. A run of characters outside ASCII may consist only of punctuation.
fn is_word(run: &str) -> bool {
    run.is_ascii() || run.chars().any(is_letter)
}

/// Returns true if a character is a letter; the common ranges avoid a table lookup.
fn is_letter(character: char) -> bool {
    matches!(character, 'a'..='z' | 'A'..='Z' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ɏ' | 'α'..='ώ' | 'А'..='я' | 'א'..='ת' | 'ا'..='غ' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣')
        || character.is_alphabetic()
}

/// Calls `each` with the terms of a word: its parts in lower case and stemmed, and the whole word if it has several
/// parts.
pub fn each_term(word: &str, mut each: impl FnMut(&str)) {
    if !word.is_ascii() {
        return other_script(word, each);
    }
    let bytes = word.as_bytes();
    let mut buffer = String::with_capacity(word.len());
    let (mut parts, mut start) = (0, 0);
    while start < bytes.len() {
        let end = part_end(bytes, start);
        let part = &word[start..end];
        if part.len() > 1 && part.as_bytes()[0] != b'_' {
            buffer.clear();
            buffer.push_str(part);
            buffer.make_ascii_lowercase();
            each(stem(&buffer));
            parts += 1;
        }
        start = end.max(start + 1);
    }
    let trimmed = word.trim_matches('_');
    if parts > 1 || (parts == 0 && trimmed.len() > 1) {
        each(&trimmed.to_ascii_lowercase());
    }
}

/// The end of the part that starts at `start`. Parts end as in `HTTP|Server`, `parse|Url`, `v|12` and `snake|_|case`.
fn part_end(bytes: &[u8], start: usize) -> usize {
    let class = |at: usize| bytes.get(at).map_or(ByteClass::Other, |byte| CLASSES[usize::from(*byte)]);
    let run = |mut at: usize, wanted: ByteClass| {
        while class(at) == wanted {
            at += 1;
        }
        at
    };
    match class(start) {
        ByteClass::Other => start + 1,
        ByteClass::Upper => {
            let upper = run(start, ByteClass::Upper);
            let lower = run(upper, ByteClass::Lower);
            match (upper - start, lower > upper) {
                (_, false) => upper,
                (1, true) => lower,
                // The last capital letter starts the next part: `HTTPServer`.
                (_, true) => upper - 1,
            }
        }
        same => run(start, same),
    }
}

/// Class of a byte within a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Other,
    Digit,
    Lower,
    Upper,
}

static CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => ByteClass::Digit,
            b'a'..=b'z' => ByteClass::Lower,
            b'A'..=b'Z' => ByteClass::Upper,
            _ => ByteClass::Other,
        };
        byte += 1;
    }
    classes
};

/// Terms of words in other scripts: the word in lower case or, in scripts without spaces, its pairs of adjacent
/// characters.
fn other_script(word: &str, mut each: impl FnMut(&str)) {
    let lower: Vec<char> =
        word.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric() || *c == '_').collect();
    if lower.iter().copied().any(is_unspaced) {
        for pair in lower.windows(2) {
            each(&pair.iter().collect::<String>());
        }
        if lower.len() == 1 {
            each(&lower.iter().collect::<String>());
        }
    } else if lower.len() > 1 {
        each(&lower.iter().collect::<String>());
    }
}

/// Returns true if the character's script has no spaces between words: Chinese, Japanese, Thai, Lao.
fn is_unspaced(character: char) -> bool {
    matches!(character as u32, 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x2_ffff | 0x0e00..=0x0eff)
}

/// Inserts spaces between ASCII words and scripts without spaces, so that `Semaphoreのacquire` contains two names.
pub fn spaced(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(is_unspaced) {
        return Cow::Borrowed(text);
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut before = ' ';
    for character in text.chars() {
        if (is_word(before) && is_unspaced(character)) || (is_unspaced(before) && is_word(character)) {
            out.push(' ');
        }
        out.push(character);
        before = character;
    }
    Cow::Owned(out)
}

/// Removes a common English ending if at least four letters remain.
pub fn stem(word: &str) -> &str {
    for ending in ["ations", "ation", "ing", "ies", "ed", "es", "s"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 4
        {
            return rest;
        }
    }
    word
}

/// The terms in `text` with their counts, in order of first appearance.
pub fn terms_of(text: &str) -> Vec<(String, u32)> {
    let mut order: Vec<(String, u32)> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    words(text, |word| {
        each_term(word, |term| {
            if let Some(at) = seen.get(term) {
                order[*at].1 += 1;
            } else {
                seen.insert(term.to_owned(), order.len());
                order.push((term.to_owned(), 1));
            }
        });
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(word: &str) -> Vec<String> {
        let mut out = Vec::new();
        each_term(word, |term| out.push(term.to_owned()));
        out
    }

    #[test]
    fn identifiers_split_into_parts_and_the_whole() {
        assert_eq!(split("parseHTTPRequest"), ["parse", "http", "request", "parsehttprequest"]);
        assert_eq!(split("snake_case_name"), ["snake", "case", "name", "snake_case_name"]);
        assert_eq!(split("__init__"), ["init"]);
        assert_eq!(split("refunds"), ["refund"]);
        assert_eq!(split("Utf8Error"), ["utf", "error", "utf8error"]);
        assert_eq!(split("validations"), ["valid"]);
        assert_eq!(split("uses"), ["uses"]);
    }

    #[test]
    fn the_common_letter_ranges_contain_only_letters() {
        for character in (0..0x11_0000).filter_map(char::from_u32) {
            assert_eq!(is_letter(character), character.is_alphabetic(), "{character:?}");
        }
    }

    #[test]
    fn other_scripts_have_terms() {
        assert_eq!(split("Größe"), ["größe"]);
        assert_eq!(split("退款功能"), ["退款", "款功", "功能"]);
    }

    #[test]
    fn names_end_where_a_script_without_spaces_begins() {
        assert_eq!(spaced("batch_semaphoreを修正する"), "batch_semaphore を修正する");
        assert_eq!(spaced("修复broadcast的recv错误"), "修复 broadcast 的 recv 错误");
        assert_eq!(spaced("src/sync/mod.rsのテスト2件"), "src/sync/mod.rs のテスト 2 件");
        for same in ["", "plain", "Größe_x und naïve2", "broadcast を速く", "возврат2"] {
            assert!(matches!(spaced(same), Cow::Borrowed(_)) || spaced(same) == same, "{same}");
        }
    }
}
