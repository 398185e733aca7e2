//! A plan for the first turn, and the context window.

use super::support::{Place, TASK, item, json};

/// The points that an item has for being named in the plan.
fn plan_points(plan: &serde_json::Value, path: &str) -> i64 {
    let signals = item(plan, path)["signals"].as_array().unwrap().clone();
    let found = signals.iter().find(|signal| signal["name"] == "in the plan");
    found.map_or(0, |signal| signal["points"].as_i64().unwrap())
}

fn planned(place: &Place, args: &[&str]) -> serde_json::Value {
    json(&place.ok(&[&["plan", TASK, "--dry-run", "--json"], args].concat()).out)
}

#[test]
fn a_plan_raises_the_scores_of_the_files_it_names() {
    let place = Place::repository();
    place.write("notes/plan.md", "Change src/mailer.py so that it sends a receipt.\n");
    assert_eq!(plan_points(&planned(&place, &[]), "src/mailer.py"), 0);
    assert_eq!(plan_points(&planned(&place, &["--plan", "notes/plan.md"]), "src/mailer.py"), 2);
    place.refused(&["plan", TASK, "--plan", "notes/none.md"], 2, &["notes/none.md"]);
    // The turn stores the plan, so that opening the turn again scores the same.
    place.ok(&["plan", TASK, "--plan", "notes/plan.md"]);
    std::fs::remove_file(place.path("notes/plan.md")).unwrap();
    let resumed = json(&place.ok(&["resume", "--dry-run", "--json"]).out);
    assert_eq!(plan_points(&resumed, "src/mailer.py"), 2);
}

#[test]
fn a_configured_plan_is_used_if_it_exists() {
    let place = Place::repository();
    place.write(".teddy/config.yaml", "plan: docs/PLAN.md\n");
    assert_eq!(plan_points(&planned(&place, &[]), "src/mailer.py"), 0);
    place.write("docs/PLAN.md", "1. Change `src/mailer.py`.\n");
    assert_eq!(plan_points(&planned(&place, &[]), "src/mailer.py"), 2);
    place.write(".teddy/config.yaml", "plan: ../outside.md\n");
    place.refused(&["plan", TASK, "--dry-run"], 2, &["outside the project"]);
}

#[test]
fn a_window_is_divided_into_shares_that_are_shown_and_can_be_set() {
    let place = Place::repository();
    let ran = place.ok(&["plan", TASK, "--dry-run", "--json", "--window", "128k"]);
    assert_eq!(json(&ran.out)["budget"]["limit"], 64_000);
    let shares = "window of 128,000 tokens: system prompt 12,800 (10%), context 64,000 (50%), request 12,800 (10%), response 38,400 (30%)";
    assert!(ran.err.contains(shares), "{}", ran.err);
    place.write(".teddy/config.yaml", "window: {tokens: 40000, shares: [5, 75, 5, 15]}\n");
    let configured = place.ok(&["plan", TASK, "--dry-run", "--json"]);
    assert_eq!(json(&configured.out)["budget"]["limit"], 30_000);
    let explicit = place.ok(&["plan", TASK, "--dry-run", "--json", "--budget", "9000"]);
    assert_eq!(json(&explicit.out)["budget"]["limit"], 9_000);
    assert!(!explicit.err.contains("window of"), "{}", explicit.err);
    place.write(".teddy/config.yaml", "window: 128k\n");
    let short = place.ok(&["plan", TASK, "--dry-run", "--json"]);
    assert_eq!(json(&short.out)["budget"]["limit"], 64_000);
    place.write(".teddy/config.yaml", "window: wide\n");
    place.refused(&["plan", TASK, "--dry-run"], 2, &["config.yaml:1:9", "a number"]);
    place.write(".teddy/config.yaml", "window: {shares: [5, 75, 5, 15]}\n");
    place.write_own_config("window: 40k\n");
    let merged = place.ok(&["plan", TASK, "--dry-run", "--json"]);
    assert_eq!(json(&merged.out)["budget"]["limit"], 30_000);
    place.refused(&["plan", TASK, "--dry-run", "--window", "1"], 2, &["a window of 1 token leaves 0"]);
    place.write(".teddy/config.yaml", "window: {shares: [10, 50, 10, 31]}\n");
    place.refused(&["plan", TASK, "--dry-run"], 2, &["four numbers that add up to 100"]);
}

#[test]
fn explain_scores_a_turn_with_the_plan_that_it_works_from() {
    let place = Place::repository();
    place.write("notes/plan.md", "Change src/mailer.py so that it sends a receipt.\n");
    place.ok(&["plan", TASK, "--plan", "notes/plan.md"]);
    let explained = || place.ok(&["explain", "src/mailer.py"]).out;
    assert!(explained().contains("in the plan"), "{}", explained());
    place.write_session("01/plan.md", "# Plan\n\nChange docs/refunds.md.\n");
    place.write_session("01/report.md", "Done.\n");
    place.ok(&["resume", "-m", "Go on"]);
    let second = place.ok(&["explain", "docs/refunds.md"]).out;
    assert!(second.contains("in the plan"), "{second}");
}
