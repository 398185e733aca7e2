//! Tests of consecutive turns: resume restores decisions, and the next turn carries them over.

use super::support::{Place, SESSION, TASK, item, json};

#[test]
fn resume_restores_overrides_budget_and_format_and_adds_new_ones() {
    let place = Place::repository();
    place.ok(&[
        "plan", TASK, "--pin", "src/mailer.py", "--budget", "9000", "--format", "invocation", "--task-type", "test",
    ]);
    let first = place.read_session("01/payload.md");
    let again = place.ok(&["resume"]);
    assert_eq!(again.out, first, "nothing changed, so the payload is the same");
    assert!(again.err.contains("of 9,000"), "{}", again.err);
    let more = place.ok(&["resume", SESSION, "--exclude", "docs/refunds.md", "--json"]);
    let plan = json(&more.out);
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], "pin");
    assert_eq!(item(&plan, "docs/refunds.md")["ruling"], "exclude");
    assert_eq!((&plan["budget"]["limit"], &plan["task"]["format"]), (&9000.into(), &"invocation".into()));
    assert_eq!(plan["task"]["type"], "test");
    let shown = place.ok(&["show"]).out;
    assert!(shown.contains("    pin src/mailer.py\n    exclude docs/refunds.md\n"), "{shown}");
    let other = place.ok(&["resume", "--format", "hybrid", "--budget", "8k"]);
    assert!(other.out.starts_with("# Context Payload") && other.err.contains("of 8,000"), "{}", other.err);
    assert!(place.ok(&["resume"]).out.starts_with("# Context Payload"));
}

#[test]
fn a_turn_can_be_named_in_many_ways() {
    let place = Place::planned();
    let directory = format!(".teddy/sessions/{SESSION}/01/payload.md");
    for name in [SESSION, "add-refund-capability", "20260124-add", "01", "1", &format!("{SESSION}/01"), &directory] {
        let ran = place.ok(&["resume", name, "--dry-run"]);
        assert!(ran.out.starts_with("# Context Payload"), "{name}");
    }
}

#[test]
fn a_planned_turn_shows_its_plan_and_rejects_another() {
    let place = Place::planned();
    place.write_session("01/plan.md", "# Plan\n\n1. Change src/payment.py\n");
    place.refused(
        &["plan", "--session", SESSION, "-m", "more"],
        2,
        &["has an answer and no report yet", "teddy resume", "01/report.md"],
    );
    let before = place.listing();
    let ran = place.run(&["resume"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.out, "# Plan\n\n1. Change src/payment.py\n");
    assert!(ran.err.contains("awaits its report") && ran.err.contains("01/report.md"), "{}", ran.err);
    super::support::assert_same(&before, &place.listing());
    assert!(place.ok(&["sessions"]).out.contains("planned"));
}

#[test]
fn the_next_turn_carries_over_the_list_and_includes_the_history() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py", "--budget", "12000"]);
    place.write_session("01/plan.md", "# Plan\n\nWrite refund in src/payment.py.\n");
    place.write_session("01/report.md", "# Report\n\nRefunds work; the mail is missing.\n");
    let first = place.read_session("01/turn.context");
    let ran = place.ok(&["resume", "-m", "Send a mail for every refund"]);
    assert!(ran.err.contains(&format!("session {SESSION}, turn 02\n")), "{}", ran.err);
    assert!(ran.out.starts_with("# Context Payload: Send a mail for every refund\n"), "{}", ran.out);
    assert!(
        ran.out.contains("Write refund in src/payment.py.") && ran.out.contains("the mail is missing"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("of 12,000"), "{}", ran.err);
    let second = place.read_session("02/turn.context");
    for entry in first.lines().filter(|line| !line.starts_with('#')) {
        assert!(second.lines().any(|line| line == entry), "{entry} is not carried over:\n{second}");
    }
    let plan = json(&place.ok(&["resume", "--json", "--dry-run"]).out);
    assert_eq!(item(&plan, "history:01/plan.md")["kind"], "history");
    assert_eq!(item(&plan, "history:01/report.md")["tier"], "raw");
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], "pin");
    let listed = place.ok(&["sessions"]).out;
    assert!(listed.contains("2 turns") && listed.contains("delivered"), "{listed}");
    let meta = place.read_session("session.yaml");
    assert!(meta.contains(&format!("goal: {TASK}\n")), "the goal is never rewritten: {meta}");
}

