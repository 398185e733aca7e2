//! Tests of SUMMARY: Key Findings, the separate list of mentions, and a map that agrees with the scores.

use super::support::{Place, SESSION, TASK};

/// A subsection of SUMMARY.
fn subsection(payload: &str, heading: &str) -> String {
    let (_, rest) = payload.split_once(&format!("### {heading}\n\n")).unwrap_or_else(|| panic!("{heading}: {payload}"));
    rest.split_once("\n\n").unwrap().0.to_owned()
}

#[test]
fn likely_targets_come_first_with_confidence_reason_and_tests() {
    let place = Place::repository();
    place.write("src/refund_rules.py", "def refund_rules(payment):\n    return payment\n");
    place.commit("Add refund rules");
    for (task, path, tests) in [
        ("Round the amounts in payment.py", "src/payment.py", "; tests: `tests/test_payment.py`)"),
        ("Round the amounts in refund_rules", "src/refund_rules.py", "; no tests found)"),
    ] {
        let payload = place.ok(&["plan", task, "--dry-run"]).out;
        let findings = subsection(&payload, "Key Findings");
        let first = findings.lines().next().unwrap();
        assert!(first.starts_with(&format!("- Likely target: `{path}` (")), "{findings}");
        assert!(first.contains("% confidence; ") && first.ends_with(tests), "{findings}");
        assert!(findings.lines().all(|line| line.matches("% confidence").count() <= 1), "{findings}");
    }
}

#[test]
fn the_test_of_a_likely_target_is_named_before_its_fixtures() {
    let place = Place::repository();
    place.write("tests/conftest.py", "from src.payment import charge\n\n\ndef till():\n    return charge\n");
    place.commit("Add a fixture");
    let payload = place.ok(&["plan", "Round the amounts in payment.py", "--dry-run"]).out;
    let findings = subsection(&payload, "Key Findings");
    assert!(findings.contains("; tests: `tests/test_payment.py`"), "{findings}");
}

#[test]
fn a_test_that_changed_together_with_a_likely_target_is_named() {
    let place = Place::repository();
    for amount in 1..5 {
        place.write("src/ledger.py", &format!("class Ledger:\n    def book(self):\n        return {amount}\n"));
        place.write("tests/books/tests.py", &format!("def test_book():\n    assert {amount}\n"));
        place.commit(&format!("Book {amount} entries in the ledger"));
    }
    let payload = place.ok(&["plan", "Book two entries in ledger.py", "--dry-run"]).out;
    let findings = subsection(&payload, "Key Findings");
    let ledger = findings.lines().find(|line| line.contains("`src/ledger.py`")).unwrap();
    assert!(ledger.ends_with("; tests: `tests/books/tests.py`)"), "{findings}");
}

#[test]
fn a_target_that_the_plan_names_says_so() {
    let place = Place::planned();
    place.write_session("01/plan.md", "# Plan\n\nRound the totals in src/ledger.py.\n");
    place.write_session("01/report.md", "Done.\n");
    let payload = place.ok(&["plan", "--session", SESSION, "-m", "Round the totals", "--dry-run"]).out;
    let findings = subsection(&payload, "Key Findings");
    let ledger = findings.lines().find(|line| line.contains("`src/ledger.py`")).unwrap();
    assert!(ledger.contains("% confidence; named in the plan"), "{findings}");
}

#[test]
fn mentions_are_a_compact_list_apart_from_the_findings() {
    let place = Place::repository();
    let payload = place.ok(&["plan", TASK, "--dry-run"]).out;
    assert!(!payload.contains("See also"), "{payload}");
    if payload.contains("### Mentions") {
        let listed = subsection(&payload, "Mentions, with scores");
        assert!(listed.lines().all(|line| line.starts_with('`') && line.ends_with(')')), "{listed}");
        let score = |line: &str| line.rsplit_once('(').unwrap().1.trim_end_matches(')').parse::<u8>().unwrap();
        assert!(listed.lines().map(score).rev().is_sorted(), "{listed}");
    }
}

#[test]
fn changes_since_the_last_turn_and_in_the_working_tree_are_findings() {
    let place = Place::repository();
    place.write("src/ledger.py", "class Ledger:\n    entries = []\n");
    let first = place.ok(&["plan", TASK]).out;
    assert!(subsection(&first, "Key Findings").contains("- Uncommitted changes in `src/ledger.py`"), "{first}");
    place.write_session("01/report.md", "Done.\n");
    place.write("src/payment.py", "def refund():\n    return 1\n");
    let next = place.ok(&["plan", "--session", SESSION, "-m", "Now refund in part", "--stdout"]).out;
    assert!(subsection(&next, "Key Findings").contains("- Since turn 01: changed `src/payment.py`\n"), "{next}");
    place.write_session("02/report.md", "Done.\n");
    place.write("src/payment.py", "def refund():\n    return 2\n");
    place.write("src/mailer.py", "def send():\n    return 2\n");
    place.write("src/new.py", "def new():\n    return 2\n");
    place.git(&["add", "src/new.py"]);
    let third = place.ok(&["plan", "--session", SESSION, "-m", "Go on", "--stdout"]).out;
    // Files without a diff come first.
    let listed = "- Since turn 02: changed `src/payment.py`, `src/mailer.py`, added `src/new.py`\n";
    assert!(third.contains(listed), "{third}");
}

