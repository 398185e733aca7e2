//! Tests of the redactor from outside: every rule with made-up examples, properties, the real binary in a project full
//! of secrets (`everywhere`), and measurements on external texts (`labelled`).

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clear;
mod everywhere;
mod kinds;
mod labelled;
mod table;

use std::borrow::Cow;
use std::collections::HashSet;

use proptest::prelude::*;
use teddy::redact::{Finding, Redactor};

/// Fills in a template: `{an36}` becomes 36 random letters and digits, `{}` nothing; `short` uses an eighth of each
/// length.
fn draw(template: &str, short: bool, seed: u64) -> String {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        let close = after.find('}').unwrap_or(0);
        let (name, count) =
            after[..close].split_at(after[..close].find(|letter: char| letter.is_ascii_digit()).unwrap_or(close));
        let alphabet = match name {
            "a" => LOWER.to_owned(),
            "A" => UPPER.to_owned(),
            "L" => format!("{LOWER}{UPPER}"),
            "n" => "123456789".to_owned(),
            "an" | "u" => format!("{LOWER}{UPPER}0123456789"),
            "la" => format!("{LOWER}0123456789"),
            "UA" => format!("{UPPER}0123456789"),
            "UQ" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".to_owned(),
            "h" => "0123456789abcdef".to_owned(),
            "H" => "0123456789ABCDEF".to_owned(),
            "b" => format!("{LOWER}{UPPER}0123456789+/"),
            "t" => format!("{UPPER}234567"),
            _ => String::new(),
        };
        let Some(count) = count.parse::<usize>().ok().filter(|_| !alphabet.is_empty()) else {
            if close > 0 || !after.starts_with('}') {
                out.push('{');
                rest = after;
            } else {
                rest = &after[1..];
            }
            continue;
        };
        for _ in 0..if short { count / 8 } else { count } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            out.push(char::from(alphabet.as_bytes()[(state >> 33) as usize % alphabet.len()]));
        }
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out
}

fn rules(found: &[Finding]) -> HashSet<String> {
    found.iter().map(|finding| finding.rule.to_string()).collect()
}

