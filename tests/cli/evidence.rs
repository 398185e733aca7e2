//! Tests of `--evidence`: locations make files critical, their definitions are kept, and the turn stores the log.

use super::support::{Place, SESSION, TASK, item, json, run_with_input, secret};

/// A long module in which `settle_817` fails, and many files with the task's words.
fn shop() -> Place {
    let place = Place::repository();
    let mut engine = String::from("\"\"\"Moves money.\"\"\"\n\nimport decimal\n\n\n");
    for number in 0..1_000 {
        engine.push_str(&format!(
            "def settle_{number}(amount):\n    total = amount + {number}\n    return decimal.Decimal(total)\n\n\n"
        ));
    }
    place.write("src/deep/engine.py", &engine);
    for number in 0..30 {
        place.write(
            &format!("src/refund_{number}.py"),
            &"def refund_capability(payment, service):\n    return payment.refund(service)\n".repeat(12),
        );
    }
    place.commit("Move money");
    place
}

/// Line of `total = amount + 817`.
const LINE: usize = 5 + 817 * 5 + 2;

fn trace() -> String {
    format!(
        "2026-01-24 10:30:00 ERROR boom\nTraceback (most recent call last):\n  File \"/builds/team/shop/shop/src/payment.py\", line 16, in charge\n    return self.ledger.add(card, cents)\n  File \"/builds/team/shop/shop/src/deep/engine.py\", line {LINE}, in settle_817\n    total = amount + 817\nTypeError: can only concatenate str, token=\"{}\"\n",
        secret()
    )
}

#[test]
fn a_location_in_a_trace_is_critical_and_its_definition_complete() {
    let place = shop();
    place.write("ci.log", &trace());
    for budget in ["2500", "4000", "25000"] {
        let flags = ["plan", TASK, "--evidence", "ci.log", "--budget", budget, "--dry-run"];
        let payload = place.ok(&flags).out;
        assert!(payload.contains("total = amount + 817\n    return decimal.Decimal(total)"), "{budget}: {payload}");
        assert!(payload.contains("### RAW:evidence") && payload.contains("# item: evidence:ci.log"), "{payload}");
        let plan = json(&place.ok(&[&flags[..], &["--json"]].concat()).out);
        let engine = item(&plan, "src/deep/engine.py");
        assert_eq!(engine["tier"], "raw", "{budget}: {engine:#}");
        let covers = |span: &serde_json::Value| {
            (span[0].as_u64() <= Some(LINE as u64)) && (span[1].as_u64() >= Some(LINE as u64))
        };
        let cut = engine["spans"].as_array().is_some_and(|spans| spans.iter().any(covers));
        assert!(cut || engine["form"] == "whole", "{engine:#}");
        assert!(!plan["items"].as_array().unwrap().iter().any(|item| item["path"] == "ci.log"));
        let why = format!("evidence: line {LINE}, raised here (ci.log): TypeError");
        let named = engine["signals"].as_array().unwrap().iter().find(|signal| signal["name"] == "named").unwrap();
        assert!(named["why"].as_str().unwrap().starts_with(&why), "{named}");
        assert!(engine["signals"].as_array().unwrap().iter().any(|signal| signal["name"] == "to be modified"));
        assert_eq!(plan["task"]["places"][0]["path"], "src/deep/engine.py");
        assert_eq!(plan["task"]["places"][1]["line"], 16);
        assert_eq!(item(&plan, "evidence:ci.log")["kind"], "evidence");
    }
    let without: serde_json::Value = place.placed(&["--budget", "4000"]);
    assert_ne!(item(&without, "src/deep/engine.py")["tier"], "raw");
}

#[test]
fn a_trace_in_the_task_has_the_same_effect() {
    let place = shop();
    place.write("task.md", &format!("{TASK}\n\nIt fails:\n\n```\n{}```\n", trace()));
    let ran = place.ok(&["plan", "--task-file", "task.md", "--budget", "6000", "--dry-run", "--json"]);
    let plan = json(&ran.out);
    assert_eq!(plan["task"]["places"][0]["line"], LINE);
    assert_eq!(item(&plan, "src/deep/engine.py")["tier"], "raw");
}

#[test]
fn a_turn_keeps_its_evidence_without_secrets() {
    let place = shop();
    place.write("ci.log", &trace());
    place.write("more/ci.log", "panic: boom\n\ngoroutine 1 [running]:\n");
    let first = place.ok(&["plan", TASK, "--evidence", "ci.log", "--budget", "9k"]);
    assert!(first.err.contains("points to src/deep/engine.py:"), "{}", first.err);
    std::fs::remove_file(place.path("ci.log")).unwrap();
    let kept = place.read_session("01/evidence-01.log");
    assert!(kept.contains("TypeError") && !kept.contains(&secret()), "{kept}");
    for (path, bytes) in place.listing() {
        if path.starts_with(place.path(".teddy")) {
            assert!(!String::from_utf8_lossy(&bytes).contains(&secret()), "{}", path.display());
        }
    }
    assert_eq!(place.ok(&["resume"]).out, first.out, "the same evidence, the same payload");
    let more = place.ok(&["resume", "--evidence", "more/ci.log", "--json"]);
    let plan = json(&more.out);
    assert_eq!(item(&plan, "evidence:ci.log")["tier"], "raw");
    assert_eq!(item(&plan, "evidence:ci.log (2)")["tier"], "raw");
    assert!(place.read_session("01/evidence-02.log").starts_with("panic: boom"));
    assert!(place.read_session("01/turn.yaml").contains("evidence:\n- ci.log\n- ci.log (2)\n"));
    let explained = place.ok(&["explain", "src/deep/engine.py"]).out;
    assert!(explained.contains(&format!("evidence: line {LINE}, raised here")), "{explained}");
    place.write_session("01/turn.yaml", "");
    let plan = json(&place.ok(&["resume", "--json"]).out);
    assert_eq!(item(&plan, "evidence:evidence-01.log")["kind"], "evidence");
    // The next turn has a different subject.
    place.write_session("01/report.md", "done\n");
    place.ok(&["resume"]);
    assert!(!place.session("02/evidence-01.log").exists());
    place.write_session("02/report.md", "done\n");
    place.ok(&["plan", "--session", SESSION, "--evidence", "more/ci.log"]);
    assert!(place.session("03/evidence-01.log").exists());
}