#[test]
fn the_summary_counts_only_what_there_is() {
    let place = Place::repository();
    let first = |more: &[&str]| {
        let payload = place.ok(&[&["plan", TASK, "--dry-run"], more].concat()).out;
        let sentence = payload.lines().find(|line| line.starts_with("Task type: implement. Of ")).unwrap();
        sentence.split(". ").nth(1).unwrap().to_owned()
    };
    let only = first(&["--only", "src/payment.py"]);
    assert!(only.ends_with(" candidates, 2 are inlined"), "{only}");
    let linked = first(&["--only", "src/payment.py", "--only", "src/mailer.py", "--link", "src/mailer.py"]);
    assert!(linked.ends_with(", 2 are inlined and 1 linked"), "{linked}");
}

#[test]
fn items_that_pins_crowd_out_are_listed_with_their_cost() {
    let place = Place::repository();
    let long = format!("def weigh():\n{}", "    total = charge(order) + ledger(order)\n".repeat(200));
    place.write("src/weigh.py", &long);
    let args = ["plan", "Round the amounts in src/payment.py", "--dry-run", "--budget", "2000"];
    let payload = place.ok(&[&args[..], &["--pin", "src/weigh.py"]].concat()).out;
    let findings = subsection(&payload, "Key Findings");
    let line = findings.lines().find(|line| line.contains("did not fit: ")).unwrap_or_else(|| panic!("{findings}"));
    let listed = line.split_once("did not fit: ").unwrap().1;
    let costs = listed.matches(" tokens in full)").count();
    assert!(listed.contains("`src/payment.py` (") && costs == listed.matches('`').count() / 2, "{line}");
}

#[test]
fn evidence_redactions_and_items_that_did_not_fit_are_findings() {
    let place = Place::repository();
    place.write(
        "fail.log",
        "Traceback (most recent call last):\n  File \"src/payment.py\", line 3, in charge\n    x\nValueError: no\n",
    );
    let payload = place.ok(&["plan", TASK, "--dry-run", "--evidence", "fail.log"]).out;
    let findings = subsection(&payload, "Key Findings");
    assert!(findings.contains("- The evidence has 1 failure and points to src/payment.py:3"), "{findings}");
    let long = format!("def refund():\n{}", "    total = charge(order) + ledger(order)\n".repeat(400));
    place.write("src/payment.py", &long);
    let tight = place.ok(&["plan", "Change refund in src/payment.py", "--dry-run", "--budget", "1500"]).out;
    if !tight.contains("# file: src/payment.py") {
        assert!(subsection(&tight, "Key Findings").contains("did not fit: `src/payment.py` ("), "{tight}");
    }
}

/// Paths of the inlined files of the group `primary-code`.
fn primary_code(payload: &str) -> Vec<&str> {
    let (_, raw) = payload.split_once("\n## RAW\n").unwrap();
    let sections = raw.split("\n### RAW:primary-code").skip(1);
    sections.map(|section| section.split_once("# file: ").unwrap().1.split_once(" (").unwrap().0).collect()
}

#[test]
fn the_map_calls_only_likely_targets_likely_to_change() {
    let place = Place::repository();
    let filler = "def weigh():\n    return 1\n\n\n".repeat(30);
    for name in ["voucher", "basket", "receipt", "invoice"] {
        place.write(&format!("src/{name}.py"), &format!("def {name}():\n    return 'refund a payment'\n\n\n{filler}"));
    }
    place.commit("Add files");
    let (mut likely_only, mut with_others) = (false, false);
    for args in [
        &["src/mailer.py"][..],
        &["Round the amounts in payment.py"],
        &["Shorten the invoice"],
        &["Add refunds to charge in payment.py", "--fill"],
        &["Add refunds to charge in payment.py", "--exclude", "src/payment.py"],
        &["do something", "--pin", "src/ledger.py"],
    ] {
        let payload = place.ok(&[&["plan", "--dry-run"][..], args].concat()).out;
        let findings = subsection(&payload, "Key Findings");
        let is_likely = |path: &&str| findings.contains(&format!("- Likely target: `{path}` ("));
        let (likely, others): (Vec<&str>, Vec<&str>) = primary_code(&payload).into_iter().partition(is_likely);
        let map = subsection(&payload, "Payload Map");
        let row = map.lines().find(|line| line.starts_with("| RAW | primary-code |")).unwrap_or_default();
        assert_eq!(row.contains("Likely to change"), !likely.is_empty(), "{args:?}: {payload}");
        let said = ["named in the task", "Named in the task", "possibly affected", "Possibly affected"];
        assert_eq!(said.iter().any(|said| row.contains(said)), !others.is_empty(), "{args:?}: {payload}");
        // The first sentence names a likely target, or says that there is none.
        let start = payload.lines().find(|line| line.contains("tart with `")).unwrap();
        let first = start.split_once("tart with `").unwrap().1.split('`').next().unwrap();
        assert!(is_likely(&first) || start.contains("No file is a likely target"), "{args:?}: {start}");
        likely_only |= !likely.is_empty() && others.is_empty();
        with_others |= !others.is_empty();
    }
    assert!(likely_only && with_others, "the tasks cover both cases");
}

