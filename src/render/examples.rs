//! Snapshots of payloads, and tests of `verify` after changes.

use std::sync::Arc;

use super::parse::parse;
use super::samples::{self, PLAIN, item};
use super::{Format, renderer, verify};
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::tokens::{DEFAULT, Tokenizer};
use crate::place::{Form, Override, Placement, Tier};

/// A placement with something in every tier.
fn mixed(corpus: &Corpus) -> Placement {
    let tiers = [
        ("src/payment.py", Tier::Raw, Form::Whole),
        ("CONTRIBUTING.md", Tier::Raw, Form::Whole),
        ("tests/test_payment.py", Tier::Raw, Form::Whole),
        ("memo:1", Tier::Raw, Form::Whole),
        ("memo:2", Tier::Raw, Form::Whole),
        ("src/order.py", Tier::Linked, Form::Link),
        ("README.md", Tier::Linked, Form::Link),
        ("src/mail.py", Tier::Summary, Form::Mention),
    ];
    let placed = tiers.into_iter().map(|(path, tier, form)| samples::placed(item(corpus, path), tier, form));
    samples::placement(placed.collect())
}

fn shop() -> (tempfile::TempDir, Arc<Corpus>) {
    let (dir, mut corpus) = samples::corpus(&PLAIN);
    samples::add_text(&mut corpus, ItemKind::Memo, "memo:1", "Use 'pnpm' for all package management.\n");
    samples::add_text(&mut corpus, ItemKind::Memo, "memo:2", "Every endpoint is documented.\n");
    (dir, Arc::new(corpus))
}

fn payload(format: Format, corpus: &Arc<Corpus>, task: &str, placement: &Placement) -> String {
    let scores = Arc::new(samples::scores(corpus));
    renderer(format, Arc::clone(corpus), scores, samples::meta(task, DEFAULT)).render(placement)
}

#[test]
fn a_hybrid_payload() {
    let (_dir, corpus) = shop();
    let task = "Add refund capability to the payment service\n\nRefunds may be partial.";
    insta::assert_snapshot!(payload(Format::Hybrid, &corpus, task, &mixed(&corpus)));
}

#[test]
fn an_xml_payload() {
    let (_dir, corpus) = shop();
    let task = "Add refund capability to the payment service\n\nRefunds may be partial & <late>.";
    insta::assert_snapshot!(payload(Format::Xml, &corpus, task, &mixed(&corpus)));
}

#[test]
fn an_invocation_payload() {
    let (dir, corpus) = shop();
    std::fs::create_dir_all(dir.path().join(".teddy/sessions/20260124-add-refunds/01")).unwrap();
    std::fs::write(dir.path().join(".teddy/memos.yaml"), "- Use 'pnpm' for all package management.\n").unwrap();
    insta::assert_snapshot!(payload(Format::Invocation, &corpus, "Add refunds", &mixed(&corpus)));
}

#[test]
fn a_prompt() {
    let (_dir, corpus) = shop();
    insta::assert_snapshot!(payload(Format::Prompt, &corpus, "Add refunds to the payment service", &mixed(&corpus)));
}

#[test]
fn a_prompt_has_the_instructions_of_its_task_type() {
    let (_dir, corpus) = shop();
    for task_type in crate::score::TaskType::ALL {
        let meta =
            super::PayloadMeta { task_type, templates: super::Templates::builtin(task_type), ..samples::plain_meta() };
        let renderer = renderer(Format::Prompt, Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), meta);
        let text = renderer.render(&mixed(&corpus));
        let terms =
            "### Acceptance Criteria\n\n- [ ] Partial refunds work\n\n### Constraints\n\n- No new dependencies\n\n";
        let end = text.split_once("---\n## Request\nAdd refund capability\n\n").unwrap().1;
        let instructions = end.strip_prefix(terms).unwrap();
        assert!(instructions.lines().next().unwrap().contains(&format!(" {} task, please", task_type.name())), "{end}");
        // The project has no build command.
        assert!(!end.contains("{{") && !end.contains("Build it"), "{end}");
    }
}

#[test]
fn an_unchanged_payload_is_fresh_even_in_a_transcript() {
    let (dir, corpus) = shop();
    let payload = payload(Format::Hybrid, &corpus, "Add refunds", &mixed(&corpus));
    let sources = verify(&payload, dir.path()).sources;
    assert_eq!(sources, 5);
    let wrapped = [
        payload.clone(),
        payload.trim_end().to_owned(),
        payload.replace('\n', "\r\n"),
        format!("\u{feff}{payload}"),
        format!("Me:\n```\nplease\n\n{payload}\n\nYou:\n```yaml\nPAYLOAD_ACK:\n```\n## RAW\n"),
    ];
    for text in wrapped {
        let verdict = verify(&text, dir.path());
        assert!(verdict.is_fresh() && verdict.sources == sources, "{verdict:?}\n{text}");
    }
}

#[test]
fn every_changed_byte_after_meta_is_detected() {
    let (dir, corpus) = shop();
    let payload = payload(Format::Hybrid, &corpus, "Add refunds", &mixed(&corpus));
    let after = payload.find("## SUMMARY").unwrap();
    for at in (after..payload.len() - 1)
        .step_by(7)
        .filter(|at| payload.is_char_boundary(*at) && payload.is_char_boundary(at + 1))
    {
        let other = if payload.as_bytes()[at] == b'x' { "y" } else { "x" };
        let changed = format!("{}{other}{}", &payload[..at], &payload[at + 1..]);
        assert!(!verify(&changed, dir.path()).damaged.is_empty(), "byte {at}");
    }
    let hash = &parse(&payload).unwrap().meta.raw_hash;
    let swapped = payload.replace(hash.as_str(), &"0".repeat(64));
    assert_eq!(verify(&swapped, dir.path()).damaged, ["the RAW section does not match its hash in META"]);
}

