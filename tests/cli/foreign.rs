//! Tests of a `.teddy/` that `TeDDy` created: it is read without errors and never damaged.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::support::{Place, TASK, item, json, secret};

const SESSION: &str = "20260417_120000-add-refunds";

/// Files of `TeDDy`: a done turn and one that awaits its plan.
fn foreign() -> Place {
    let place = Place::repository();
    let session = format!(".teddy/sessions/{SESSION}");
    let write = |path: &str, text: &str| place.write(path, text);
    write(".teddy/.gitignore", "*");
    write(".teddy/init.context", "README.md\n# comment\ndocs/refunds.md\n");
    write(
        ".teddy/config.yaml",
        "# TeDDy Configuration\n\n# The preferred editor\neditor: \"\"\n\nllm:\n  model: gemini/gemini-1.5-flash\n  api_key: null\n\
         execution:\n  default_timeout_seconds: 60\n  similarity_threshold: 0.95 # exact\nui_mode: console\nagents: [pathfinder, developer]\n",
    );
    write(".teddy/prompts/pathfinder.xml", "<prompt>find</prompt>\n");
    write(&format!("{session}/initial_request.md"), "# Add refunds\n\nPay a charge back, in full or in part.\n");
    write(&format!("{session}/session.context"), &format!("README.md\n{session}/initial_request.md"));
    write(&format!("{session}/pathfinder.xml"), "<prompt>find</prompt>\n");
    write(
        &format!("{session}/01/meta.yaml"),
        "agent_name: pathfinder\ncreation_timestamp: '2026-04-17T12:00:00+00:00'\nturn_id: '01'\n",
    );
    write(&format!("{session}/01/system_prompt.xml"), "<prompt/>\n");
    write(&format!("{session}/01/input.md"), "# Agent Invocation Payload\n");
    write(
        &format!("{session}/01/plan.md"),
        "# Greet\n\n## Action Plan\n\n### READ\n- Resource: [src/payment.py](/src/payment.py)\n",
    );
    write(&format!("{session}/01/report.md"), "# Execution Report: Greet\n- **Overall Status:** SUCCESS\n");
    write(&format!("{session}/02/meta.yaml"), "parent_turn_id: '01'\nturn_id: '02'\nturn_cost: 0.25\n");
    write(&format!("{session}/02/system_prompt.xml"), "<prompt/>\n");
    write(&format!("{session}/02/turn.context"), &format!("01/report.md\n{session}/01/plan.md\nsrc/mailer.py"));
    place
}

/// Checks that all existing files are unchanged, byte for byte.
fn assert_kept(before: &BTreeMap<PathBuf, Vec<u8>>, place: &Place, after: &str) {
    let now = place.listing();
    for (path, bytes) in before {
        assert!(now.get(path) == Some(bytes), "{} is not as it was after {after}", path.display());
    }
}

#[test]
fn every_command_reads_it_and_changes_nothing() {
    let place = foreign();
    let before = place.listing();
    let session = format!(".teddy/sessions/{SESSION}");
    for args in [
        &["sessions"][..],
        &["sessions", "--json"],
        &["show"],
        &["show", SESSION],
        &["doctor"],
        &["doctor", "--json"],
        &["memo", "list"],
        &["explain", "src/payment.py"],
        &["resume", "--dry-run"],
        &["plan", TASK, "--dry-run"],
        &["plan", TASK],
        &["resume", SESSION],
        &["resume", &session],
        &["branch", &format!("{SESSION}/01")],
        &["resume", &format!("{SESSION}/01-branch-01")],
        &["init"],
    ] {
        let ran = place.ok(args);
        assert!(!ran.err.contains("warning"), "{args:?}: {}", ran.err);
        assert_kept(&before, &place, &format!("{args:?}"));
    }
    let listed = place.ok(&["sessions"]).out;
    assert!(listed.contains(SESSION) && listed.contains("Add refunds"), "{listed}");
    let doctor = place.ok(&["doctor"]).out;
    assert!(doctor.contains("llm"), "keys that are not ours are listed: {doctor}");
}

#[test]
fn resume_opens_the_waiting_turn_with_its_list_and_request() {
    let place = foreign();
    let before = place.listing();
    let ran = place.ok(&["resume", SESSION, "--json"]);
    let plan = json(&ran.out);
    assert_eq!((&plan["task"]["text"], &plan["task"]["turn"]), (&"Add refunds".into(), &"02".into()));
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], "pin");
    assert_eq!(item(&plan, "README.md")["ruling"], "pin");
    assert_eq!(item(&plan, "history:01/report.md")["kind"], "history");
    assert_eq!(item(&plan, "history:initial_request.md")["tier"], "raw");
    assert!(!ran.err.contains("note:"), "{}", ran.err);
    assert_kept(&before, &place, "resume");
    // The list of the other program never changes, even with overrides.
    place.ok(&["resume", SESSION, "--pin", "src/ledger.py", "--exclude", "src/mailer.py"]);
    assert_kept(&before, &place, "a second resume");
    let again = json(&place.ok(&["resume", SESSION, "--json"]).out);
    assert_eq!(item(&again, "src/ledger.py")["ruling"], "pin");
    assert_eq!(item(&again, "src/mailer.py")["ruling"], "exclude");
}

#[test]
fn later_turns_are_teddys_own() {
    let place = foreign();
    place.write(&format!(".teddy/sessions/{SESSION}/02/plan.md"), "# Plan\n");
    let before = place.listing();
    place.refused(&["plan", "--session", SESSION], 2, &["has an answer and no report yet"]);
    place.write("came.md", "It works.\n");
    place.ok(&["resume", SESSION, "--report", "came.md", "-m", "Send a mail"]);
    assert_kept(&before, &place, "the next turn");
    let list = place.read(&format!(".teddy/sessions/{SESSION}/03/turn.context"));
    assert!(list.contains("src/mailer.py"), "{list}");
    let payload = place.read(&format!(".teddy/sessions/{SESSION}/03/payload.md"));
    assert!(payload.contains("It works.") && payload.contains("Pay a charge back"), "{payload}");
}

#[test]
fn a_session_without_a_request_is_named_by_its_meta_or_its_directory() {
    let place = foreign();
    let session = format!(".teddy/sessions/{SESSION}");
    std::fs::remove_file(place.path(&format!("{session}/initial_request.md"))).unwrap();
    assert!(place.ok(&["sessions"]).out.contains("add refunds"));
    place.write(&format!("{session}/meta.yaml"), "goal: Add partial refunds\n");
    assert!(place.ok(&["show", SESSION]).out.contains("Add partial refunds"));
    place.write(&format!("{session}/meta.yaml"), "goal: [\n");
    place.ok(&["resume", SESSION, "--dry-run"]);
}

#[test]
fn a_secret_in_the_goal_of_another_programs_session_is_never_shown() {
    let place = Place::repository();
    place.ok(&["init"]);
    let token = secret();
    place.write(".teddy/sessions/20260101-theirs/session.yaml", &format!("goal: Sign in with {token}\n"));
    place.write(".teddy/sessions/20260101-theirs/01/turn.yaml", &format!("message: Sign in with {token}\n"));
    for arguments in [&["sessions"][..], &["sessions", "--json"], &["show"]] {
        let shown = place.ok(arguments);
        assert!(shown.out.contains("Sign in with [REDACTED:github-token]"), "{arguments:?}: {shown:?}");
        assert!(!shown.out.contains(&token), "{arguments:?}: {shown:?}");
    }
}
