//! Tests of reports on the turn: phase, evidence, changes, answer, handoff, budget statistics, replay.

use teddy::app::backend::OpenTarget;

use super::project::Shop;
#[cfg(unix)]
use super::project::clipboard;

fn second_turn(shop: &Shop) -> teddy::tui::driver::Driver {
    let mut screen = shop.workbench((120, 40));
    screen.keys("w q").unwrap();
    drop(screen);
    let handoff = r#"{"phase": 1, "goal": "Refunds", "decisions_made": ["Round half up"]}"#;
    let files =
        [("plan.md", "# Plan\n\nDo the rounding.\n"), ("report.md", "It is done.\n"), ("handoff.json", handoff)];
    for (name, text) in files {
        std::fs::write(shop.session().join("01").join(name), text).unwrap();
    }
    let ledger = std::fs::read_to_string(shop.root().join("src/pay/ledger.rs")).unwrap();
    shop.write("src/pay/ledger.rs", &ledger.replace("oldest first", "newest first"));
    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    shop.drive(Some(OpenTarget::Resume(name)), (120, 60))
}

#[test]
fn the_turn_page_shows_phase_changes_answer_and_handoff() {
    let shop = Shop::with_teddy();
    let mut screen = second_turn(&shop);
    screen.keys("i").unwrap();
    let text = screen.text();
    for part in ["Phase", "Evidence", "changed src/pay/ledger.rs", "Do the rounding.", "It is done.", "Round half up"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A heading in the answer is not a heading of the overlay.
    assert!(text.contains("  # Plan"), "{text}");
    screen.keys("G esc").unwrap();
    assert!(screen.text().contains(" items "), "{}", screen.text());
}

#[test]
fn the_page_of_the_first_turn_has_no_previous_turn() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((80, 24));
    screen.keys("i").unwrap();
    assert!(screen.text().contains("This is the first turn"), "{}", screen.text());
}

#[test]
fn budget_statistics_and_replay_need_a_payload() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((100, 30));
    screen.keys("&").unwrap();
    assert!(screen.text().contains("no payload yet"), "{}", screen.text());
    screen.keys("A").unwrap();
    assert!(screen.text().contains("no payload yet"), "{}", screen.text());
    screen.keys("w &").unwrap();
    assert!(screen.text().contains("byte for byte"), "{}", screen.text());
    screen.keys("esc B").unwrap();
    assert!(
        screen.text().contains("Budget statistics") && screen.text().contains("payload, no phase: 1 budget"),
        "{}",
        screen.text()
    );
    shop.write("src/pay/refund.rs", "pub fn refund() {}\n");
    screen.keys("esc &").unwrap();
    assert!(screen.text().contains("changed: src/pay/refund.rs"), "{}", screen.text());
}

#[test]
fn the_commands_of_a_turn_are_in_the_palette() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    for (name, title) in [
        ("turn", "Show turn"),
        ("stats", "Show budget statistics"),
        ("replay", "Check reproducibility"),
        ("fetch", "Copy the item"),
        ("answer", "Save clipboard as the model's answer"),
        ("acknowledge", "Check the acknowledgement"),
    ] {
        screen.keys(&format!(": <{name}>")).unwrap();
        assert!(screen.text().lines().any(|line| line.contains(&format!("▌{title}"))), "{name}: {}", screen.text());
        screen.keys("esc").unwrap();
    }
}

#[cfg(unix)]
#[test]
fn fetching_acknowledging_and_answering_go_through_the_clipboard() {
    let shop = Shop::with_teddy();
    let directory = tempfile::tempdir().unwrap();
    let held = directory.path().join("held");
    let mut screen = shop.drive_with(clipboard(directory.path()), (140, 40));
    screen.keys("/ <refund.rs> enter f").unwrap();
    let fetched = std::fs::read_to_string(&held).unwrap();
    assert!(fetched.starts_with("## RAW") && fetched.contains("src/pay/refund.rs"), "{fetched}");
    screen.keys("w").unwrap();
    let payload = std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    let read = teddy::render::parse(&payload).unwrap();
    let mut groups: Vec<&str> = read.linked.iter().map(|link| link.label.as_str()).collect();
    groups.dedup();
    let ack = |status: &str, missing: &str| {
        format!(
            "PAYLOAD_ACK:\n  fingerprint: {}\n  raw_sections: {} / {}\n  linked_sections: {} / {}\n  status: {status}\n  missing: [{missing}]\n",
            &read.meta.fingerprint[..16],
            read.raw.len(),
            read.raw.len(),
            groups.len(),
            groups.len()
        )
    };
    std::fs::write(&held, ack("partial", "RAW:task")).unwrap();
    screen.keys("C").unwrap();
    assert!(screen.text().contains("RAW:task"), "{}", screen.text());
    assert!(!shop.session().join("01/ack.json").exists());
    std::fs::write(&held, ack("complete", "")).unwrap();
    screen.keys("C").unwrap();
    assert!(screen.text().contains("is acknowledged"), "{}", screen.text());
    assert!(shop.session().join("01/ack.json").exists());
    // If the answer was not copied, the clipboard still has the payload.
    std::fs::write(&held, &payload).unwrap();
    screen.keys("A").unwrap();
    assert!(screen.text().contains("this is a payload, not the answer; nothing was saved"), "{}", screen.text());
    std::fs::write(&held, "1. Round half up.\n").unwrap();
    screen.keys("A").unwrap();
    assert!(screen.text().contains("What next?"), "{}", screen.text());
    assert_eq!(std::fs::read_to_string(shop.session().join("01/plan.md")).unwrap(), "1. Round half up.\n");
}
