//! Every screen at four sizes, with styles.

use crate::project::{Shop, steady};

const SIZES: [(u16, u16); 4] = [(50, 15), (80, 24), (120, 40), (200, 60)];

/// Presses `keys` on a fresh workbench at every size and keeps the screens.
fn at_every_size(name: &str, keys: &str) {
    for size in SIZES {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench(size);
        screen.keys(keys).unwrap();
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), steady(&screen.styled()));
    }
}

#[test]
fn the_workbench() {
    at_every_size("workbench", "");
}

#[test]
fn rulings_marks_and_a_filter() {
    at_every_size("ruled", "j p j d G x g g space j space / <s> enter");
}

#[test]
fn the_tree() {
    at_every_size("tree", "T g g j");
}

#[test]
fn the_views_of_the_pane() {
    for (name, keys) in
        [("content", "tab"), ("skeleton", "tab tab"), ("diff", "tab tab tab"), ("neighbours", "shift-tab")]
    {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench((120, 40));
        screen.keys(keys).unwrap();
        insta::assert_snapshot!(format!("pane_{name}"), steady(&screen.styled()));
    }
}

#[test]
fn the_preview_of_a_narrow_terminal() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((60, 20));
    screen.keys("enter").unwrap();
    insta::assert_snapshot!("narrow_preview", steady(&screen.styled()));
    screen.keys("esc").unwrap();
    assert!(screen.text().contains("Items"));
}

#[test]
fn the_task() {
    at_every_size("task", "t");
}

#[test]
fn help() {
    at_every_size("help", "?");
}

#[test]
fn the_palette() {
    at_every_size("palette", ": <un>");
}

#[test]
fn the_memos() {
    at_every_size("memos", "m a <Use pnpm for everything> enter");
}

#[test]
fn the_log() {
    at_every_size("log", "p u !");
}

#[test]
fn nothing_matches() {
    at_every_size("nothing", "/ <zzz> enter");
}

#[test]
fn the_payload() {
    for size in SIZES {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench(size);
        screen.keys("v").unwrap();
        let text = screen.text();
        // Its hashes and times differ from run to run; its frame and keys do not.
        assert!(text.contains("Payload hybrid") && text.contains("copy"), "{text}");
        screen.keys("] ]").unwrap();
        assert!(screen.text().contains("##"), "{}", screen.text());
    }
}

#[test]
fn the_first_run() {
    for size in SIZES {
        let shop = Shop::new();
        let mut screen = shop.workbench(size);
        insta::assert_snapshot!(format!("first_{}x{}", size.0, size.1), steady(&screen.styled()));
    }
}

#[test]
fn the_sessions() {
    for size in SIZES {
        let shop = Shop::with_teddy();
        drop(shop.workbench((80, 24)));
        let mut screen = shop.drive(None, size);
        insta::assert_snapshot!(format!("sessions_{}x{}", size.0, size.1), steady(&screen.styled()));
        screen.keys("D").unwrap();
        insta::assert_snapshot!(format!("confirm_{}x{}", size.0, size.1), steady(&screen.styled()));
    }
}

#[test]
fn no_sessions_yet() {
    let shop = Shop::with_teddy();
    let mut screen = shop.drive(None, (80, 24));
    assert!(screen.text().contains("There is no session yet. n starts one"), "{}", screen.text());
}

#[test]
fn too_small_says_so_and_nothing_breaks() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((49, 11));
    assert!(screen.text().contains("teddy needs 50 x 12, this is 49 x 11"), "{}", screen.text());
    for size in [(1, 1), (2, 1), (1, 40), (300, 1), (50, 12), (79, 13), (109, 12), (110, 12), (500, 200), (80, 24)] {
        screen.resize(size.0, size.1);
        for keys in ["j", "t", "esc", "?", "esc", ":", "esc", "v", "esc", "T", "z", "z", "m", "esc", "/", "esc"] {
            screen.keys(keys).unwrap();
            screen.text();
        }
    }
    assert!(screen.text().contains("Items"));
}
