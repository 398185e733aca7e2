//! Tests of the `Active Context` block in an answer, which changes the next turn's files.

use super::support::{Place, SESSION, TASK, item, json, secret};

const PLAN: &str = "# Plan\n\n1. Refunds\n\n**Active Context:**\n```\n+ README.md\n- docs/refunds.md\n+ src/mailer.py:1-4\n+ src/gone.py\n+ ../outside.py\n+ /etc/passwd\n```\n\nThat is all.\n- src/payment.py\n";

#[test]
fn the_block_has_the_effect_of_editing_the_list() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "docs/refunds.md"]);
    place.write("answer.md", PLAN);
    place.ok(&["answer", "answer.md"]);
    place.write_session("01/report.md", "# Report\n");
    let next = place.ok(&["resume", "--json"]);
    let plan = json(&next.out);
    assert_eq!(
        (&item(&plan, "README.md")["ruling"], &item(&plan, "README.md")["form"]),
        (&"pin".into(), &"whole".into())
    );
    assert_eq!(item(&plan, "src/mailer.py")["spans"], serde_json::json!([[1, 4]]));
    assert_eq!(item(&plan, "docs/refunds.md")["ruling"], "demote");
    assert_ne!(item(&plan, "docs/refunds.md")["tier"], "raw");
    assert_eq!(item(&plan, "src/payment.py")["tier"], "raw", "what follows the block is no part of it");
    assert!(
        next.err.contains("note: Active Context of 01/plan.md: + README.md, - docs/refunds.md, + src/mailer.py:1-4\n"),
        "{}",
        next.err
    );
    assert!(next.err.contains("01/plan.md:10: `+ src/gone.py`: there is no such file"), "{}", next.err);
    assert!(next.err.contains("01/plan.md:11: `../outside.py`: it is outside the project"), "{}", next.err);
    assert!(next.err.contains("01/plan.md:12: `+ etc/passwd`: there is no such file"), "{}", next.err);
    let list = place.read_session("02/turn.context");
    assert!(list.contains("README.md\n") && list.contains("src/mailer.py:1-4\n"), "{list}");
    assert!(!list.contains("docs/refunds.md") && !list.contains("gone"), "{list}");
    // The block is applied once; when the turn is reopened, the person's list counts.
    let again = json(&place.ok(&["resume", "--json"]).out);
    assert_eq!(again["items"], plan["items"]);
    place.write_session("02/turn.context", &list.replace("README.md\n", ""));
    let edited = json(&place.ok(&["resume", "--json"]).out);
    assert_eq!(item(&edited, "README.md")["ruling"], "demote");
}

#[test]
fn a_file_that_the_answer_removes_is_not_a_likely_target_for_being_named() {
    let place = Place::planned();
    place.write_session("01/plan.md", "Round the totals in src/ledger.py.\n\n## Active Context\n\n- src/mailer.py\n");
    place.write_session("01/report.md", "Done.\n");
    let next = json(&place.ok(&["resume", "-m", "Go on with the totals", "--json"]).out);
    let names = |path: &str| {
        let signals = item(&next, path)["signals"].as_array().unwrap().clone();
        signals.iter().map(|signal| signal["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(names("src/ledger.py").contains(&"in the plan".to_owned()));
    assert!(!names("src/mailer.py").contains(&"in the plan".to_owned()), "{:?}", names("src/mailer.py"));
}

#[test]
fn files_in_the_global_list_are_not_removed() {
    let place = Place::planned();
    place.write(".teddy/global.context", "src/mailer.py\n");
    place.write_session("01/plan.md", "## Active Context\n- src/mailer.py\n");
    place.write_session("01/report.md", "x\n");
    let next = place.ok(&["resume", "--json"]);
    assert_eq!(item(&json(&next.out), "src/mailer.py")["tier"], "raw");
    assert!(next.err.contains("not removed: global.context"), "{}", next.err);
}

#[test]
fn secrets_and_escape_sequences_in_the_block_are_harmless() {
    let place = Place::planned();
    let key = secret();
    let plan = format!("## Active Context\n+ \u{1b}]52;c;x\u{7}a.py\n+ aws_access_key_id={key}\n+ \u{202e}b.py\n");
    place.write_session("01/plan.md", &plan);
    place.write_session("01/report.md", "x\n");
    let ran = place.ok(&["resume"]);
    assert!(!ran.err.contains(&key) && !ran.out.contains(&key), "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}') && !ran.err.contains('\u{202e}'), "{:?}", ran.err);
    assert!(ran.err.contains(&format!("session {SESSION}, turn 02\n")), "{}", ran.err);
}
