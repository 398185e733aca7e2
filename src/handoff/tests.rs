//! Tests of the handoff contract, row by row, and its invariants.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;

use super::budget::truncate_to_chars;
use super::manifest::DEFAULT_NARRATIVE;
use super::*;
use crate::project::Project;
use crate::redact::Policy;

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn full() -> Handoff {
    Handoff {
        goal: "Refunds".to_owned(),
        epic_id: "PAY-7".to_owned(),
        verdicts: BTreeMap::from([("review".to_owned(), "pass".to_owned())]),
        artifacts_produced: strings(&["src/refund.rs"]),
        decisions_made: strings(&["Cents are integers"]),
        open_risks: strings(&["Rounding"]),
        narrative: "One sentence. ".repeat(200),
        ..Handoff::default()
    }
}

fn manifest(fields: &[Field], narrative_cap: usize, max_tokens: usize) -> Manifest {
    Manifest { phase: 2, handoff_fields: fields.to_vec(), narrative_cap, max_tokens }
}

// NarrativeCap semantics, row by row.

#[test]
fn fields_declared_and_cap_0_omit_the_narrative() {
    for fields in [&[Field::Goal][..], &[Field::Goal, Field::Narrative]] {
        let seen = assemble::select(&[full()], &manifest(fields, 0, 0));
        assert_eq!(seen.narrative, "", "{fields:?}");
    }
}

#[test]
fn fields_declared_and_a_cap_include_the_narrative_up_to_it() {
    let seen = assemble::select(&[full()], &manifest(&[Field::Goal], 100, 0));
    assert!((50..=100).contains(&seen.narrative.chars().count()), "{}", seen.narrative);
    assert!(seen.narrative.ends_with("sentence...."), "{}", seen.narrative);
}

#[test]
fn no_fields_and_cap_0_include_the_default_of_1000_characters() {
    assert_eq!(DEFAULT_NARRATIVE, 1000);
    let seen = assemble::select(&[full()], &manifest(&[], 0, 0));
    assert!((900..=1000).contains(&seen.narrative.chars().count()));
}

#[test]
fn no_fields_and_a_cap_include_the_narrative_up_to_it() {
    let seen = assemble::select(&[full()], &manifest(&[], 60, 0));
    assert!((30..=60).contains(&seen.narrative.chars().count()));
}

// The default manifests.

#[test]
fn phase_1_discovery_has_an_empty_manifest() {
    let one = Manifest::of(Phase::Discovery);
    assert_eq!(one, Manifest { phase: 1, handoff_fields: vec![], narrative_cap: 0, max_tokens: 0 });
}

