//! Tests of context packs: created in a turn, within their budget, merged and validated.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use teddy::render::pack::schema;

use super::support::{Place, Ran, TASK, git_in, json, ran, run_with_input, secret};

/// The pack that a run printed; fails if it violates the published schema.
fn pack(ran: &Ran) -> Value {
    let pack: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    assert_eq!(schema::problems(&pack), []);
    super::schemas::assert_valid(super::schemas::PACK, &pack);
    pack
}

fn planned(place: &Place, more: &[&str]) -> Value {
    pack(&place.ok(&[&["plan", TASK, "--format", "pack", "--dry-run"], more].concat()))
}

#[test]
fn a_turn_contains_its_pack_and_the_receipt_refers_to_it() {
    let place = Place::repository();
    place.write("docs/plan.md", "# Plan\n\n## Refunds\n\nFirst the ledger.\n");
    place.write("src/ledger.py", "class Ledger:\n    pass\n");
    let made = place.ok(&["plan", TASK, "--format", "pack", "--done", "Partial refunds work"]);
    let delivered = pack(&made);
    assert_eq!(place.read_session("01/pack.json"), made.out);
    assert!(!place.session("01/payload.md").exists());
    let line = made.err.lines().find_map(|line| line.strip_prefix("contextPackRef ")).unwrap();
    let reference = json(line);
    assert_eq!(reference["type"], "context_pack");
    assert!(place.path(reference["ref"].as_str().unwrap()).is_file(), "{reference}");
    assert_eq!(reference["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(delivered["definitionOfDone"], json!(["Partial refunds work"]));
    assert_eq!(delivered["docRefs"][0]["path"], "docs/plan.md");
    assert_eq!(delivered["docRefs"][0]["anchors"], json!(["refunds"]));
    let diff = delivered["artifacts"].as_array().unwrap().iter().find(|found| found["type"] == "diff").unwrap();
    assert_eq!(diff["ref"], "changes:src/ledger.py");
    assert_eq!(delivered["nodeId"], "01");
    // `show`, `verify` and `pack check` accept it.
    assert_eq!(place.ok(&["show", "--payload"]).out, made.out);
    assert!(place.ok(&["show"]).out.contains("pack.json"));
    assert!(place.ok(&["verify"]).out.contains("is intact"));
    let file = place.session("01/pack.json").display().to_string();
    assert!(place.ok(&["pack", "check", &file]).out.contains("valid context pack"));
    place.write("src/payment.py", "def refund():\n    pass\n");
    place.refused(&["verify"], 1, &["changed: src/payment.py", "stale"]);
    // The pack of the next turn refers to this one.
    place.write_session("01/plan.md", "1. Write it.\n");
    place.write_session("01/report.md", "Done.\n");
    let next = pack(&place.ok(&["resume", "--stdout"]));
    assert_eq!(next["inputs"][0]["payloadId"], delivered["packId"]);
    let refs: Vec<&str> =
        next["artifacts"].as_array().unwrap().iter().filter_map(|found| found["ref"].as_str()).collect();
    assert!(refs.iter().any(|name| name.ends_with("/01/plan.md") && place.path(name).is_file()), "{refs:?}");
}

#[test]
fn the_pack_contains_the_session_terms() {
    let place = Place::planned();
    place.ok(&["memo", "add", "Refunds are in cents."]);
    let meta = place.read_session("session.yaml");
    let agreed = "constraints:\n- No new dependencies\ndecisions:\n- Money is counted in cents\n- id: ADR-7\n  \
                  summary: Refunds go through the ledger\n  rationale: it is the one record\n  links: [docs/refunds.md]\n\
                  definition_of_done: [Partial refunds work]\n";
    place.write_session("session.yaml", &format!("{meta}{agreed}"));
    let packed = pack(&place.ok(&["resume", "--format", "pack", "--stdout"]));
    assert_eq!(packed["constraints"], json!({"rules": ["No new dependencies"], "memos": ["Refunds are in cents."]}));
    assert_eq!(packed["definitionOfDone"], json!(["Partial refunds work"]));
    assert_eq!(
        packed["decisions"],
        json!([
            {"id": super::schemas::decision_id("Money is counted in cents"), "summary": "Money is counted in cents"},
            {"id": "ADR-7", "summary": "Refunds go through the ledger", "rationale": "it is the one record", "links": ["docs/refunds.md"]},
        ])
    );
    let prompt = place.ok(&["resume", "--format", "prompt", "--stdout"]).out;
    assert!(prompt.contains("### Acceptance Criteria\n\n- [ ] Partial refunds work\n"), "{prompt}");
}

#[test]
fn a_turn_has_one_payload_whatever_its_format() {
    let place = Place::planned();
    place.ok(&["resume", "--format", "pack"]);
    assert!(place.session("01/pack.json").exists() && !place.session("01/payload.md").exists());
    place.ok(&["resume", "--format", "prompt"]);
    assert!(!place.session("01/pack.json").exists() && place.session("01/payload.md").exists());
}

#[test]
fn a_pack_is_small_by_default_and_within_its_budget() {
    let place = Place::repository();
    for number in 0..60 {
        let body = format!("    total = {number}\n    total += 1\n").repeat(30);
        place.write(
            &format!("src/refund_{number:02}.py"),
            &format!("def refund_{number}(payment):\n{body}    return total\n"),
        );
    }
    let used = |more: &[&str]| {
        let args = [&["plan", TASK, "--format", "pack", "--dry-run", "--json"], more].concat();
        let plan = json(&place.ok(&args).out);
        (plan["budget"]["used"].as_u64().unwrap(), plan["budget"]["limit"].as_u64().unwrap())
    };
    for (more, limit) in [
        (&["--complexity", "simple"][..], 4_000),
        (&["--complexity", "medium"], 6_000),
        (&["--complexity", "complex"], 20_000),
        (&["--budget", "1000"], 1_000),
        (&["--budget", "1500", "--fill"], 1_500),
        (&["--budget", "40k", "--fill"], 40_000),
        (&["--complexity", "simple", "--tokenizer", "estimate"], 4_000),
    ] {
        let (used, given) = used(more);
        assert!(given == limit && used <= limit, "{more:?}: {used} of {given}");
    }
    // Only pinned files are complete; they may exceed the budget, and a message says so.
    let whole = place.read("src/refund_07.py");
    let packed = planned(&place, &["--pin", "src/refund_07.py"]);
    let with_all = |file: &&Value| file["excerpt"].as_str() == Some(&whole);
    let files = packed["relevantFiles"].as_array().unwrap();
    assert_eq!(files.iter().filter(with_all).count(), 1);
    assert_eq!(files[0]["path"], "src/refund_07.py");
    let over =
        place.ok(&["plan", TASK, "--format", "pack", "--dry-run", "--budget", "1000", "--pin", "src/refund_0*.py"]);
    assert!(over.err.contains("pins exceed the budget by "), "{}", over.err);
    assert!(pack(&over)["relevantFiles"].as_array().unwrap().len() == 10);
}

#[test]
fn the_same_project_gives_the_same_pack() {
    let place = Place::repository();
    let one = planned(&place, &[]);
    assert_eq!(one, planned(&place, &[]));
    let later =
        ran(place.teddy().env("SOURCE_DATE_EPOCH", "1769337000").args(["plan", TASK, "--format", "pack", "--dry-run"]));
    let later = pack(&later);
    assert_ne!(one["createdAt"], later["createdAt"]);
    // The pack contains the session's name, which contains the date.
    assert_ne!(one["runId"], later["runId"]);
    assert_eq!((&one["docRefs"], &one["relevantFiles"]), (&later["docRefs"], &later["relevantFiles"]));
}

#[test]
fn workspaces_agree_with_git() {
    let place = Place::repository();
    let root = place.root().to_str().unwrap();
    assert_eq!(planned(&place, &[])["workspace"], json!({"mode": "shared", "rootPath": root, "branch": "main"}));
    let tree = place.outside().join("tree");
    place.git(&["worktree", "add", "-q", "-b", "refunds", tree.to_str().unwrap()]);
    let copy = place.outside().join("copy");
    git_in(place.outside(), &["clone", "-q", root, copy.to_str().unwrap()]);
    let bare = place.outside().join("bare.git");
    git_in(place.outside(), &["clone", "-q", "--bare", root, bare.to_str().unwrap()]);
    let ours = place.outside().join("ours");
    git_in(place.outside(), &["clone", "-q", bare.to_str().unwrap(), ours.to_str().unwrap()]);
    let below = |dir: &Path| {
        let args = ["plan", TASK, "--format", "pack", "--dry-run"];
        pack(&ran(place.teddy_in(dir).args(args)))["workspace"].clone()
    };
    let shown = |path: &Path| path.to_str().unwrap().to_owned();
    assert_eq!(
        below(&tree),
        json!({"mode": "worktree", "rootPath": shown(&tree), "worktreePath": shown(&tree), "branch": "refunds"})
    );
    assert_eq!(below(&copy), json!({"mode": "copy", "rootPath": shown(&copy), "branch": "main"}));
    assert_eq!(below(&ours), json!({"mode": "shared", "rootPath": shown(&ours), "branch": "main"}));
    // Paths start at the root, even from a subdirectory.
    assert_eq!(below(&place.path("src"))["rootPath"], root);
    assert_eq!(below(Place::plain().root())["mode"], "shared");
}

#[test]
fn check_distinguishes_valid_invalid_and_not_json() {
    let place = Place::repository();
    let good = place.ok(&["plan", TASK, "--format", "pack", "--dry-run"]).out;
    place.write("good.json", &good);
    assert!(place.ok(&["pack", "check", "good.json"]).out.contains("its packId matches its content"));
    assert_eq!(run_with_input(place.teddy().args(["pack", "check", "-"]), good.as_bytes()).code, 0);
    let changed = good.replace("implementation", "planning");
    assert!(
        run_with_input(place.teddy().args(["pack", "check", "-"]), changed.as_bytes())
            .out
            .contains("does not match its content")
    );
    let bad = good.replace("\"globalMode\":\"implementation\"", "\"globalMode\":\"\\u001b[2J\",\"extra\":1");
    let ran = run_with_input(place.teddy().args(["pack", "check", "-"]), bad.as_bytes());
    assert_eq!(ran.code, 1, "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with("/globalMode: \"\\u001b[2J\" is not one of \"planning\", \"implementation\"; use one of"),
        "{lines:?}"
    );
    assert_eq!(lines[1], "/extra: unknown field `extra`; remove it");
    assert!(
        ran.err.contains("not a valid context pack: 2 problems") && ran.err.contains("context-pack.schema.json"),
        "{}",
        ran.err
    );
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'));
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let wide = format!("{{\"packId\":\"{}", "x".repeat(3_000_000));
    for (text, why) in [
        ("", "EOF"),
        ("hello", "not valid JSON"),
        ("{\"a\":1,\"a\":2}", "duplicate key"),
        (deep.as_str(), "recursion limit"),
        (wide.as_str(), "EOF"),
        ("# Context Payload: x\n", "not valid JSON"),
    ] {
        let ran = run_with_input(place.teddy().args(["pack", "check", "-"]), text.as_bytes());
        assert!(ran.code == 2 && ran.err.contains(why) && ran.out.is_empty(), "{:?}", ran.err);
    }
    assert_eq!(run_with_input(place.teddy().args(["pack", "check", "-"]), b"\xff\xfe").code, 2);
    place.refused(&["pack", "check", "nowhere.json"], 2, &["nowhere.json"]);
    place.refused(&["pack", "check", "src"], 2, &["directory"]);
}

#[test]
fn packs_are_merged_in_any_order() {
    let place = Place::repository();
    let write = |name: &str, task: &str| {
        place.write(name, &place.ok(&["plan", task, "--format", "pack", "--dry-run"]).out);
    };
    write("a.json", TASK);
    write("b.json", "Mend the mailer when it sends twice");
    write("c.json", "Explain the ledger");
    let merged = place.ok(&["pack", "merge", "a.json", "b.json", "c.json"]);
    let value = pack(&merged);
    assert_eq!(place.ok(&["pack", "merge", "c.json", "a.json", "b.json", "a.json"]).out, merged.out);
    place.ok(&["pack", "merge", "a.json", "b.json", "-o", "ab.json"]);
    let grouped = place.ok(&["pack", "merge", "ab.json", "c.json"]);
    assert_eq!(grouped.out, merged.out);
    let piped = run_with_input(
        place.teddy().args(["pack", "merge", "-", "c.json"]),
        fs::read(place.path("ab.json")).unwrap().as_slice(),
    );
    assert_eq!(piped.out, merged.out);
    assert!(merged.err.contains("note: the packs disagree on /goal; see decisions"), "{}", merged.err);
    let paths: Vec<&str> =
        value["relevantFiles"].as_array().unwrap().iter().filter_map(|file| file["path"].as_str()).collect();
    let mut once = paths.clone();
    once.dedup();
    assert_eq!(once, paths);
    let told = value["decisions"].as_array().unwrap().iter().find(|found| found["id"] == "conflict:/goal").unwrap();
    let others: Vec<String> = serde_json::from_str(told["rationale"].as_str().unwrap()).unwrap();
    assert_eq!(others.len(), 2);
    let checked = place.ok(&["pack", "check", "ab.json"]);
    assert!(checked.out.contains("its packId matches its content"), "{}", checked.out);
}

#[test]
fn merging_redacts_secrets_and_rejects_invalid_packs() {
    let place = Place::repository();
    let good = place.ok(&["plan", TASK, "--format", "pack", "--dry-run"]).out;
    let secret = secret();
    place.write("good.json", &good);
    place.write("leaky.json", &good.replace("Add refund", &format!("With {secret} add refund")));
    let merged = place.ok(&["pack", "merge", "good.json", "leaky.json"]);
    assert!(!merged.out.contains(&secret) && merged.out.contains("[REDACTED:"), "{}", merged.out);
    pack(&merged);
    // The error does not repeat a secret.
    place.write(
        "wrong.json",
        &good.replace("\"globalMode\":\"implementation\"", &format!("\"globalMode\":\"{secret}\"")),
    );
    for args in [&["pack", "check", "wrong.json"][..], &["pack", "merge", "wrong.json"]] {
        let ran = place.run(args);
        assert!(ran.code > 0 && !ran.out.contains(&secret) && !ran.err.contains(&secret), "{ran:?}");
    }
    place.write("bad.json", &good.replace("\"goal\"", "\"gaol\""));
    place.refused(&["pack", "merge", "good.json", "bad.json"], 2, &["bad.json", "teddy pack check bad.json"]);
    place.write("broken.json", "{");
    place.refused(
        &["pack", "merge", "good.json", "broken.json", "-o", "out.json"],
        2,
        &["broken.json", "not valid JSON"],
    );
    place.refused(&["pack", "merge", "good.json", "-o", "no/out.json"], 2, &["does not exist"]);
    place.refused(&["pack", "merge", "-", "-"], 2, &["standard input is named twice"]);
    place.refused(&["pack", "merge"], 2, &["FILE"]);
}
