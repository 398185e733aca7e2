//! The token map: blocks, zoom, and overrides of the block under the cursor.

use teddy::tui::driver::Driver;

use crate::large_shop::{budget, large_shop};
use crate::project::{Shop, steady};

fn map(size: (u16, u16)) -> (Shop, Driver) {
    let shop = large_shop();
    let mut screen = shop.workbench(size);
    screen.keys(&budget(9_000)).unwrap();
    screen.keys("M").unwrap();
    (shop, screen)
}

/// The line that describes the block under the cursor.
fn status(screen: &mut Driver) -> String {
    let text = screen.text();
    let line = text.lines().find(|line| line.contains(" tokens · ") && line.contains('%'));
    line.unwrap_or_else(|| panic!("no status: {text}")).to_owned()
}

#[test]
fn the_map_shows_directories_and_files_by_tokens() {
    for size in [(50, 15), (80, 24), (120, 40), (200, 60)] {
        let (_shop, mut screen) = map(size);
        insta::assert_snapshot!(format!("map_{}", size.0), steady(&screen.styled()));
    }
}

#[test]
fn enter_zooms_in_and_esc_zooms_out_to_the_same_block() {
    let (_shop, mut screen) = map((120, 40));
    screen.keys("g g").unwrap();
    let outside = status(&mut screen);
    assert!(outside.contains(" src/") && outside.contains("items"), "{outside}");
    screen.keys("enter").unwrap();
    assert!(screen.text().contains("Token map · src/"), "{}", screen.text());
    screen.keys("enter").unwrap();
    let inside = screen.text();
    screen.keys("backspace esc").unwrap();
    assert_eq!(status(&mut screen), outside, "{inside}");
    screen.keys("esc").unwrap();
    assert!(screen.text().contains(" items · by score"), "{}", screen.text());
}

#[test]
fn overrides_act_on_the_block_under_the_cursor_and_can_be_undone() {
    let (shop, mut screen) = map((120, 40));
    screen.keys("g g enter g g").unwrap();
    let before = screen.text();
    screen.keys("x").unwrap();
    let text = screen.text();
    assert!(text.contains("Excluded") && text.contains(" (−"), "{text}");
    assert!(shop.turn_yaml().contains("ruling: exclude"), "{}", shop.turn_yaml());
    screen.keys("u").unwrap();
    let blocks = |text: &str| text.lines().skip(2).take(30).map(ToOwned::to_owned).collect::<Vec<_>>();
    assert_eq!(blocks(&screen.text()), blocks(&before));
    screen.keys("c").unwrap();
    assert!(screen.text().contains("No override to reset"), "{}", screen.text());
}

#[test]
fn enter_on_a_file_shows_it_in_the_list() {
    let (_shop, mut screen) = map((120, 40));
    // Goes down to a file at any depth.
    for _ in 0..4 {
        if !screen.text().contains("Token map") {
            break;
        }
        screen.keys("g g enter").unwrap();
    }
    let text = screen.text();
    let row = text.lines().find(|line| line.contains('▌')).unwrap();
    assert!(text.contains(" items · by score") && row.contains(".rs"), "{text}");
}

#[test]
fn arrows_and_clicks_move_between_blocks() {
    let (_shop, mut screen) = map((120, 40));
    screen.keys("g g enter").unwrap();
    let first = status(&mut screen);
    screen.keys("right").unwrap();
    let second = status(&mut screen);
    assert_ne!(first, second);
    screen.keys("left").unwrap();
    assert_eq!(status(&mut screen), first);
    screen.click(118, 5);
    assert_ne!(status(&mut screen), first);
}

#[test]
fn the_ghost_previews_the_override_of_the_block() {
    let (_shop, mut screen) = map((120, 40));
    screen.keys("g g").unwrap();
    let bar = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(bar.contains("pin +") || bar.contains("demote −"), "{bar}");
    screen.keys("G").unwrap();
    assert_ne!(screen.text().lines().nth(1).unwrap(), bar);
}