#[test]
fn carried_over_files_are_marked_as_such_and_pins_of_this_turn_as_pins() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py"]);
    place.write_session("01/report.md", "Refunds work.\n");
    // The comment above an item.
    let header = |payload: &str, path: &str| {
        let at = payload.find(&format!("# file: {path}"));
        payload[..at.unwrap()].lines().rev().find(|line| line.contains("source")).unwrap().to_owned()
    };
    let next = place.ok(&["resume", "-m", "Send a mail", "--pin", "docs/refunds.md"]).out;
    assert!(header(&next, "src/mailer.py").contains(" | carried over | "), "{next}");
    assert!(header(&next, "docs/refunds.md").contains(" | pinned | "), "{next}");
    assert!(place.ok(&["verify"]).out.contains("is intact"));
    // The marks stay when the turn is opened again, and change when a person pins the file in this turn.
    let xml = place.ok(&["resume", "--format", "xml", "--dry-run"]).out;
    let (_, reason) = xml.split_once("<file_hash path=\"src/mailer.py\"").unwrap();
    assert!(reason.lines().nth(1).unwrap().ends_with(" carried_over=\"yes\"/>"), "{xml}");
    let again = place.ok(&["resume", "--pin", "src/mailer.py", "--dry-run"]).out;
    assert!(header(&again, "src/mailer.py").contains(" | pinned | "), "{again}");
    let plan = json(&place.ok(&["resume", "--json", "--dry-run"]).out);
    let mark = |path: &str| item(&plan, path)["carried_over"].clone();
    assert_eq!((mark("src/mailer.py"), mark("docs/refunds.md")), (true.into(), serde_json::Value::Null));
    let explained = place.ok(&["explain", "src/mailer.py"]).out;
    assert!(explained.contains("carried over: in RAW because the previous turn had it"), "{explained}");
    assert!(!place.ok(&["explain", "docs/refunds.md"]).out.contains("carried over"));
}

