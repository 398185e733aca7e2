//! Tests of copying parts, and only the selected items.

#![cfg(unix)]

use super::project::{Shop, clipboard, tmux};

#[test]
fn a_payload_in_parts_is_copied_one_after_the_other() {
    let shop = Shop::with_teddy();
    let lines: Vec<String> = (0..400).map(|number| format!("pub fn refund_{number}() {{}}\n")).collect();
    shop.write("src/pay/refund.rs", &lines.concat());
    shop.write(".teddy/config.yaml", "split: 2000\n");
    let directory = tempfile::tempdir().unwrap();
    let held = directory.path().join("held");
    let mut screen = shop.drive_with(clipboard(directory.path()), (140, 40));
    screen.keys("/ <refund.rs> enter p esc").unwrap();
    let mut parts = Vec::new();
    for number in 1..=9 {
        screen.keys("y").unwrap();
        let text = std::fs::read_to_string(&held).unwrap();
        assert!(text.starts_with(&format!("[Part {number} of ")), "{text}");
        assert!(teddy::gather::tokens::DEFAULT.count(&text) <= 2_000);
        let last = text.contains("is the last: answer now.");
        let says =
            if last { "this was the last part".to_owned() } else { format!("copy again for part {}", number + 1) };
        assert!(screen.text().contains(&says), "{}", screen.text());
        parts.push(text);
        if last {
            break;
        }
    }
    assert!(parts.len() > 1);
    let payload = std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    assert_eq!(teddy::render::split::join(&parts), Some(payload));
    // After the last part, copying starts again with the first part. It also starts again after an override, which
    // changes the payload.
    screen.keys("y").unwrap();
    assert!(std::fs::read_to_string(&held).unwrap().starts_with("[Part 1 of "));
    screen.keys("y / <stock.rs> enter x y").unwrap();
    assert!(std::fs::read_to_string(&held).unwrap().starts_with("[Part 1 of "));
}

#[test]
fn only_the_selected_items_are_copied() {
    let shop = Shop::with_teddy();
    let directory = tempfile::tempdir().unwrap();
    let held = directory.path().join("held");
    let mut screen = shop.drive_with(clipboard(directory.path()), (140, 40));
    screen.keys("ctrl-y").unwrap();
    assert!(screen.text().contains("Nothing is selected; Space selects an item"), "{}", screen.text());
    assert!(!held.exists());
    screen.keys("space j j space ctrl-y").unwrap();
    assert!(screen.text().contains("Payload of 2 selected items, "), "{}", screen.text());
    let read = teddy::render::parse(&std::fs::read_to_string(&held).unwrap()).unwrap();
    let mut paths: Vec<&str> = read.raw.iter().map(|block| block.path.as_str()).collect();
    paths.extend(read.linked.iter().map(|link| link.path.as_str()));
    assert_eq!(paths.len(), 2, "{paths:?}");
    let text = screen.text();
    for path in paths {
        let row = text.lines().find(|line| line.contains(&format!(" {} ", crate::project::name_in_row(path)))).unwrap();
        assert!(row.contains('●'), "{path} was not marked: {text}");
    }
    assert!(teddy::render::verify(&std::fs::read_to_string(&held).unwrap(), &shop.root()).is_fresh());
    // Copying selected items neither delivers the turn nor overrides anything.
    assert!(!shop.session().join("01/payload.md").exists());
    assert!(!shop.turn_yaml().contains("rulings"));
}

#[test]
fn a_failed_copy_names_the_file_on_a_narrow_screen() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((80, 24));
    let keys = screen.text().lines().rev().take(3).filter(|line| line.contains("quit")).count();
    assert_eq!(keys, 1, "{}", screen.text());
    screen.keys("y").unwrap();
    let text = screen.text();
    assert!(text.contains("cannot copy to the clipboard") && text.contains("/01/payload.md"), "{text}");
    assert!(text.contains("? help"), "{text}");
    screen.keys("j").unwrap();
    assert!(screen.text().contains("q quit") && !screen.text().contains("no clipboard"), "{}", screen.text());
}

#[test]
fn a_large_copy_names_the_file_before_the_warning() {
    let shop = Shop::with_teddy();
    let lines: Vec<String> = (0..4_000).map(|number| format!("pub fn refund_{number}() {{}}\n")).collect();
    shop.write("src/pay/refund.rs", &lines.concat());
    let directory = tempfile::tempdir().unwrap();
    let mut screen = shop.drive_with(tmux(directory.path()), (80, 24));
    screen.keys("/ <refund.rs> enter p y").unwrap();
    let text = screen.text();
    assert!(text.contains("unconfirmed; also in") && text.contains("also in 01/payload.md: stored"), "{text}");
    // The log has the whole message.
    screen.keys("!").unwrap();
    assert!(screen.text().replace("│\n", "").contains("bytes are more than"), "{}", screen.text());
}
