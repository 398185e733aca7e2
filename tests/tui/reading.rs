//! Tests of the payload preview: sections, long lines, search, formats.

use teddy::tui::driver::Driver;

use crate::project::Shop;

/// The payload of the shop, which is larger than the screen.
fn payload(shop: &Shop, size: (u16, u16)) -> Driver {
    let mut screen = shop.workbench(size);
    screen.keys("v").unwrap();
    assert!(screen.text().contains("Payload hybrid"), "{}", screen.text());
    screen
}

/// The first line of the payload on the screen.
fn top(screen: &mut Driver) -> String {
    screen.text().lines().nth(1).unwrap_or_default().trim_matches('│').trim().to_owned()
}

#[test]
fn each_match_scrolls_to_the_top() {
    let shop = Shop::with_teddy();
    let mut screen = payload(&shop, (80, 24));
    screen.keys("n").unwrap();
    assert!(screen.text().contains("No search yet; / starts one"), "{}", screen.text());
    screen.keys("/ <pub fn> enter").unwrap();
    let first = top(&mut screen);
    assert!(first.contains("pub fn") && screen.text().contains("; n goes to the next"), "{}", screen.text());
    screen.keys("n").unwrap();
    let second = top(&mut screen);
    assert!(second.contains("pub fn") && second != first, "{second}");
    screen.keys("N").unwrap();
    assert_eq!(top(&mut screen), first);
    screen.keys("N n").unwrap();
    assert_eq!(top(&mut screen), first, "around the end and back");
    // A capital letter makes the search case-sensitive.
    screen.keys("/ ctrl-u <PUB> enter").unwrap();
    assert!(screen.text().contains("No match for PUB"), "{}", screen.text());
    assert_eq!(top(&mut screen), first);
}

#[test]
fn long_lines_can_be_read_to_their_end() {
    let shop = Shop::with_teddy();
    let mut screen = payload(&shop, (80, 24));
    let hashes = |screen: &mut Driver| screen.text().lines().find(|line| line.contains("10 ")).unwrap().to_owned();
    assert!(
        hashes(&mut screen).contains("**Section Hashes:**") && hashes(&mut screen).contains('›'),
        "{}",
        screen.text()
    );
    screen.keys("l").unwrap();
    assert!(!hashes(&mut screen).contains("**Section Hashes:**"), "{}", screen.text());
    screen.keys("l l l l l l l l l l l l l l l l l l").unwrap();
    assert!(screen.text().contains("No line extends further"), "{}", screen.text());
    screen.keys("h h h h h h h h h h h h h h h h h h h").unwrap();
    assert!(hashes(&mut screen).contains("**Section Hashes:**"), "{}", screen.text());
    // A match far to the right is scrolled into view.
    screen.keys("/ <linked: > enter").unwrap();
    screen.keys("n").unwrap();
    assert!(screen.text().lines().nth(1).unwrap().to_lowercase().contains("linked: "), "{}", screen.text());
}

#[test]
fn another_format_is_read_from_its_beginning_and_the_title_has_no_half_numbers() {
    let shop = Shop::with_teddy();
    let mut screen = payload(&shop, (60, 20));
    let title = screen.text().lines().next().unwrap().to_owned();
    assert!(title.contains(" tokens, ") && title.contains(" lines ") && !title.contains("byte"), "{title}");
    screen.keys("G f").unwrap();
    assert!(top(&mut screen).starts_with("1 <context_payload"), "{}", screen.text());
}

#[test]
fn code_in_the_payload_is_coloured() {
    let shop = Shop::with_teddy();
    let mut screen = payload(&shop, (120, 40));
    screen.keys("/ <pub struct Ledger> enter").unwrap();
    let (keyword, comment) = (screen.style_of("impl Ledger"), screen.style_of("/// Adds a payment"));
    assert!(keyword.is_some() && comment.is_some() && keyword != comment, "{keyword:?} {comment:?} {}", screen.text());
}

#[test]
fn the_outline_leads_to_sections_and_files() {
    let shop = Shop::with_teddy();
    let mut screen = payload(&shop, (120, 40));
    screen.keys("o").unwrap();
    let text = screen.text();
    assert!(text.contains("Sections and files") && text.contains("      src/pay/ledger.rs"), "{text}");
    let row = |text: &str| text.lines().position(|line| line.contains("      src/pay/ledger.rs")).unwrap();
    let first = text.lines().position(|line| line.contains("Sections and files")).unwrap() + 1;
    screen.keys(&format!("g g{} enter", " j".repeat(row(&text) - first))).unwrap();
    assert!(!screen.text().contains("Sections and files"), "{}", screen.text());
    assert!(top(&mut screen).ends_with("```rust"), "{}", screen.text());
}
