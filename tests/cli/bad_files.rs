//! Tests of invalid `.teddy` files: error with line and column, exit code 2, nothing changed.

use super::support::{Place, SESSION, TASK};

#[test]
fn an_invalid_config_is_reported_with_its_location() {
    let place = Place::planned();
    for (text, at) in [
        ("budget:\n  simple: many\n", "config.yaml:2:11: "),
        ("format: [\n", "config.yaml:2:1: "),
        ("budget:\n  split: [90, 9, 9]\n", "config.yaml:2:10: "),
        ("clipboard: sometimes\n", "config.yaml:1:12: "),
    ] {
        place.write(".teddy/config.yaml", text);
        for args in [&["plan", TASK][..], &["resume"], &["doctor"], &["memo", "add", "x"]] {
            place.refused(args, 2, &[at, "hint: "]);
        }
    }
}

#[test]
fn an_unknown_tokenizer_in_the_config_is_reported() {
    let place = Place::planned();
    for (text, needle) in [("tokenizer: nonsense\n", "`nonsense`"), ("model: nonsense-9\n", "`nonsense-9`")] {
        place.write(".teddy/config.yaml", text);
        place.refused(&["plan", TASK], 2, &[needle, "config.yaml", "o200k_base"]);
    }
}

#[test]
fn an_invalid_user_config_is_reported_with_its_location() {
    let place = Place::repository();
    let own = place.outside().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("config.yaml"), "weights:\n  named: [\n").unwrap();
    let before = place.everything();
    let ran = super::support::ran(place.teddy().args(["plan", TASK]).env("TEDDY_CONFIG_DIR", &own));
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("own/config.yaml:3:1: "), "{}", ran.err);
    super::support::assert_same(&before, &place.everything());
}

#[test]
fn invalid_memos_are_reported_with_their_location() {
    let place = Place::planned();
    for (text, at) in [("- one\n- [two\n", "memos.yaml:3:1: "), ("one: two\n", "memos.yaml:1:1: ")] {
        place.write(".teddy/memos.yaml", text);
        for args in
            [&["plan", TASK][..], &["resume"], &["memo", "add", "three"], &["memo", "rm", "1"], &["memo", "list"]]
        {
            place.refused(args, 2, &[at]);
        }
    }
}

#[test]
fn an_invalid_turn_is_reported_with_its_location() {
    let place = Place::planned();
    // With a checkpoint the turn would be restored from it.
    std::fs::remove_file(place.session("01/checkpoint.json")).unwrap();
    place.write_session("01/turn.yaml", "message: x\nrulings: {\n");
    for args in [&["resume"][..], &["show"], &["plan", "--session", SESSION], &["explain", "README.md"]] {
        place.refused(args, 2, &["01/turn.yaml:3:1: "]);
    }
    place.write_session("01/turn.yaml", "message: x\nrulings:\n- ruling: pim\n  targets: [README.md]\n");
    place.refused(&["resume"], 2, &["01/turn.yaml:3:", "unknown override `pim`"]);
    place.write_session("01/turn.yaml", "message: x\nformat: pdf\n");
    place.refused(&["resume"], 2, &["pdf"]);
    place.write_session("01/turn.yaml", "message: x\nbudget: 10\n");
    place.refused(&["resume"], 2, &["a budget of 10 tokens"]);
}

#[test]
fn an_invalid_session_is_reported_listed_and_restored_by_the_next_plan() {
    let place = Place::planned();
    place.write_session("session.yaml", "goal: x\ndefinition_of_done: {a: [\n");
    place.refused(&["show"], 2, &["session.yaml:3:1: "]);
    let listed = place.ok(&["sessions"]).out;
    assert!(listed.contains(SESSION) && listed.contains("session.yaml:3:1"), "{listed}");
    let planned = place.ok(&["plan", "--session", SESSION]);
    assert!(planned.err.contains("session.yaml was restored from checkpoint.json"), "{}", planned.err);
    assert!(place.read_session("session.yaml.unreadable").contains("definition_of_done: {a: ["));
}

#[test]
fn a_changed_checkpoint_or_payload_does_not_prevent_a_resume() {
    let place = Place::planned();
    place.write_session("01/checkpoint.json", "{");
    place.write_session("01/payload.md", "gone");
    place.ok(&["resume"]);
    assert!(place.read_session("01/payload.md").starts_with("# Context Payload"));
    serde_json::from_str::<serde_json::Value>(&place.read_session("01/checkpoint.json")).unwrap();
}

#[test]
fn keys_of_other_tools_are_kept() {
    let place = Place::planned();
    let record = place.read_session("01/turn.yaml");
    place.write_session("01/turn.yaml", &format!("{record}other_tool: {{x: 1}}\n"));
    place.write(".teddy/config.yaml", "other_tool:\n  key: 1\nbudget:\n  medium: 30000\n");
    let ran = place.ok(&["resume", "--pin", "README.md"]);
    assert!(ran.err.contains("of 30,000"), "{}", ran.err);
    assert!(place.read_session("01/turn.yaml").contains("other_tool:"));
    let doctor = place.ok(&["doctor"]).out;
    assert!(doctor.contains(".teddy/config.yaml: `other_tool` is not a teddy setting; ignored"), "{doctor}");
}

#[test]
fn a_repository_cannot_set_commands_or_weaken_redaction() {
    let place = Place::repository();
    place.write(
        ".teddy/config.yaml",
        "commands:\n- name: evil\n  run: touch evil\nredact:\n  enabled: false\n  allow: ['.*']\n",
    );
    let ran = place.ok(&["plan", TASK]);
    for key in ["`commands` is ignored", "`redact.enabled` is ignored", "`redact.allow` is ignored"] {
        assert!(ran.err.contains(key), "{key}: {}", ran.err);
    }
    assert!(!place.path("evil").exists());
}
