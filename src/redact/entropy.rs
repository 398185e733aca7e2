//! Measures of randomness: entropy, runs, sequences, changes of character class.

/// Shannon entropy in bits per byte.
pub(super) fn shannon(value: &[u8]) -> f64 {
    if value.is_empty() {
        return 0.0;
    }
    let mut counts = [0_u32; 256];
    for &byte in value {
        counts[usize::from(byte)] += 1;
    }
    let total = value.len() as f64;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| {
            let share = f64::from(count) / total;
            -share * share.log2()
        })
        .sum()
}

/// Share of bytes in runs of four or more equal bytes: `xxxx`, `0000`, `****`.
pub(super) fn run_share(value: &[u8]) -> f64 {
    share_in_stretches(value, 4, |before, now| before.eq_ignore_ascii_case(&now))
}

/// Share of bytes in ascending sequences of six or more: `0123456789abcdef`, `1bcdefghij2bcdefghij`.
pub(super) fn sequence_share(value: &[u8]) -> f64 {
    share_in_stretches(value, 6, counts_up)
}

fn counts_up(before: u8, now: u8) -> bool {
    (before.is_ascii_alphanumeric() && now.to_ascii_lowercase() == before.to_ascii_lowercase().wrapping_add(1))
        || (before == b'9' && matches!(now, b'0' | b'a' | b'A'))
}

/// Length of the longest ascending sequence: `abcdefgh`, `12345678`.
pub(super) fn longest_sequence(value: &[u8]) -> usize {
    let mut longest = usize::from(!value.is_empty());
    let mut current = 1;
    for pair in value.windows(2) {
        current = if counts_up(pair[0], pair[1]) { current + 1 } else { 1 };
        longest = longest.max(current);
    }
    longest
}

fn share_in_stretches(value: &[u8], at_least: usize, continues: impl Fn(u8, u8) -> bool) -> f64 {
    if value.is_empty() {
        return 0.0;
    }
    let mut covered = 0;
    let mut start = 0;
    for index in 1..=value.len() {
        if index == value.len() || !continues(value[index - 1], value[index]) {
            if index - start >= at_least {
                covered += index - start;
            }
            start = index;
        }
    }
    covered as f64 / value.len() as f64
}

/// Counts of character classes in a value.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct CharCounts {
    pub lower: usize,
    pub upper: usize,
    pub digits: usize,
    /// Symbols other than the separators `-_./:` and white space.
    pub symbols: usize,
    pub spaces: usize,
    /// Changes between letters and digits.
    pub flips: usize,
    /// Changes from lower to upper case.
    pub case_flips: usize,
    /// Longest run of consonants; a change to upper case starts a new word.
    pub consonants: usize,
    /// Bytes outside ASCII.
    pub foreign: usize,
}

impl CharCounts {
    pub(super) fn of(value: &[u8]) -> Self {
        let mut makeup = Self::default();
        let mut consonants = 0;
        let mut before = 0_u8;
        for &byte in value {
            match byte {
                b'a'..=b'z' => makeup.lower += 1,
                b'A'..=b'Z' => makeup.upper += 1,
                b'0'..=b'9' => makeup.digits += 1,
                b' ' | b'\t' | b'\r' | b'\n' => makeup.spaces += 1,
                b'-' | b'_' | b'.' | b'/' | b':' => {}
                0x80.. => makeup.foreign += 1,
                _ => makeup.symbols += 1,
            }
            let letter = byte.is_ascii_alphabetic();
            if letter && matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y') {
                consonants = 0;
            } else if letter {
                let new_word = byte.is_ascii_uppercase() && before.is_ascii_lowercase();
                consonants = if new_word { 1 } else { consonants + 1 };
                makeup.consonants = makeup.consonants.max(consonants);
            } else {
                consonants = 0;
            }
            if (letter && before.is_ascii_digit()) || (byte.is_ascii_digit() && before.is_ascii_alphabetic()) {
                makeup.flips += 1;
            }
            if byte.is_ascii_uppercase() && before.is_ascii_lowercase() {
                makeup.case_flips += 1;
            }
            before = byte;
        }
        makeup
    }

    pub(super) fn letters(&self) -> usize {
        self.lower + self.upper
    }
}

/// Returns true for a UUID.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Returns true if the value looks like a generated key: long, varied, and not made of words.
pub(super) fn looks_random(value: &[u8]) -> bool {
    if value.len() < 12 || shannon(value) < 2.4 {
        return false;
    }
    if is_uuid(value) {
        return true;
    }
    let all = CharCounts::of(value);
    if all.spaces > 0 || all.foreign * 2 > value.len() {
        return false;
    }
    if all.letters() == 0 {
        return all.digits >= 15 && shannon(value) > 2.6;
    }
    if surprises(value) >= (value.len() * 26 / 100).max(4) {
        return true;
    }
    // Separators split a name into words; a key has at least one long part that is not a word.
    value
        .split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b'=' | b'+' | b'~' | b',' | b'|' | b'\\'))
        .map(stretch_weight)
        .sum::<usize>()
        >= 12
}