#[test]
fn phase_2_implementation_sees_goal_epic_verdicts_decisions_and_risks() {
    let two = Manifest::of(Phase::Implementation);
    let fields = [Field::Goal, Field::EpicId, Field::Verdicts, Field::DecisionsMade, Field::OpenRisks];
    assert_eq!(two, Manifest { phase: 2, handoff_fields: fields.to_vec(), narrative_cap: 500, max_tokens: 2500 });
    let seen = assemble(&[full()], &two).text;
    for part in
        ["Goal: Refunds", "Epic: PAY-7", "- review: pass", "- Cents are integers", "- Rounding", "Narrative: One"]
    {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    assert!(!seen.contains("src/refund.rs"), "{seen}");
}

#[test]
fn phase_3_validation_sees_goal_epic_verdicts_and_artifacts() {
    let three = Manifest::of(Phase::Validation);
    let fields = [Field::Goal, Field::EpicId, Field::Verdicts, Field::ArtifactsProduced];
    assert_eq!(three, Manifest { phase: 3, handoff_fields: fields.to_vec(), narrative_cap: 1000, max_tokens: 2500 });
    let seen = assemble(&[full()], &three).text;
    assert!(seen.contains("- src/refund.rs") && !seen.contains("Cents") && !seen.contains("Rounding"), "{seen}");
}

// The fields.

#[test]
fn goal_is_that_of_the_latest_handoff_that_has_one() {
    let handoffs = [
        Handoff { goal: "first".to_owned(), ..Handoff::default() },
        Handoff { goal: "second".to_owned(), ..Handoff::default() },
        Handoff { goal: "  ".to_owned(), ..Handoff::default() },
    ];
    assert_eq!(assemble::select(&handoffs, &manifest(&[], 0, 0)).goal, "second");
}

#[test]
fn epic_id_is_omitted_when_empty() {
    let seen = assemble(&[Handoff { epic_id: String::new(), ..full() }], &manifest(&[], 0, 0)).text;
    assert!(!seen.contains("Epic"), "{seen}");
}

#[test]
fn verdicts_accumulate_and_the_later_one_wins() {
    let with = |gate: &str, verdict: &str| Handoff {
        verdicts: BTreeMap::from([(gate.to_owned(), verdict.to_owned())]),
        ..Handoff::default()
    };
    let seen = assemble(&[with("review", "fail"), with("tests", "pass"), with("review", "pass")], &manifest(&[], 0, 0));
    assert_eq!(seen.text, "Verdicts:\n- review: pass\n- tests: pass\n");
}

#[test]
fn artifacts_decisions_and_risks_are_carried_forward_once() {
    let seen = assemble(
        &[full(), full()],
        &manifest(&[Field::OpenRisks, Field::ArtifactsProduced, Field::DecisionsMade], 0, 0),
    );
    assert_eq!(
        seen.text,
        "Open risks:\n- Rounding\nArtifacts produced:\n- src/refund.rs\nDecisions made:\n- Cents are integers\n",
        "in the manifest's order"
    );
}

#[test]
fn the_narrative_is_truncated_before_the_whole_context() {
    let seen = assemble(&[full()], &manifest(&[Field::Goal], 40, 2500));
    assert!(!seen.result.was_truncated && seen.text.contains("...."), "{seen:?}");
    let seen = assemble(&[full()], &manifest(&[Field::Goal], 2000, 20));
    assert!(seen.result.was_truncated && seen.result.truncated_tokens <= 20, "{seen:?}");
    assert!(seen.text.starts_with("Goal: Refunds\n"), "{seen:?}");
}

#[test]
fn no_handoff_gives_an_empty_context() {
    for handoffs in [&[][..], &[Handoff::default()]] {
        let seen = assemble(handoffs, &Manifest::permissive(0));
        assert_eq!((seen.text.as_str(), seen.result), ("", BudgetResult::default()));
    }
}

// The budget's functions and the result's four fields.

#[test]
fn a_budget_of_0_changes_nothing() {
    let (text, result) = apply_context_budget("Some words. And more.", 0);
    let expected = BudgetResult { original_tokens: 6, budget_tokens: 0, truncated_tokens: 6, was_truncated: false };
    assert_eq!((text.as_str(), result), ("Some words. And more.", expected));
}

#[test]
fn the_result_has_the_names_of_the_contract() {
    let (_, result) = apply_context_budget(&"word ".repeat(100), 10);
    let value = serde_json::to_value(result).unwrap();
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["original_tokens", "budget_tokens", "truncated_tokens", "was_truncated"]);
    assert_eq!((value["original_tokens"].as_u64(), value["was_truncated"].as_bool()), (Some(125), Some(true)));
}

#[test]
fn text_is_truncated_at_a_sentence_line_or_word() {
    let cases = [
        ("One two. Three four. Five six seven eight.", 6, "One two. Three four...."),
        ("One two.\nThree four five six seven.", 3, "One two...."),
        ("one two three four five", 3, "one two..."),
        ("onetwothreefourfive", 3, "onetwothr..."),
        ("short", 2, "short"),
        ("version 1.2.3 of the thing is out", 4, "version 1.2.3..."),
        // The last sentence ends in the first half of the budget, so the text ends after a line, or else after a word.
        ("A. one two three\nfour five six\nseven eight", 10, "A. one two three\nfour five six..."),
        ("A. one two three four five six seven eight nine", 6, "A. one two three four..."),
        ("A. onetwothreefourfivesixseveneightnine", 6, "A...."),
    ];
    for (text, budget, expected) in cases {
        assert_eq!(truncate_to_token_budget(text, budget), expected, "{text}");
    }
    assert_eq!(truncate_to_chars("abcdef", 2), "ab");
    assert_eq!(truncate_to_chars("größer als das", 9), "größer...");
}