#[test]
fn files_carried_over_by_score_leave_room_for_the_next_turn() {
    let place = Place::repository();
    let body = |name: &str, count: usize| {
        let one = |n: usize| format!("def {name}_{n}(amount):\n    return amount + {n}\n\n");
        (0..count).map(one).collect::<Vec<String>>().concat()
    };
    // One file that is already an excerpt, and one that is too large for a smaller budget.
    place
        .write("src/payment.py", &format!("{}def refund_payment(payment):\n    return payment\n", body("charge", 900)));
    place.write("src/refund.py", &format!("{}def refund_payment(payment):\n    return payment\n", body("refund", 200)));
    place.ok(&["plan", TASK, "--budget", "12000", "--pin", "src/mailer.py"]);
    let listed = place.read_session("01/turn.context");
    assert!(listed.contains("src/payment.py") && listed.contains("src/refund.py"), "{listed}");
    place.write_session("01/plan.md", "Write refund in src/payment.py.\n");
    place.write_session("01/report.md", "Refunds work.\n");
    let ran = place.ok(&["resume", "-m", TASK, "--budget", "5000"]);
    assert!(
        ran.err.contains("not carried over from the previous turn, to leave room in this turn: `src/"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("over budget"), "{}", ran.err);
    let next = json(&place.ok(&["resume", "--json", "--dry-run"]).out);
    // The person's own pin remains, and reopening the turn changes nothing.
    assert_eq!(item(&next, "src/mailer.py")["ruling"], "pin");
    for path in ["src/payment.py", "src/refund.py"] {
        assert!(item(&next, path)["ruling"].is_null(), "{}", item(&next, path));
    }
    assert_eq!(item(&next, "history:01/report.md")["tier"], "raw");
}

#[test]
fn carried_over_files_give_way_to_pins_in_every_format() {
    for format in ["hybrid", "xml", "invocation", "prompt", "pack"] {
        let place = Place::repository();
        let body = |name: &str, count: usize| -> String {
            let one = |n: usize| format!("def {name}_{n}(amount):\n    return amount + {n}\n\n");
            (0..count).map(one).collect::<Vec<String>>().concat()
        };
        for (path, count) in [("src/large.py", 500), ("src/medium.py", 120), ("src/wanted.py", 240)] {
            place.write(path, &body("move", count));
        }
        place.ok(&["plan", TASK, "--budget", "60k", "--pin", "src/large.py", "--pin", "src/medium.py"]);
        place.write_session("01/plan.md", "Do it.\n");
        place.write_session("01/report.md", "Done.\n");
        let next = ["resume", "-m", TASK, "--budget", "6000", "--format", format, "--pin", "src/wanted.py"];
        let ran = place.ok(&[&next[..], &["--json"]].concat());
        assert!(!ran.err.contains("over budget"), "{format}: {}", ran.err);
        for plan in [json(&ran.out), json(&place.ok(&["resume", "--json", "--dry-run"]).out)] {
            let (used, limit) = (plan["budget"]["used"].as_u64().unwrap(), plan["budget"]["limit"].as_u64().unwrap());
            assert!(used <= limit && limit == 6_000, "{format}: {used} of {limit}");
            assert_eq!(item(&plan, "src/wanted.py")["form"], "whole", "{format}");
            assert!(item(&plan, "src/large.py")["ruling"].is_null(), "{format}: {}", item(&plan, "src/large.py"));
        }
        // The person's own pins may exceed the budget.
        let over = place.ok(&["resume", "--json", "--dry-run", "--pin", "src/large.py"]);
        assert!(over.err.contains("over budget") || over.err.contains("exceed"), "{format}: {}", over.err);
    }
}

#[test]
fn plan_with_a_session_starts_its_next_turn() {
    let place = Place::planned();
    let ran = place.ok(&["plan", "--session", SESSION, "-m", "Write the docs"]);
    assert!(ran.out.starts_with("# Context Payload: Write the docs\n"), "{}", ran.out);
    assert!(place.session("02/payload.md").is_file());
    let same = place.ok(&["plan", "--session", SESSION]);
    assert!(same.out.starts_with(&format!("# Context Payload: {TASK}\n")), "without a message it is the goal");
    assert!(place.session("03/payload.md").is_file());
    assert_eq!(place.ok(&["show", &format!("{SESSION}/02"), "--payload"]).out, ran.out);
    assert_eq!(place.ok(&["show", "--payload"]).out, same.out);
}

#[test]
fn a_deleted_file_does_not_prevent_a_resume() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py", "--exclude", "docs/refunds.md"]);
    std::fs::remove_file(place.path("src/mailer.py")).unwrap();
    std::fs::remove_file(place.path("docs/refunds.md")).unwrap();
    let ran = place.ok(&["resume"]);
    assert!(!ran.out.contains("# file: src/mailer.py"), "{}", ran.out);
    assert!(!ran.out.contains("docs/refunds.md"), "what is excluded is not there as a change either: {}", ran.out);
    assert!(ran.err.contains("src/mailer.py"), "a pin that is gone is said: {}", ran.err);
}

