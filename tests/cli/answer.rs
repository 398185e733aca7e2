//! Tests of `teddy answer`: saving the model's answer and the report on it.

use super::support::{Place, Ran, SESSION, TASK, json, run_with_input, secret};

/// Runs teddy with this standard input.
pub fn piped(place: &Place, args: &[&str], input: &[u8]) -> Ran {
    let mut command = place.teddy();
    run_with_input(command.args(args), input)
}

#[test]
fn answer_and_report_are_saved_from_files() {
    let place = Place::planned();
    place.write("answer.txt", "# Plan\n\n1. Change src/payment.py");
    let kept = place.ok(&["answer", "answer.txt"]);
    assert_eq!(kept.out, format!("saved the answer of turn 01 as .teddy/sessions/{SESSION}/01/plan.md (3 lines)\n"));
    assert!(kept.err.contains("teddy answer --report FILE"), "{}", kept.err);
    assert_eq!(place.read_session("01/plan.md"), "# Plan\n\n1. Change src/payment.py\n");
    assert!(place.ok(&["sessions"]).out.contains("planned"));
    let report = piped(&place, &["answer", "--report", "-"], b"It works.\n");
    assert_eq!(report.code, 0, "{report:?}");
    assert!(report.err.contains("teddy resume"), "{}", report.err);
    assert_eq!(place.read_session("01/report.md"), "It works.\n");
    assert!(place.ok(&["sessions"]).out.contains("done"));
    // Saving the same answer again changes nothing.
    let again = place.ok(&["answer", "answer.txt"]).err;
    assert!(again.contains("already has a report") && !again.contains("do the work"), "{again}");
}

#[test]
fn existing_answers_are_replaced_only_with_force() {
    let place = Place::planned();
    place.write("answer.txt", "one\n");
    place.ok(&["answer", "answer.txt"]);
    // Saving it again is not an error, because the first call may have been interrupted.
    place.ok(&["answer", "answer.txt"]);
    place.write("answer.txt", "two\n");
    let advice = ["already has its answer", "01/plan.md", "--force", "teddy answer --report FILE"];
    place.refused(&["answer", "answer.txt"], 2, &advice);
    place.ok(&["answer", "answer.txt", "--force"]);
    assert_eq!(place.read_session("01/plan.md"), "two\n");
    place.ok(&["answer", "--report", "answer.txt"]);
    place.write("answer.txt", "three\n");
    place.refused(&["answer", "--report", "answer.txt"], 2, &["already has its report", "teddy resume", "--force"]);
    place.refused(&["answer", "answer.txt"], 2, &["already has its answer", "start the next turn"]);
}

#[test]
fn an_undone_answer_is_kept_as_a_file() {
    let place = Place::planned();
    place.refused(&["answer", "--undo"], 1, &["has no answer to undo", "teddy show"]);
    let before = place.read_session("01/checkpoint.json");
    place.write("answer.txt", "not this\n");
    place.ok(&["answer", "answer.txt"]);
    assert!(place.read_session("01/checkpoint.json").contains("not this"));
    let undone = place.ok(&["answer", "--undo"]);
    let said = format!("undid the answer of turn 01; it is kept as .teddy/sessions/{SESSION}/01/plan.undone.md\n");
    assert_eq!(undone.out, said);
    assert!(!place.session("01/plan.md").exists());
    assert_eq!(place.read_session("01/plan.undone.md"), "not this\n");
    assert_eq!(json(&place.read_session("01/checkpoint.json")), json(&before));
    assert!(place.ok(&["sessions"]).out.contains("delivered"));
    place.write("answer.txt", "this\n");
    place.ok(&["answer", "answer.txt"]);
    place.ok(&["answer", "--report", "answer.txt"]);
    place.refused(&["answer", "--undo"], 1, &["so its answer cannot be undone", "teddy resume"]);
    place.refused(&["answer", "--undo", "--clipboard"], 2, &["cannot be used with"]);
}

#[test]
fn a_payload_is_not_accepted_as_an_answer() {
    for format in ["hybrid", "xml", "prompt", "pack"] {
        let place = Place::planned();
        place.ok(&["resume", "--format", format, "-o", "sent.md"]);
        let sent = place.read("sent.md");
        // A clipboard may return the text with other line endings.
        let copied = sent.trim_end().replace('\n', "\r\n");
        let ran = piped(&place, &["answer", "-"], copied.as_bytes());
        assert_eq!(ran.code, 2, "{format}: {ran:?}");
        assert!(ran.err.contains("this is a payload, not the answer; nothing was saved"), "{format}: {}", ran.err);
        assert!(!place.session("01/plan.md").exists());
        // An answer may quote the payload.
        let answer = format!("# Plan\n\nYou sent:\n\n{sent}");
        assert_eq!(piped(&place, &["answer", "-"], answer.as_bytes()).code, 0);
    }
}

