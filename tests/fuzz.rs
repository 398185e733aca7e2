//! Tests of parsers and sanitizers with mutated input. cargo-fuzz needs a nightly compiler and a separate crate; this
//! needs neither. It has a small seed corpus, random mutations, and properties that hold for any input. By default each
//! target gets a few hundred inputs; `TEDDY_FUZZ_SECONDS=300 cargo test --release --test fuzz` runs each for that long,
//! and `TEDDY_FUZZ_SEED` repeats a run.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use teddy::gather::evidence;
use teddy::gather::read::decode;
use teddy::handoff::{Handoff, document};
use teddy::outline::language::Language;
use teddy::outline::{definitions, skeleton};
use teddy::project::{active_context, context, memos};
use teddy::redact::{Policy, Redactor};
use teddy::render::{ack, parse, verify};
use teddy::text::printable;

/// Fragments that matter to parsers.
const PIECES: &[&str] = &[
    "```",
    "~~~~",
    "## RAW",
    "### RAW:task",
    "<!-- source: x -->",
    "# file: a.py (lines 1-2)",
    "- **Fingerprint:** ",
    "&a",
    "*a",
    "!!binary",
    "|-\n",
    ">+\n",
    "? ",
    "[",
    "{",
    "]",
    "}",
    ":",
    "- ",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "password = \"",
    "token=",
    "://u:",
    "@h",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----END",
    "eyJ",
    "ghp_",
    "[REDACTED:token]",
    "../",
    "/etc/passwd",
    "**/",
    ":10-80",
    "!",
    "#",
    "\"",
    "'",
    "\\",
    "$(",
    "<<A\n",
    "{{",
    "😀",
    "é",
    "\u{2028}",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn mutated(random: &mut Random, seeds: &[&str]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].as_bytes().to_vec();
    for _ in 0..=random.below(12) {
        let at = random.below(bytes.len() + 1);
        match random.below(7) {
            0 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
            1 if !bytes.is_empty() => drop(bytes.remove(at.min(bytes.len() - 1))),
            2 if !bytes.is_empty() => {
                let last = bytes.len() - 1;
                bytes[at.min(last)] = random.next() as u8;
            }
            3 => bytes.truncate(at),
            4 => {
                let end = (at + random.below(60)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.extend(piece);
            }
            5 => {
                let piece = PIECES[random.below(PIECES.len())].repeat(random.below(200));
                bytes.splice(at..at, piece.bytes());
            }
            _ => {
                let other = seeds[random.below(seeds.len())].as_bytes();
                let from = random.below(other.len() + 1);
                bytes.splice(at..at, other[from..].iter().copied());
            }
        }
    }
    bytes
}

fn fuzz(name: &str, seeds: &[&str], check: impl Fn(&[u8])) {
    // Parsing is slow in a debug build.
    let few = if name == "skeleton" { 60 } else { 300 };
    let seconds = std::env::var("TEDDY_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let seed = std::env::var("TEDDY_FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let clock =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64);
    let seed: u64 = seed.unwrap_or(clock) | 1;
    let (mut random, start, mut tried) = (Random(seed), Instant::now(), 0_usize);
    while seconds.map_or(tried < few, |most| start.elapsed() < most) {
        let bytes = mutated(&mut random, seeds);
        let held = catch_unwind(AssertUnwindSafe(|| check(&bytes))).is_ok();
        assert!(held, "{name}, TEDDY_FUZZ_SEED={seed}, input {tried}: {:?}", String::from_utf8_lossy(&bytes));
        tried += 1;
    }
    println!("{name}: {tried} inputs in {:?}, seed {seed}", start.elapsed());
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn context_lists() {
    let seeds =
        ["docs/a.md\nsrc/**/*.proto\nsrc/main.rs:10-80\n!docs/old.md\n# a comment\n", "", "/etc/passwd\n../x\n"];
    fuzz("context", &seeds, |bytes| {
        let text = lossy(bytes);
        let (list, problems) = context::parse(&text);
        assert!(list.entries.len() + problems.len() <= text.lines().count() + 1);
    });
}

#[test]
fn memo_files() {
    let seeds = ["- Use pnpm.\n- Amounts are in cents.\n", "[]\n", "- |\n  several\n  lines\n- &a x\n- *a\n", "a: b\n"];
    fuzz("memos", &seeds, |bytes| {
        if let Err(error) = memos::parse(Path::new("memos.yaml"), &lossy(bytes)) {
            assert_eq!(error.exit_code(), 2);
        }
    });
}

#[test]
fn the_redactor() {
    let key = format!(
        "-----BEGIN {0} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n-----END {0} KEY-----\n",
        "RSA PRIVATE"
    );
    let seeds = [
        "password = \"hunt3rs!moon\"\n",
        "https://joe:q8Zr2LmT5v@h.io/\n",
        "token: |\n  q8Zr2LmT5vXc7Bn4\n",
        &key,
        "fn main() { let key = 1; }\n",
    ];
    fuzz("redactor", &seeds, |bytes| {
        let text = lossy(bytes);
        for finding in Redactor::builtin().find(&text, "a.env") {
            assert!(finding.start < finding.end && text.get(finding.start..finding.end).is_some());
        }
        let (once, _) = Redactor::builtin().redact(&text, "");
        assert_eq!(once.matches('\n').count(), text.matches('\n').count(), "lines move");
        let (twice, found) = Redactor::builtin().redact(&once, "");
        assert!(found.is_empty() && *twice == *once, "a second look finds more");
    });
}

#[test]
fn the_sanitiser() {
    let seeds = ["plain text", "\u{1b}[31mred\u{1b}[0m", "a\u{202e}b\u{200b}", "\u{9b}31m\u{7f}\r\n\t"];
    fuzz("printable", &seeds, |bytes| {
        let text = lossy(bytes);
        let shown = printable(&text);
        let harmful = |c: char| {
            c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
        };
        assert!(!shown.contains(harmful), "{shown:?}");
        assert_eq!(printable(&shown), shown);
    });
}

#[test]
fn payloads() {
    let seeds = [
        "# Context Payload: x\n\n## META\n- **Task:** x\n- **Budget:** 1 / 2 tokens (RAW: 1 | LINKED: 0 | SUMMARY: 0)\n\n## SUMMARY\n\nx\n\n## RAW\n\n### RAW:docs\n<!-- source: teddy/x | relevance: 3 | tokens: ~24 -->\n```text\n# file: b.txt (lines 1-1)\nx\n```\n\n## LINKED\n\nNothing is linked.\n\n## Context Fingerprint\n\nRAW, in order:\n\n2d71\n\n## ACK\n",
    ];
    let dir = tempfile::tempdir().unwrap();
    fuzz("payload", &seeds, |bytes| {
        let text = lossy(bytes);
        let _ = parse(&text);
        // A mutated payload cannot match its fingerprint.
        assert!(!verify(&text, dir.path()).is_fresh());
    });
}

#[test]
fn logs_and_traces() {
    let seeds = [
        "Traceback (most recent call last):\n  File \"src/pay.py\", line 3, in refund\n    charge()\nValueError: no\n",
        "thread 'main' panicked at src/main.rs:10:5:\nindex out of bounds\nstack backtrace:\n   0: core::panicking\n",
        "panic: runtime error\n\ngoroutine 1 [running]:\nmain.refund(0x1)\n\t/app/pay.go:12 +0x1d\n",
        "Exception in thread \"main\" java.lang.Error: x\n\tat shop.Pay.refund(Pay.java:7)\nCaused by: java.io.IOException\n",
        "src/a.c:3:5: error: expected ';'\nFAILED tests/test_a.py::test_x - assert 1 == 2\n",
        "TypeError: x\n    at refund (/app/src/pay.js:3:9)\n    at async Promise.all (index 0)\n",
        "\u{1b}[31mE   assert 1\u{1b}[0m\n==1==ERROR: AddressSanitizer\n    #0 0x1 in refund pay.c:3\n",
    ];
    let policy = Policy::default();
    fuzz("evidence", &seeds, |bytes| {
        let text = lossy(bytes);
        for failure in evidence::failures(&text) {
            assert!(failure.locations.iter().all(|location| !location.path.is_empty()), "{failure:?}");
        }
        if let Ok(log) = evidence::read(bytes, "run.log", &policy) {
            let (_, found) = policy.redact(&log.text, "run.log");
            assert!(found.is_empty(), "a secret is left in {:?}", log.text);
        }
    });
}

#[test]
fn acknowledgements() {
    let seeds = [
        "## Context Acknowledgement\n\n- Received: RAW 3 files, LINKED 2\n- Gaps: src/a.rs\n- Need: RAW:code\n",
        "```yaml\nack:\n  received: [RAW, LINKED]\n  missing:\n  - src/a.rs\n  confidence: 0.8\n```\n",
        "ACK fingerprint: 2d71\nI need src/b.rs and `src/c.rs:10-20`.\n",
        "## Active Context\n\n- add src/a.rs (why)\n- drop src/b.rs\n",
    ];
    fuzz("acknowledgement", &seeds, |bytes| {
        let text = lossy(bytes);
        if let Err(error) = ack::read(&text) {
            assert!(matches!(error.exit_code(), 1 | 2), "{error}");
        }
        let lines = text.lines().count();
        assert!(active_context::parse(&text).changes.len() <= lines * 64 + 64);
    });
}

#[test]
fn handoffs() {
    let seeds = [
        "{\"phase\": 2, \"goal\": \"x\", \"verdicts\": {\"tests\": \"pass\"}, \"decisions\": [\"a\"], \"other\": 1}\n",
        "# Plan\n\n## Decisions\n- a\n- b\n\n## Risks\n\n1. c\n\n## Verdicts\n- tests: pass\n",
        "## Goal\nx\n## Artifacts\n- `src/a.rs`\n",
    ];
    fuzz("handoff", &seeds, |bytes| {
        let text = lossy(bytes);
        if let Ok(read) = Handoff::parse(Path::new("handoff.json"), &text) {
            let again = Handoff::parse(Path::new("handoff.json"), &read.to_json().unwrap()).unwrap();
            assert_eq!(again, read, "it reads back as something else");
        }
        for prose in [false, true] {
            let read = document::read(&text, prose);
            assert!(read.artifacts_produced.len() <= text.len(), "{read:?}");
        }
    });
}

#[test]
fn texts_from_bytes() {
    fuzz("decode", &["plain\n", "\u{feff}bom", "caf\u{e9}"], |bytes| {
        if let Ok(decoded) = decode("a.rs", bytes) {
            let text = decoded.text;
            assert!(!text.contains('\0'));
        }
    });
}

#[test]
fn outlines_and_skeletons() {
    let seeds = [
        "fn a() { b(); }\nstruct C { d: u8 }\n",
        "def a():\n    '''doc'''\n    return 1\n",
        "class A { b() { return `x${1}` } }\n",
        "a() { echo $((1)); }\n",
        "<?php function a() {}\n",
    ];
    let languages = [
        Language::Rust,
        Language::Python,
        Language::JavaScript,
        Language::Ruby,
        Language::Shell,
        Language::Php,
        Language::Cpp,
        Language::Go,
    ];
    fuzz("skeleton", &seeds, |bytes| {
        let text = lossy(bytes);
        let at = bytes.len() % languages.len();
        for language in [languages[at], languages[(at + 3) % languages.len()]] {
            let _ = definitions::outline(language, &text);
            if let Some(cut) = skeleton::skeleton(language, &text, &[]) {
                assert!(cut.text.len() <= text.len(), "{language:?}");
            }
        }
    });
}
