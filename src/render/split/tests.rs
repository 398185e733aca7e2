//! Tests of parts of generated payloads: within the limit, in order, and joined to the same payload.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::gather::tokens::DEFAULT;
use crate::render::samples::{self, HOSTILE, PLAIN};
use crate::render::{Format, renderer};

/// A payload of small hostile files and one large one.
fn payload(format: Format, large: &str) -> String {
    let files = [&HOSTILE[..], &PLAIN[..], &[("large.txt", large)]].concat();
    let (_dir, corpus) = samples::corpus(&files);
    let corpus = Arc::new(corpus);
    let scores = Arc::new(samples::scores(&corpus));
    let placement = samples::all_raw(&corpus);
    renderer(format, corpus, scores, samples::plain_meta()).render(&placement)
}

fn texts(parts: &[PayloadPart]) -> Vec<String> {
    parts.iter().map(|part| part.text.clone()).collect()
}

#[test]
fn a_payload_that_fits_is_not_split() {
    let text = payload(Format::Hybrid, "small\n");
    let parts = split(&text, 100_000, DEFAULT).unwrap();
    assert_eq!(texts(&parts), [text]);
}

#[test]
fn payloads_and_parts_are_recognized() {
    use crate::gather::own_payloads::is_own_payload;
    for format in [Format::Hybrid, Format::Xml, Format::Invocation, Format::Prompt, Format::Pack] {
        assert!(is_own_payload(&payload(format, "small\n")), "{format:?}");
    }
    let parts = split(&payload(Format::Hybrid, &"one two three four\n".repeat(900)), 1_500, DEFAULT).unwrap();
    assert!(parts.len() > 2 && parts.iter().all(|part| is_own_payload(&part.text)));
}

#[test]
fn invalid_sizes_are_rejected_with_a_hint() {
    assert!(split("x", 10, DEFAULT).unwrap_err().hint().unwrap().contains("at least 1,000"));
    let pack = format!("{{\"a\": \"{}\"}}", "word ".repeat(2_000));
    assert!(split(&pack, 1_000, DEFAULT).unwrap_err().to_string().contains("JSON"));
}

#[test]
fn a_block_that_fits_into_a_part_is_never_cut() {
    let text = payload(Format::Hybrid, &"one two three four\n".repeat(150));
    let parts = split(&text, 1_300, DEFAULT).unwrap();
    assert!(parts.len() > 1);
    for part in &parts {
        assert!(!part.text.contains("[Cut here"), "{}", part.text);
        assert_eq!(DEFAULT.count(&part.text), part.tokens);
    }
    assert!(parts[0].text.starts_with(&format!("[Part 1 of {} of one payload.", parts.len())));
    assert!(parts.last().unwrap().text.contains("is the last: answer now."));
}

#[test]
fn a_larger_block_is_cut_and_reopened() {
    for format in [Format::Hybrid, Format::Xml, Format::Invocation, Format::Prompt] {
        let text = payload(format, &"one two three four\n".repeat(900));
        let parts = split(&text, 1_500, DEFAULT).unwrap();
        let cut: Vec<&PayloadPart> = parts.iter().filter(|part| part.text.contains("[Cut here: this block")).collect();
        assert!(cut.len() >= 2, "{format:?}");
        let again = parts.iter().filter(|part| part.text.contains("[This block goes on from part ")).count();
        assert_eq!(again, cut.len(), "{format:?}");
        assert_eq!(join(&texts(&parts)).as_deref(), Some(text.as_str()), "{format:?}");
    }
}

#[test]
fn a_line_that_is_larger_than_a_part_is_cut_inside() {
    for (word, times) in [("word", 5_000), ("é你", 1_500)] {
        let text = payload(Format::Hybrid, &word.repeat(times));
        let parts = split(&text, 1_000, DEFAULT).unwrap();
        let cut: Vec<&PayloadPart> =
            parts.iter().filter(|part| part.text.contains("[Cut here, inside a line:")).collect();
        assert!(cut.len() > 1 && cut[1..].iter().all(|part| part.tokens > 980), "the parts are filled");
        assert!(parts.iter().all(|part| part.tokens <= 1_000));
        assert_eq!(join(&texts(&parts)), Some(text));
    }
}

