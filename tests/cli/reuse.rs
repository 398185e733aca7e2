//! The reusable beginning of `prompt` and `xml`: unchanged contents keep their bytes and their order in the next turn.

use teddy::gather::tokens::Tokenizer;
use teddy::text::short_count;

use super::support::{Place, Ran, TASK};

const FORMATS: [&str; 2] = ["prompt", "xml"];
const PINS: [&str; 6] = ["--pin", "src/ledger.py", "--pin", "src/mailer.py", "--pin", "docs/refunds.md"];

/// The paths of the inlined files, in order.
fn files(payload: &str) -> Vec<String> {
    let path = |line: &str| {
        let tagged = line.strip_prefix("<file path=\"").and_then(|rest| rest.split('"').next());
        let heading = line.strip_prefix("## ").filter(|rest| rest.contains('.'));
        tagged.or(heading).map(|path| path.split(' ').next().unwrap_or_default().to_owned())
    };
    payload.lines().filter_map(path).collect()
}

fn common<'t>(first: &'t str, second: &str) -> &'t str {
    let same = first.bytes().zip(second.bytes()).take_while(|(old, new)| old == new).count();
    &first[..first[..same].rfind('\n').map_or(0, |at| at + 1)]
}

/// Plans a turn, answers it, makes changes and plans the next turn.
fn two_turns(format: &str, flags: &[&str], change: impl Fn(&Place)) -> (Place, String, Ran) {
    let place = Place::repository();
    let first = place.ok(&[&["plan", TASK, "--format", format], &PINS[..], flags].concat());
    assert!(!first.err.contains("reusable"), "{}", first.err);
    let answer = place.outside().join("answer.md");
    std::fs::write(&answer, "Change src/payment.py.\n").unwrap();
    place.ok(&["answer", answer.to_str().unwrap()]);
    change(&place);
    let second = place.ok(&["resume", "-m", "Now document refunds"]);
    (place, first.out, second)
}

#[test]
fn unchanged_files_are_an_identical_prefix_and_the_receipt_says_so() {
    for format in FORMATS {
        let (place, first, second) = two_turns(format, &[], |_| {});
        let same = common(&first, &second.out);
        let expected = files(&first);
        assert!(expected.len() >= 4, "{first}");
        assert_eq!(files(same), expected, "{format}:\n{first}\n---\n{}", second.out);
        let tokenizer = Tokenizer::named("o200k_base").unwrap();
        let count = |text: &str| short_count(tokenizer.count(text));
        let said = format!(" · {} of {} tokens reusable\n", count(same), count(&first));
        assert!(second.err.contains(&said), "{format}: {said}: {}", second.err);
        assert_eq!(place.ok(&["replay", "--stdout"]).out, second.out, "{format}");
        if format == "xml" {
            place.ok(&["verify"]);
            assert!(second.out.starts_with("<context_payload>\n<raw>\n<inlined section=\"RAW:1\" tokens=\""));
            assert!(second.out.contains("<reason group=\""), "{}", second.out);
        }
    }
}

#[test]
fn a_changed_and_a_new_file_follow_the_unchanged_ones() {
    for format in FORMATS {
        let (_, first, second) = two_turns(format, &[], |place| {
            place.write("src/mailer.py", "def send(address, text):\n    print(text)\n");
            place.write(
                "src/refund.py",
                "\"\"\"Refunds of the payment service.\"\"\"\n\n\ndef refund(charge):\n    pass\n",
            );
            place.commit("Add refunds");
        });
        let (before, now) = (files(&first), files(&second.out));
        let at = before.iter().position(|path| path == "src/mailer.py").unwrap();
        assert_eq!(files(common(&first, &second.out))[..at], before[..at], "{format}: {before:?} {now:?}");
        let unchanged: Vec<&String> =
            before.iter().filter(|path| *path != "src/mailer.py" && now.contains(path)).collect();
        assert_eq!(now[..unchanged.len()].iter().collect::<Vec<_>>(), unchanged, "{format}: {before:?} {now:?}");
        if format == "prompt" {
            let listed = "\n## Changes to the Project Structure\n```\n+ src/refund.py\n```\n";
            assert!(second.out.contains(listed), "{}", second.out);
        }
        assert!(now[unchanged.len()..].contains(&"src/mailer.py".to_owned()), "{format}: {now:?}");
    }
}

#[test]
fn priority_decides_if_reuse_is_off() {
    for format in FORMATS {
        let (place, first, second) = two_turns(format, &["--no-reuse"], |_| {});
        for payload in [&first, &second.out] {
            if format == "xml" {
                assert!(
                    payload.starts_with("<context_payload task=\"") && payload.contains("\">\n<meta>\n"),
                    "{payload}"
                );
                assert!(payload.contains("<inlined section=\"RAW:primary-code"), "{payload}");
            }
        }
        assert!(!second.err.contains("reusable"), "{}", second.err);
        assert_eq!(place.ok(&["replay", "--stdout"]).out, second.out, "{format}");
        if format == "xml" {
            place.ok(&["verify"]);
        }
        let place = Place::repository();
        place.write_own_config("reuse: false\n");
        let by_config = place.ok(&[&["plan", TASK, "--format", format], &PINS[..]].concat()).out;
        assert_eq!(files(&by_config), files(&first), "{format}");
        assert!(!by_config.starts_with("<context_payload>"), "{by_config}");
    }
}

#[test]
fn a_payload_that_starts_with_its_contents_is_checked_like_any_other() {
    let (place, _, second) = two_turns("xml", &[], |_| {});
    let file = place.outside().join("payload.xml");
    let verify = |text: &str| {
        std::fs::write(&file, text).unwrap();
        place.run(&["verify", file.to_str().unwrap()])
    };
    // Text of a chat around the payload and other line endings make no difference.
    assert_eq!(verify(&format!("Look:\n\n{}\nThanks\n", second.out)).code, 0);
    let converted = verify(&second.out.replace('\n', "\r\n"));
    assert_eq!(converted.code, 0, "{}", converted.err);
    for (from, to) in [
        ("def send(", "def post("),
        ("relevance=\"", "relevance=\"1"),
        ("Start with", "Begin with"),
        ("Now document refunds\n</task>", "Remove refunds\n</task>"),
    ] {
        let damaged = verify(&second.out.replacen(from, to, 1));
        assert_eq!(damaged.code, 2, "{from}: {}{}", damaged.out, damaged.err);
    }
    place.write("src/ledger.py", "CHANGED = True\n");
    assert_eq!(verify(&second.out).code, 1);
    let parts = place.ok(&["resume", "--split", "1000", "--stdout"]).out;
    assert!(parts.contains("[Part 1 of "), "{parts}");
}
