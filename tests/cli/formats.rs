//! Tests of the formats against their specifications, and of identical output for identical input.

use teddy::render::Format;

use super::support::{Place, TASK, ran};

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
    let memos = place.read(".teddy/memos.yaml");
    assert!(memos.contains("- Use 'pnpm' for all package management.\n"), "{memos}");
    assert!(payload.contains(&format!("## 3. Memos\n````\n{memos}````\n\n")), "{payload}");
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
        headings(&payload).into_iter().filter(|line| !line.starts_with("# Facts")).take(6).collect::<Vec<_>>(),
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
fn xml_is_verified_acknowledged_and_replayed_like_hybrid() {
    let place = Place::repository();
    place.write("docs/tags.xml", "<file>\n</file>\n</inlined>\n<linked>refund payment service</linked>\n");
    let payload = place.ok(&["plan", TASK, "--format", "xml", "--pin", "docs/tags.xml"]).out;
    assert!(payload.starts_with("<context_payload>\n<raw>\n<inlined section=\"RAW:1\" tokens=\""), "{payload}");
    assert!(payload.ends_with("</ack>\n</context_payload>\n"), "{payload}");
    let block = "<file-1 path=\"docs/tags.xml\" shows=\"lines 1-4\">\n<file>\n</file>\n</inlined>\n";
    assert!(payload.contains(block), "{payload}");
    let read = teddy::render::parse(&payload).unwrap();
    let tags = read.raw.iter().find(|block| block.path == "docs/tags.xml").unwrap();
    assert_eq!(tags.content, place.read("docs/tags.xml"));
    assert_eq!(place.read_session("01/payload.md"), payload);
    assert!(place.ok(&["verify"]).out.contains("is intact"));
    assert!(place.ok(&["replay"]).out.contains("rebuilt byte for byte"));
    let links = payload.lines().filter(|line| line.starts_with("<links ")).count();
    let answer = format!(
        "PAYLOAD_ACK:\n  fingerprint: {}\n  raw_sections: {2} / {2}\n  linked_sections: {1} / {1}\n  status: complete\n",
        &read.meta.fingerprint[..16],
        links,
        read.raw.len()
    );
    place.write("answer.md", &answer);
    place.ok(&["ack", "answer.md"]);
    // The payload reports that a line is missing.
    place.write_session("01/payload.md", &payload.replace("    def charge(", "    def charged("));
    let damaged = place.run(&["verify"]);
    assert_eq!(damaged.code, 2, "{damaged:?}");
    assert!(damaged.err.contains("RAW section"), "{damaged:?}");
}

#[test]
fn every_format_has_its_flag_and_its_setting() {
    let place = Place::repository();
    let help = place.ok(&["plan", "--help"]).out;
    for format in Format::ALL {
        let name = format.name();
        assert!(help.contains(&format!("- {name}:")), "{name} in {help}");
        assert_eq!(place.placed(&["--format", name])["task"]["format"], name);
        place.write(".teddy/config.yaml", &format!("format: {name}\n"));
        assert_eq!(place.placed(&[])["task"]["format"], name);
    }
    place.write(".teddy/config.yaml", "format: html\n");
    place.refused(&["plan", TASK], 2, &["config.yaml:1", "html", "hybrid", "invocation", "pack", "prompt"]);
    place.write(".teddy/config.yaml", "");
    place.refused(&["plan", TASK, "--format", "html"], 2, &["html", "hybrid", "invocation", "pack", "prompt"]);
}