#[test]
fn a_failed_save_is_reported() {
    let place = Place::planned();
    let empty = piped(&place, &["answer"], b" \n\n");
    assert_eq!((empty.code, empty.err.contains("the answer is empty")), (2, true), "{empty:?}");
    let broken = piped(&place, &["answer", "-"], b"fine\nnot \xff fine\n");
    assert_eq!(broken.code, 2);
    assert!(broken.err.contains("standard input:2:5: not valid UTF-8"), "{}", broken.err);
    place.refused(&["answer", "missing.md"], 2, &["file `missing.md` not found"]);
    place.refused(&["answer", "src"], 2, &["is a directory"]);
    place.refused(&["answer", "README.md", "--session", "20260124-nothing"], 2, &["session `", "not found"]);
    place.refused(&["answer", "README.md", "--session", &format!("{SESSION}/09")], 2, &["turn `", "not found"]);
    place.refused(&["answer", "README.md", "--clipboard"], 2, &["cannot be used with"]);
    assert!(!place.session("01/plan.md").exists());
    let big = piped(&place, &["answer", "-"], &vec![b'x'; 1_000_001]);
    assert!(big.code == 2 && big.err.contains("larger than 1,000,000 bytes"), "{}", big.err);
    let none = Place::repository();
    none.refused(&["answer", "README.md"], 1, &["no `.teddy/`", "teddy plan"]);
}

#[test]
fn an_answer_belongs_to_the_last_delivered_turn_unless_another_is_named() {
    let place = Place::planned();
    place.ok(&["plan", "--session", SESSION, "-m", "more"]);
    std::fs::create_dir(place.session("03")).unwrap();
    place.write("answer.txt", "second\n");
    place.ok(&["answer", "answer.txt"]);
    assert_eq!(place.read_session("02/plan.md"), "second\n");
    place.write("answer.txt", "first\n");
    place.ok(&["answer", "answer.txt", "--session", &format!("{SESSION}/1")]);
    assert_eq!(place.read_session("01/plan.md"), "first\n");
    place.refused(
        &["answer", "answer.txt", "--session", &format!(".teddy/sessions/{SESSION}/03")],
        1,
        &["turn 03", "has no payload yet", &format!("teddy resume {SESSION}/03")],
    );
    let other = place.ok(&["plan", "Something else"]);
    assert_eq!(other.code, 0);
    place.ok(&["answer", "--report", "answer.txt", "--session", SESSION]);
    assert!(place.session("02/report.md").is_file());
}

#[test]
fn secrets_in_an_answer_are_not_stored() {
    let place = Place::planned();
    let key = secret();
    let ran = piped(&place, &["answer"], format!("Use\naws_access_key_id = {key}\n").as_bytes());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("note: line 2: redacted a secret"), "{}", ran.err);
    let plan = place.read_session("01/plan.md");
    assert!(plan.contains("[REDACTED:") && !plan.contains(&key), "{plan}");
    assert!(!ran.out.contains(&key) && !ran.err.contains(&key));
}

#[test]
fn a_session_in_use_is_not_changed() {
    let place = Place::planned();
    let lock = std::fs::File::options().read(true).write(true).open(place.session(".lock")).unwrap();
    lock.lock().unwrap();
    place.refused(&["answer", "README.md"], 3, &["another teddy"]);
}

#[cfg(unix)]
#[test]
fn the_clipboard_is_read_with_a_helper_program() {
    let place = Place::repository();
    place.ok(&["plan", TASK]);
    let path = place.program("xclip", "printf '# Plan\\n\\nfrom the clipboard\\n'");
    place.write(".teddy/config.yaml", "clipboard: helper\n");
    let ran =
        super::support::ran(place.teddy().args(["answer", "--clipboard"]).env("PATH", path).env("DISPLAY", ":77"));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(place.read_session("01/plan.md"), "# Plan\n\nfrom the clipboard\n");
    let nowhere = place.run(&["answer", "--clipboard", "--force"]);
    assert_eq!(nowhere.code, 3, "{nowhere:?}");
    assert!(nowhere.err.contains("cannot read the clipboard\n") && nowhere.err.contains("hint: "), "{nowhere:?}");
    place.write(".teddy/config.yaml", "clipboard: off\n");
    place.refused(&["answer", "--clipboard", "--force"], 2, &["clipboard: off"]);
}
