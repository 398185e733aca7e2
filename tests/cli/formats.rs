//! The two formats as their specifications lay them out, and the same bytes for the same input.

use super::support::{Place, TASK};

fn headings(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("# ") || line.starts_with("## ")).collect()
}

#[test]
fn invocation_has_five_numbered_sections() {
    let place = Place::repository();
    place.ok(&["memo", "add", "Use 'pnpm' for all package management."]);
    place.write("src/payment.py", "def refund():\n    return \"````\"\n");
    let payload = place.ok(&["plan", TASK, "--format", "invocation", "--exclude", "docs/", "--exclude", "tests/"]).out;
    let cwd = place.root().display();
    let expected = format!("# Agent Invocation Payload\n\n## 1. System Information\n- **CWD:** {cwd}\n- **OS:** ");
    assert!(payload.starts_with(&expected), "{payload}");
    assert!(payload.contains("\n- **Shell:** /bin/sh\n\n## 2. Project Structure\n````\n.\n├── .teddy/\n"), "{payload}");
    assert!(payload.contains("│   └── sessions/\n") && payload.contains("└── src/\n    ├── ledger.py\n"), "{payload}");
    assert!(payload.contains("## 3. Memos\n````\n- Use 'pnpm' for all package management.\n````\n\n"), "{payload}");
    let context = place.read_session("01/turn.context");
    let listed: Vec<String> =
        context.lines().filter(|line| !line.starts_with('#')).map(|line| format!("- {line}\n")).collect();
    assert!(!listed.is_empty());
    assert!(payload.contains(&format!("## 4. Active Context\n````\n{}````\n\n", listed.concat())), "{payload}");
    assert!(payload.contains("## 5. File Contents\n\n---\n**File:** `["), "{payload}");
    let file =
        "---\n**File:** `[src/payment.py](/src/payment.py)`\n`````python\ndef refund():\n    return \"````\"\n`````\n";
    assert!(payload.contains(file), "{payload}");
    assert_eq!(
        headings(&payload)[..6],
        [
            "# Agent Invocation Payload",
            "## 1. System Information",
            "## 2. Project Structure",
            "## 3. Memos",
            "## 4. Active Context",
            "## 5. File Contents"
        ]
    );
}

#[test]
fn hybrid_has_six_sections_and_seven_lines_of_meta() {
    let place = Place::repository();
    let payload = place.ok(&["plan", TASK]).out;
    assert_eq!(
        headings(&payload)
            .into_iter()
            .filter(|line| !line.starts_with("# file") && !line.starts_with("# item"))
            .take(7)
            .collect::<Vec<_>>(),
        [
            &format!("# Context Payload: {TASK}")[..],
            "## META",
            "## SUMMARY",
            "## RAW",
            "## LINKED",
            "## Context Fingerprint",
            "## ACK"
        ]
    );
    let meta: Vec<&str> = payload.lines().skip_while(|line| *line != "## META").skip(1).take(7).collect();
    for (line, start) in meta.iter().zip([
        "- **Task:** Add refund",
        "- **Complexity:** ",
        "- **Budget:** ",
        "- **Items:** RAW: ",
        "- **Generated:** 2026-01-24T10:30:00Z",
        "- **Fingerprint:** ",
        "- **Section Hashes:** RAW: ",
    ]) {
        assert!(line.starts_with(start), "{line} is not {start}");
    }
    assert!(payload.contains("# file: src/payment.py (lines 1-16)\n"), "{payload}");
    assert!(payload.contains("\n### Payload Map\n\n| Tier | Section | ~Tokens | Why Included |\n"), "{payload}");
    assert!(payload.contains("PAYLOAD_ACK:"), "{payload}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (one, two) = (Place::repository(), Place::repository());
    for more in [&[][..], &["--fill", "--pin", "docs/"], &["--budget", "1200"], &["--tokenizer", "estimate"]] {
        let args = [&["plan", TASK], more].concat();
        assert_eq!(one.ok(&args).out, two.ok(&args).out, "{more:?}");
    }
    assert_eq!(one.read_session("01/turn.yaml"), two.read_session("01/turn.yaml"));
    assert_eq!(one.read_session("01/checkpoint.json"), two.read_session("01/checkpoint.json"));
    assert_eq!(one.ok(&["plan", TASK, "--dry-run"]).out, one.ok(&["plan", TASK, "--dry-run"]).out);
}

#[test]
fn the_task_is_there_whole_when_it_has_many_lines() {
    let place = Place::repository();
    let task = "Add refunds\n\n## RAW\n- keep `src/payment.py` small\n```\nfence\n```\n";
    let ran = place.ok(&["plan", task]);
    assert!(ran.out.contains("- keep `src/payment.py` small\n"), "{}", ran.out);
    assert!(place.ok(&["verify"]).out.contains("is whole"));
}