#[test]
fn unrelated_parts_cannot_be_joined() {
    let text = payload(Format::Hybrid, &"one two three four\n".repeat(900));
    let mut parts = texts(&split(&text, 1_500, DEFAULT).unwrap());
    parts.reverse();
    assert_eq!(join(&parts), Some(text));
    parts.reverse();
    assert_eq!(join(&[parts.join("\n")]), join(&parts), "one after the other");
    parts.reverse();
    let missing = parts.split_off(1);
    assert_eq!(join(&missing), None);
    assert_eq!(join(&[parts[0].clone(), "something else".to_owned()]), None);
    assert_eq!((join(&[]), join(&["whole".to_owned()])), (None, Some("whole".to_owned())));
    for wrong in ["[Part 0 of 2 of one payload. x]", "[Part 3 of 2 of one payload. x]", "[Part 1 of 2 of something"] {
        assert_eq!(join(&[wrong.to_owned(), wrong.to_owned()]), None, "{wrong}");
    }
}

#[test]
fn headings_stay_with_their_block() {
    let stretches = |text: &str| {
        let found = segments::segments(text);
        assert_eq!(found.iter().map(|segment| segment.text).collect::<String>(), text);
        found.iter().map(segments::Segment::pieces).map(|(a, b, c)| [a, b, c].join("|")).collect::<Vec<_>>()
    };
    // A heading stays with its block and the blank lines below it. Lines of text may be separated.
    assert_eq!(
        stretches("one\ntwo\n\n# A\n**File:** x\n```rust\ncode\n```\n\nthree\n"),
        ["|one\n|", "|two\n\n|", "# A\n**File:** x\n```rust\n|code\n|```\n\n", "|three\n|"]
    );
    assert_eq!(stretches("# A\n\nwords\n"), ["|# A\n\n|", "|words\n|"]);
    assert_eq!(stretches("<!-- x -->\n````\n```\n````\n"), ["<!-- x -->\n````\n|```\n|````\n"]);
    assert_eq!(stretches("---\n```\nnever closed\n"), ["---\n```\n|never closed\n|"]);
    assert_eq!(stretches("``\n```a`b\nwords"), ["|``\n|", "|```a`b\n|", "|words|"]);
    let tags =
        "<context_payload x>\n<meta>\n<inlined y>\n<file path=\"a\">\n```\n</item>\n</file>\n</inlined>\n<raw>\n";
    assert_eq!(
        stretches(tags),
        [
            "|<context_payload x>\n|",
            "|<meta>\n|",
            "<inlined y>\n<file path=\"a\">\n|```\n</item>\n|</file>\n</inlined>\n",
            "|<raw>\n|"
        ]
    );
}

#[test]
fn part_files_keep_their_extension() {
    assert_eq!(part_file(Path::new("a/out.md"), 1, 3), Path::new("a/out.1of3.md"));
    assert_eq!(part_file(Path::new("out"), 2, 12), Path::new("out.2of12"));
}

#[test]
fn splitting_terminates_for_any_part_size() {
    // If the last part is nearly full, its header affects the number of parts, which in turn affects the header.
    let text = payload(Format::Hybrid, &"a line of the file\n".repeat(700));
    for most in SMALLEST..SMALLEST + 300 {
        let parts = split(&text, most, DEFAULT).unwrap();
        assert!(parts.iter().all(|part| part.tokens <= most), "{most}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_part_is_within_its_limit_and_they_join(
        lines in prop::collection::vec("[a-z`<>/# \\t]{0,80}|```|</file>|\\[Cut here: this block goes on in part 2.\\]", 0..400),
        end in "\n|",
        most in 1_000usize..3_000,
        format in prop::sample::select(vec![Format::Hybrid, Format::Xml, Format::Invocation, Format::Prompt]),
    ) {
        let text = payload(format, &(lines.join("\n") + &end));
        let parts = split(&text, most, DEFAULT).unwrap();
        for part in &parts {
            prop_assert_eq!(DEFAULT.count(&part.text), part.tokens);
            prop_assert!(part.tokens <= most, "{} > {most}:\n{}", part.tokens, part.text);
        }
        prop_assert_eq!(join(&texts(&parts)), Some(text));
    }
}
