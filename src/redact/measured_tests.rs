//! Tests of the randomness measures on known kinds of text.

use super::bare::{has_random_segment, is_mixed, may_hold_token, words};
use super::entropy::{CharCounts, is_uuid, longest_sequence, looks_random, run_share, sequence_share, shannon};

const TEXTS: &[&str] = &[
    "",
    "a",
    "password",
    "PassWord7",
    "hello world",
    "a-b_c.d/e:f",
    "q8Zr2LmT5vXc7Bn4",
    "d0c7ee9456f11042afb363e8b12b5f26",
    "9f4b4a49-5ebc-4c12-a5a8-77bf11d0d62c",
    "9f4b4a49-5ebc-4c12-a5a8-77bf11d0d62",
    "9f4b4a49x5ebc-4c12-a5a8-77bf11d0d62c",
    "sha256-with-rsa-encryption",
    "HTTPServerRequestHandler",
    "abcdefgh12345678",
    "0123456789",
    "789012",
    "aaaabbbbccc",
    "AAAAaaaa",
    "xXxXx",
    "rhythms",
    "strengths",
    "caf\u{e9}7",
    "a1b2c3d4",
    "1a2B3c4D",
    "moon-light-river-2",
    "v1.2.3-rc4",
    "ZmFrZS1zZWNyZXQtdmFsdWU=",
    "123456789012345",
    "7391846205917",
    "739184620591746",
    "aB1-cD2_eF3.gH4/iJ5:kL6",
    "key=q8Zr2LmT&id=5vXc7Bn4",
];

fn measures() -> String {
    let mut out = String::from("\n");
    for text in TEXTS {
        let value = text.as_bytes();
        let CharCounts { lower, upper, digits, symbols, spaces, flips, case_flips, consonants, foreign } =
            CharCounts::of(value);
        out.push_str(&format!(
            "{text:?}: {lower}a {upper}A {digits}0 {symbols}! {spaces}_ {foreign}? flips {flips}/{case_flips} \
             consonants {consonants} entropy {:.2} runs {:.2} counting {:.2}/{} {}{}\n",
            shannon(value).abs(),
            run_share(value),
            sequence_share(value),
            longest_sequence(value),
            if looks_random(value) { "random" } else { "plain" },
            if is_uuid(value) { " uuid" } else { "" },
        ));
    }
    out
}

#[test]
fn character_classes_are_counted() {
    assert_eq!(measures(), MEASURES);
}

/// A token of `length` bytes without separators.
fn token(length: usize) -> String {
    "Zq8vT2mXw9LrK4sNp7Yd3BcFh5GjQ1Wz".chars().cycle().take(length).collect()
}

#[test]
fn long_words_are_those_of_24_to_700_bytes() {
    let lengths = |text: &str| words(text.as_bytes()).map(|(start, end)| (start, end - start)).collect::<Vec<_>>();
    assert_eq!(lengths(&token(23)), []);
    assert_eq!(lengths(&token(24)), [(0, 24)]);
    assert_eq!(lengths(&token(700)), [(0, 700)]);
    assert_eq!(lengths(&token(701)), []);
    for before in 0..50 {
        let text = format!("{}{} {} x", " ".repeat(before), token(24), token(30));
        assert_eq!(lengths(&text), [(before, 24), (before + 25, 30)], "{before}");
        let short = format!("{} {} {}", token(before), token(25), token(before));
        let found: Vec<_> = lengths(&short).into_iter().map(|(_, length)| length).collect();
        let wanted: Vec<_> = [before, 25, before].into_iter().filter(|length| *length >= 24).collect();
        assert_eq!(found, wanted, "{short}");
    }
}

