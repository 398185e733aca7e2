//! Faults between and during commands: the clock goes backwards, and `.teddy` is deleted or edited by another program.

use std::fs;
use std::process::Output;

use super::{ANSWER, PLAN, Place};

const SESSION: &str = ".teddy/sessions/20260124-add-refund-capability";

fn output_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_clock_that_goes_backwards_does_not_change_the_order() {
    let place = Place::prepared(&[PLAN, ANSWER, &["answer", "--report", "report.md"]]);
    // A week before the first turn, then a clock near 1970.
    for (number, time) in [("02", "1768645800"), ("03", "1")] {
        let output = place.run_at(time, &["resume", "-m", "Go on", "--stdout"]);
        assert!(output.status.success(), "{}", output_of(&output));
        assert!(place.root().join(SESSION).join(number).join("turn.yaml").is_file(), "{number}");
        let report = place.run_at(time, ANSWER);
        assert!(report.status.success(), "{}", output_of(&report));
        assert!(place.run_at(time, &["answer", "--report", "report.md"]).status.success());
    }
    let shown = String::from_utf8_lossy(&place.run(&["show"]).stdout).into_owned();
    let at = |turn: &str| shown.find(&format!("\n{turn}  done")).unwrap_or_else(|| panic!("{turn} in {shown}"));
    assert!(at("01") < at("02") && at("02") < at("03"), "{shown}");
}

#[test]
fn a_deleted_teddy_directory_is_reported_and_can_be_created_again() {
    let place = Place::prepared(&[PLAN]);
    fs::remove_dir_all(place.root().join(".teddy")).unwrap();
    for args in [ANSWER, &["resume"], &["handoff", "--goal", "Refunds"], &["branch", "01"]] {
        let output = place.run(args);
        assert!(!output.status.success(), "{args:?}");
        assert!(
            output_of(&output).contains("hint: ") && !output_of(&output).contains("panicked"),
            "{args:?}: {}",
            output_of(&output)
        );
        assert!(!place.root().join(".teddy").exists(), "{args:?} created something");
    }
    assert!(place.run(PLAN).status.success());
}

#[test]
fn a_deleted_turn_or_session_file_is_restored_or_reported() {
    let place = Place::prepared(&[PLAN, ANSWER]);
    fs::remove_file(place.root().join(SESSION).join("01/turn.yaml")).unwrap();
    let output = place.run(&["answer", "--report", "report.md"]);
    assert!(output.status.success(), "{}", output_of(&output));
    fs::remove_file(place.root().join(SESSION).join("session.yaml")).unwrap();
    let output = place.run(&["resume", "-m", "Go on", "--stdout"]);
    assert!(output.status.success(), "{}", output_of(&output));
    assert!(!output_of(&output).contains("panicked"), "{}", output_of(&output));
}

#[test]
fn edits_by_another_program_are_kept() {
    let place = Place::prepared(&[PLAN]);
    let record = place.root().join(SESSION).join("01/turn.yaml");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, format!("{text}owner: ann\n")).unwrap();
    assert!(place.run(&["resume", "--pin", "src/mailer.py", "--stdout"]).status.success());
    let now = fs::read_to_string(&record).unwrap();
    assert!(now.contains("owner: ann") && now.contains("src/mailer.py"), "{now}");
    // A broken edit is reported with its location, and the file stays as it is.
    let memos = place.root().join(".teddy/memos.yaml");
    fs::write(&memos, "- one\n two: [\n").unwrap();
    let output = place.run(&["memo", "add", "Use the ledger."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_of(&output).contains("cannot parse .teddy/memos.yaml:2:"), "{}", output_of(&output));
    assert!(output_of(&output).contains("nothing was changed"), "{}", output_of(&output));
    assert_eq!(fs::read_to_string(&memos).unwrap(), "- one\n two: [\n");
}
