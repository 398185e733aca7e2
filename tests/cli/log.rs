//! `teddy stats`, formerly `teddy log`: statistics and advice on budgets.

use std::fs;

use super::support::{Place, TASK, json, ran};

fn line(phase: u32, original: usize, budget: usize, what: &str) -> String {
    let truncated = original.min(budget);
    format!(
        "{{\"run_id\":\"s/01\",\"phase\":{phase},\"original_tokens\":{original},\"budget_tokens\":{budget},\"truncated_tokens\":{truncated},\"was_truncated\":{},\"ts\":\"2026-01-24T10:30:00Z\",\"what\":\"{what}\"}}\n",
        truncated < original
    )
}

#[test]
fn stats_give_advice() {
    let place = Place::planned();
    let log = place.path(".teddy/context-budget-log.jsonl");
    let mut text = fs::read_to_string(&log).unwrap();
    for original in [3_000, 3_500, 2_000, 4_000] {
        text.push_str(&line(2, original, 2_500, "handoff"));
    }
    for original in [300, 350, 200] {
        text.push_str(&line(3, original, 2_500, "handoff"));
    }
    text.push_str("{\"somebody\": \"else\"}\n{\"run_id\":\"s/0");
    fs::write(&log, &text).unwrap();
    let shown = place.ok(&["log"]);
    assert!(shown.err.contains("skipped 2 lines of context-budget-log.jsonl that could not be read"), "{}", shown.err);
    assert!(
        shown.out.contains("handoff, phase 2 implementation: 4 budgets, truncated 3 times (75%)\n"),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("too tight: truncated 3 of 4 times; 4,000 tokens would have been enough for 90%"),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("too loose: never truncated, 2,217 of 2,500 tokens unused on average; 350 would be enough"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("payload, no phase: 1 budget,"), "{}", shown.out);
    assert!(shown.out.contains('█'), "{}", shown.out);
    for (name, value) in [("LC_ALL", "C"), ("TEDDY_ASCII", "1"), ("TERM", "dumb")] {
        let plain = ran(place.teddy().arg("log").env(name, value));
        assert!(plain.out.is_ascii() && plain.out.contains("###"), "{name}: {}", plain.out);
    }
    assert!(place.ok(&["--ascii", "log"]).out.is_ascii());
    let told = json(&place.ok(&["log", "--json"]).out);
    assert_eq!((&told["budgets"], &told["skipped"]), (&8.into(), &2.into()));
    assert_eq!((&told["groups"][0]["verdict"], &told["groups"][0]["cut"]), (&"too tight".into(), &3.into()));
    // The next entry is appended after the incomplete line.
    place.ok(&["resume"]);
    let told = json(&place.ok(&["log", "--json"]).out);
    assert_eq!((&told["budgets"], &told["skipped"]), (&9.into(), &2.into()));
}

#[test]
fn auto_fill_omits_only_unwanted_items() {
    let place = Place::repository();
    for number in 0..40 {
        let text = format!("//! Ledger {number}.\n{}", "pub fn book_entry() {}\n".repeat(60));
        place.write(&format!("other/ledger_{number}.rs"), &text);
    }
    for fill in [&["--fill"][..], &[]] {
        let log = place.path(".teddy/context-budget-log.jsonl");
        place.ok(&[&["plan", TASK, "--budget", "6k"], fill].concat());
        let text = fs::read_to_string(log).unwrap();
        let last = json(text.lines().last().unwrap());
        assert!(last["original_tokens"].as_u64().unwrap() < 9_000, "{fill:?}: {last}");
    }
}

#[test]
fn without_a_log_there_are_no_statistics() {
    let place = Place::repository();
    place.refused(&["log"], 1, &["there is no `.teddy/` here"]);
    place.ok(&["init"]);
    place.refused(&["log"], 1, &["there are no budget statistics yet", "teddy plan"]);
    place.write(".teddy/context-budget-log.jsonl", "nonsense\n");
    assert_eq!(place.run(&["log"]).code, 1);
}