#[test]
fn context_decides_if_a_word_is_a_token() {
    let word = token(32);
    let held = |before: &str, after: &str| {
        let text = format!("{before}{word}{after}");
        may_hold_token(text.as_bytes(), before.len(), before.len() + word.len())
    };
    for (before, after) in [("", ""), (" ", " "), ("\"", "\""), ("=", ";"), ("a\n", "\nb"), (":", ",")] {
        assert!(held(before, after), "{before:?} {after:?}");
    }
    for (before, after) in [("+", ""), ("/", ""), ("\\", ""), ("#", ""), ("", "+"), ("", "/"), ("", "\\"), ("", "=")] {
        assert!(!held(before, after), "{before:?} {after:?}");
    }
    // A word counts as data if the line above or below is data, unless there is other text on its line.
    let line = token(40);
    let block = |above: &str, lead: &str, below: &str| {
        let text = format!("{above}\n{lead}{word}\n{below}");
        let start = above.len() + 1 + lead.len();
        may_hold_token(text.as_bytes(), start, start + word.len())
    };
    assert!(!block(&line, "", "x") && !block("x", "", &line) && !block(&line, "  - ", &line));
    assert!(block("x", "", "x") && block(&line[1..], "", &line[1..]));
    assert!(!block(&line, &" ".repeat(24), "x") && block(&line, &" ".repeat(25), "x"));
    assert!(!block(&format!("{}{line}", " ".repeat(24)), "", "x"));
    assert!(block(&format!("{}{line}", " ".repeat(25)), "", "x"));
    for plain in ["moonlightriverstonecloudmoon", "0123012301230123012301230123", "m1oonlightriverstonecloudmo"] {
        assert!(!may_hold_token(plain.as_bytes(), 0, plain.len()), "{plain}");
    }
    assert!(!may_hold_token(b"9f4b4a49-5ebc-4c12-a5a8-77bf11d0d62c", 0, 36));
}

#[test]
fn thirty_mixed_bytes_are_random() {
    let mixed = |text: &str| is_mixed(text.as_bytes());
    assert!(!mixed(&token(29)) && mixed(&token(30)));
    // Parts count from six bytes on; at least half must qualify.
    assert!(mixed(&format!("{}-{}", token(24), &token(30)[24..])));
    assert!(!mixed(&format!("{}-{}", token(25), "q8Zr2")));
    assert!(mixed(&format!("{}.{}", token(32), "moonlightriverstonecloudmoonlig")));
    assert!(!mixed(&format!("{}.{}", token(32), "moonlightriverstonecloudmoonlight")));
    for plain in
        [token(40).to_lowercase(), token(40).to_uppercase(), token(40).replace(|c: char| c.is_ascii_digit(), "x")]
    {
        assert!(!mixed(&plain), "{plain}");
    }
    assert!(!mixed(&format!("{}aaaaaaaaaaaa", token(30))) && !mixed(&format!("{}abcdefgh", token(30))));
    assert!(mixed(&format!("{}abcdefg", token(30))));
}

#[test]
fn a_path_component_of_eighteen_random_bytes_is_detected() {
    let segment = |text: &str| has_random_segment(text.as_bytes());
    assert!(segment(&format!("/a/{}/b", token(18))) && !segment(&format!("/a/{}/b", token(17))));
    for joint in ["?", "=", "&", "@"] {
        assert!(segment(&format!("x{joint}{}", token(18))), "{joint}");
    }
    let commit = "d0c7ee9456f11042afb363e8b12b5f26d0c7ee94";
    assert!(!segment(commit) && segment(&commit[1..]) && !segment(&format!("{commit}{}", &commit[..24])));
    assert!(!segment("qzrkxvbnwtplmcqzrk12") && segment("q8zrkxvb5nwtplm2cq"));
}

