//! Tests of terminal output: the table, and no control characters.

use super::support::{Place, TASK, skip};

/// Returns true if the text has no control characters except line endings.
fn harmless(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || (!c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c)))
}

/// Runs teddy in a terminal; `None` without `script`.
#[cfg(target_os = "linux")]
fn in_terminal(place: &Place, arguments: &str) -> Option<String> {
    let mut script = std::process::Command::new("script");
    place.set_environment(&mut script);
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_teddy"));
    script.args(["-qec", &line, "/dev/null"]).current_dir(place.root()).env("SOURCE_DATE_EPOCH", super::support::NOW);
    let Ok(output) = script.output() else {
        skip("script, for a terminal");
        return None;
    };
    // Progress is a line that is redrawn and finally cleared.
    let shown = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    let mut pieces = shown.split("\r\u{1b}[K");
    let first = pieces.next().unwrap_or_default().to_owned();
    Some(pieces.filter(|piece| piece.contains('\n')).fold(first, |all, piece| all + piece))
}

#[cfg(target_os = "linux")]
#[test]
fn in_a_terminal_there_is_a_table_and_no_payload() {
    let place = Place::repository();
    place.write("src/\u{1b}[31mred.py", "# refund\n");
    let Some(shown) = in_terminal(&place, &format!("plan '{TASK}' --no-tui")) else { return };
    let table: Vec<&str> =
        shown.lines().filter(|line| line.contains("RAW") && line.contains(" src/payment.py")).collect();
    assert_eq!(table.len(), 1, "{shown}");
    assert!(shown.contains("  tier    score  path"), "{shown}");
    assert!(shown.contains("of 70,000 tokens") && shown.contains("skipped by the scan"), "{shown}");
    assert!(shown.contains("saved in .teddy/sessions/"), "{shown}");
    assert!(!shown.contains("# Context Payload"), "{shown}");
    assert!(shown.contains("␛[31mred.py") && harmless(&shown), "{shown:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn contents_are_escaped_on_a_terminal_and_exact_in_a_pipe() {
    let place = Place::repository();
    let evil = "def refund():\n\treturn '\u{1b}]52;c;aGk=\u{7}'\n";
    place.write("src/payment.py", evil);
    let piped = place.ok(&["plan", TASK, "--pin", "src/payment.py"]).out;
    assert!(piped.contains(evil), "{piped}");
    let plan = "# Plan\n\u{1b}[2J\n";
    place.write("plan.md", plan);
    for arguments in [&format!("plan '{TASK}' --stdout --pin src/payment.py")[..], "show --payload", "resume --no-tui"]
    {
        if arguments.starts_with("resume") {
            for session in std::fs::read_dir(place.path(".teddy/sessions")).unwrap() {
                std::fs::copy(place.path("plan.md"), session.unwrap().path().join("01/plan.md")).unwrap();
            }
        }
        let Some(shown) = in_terminal(&place, arguments) else { return };
        assert!(shown.contains("\treturn '␛]52;c;aGk=␇'\n") || shown.contains("# Plan\n␛[2J\n"), "{shown:?}");
        assert!(harmless(&shown.replace('\t', " ")), "{shown:?}");
    }
}

#[test]
fn control_characters_in_arguments_are_escaped() {
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
fn control_characters_in_names_and_texts_are_escaped() {
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
