//! Checks packs and edge payloads with an independent schema validator, and checks that the published samples are real
//! output.

use std::path::Path;

use serde_json::{Value, json};

use super::support::{Place, SESSION, TASK, json};

pub const PACK: &str = "docs/schemas/context-pack.schema.json";
const EDGE: &str = "docs/schemas/edge-payload.schema.json";

fn published(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Fails with every violation of a published schema.
pub fn assert_valid(schema: &str, document: &Value) {
    let schema = json(&published(schema));
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let wrong: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{document}");
}

fn is_valid(schema: &str, document: &Value) -> bool {
    let schema = json(&published(schema));
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap().is_valid(document)
}

#[test]
fn a_pack_follows_flags_and_configuration() {
    let place = Place::repository();
    place.write_own_config(
        "pack:\n  node_mode: interactive\n  output_schema: docs/answer.schema.json\n  constraints: [Python 3.11]\n  \
         tool_policy: {allowed: [read, edit], approvalMode: on-request}\n",
    );
    place.ok(&["memo", "add", "Refunds are in cents."]);
    let made = place.ok(&[
        "plan",
        TASK,
        "--format",
        "pack",
        "--constraint",
        "No new dependencies",
        "--decision",
        "Money is in cents",
    ]);
    let pack = json(&made.out);
    assert_valid(PACK, &pack);
    assert_eq!(pack["nodeMode"], "interactive");
    assert_eq!(pack["outputSchemaRef"], "docs/answer.schema.json");
    assert_eq!(pack["toolPolicy"], json!({"allowed": ["read", "edit"], "approvalMode": "on-request"}));
    let constraints = json!({"rules": ["No new dependencies", "Python 3.11"], "memos": ["Refunds are in cents."]});
    assert_eq!(pack["constraints"], constraints);
    assert_eq!(pack["decisions"], json!([{"id": decision_id("Money is in cents"), "summary": "Money is in cents"}]));
    assert!(pack["repoFacts"]["provenance"][0]["generator"].as_str().unwrap().starts_with("teddy "));
    assert!(pack.get("provenance").is_none());
    let stored = place.read_session("session.yaml");
    assert!(stored.contains("No new dependencies") && !stored.contains("Python 3.11"), "{stored}");
}

#[test]
fn a_repository_cannot_set_the_tool_policy() {
    let place = Place::repository();
    place.write(".teddy/config.yaml", "pack:\n  node_mode: auto\n  tool_policy: {allowed: [everything]}\n");
    let pack = json(&place.ok(&["plan", TASK, "--format", "pack", "--dry-run"]).out);
    assert_valid(PACK, &pack);
    assert_eq!((&pack["nodeMode"], pack.get("toolPolicy")), (&json!("auto"), None));
}

#[test]
fn decisions_of_a_handoff_reach_the_next_pack() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--format", "pack"]);
    place.ok(&["handoff", "--decision", "Refunds go through the ledger"]);
    place.write_session("01/report.md", "Done.\n");
    let next =
        json(&place.ok(&["plan", "--session", SESSION, "-m", "Now in part", "--format", "pack", "--stdout"]).out);
    assert_valid(PACK, &next);
    let summary = "Refunds go through the ledger";
    assert_eq!(next["decisions"], json!([{"id": decision_id(summary), "summary": summary}]));
}

/// The id of a decision without one, which depends on its text alone.
pub fn decision_id(summary: &str) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(summary.as_bytes());
    digest.iter().take(4).fold("D-".to_owned(), |id, byte| format!("{id}{byte:02x}"))
}

#[test]
fn merged_packs_keep_the_decisions_of_each() {
    let place = Place::repository();
    let write = |name: &str, decision: &[&str]| {
        let args = [&["plan", TASK, "--format", "pack", "--dry-run"], decision].concat();
        let file = place.outside().join(name);
        std::fs::write(&file, place.ok(&args).out).unwrap();
        file.display().to_string()
    };
    let shared = ["--decision", "Cents are integers"];
    let one = write("one.json", &[&shared[..], &["--decision", "Refunds are entries"]].concat());
    let two = write("two.json", &[&["--decision", "No floats"][..], &shared].concat());
    let merged = place.ok(&["pack", "merge", &one, &two]);
    let pack = json(&merged.out);
    assert_valid(PACK, &pack);
    let summaries: Vec<&str> =
        pack["decisions"].as_array().unwrap().iter().filter_map(|decision| decision["summary"].as_str()).collect();
    for summary in ["Cents are integers", "Refunds are entries", "No floats"] {
        assert_eq!(summaries.iter().filter(|known| **known == summary).count(), 1, "{summaries:?}");
    }
    assert!(!merged.err.contains("/decisions"), "{}", merged.err);
}