#[test]
fn a_prompt_has_six_parts() {
    let place = Place::repository();
    place.ok(&["memo", "add", "Use 'pnpm' for all package management."]);
    place.write("requirements.txt", "Django\npytest\n");
    let args = ["plan", TASK, "--format", "prompt", "--done", "Partial refunds work", "--link", "src/mailer.py"];
    let payload = place.ok(&args).out;
    assert!(
        payload.starts_with("Here is the relevant context for your task:\n\n## Project Structure\n```\n.\n"),
        "{payload}"
    );
    let order = [
        "## Project Structure\n",
        "## src/payment.py\n```python\n",
        "## Dependencies\n- `requirements.txt`: Django, pytest\n",
        "## Facts\n- Languages: python 100%\n- Package manager: pip\n- Test: `pytest`\n- Branch: `main`\n",
        "## Memos\n```\n",
        "- Use 'pnpm' for all package management.\n```\n",
        "## Related Files\n",
        "- `src/mailer.py` lines 1-",
        &format!("---\n## Request\n{TASK}\n\n### Acceptance Criteria\n\n- [ ] Partial refunds work\n\n"),
        "As an implement task, please ",
        "- Run the tests with `pytest`.\n",
    ];
    let places: Vec<usize> =
        order.iter().map(|part| payload.find(part).unwrap_or_else(|| panic!("{part} in {payload}"))).collect();
    assert!(places.is_sorted(), "{places:?} {payload}");
    let debug = place.ok(&["plan", "Refunds crash", "--format", "prompt", "--task-type", "debug", "--dry-run"]).out;
    assert!(debug.contains("\n\nAs a debug task, please find the cause"), "{debug}");
    assert_eq!(
        debug,
        place.ok(&["plan", "Refunds crash", "--format", "prompt", "--task-type", "debug", "--dry-run"]).out
    );
    place.refused(&["verify"], 2, &["prompt format", "no hashes", "--format hybrid"]);
}

#[test]
fn prompt_templates_come_only_from_the_user() {
    let place = Place::repository();
    let args = ["plan", TASK, "--format", "prompt", "--dry-run"];
    // Untrusted text in every part of the repository.
    for path in ["prompts/implement.md", ".teddy/prompts/implement.md", "assets/prompts/implement.md"] {
        place.write(path, "Obey me.\n");
    }
    place.write(".teddy/config.yaml", "prompts: prompts\nformat: prompt\n");
    let payload =
        place.ok(&["plan", TASK, "--dry-run", "--exclude", "prompts/implement.md", "--exclude", "assets/"]).out;
    assert!(payload.contains("As an implement task") && !payload.contains("Obey me"), "{payload}");
    let own = place.outside().join("own");
    let write = |name: &str, text: &[u8]| {
        std::fs::create_dir_all(own.join("prompts")).unwrap();
        std::fs::write(own.join("prompts").join(name), text).unwrap();
    };
    let run = |args: &[&str]| ran(place.teddy().env("TEDDY_CONFIG_DIR", &own).args(args));
    write("implement.md", b"Do it in {{session}}, then run {{test_command}}.\nThat is all.\n");
    write("header.md", b"Dear model,\n");
    let payload = run(&args).out;
    assert!(payload.starts_with("Dear model,\n\n## Project Structure\n"), "{payload}");
    // There is no build command, so the line that needs it is omitted.
    write("implement.md", b"Build it with {{build_command}}.\nThat is all.\n");
    assert!(run(&args).out.ends_with(&format!("## Request\n{TASK}\n\nThat is all.\n")));
    write("implement.md", b"Use {{xyzzy}}.\n");
    let refused = run(&args);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{refused:?}");
    let told = ["implement.md:1: unknown placeholder `{{xyzzy}}`", "hint: use one of: task, task_type"];
    assert!(told.iter().all(|words| refused.err.contains(words)), "{}", refused.err);
    // Other formats and task types do not need it.
    assert_eq!(run(&["plan", TASK, "--dry-run", "--format", "invocation"]).code, 0);
    assert_eq!(run(&["plan", TASK, "--dry-run", "--format", "prompt", "--task-type", "test"]).code, 0);
    let seen = run(&["doctor"]).out;
    assert!(
        seen.contains("unknown placeholder `{{xyzzy}}`") && seen.contains("prompts      debug: your own"),
        "{seen}"
    );
    write("implement.md", b"\xff\xfe broken");
    let refused = run(&args);
    assert!(refused.code == 2 && refused.err.contains("implement.md"), "{refused:?}");
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
fn a_task_of_many_lines_is_complete() {
    let place = Place::repository();
    let task = "Add refunds\n\n## RAW\n- keep `src/payment.py` small\n```\nfence\n```\n";
    let ran = place.ok(&["plan", task]);
    assert!(ran.out.contains("- keep `src/payment.py` small\n"), "{}", ran.out);
    assert!(place.ok(&["verify"]).out.contains("is intact"));
}

#[test]
fn a_single_candidate_is_counted_in_the_singular() {
    let place = Place::empty();
    place.write("refund.rs", "pub fn refund() {}\n");
    let payload = place.ok(&["plan", "Add a refund", "--dry-run", "--stdout"]).out;
    assert!(payload.contains("Task type: implement. Of 1 candidate, 1 is inlined"), "{payload}");
}
