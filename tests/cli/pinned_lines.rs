//! `--pin path:10-80` and `--pin 'path#symbol'`, from the flag to the next turn.

use serde_json::{Value, json};

use super::support::{Place, SESSION, TASK, item, ran};

/// Lines of a pinned file in the output of `--json`.
fn pinned(plan: &Value, path: &str) -> (Value, Value) {
    let item = item(plan, path);
    assert_eq!(
        (&item["tier"], &item["ruling"], &item["form"]),
        (&json!("raw"), &json!("pin"), &json!("spans")),
        "{item}"
    );
    (item["spans"].clone(), item["pinned_lines"].clone())
}

fn resumed(place: &Place, more: &[&str]) -> Value {
    super::support::json(&place.ok(&[&["resume", "--json", "--dry-run"], more].concat()).out)
}

#[test]
fn only_the_named_ranges_and_definitions_are_pinned() {
    let place = Place::repository();
    let plan = place.placed(&["--pin", "src/mailer.py:1,4-5", "--pin", "src/payment.py#PaymentService.charge"]);
    let (spans, lines) = pinned(&plan, "src/mailer.py");
    assert_eq!(spans, json!([[1, 1], [4, 5]]));
    assert_eq!(lines, json!([{"lines": [1, 1], "symbol": null}, {"lines": [4, 5], "symbol": null}]));
    let (spans, lines) = pinned(&plan, "src/payment.py");
    assert_eq!((spans, lines), (json!([[12, 16]]), json!([{"lines": [12, 16], "symbol": "PaymentService.charge"}])));
    // Several flags for one file are combined; a pin of the whole file includes its lines.
    let plan = place.placed(&["--pin", "src/mailer.py:1", "--pin", "src/mailer.py#send"]);
    assert_eq!(pinned(&plan, "src/mailer.py").0, json!([[1, 1], [4, 6]]));
    let plan = place.placed(&["--pin", "src/mailer.py:1", "--pin", "src/mailer.py"]);
    assert_eq!(item(&plan, "src/mailer.py")["form"], "whole");

    let ran = place.ok(&["plan", TASK, "--pin", "src/mailer.py:1,4-5", "--exclude", "docs/"]);
    assert!(ran.out.contains("# file: src/mailer.py (lines 1-1, 4-5 of 6)\n"), "{}", ran.out);
    assert!(ran.out.contains(" | lines pinned | tokens: ~"), "{}", ran.out);
    assert!(!ran.out.contains("print(to, text)"), "a line that is not pinned is in: {}", ran.out);
    let xml = place.ok(&["plan", TASK, "--dry-run", "--format", "xml", "--pin", "src/mailer.py:4-5"]).out;
    assert!(xml.contains(" pinned=\"lines\"/>"), "{xml}");
    let table = place.ok(&["plan", TASK, "--dry-run", "--pin", "src/mailer.py:4-5"]);
    assert!(!table.out.contains("print(to, text)"), "{}", table.out);
}

#[test]
fn pinned_lines_of_a_large_file_cost_only_their_tokens() {
    let place = Place::repository();
    let method =
        |number: usize| format!("    def test_{number}(self):\n        self.assertEqual(pay({number}), {number})\n\n");
    let text: String = (0..3_000).map(method).collect();
    place.write("tests/large.py", &format!("class PayTests:\n{text}"));
    let counted = place.placed(&["--pin", "tests/large.py#PayTests.test_1500", "--count-all"]);
    let item = item(&counted, "tests/large.py");
    assert!(item["file_tokens"].as_u64().unwrap() > 50_000 && item["tokens"].as_u64().unwrap() < 200, "{item}");
    assert!(counted["budget"]["used"].as_u64() < counted["budget"]["limit"].as_u64());
}

#[test]
fn invalid_lines_are_rejected_with_a_reason() {
    let place = Place::repository();
    place.write("logo.png", "PNG\0\0");
    for (pin, needles) in [
        ("src/mailer.py#sent", &["`src/mailer.py#sent`: no definition `sent` in this file; did you mean `send`?"][..]),
        ("src/payment.py#PaymentServise.charge", &["did you mean `PaymentService.charge`?"]),
        ("src/mailer.py:5-9", &["`src/mailer.py:5-9`: the file has only 6 lines"]),
        ("src/mailer.py:70", &["the file has only 6 lines"]),
        ("src/mailer.py:5-2", &["`5-2` is not a line range: it ends before it starts"]),
        ("src/mailer.py:0-2", &["line numbers start at 1"]),
        ("src/mailer.py:2-", &["`2-` is not a line range; write it as `10-80`"]),
        ("logo.png:1-2", &["`logo.png` was skipped by the scan: "]),
        ("README.md#usage", &["its language has no outline; use a line range"]),
        ("src/mailr.py:1-2", &["file `src/mailr.py` not found", "src/mailer.py"]),
        ("src:1-2", &["`src` names 3 items, and lines can only be given for one file"]),
        ("src/*.py#send", &["lines can only be given for one file"]),
        ("memo:7", &["file `memo:7` not found"]),
        ("../other.py:1-2", &["outside the project"]),
    ] {
        place.refused(&["plan", TASK, "--pin", pin], 2, needles);
    }
    for flag in ["--exclude", "--link", "--demote"] {
        place.refused(&["plan", TASK, flag, "src/mailer.py:1-2"], 2, &["names lines, but ", " applies to whole files"]);
    }
    place.refused(
        &["plan", TASK, "--pin", "src/mailer.py:1-2", "--exclude", "src/mailer.py"],
        2,
        &["--pin and --exclude both name `src/mailer.py`"],
    );
}

