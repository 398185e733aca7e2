//! Tests of `--task-type`: a given type takes precedence, and an inferred one has a reason.

use serde_json::Value;

use super::support::*;

fn planned(place: &Place, args: &[&str]) -> Value {
    let mut all = vec!["plan", "--dry-run", "--no-tui", "--json"];
    all.extend(args);
    serde_json::from_str(&place.ok(&all).out).unwrap()
}

fn rank(plan: &Value, path: &str) -> f64 {
    let items = plan["items"].as_array().unwrap();
    items.iter().find(|item| item["path"] == path).unwrap()["rank"].as_f64().unwrap()
}

#[test]
fn a_given_type_decides_the_instructions_and_the_ranks() {
    let place = Place::repository();
    let task = "Refunds of payments";
    for kind in ["review", "docs"] {
        let plan = planned(&place, &[task, "--task-type", kind]);
        assert_eq!((&plan["task"]["type"], &plan["task"]["type_reason"]), (&kind.into(), &"chosen by you".into()));
        let payload = place.ok(&["plan", task, "--task-type", kind, "--format", "prompt", "--dry-run"]).out;
        assert!(payload.contains(&format!("As a {kind} task, please")), "{payload}");
    }
    let docs = rank(&planned(&place, &[task, "--task-type", "docs"]), "docs/refunds.md");
    let debug = rank(&planned(&place, &[task, "--task-type", "debug"]), "docs/refunds.md");
    assert!(docs > debug, "{docs} {debug}");
}

#[test]
fn a_changed_file_ranks_higher_in_a_review() {
    let place = Place::repository();
    place.write("src/ledger.py", "def book(amount):\n    return amount + 1\n");
    let ranked = |kind: &str| rank(&planned(&place, &["Refunds of payments", "--task-type", kind]), "src/ledger.py");
    assert!(ranked("review") > ranked("analyze"));
}

#[test]
fn inferred_values_have_reasons_and_an_empty_task_has_none() {
    let place = Place::repository();
    let task = &planned(&place, &["The payment crashes on empty names"])["task"];
    assert_eq!(task["type"], "debug");
    assert!(task["type_reason"].as_str().unwrap().contains("'crashes'"), "{task}");
    let task = &planned(&place, &["do some stuff"])["task"];
    assert_eq!((&task["type"], &task["complexity"]), (&Value::Null, &Value::Null));
    let notes = task["notes"].to_string();
    assert!(notes.contains("the task says too little to choose files"), "{notes}");
}

/// Paths of the files in RAW.
fn raw_files(plan: &Value) -> Vec<&str> {
    let items = plan["items"].as_array().unwrap();
    let is_raw_file = |item: &&Value| item["tier"] == "raw" && item["kind"] == "file";
    items.iter().filter(is_raw_file).map(|item| item["path"].as_str().unwrap()).collect()
}

#[test]
fn a_task_without_content_inlines_nothing() {
    let place = Place::repository();
    for args in [&["do something"][..], &["do something", "--fill"], &["please continue", "--task-type", "debug"]] {
        let plan = planned(&place, args);
        assert!(raw_files(&plan).is_empty(), "{args:?}: {:?}", raw_files(&plan));
        assert_eq!(plan["task"]["targets"], Value::Array(Vec::new()));
    }
}

#[test]
fn a_task_without_content_keeps_pins_context_and_evidence() {
    let place = Place::repository();
    assert_eq!(raw_files(&planned(&place, &["do something", "--pin", "src/ledger.py"])), ["src/ledger.py"]);
    place.write("trace.txt", "Traceback (most recent call last):\n  File \"src/payment.py\", line 3, in charge\n");
    let plan = planned(&place, &["do something", "--evidence", "trace.txt"]);
    // The file that the trace points to, and its test.
    assert_eq!(raw_files(&plan), ["src/payment.py", "tests/test_payment.py"]);
    place.write(".teddy/global.context", "src/mailer.py\n");
    assert_eq!(raw_files(&planned(&place, &["do something"])), ["src/mailer.py"]);
}
