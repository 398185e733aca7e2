//! Compares skeletons with golden files, one for each language, and checks properties of all of them.
//!
//! `UPDATE_GOLDEN=1 cargo test --test skeletons` rewrites the expected files; review them before committing.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a missing golden file must fail the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use teddy::outline::definitions::{Outline, outline};
use teddy::outline::language::Language;
use teddy::outline::skeleton::{ShortenedText, cut_to_spans, skeleton};

/// Golden files, without their skeletons.
static GOLDENS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.contains(".skeleton.")).collect();
    names.sort_unstable();
    names
});

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/skeleton")
}

/// Language and text of a golden file, with `\n` line endings regardless of how git checked it out.
fn golden(name: &str) -> (Language, String) {
    let text = fs::read_to_string(directory().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    (Language::of(name, "").unwrap(), text.replace("\r\n", "\n"))
}

fn expected_name(name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap();
    format!("{stem}.skeleton.{extension}")
}

fn parsed(language: Language, text: &str) -> Outline {
    outline(language, text).expect("golden files parse")
}

/// Checks that the spans are sorted and disjoint, and that the shortened text has their lines in order.
fn assert_spans_match(cut: &ShortenedText, original: &str) {
    let original: Vec<&str> = original.split_inclusive('\n').collect();
    let mut rest: Box<dyn Iterator<Item = &str>> = Box::new(cut.text.split_inclusive('\n'));
    let mut previous = 0;
    for &(first, last) in &cut.spans {
        assert!(first <= last && last as usize <= original.len(), "{first}-{last}");
        assert!(previous == 0 || first > previous + 1, "spans touch at {first}");
        previous = last;
        for line in &original[first as usize - 1..last as usize] {
            assert!(rest.any(|found| found == *line), "line `{line}` of {first}-{last} is missing");
        }
    }
}

#[test]
fn every_language_with_outlines_has_a_golden_file() {
    let covered: Vec<Language> = GOLDENS.iter().map(|name| Language::of(name, "").unwrap()).collect();
    for language in Language::ALL {
        let has_outlines = outline(*language, "").is_some();
        assert_eq!(has_outlines, covered.contains(language), "{language:?}");
    }
}

#[test]
fn skeletons_match_their_golden_files() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for name in GOLDENS.iter() {
        let (language, text) = golden(name);
        let cut = skeleton(language, &text, &[]).unwrap();
        let path = directory().join(expected_name(name));
        if update {
            fs::write(&path, &cut.text).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        if expected != cut.text {
            wrong.push(format!("{name}:\n{}", cut.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn skeletons_parse_and_are_shorter() {
    for name in GOLDENS.iter() {
        let (language, text) = golden(name);
        assert!(!parsed(language, &text).has_errors, "{name} itself does not parse");
        let cut = skeleton(language, &text, &[]).unwrap();
        assert!(!parsed(language, &cut.text).has_errors, "{name}:\n{}", cut.text);
        assert!(cut.text.len() * 10 < text.len() * 8, "{name} is hardly shorter");
        assert_spans_match(&cut, &text);
    }
}

#[test]
fn keeping_everything_changes_nothing() {
    for name in GOLDENS.iter() {
        let (language, text) = golden(name);
        let count = text.lines().count() as u32;
        let cut = skeleton(language, &text, &[(1, count)]).unwrap();
        assert_eq!(cut, ShortenedText { text, spans: vec![(1, count)], markers: vec![] }, "{name}");
    }
}

#[test]
fn windows_line_breaks_are_kept() {
    for name in GOLDENS.iter() {
        let (language, text) = golden(name);
        let unix = skeleton(language, &text, &[]).unwrap();
        let windows = skeleton(language, &text.replace('\n', "\r\n"), &[]).unwrap();
        assert_eq!(windows.text, unix.text.replace('\n', "\r\n"), "{name}");
        assert_eq!(windows.spans, unix.spans, "{name}");
    }
}

#[test]
fn definitions_nest() {
    for name in GOLDENS.iter() {
        let (language, text) = golden(name);
        let count = text.lines().count() as u32;
        let definitions = parsed(language, &text).definitions;
        assert!(definitions.len() > 3, "{name}: {definitions:?}");
        for (index, definition) in definitions.iter().enumerate() {
            assert!(1 <= definition.first && definition.first <= definition.last, "{name}: {definition:?}");
            assert!(definition.last <= count, "{name}: {definition:?}");
            if let Some(parent) = definition.parent {
                assert!(parent < index);
                let parent = &definitions[parent];
                assert!(parent.first <= definition.first && definition.last <= parent.last, "{name}: {definition:?}");
            }
        }
    }
}

#[test]
fn deep_nesting_terminates() {
    for name in GOLDENS.iter() {
        let (language, _) = golden(name);
        for (unit, times) in [("(", 100_000), ("((a)", 2_000), ("if (x) {\n", 2_000), ("f(function() {\n", 2_000)] {
            let text = unit.repeat(times);
            // Any result is fine.
            if let Some(outline) = outline(language, &text) {
                assert!(outline.definitions.iter().all(|definition| definition.first <= definition.last));
            }
            if let Some(cut) = skeleton(language, &text, &[]) {
                assert!(cut.text.len() <= text.len());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keeping_any_lines_leaves_valid_code(which in 0..GOLDENS.len(), keep in prop::collection::vec((1u32..130, 0u32..12), 0..5)) {
        let (language, text) = golden(&GOLDENS[which]);
        let keep: Vec<(u32, u32)> = keep.into_iter().map(|(first, more)| (first, first + more)).collect();
        let cut = skeleton(language, &text, &keep).unwrap();
        prop_assert!(!parsed(language, &cut.text).has_errors, "{}", cut.text);
        prop_assert!(cut.text.len() <= text.len());
        assert_spans_match(&cut, &text);
        let count = text.lines().count() as u32;
        for (first, last) in keep {
            for line in first..=last.min(count) {
                prop_assert!(cut.spans.iter().any(|span| span.0 <= line && line <= span.1), "line {line} went");
            }
        }
    }

    #[test]
    fn damaged_code_never_panics(which in 0..GOLDENS.len(), from in 0.0..1.0f64, length in 0usize..300, junk in ".{0,12}") {
        let (language, text) = golden(&GOLDENS[which]);
        let from = (0..=(text.len() as f64 * from) as usize).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let to = (from + length..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let damaged = format!("{}{junk}{}", &text[..from], &text[to..]);
        let count = damaged.lines().count() as u32;
        if let Some(outline) = outline(language, &damaged) {
            prop_assert!(outline.definitions.iter().all(|it| it.first <= it.last && it.last <= count));
        }
        if let Some(cut) = skeleton(language, &damaged, &[]) {
            prop_assert!(cut.text.len() <= damaged.len());
            assert_spans_match(&cut, &damaged);
        }
    }

    #[test]
    fn random_bytes_never_panic(which in 0..GOLDENS.len(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let language = Language::of(&GOLDENS[which], "").unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let count = text.split_inclusive('\n').count() as u32;
        if let Some(outline) = outline(language, &text) {
            prop_assert!(outline.definitions.iter().all(|it| it.first <= it.last && it.last <= count));
        }
        if let Some(cut) = skeleton(language, &text, &[]) {
            assert_spans_match(&cut, &text);
        }
    }

    #[test]
    fn cutting_to_spans_keeps_exactly_these_lines(
        which in 0..GOLDENS.len(),
        spans in prop::collection::vec((0u32..140, 0u32..140), 0..6),
    ) {
        let (language, text) = golden(&GOLDENS[which]);
        let cut = cut_to_spans(Some(language), &text, &spans);
        assert_spans_match(&cut, &text);
        let count = text.lines().count() as u32;
        for (first, last) in spans {
            for line in first.max(1)..=last.min(count) {
                prop_assert!(cut.spans.iter().any(|span| span.0 <= line && line <= span.1), "line {line} went");
            }
        }
        prop_assert!(cut.text.lines().count() <= text.lines().count());
    }
}
