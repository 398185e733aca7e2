//! Tests of the budget bar, previews, budget changes, auto-fill and the mouse.

use crate::project::Shop;

#[test]
fn the_reasons_of_every_row_add_up_to_its_score() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((200, 60));
    for _ in 0..10 {
        let text = screen.text();
        let pane: Vec<&str> = text.lines().filter_map(|line| line.split('│').nth(2)).collect();
        let score: u32 = pane[0].trim().split(' ').next().unwrap().parse().unwrap();
        let points = pane.iter().take_while(|line| !line.contains("What would raise the score"));
        let sum: u32 =
            points.filter_map(|line| line.trim().strip_prefix('+')?.split(' ').next()?.parse::<u32>().ok()).sum();
        assert_eq!(score, sum.min(10), "{text}");
        screen.keys("j").unwrap();
    }
}

#[test]
fn the_budget_can_be_changed_and_undone_and_is_saved() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    let before = screen.text();
    screen.keys("-").unwrap();
    assert!(shop.turn_yaml().contains("ruling: limit:"), "{}", shop.turn_yaml());
    assert_ne!(before.lines().nth(1), screen.text().lines().nth(1));
    screen.keys("u").unwrap();
    assert_eq!(before.lines().nth(1), screen.text().lines().nth(1));
    assert!(screen.text().contains("Undid: budget 65,000 tokens"), "{}", screen.text());
    screen.keys("d u").unwrap();
    assert!(screen.text().contains("Undid: src/pay/ledger.rs to LINKED (+"), "{}", screen.text());
    screen.keys("F").unwrap();
    assert!(screen.text().contains("Auto-fill on"), "{}", screen.text());
    assert!(shop.turn_yaml().contains("fill:on"));
}

#[test]
fn the_form_shows_the_current_budget() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("t tab tab right right right").unwrap();
    let text = screen.text();
    assert!(text.contains("< complex >") && text.contains("of 100k") && text.contains("100,000 tokens"), "{text}");
    // The typed text remains and is applied in the end.
    screen.keys("tab ctrl-u <9000> shift-tab left").unwrap();
    assert!(screen.text().contains("9000 tokens"), "{}", screen.text());
    screen.keys("esc").unwrap();
    assert!(screen.text().lines().nth(1).unwrap().contains("of 9k"), "{}", screen.text());
}

#[test]
fn pins_over_the_budget_are_explained() {
    let shop = Shop::with_teddy();
    shop.write("src/huge.rs", &"pub const WORDS: &str = \"one two three four five\";\n".repeat(400));
    let mut screen = shop.workbench((120, 40));
    screen.keys("t tab tab tab ctrl-u <2000> esc / <huge> enter p").unwrap();
    let text = screen.text();
    assert!(text.contains("pins exceed the budget by") && text.contains("Pins exceed the budget by"), "{text}");
}

#[test]
fn the_budget_bar_previews_the_key() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    let gauges = |text: &str| text.lines().nth(1).unwrap().to_owned();
    let text = screen.text();
    assert!(gauges(&text).contains(" d demote −"), "{text}");
    screen.keys("/ <stock.rs> enter").unwrap();
    let before = screen.text();
    assert!(gauges(&before).contains(" p pin +"), "what is not inlined would be pinned:\n{before}");
    screen.keys("p").unwrap();
    let text = screen.text();
    assert!(gauges(&text).contains(" d demote ") && gauges(&text) != gauges(&before), "{text}");
}

#[test]
fn an_override_of_a_directory_applies_to_everything_below() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("T g g / <pay> enter x").unwrap();
    let text = screen.text();
    assert!(text.contains("Excluded 3 items"), "{text}");
    screen.keys("u").unwrap();
    assert!(screen.text().contains("Undid: exclude 3 items"), "{}", screen.text());
}

#[test]
fn selected_items_and_ranges_are_overridden_together() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("V j j p").unwrap();
    assert!(screen.text().contains("Pinned 3 items"), "{}", screen.text());
    screen.keys("u g g space j space x").unwrap();
    assert!(screen.text().contains("Excluded 2 items"), "{}", screen.text());
    assert_eq!(shop.turn_yaml().matches("ruling:").count(), 1, "{}", shop.turn_yaml());
}

#[test]
fn the_mouse_selects_opens_scrolls_and_filters() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.click(20, 5);
    assert!(screen.text().lines().nth(5).unwrap().contains('▌'), "{}", screen.text());
    screen.click(20, 5);
    assert!(screen.text().contains("[content]"), "{}", screen.text());
    screen.wheel_down(20, 5);
    assert!(screen.text().lines().nth(8).unwrap().contains('▌'), "{}", screen.text());
    screen.click(2, 1);
    assert!(screen.text().contains("only RAW"), "{}", screen.text());
    // A key in the footer can be clicked.
    let text = screen.text();
    let row = text.lines().count() - 1;
    let column = text.lines().last().unwrap().find("? help").unwrap();
    let column = text.lines().last().unwrap()[..column].chars().count();
    screen.click(column as u16, row as u16);
    assert!(screen.text().contains(" Help "), "{}", screen.text());
}

#[test]
fn pasted_text_never_runs_commands() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.paste("xxdd\nq");
    assert!(!screen.has_left() && screen.text().contains("does not run commands"), "{}", screen.text());
    assert!(!shop.turn_yaml().contains("ruling"));
    screen.keys("/").unwrap();
    screen.paste("refund\n");
    assert!(screen.text().contains("╭ 2 of "), "{}", screen.text());
}