/// Number of bytes in a part without separators that indicate randomness.
fn stretch_weight(stretch: &[u8]) -> usize {
    let makeup = CharCounts::of(stretch);
    let letters = makeup.letters();
    if letters == 0 {
        return if stretch.len() >= 4 { stretch.len() / 2 } else { 0 };
    }
    if makeup.digits > 0 {
        // `sha256`, `utf8`, `v2` change class once or twice; random text does so much more often.
        let enough = if stretch.len() < 8 { 2 } else { 3 };
        let hex = stretch.iter().all(u8::is_ascii_hexdigit);
        let bare = stretch.len() >= 16 && makeup.flips >= 2 && (makeup.consonants >= 5 || makeup.case_flips >= 4);
        return if makeup.flips >= enough || (hex && makeup.flips >= 2) || bare { stretch.len() } else { 0 };
    }
    0
}

/// Letter pairs that occur in words: a row for the first letter, a bit for the second.
const COMMON_PAIRS: [u32; 26] = [
    0x1fe_bd7f, 0x116_5b3f, 0x11e_ddbf, 0x01e_d93f, 0x1ff_f97f, 0x11e_493f, 0x016_79d1, 0x11e_4911, 0x2ae_fe7f,
    0x014_4011, 0x014_4911, 0x13c_f93f, 0x11c_d91b, 0x1be_fd7f, 0x0fe_fd7f, 0x11e_c99d, 0x010_0000, 0x13e_fd7f,
    0x15e_fdbd, 0x15e_f9bf, 0x00e_f97f, 0x000_4111, 0x006_6191, 0x088_8114, 0x10c_b915, 0x200_0111,
];

/// Number of unusual pairs of characters: letter pairs that words do not contain, letters next to digits, and lower
/// case between upper case.
fn surprises(value: &[u8]) -> usize {
    let row = |letter: u8| usize::from(letter.to_ascii_lowercase() - b'a');
    let pairs = value.windows(2).filter(|pair| {
        let (one, two) = (pair[0], pair[1]);
        match (one.is_ascii_alphabetic(), two.is_ascii_alphabetic()) {
            // A capital after a lower-case letter starts a new word.
            (true, true) => {
                !(one.is_ascii_lowercase() && two.is_ascii_uppercase()) && COMMON_PAIRS[row(one)] >> row(two) & 1 == 0
            }
            (true, false) => two.is_ascii_digit(),
            (false, true) => one.is_ascii_digit(),
            (false, false) => false,
        }
    });
    let lone = value.windows(3).filter(|three| {
        three[0].is_ascii_uppercase() && three[1].is_ascii_lowercase() && three[2].is_ascii_uppercase()
    });
    pairs.count() + lone.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_known_strings() {
        assert!(shannon(b"aaaa") < 0.001);
        assert!((shannon(b"abcd") - 2.0).abs() < 1e-9);
        assert!(shannon(b"").abs() < 1e-9);
    }

    #[test]
    fn runs_and_sequences() {
        assert!(run_share(b"abcd-xxxxxxxx") > 0.5);
        assert!(run_share(b"a1b2c3d4") < 0.01);
        assert_eq!(longest_sequence(b"zzabcdefzz"), 6);
        assert_eq!(longest_sequence(b"1234567890"), 10);
        assert_eq!(longest_sequence(b""), 0);
        assert!(sequence_share(b"0123456789abcdef0123456789abcdef") > 0.9);
        assert!(sequence_share(b"q8Zr2LmT5vXc7Bn4") < 0.1);
    }

    #[test]
    fn words_are_not_random_but_keys_are() {
        for word in [
            "authentication_middleware",
            "django.contrib.auth.hashers",
            "application/x-www-form-urlencoded",
            "get_session_auth_hash",
            "sha256-with-rsa-encryption",
            "AcceptanceTimeoutSeconds",
            "content-security-policy",
            "HttpStatusCode",
            "withXSRFToken",
            "stArgEndOfToken",
            "ErrGRPCDuplicateKey",
            "ApplysetParentCRDLabel",
        ] {
            assert!(!looks_random(word.as_bytes()), "{word}");
        }
        for key in [
            "ztscko7dckxkyw6a",
            "252sxz6bbparnr7to846mtjna430pj",
            "d0c7ee9456f11042afb363e8b12b5f26",
            "DkXZmsjUKizvLzWiaLvMBeQXCGG",
            "9f4b4a49-5ebc-4c12-a5a8-77bf11d0d62c",
            "i3zmbl5v945b98-15x65ch28zjf0x56vqb1bq_s8",
        ] {
            assert!(looks_random(key.as_bytes()), "{key}");
        }
    }
}
