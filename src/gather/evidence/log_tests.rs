//! Tests of trimming: long logs, repeats, binary data.

#![expect(clippy::format_collect, reason = "speed does not matter in tests")]

use super::{read, trim};
use crate::redact::Policy;

#[test]
fn a_long_log_is_trimmed_to_its_failures() {
    let mut log = String::new();
    for number in 0..60_000 {
        log.push_str(&format!("2026-01-24 10:30:00 INFO request {number} served\n"));
        if number % 9 == 0 {
            log.push_str(&format!("2026-01-24 10:30:00 ERROR cache miss {number}\n"));
        }
        if number == 30_000 {
            log.push_str("Traceback (most recent call last):\n  File \"shop/pay.py\", line 20, in f\nKeyError: 'api_key=sk_live_abcdefghijklmnop1234'\n");
        }
        if number == 40_000 {
            log.push_str(&"retrying\n".repeat(5_000));
        }
    }
    log.push_str("panic: the end\n");
    let read = read::read(log.as_bytes(), "app.log", &Policy::default()).unwrap();
    assert!(read.text.len() <= read::KEPT_BYTES, "{}", read.text.len());
    assert!(read.text.contains("File \"shop/pay.py\", line 20") && read.text.contains("panic: the end"));
    assert!(read.text.contains("lines omitted"));
    assert!(!read.text.contains("abcdefghijklmnop1234"));
    assert!(read.notes[0].contains("trimmed app.log to its failures"), "{:?}", read.notes);
    let tokenizer = crate::gather::tokens::Tokenizer::named("o200k_base").unwrap();
    for cap in [300, 2_000, 20_000] {
        let cut = trim::to_tokens(&read.text, tokenizer, cap);
        assert!(tokenizer.count(&cut.text) <= cap);
        assert!(cut.text.contains("File \"shop/pay.py\", line 20"), "{cap}: {}", cut.text);
    }
    let again = read::read(read.text.as_bytes(), "app.log", &Policy::default()).unwrap();
    assert_eq!(again.text, read.text, "trimming a trimmed log changes nothing");
}

#[test]
fn repeats_are_counted() {
    let failure = "thread 'main' panicked at src/a.rs:1:2:\nboom\n";
    let quiet = (0..40).map(|n| format!("step {n}\n")).collect::<String>();
    let log = format!("{failure}{quiet}").repeat(300) + &"tick\n".repeat(100_000);
    let read = read::read(log.as_bytes(), "x", &Policy::default()).unwrap();
    assert!(read.text.len() < 5_000, "{}", read.text.len());
    assert_eq!(read.text.matches("panicked at").count(), 2, "{}", read.text);
    assert!(read.text.contains("more times]"), "{}", read.text);
}

#[test]
fn a_log_without_failures_keeps_its_end() {
    let log: String = (0..50_000).map(|n| format!("line {n} of many\n")).collect();
    let read = read::read(log.as_bytes(), "x", &Policy::default()).unwrap();
    assert!(read.text.contains("no sign of a failure") && read.text.ends_with("line 49999 of many\n"));
}

#[test]
fn binary_data_is_an_error() {
    let policy = Policy::default();
    let error = read::read(&b"\x7fELF\0\0\0"[..], "core", &policy).unwrap_err();
    assert!(error.to_string().contains("core is binary") && error.exit_code() == 2);
    let latin = read::read(&b"caf\xe9 error: x\n"[..], "x", &policy).unwrap();
    assert!(latin.notes[0].contains("not valid UTF-8") && latin.text.contains("error: x"));
    let utf16: Vec<u8> = "\u{feff}error: größe\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&utf16[..], "x", &policy).unwrap().text, "error: größe\n");
    assert!(read(&b""[..], "x", &policy).unwrap().notes[0].contains("is empty"));
    let long = read::read("y".repeat(1_000_000).as_bytes(), "x", &policy).unwrap();
    assert!(long.text.len() < 3_000 && long.text.contains("more characters]"));
}

proptest::proptest! {
    #[test]
    fn removed_lines_are_counted_and_short_logs_are_unchanged(lines in proptest::collection::vec("[a-z :.0-9]{0,60}|error: [a-z]{0,20}", 0..300), cap in 200usize..4_000) {
        let mut cutter = trim::LogTrimmer::new(cap);
        for line in &lines {
            cutter.push(line);
        }
        let cut = cutter.finish();
        proptest::prop_assert_eq!(cut.lines, lines.len());
        proptest::prop_assert!(cut.gone <= cut.lines);
        if cut.gone == 0 && lines.iter().map(|line| line.len() + 1).sum::<usize>() < cap {
            proptest::prop_assert_eq!(cut.text, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        }
    }
}
