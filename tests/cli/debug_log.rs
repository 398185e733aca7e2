//! Tests of `-v` and `TEDDY_LOG`: one JSON line per step, no contents or secrets, and each step once per run.

use serde_json::Value;

use super::support::{Place, TASK, ran, secret};

/// Lines of the log of one run.
fn logged(place: &Place, args: &[&str]) -> Vec<Value> {
    let log = place.outside().join("debug.log");
    let _ = std::fs::remove_file(&log);
    let ran = ran(place.teddy().args(args).env("TEDDY_LOG", &log));
    assert_eq!(ran.code, 0, "{ran:?}");
    std::fs::read_to_string(&log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn events<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == name).collect()
}

#[test]
fn every_step_is_logged_with_counts_and_its_time() {
    let place = Place::repository();
    let lines = logged(&place, &["plan", TASK]);
    let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(names.first(), Some(&"start"), "{names:?}");
    assert_eq!(names.last(), Some(&"end"), "{names:?}");
    let field = |event: &str, key: &str| events(&lines, event)[0][key].clone();
    assert_eq!(field("start", "command"), "plan");
    assert_eq!(field("gather", "files"), 6);
    assert!(field("score", "candidates").as_u64().unwrap() >= 6);
    assert!(field("place", "raw").as_u64().unwrap() > 0);
    let utilization = field("place", "utilization").as_f64().unwrap();
    assert!(0.0 < utilization && utilization <= 1.0, "{utilization}");
    assert_eq!(field("end", "exit_code"), 0);
    for event in ["gather", "score", "place", "render", "end"] {
        assert!(field(event, "ms").as_f64().unwrap() >= 0.0, "{event}");
    }
}

#[test]
fn a_run_opens_redacts_places_and_renders_once() {
    let place = Place::repository();
    let flags = ["--pin", "src/payment.py", "--pin", "README.md", "--pin", "*.md", "--pin", "src/payment.py:1-5"];
    let references = ["--link", "src/ledger.py", "--link", "docs/", "--link", "docs/refunds.md"];
    let more = ["--exclude", "src/mailer.py", "--exclude", "tests/", "--exclude", "tests/test_payment.py"];
    let args: Vec<&str> = ["plan", TASK].into_iter().chain(flags).chain(references).chain(more).collect();
    let lines = logged(&place, &args);
    for event in ["open", "redaction policy", "gather", "score", "place", "render"] {
        assert_eq!(events(&lines, event).len(), 1, "{event}: {lines:#?}");
    }
    let resumed = logged(&place, &["resume", "--pin", "src/ledger.py", "--exclude", "docs/", "--fill"]);
    for event in ["open", "redaction policy", "gather", "score", "place", "render"] {
        assert_eq!(events(&resumed, event).len(), 1, "{event}: {resumed:#?}");
    }
    // Demotions are relative to a placement, so they require one more placement.
    let demoted =
        logged(&place, &["resume", "--demote", "src/payment.py", "--demote", "src/ledger.py", "--demote", "tests/"]);
    assert_eq!(events(&demoted, "place").len(), 2, "{demoted:#?}");
}

#[test]
fn the_log_contains_neither_task_nor_secrets() {
    let place = Place::repository();
    let log = place.outside().join("debug.log");
    let token = secret();
    let task = format!("{TASK} with {token}");
    let run = |args: &[&str]| ran(place.teddy().args(args).env("TEDDY_LOG", &log));
    assert_eq!(run(&["plan", &task]).code, 0);
    assert_eq!(run(&["explain", &token]).code, 2);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.contains(&token) && !text.contains("refund") && !text.contains("def charge"), "{text}");
    assert_eq!(text.matches("\"event\":\"start\"").count(), 2, "the file is appended to: {text}");
    assert!(text.contains("\"exit_code\":2"), "{text}");
}

#[test]
fn verbose_names_the_log_file_and_otherwise_there_is_none() {
    let place = Place::repository();
    let state = place.outside().join("state");
    let run = |args: &[&str]| ran(place.teddy().args(args).env("TEDDY_STATE_DIR", &state));
    let quiet = run(&["sessions"]);
    assert_eq!((quiet.code, state.join("teddy.log").exists()), (0, false), "{quiet:?}");
    let told = run(&["-v", "doctor"]);
    assert!(told.err.contains(&format!("log written to {}\n", state.join("teddy.log").display())), "{told:?}");
    assert!(std::fs::read_to_string(state.join("teddy.log")).unwrap().contains("\"event\":\"gather\""));
}

#[test]
fn an_unwritable_log_is_reported_first() {
    let place = Place::repository();
    let before = place.listing();
    let failed = ran(place.teddy().args(["plan", TASK]).env("TEDDY_LOG", place.path("none/debug.log")));
    assert_eq!(failed.code, 3, "{failed:?}");
    assert!(failed.err.contains("none/debug.log"), "{failed:?}");
    super::support::assert_same(&before, &place.listing());
}

#[test]
fn progress_is_for_terminals_only() {
    let place = Place::repository();
    for number in 0..300 {
        place.write(&format!("src/many/file_{number}.py"), "def refund():\n    pass\n");
    }
    let ran = place.ok(&["plan", TASK]);
    assert!(!ran.err.contains('\r') && !ran.err.contains("reading files"), "{}", ran.err);
}