#[test]
fn resume_depends_on_the_state_of_the_turn() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/mailer.py"]);
    // Open: no payload yet, as the screen leaves it.
    std::fs::remove_file(place.session("01/payload.md")).unwrap();
    assert!(place.ok(&["sessions"]).out.contains("open"));
    let open = place.ok(&["resume"]);
    assert!(open.out.contains("# file: src/mailer.py") && place.session("01/payload.md").is_file());
    // Delivered: prints the same payload again.
    assert_eq!(place.ok(&["resume"]).out, open.out);
    place.write("came.md", "It works.\n");
    place.refused(&["resume", "--report", "came.md"], 2, &["--report is given, but turn 01 has no answer yet"]);
    // Planned: shows the answer and saves the report.
    place.write_session("01/plan.md", "# Plan\n");
    place.refused(
        &["plan", "--session", SESSION],
        2,
        &["has an answer and no report yet", &format!("teddy resume {SESSION} --report FILE"), "01/report.md"],
    );
    let planned = place.run(&["resume"]);
    assert_eq!((planned.code, planned.out.as_str()), (1, "# Plan\n"));
    assert!(planned.err.contains("teddy resume --report FILE"), "{}", planned.err);
    place.refused(&["resume", "--report", "missing.md"], 2, &["file `missing.md` not found"]);
    place.refused(&["resume", "--report", "came.md", "--dry-run"], 2, &["a dry run saves no report"]);
    let next = place.ok(&["resume", "--report", "came.md", "-m", "Go on"]);
    assert!(next.err.contains("saved the report of turn 01 as ") && next.err.contains("turn 02\n"), "{}", next.err);
    assert_eq!(place.read_session("01/report.md"), "It works.\n");
    assert!(next.out.contains("# item: history:01/report.md") && next.out.contains("It works."), "{}", next.out);
    assert!(next.out.contains("# file: src/mailer.py"), "the list is carried");
    // Done: starts the next turn.
    place.write_session("02/report.md", "Done too.\n");
    place.refused(&["resume", "--report", "came.md"], 2, &["turn 02 has its report"]);
    assert!(place.ok(&["resume"]).err.contains("turn 03\n"));
}

#[test]
fn the_next_turn_can_continue_any_done_turn() {
    let place = Place::planned();
    place.write_session("01/report.md", "# First\n");
    place.ok(&["resume", "-m", "second", "--pin", "src/mailer.py"]);
    place.write_session("02/report.md", "# Second\n");
    let ran = place.ok(&["resume", "01", "-m", "third"]);
    assert!(ran.err.contains("turn 03\n") && ran.out.contains("# First") && !ran.out.contains("# Second"), "{ran:?}");
    assert!(place.read_session("03/turn.yaml").contains("after: '01'"), "{}", place.read_session("03/turn.yaml"));
    let again = place.ok(&["resume", &format!("{SESSION}/03")]);
    assert_eq!(again.out, ran.out, "it is the same turn when it is opened again");
}

#[test]
fn histories_with_gaps_branches_and_a_hundred_turns_can_be_continued() {
    let place = Place::planned();
    for name in ["03", "03-branch-02", "09", "99", "100"] {
        std::fs::create_dir(place.session(name)).unwrap();
        place.write_session(&format!("{name}/report.md"), &format!("report of {name}\n"));
    }
    place.ok(&["branch", "3"]);
    assert!(place.session("03-branch-03").is_dir());
    let next = place.ok(&["resume", "-m", "go on"]);
    assert!(next.err.contains("turn 101\n") && next.out.contains("report of 100"), "{}", next.err);
    let shown = place.ok(&["show"]).out;
    let order: Vec<&str> =
        shown.lines().filter_map(|line| line.split("  ").next().filter(|id| id.starts_with(['0', '1', '9']))).collect();
    assert_eq!(order, ["01", "03", "03-branch-02", "03-branch-03", "09", "99", "100", "101"]);
    let inside = place.session("03-branch-02");
    let from = super::support::ran(place.teddy_in(&inside).args(["show", ".", "--payload"]));
    assert!(from.err.contains("turn 03-branch-02") && from.err.contains("has no payload yet"), "{from:?}");
}

#[test]
fn a_finished_turn_that_is_named_is_only_shown() {
    let place = Place::planned();
    place.write_session("01/plan.md", "Write refund.\n");
    place.write_session("01/report.md", "Refunds work.\n");
    let payload = place.read_session("01/payload.md");
    let before = place.listing();
    let name = format!("{SESSION}/01");
    let shown = place.ok(&["resume", &name]);
    assert_eq!(shown.out, payload);
    assert!(shown.err.contains("turn 01 of") && shown.err.contains("is finished"), "{}", shown.err);
    super::support::assert_same(&before, &place.listing());
    // A new task requests the next turn.
    assert!(place.ok(&["resume", &name, "-m", "Now the docs"]).err.contains("turn 02"));
}
