//! Texts about the turn: phase, evidence, what changed, plan, handoff; advice on budgets; replay.

use teddy::tui::Entry;

use super::project::Shop;

fn second_turn(shop: &Shop) -> teddy::tui::driver::Driver {
    let mut screen = shop.workbench((120, 40));
    screen.keys("w q").unwrap();
    drop(screen);
    let handoff = r#"{"phase": 1, "goal": "Refunds", "decisions_made": ["Round half up"]}"#;
    let files = [("plan.md", "Do the rounding.\n"), ("report.md", "It is done.\n"), ("handoff.json", handoff)];
    for (name, text) in files {
        std::fs::write(shop.session().join("01").join(name), text).unwrap();
    }
    let ledger = std::fs::read_to_string(shop.root().join("src/pay/ledger.rs")).unwrap();
    shop.write("src/pay/ledger.rs", &ledger.replace("oldest first", "newest first"));
    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    shop.drive(Some(Entry::Resume(name)), (120, 60))
}

#[test]
fn the_turn_tells_its_phase_what_changed_the_plan_and_the_handoff() {
    let shop = Shop::with_teddy();
    let mut screen = second_turn(&shop);
    screen.keys("i").unwrap();
    let text = screen.text();
    for part in ["Phase", "Evidence", "changed src/pay/ledger.rs", "Do the rounding.", "It is done.", "Round half up"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    screen.keys("G esc").unwrap();
    assert!(screen.text().contains("Items"), "{}", screen.text());
}

#[test]
fn the_first_turn_has_nothing_before_it() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((80, 24));
    screen.keys("i").unwrap();
    assert!(screen.text().contains("This is the first turn"), "{}", screen.text());
}

#[test]
fn budgets_and_the_replay_are_told_once_there_is_a_payload() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((100, 30));
    screen.keys("&").unwrap();
    assert!(screen.text().contains("no payload yet"), "{}", screen.text());
    screen.keys("A").unwrap();
    assert!(screen.text().contains("no payload yet"), "{}", screen.text());
    screen.keys("w &").unwrap();
    assert!(screen.text().contains("byte for byte"), "{}", screen.text());
    screen.keys("esc B").unwrap();
    assert!(screen.text().contains("Budgets so far") && screen.text().contains("payload"), "{}", screen.text());
    shop.write("src/pay/refund.rs", "pub fn refund() {}\n");
    screen.keys("esc &").unwrap();
    assert!(screen.text().contains("changed: src/pay/refund.rs"), "{}", screen.text());
}

#[test]
fn the_commands_of_a_turn_are_in_the_palette() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    for name in ["turn", "advice", "replay", "fetch", "answer", "acknowledge"] {
        screen.keys(&format!(": <{name}>")).unwrap();
        assert!(screen.text().lines().any(|line| line.contains(&format!("▌{name} "))), "{name}: {}", screen.text());
        screen.keys("esc").unwrap();
    }
}