#[test]
fn the_purpose_of_a_file_says_why_it_is_there_once() {
    let place = Place::planned();
    place.write_session("01/plan.md", "# Plan\n\nRound the totals in src/mailer.py.\n");
    place.write_session("01/report.md", "Done.\n");
    let args = ["plan", "--session", SESSION, "-m", "Round the totals", "--format", "pack", "--dry-run"];
    let pack = json(&place.ok(&args).out);
    let files = pack["relevantFiles"].as_array().unwrap();
    let purposes: Vec<&str> = files.iter().filter_map(|file| file["purpose"].as_str()).collect();
    let mailer = files.iter().find(|file| file["path"] == "src/mailer.py").unwrap();
    assert_eq!(mailer["purpose"], "Sends mail; named in the plan");
    for purpose in purposes {
        assert!(purpose.matches("defines ").count() <= 1 && !purpose.contains("% confidence"), "{purpose}");
    }
}

#[test]
fn a_memo_of_several_lines_is_one_memo_in_a_pack_and_verbatim_in_an_invocation() {
    let place = Place::planned();
    let memos = "# Facts of the project\n- 'Use ''pnpm'''\n- |\n  Refunds are in cents.\n  Round half up.\n";
    place.write(".teddy/memos.yaml", memos);
    let pack = json(&place.ok(&["resume", "--format", "pack", "--stdout"]).out);
    assert_eq!(pack["constraints"]["memos"], json!(["Use 'pnpm'", "Refunds are in cents. Round half up."]));
    let text = place.ok(&["resume", "--format", "invocation", "--stdout"]).out;
    assert!(text.contains(&format!("## 3. Memos\n````\n{memos}````\n")), "{text}");
    let without = place.ok(&["resume", "--exclude", "memo:1", "--stdout"]).out;
    assert!(without.contains("- Refunds are in cents.\n  Round half up.\n") && !without.contains("pnpm"), "{without}");
}

#[test]
fn an_edge_payload_refers_to_the_pack_of_the_turn() {
    let place = Place::repository();
    let text = place.ok(&["plan", TASK, "--format", "pack"]).out;
    let edge = json(&place.ok(&["pack", "edge"]).out);
    assert_valid(EDGE, &edge);
    assert_eq!(edge["kind"], "artifact_ref");
    assert_eq!(edge["fromNodeId"], "01");
    assert_eq!(edge["edgeId"], format!("{SESSION}/01"));
    assert_eq!(edge["status"], json!({"ok": true}));
    let reference = &edge["contextPackRef"];
    assert_eq!((&reference["type"], &reference["mime"]), (&json!("context_pack"), &json!("application/json")));
    assert_eq!(place.read(reference["ref"].as_str().unwrap()), text);
    let again = json(&place.ok(&["pack", "edge"]).out);
    assert_eq!(again["payloadId"], edge["payloadId"], "the id is derived from the content");
    let args = [
        "pack", "edge", "--kind", "report", "--from", "reviewer", "--edge", "e1", "--message", "Tests fail",
        "--failed", "2 tests", "--code", "tests", "-o", "edge.json",
    ];
    place.ok(&args);
    let failed = json(&place.read("edge.json"));
    assert_valid(EDGE, &failed);
    assert_eq!(failed["status"], json!({"ok": false, "code": "tests", "reason": "2 tests"}));
    assert_eq!(failed["message"], json!({"content": "Tests fail", "format": "markdown"}));
    assert_eq!(
        (&failed["kind"], &failed["fromNodeId"], &failed["edgeId"]),
        (&json!("report"), &json!("reviewer"), &json!("e1"))
    );
    place.refused(&["pack", "edge", "--kind", "letter"], 2, &["letter"]);
}

