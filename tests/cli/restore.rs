//! Tests of restoring a turn from `checkpoint.json`.

use super::support::{Place, SESSION, TASK, item, json};

/// A turn with every kind of decision.
fn decided() -> (Place, String) {
    let place = Place::repository();
    let payload = place.ok(&[
        "plan", TASK, "--pin", "src/mailer.py", "--link", "README.md", "--exclude", "docs/refunds.md", "--budget",
        "9000", "--fill", "--tokenizer", "cl100k_base", "--task-type", "test",
    ]);
    (place, payload.out)
}

#[test]
fn the_checkpoint_has_the_fields_of_its_specification() {
    let (place, _) = decided();
    let checkpoint = json(&place.read_session("01/checkpoint.json"));
    assert_eq!(checkpoint["session_id"], SESSION);
    assert_eq!(checkpoint["timestamp"], "2026-01-24T10:30:00Z");
    assert_eq!((&checkpoint["task_type"], &checkpoint["state"]), (&"test".into(), &"delivered".into()));
    assert_eq!(checkpoint["user_request"], TASK);
    let summary = &checkpoint["context_summary"];
    let used = summary["tokens_used"].as_u64().unwrap();
    assert!(summary["chunks_included"].as_u64().unwrap() >= 2 && used > 0);
    let part = summary["utilization"].as_f64().unwrap();
    assert!((part - used as f64 / 9000.0).abs() < 0.001, "{part}");
    let mailer =
        checkpoint["artifacts"].as_array().unwrap().iter().find(|found| found["path"] == "src/mailer.py").unwrap();
    assert_eq!((&mailer["type"], &mailer["tier"]), (&"file".into(), &"raw".into()));
    assert_eq!(mailer["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(mailer["blob"].as_str().unwrap().len(), 40);
    assert_eq!(checkpoint["conversation_history"], serde_json::json!([{"role": "user", "content": TASK}]));
    assert_eq!(checkpoint["git"]["commit"].as_str().unwrap().len(), 40);
    assert_eq!((&checkpoint["git"]["branch"], &checkpoint["git"]["dirty"]), (&"main".into(), &false.into()));
    place.write("answer.md", "# Plan\n");
    place.ok(&["answer", "answer.md"]);
    let planned = json(&place.read_session("01/checkpoint.json"));
    assert_eq!(
        (&planned["state"], &planned["conversation_history"][1]["role"]),
        (&"planned".into(), &"assistant".into())
    );
    assert_eq!(planned["record"], checkpoint["record"]);
    place.ok(&["answer", "--report", "answer.md"]);
    assert_eq!(json(&place.read_session("01/checkpoint.json"))["state"], "done");
    place.ok(&["resume", "-m", "Go on"]);
    let said = json(&place.read_session("02/checkpoint.json"))["conversation_history"].clone();
    let roles: Vec<&str> = said.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "user"]);
    assert_eq!(said[3]["content"], "Go on");
}

#[test]
fn a_turn_without_a_record_is_restored() {
    let (place, payload) = decided();
    let context = place.read_session("01/turn.context");
    for file in ["turn.yaml", "turn.context", "payload.md"] {
        std::fs::remove_file(place.session("01").join(file)).unwrap();
    }
    let ran = place.ok(&["resume"]);
    assert!(ran.err.contains("note: turn 01 was restored from checkpoint.json"), "{}", ran.err);
    let told = |text: &str| text.lines().filter(|line| !line.starts_with("- ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(told(&ran.out).len(), told(&payload).len(), "{}", ran.out);
    assert_eq!(place.read_session("01/turn.context"), context);
    assert!(ran.err.contains("of 9,000"), "{}", ran.err);
    let again = place.ok(&["resume", "--json"]);
    assert!(!again.err.contains("restored"), "it is on disk again: {}", again.err);
    let plan = json(&again.out);
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], "pin");
    assert_eq!(item(&plan, "README.md")["ruling"], "link");
    assert_eq!(item(&plan, "docs/refunds.md")["ruling"], "exclude");
    assert_eq!((&plan["task"]["type"], &plan["task"]["tokenizer"]), (&"test".into(), &"cl100k_base".into()));
    assert_eq!((&plan["task"]["fill"], &plan["task"]["text"]), (&true.into(), &TASK.into()));
}

#[test]
fn an_unreadable_record_is_renamed() {
    let (place, _) = decided();
    place.write_session("01/turn.yaml", "rulings: [\n");
    let before = place.listing();
    let dry = place.ok(&["resume", "--dry-run"]);
    assert!(dry.err.contains("restored from checkpoint.json"), "{}", dry.err);
    super::support::assert_same(&before, &place.listing());
    let ran = place.ok(&["resume"]);
    assert!(ran.err.contains("kept as turn.yaml.unreadable"), "{}", ran.err);
    assert!(!ran.out.contains("restored"), "the reader of the payload need not know: {}", ran.out);
    assert_eq!(place.read_session("01/turn.yaml.unreadable"), "rulings: [\n");
    assert!(place.read_session("01/turn.yaml").contains("src/mailer.py"));
    place.ok(&["show"]);
    // Without a valid checkpoint it remains an error, and the file is unchanged.
    place.write_session("01/turn.yaml", "rulings: [\n");
    place.write_session("01/checkpoint.json", "{}");
    place.refused(&["resume"], 2, &["turn.yaml:"]);
}

#[test]
fn the_next_turn_continues_a_turn_without_a_record() {
    let (place, _) = decided();
    place.write_session("01/report.md", "x\n");
    std::fs::remove_file(place.session("01/turn.yaml")).unwrap();
    assert!(place.ok(&["resume"]).err.contains("of 9,000"));
    place.ok(&["branch", "01"]);
    assert!(place.read_session("01-branch-01/turn.yaml").contains("budget: 9000"));
}

#[test]
fn a_session_file_that_is_missing_or_broken_is_restored_from_the_checkpoint() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--criteria", "Partial refunds work"]);
    let written = place.read_session("session.yaml");
    std::fs::remove_file(place.session("session.yaml")).unwrap();
    let ran = place.ok(&["resume"]);
    assert!(ran.err.contains("session.yaml was restored from checkpoint.json: it is missing"), "{}", ran.err);
    assert_eq!(place.read_session("session.yaml"), written);
    place.write_session("session.yaml", "goal: [broken\n");
    let ran = place.ok(&["resume"]);
    assert!(ran.err.contains("it cannot be parsed; the old file is kept as session.yaml.unreadable"), "{}", ran.err);
    assert_eq!(place.read_session("session.yaml"), written);
    assert_eq!(place.read_session("session.yaml.unreadable"), "goal: [broken\n");
}