#[cfg(unix)]
#[test]
fn a_path_with_that_name_takes_precedence_over_lines() {
    let place = Place::repository();
    for name in ["odd.py:1-2", "odd.py#send", "a#b.py"] {
        place.write(name, "def one():\n    return 1\n\n\ndef two():\n    return 2\n");
    }
    place.write("odd.py", "def send():\n    return 1\n");
    for name in ["odd.py:1-2", "odd.py#send"] {
        let plan = place.placed(&["--pin", name]);
        assert_eq!(item(&plan, name)["form"], "whole", "{name}");
        assert_eq!(item(&plan, "odd.py")["ruling"], Value::Null, "{name}");
    }
    for pin in ["odd.py:1-2:5-6", "odd.py#send:5-6", "a#b.py#two"] {
        let plan = place.placed(&["--pin", pin]);
        let path = pin.strip_suffix(":5-6").or_else(|| pin.strip_suffix("#two")).unwrap();
        assert_eq!(pinned(&plan, path).0, json!([[5, 6]]), "{pin}");
        // The turn's list and record name the same lines.
        place.ok(&["plan", TASK, "--pin", pin]);
        assert_eq!(pinned(&resumed(&place, &[]), path).0, json!([[5, 6]]), "{pin}");
        std::fs::remove_dir_all(place.path(".teddy")).unwrap();
    }
}

#[test]
fn patterns_are_relative_to_the_current_directory() {
    let place = Place::repository();
    let plan = |pattern: &str| -> Value {
        let args = ["plan", TASK, "--dry-run", "--json", "--pin", pattern];
        let answer = ran(place.teddy_in(&place.path("src")).args(args));
        assert_eq!(answer.code, 0, "{pattern}: {answer:?}");
        serde_json::from_str(&answer.out).unwrap()
    };
    let absolute = format!("{}:4-5", place.path("src/mailer.py").display());
    for pattern in ["mailer.py:4-5", "./mailer.py:4-5", "src/mailer.py:4-5", "../src/mailer.py:4-5", &absolute] {
        assert_eq!(pinned(&plan(pattern), "src/mailer.py").0, json!([[4, 5]]), "{pattern}");
    }
}

#[test]
fn pinned_lines_are_stored_replayed_and_verified() {
    for format in ["hybrid", "xml", "invocation"] {
        let place = Place::repository();
        let pins = ["--pin", "src/mailer.py#send", "--pin", "src/ledger.py:1,4-5"];
        let payload = place.ok(&[&["plan", TASK, "--format", format], &pins[..]].concat()).out;
        assert!(payload.contains("def send") && !payload.contains("Sends mail."), "{format}: {payload}");
        let record = place.read_session("01/turn.yaml");
        assert!(record.contains("- src/mailer.py#send\n") && record.contains("- src/ledger.py:1,4-5\n"), "{record}");
        let list = place.read_session("01/turn.context");
        assert!(list.contains("\nsrc/mailer.py#send\n") && list.contains("\nsrc/ledger.py:1,4-5\n"), "{list}");
        let done = place.ok(&["replay", "01"]);
        assert!(done.out.contains("is rebuilt byte for byte"), "{format}: {}", done.out);
        if format != "invocation" {
            assert!(place.ok(&["verify"]).out.contains("is intact"), "{format}");
        }
        let shown = place.ok(&["show"]).out;
        assert!(shown.contains("pin src/mailer.py#send, src/ledger.py:1,4-5\n"), "{shown}");
        // Resuming changes nothing, however often.
        for _ in 0..2 {
            assert_eq!(place.ok(&["resume"]).out, payload, "{format}");
            assert_eq!(place.read_session("01/turn.context"), list, "{format}");
        }
        // Additional lines are added to the pinned lines, and a pin of the whole file replaces them.
        let more = resumed(&place, &["--pin", "src/ledger.py:8-9"]);
        assert_eq!(pinned(&more, "src/ledger.py").0, json!([[1, 1], [4, 5], [8, 9]]));
        assert_eq!(item(&resumed(&place, &["--pin", "src/ledger.py"]), "src/ledger.py")["form"], "whole");
        place.write("src/mailer.py", "def send():\n    return 1\n");
        place.refused(&["replay", "01"], 1, &["changed"]);
        if format != "invocation" {
            place.refused(&["verify"], 1, &["changed: src/mailer.py"]);
        }
    }
}

