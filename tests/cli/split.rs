//! Tests of `--split`: parts within their limit that join to the whole payload.

use teddy::gather::tokens::DEFAULT;

use super::answer::piped;
use super::support::{Place, TASK};

/// A repository with files that exceed a part of a thousand tokens.
fn large() -> Place {
    let place = Place::repository();
    let body = |name: &str| {
        format!(
            "\"\"\"Refunds.\"\"\"\n\n{}",
            format!("def refund_{name}(payment):\n    return payment\n\n\n").repeat(60)
        )
    };
    place.write("src/refund.py", &body("whole"));
    place.write("src/partial_refund.py", &body("part"));
    place
}

#[test]
fn parts_are_written_next_to_each_other_within_their_limit() {
    let place = large();
    let ran = place.ok(&["plan", TASK, "--split", "1k", "-o", "out.md"]);
    let of = ran.err.lines().filter(|line| line.starts_with("written to out.")).count();
    assert!(of >= 3, "{}", ran.err);
    let names: Vec<String> = (1..=of).map(|number| format!("out.{number}of{of}.md")).collect();
    for (number, name) in names.iter().enumerate() {
        let text = place.read(name);
        let tokens = DEFAULT.count(&text);
        assert!(tokens <= 1_000, "{name}: {tokens}");
        assert!(text.starts_with(&format!("[Part {} of {of} of one payload.", number + 1)), "{text}");
        let shown = teddy::text::thousands(tokens);
        assert!(ran.err.contains(&format!("written to {name}: {shown} tokens\n")), "{}", ran.err);
    }
    assert!(!place.path("out.md").exists());
    // The turn stores the whole payload, and the parts join to it.
    let parts: Vec<String> = names.iter().map(|name| place.read(name)).collect();
    assert_eq!(teddy::render::split::join(&parts).unwrap(), place.read_session("01/payload.md"));
    let all: Vec<&str> = std::iter::once("verify").chain(names.iter().map(String::as_str)).collect();
    assert!(place.ok(&all).out.contains("is intact"));
    place.refused(&all[..of], 2, &["not all parts of one payload", "pass every part"]);
    // A pipe receives all parts in order.
    let all = place.ok(&["resume", "--split", "1k", "--stdout"]).out;
    let verified = piped(&place, &["verify", "-"], all.as_bytes());
    assert!(verified.out.contains("standard input is intact"), "{verified:?}");
    let cut = piped(&place, &["verify", "-"], &all.as_bytes()[..all.len() / 2]);
    assert_eq!(cut.code, 2, "{cut:?}");
}

#[test]
fn parts_left_over_from_an_earlier_payload_are_reported() {
    let place = large();
    place.write("out.9of9.md", "older\n");
    place.write("out.draft.md", "mine\n");
    let ran = place.ok(&["plan", TASK, "--split", "1k", "-o", "out.md"]);
    assert!(ran.err.contains("note: out.9of9.md is left over from an earlier payload\n"), "{}", ran.err);
    assert!(!ran.err.contains("out.draft.md"), "{}", ran.err);
    assert_eq!(place.read("out.9of9.md"), "older\n");
}

#[test]
fn a_payload_that_fits_is_not_split() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--split", "50k", "-o", "out.md"]);
    assert_eq!(place.read("out.md"), place.read_session("01/payload.md"));
}

#[test]
fn a_pipe_receives_every_part_also_by_configuration() {
    let place = large();
    place.write(".teddy/config.yaml", "split: 1000\n");
    let out = place.ok(&["plan", TASK]).out;
    let parts = out.lines().filter(|line| line.starts_with("[Part ")).count();
    assert!(parts >= 2, "{out}");
    place.write(".teddy/config.yaml", "split: 10\n");
    place.refused(&["plan", TASK], 2, &["config.yaml:1", "1000"]);
}

#[test]
fn an_impossible_split_is_rejected_before_writing() {
    let place = large();
    place.refused(&["plan", TASK, "--split", "10"], 2, &["parts of 10 tokens are too small", "at least 1,000"]);
    place.refused(&["plan", TASK, "--split", "many"], 2, &["many"]);
}

#[test]
fn copying_in_parts_needs_a_terminal() {
    let place = large();
    let ran = place.run(&["plan", TASK, "--split", "1k", "--copy"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("copying them one by one needs a terminal") && ran.err.contains("-o FILE"), "{ran:?}");
}

#[test]
fn a_dry_run_names_the_files_of_a_split() {
    let place = large();
    let ran = place.ok(&["plan", TASK, "--split", "1k", "-o", "out.md", "--dry-run"]);
    assert!(ran.err.contains("dry run: would write out.1of"), "{}", ran.err);
    let made = std::fs::read_dir(place.root()).unwrap().flatten().map(|entry| entry.file_name());
    assert_eq!(made.filter(|name| name.to_string_lossy().starts_with("out.")).count(), 0);
}