#[test]
fn a_branch_has_the_evidence_of_its_turn() {
    let place = shop();
    place.write("ci.log", &trace());
    let first = place.ok(&["plan", TASK, "--evidence", "ci.log", "--budget", "9k"]);
    place.ok(&["branch", "01"]);
    assert_eq!(place.read_session("01-branch-01/evidence-01.log"), place.read_session("01/evidence-01.log"));
    let again = place.ok(&["resume"]);
    assert!(again.err.contains("the evidence has") && first.err.contains("the evidence has"), "{}", again.err);
    // A missing file is reported once and is not listed as inlined.
    std::fs::remove_file(place.session("01-branch-01/evidence-01.log")).unwrap();
    let gone = place.ok(&["resume"]).err;
    assert!(gone.contains("the evidence ci.log is missing") && !gone.contains("it is inlined"), "{gone}");
}

#[test]
fn evidence_can_come_from_a_pipe() {
    let place = shop();
    let mut log: String = (0..40_000).map(|number| format!("INFO all is well {number}\n")).collect::<Vec<_>>().concat();
    log.push_str(&trace());
    let plan =
        json(&run_with_input(place.teddy().args(["plan", TASK, "--evidence", "-", "--json"]), log.as_bytes()).out);
    assert_eq!(plan["task"]["places"][0]["path"], "src/deep/engine.py");
    assert_eq!(item(&plan, "evidence:standard input")["tier"], "raw");
    assert!(place.read_session("01/evidence-01.log").contains("lines omitted"));
}

#[test]
fn a_format_without_that_section_is_reported() {
    let place = shop();
    place.write("ci.log", &trace());
    let ran = place.ok(&["plan", TASK, "--evidence", "ci.log", "--format", "invocation", "--dry-run"]);
    assert!(ran.err.contains("`evidence:ci.log` cannot be included in the invocation format"), "{}", ran.err);
    assert!(ran.out.contains("total = amount + 817"));
}

#[test]
fn earlier_turns_that_a_format_cannot_include_are_reported() {
    let place = Place::planned();
    place.write_session("01/plan.md", "Round the totals.\n");
    place.write_session("01/report.md", "Done.\n");
    place.write("src/payment.py", "def refund():\n    return 1\n");
    let args = ["plan", "--session", SESSION, "-m", "Go on", "--dry-run", "--format"];
    let ran = place.ok(&[&args[..], &["invocation"]].concat());
    let note = ran.err.lines().find(|line| line.contains("the invocation format cannot include ")).unwrap();
    for item in ["`delta:01`", "`history:01/plan.md`", "`history:01/report.md`"] {
        assert!(note.contains(item), "{note}");
    }
    assert!(!place.ok(&[&args[..], &["prompt"]].concat()).err.contains("cannot include"));
}

#[test]
fn everything_inlined_in_a_prompt_counts_as_raw() {
    let place = shop();
    place.write("ci.log", &trace());
    let plan = place.placed(&["--evidence", "ci.log", "--format", "prompt"]);
    let raw = plan["items"].as_array().unwrap().iter().filter(|item| item["tier"] == "raw" && item["kind"] != "memo");
    let sum: u64 = raw.map(|item| item["tokens"].as_u64().unwrap()).sum();
    let counted = plan["budget"]["raw"].as_u64().unwrap();
    assert!(counted <= sum && counted * 10 > sum * 9, "{counted} of {sum}");
}

#[test]
fn invalid_evidence_is_reported() {
    let place = Place::repository();
    place.write("empty.log", "");
    place.refused(&["plan", TASK, "--evidence", "gone.log"], 2, &["file `gone.log` not found"]);
    place.refused(&["plan", TASK, "--evidence", "src"], 2, &["src is a directory"]);
    std::fs::write(place.path("core"), [0u8, 1, 2, 3]).unwrap();
    place.refused(&["plan", TASK, "--evidence", "core"], 2, &["core is binary, not a log"]);
    place.refused(&["plan", "--task-file", "-", "--evidence", "-"], 2, &["both the task and the evidence"]);
    place.refused(&["plan", TASK, "--evidence", "-", "--evidence", "-"], 2, &["twice"]);
    let ran = place.ok(&["plan", TASK, "--evidence", "empty.log", "--dry-run"]);
    assert!(ran.err.contains("empty.log is empty"), "{}", ran.err);
    place.write("fine.log", "everything is fine\n");
    let ran = place.ok(&["plan", TASK, "--evidence", "fine.log", "--dry-run"]);
    assert!(ran.err.contains("no failure was recognized"), "{}", ran.err);
    std::fs::write(place.path("latin.log"), b"caf\xe9: error: x\n").unwrap();
    let ran = place.ok(&["plan", TASK, "--evidence", "latin.log", "--dry-run"]);
    assert!(ran.err.contains("not valid UTF-8"), "{}", ran.err);
}
