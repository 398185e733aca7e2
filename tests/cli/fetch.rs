//! Tests of `teddy fetch`: linked content in the same form as inlined content.

use super::answer::piped;
use super::support::{Place, SESSION, TASK, secret};

#[test]
fn a_fetched_file_has_the_form_of_raw_and_its_hash() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--link", "src/mailer.py"]);
    let ran = place.ok(&["fetch", "src/mailer.py"]);
    let text = place.read("src/mailer.py");
    let block = format!("```python\n# file: src/mailer.py (lines 1-6)\n{text}```\n\n");
    assert!(ran.out.starts_with("## RAW\n\n### RAW:fetched\n<!-- source: teddy/fetch | tokens: ~"), "{}", ran.out);
    assert!(ran.out.contains(&block), "{}", ran.out);
    let listed = place.read_session("01/checkpoint.json");
    let at = listed.find("\"path\": \"src/mailer.py\"").expect("it is linked");
    let sum = listed[at..].split("\"sha256\": \"").nth(1).unwrap();
    assert!(ran.out.ends_with(&format!("- `src/mailer.py` {}\n", &sum[..64])), "{}", ran.out);
    assert!(ran.err.contains("fetched 1 item · ") && ran.err.contains("tokens (o200k_base)"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn unusual_names_can_be_fetched_as_the_payload_writes_them() {
    let place = Place::repository();
    for name in ["we\"ird`name`.txt", "new\nline.txt", "tab\there.txt", "zero\u{200d}width.txt"] {
        place.write(&format!("odd/{name}"), &format!("text of {}\n", name.len()));
    }
    let payload = place.ok(&["plan", TASK, "--link", "odd/"]).out;
    let linked: Vec<&str> = payload.lines().filter(|line| line.starts_with("- `") && line.contains("odd/")).collect();
    let linked: Vec<&str> = linked.into_iter().filter(|line| line.contains(" lines 1-1 -- ")).collect();
    assert_eq!(linked.len(), 4, "{payload}");
    let pasted = piped(&place, &["fetch", "-"], linked.join("\n").as_bytes());
    assert_eq!((pasted.code, pasted.out.matches("\ntext of ").count()), (0, 4), "{pasted:?}");
}

#[test]
fn lines_labels_and_linked_lines_of_the_payload_are_understood() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--link", "src/ledger.py", "--link", "src/payment.py"]);
    let payload = place.read_session("01/payload.md");
    let linked: Vec<&str> =
        payload.lines().filter(|line| line.starts_with("- `") && line.contains("` lines ")).collect();
    assert!(linked.len() >= 2, "{payload}");
    let pasted = piped(&place, &["fetch", "-"], format!("I need these:\n\n{}\n", linked.join("\n")).as_bytes());
    assert_eq!(pasted.code, 0, "{pasted:?}");
    for line in &linked {
        let path = line.split('`').nth(1).unwrap();
        assert!(pasted.out.contains(&format!("# file: {path} (lines 1-")), "{path}: {}", pasted.out);
    }
    assert!(pasted.out.contains("### RAW:fetched-1\n") && pasted.out.contains("### RAW:fetched-2\n"), "{}", pasted.out);
    let some = place.ok(&["fetch", "src/payment.py:6-9", "`src/ledger.py` lines 4-5"]).out;
    assert!(
        some.contains("# file: src/payment.py (lines 6-9 of 16)\n") && some.contains("class PaymentService:"),
        "{some}"
    );
    assert!(some.contains("# file: src/ledger.py (lines 4-5 of 13)\n") && !some.contains("def charge"), "{some}");
    place.write_session("01/report.md", "# What came of it\n");
    place.write("src/ledger.py", "entries = []\n");
    place.ok(&["resume", "-m", "Go on"]);
    let others = place.ok(&["fetch", "history:01/report.md", "delta:01"]).out;
    assert!(others.contains("# What came of it\n") && others.contains("```diff\n# item: delta:01"), "{others}");
    let commits = place.ok(&["fetch", "commits:src/payment.py"]).out;
    assert!(commits.contains("# item: commits:src/payment.py") && commits.contains("Charge cards"), "{commits}");
}

#[test]
fn forbidden_and_missing_paths_are_rejected() {
    let place = Place::repository();
    place.write(".gitignore", "build/\n");
    place.write("build/out.py", "x = 1\n");
    std::fs::write(place.path("logo.bin"), b"\x7fELF\0\0").unwrap();
    place.write("../outside.py", "x = 1\n");
    place.ok(&["plan", TASK, "--exclude", "src/mailer.py"]);
    place.refused(&["fetch", "src/mailer.py"], 2, &["`src/mailer.py` is excluded in", SESSION, "/01", "hint: "]);
    place.refused(&["fetch", "build/out.py"], 2, &["is ignored", ".gitignore"]);
    place.refused(&["fetch", "logo.bin"], 2, &["skipped by the scan: binary"]);
    place.refused(&["fetch", "../outside.py"], 2, &["`../outside.py` is outside the project"]);
    place.refused(&["fetch", "/etc/passwd"], 2, &["outside the project"]);
    place.refused(&["fetch", ".teddy/memos.yaml"], 2, &["belongs to teddy"]);
    place.refused(
        &["fetch", "src/paymant.py"],
        2,
        &["file `src/paymant.py` not found", "did you mean `src/payment.py`?"],
    );
    place.refused(&["fetch", "src"], 2, &["names 3 files", "one file at a time"]);
    place.refused(&["fetch", "src/payment.py:40-50"], 2, &["has 16 lines; lines 40-50 do not exist"]);
    place.refused(&["fetch", "src/payment.py:9-3"], 2, &["is not a line range"]);
    place.refused(
        &["fetch", "src/payment.py", "nor.py", "neither.py"],
        2,
        &["nor.py", "neither.py", "nothing was fetched"],
    );
    place.refused(&["fetch"], 2, &["PATH"]);
    let more = place.ok(&["fetch", "src/payment.py:10-90"]);
    assert!(more.err.contains("ends at line 16; fetched lines 10-16"), "{}", more.err);
    // An exclusion applies to its own turn only.
    place.ok(&["plan", "--session", SESSION, "-m", "more"]);
    place.ok(&["fetch", "src/mailer.py"]);
    place.refused(&["fetch", "src/mailer.py", "--session", &format!("{SESSION}/01")], 2, &["is excluded"]);
}

#[test]
fn fetching_redacts_secrets_and_writes_only_the_requested_file() {
    let place = Place::planned();
    let key = secret();
    place.write("src/mailer.py", &format!("aws_access_key_id = \"{key}\"\n"));
    let before = place.listing();
    let ran = place.ok(&["fetch", "src/mailer.py"]);
    assert!(ran.out.contains("[REDACTED:") && !ran.out.contains(&key), "{}", ran.out);
    assert!(ran.err.contains("note: src/mailer.py: 1 secret replaced"), "{}", ran.err);
    super::support::assert_same(&before, &place.listing());
    let written = place.ok(&["fetch", "src/ledger.py", "-o", "fetched.md"]);
    assert_eq!(written.out, "");
    assert!(written.err.contains("written to fetched.md"), "{}", written.err);
    assert!(place.read("fetched.md").contains("# file: src/ledger.py"));
}

#[test]
fn fetch_works_in_subdirectories_and_without_a_session() {
    let place = Place::repository();
    let ran = super::support::ran(place.teddy_in(&place.path("src")).args(["fetch", "ledger.py:1-1", "README.md"]));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("# file: src/ledger.py") && ran.out.contains("# file: README.md"), "{}", ran.out);
    assert!(!place.path(".teddy").exists());
    place.refused(&["fetch", "README.md", "--session", "x"], 1, &["no `.teddy/`"]);
}