#[test]
fn changed_and_missing_files_are_named() {
    let (dir, corpus) = shop();
    let payload = payload(Format::Hybrid, &corpus, "Add refunds", &mixed(&corpus));
    std::fs::write(dir.path().join("src/order.py"), "class Order: ...\n").unwrap();
    std::fs::write(dir.path().join("src/payment.py"), "").unwrap();
    std::fs::remove_file(dir.path().join("README.md")).unwrap();
    let verdict = verify(&payload, dir.path());
    assert_eq!(verdict.damaged, Vec::<String>::new());
    assert_eq!(verdict.changed, ["src/payment.py", "src/order.py"]);
    assert_eq!(verdict.missing, ["README.md: deleted since the scan"]);
}

#[test]
fn a_missing_source_hash_is_reported() {
    for (format, line) in [(Format::Hybrid, "- `src/payment.py` "), (Format::Xml, "<file_hash path=\"src/payment.py\"")]
    {
        let (dir, corpus) = shop();
        let payload = payload(format, &corpus, "Add refunds", &mixed(&corpus));
        assert_eq!(verify(&payload, dir.path()).damaged, Vec::<String>::new());
        let kept: Vec<&str> = payload.split_inclusive('\n').filter(|other| !other.starts_with(line)).collect();
        let damaged = verify(&kept.concat(), dir.path()).damaged;
        assert!(
            damaged.iter().any(|line| line.contains("lists 6 sources, but 5 are inlined and 2 linked")),
            "{damaged:?}"
        );
    }
}

#[test]
fn verify_does_not_read_outside_the_project() {
    let (dir, corpus) = shop();
    let payload = payload(Format::Hybrid, &corpus, "Add refunds", &mixed(&corpus));
    for path in ["../outside", "/etc/passwd"] {
        let text = payload.replace("src/payment.py", path);
        assert_ne!(text, payload);
        assert!(verify(&text, dir.path()).damaged.iter().any(|line| line.contains("outside the project")), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn unusual_file_names_are_escaped_and_still_found() {
    let (dir, corpus) =
        samples::corpus(&[("a`b.rs", "//! One.\n"), ("new\nline.rs", "//! Two.\n"), ("x (1).rs", "//! Three.\n")]);
    let corpus = Arc::new(corpus);
    let placement = samples::all_raw(&corpus);
    let text = payload(Format::Hybrid, &corpus, "Fix", &placement);
    let paths: Vec<String> = parse(&text).unwrap().raw.into_iter().map(|block| block.path).collect();
    assert_eq!(paths, ["a`b.rs", "new␊line.rs", "x (1).rs"]);
    let verdict = verify(&text, dir.path());
    assert!(verdict.is_fresh() && verdict.sources == 3, "{verdict:?}");
}

#[test]
fn deleted_and_omitted_items_are_reported() {
    let (dir, corpus) = shop();
    std::fs::remove_file(dir.path().join("src/mail.py")).unwrap();
    let mut placement = mixed(&corpus);
    for placed in &mut placement.placed {
        if placed.item == item(&corpus, "src/mail.py") {
            placed.tier = Tier::Raw;
        }
        if placed.item == item(&corpus, "src/payment.py") {
            (placed.tier, placed.whole_tokens) = (Tier::Linked, Some(12_034));
        }
    }
    let text = payload(Format::Hybrid, &corpus, "Add refunds", &placement);
    assert!(text.contains("- Not included: `src/mail.py` (deleted since the scan)\n"), "{text}");
    assert!(
        text.contains("- 1 item scores 7 or more but did not fit: `src/payment.py` (12,034 tokens in full)\n"),
        "{text}"
    );
    let demoted = placement.placed.iter_mut().find(|placed| placed.whole_tokens.is_some()).unwrap();
    demoted.overridden = Some(Override::Link);
    // Decisions of a person need no explanation.
    assert!(!payload(Format::Hybrid, &corpus, "Add refunds", &placement).contains("did not fit"));
}

#[test]
fn an_estimate_is_rounded_once() {
    let (_dir, corpus) = shop();
    let meta = samples::meta("Add refunds", Tokenizer::Estimate);
    let renderer = renderer(Format::Hybrid, Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), meta);
    let placement = mixed(&corpus);
    assert_eq!(renderer.usage(&placement).total, renderer.render(&placement).chars().count().div_ceil(4));
}

#[test]
fn the_limit_is_that_of_the_placement() {
    let (_dir, corpus) = shop();
    let placement = Placement { limit: 25_000, ..mixed(&corpus) };
    let text = payload(Format::Hybrid, &corpus, "Add refunds", &placement);
    assert_eq!(parse(&text).unwrap().meta.limit, Some(25_000));
    let tight = Placement { limit: 200, ..mixed(&corpus) };
    let text = payload(Format::Invocation, &corpus, "Add refunds", &tight);
    assert!(text.contains("src/ (3 files)\n") || text.contains(" more)\n"), "{text}");
}