proptest! {
    #[test]
    fn estimate_of_nothing_is_0_and_of_something_is_not(text in any::<String>()) {
        prop_assert_eq!(estimate_tokens(""), 0);
        prop_assert_eq!(estimate_tokens(&text) == 0, text.is_empty());
    }

    #[test]
    fn a_budget_of_0_is_unlimited(text in any::<String>()) {
        prop_assert_eq!(truncate_to_token_budget(&text, 0), text);
    }

    #[test]
    fn truncated_text_is_within_the_budget(text in "([a-zß]{1,9}[ .\n]{1,2}){0,80}", budget in 1usize..60) {
        let (out, result) = apply_context_budget(&text, budget);
        if result.was_truncated {
            prop_assert!(result.truncated_tokens <= result.budget_tokens, "{:?}", out);
            prop_assert!(out.ends_with("..."));
        }
        prop_assert_eq!(result.was_truncated, out != text);
        prop_assert_eq!(result.original_tokens > budget, result.was_truncated);
    }

    #[test]
    fn without_truncation_the_token_count_is_unchanged(text in any::<String>(), budget in 0usize..400) {
        let (_, result) = apply_context_budget(&text, budget);
        if !result.was_truncated {
            prop_assert_eq!(result.truncated_tokens, result.original_tokens);
        }
    }

    #[test]
    fn truncation_never_increases_the_length(text in any::<String>(), budget in 0usize..60, chars in 0usize..60) {
        prop_assert!(truncate_to_token_budget(&text, budget).chars().count() <= text.chars().count());
        let cut = truncate_to_chars(&text, chars);
        prop_assert!(cut.chars().count() <= chars.max(3) && cut.chars().count() <= text.chars().count());
        prop_assert!(cut.chars().count() <= chars || text.chars().count() <= chars);
    }

    #[test]
    fn the_editor_template_round_trips(
        goal in "([a-z]{1,8} ?){0,5}", list in proptest::collection::vec("[a-z]{1,9}( [a-z]{1,9}){0,3}", 0..4),
        narrative in "([a-z]{1,8}[ .]){0,20}",
    ) {
        let mut list = list;
        list.sort();
        list.dedup();
        let handoff = Handoff {
            goal: goal.trim().to_owned(),
            epic_id: "PAY-7".to_owned(),
            verdicts: list.iter().map(|entry| (entry.clone(), "pass".to_owned())).collect(),
            artifacts_produced: list.iter().map(|entry| format!("src/{}.rs", entry.replace(' ', "_"))).collect(),
            decisions_made: list.clone(),
            open_risks: list,
            narrative: narrative.trim().to_owned(),
            ..Handoff::default()
        };
        prop_assert_eq!(document::read(&document::template(&handoff, "01"), false), handoff);
    }
}

// Manifests on disk.

fn project() -> (tempfile::TempDir, Project) {
    let dir = tempfile::tempdir().unwrap();
    let project = Project::init(dir.path()).unwrap().0;
    (dir, project)
}

#[test]
fn without_a_known_phase_everything_is_included() {
    let (_keep, project) = project();
    for phase in [None, Some(0), Some(9)] {
        let (manifest, notes) = resolve(&project, phase).unwrap();
        assert_eq!(manifest, Manifest::permissive(phase.unwrap_or(0)));
        assert!(notes.is_empty() && Field::ALL.into_iter().all(|field| manifest.wants(field)));
        assert_eq!(manifest.max_tokens, 0);
    }
    assert_eq!(resolve(&project, Some(2)).unwrap().0, Manifest::of(Phase::Implementation));
}

#[test]
fn manifests_yaml_overrides_the_defaults() {
    let (_keep, project) = project();
    let write = |text: &str| fs::write(project.manifests_file(), text).unwrap();
    write(
        "- phase: 2\n  handoff_fields: [open_risks, gaol, goal]\n  max_tokens: 100\n- phase: 7\n  narrative_cap: -5\n",
    );
    let (two, notes) = resolve(&project, Some(2)).unwrap();
    assert_eq!(
        two,
        Manifest { phase: 2, handoff_fields: vec![Field::OpenRisks, Field::Goal], narrative_cap: 500, max_tokens: 100 }
    );
    assert_eq!(notes, ["manifests.yaml selects the unknown field `gaol`; did you mean `goal`?"]);
    assert_eq!(resolve(&project, Some(3)).unwrap().0, Manifest::of(Phase::Validation));
    assert_eq!(resolve(&project, Some(7)).unwrap().0, Manifest::permissive(7));
    for bad in ["- max_tokens: 3\n", "- phase: two\n", "{", "phase: 2\n"] {
        write(bad);
        assert_eq!(resolve(&project, Some(2)).unwrap_err().exit_code(), 2, "{bad}");
    }
}

#[test]
fn phases_have_numbers_and_names() {
    for (text, phase) in
        [("1", Phase::Discovery), ("implementation", Phase::Implementation), ("Val", Phase::Validation)]
    {
        assert_eq!(text.parse::<Phase>().unwrap(), phase);
    }
    for bad in ["", "0", "4", "x", "i"] {
        assert!(bad.parse::<Phase>().unwrap_err().hint().unwrap().contains("discovery"), "{bad}");
    }
}

