//! The tour: five steps, each of which notices its key.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::Shop;

fn tour(size: (u16, u16)) -> (Shop, Driver) {
    let shop = Shop::with_teddy();
    // Creates a session, because the tour opens an existing turn.
    drop(shop.workbench(size));
    let desk = shop.desk();
    let turn = teddy::app::plan::open(
        &desk.env(),
        &teddy::app::options::PlanRequest { task: Some("Add refunds".to_owned()), ..Default::default() },
    );
    desk.start_with(Some(turn.unwrap()), None, None);
    let screen = Driver::open(desk, Some(OpenTarget::Tour), "ansi", size).unwrap();
    (shop, screen)
}

#[test]
fn each_step_waits_for_its_key() {
    let (_shop, mut screen) = tour((120, 40));
    for (keys, expected) in [
        ("", "Tour 1 of 5"),
        ("p", "Tour 1 of 5"),
        ("u", "Tour 1 of 5"),
        ("j", "Tour 2 of 5"),
        ("p", "Tour 3 of 5"),
        ("o", "Tour 4 of 5"),
        ("esc", "Tour 4 of 5"),
        ("u", "Tour 5 of 5"),
        ("v", "Tour finished"),
    ] {
        screen.keys(keys).unwrap();
        assert!(screen.text().contains(expected), "{keys}: {}", screen.text());
    }
    assert!(!screen.text().contains("of 5"), "{}", screen.text());
}

#[test]
fn esc_skips_it_and_closes_an_overlay_first() {
    let (_shop, mut screen) = tour((80, 24));
    screen.keys("?").unwrap();
    screen.keys("esc").unwrap();
    assert!(screen.text().contains("Tour 1 of 5"), "{}", screen.text());
    screen.keys("esc").unwrap();
    let text = screen.text();
    assert!(text.contains("Tour skipped") && !text.contains("Tour 1"), "{text}");
}

#[test]
fn the_steps_fit_small_screens() {
    for size in [(50, 15), (80, 24), (120, 40)] {
        let (_shop, mut screen) = tour(size);
        insta::assert_snapshot!(format!("tour_{}", size.0), crate::project::steady(&screen.text()));
    }
}
