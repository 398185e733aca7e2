//! Tests of small steps: the next match, memos, commits for another task.

use teddy::app::backend::{Backend, Reply, Request};
use teddy::gather::progress::NoObserver;

use crate::project::Shop;

fn under(text: &str) -> String {
    text.lines().find(|line| line.contains('▌')).unwrap_or_default().to_owned()
}

#[test]
fn matches_are_stepped_through_also_in_the_whole_list() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("n").unwrap();
    assert!(screen.text().contains("No filter yet"), "{}", screen.text());
    screen.keys("/ <stock> enter esc g g n").unwrap();
    let text = screen.text();
    assert!(text.contains(" 13 items ") && under(&text).contains("stock"), "{text}");
    let first = under(&text);
    screen.keys("n").unwrap();
    let second = under(&screen.text());
    assert!(second.contains("stock") && second != first, "{second}");
    screen.keys("n").unwrap();
    assert_eq!(under(&screen.text()), first, "around the end");
    screen.keys("N").unwrap();
    assert_eq!(under(&screen.text()), second);
}

#[test]
fn a_memo_affects_the_payload_immediately() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("m a <Amounts are cents> enter esc v").unwrap();
    screen.keys("esc / <memo:1> enter").unwrap();
    assert!(screen.text().contains("memo:1") && screen.text().contains("╭ 1 of "), "{}", screen.text());
    screen.keys("esc w").unwrap();
    let payload = || std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    assert!(payload().contains("Amounts are cents"));
    screen.keys("m D y esc w").unwrap();
    assert!(!payload().contains("Amounts are cents"));
}

#[test]
fn enter_goes_from_a_memo_to_its_row() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("m a <Use pnpm> enter a <Whole cents> enter j enter").unwrap();
    let text = screen.text();
    assert!(text.lines().any(|line| line.contains('▌') && line.contains("memo:2")), "{text}");
}

#[test]
fn a_memo_written_on_the_screen_causes_no_rescan() {
    let shop = Shop::with_teddy();
    let desk = shop.desk();
    let memos = shop.root().join(".teddy/memos.yaml");
    assert!(!desk.is_own_write(&memos));
    let handled = |request| matches!(desk.handle(request, &NoObserver), Reply::Done(..));
    assert!(handled(Request::AddMemo("Amounts are cents".to_owned())));
    assert!(desk.is_own_write(&memos));
    shop.write(".teddy/memos.yaml", "- Amounts are euros\n");
    assert!(!desk.is_own_write(&memos), "another program wrote it");
    assert!(handled(Request::RemoveMemo(1)));
    assert!(desk.is_own_write(&memos));
}

#[test]
fn undoing_an_override_of_a_directory_keeps_the_cursor() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("T g g").unwrap();
    let before = under(&screen.text());
    assert!(before.contains('▾') || before.contains('▸'), "{before}");
    screen.keys("x u").unwrap();
    assert!(screen.text().contains("Undid: exclude"), "{}", screen.text());
    assert_eq!(under(&screen.text()), before);
}

#[test]
fn another_task_brings_its_own_commits() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <kind:commits> enter").unwrap();
    assert!(screen.text().contains("commits:ledger.rs "), "{}", screen.text());
    screen.editor_writes("Count the stock in src/stock.rs\n");
    screen.keys("t ctrl-e esc").unwrap();
    let text = screen.text();
    assert!(text.contains(" commits:") && !text.contains("commits:ledger.rs "), "{text}");
}

#[test]
fn a_cancelled_filter_keeps_the_cursor() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("j j").unwrap();
    let before = under(&screen.text());
    screen.keys("/ <stock>").unwrap();
    assert_ne!(under(&screen.text()), before);
    screen.keys("esc").unwrap();
    assert_eq!(under(&screen.text()), before);
    // A confirmed filter keeps the cursor on its match, even after it is cleared.
    screen.keys("/ <stock> enter esc").unwrap();
    assert!(under(&screen.text()).contains("stock"), "{}", screen.text());
}

#[test]
fn the_tree_starts_unfolded_down_to_payload_items_and_folds_as_a_whole() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench(size);
        screen.keys("T").unwrap();
        let text = screen.text();
        assert!(text.contains("▸ docs/") && text.contains("▾ src/") && text.contains("▾ pay/"), "{text}");
        screen.keys("[").unwrap();
        assert!(screen.text().contains("▸ src/") && !screen.text().contains("▾"), "{}", screen.text());
        screen.keys("]").unwrap();
        assert!(screen.text().contains("▾ docs/") && !screen.text().contains("▸"), "{}", screen.text());
        screen.keys("/ <docs/stock> enter").unwrap();
        assert!(screen.text().contains("stock.md"), "{}", screen.text());
    }
}

#[test]
fn a_filter_on_an_unopened_tree_shows_matches_in_folded_directories() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("T / <docs/stock> enter").unwrap();
    assert!(screen.text().contains("stock.md"), "{}", screen.text());
}

#[test]
fn definitions_are_found_by_name() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <sym:REFUND>").unwrap();
    assert!(screen.text().contains("0 match"), "a capital letter matches case: {}", screen.text());
    screen.keys("ctrl-u <sym:refu> enter").unwrap();
    let text = screen.text();
    assert!(text.contains("refund.rs  src/pay") && !text.contains("ledger.rs  "), "{text}");
}
