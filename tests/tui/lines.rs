//! Tests of the right pane with focus: its cursor, definitions and ranges of lines, gutter and search.

use teddy::tui::driver::Driver;

use crate::project::{Shop, steady};

/// The workbench with focus on the content of the file that a filter finds.
fn focused(shop: &Shop, filter: &str, size: (u16, u16)) -> Driver {
    let mut screen = shop.workbench(size);
    screen.keys(&format!("/ <{filter}> enter enter")).unwrap();
    screen
}

fn says(screen: &mut Driver, text: &str) {
    let shown = screen.text();
    assert!(shown.contains(text), "no `{text}` in\n{shown}");
}

/// The row of the pane with this text, up to the text.
fn before(screen: &mut Driver, text: &str) -> String {
    let shown = screen.text();
    let row = shown.lines().find(|row| row.contains(text)).unwrap_or_else(|| panic!("no `{text}` in\n{shown}"));
    row[..row.find(text).unwrap()].to_owned()
}

#[test]
fn the_pane_with_focus_at_three_sizes() {
    let mut all = String::new();
    for size in [(80, 24), (120, 40), (200, 60)] {
        let shop = Shop::with_teddy();
        let mut screen = focused(&shop, "src/pay/ledger.rs", size);
        screen.keys("] ] space ] V j").unwrap();
        all.push_str(&format!("=== {}x{}\n{}", size.0, size.1, screen.styled()));
    }
    insta::assert_snapshot!("pane_focus", steady(&all));
}

#[test]
fn space_includes_the_definition_and_drops_it_again() {
    let shop = Shop::with_teddy();
    let mut screen = focused(&shop, "src/stock.rs", (120, 40));
    let yaml = shop.turn_yaml();
    screen.keys("] space").unwrap();
    says(&mut screen, "Included left (lines 3-5) of src/stock.rs (+");
    assert!(shop.turn_yaml().contains("- src/stock.rs#left\n"), "{}", shop.turn_yaml());
    says(&mut screen, " pinned lines");
    assert!(before(&mut screen, "3 pub fn left").contains('▐'), "{}", screen.text());
    assert!(!before(&mut screen, "1 //! What is in store").contains('▐'), "{}", screen.text());
    // The payload contains these lines of the file and no others.
    screen.keys("w").unwrap();
    let payload = std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    assert!(
        payload.contains("# file: src/stock.rs (lines 3-5 of 5)\n") && payload.contains("lines pinned"),
        "{payload}"
    );
    assert!(!payload.contains("What is in store"), "{payload}");
    screen.keys("space").unwrap();
    says(&mut screen, "Dropped left (lines 3-5) of src/stock.rs");
    screen.keys("u").unwrap();
    says(&mut screen, "Undid: reset src/stock.rs");
    screen.keys("u").unwrap();
    says(&mut screen, "Undid: pin src/stock.rs#left");
    assert!(!yaml.contains("src/stock.rs#left") && !before(&mut screen, "3 pub fn left").contains('▐'));
    screen.keys("ctrl-r").unwrap();
    assert!(before(&mut screen, "3 pub fn left").contains('▐'), "{}", screen.text());
}

#[test]
fn a_range_is_dropped_from_a_full_file_and_included_again() {
    let shop = Shop::with_teddy();
    let mut screen = focused(&shop, "src/pay/refund.rs", (120, 40));
    says(&mut screen, "RAW in full");
    screen.keys("g g V j j x").unwrap();
    says(&mut screen, "Dropped lines 1-3 of src/pay/refund.rs (−");
    assert!(shop.turn_yaml().contains("- src/pay/refund.rs:4-9\n"), "{}", shop.turn_yaml());
    assert!(!before(&mut screen, "3 use crate::money").contains('▐'), "{}", screen.text());
    assert!(before(&mut screen, "4 use crate::pay").contains('▐'), "{}", screen.text());
    screen.keys("g g V j enter").unwrap();
    says(&mut screen, "Included lines 1-2 of src/pay/refund.rs");
    assert!(shop.turn_yaml().contains("- src/pay/refund.rs:1-2,4-9\n"), "{}", shop.turn_yaml());
    // A range whose lines are all included is dropped.
    screen.keys("g g V j space").unwrap();
    says(&mut screen, "Dropped lines 1-2 of src/pay/refund.rs");
    screen.keys("u").unwrap();
    says(&mut screen, "Undid: pin src/pay/refund.rs:4-9");
    screen.keys("g g j").unwrap();
    // Including the last missing line pins the whole file again.
    screen.keys("j V space").unwrap();
    says(&mut screen, "RAW in full");
    // Esc ends a range first, then the focus; the keys then belong to the list again.
    screen.keys("V esc x").unwrap();
    says(&mut screen, "Dropped ");
    screen.keys("u esc x").unwrap();
    says(&mut screen, "Excluded src/pay/refund.rs");
}

