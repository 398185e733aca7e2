//! Tests of the screen during a scan: rows arrive, keys work or wait, and Esc cancels.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::{Shop, TASK};

fn open_and_press(shop: &Shop, keys: &str) -> Driver {
    let entry = Some(OpenTarget::Plan(TASK.to_owned()));
    Driver::open_and_press(shop.desk(), entry, "ansi", (120, 40), Some(keys)).unwrap()
}

#[test]
fn files_appear_as_they_are_read_best_matches_first() {
    let shop = Shop::with_teddy();
    let frames = Driver::frames_of_the_scan(shop.desk(), OpenTarget::Plan(TASK.to_owned()), (120, 40)).unwrap();
    assert!(frames[0].contains("Scanning the project"), "before anything is read:\n{}", frames[0]);
    let rows = frames.iter().rfind(|frame| frame.contains("so far") && frame.contains("ledger.rs  src/pay")).unwrap();
    assert!(rows.contains("so far") && rows.contains("quick order by words") && rows.contains("20 lines"), "{rows}");
    let first = rows.lines().find(|line| line.contains("100%")).unwrap();
    assert!(first.contains("refund.rs  src/pay"), "what the task is about comes first:\n{rows}");
    assert!(!frames.last().unwrap().contains("quick order"), "{}", frames.last().unwrap());
}

#[test]
fn the_cursor_and_the_filter_stay_when_the_scores_arrive() {
    let shop = Shop::with_teddy();
    let mut screen = open_and_press(&shop, "/ <stock> enter j");
    let text = screen.text();
    let under = text.lines().find(|line| line.contains('▌')).unwrap();
    assert!(under.contains("stock.rs  src"), "{text}");
    assert!(text.contains("/stock") && text.contains("╭ 2 of "), "{text}");
}

#[test]
fn overrides_made_during_a_scan_apply_after_scoring() {
    let shop = Shop::with_teddy();
    let mut screen = open_and_press(&shop, "/ <stock.rs> enter p / ctrl-u <money> enter x u esc");
    let kept = shop.turn_yaml();
    assert!(kept.contains("ruling: pin") && kept.contains("- src/stock.rs"), "{kept}");
    assert!(!kept.contains("exclude") && !kept.contains("undone:"), "what was taken back before is no step: {kept}");
    assert!(screen.text().contains("Pinned src/stock.rs (+"), "{}", screen.text());
    screen.keys("u").unwrap();
    assert!(screen.text().contains("Undid: pin src/stock.rs"), "{}", screen.text());
}

#[test]
fn keys_that_need_scores_wait_in_order() {
    let shop = Shop::with_teddy();
    let mut screen = open_and_press(&shop, "s T t < and q is no key here> tab");
    let text = screen.text();
    assert!(text.contains("and q is no key here") && !screen.has_left(), "{text}");
    screen.keys("esc").unwrap();
    assert!(screen.text().contains("tree"), "{}", screen.text());
    assert!(shop.turn_yaml().contains("and q is no key here"), "{}", shop.turn_yaml());
}

#[test]
fn quitting_does_not_wait_for_the_scan() {
    let shop = Shop::with_teddy();
    let screen = open_and_press(&shop, "s q");
    assert!(screen.has_left());
    assert_eq!(shop.sessions(), 0, "nothing was made");
}

#[test]
fn esc_cancels_the_scan_and_leaves_nothing_behind() {
    let shop = Shop::with_teddy();
    let mut screen = open_and_press(&shop, "/ <stock> enter p esc esc");
    let text = screen.text();
    assert!(text.contains("Scan cancelled after") && text.contains("R rescans"), "{text}");
    assert!(text.contains("Scan cancelled; nothing was saved") && !text.contains("ledger.rs"), "{text}");
    assert_eq!(shop.sessions(), 0, "nothing was made");
    screen.keys("R").unwrap();
    let text = screen.text();
    assert!(text.contains("P RAW") && text.contains("src/pay/ledger.rs"), "{text}");
    assert_eq!(shop.sessions(), 1);
}

#[test]
fn a_rescan_can_be_cancelled() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    shop.write("src/fees.rs", "pub fn fee() {}\n");
    std::fs::write(shop.session().join("01/turn.context"), "docs/stock.md\n").unwrap();
    screen.press_during_scan("esc");
    screen.keys("R").unwrap();
    let text = screen.text();
    assert!(text.contains("the list is from the previous scan") && !text.contains("fees.rs"), "{text}");
    screen.keys("R / <docs> enter").unwrap();
    let text = screen.text();
    // The list from the first attempt is kept.
    assert!(text.lines().any(|line| line.contains("P RAW") && line.contains("stock.md  docs")), "{text}");
}