#[test]
fn pinned_items_are_marked_and_empty_files_have_no_lines() {
    let place = Place::repository();
    place.write("src/__init__.py", "");
    let args = ["plan", TASK, "--dry-run", "--pin", "docs/refunds.md", "--link", "src/__init__.py"];
    let payload = place.ok(&args).out;
    let at = payload.find("# file: docs/refunds.md").unwrap();
    let comment = payload[..at].lines().rev().find(|line| line.starts_with("<!-- source: ")).unwrap();
    assert!(comment.contains(" | pinned | tokens: ~"), "{comment}");
    assert!(payload.contains("- `src/__init__.py` (empty)\n") && !payload.contains("0-0"), "{payload}");
    let tagged = place.ok(&[&args[..], &["--format", "xml"]].concat()).out;
    assert!(
        tagged.contains(" pinned=\"yes\"/>") && tagged.contains("<link path=\"src/__init__.py\" lines=\"0\"></link>")
    );
    place.ok(&["plan", TASK, "--pin", "docs/refunds.md", "--link", "src/__init__.py"]);
    assert!(place.ok(&["verify"]).out.contains("is intact"));
    assert!(place.ok(&["fetch", "`src/__init__.py` (empty)"]).out.contains("src/__init__.py (empty)"));
}

#[test]
fn files_of_a_young_repository_are_not_recent_just_because_they_are_new() {
    let recent = |place: &Place| {
        let plan = place.placed(&[]);
        let items = plan["items"].as_array().unwrap().clone();
        let is_recent = |item: &serde_json::Value| {
            item["signals"].as_array().unwrap().iter().any(|signal| signal["name"] == "recently changed")
        };
        let paths: Vec<String> =
            items.iter().filter(|item| is_recent(item)).map(|item| item["path"].as_str().unwrap().to_owned()).collect();
        paths
    };
    // All files in one commit; few files in one commit; no commit at all.
    let place = Place::repository();
    assert_eq!(recent(&place), Vec::<String>::new());
    place.write("src/mailer.py", "def send():\n    pass\n");
    place.commit("Shorten the mailer");
    assert_eq!(recent(&place), ["src/mailer.py"]);
    let small = Place::empty();
    small.write("a.py", "def refund():\n    pass\n");
    small.write("b.py", "def payment():\n    pass\n");
    small.git(&["init", "-q", "-b", "main"]);
    assert_eq!(recent(&small), Vec::<String>::new());
    small.commit("Start");
    assert_eq!(recent(&small), Vec::<String>::new());
    let uncommitted = Place::plain();
    uncommitted.git(&["init", "-q", "-b", "main"]);
    assert_eq!(recent(&uncommitted), Vec::<String>::new());
}

#[test]
fn in_a_young_repository_files_that_arrived_together_do_not_belong_together() {
    let place = Place::empty();
    place.write("web/refund.ts", "export function refund(id: string) {\n  return id;\n}\n");
    place.write("tests/conftest.py", "def till():\n    return 1\n");
    for name in ["ledger", "mailer", "orders"] {
        place.write(&format!("src/{name}.py"), &format!("def {name}():\n    return 1\n"));
    }
    place.git(&["init", "-q", "-b", "main"]);
    place.commit("Start the shop");
    let payload = place.ok(&["plan", "Round the amounts in refund.ts", "--dry-run"]).out;
    let findings = subsection(&payload, "Key Findings");
    let refund = findings.lines().find(|line| line.contains("`web/refund.ts`")).unwrap();
    assert!(refund.ends_with("; no tests found)"), "{findings}");
    assert!(!place.ok(&["explain", "tests/conftest.py", "--task", "refund.ts"]).out.contains("changed together"));
}