// Files.

#[test]
fn keys_of_other_tools_are_kept_and_null_is_empty() {
    let text = r#"{"goal": null, "phase": 2, "open_risks": ["a"], "run_id": "x", "decisions_made": null}"#;
    let handoff = Handoff::parse(std::path::Path::new("handoff.json"), text).unwrap();
    assert_eq!((handoff.open_risks.len(), handoff.phase), (1, Some(2)));
    let again = handoff.to_json().unwrap();
    assert!(again.contains("\"run_id\": \"x\"") && !again.contains("goal"), "{again}");
    let error = Handoff::parse(std::path::Path::new("handoff.json"), "{\n \"goal\": 3}").unwrap_err();
    assert!(error.to_string().contains("handoff.json:2:"), "{error}");
}

#[test]
fn every_field_is_redacted() {
    let secret = crate::redact::sample_token();
    let text = format!("see {secret} there");
    let handoff = Handoff {
        goal: text.clone(),
        epic_id: text.clone(),
        verdicts: BTreeMap::from([
            ("password".to_owned(), "k9#Vw2qLx8!pT4zR".to_owned()),
            (text.clone(), text.clone()),
        ]),
        artifacts_produced: vec![text.clone()],
        decisions_made: vec![text.clone()],
        open_risks: vec![text.clone()],
        narrative: text.clone(),
        other: serde_json::from_str(&format!("{{\"token\": \"{secret}\", \"n\": 3}}")).unwrap(),
        phase: None,
    };
    let shown = handoff.redacted(&Policy::default()).to_json().unwrap();
    assert!(!shown.contains(&secret) && !shown.contains("k9#Vw2"), "{shown}");
    assert!(shown.contains("[REDACTED:") && shown.contains("\"n\": 3"), "{shown}");
}

#[test]
fn many_decisions_without_full_stops_use_the_budget() {
    let decisions_made = (0..300).map(|number| format!("Decision {number}: keep the amounts in cents")).collect();
    let handoff = Handoff { goal: "Refunds. And more".to_owned(), decisions_made, ..Handoff::default() };
    let seen = assemble(&[handoff], &Manifest::of(Phase::Implementation));
    assert!(seen.result.was_truncated && (2_400..=2_500).contains(&seen.result.truncated_tokens), "{:?}", seen.result);
    assert!(seen.text.ends_with("cents..."), "a whole line: {:?}", &seen.text[seen.text.len() - 80..]);
}

#[test]
fn the_gate_of_a_verdict_is_parsed() {
    for (line, gate, result) in [
        ("Verdict: tests PASS", "tests", "PASS"),
        ("- **Verdict:** tests PASS", "tests", "PASS"),
        ("Verdict: code review - approved with comments", "code review", "approved with comments"),
        ("Verdict: tests: failed (3 of 20)", "tests", "failed (3 of 20)"),
        ("Verdict: pass", "review", "pass"),
        ("Verdict: the change is good and all tests pass", "review", "the change is good and all tests pass"),
        ("Tests verdict: 3 failed", "tests", "3 failed"),
    ] {
        let found = document::read(&format!("# Report\n\n{line}\n"), true).verdicts;
        assert_eq!(found, BTreeMap::from([(gate.to_owned(), result.to_owned())]), "{line}");
    }
}

#[test]
fn plans_and_reports_are_read_by_their_headings() {
    let report = "# Report\n\nRefunds work now. They are\nrounded.\n\n```\n## Risks\n- none of ours\n```\n## Decisions\n1. Cents are integers\n   everywhere\n- [x] No floats\n\n**Open risks:**\n* Rounding of halves\n\n## Files changed\n- `src/refund.rs` (new)\n- src/pay.rs: the call\n\n## Verdicts\n- tests: pass\n\nReview verdict: **fail**\n";
    let handoff = document::read(report, true);
    assert_eq!(handoff.decisions_made, ["Cents are integers everywhere", "No floats"]);
    assert_eq!(handoff.open_risks, ["Rounding of halves"]);
    assert_eq!(handoff.artifacts_produced, ["src/refund.rs", "src/pay.rs"]);
    assert_eq!(handoff.narrative, "Refunds work now. They are\nrounded.");
    let verdicts: Vec<_> = handoff.verdicts.iter().map(|(gate, verdict)| format!("{gate}={verdict}")).collect();
    assert_eq!(verdicts, ["review=fail", "tests=pass"]);
}