#[test]
fn p_pins_what_is_shown_and_shift_p_the_full_file() {
    let shop = Shop::with_teddy();
    let mut screen = focused(&shop, "src/stock.rs", (120, 40));
    screen.keys("] space esc P").unwrap();
    says(&mut screen, "Pinned in full: src/stock.rs (");
    says(&mut screen, "RAW in full");
    screen.keys("u p").unwrap();
    says(&mut screen, "Pinned src/stock.rs as shown");
    assert!(shop.turn_yaml().matches("- src/stock.rs#left\n").count() > 1, "{}", shop.turn_yaml());
    // An item that is not in the payload has no shown lines, so the whole file is pinned.
    screen.keys("esc / <docs/stock> enter p").unwrap();
    says(&mut screen, "Pinned docs/stock.md (+");
    // A stored pin includes the lines.
    screen.keys("esc / <src/stock> enter a s").unwrap();
    says(&mut screen, "Stored the pin of src/stock.rs#left");
    let list = std::fs::read_to_string(shop.session().join("session.context")).unwrap();
    assert!(list.contains("src/stock.rs#left\n"), "{list}");
}

#[test]
fn the_pane_is_searched_and_neighbours_are_followed() {
    let shop = Shop::with_teddy();
    let mut screen = focused(&shop, "src/pay/ledger.rs", (120, 40));
    screen.keys("/ <amount> enter space").unwrap();
    says(&mut screen, "Dropped ");
    screen.keys("u / ctrl-u <nowhere at all> enter").unwrap();
    says(&mut screen, "No match for nowhere at all");
    // Neighbours are the last view.
    screen.keys("tab tab tab").unwrap();
    says(&mut screen, "[neighbours]");
    screen.keys("/ ctrl-u <refund.rs> enter enter").unwrap();
    says(&mut screen, "┬ src/pay/refund.rs ");
    screen.keys("g g enter").unwrap();
    says(&mut screen, "Not a line of the file");
}

#[test]
fn on_a_small_screen_focus_takes_all_of_it_and_gives_it_back() {
    let shop = Shop::with_teddy();
    let mut screen = focused(&shop, "src/stock.rs", (60, 15));
    says(&mut screen, "pub fn left");
    screen.keys("esc").unwrap();
    assert!(!screen.text().contains("pub fn left"), "{}", screen.text());
}

#[test]
fn a_turn_with_an_answer_cannot_be_changed_line_by_line() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("w q").unwrap();
    drop(screen);
    std::fs::write(shop.session().join("01/plan.md"), "# Plan\n").unwrap();
    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    let mut screen = shop.drive(Some(teddy::app::backend::OpenTarget::Resume(name)), (120, 40));
    screen.keys("/ <src/stock.rs> enter enter ] space").unwrap();
    says(&mut screen, "has its answer");
    assert!(!shop.turn_yaml().contains("#left"));
}

#[test]
fn keys_typed_before_the_text_arrives_are_applied_to_it() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <src/stock.rs> enter").unwrap();
    screen.press_and_draw("enter ] space").unwrap();
    assert!(!screen.text().contains("This is no line"), "{}", screen.text());
    screen.run_jobs();
    says(&mut screen, "Included left (lines 3-5) of src/stock.rs (+");
    // Keys that wait for text are dropped if the text never arrives.
    screen.press_and_draw("tab g g space").unwrap();
    screen.press_and_draw("esc j").unwrap();
    screen.run_jobs();
    assert!(shop.turn_yaml().contains("- src/stock.rs#left\n"), "{}", shop.turn_yaml());
}

#[test]
fn the_old_text_keeps_its_title_and_its_place_until_the_next_one_is_ready() {
    let shop = Shop::with_teddy();
    let long: Vec<String> = (0..200).map(|number| format!("pub fn stock_{number}() {{}}\n")).collect();
    shop.write("src/long.rs", &long.concat());
    shop.commit("Add stock");
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <src/long.rs> enter tab G esc").unwrap();
    screen.keys("/ <src/long.rs> enter J J").unwrap();
    let right = |screen: &mut Driver| -> Vec<String> {
        let half = |line: &str| line.chars().skip(65).collect();
        screen.text().lines().take(36).skip(2).map(half).collect()
    };
    let before = right(&mut screen);
    assert!(before[0].contains("src/long.rs") && !before[1].contains(" 1 pub fn"), "{before:#?}");
    screen.press_and_draw("/ ctrl-u <src/stock.rs> enter").unwrap();
    assert_eq!(right(&mut screen), before, "{}", screen.text());
    screen.run_jobs();
    let after = right(&mut screen);
    assert!(after[0].contains("src/stock.rs") && after[2].contains("1 //! What is in store"), "{after:#?}");
}

#[test]
fn the_content_opens_at_the_text_that_the_filter_found() {
    let shop = Shop::with_teddy();
    let long: Vec<String> = (1..=200).map(|number| format!("pub fn step_{number}() {{}}\n")).collect();
    shop.write("src/steps.rs", &long.concat());
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <text:step_150> enter tab").unwrap();
    says(&mut screen, "150 pub fn step_150()");
    assert_eq!(screen.style_of("step_150()").as_deref(), Some("yellow underline"));
    // When the pane has focus, the cursor is on the match, and the next match wraps around to it.
    screen.keys("enter g g n").unwrap();
    assert!(before(&mut screen, "150 pub fn").contains('▌'), "{}", screen.text());
    screen.keys("/ ctrl-u <step_15> enter n").unwrap();
    assert!(before(&mut screen, "152 pub fn").contains('▌'), "{}", screen.text());
}
