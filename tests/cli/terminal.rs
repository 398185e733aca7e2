//! What reaches a terminal: the table, and never a character that commands it.

use super::support::{Place, TASK};

/// Whether a text holds nothing that a terminal would obey, line ends aside.
fn harmless(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || (!c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c)))
}

#[cfg(target_os = "linux")]
#[test]
fn in_a_terminal_there_is_a_table_and_no_payload() {
    use std::process::Command;
    let place = Place::repository();
    place.write("src/\u{1b}[31mred.py", "# refund\n");
    let line = format!("{} plan '{TASK}'", env!("CARGO_BIN_EXE_teddy"));
    let mut script = Command::new("script");
    place.surround(&mut script);
    script.args(["-qec", &line, "/dev/null"]).current_dir(place.root()).env("SOURCE_DATE_EPOCH", super::support::NOW);
    let Ok(output) = script.output() else { return };
    let shown = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    assert!(output.status.success(), "{shown}");
    let table: Vec<&str> =
        shown.lines().filter(|line| line.contains("RAW") && line.contains("src/payment.py")).collect();
    assert_eq!(table.len(), 1, "{shown}");
    assert!(shown.contains("  tier    score  path"), "{shown}");
    assert!(shown.contains("of 25,000 tokens") && shown.contains("skipped by the scan"), "{shown}");
    assert!(shown.contains("saved in .teddy/sessions/"), "{shown}");
    assert!(!shown.contains("# Context Payload"), "{shown}");
    assert!(shown.contains("␛[31mred.py") && harmless(&shown), "{shown:?}");
}

#[test]
fn hostile_arguments_are_shown_and_not_obeyed() {
    let place = Place::planned();
    let evil = "\u{1b}]0;owned\u{7}\u{202e}x";
    let flag = format!("--{evil}");
    let directory = format!("{evil}/out.md");
    for args in [
        &["plan", TASK, "--pin", evil][..],
        &["plan", TASK, &flag],
        &["plan", TASK, "--format", evil],
        &["plan", TASK, "--tokenizer", evil],
        &["plan", TASK, "--model", evil],
        &["plan", TASK, "--complexity", evil],
        &["plan", TASK, "--budget", evil],
        &["plan", "--task-file", evil],
        &["plan", TASK, "-o", &directory],
        &["resume", evil],
        &["show", evil],
        &["explain", evil],
        &["verify", evil],
        &["memo", "rm", evil],
        &["completions", evil],
        &["-C", evil, "sessions"],
        &[evil],
    ] {
        let ran = place.refused(args, 2, &[]);
        assert!(harmless(&ran.err), "{args:?}: {:?}", ran.err);
        assert!(ran.err.contains("‹U+202E›x"), "{args:?} does not show what was given: {:?}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn hostile_names_and_texts_are_shown_and_not_obeyed() {
    let place = Place::repository();
    let evil = "src/\u{1b}[2Jrefund\nnew line\u{7}.py";
    place.write(evil, "# refund the payment\n");
    place.write("docs/\u{202e}txt.exe.md", "# Refund\n");
    std::fs::write(place.path("bin\u{1b}[1m.png"), [0, 1, 2]).unwrap();
    place.write(".teddy/global.context", "nowhere\u{202e}.md\n\"\\u001b[1m.txt\"\n");
    place.write(".teddy/config.yaml", "\"\\e[31mkey\": 1\n");
    place.ok(&["memo", "add", "Refund \u{1b}[31mred\u{1b}[0m"]);
    let task = "Refund \u{1b}]52;c;aGk=\u{7} it";
    for args in [
        &["plan", task, "-o", "../\u{1b}[31mout.md"][..],
        &["plan", task, "--json"],
        &["sessions"],
        &["show"],
        &["doctor", "--skipped"],
        &["memo", "list"],
        &["memo", "rm", "1"],
        &["explain", evil],
        &["resume", "--pin", evil, "-o", "/dev/null"],
    ] {
        let ran = place.ok(args);
        assert!(harmless(&ran.err), "{args:?}: {:?}", ran.err);
        assert!(harmless(&ran.out), "{args:?}: {:?}", ran.out);
    }
}
