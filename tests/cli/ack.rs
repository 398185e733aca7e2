//! Tests of `teddy ack`: complete and partial acknowledgements, and mistakes that models make.

use super::support::{Place, SESSION, TASK, assert_same, json, run_with_input};

/// A planned turn with its payload's fingerprint.
fn delivered() -> (Place, String) {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/ledger.py"]);
    let print = fingerprint(&place.read_session("01/payload.md"));
    (place, print)
}

fn fingerprint(payload: &str) -> String {
    let line = payload.lines().find(|line| line.starts_with("- **Fingerprint:**")).unwrap();
    line.rsplit(' ').next().unwrap()[..16].to_owned()
}

fn sections(payload: &str, tier: &str) -> Vec<String> {
    let start = format!("### {tier}:");
    payload.lines().filter_map(|line| line.strip_prefix(&start)).map(ToOwned::to_owned).collect()
}

fn ack(print: &str, payload: &str, missing: &[&str]) -> String {
    let (raw, linked) = (sections(payload, "RAW").len(), sections(payload, "LINKED").len());
    let status = if missing.is_empty() { "complete" } else { "partial" };
    format!(
        "Thanks!\n\n```yaml\nPAYLOAD_ACK:\n  fingerprint: {print}\n  raw_sections: {} / {raw}\n  linked_sections: {linked} / {linked}\n  status: {status}\n  missing: [{}]\n```\n\nMy plan is this.\n",
        raw - missing.len().min(raw),
        missing.join(", ")
    )
}

#[test]
fn a_complete_acknowledgement_is_recorded() {
    let (place, print) = delivered();
    let payload = place.read_session("01/payload.md");
    place.write("answer.md", &ack(&print, &payload, &[]));
    let before = place.listing();
    place.ok(&["ack", "answer.md", "--dry-run"]);
    assert_same(&before, &place.listing());
    let ran = place.ok(&["ack", "answer.md"]);
    assert!(ran.out.contains("payload.md of turn 01 of") && ran.out.contains("is acknowledged"), "{}", ran.out);
    let kept = json(&place.read_session("01/ack.json"));
    assert_eq!((&kept["status"], &kept["payload"]), (&"complete".into(), &"payload.md".into()));
    assert!(kept["fingerprint"].as_str().unwrap().starts_with(&print));
    // The saved answer and a pipe both work.
    place.write_session("01/plan.md", &ack(&print, &payload, &[]));
    place.ok(&["ack"]);
    let said =
        run_with_input(place.teddy().args(["ack", "--session", "01", "--json"]), ack(&print, &payload, &[]).as_bytes());
    assert_eq!(json(&said.out)["status"], "complete");
}

#[test]
fn only_missing_sections_are_resent() {
    let (place, print) = delivered();
    let payload = place.read_session("01/payload.md");
    let labels = sections(&payload, "RAW");
    assert!(labels.len() >= 2, "{labels:?}");
    let missing = format!("RAW:{}", labels[1]);
    place.write("answer.md", &ack(&print, &payload, &[&missing]));
    let ran = place.ok(&["ack", "answer.md"]);
    let again = &ran.out;
    assert!(again.starts_with("# Context Payload: ") && again.contains("## META"), "{again}");
    assert!(!ran.err.contains("--fill"), "{}", ran.err);
    assert_eq!(sections(again, "RAW").len(), 1, "{again}");
    assert_eq!(sections(again, "LINKED").len(), 0, "{again}");
    assert!(
        again.contains(&format!("only the sections missing from the payload with the fingerprint {print}")),
        "{again}"
    );
    let file = |payload: &str, label: &str| {
        let at = payload.find(&format!("### RAW:{label}\n")).unwrap();
        payload[at..].lines().find(|line| line.starts_with("# file: ")).unwrap().to_owned()
    };
    assert_eq!(file(&payload, &labels[1]), file(again, &sections(again, "RAW")[0]));
    assert_eq!(&place.read_session("01/redelivery-01.md"), again);
    let path = format!(".teddy/sessions/{SESSION}/01/redelivery-01.md");
    place.ok(&["verify", &path]);
    let kept = json(&place.read_session("01/ack.json"));
    assert_eq!(
        (&kept["status"], &kept["missing"][0], &kept["redelivered"]),
        (&"partial".into(), &missing.into(), &"redelivery-01.md".into())
    );
    let log = place.read(".teddy/context-budget-log.jsonl");
    assert!(log.lines().last().unwrap().contains("\"what\":\"redelivery\""), "{log}");
    // A redelivery is acknowledged like any payload.
    place.write("second.md", &ack(&fingerprint(again), again, &[]));
    assert!(place.ok(&["ack", "second.md"]).out.contains("redelivery-01.md of turn 01"));
    let before = place.listing();
    place.ok(&["ack", "answer.md", "--dry-run", "-o", "x.md"]);
    assert_same(&before, &place.listing());
    place.ok(&["ack", "answer.md", "-o", "x.md"]);
    assert!(place.read("x.md").starts_with("# Context Payload: "));
    assert!(place.session("01/redelivery-02.md").exists());
}