#[test]
fn pinned_definitions_are_followed_and_missing_lines_reported() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py#send", "--pin", "src/ledger.py:12-13"]);
    let mailer = place.read("src/mailer.py");
    place.write("src/mailer.py", &format!("# A new first line.\nimport os\n{mailer}"));
    assert_eq!(pinned(&resumed(&place, &[]), "src/mailer.py").0, json!([[6, 8]]));
    let next = |place: &Place| place.ok(&["plan", "--session", SESSION, "-m", "Go on", "--json", "--dry-run"]);
    // The next turn carries over the definition, at its current lines.
    let plan = super::support::json(&next(&place).out);
    assert_eq!(pinned(&plan, "src/mailer.py"), (json!([[6, 8]]), json!([{"lines": [6, 8], "symbol": "send"}])));
    assert_eq!(pinned(&plan, "src/ledger.py").0, json!([[12, 13]]));

    place.write("src/mailer.py", &mailer.replace("def send", "def post"));
    place.write("src/ledger.py", "class Ledger:\n    pass\n");
    let ran = place.ok(&["resume", "--json", "--dry-run"]);
    for note in [
        "`src/mailer.py#send` is pinned, but no definition `send` in this file",
        "`src/ledger.py:12-13` is pinned, but the file has only 2 lines",
    ] {
        assert!(ran.err.contains(note), "{note}: {}", ran.err);
    }
    let plan = super::support::json(&ran.out);
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], Value::Null, "lost lines are no pin of the whole file");
    let ran = next(&place);
    assert!(ran.err.contains("`src/mailer.py#send`: no definition `send`"), "{}", ran.err);
    // The lines are pinned again as soon as they exist again.
    place.write("src/mailer.py", &mailer);
    assert_eq!(pinned(&resumed(&place, &[]), "src/mailer.py").0, json!([[4, 6]]));
}

#[test]
fn edits_of_turn_context_change_pinned_lines() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py#send", "--pin", "src/mailer.py:1"]);
    let list = place.read_session("01/turn.context");
    place.write_session("01/turn.context", &list.replace("src/mailer.py#send\n", ""));
    for round in 0..2 {
        let ran = place.ok(&["resume"]);
        assert!(ran.out.contains("# file: src/mailer.py (lines 1-1 of 6)"), "round {round}: {}", ran.out);
    }
    let list = place.read_session("01/turn.context");
    place.write_session("01/turn.context", &list.replace("src/mailer.py:1\n", "src/mailer.py\n"));
    assert_eq!(item(&resumed(&place, &[]), "src/mailer.py")["form"], "whole");
    place.ok(&["resume"]);
    let list = place.read_session("01/turn.context");
    assert_eq!(list.matches("src/mailer.py").count(), 1, "{list}");
    place.write_session("01/turn.context", &list.replace("src/mailer.py\n", ""));
    assert_ne!(item(&resumed(&place, &[]), "src/mailer.py")["tier"], "raw");
}

#[test]
fn stored_pins_include_their_lines() {
    let place = Place::repository();
    let pins = ["--pin", "src/mailer.py#send", "--pin", "src/ledger.py:4-5", "--store", "project"];
    place.ok(&[&["plan", TASK], &pins[..]].concat());
    assert!(place.read(".teddy/global.context").contains("src/mailer.py#send\nsrc/ledger.py:4-5\n"));
    let plan = place.placed(&[]);
    assert_eq!(pinned(&plan, "src/mailer.py").1, json!([{"lines": [4, 6], "symbol": "send"}]));
    let inside =
        ran(place.teddy_in(&place.path("src")).args(["resume", "--pin", "payment.py:1-3", "--store", "session"]));
    assert_eq!(inside.code, 0, "{inside:?}");
    assert!(place.read_session("session.context").contains("src/payment.py:1-3\n"));
}

#[test]
fn lists_report_lines_that_do_not_exist() {
    let place = Place::repository();
    place.write(".teddy/global.context", "src/mailer.py:4-5,90-95\nsrc/ledger.py:90\nsrc/payment.py#charg\n");
    let ran = place.ok(&["plan", TASK, "--json", "--dry-run"]);
    for note in [
        "global.context:1: `src/mailer.py:4-5,90-95`: the file has only 6 lines",
        "global.context:2: `src/ledger.py:90`: the file has only 13 lines",
        "global.context:3: `src/payment.py#charg`: no definition `charg` in this file; did you mean `charge`?",
    ] {
        assert!(ran.err.contains(note), "{note}: {}", ran.err);
    }
    let plan = super::support::json(&ran.out);
    assert_eq!(pinned(&plan, "src/mailer.py").0, json!([[4, 5]]));
    assert_eq!(item(&plan, "src/ledger.py")["ruling"], Value::Null);
}
