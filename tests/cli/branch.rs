//! Tests of branches, and of renaming and deleting sessions.

use super::support::{Place, SESSION, TASK, item, json};

#[test]
fn a_branch_copies_list_overrides_and_budget_and_resume_opens_it() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py", "--exclude", "docs/refunds.md", "--budget", "9000"]);
    place.write_session("01/plan.md", "# Plan\n");
    let ran = place.ok(&["branch", "01", "-m", "Try it with a queue"]);
    assert_eq!(ran.out, format!("created branch {SESSION}/01-branch-01\n"));
    let name = format!("{SESSION}/01-branch-01");
    assert!(ran.err.contains(&format!("teddy resume {name}")), "{}", ran.err);
    assert_eq!(place.read_session("01-branch-01/turn.context"), place.read_session("01/turn.context"));
    assert!(!place.session("01-branch-01/plan.md").exists() && !place.session("01-branch-01/payload.md").exists());
    let resumed = place.ok(&["resume", &name, "--json"]);
    let plan = json(&resumed.out);
    assert_eq!(plan["task"]["turn"], "01-branch-01");
    assert_eq!(plan["task"]["text"], "Try it with a queue");
    assert_eq!(plan["budget"]["limit"], 9000);
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], "pin");
    assert_eq!(item(&plan, "docs/refunds.md")["ruling"], "exclude");
    assert!(place.session("01-branch-01/payload.md").is_file());
    assert_eq!(place.read_session("01/plan.md"), "# Plan\n", "the turn itself stays as it was");
}

#[test]
fn branches_get_the_next_free_number_and_follow_their_turn() {
    let place = Place::planned();
    place.ok(&["plan", "--session", SESSION, "-m", "second"]);
    for (turn, made) in [
        ("1", "01-branch-01"),
        ("01", "01-branch-02"),
        (&format!("{SESSION}/01-branch-01"), "01-branch-03"),
        (&format!(".teddy/sessions/{SESSION}/02/payload.md"), "02-branch-01"),
        (SESSION, "02-branch-02"),
    ] {
        assert_eq!(place.ok(&["branch", turn]).out, format!("created branch {SESSION}/{made}\n"), "{turn}");
    }
    let shown = place.ok(&["show"]).out;
    let order: Vec<&str> =
        shown.lines().filter(|line| line.starts_with('0')).map(|line| &line[..line.find(' ').unwrap()]).collect();
    assert_eq!(order, ["01", "01-branch-01", "01-branch-02", "01-branch-03", "02", "02-branch-01", "02-branch-02"]);
    place.refused(&["branch", "09"], 2, &["turn `", "/09` not found", "did you mean"]);
    place.refused(&["branch", &format!("{SESSION}/09")], 2, &["turn `", "not found", "did you mean"]);
    place.refused(&["branch", "01", "-m", " "], 2, &["the message is empty"]);
    place.refused(&["branch"], 2, &["TURN"]);
}

#[test]
fn a_branch_has_the_history_of_its_turn() {
    let place = Place::planned();
    place.write_session("01/plan.md", "# Plan one\n");
    place.write_session("01/report.md", "# Report one\n");
    place.ok(&["resume", "-m", "second"]);
    place.write_session("02/plan.md", "# Plan two\n");
    place.ok(&["branch", "02"]);
    let attempt = place.ok(&["resume", &format!("{SESSION}/02-branch-01")]).out;
    assert!(attempt.contains("# Plan one") && !attempt.contains("# Plan two"), "{attempt}");
    // A branch created later is not part of a turn's history.
    place.write_session("02/report.md", "# Report two\n");
    place.ok(&["branch", "01"]);
    place.write_session("01-branch-01/plan.md", "# Other plan\n");
    std::fs::remove_file(place.session("02/plan.md")).unwrap();
    std::fs::remove_file(place.session("02/report.md")).unwrap();
    let again = place.ok(&["resume", &format!("{SESSION}/02")]).out;
    assert!(again.contains("# Plan one") && !again.contains("# Other plan"), "{again}");
}

#[test]
fn sessions_are_renamed_and_deleted_as_on_the_screen() {
    let place = Place::planned();
    let ran = place.ok(&["sessions", "rename", "20260124-add", "refunds"]);
    assert_eq!(ran.out, format!("{SESSION} is now refunds\n"));
    assert!(place.ok(&["sessions"]).out.starts_with("refunds "));
    assert!(place.ok(&["resume", "refunds", "--dry-run"]).out.contains("refunds"), "the payload names its session");
    place.ok(&["plan", "Something else"]);
    let listed = place.ok(&["sessions"]).out;
    let other = listed.lines().find(|line| line.contains("something-else")).unwrap();
    let other = other.split(' ').next().unwrap().to_owned();
    place.refused(&["sessions", "rename", "refunds", &other], 2, &["already"]);
    place.refused(&["sessions", "rename", "refunds", "../x"], 2, &["is not a valid session name"]);
    place.refused(&["sessions", "rename", "nothing", "x"], 2, &["session `nothing` not found"]);
    place.refused(&["sessions", "delete", "refunds"], 2, &["permanently delete", "--yes"]);
    assert_eq!(place.ok(&["sessions", "delete", "refunds", "--yes"]).out, "deleted refunds with its turn\n");
    assert!(!place.ok(&["sessions"]).out.contains("refunds "));
    assert!(place.path(&format!(".teddy/sessions/{other}/01/payload.md")).is_file());
    place.refused(&["sessions", "--json", "delete", "x"], 2, &["cannot be used with"]);
}