#[test]
fn sections_that_no_longer_fit_become_links() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--budget", "2500", "--fill"]);
    let payload = place.read_session("01/payload.md");
    let block = |path: &str| payload.contains(&format!("# file: {path} (lines 1-"));
    assert!(block("src/payment.py") && block("src/ledger.py"), "{payload}");
    let grown = format!(
        "{}\n{}",
        place.read("src/ledger.py"),
        "def more(cents: int) -> int:\n    return cents + 1\n\n\n".repeat(400)
    );
    place.write("src/ledger.py", &grown);
    place.write("answer.md", &ack(&fingerprint(&payload), &payload, &["src/payment.py", "src/ledger.py"]));
    let ran = place.ok(&["ack", "answer.md"]);
    assert!(ran.err.contains("`src/ledger.py` no longer fits the budget and is now LINKED"), "{}", ran.err);
    assert!(ran.out.contains("# file: src/payment.py (lines 1-16)"), "{}", ran.out);
    assert!(
        ran.out.contains("- `src/ledger.py` lines 1-") && !ran.out.contains("# file: src/ledger.py"),
        "{}",
        ran.out
    );
    let json = json(&place.ok(&["ack", "answer.md", "--json"]).out);
    assert!(json["used"].as_u64() <= Some(2500) && json["limit"] == 2500, "{json}");
    std::fs::remove_file(place.path("src/ledger.py")).unwrap();
    let ran = place.ok(&["ack", "answer.md"]);
    assert!(ran.err.contains("`src/ledger.py` is no longer in the project"), "{}", ran.err);
}

#[test]
fn acknowledgement_errors_are_explained() {
    let (place, print) = delivered();
    let payload = place.read_session("01/payload.md");
    let good = ack(&print, &payload, &[]);
    let refused = |text: &str, code: i32, needles: &[&str]| {
        place.write("answer.md", text);
        place.refused(&["ack", "answer.md"], code, needles);
    };
    refused(&good.replace(&print, "0123456789abcdef"), 1, &["for another payload", "has been created again"]);
    refused(&good.replace(&print, "oops"), 2, &["`oops` is not a fingerprint"]);
    refused("Sure, I have everything.", 2, &["no acknowledgement in this text"]);
    refused(&payload, 2, &["not completed"]);
    refused(&good.replace("status: complete", "status: great"), 2, &["invalid status `great`"]);
    refused(&good.replace("  status: complete\n", ""), 2, &["has no `status`"]);
    refused(&good.replace("status: complete", "status: partial"), 2, &["does not list the missing sections"]);
    refused(&ack(&print, &payload, &["RAW:primary-kode"]), 2, &["no section `RAW:primary-kode`", "did you mean `"]);
    let raw = sections(&payload, "RAW").len();
    refused(
        &good.replace(&format!("{raw} / {raw}"), &format!("{} / {raw}", raw - 1)),
        2,
        &["has the status `complete`, but only"],
    );
    place.refused(&["ack", "gone.md"], 2, &["file `gone.md` not found"]);
    place.refused(&["ack"], 2, &["no acknowledgement was given"]);
    // The fingerprint of another turn is recognized.
    place.write_session("01/report.md", "done\n");
    place.ok(&["resume", "-m", "And now the mail"]);
    refused(&good, 1, &["is not the fingerprint of turn 02", &format!("teddy ack --session {SESSION}/01")]);
    place.ok(&["ack", "answer.md", "--session", &format!("{SESSION}/01")]);
    let plain = Place::repository();
    plain.ok(&["plan", TASK, "--format", "invocation"]);
    plain.write("answer.md", &good);
    plain.refused(&["ack", "answer.md"], 2, &["invocation format"]);
}