#[test]
fn the_schemas_reject_fields_that_the_specification_lacks() {
    let place = Place::repository();
    let pack = json(&place.ok(&["plan", TASK, "--format", "pack"]).out);
    let edge = json(&place.ok(&["pack", "edge"]).out);
    assert!(is_valid(PACK, &pack) && is_valid(EDGE, &edge));
    for (name, value) in [
        ("provenance", json!([])),
        ("packId", json!("p")),
        ("constraints", json!(["x"])),
        ("toolPolicy", json!([])),
        ("nodeMode", json!("manual")),
        ("workspace", json!({"mode": "shared", "rootPath": "/x", "owner": "me"})),
    ] {
        let mut wrong = pack.clone();
        wrong[name] = value;
        assert!(!is_valid(PACK, &wrong), "{name}");
    }
    for (name, value) in
        [("kind", json!("letter")), ("status", json!({})), ("payloadId", json!("1")), ("more", json!(1))]
    {
        let mut wrong = edge.clone();
        wrong[name] = value;
        assert!(!is_valid(EDGE, &wrong), "{name}");
    }
}

#[test]
fn a_merged_pack_stays_within_its_budget_and_pairs_no_excerpt_with_another_hash() {
    let place = Place::repository();
    let args = ["plan", TASK, "--format", "pack", "--dry-run"];
    let (first, second) = (place.outside().join("a.json"), place.outside().join("b.json"));
    std::fs::write(&first, place.ok(&args).out).unwrap();
    place.write("src/payment.py", "def refund(order):\n    return order.total\n");
    std::fs::write(&second, place.ok(&args).out).unwrap();
    let [a, b] = [&first, &second].map(|path| json(&std::fs::read_to_string(path).unwrap()));
    let [first, second] = [&first, &second].map(|path| path.display().to_string());
    let merged = json(&place.ok(&["pack", "merge", &first, &second]).out);
    assert_valid(PACK, &merged);
    let of = |pack: &Value| {
        pack["relevantFiles"].as_array().unwrap().iter().find(|file| file["path"] == "src/payment.py").cloned()
    };
    let file = of(&merged).unwrap();
    assert!(
        [of(&a), of(&b)]
            .into_iter()
            .flatten()
            .any(|own| own["hash"] == file["hash"] && own["excerpt"] == file["excerpt"])
    );
    let small = place.ok(&["pack", "merge", &first, &second, "--budget", "600"]);
    assert!(small.err.contains("note: trimmed to 600 tokens: "), "{}", small.err);
    assert!(!small.err.contains("summarys") && !small.err.contains("entrys"), "{}", small.err);
    assert!(teddy::gather::tokens::DEFAULT.count(&small.out) <= 600, "{}", small.out);
    assert_valid(PACK, &json(&small.out));
}

#[test]
fn the_published_samples_are_up_to_date() {
    let place = Place::repository();
    place.ok(&["memo", "add", "Refunds are in cents."]);
    let args =
        ["plan", TASK, "--format", "pack", "--done", "Partial refunds work", "--constraint", "No new dependencies"];
    let pack = place.ok(&args).out.replace(&place.root().display().to_string(), "/home/dev/payments");
    let commit = json(&pack)["repoFacts"]["provenance"][0]["commit"].as_str().unwrap().to_owned();
    let pack = pack.replace(&commit, "0123456789abcdef0123456789abcdef01234567");
    let edge = place.ok(&["pack", "edge", "--message", "Start with the ledger."]).out;
    for (path, schema, text) in
        [("docs/schemas/context-pack.sample.json", PACK, pack), ("docs/schemas/edge-payload.sample.json", EDGE, edge)]
    {
        assert_valid(schema, &json(&text));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        assert_valid(schema, &json(&published(path)));
        // Ids and hashes depend on the sample's directory.
        let names = |text: &str| json(text).as_object().unwrap().keys().cloned().collect::<Vec<String>>();
        assert_eq!(names(&published(path)), names(&text), "{path}: UPDATE_DOCS=1 cargo test --test cli samples");
    }
}