#[rustfmt::skip]
const MEASURES: &str = r#"
"": 0a 0A 00 0! 0_ 0? flips 0/0 consonants 0 entropy 0.00 runs 0.00 counting 0.00/0 plain
"a": 1a 0A 00 0! 0_ 0? flips 0/0 consonants 0 entropy 0.00 runs 0.00 counting 0.00/1 plain
"password": 8a 0A 00 0! 0_ 0? flips 0/0 consonants 3 entropy 2.75 runs 0.00 counting 0.00/1 plain
"PassWord7": 6a 2A 10 0! 0_ 0? flips 1/1 consonants 2 entropy 2.95 runs 0.00 counting 0.00/1 plain
"hello world": 10a 0A 00 0! 1_ 0? flips 0/0 consonants 3 entropy 2.85 runs 0.00 counting 0.00/1 plain
"a-b_c.d/e:f": 6a 0A 00 0! 0_ 0? flips 0/0 consonants 1 entropy 3.46 runs 0.00 counting 0.00/1 plain
"q8Zr2LmT5vXc7Bn4": 6a 5A 50 0! 0_ 0? flips 9/2 consonants 2 entropy 4.00 runs 0.00 counting 0.00/2 random
"d0c7ee9456f11042afb363e8b12b5f26": 12a 0A 200 0! 0_ 0? flips 17/0 consonants 2 entropy 3.86 runs 0.00 counting 0.00/3 random
"9f4b4a49-5ebc-4c12-a5a8-77bf11d0d62c": 14a 0A 180 0! 0_ 0? flips 19/0 consonants 2 entropy 3.86 runs 0.00 counting 0.00/2 random uuid
"9f4b4a49-5ebc-4c12-a5a8-77bf11d0d62": 13a 0A 180 0! 0_ 0? flips 18/0 consonants 2 entropy 3.86 runs 0.00 counting 0.00/2 random
"9f4b4a49x5ebc-4c12-a5a8-77bf11d0d62c": 15a 0A 180 0! 0_ 0? flips 21/0 consonants 2 entropy 3.95 runs 0.00 counting 0.00/2 random
"sha256-with-rsa-encryption": 20a 0A 30 0! 0_ 0? flips 1/0 consonants 3 entropy 3.98 runs 0.00 counting 0.00/2 plain
"HTTPServerRequestHandler": 17a 7A 00 0! 0_ 0? flips 0/2 consonants 5 entropy 3.74 runs 0.00 counting 0.00/2 plain
"abcdefgh12345678": 8a 0A 80 0! 0_ 0? flips 1/0 consonants 3 entropy 4.00 runs 0.00 counting 1.00/8 plain
"0123456789": 0a 0A 100 0! 0_ 0? flips 0/0 consonants 0 entropy 3.32 runs 0.00 counting 1.00/10 plain
"789012": 0a 0A 60 0! 0_ 0? flips 0/0 consonants 0 entropy 2.58 runs 0.00 counting 1.00/6 plain
"aaaabbbbccc": 11a 0A 00 0! 0_ 0? flips 0/0 consonants 7 entropy 1.57 runs 0.73 counting 0.00/2 plain
"AAAAaaaa": 4a 4A 00 0! 0_ 0? flips 0/0 consonants 0 entropy 1.00 runs 1.00 counting 0.00/1 plain
"xXxXx": 3a 2A 00 0! 0_ 0? flips 0/2 consonants 2 entropy 0.97 runs 1.00 counting 0.00/1 plain
"rhythms": 7a 0A 00 0! 0_ 0? flips 0/0 consonants 4 entropy 2.52 runs 0.00 counting 0.00/1 plain
"strengths": 9a 0A 00 0! 0_ 0? flips 0/0 consonants 5 entropy 2.73 runs 0.00 counting 0.00/2 plain
"café7": 3a 0A 10 0! 0_ 2? flips 0/0 consonants 1 entropy 2.58 runs 0.00 counting 0.00/1 plain
"a1b2c3d4": 4a 0A 40 0! 0_ 0? flips 7/0 consonants 1 entropy 3.00 runs 0.00 counting 0.00/1 plain
"1a2B3c4D": 2a 2A 40 0! 0_ 0? flips 7/0 consonants 1 entropy 3.00 runs 0.00 counting 0.00/1 plain
"moon-light-river-2": 14a 0A 10 0! 0_ 0? flips 0/0 consonants 3 entropy 3.57 runs 0.00 counting 0.00/2 plain
"v1.2.3-rc4": 3a 0A 40 0! 0_ 0? flips 2/0 consonants 2 entropy 3.12 runs 0.00 counting 0.00/1 plain
"ZmFrZS1zZWNyZXQtdmFsdWU=": 9a 13A 10 1! 0_ 0? flips 2/6 consonants 6 entropy 3.92 runs 0.00 counting 0.00/2 random
"123456789012345": 0a 0A 150 0! 0_ 0? flips 0/0 consonants 0 entropy 3.24 runs 0.00 counting 1.00/15 random
"7391846205917": 0a 0A 130 0! 0_ 0? flips 0/0 consonants 0 entropy 3.24 runs 0.00 counting 0.00/1 plain
"739184620591746": 0a 0A 150 0! 0_ 0? flips 0/0 consonants 0 entropy 3.24 runs 0.00 counting 0.00/1 random
"aB1-cD2_eF3.gH4/iJ5:kL6": 6a 6A 60 0! 0_ 0? flips 6/6 consonants 1 entropy 4.52 runs 0.00 counting 0.00/2 random
"key=q8Zr2LmT&id=5vXc7Bn4": 11a 5A 50 3! 0_ 0? flips 8/2 consonants 2 entropy 4.50 runs 0.00 counting 0.00/2 random
"#;
