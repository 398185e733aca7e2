//! Tests of handoffs between turns: written, shown, previewed, and filtered by the next phase's manifest.

use super::support::{Place, SESSION, TASK, item, json, ran, secret};

fn log(place: &Place) -> Vec<serde_json::Value> {
    let text = place.read(".teddy/context-budget-log.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn flags_write_a_handoff_and_add_to_it() {
    let place = Place::planned();
    let first = place.ok(&[
        "handoff",
        "--decision",
        "Cents are integers",
        "--risk",
        &format!("The token {} leaks", secret()),
        "--verdict",
        "review=pass",
        "--artifact",
        "src/payment.py",
        "--epic",
        "PAY-7",
    ]);
    assert!(first.err.contains("written to .teddy/sessions"), "{}", first.err);
    let text = place.read_session("01/handoff.json");
    assert_eq!(first.out, text, "what is written is shown");
    assert!(!text.contains(&secret()) && text.contains("[REDACTED:"), "{text}");
    place.ok(&["handoff", "01", "--decision", "No floats", "--narrative", "It went well."]);
    let value = json(&place.ok(&["handoff", "--json"]).out);
    assert_eq!(value["goal"], TASK);
    assert_eq!(value["decisions_made"], serde_json::json!(["Cents are integers", "No floats"]));
    assert_eq!((&value["verdicts"]["review"], &value["narrative"]), (&"pass".into(), &"It went well.".into()));
    let before = place.listing();
    place.ok(&["handoff", "--goal", "Another", "--dry-run"]);
    super::support::assert_same(&before, &place.listing());
}

#[test]
fn plan_and_report_make_a_handoff() {
    let place = Place::planned();
    place.refused(&["handoff"], 1, &["no plan.md or report.md to generate one from", "--decision"]);
    place.write_session("01/plan.md", "# Plan\n\nDo it.\n\n## Decisions\n- Cents are integers\n");
    place.write_session(
        "01/report.md",
        "Refunds work.\n\n## Open risks\n- Rounding\n\n## Files changed\n- `src/payment.py`\n",
    );
    let made = json(&place.ok(&["handoff"]).out);
    assert_eq!(made["goal"], TASK);
    assert_eq!(
        (&made["narrative"], &made["decisions_made"][0]),
        (&"Refunds work.".into(), &"Cents are integers".into())
    );
    assert_eq!(
        (&made["open_risks"][0], &made["artifacts_produced"][0]),
        (&"Rounding".into(), &"src/payment.py".into())
    );
    let before = place.listing();
    place.ok(&["handoff"]);
    super::support::assert_same(&before, &place.listing());
    place.write_session("01/handoff.json", "{\"run_id\": \"x\", \"open_risks\": [\"old\"]}");
    let again = json(&place.ok(&["handoff", "--from-files"]).out);
    assert_eq!((&again["run_id"], &again["open_risks"]), (&"x".into(), &serde_json::json!(["Rounding"])));
}

#[cfg(unix)]
#[test]
fn the_editor_gets_a_template() {
    let place = Place::planned();
    let script = "#!/bin/sh\nprintf '# goal\\nRefunds\\n# open_risks\\n- Rounding\\n' > \"$1\"\n";
    place.write("../editor.sh", script);
    let with = |script: &str| {
        let mut command = place.teddy();
        command.args(["handoff", "--edit"]).env("EDITOR", format!("sh {script}"));
        ran(&mut command)
    };
    let path = place.outside().join("editor.sh").display().to_string();
    let done = with(&path);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(place.read_session("01/handoff.json").contains("\"Rounding\""));
    place.write("../empty.sh", ": > \"$1\"\n");
    let before = place.listing();
    let refused = with(&place.outside().join("empty.sh").display().to_string());
    assert_eq!((refused.code, refused.err.contains("nothing was written")), (1, true), "{refused:?}");
    super::support::assert_same(&before, &place.listing());
}

#[test]
fn the_next_phase_receives_the_fields_of_its_manifest() {
    let place = Place::planned();
    place.ok(&["handoff", "--decision", "Cents are integers", "--risk", "Rounding", "--artifact", "src/payment.py"]);
    place.write_session("01/report.md", "Done.\n");
    let preview = place.ok(&["handoff", "--preview", "2"]);
    assert_eq!(preview.out, format!("Goal: {TASK}\nDecisions made:\n- Cents are integers\nOpen risks:\n- Rounding\n"));
    assert!(preview.err.contains("phase 2 (implementation): ≈28 tokens of 2,500"), "{}", preview.err);
    let second = place.ok(&["resume", "--phase", "implementation"]);
    let shown = place.ok(&["show"]).out;
    assert!(
        shown.contains("    handoff .teddy/sessions/") && shown.contains("    phase 2 implementation\n"),
        "{shown}"
    );
    assert!(second.out.contains(&format!("# item: history:01/handoff (lines 1-5)\n{}", preview.out)), "{}", second.out);
    let line = &log(&place)[1];
    assert_eq!((&line["what"], &line["phase"], &line["budget_tokens"]), (&"handoff".into(), &2.into(), &2500.into()));
    assert_eq!((&line["run_id"], &line["was_truncated"]), (&format!("{SESSION}/02").into(), &false.into()));
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    let fields =
        ["run_id", "phase", "original_tokens", "budget_tokens", "truncated_tokens", "was_truncated", "ts", "what"];
    assert_eq!(keys, fields);
    // The phase is carried over, and the project's manifest truncates.
    place.write_session("02/report.md", "Done.\n");
    place.write(
        ".teddy/manifests.yaml",
        "- phase: 2\n  handoff_fields: [open_risks]\n  narrative_cap: 0\n  max_tokens: 3\n",
    );
    let plan = json(&place.ok(&["resume", "--json"]).out);
    assert_eq!(item(&plan, "history:02/handoff")["tier"], "raw");
    let cut = log(&place).into_iter().rfind(|line| line["what"] == "handoff").unwrap();
    assert_eq!((&cut["was_truncated"], &cut["budget_tokens"]), (&true.into(), &3.into()), "{cut}");
    assert!(cut["truncated_tokens"].as_u64() <= Some(3));
    place.write(".teddy/manifests.yaml", "- phase: [\n");
    for args in [&["resume"][..], &["resume", "--stdout"], &["handoff", "02", "--preview", "3"]] {
        let said =
            place.refused(args, 2, &["cannot parse .teddy/manifests.yaml:2:1: ", "fix the file or move it aside"]);
        assert!(!said.err.contains(place.root().to_str().unwrap()), "{}", said.err);
    }
}

#[test]
fn a_broken_manifests_file_has_the_same_effect_in_every_command() {
    let place = Place::planned();
    place.write(".teddy/manifests.yaml", "- phase: [\n");
    place.refused(&["resume"], 2, &["cannot parse .teddy/manifests.yaml:2:1: "]);
    place.write_session("01/report.md", "Done.\n");
    let commands = [
        &["plan", "Shorten the mailer"][..],
        &["plan", "--session", SESSION, "-m", "Go on"],
        &["resume", "-m", "Go on"],
        &["resume", "--dry-run", "--format", "pack"],
        &["handoff", "01", "--preview", "2"],
        &["fetch", "README.md"],
    ];
    let refuse = || {
        for args in commands {
            let ran =
                place.refused(args, 2, &["cannot parse .teddy/manifests.yaml:2:1: ", "fix the file or move it aside"]);
            assert!(!ran.err.contains(place.root().to_str().unwrap()), "{args:?}: {}", ran.err);
        }
    };
    refuse();
    place.ok(&["handoff", "01", "--decision", "Cents are integers"]);
    refuse();
    let doctor = place.ok(&["doctor"]).out;
    assert!(doctor.contains("manifests    cannot parse .teddy/manifests.yaml:2:1: "), "{doctor}");
}

#[test]
fn three_hundred_decisions_without_full_stops_fill_the_budget() {
    let place = Place::planned();
    let decisions: Vec<String> =
        (0..300).map(|number| format!("Decision {number}: keep the amounts in cents")).collect();
    let handoff = serde_json::json!({"phase": 1, "goal": "Refunds", "decisions_made": decisions});
    place.write_session("01/handoff.json", &handoff.to_string());
    let budget = &json(&place.ok(&["handoff", "--preview", "2", "--json"]).out)["budget"];
    let tokens = |name: &str| budget[name].as_u64().unwrap();
    assert!(tokens("original_tokens") > 2_500 && budget["was_truncated"] == true, "{budget}");
    assert!((2_000..=2_500).contains(&tokens("truncated_tokens")), "{budget}");
}

#[test]
fn verdicts_are_read_from_lists_and_tables() {
    let place = Place::planned();
    let report = "Refunds work.\n\n## Verdicts\n- types: ok\n- docs — fail\n- lint PASS\n\n\
                  | gate | verdict |\n|---|:--|\n| `build` | **pass** |\n";
    place.write_session("01/report.md", report);
    let made = json(&place.ok(&["handoff"]).out);
    let verdicts = serde_json::json!({"build": "pass", "docs": "fail", "lint": "PASS", "types": "ok"});
    assert_eq!(made["verdicts"], verdicts);
}

#[test]
fn a_plain_line_with_a_colon_is_a_heading_if_it_names_a_field() {
    let place = Place::planned();
    let report = "Refunds work.\n\nDecisions:\n- Cents are integers\n\nOpen risks:\n\n1. Rounding\n\n\
                  What follows is prose:\n- no field\n";
    place.write_session("01/report.md", report);
    let made = json(&place.ok(&["handoff"]).out);
    assert_eq!(made["decisions_made"], serde_json::json!(["Cents are integers"]));
    assert_eq!(made["open_risks"][0], "Rounding");
    assert_eq!(made["narrative"], "Refunds work.");
}

#[test]
fn a_verdict_in_a_report_has_its_key() {
    let place = Place::planned();
    place.write_session("01/plan.md", "# Plan\n\nWrite refund.\n");
    place.write_session("01/report.md", "# Report\n\n## Decisions\n\n- Round down\n\nVerdict: tests PASS\n");
    let handoff = json(&place.ok(&["handoff", "--json"]).out);
    assert_eq!(handoff["decisions_made"], serde_json::json!(["Round down"]));
    assert_eq!(handoff["verdicts"], serde_json::json!({"tests": "PASS"}));
}

#[test]
fn without_a_phase_nothing_is_filtered() {
    let place = Place::planned();
    place.ok(&["handoff", "--decision", "A", "--risk", "B", "--artifact", "c.py", "--narrative", "D."]);
    place.write_session("01/report.md", "Done.\n");
    let out = place.ok(&["resume"]).out;
    for part in ["Artifacts produced:\n- c.py", "Decisions made:\n- A", "Open risks:\n- B", "Narrative: D."] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn invalid_handoffs_are_reported() {
    let place = Place::planned();
    place.refused(&["handoff", "--verdict", "pass"], 2, &["`pass` is not a verdict", "review=pass"]);
    place.refused(&["handoff", "--preview", "9"], 2, &["unknown phase `9`"]);
    place.refused(&["handoff", "--preview", "2"], 1, &["there is no handoff yet"]);
    place.refused(&["handoff", "07"], 2, &["07"]);
    place.refused(&["resume", "--phase", "5"], 2, &["unknown phase `5`"]);
    place.write_session("01/handoff.json", "{\"goal\": 3}\n");
    place.refused(&["handoff"], 2, &["handoff.json:1:10"]);
    place.write_session("01/report.md", "Done.\n");
    let next = place.ok(&["resume"]);
    assert!(next.err.contains("the handoff of turn 01 is ignored"), "{}", next.err);
    assert!(!next.out.contains("history:01/handoff"));
}

#[test]
fn handoffs_of_other_branches_are_not_included() {
    let place = Place::planned();
    place.ok(&["handoff", "--decision", "Shared"]);
    place.write_session("01/report.md", "Done.\n");
    place.ok(&["resume"]);
    place.ok(&["branch", "02"]);
    place.ok(&["handoff", "02", "--decision", "Only in 02"]);
    place.ok(&["handoff", "02-branch-01", "--decision", "Only in the branch"]);
    let branch = place.ok(&["handoff", "02-branch-01", "--preview", "2"]).out;
    assert!(branch.contains("- Shared") && branch.contains("- Only in the branch"), "{branch}");
    assert!(!branch.contains("Only in 02"), "{branch}");
}