#[test]
fn every_rule_finds_its_example() {
    let redactor = Redactor::builtin();
    let mut missed = Vec::new();
    for &(rule, template) in table::EXAMPLES {
        let in_files = table::IN_FILES.iter().find(|entry| entry.0 == rule);
        let path = in_files.map_or("", |entry| entry.1);
        // A random value may look like a word by chance, so two of three must be found.
        let hits = (1..=3).filter(|&seed| !redactor.find(&draw(template, false, seed), path).is_empty()).count();
        if hits < 2 {
            missed.push(format!("{rule}: {}", draw(template, false, 1)));
        }
    }
    for &(rule, path, template) in table::IN_FILES {
        if redactor.find(&draw(template, false, 7), path).is_empty() {
            missed.push(format!("{rule} in {path}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_form_is_found_by_its_rule() {
    let found = |template: &str, seed| rules(&Redactor::builtin().find(&draw(template, false, seed), ""));
    for &(rule, template) in table::FORMS {
        // Two of three, as above.
        let hits = (1..=3).filter(|&seed| found(template, seed).contains(rule)).count();
        assert!(hits >= 2, "{rule}: {template} is found {hits} times: {:?}", found(template, 1));
    }
}

#[test]
fn every_rule_of_the_data_file_has_an_example_that_names_it() {
    let redactor = Redactor::builtin();
    let mut named: HashSet<String> = HashSet::new();
    for &(_, template) in table::EXAMPLES {
        for seed in 1..=3 {
            named.extend(rules(&redactor.find(&draw(template, false, seed), "")));
        }
    }
    for &(_, path, template) in table::IN_FILES {
        named.extend(rules(&redactor.find(&draw(template, false, 7), path)));
    }
    // If two rules match the same text, either name is fine.
    let listed: HashSet<&str> =
        table::EXAMPLES.iter().map(|entry| entry.0).chain(table::IN_FILES.iter().map(|entry| entry.0)).collect();
    named.extend(rules(&redactor.find("Authorization: Basic am9lOmh1bnQzcnMtbW9vbg==", "")));
    let unlisted: Vec<&str> =
        redactor.rules().filter(|rule| !listed.contains(rule) && !named.contains(*rule)).collect();
    assert!(unlisted.is_empty(), "no example: {unlisted:?}");
    let silent = redactor.rules().filter(|rule| !named.contains(*rule)).count();
    assert!(silent <= 20, "{silent} rules never gave their name");
}

#[test]
fn near_misses_do_not_fire_their_rule() {
    let redactor = Redactor::builtin();
    let mut fired = Vec::new();
    for &(rule, template) in table::EXAMPLES {
        let text = draw(template, true, 3);
        if rules(&redactor.find(&text, "")).contains(rule) {
            fired.push(format!("{rule}: {text}"));
        }
    }
    assert!(fired.is_empty(), "{}", fired.join("\n"));
}

#[test]
fn clean_texts_are_unchanged() {
    for text in table::CLEAN {
        let (out, found) = Redactor::builtin().redact(text, "");
        assert!(found.is_empty(), "{out}");
        assert!(matches!(out, Cow::Borrowed(_)));
    }
}

#[test]
fn hostile_sizes_terminate() {
    let redactor = Redactor::builtin();
    for (piece, times) in [
        ("a", 1 << 20),
        ("password=", 20_000),
        ("sk-", 100_000),
        ("://a:b@", 50_000),
        ("-----BEGIN PRIVATE KEY-----\n", 10_000),
        ("eyJ.", 100_000),
        ("token=\"", 20_000),
        ("user=password=", 10_000),
        ("authorization: basic ", 10_000),
        ("password=\"hunt3rs!moon\"\n", 10_000),
    ] {
        let text = piece.repeat(times);
        let (out, _) = redactor.redact(&text, "");
        assert!(!out.is_empty() && !out.contains("hunt3rs"), "{piece}");
    }
}

/// A line made of fragments that matter to the matchers.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("password = \"".to_owned()),
        Just("token=".to_owned()),
        Just("\"".to_owned()),
        Just("\n".to_owned()),
        Just("https://joe:".to_owned()),
        Just("@h.io/".to_owned()),
        Just("[REDACTED:token]".to_owned()),
        Just("ß😀".to_owned()),
        Just("-----BEGIN RSA PRIVATE KEY-----\n".to_owned()),
        Just("-----END RSA PRIVATE KEY-----".to_owned()),
        any::<u16>().prop_map(|seed| draw("gh{}p_{an36}", false, u64::from(seed))),
        any::<u16>().prop_map(|seed| draw("{b64}", false, u64::from(seed))),
        any::<u16>().prop_map(|seed| draw("sk{}-{an40}", false, u64::from(seed))),
        "[ -~]{0,12}",
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_sorted_disjoint_and_on_character_boundaries(pieces in proptest::collection::vec(piece(), 0..14)) {
        let text = pieces.concat();
        let found = Redactor::builtin().find(&text, "");
        let mut last = 0;
        for finding in &found {
            prop_assert!(last <= finding.start && finding.start < finding.end && finding.end <= text.len());
            prop_assert!(text.is_char_boundary(finding.start) && text.is_char_boundary(finding.end));
            let line = text[..finding.start].matches('\n').count() + 1;
            prop_assert_eq!(finding.line as usize, line);
            last = finding.end;
        }
    }

    #[test]
    fn redaction_is_idempotent_and_leaves_nothing(pieces in proptest::collection::vec(piece(), 0..14)) {
        let text = pieces.concat();
        let (once, found) = Redactor::builtin().redact(&text, "");
        let (twice, again) = Redactor::builtin().redact(&once, "");
        prop_assert_eq!(&*twice, &*once);
        prop_assert!(again.is_empty());
        for finding in &found {
            prop_assert!(text.is_char_boundary(finding.start) && text.is_char_boundary(finding.end));
        }
        prop_assert_eq!(found.is_empty(), *once == *text);
    }

    #[test]
    fn secrets_are_found_in_utf16(pieces in proptest::collection::vec(piece(), 0..14), big: bool) {
        let mut text = pieces.concat();
        // ASCII text; with fewer letters UTF-16 cannot be recognized.
        text.retain(|c| c.is_ascii() && c != '\0');
        prop_assume!(text.len() >= 4);
        let wide: String = text.chars().flat_map(|c| if big { ['\0', c] } else { [c, '\0'] }).collect();
        let (found, doubled) = (Redactor::builtin().find(&text, ""), Redactor::builtin().find(&wide, ""));
        let place = |finding: &Finding, times: usize| (finding.start * times, finding.end * times, finding.line);
        prop_assert_eq!(
            doubled.iter().map(|finding| place(finding, 1)).collect::<Vec<_>>(),
            found.iter().map(|finding| place(finding, 2)).collect::<Vec<_>>()
        );
    }
}
