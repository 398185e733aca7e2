//! Tests of the right pane: prose wraps, long lines of code scroll sideways, and scrolling stops at the end of the
//! text.

use teddy::tui::driver::Driver;

use crate::project::Shop;

/// A paragraph in one line, as many people write Markdown.
fn paragraph() -> String {
    let words: Vec<String> = (1..=90).map(|number| format!("word{number}")).collect();
    words.join(" ")
}

/// Rows of the right pane on a screen with stacked panes.
fn pane(screen: &mut Driver) -> Vec<String> {
    let text = screen.text();
    let rows: Vec<&str> = text.lines().collect();
    let top = rows.iter().rposition(|row| row.starts_with(['╭', '├'])).unwrap();
    let inside = rows[top + 1..].iter().take_while(|row| row.starts_with('│'));
    inside.map(|row| row.trim_matches('│').trim().to_owned()).collect()
}

fn on(shop: &Shop, filter: &str, size: (u16, u16)) -> Driver {
    let mut screen = shop.workbench(size);
    screen.keys(&format!("/ <{filter}> enter tab")).unwrap();
    screen
}

#[test]
fn a_paragraph_can_be_read_to_its_end_without_leaving_the_list() {
    let shop = Shop::with_teddy();
    shop.write("docs/stock.md", &format!("# Stock\n\n{}\n\nThe end.\n", paragraph()));
    let mut screen = on(&shop, "stock.md", (80, 24));
    let mut read = String::new();
    for _ in 0..12 {
        for row in pane(&mut screen) {
            if !read.contains(&row) {
                read.push_str(&row);
                read.push(' ');
            }
        }
        screen.keys("J").unwrap();
    }
    assert!(read.contains(&paragraph()), "{read}\n{}", screen.text());
    assert!(!screen.text().lines().skip(1).any(|line| line.contains('›')), "{}", screen.text());
    // Scrolling stops at the end of the text, so a single step up changes the view.
    let end = pane(&mut screen);
    assert!(end.iter().any(|row| row.ends_with("The end.")), "{}", screen.text());
    screen.keys("J J J J J J").unwrap();
    assert_eq!(pane(&mut screen), end);
    screen.keys("K").unwrap();
    assert_ne!(pane(&mut screen), end);
}

#[test]
fn the_top_line_stays_when_the_pane_grows() {
    let shop = Shop::with_teddy();
    let lines: Vec<String> = (1..=60).map(|number| format!("{number}. {}", paragraph())).collect();
    shop.write("docs/stock.md", &lines.join("\n"));
    let mut screen = on(&shop, "stock.md", (80, 24));
    // Scrolls to the tenth paragraph; each takes several rows.
    let mut steps = 0;
    while !pane(&mut screen)[0].starts_with("10 10.") {
        screen.keys("z j z").unwrap();
        steps += 1;
        assert!(steps < 200, "{}", screen.text());
    }
    screen.resize(200, 60);
    let text = screen.text();
    let top = text.lines().skip_while(|row| !row.contains("stock.md ──")).nth(1).unwrap().to_owned();
    assert!(top.contains("10 10. word1"), "{text}");
}

#[test]
fn long_lines_of_code_are_shifted_and_come_back() {
    let shop = Shop::with_teddy();
    let long = format!("pub const WORDS: &str = \"{}\";\npub const SHORT: u8 = 1;\n", paragraph());
    shop.write("src/stock.rs", &long);
    let mut screen = on(&shop, "src/stock.rs", (80, 24));
    assert!(screen.text().contains("L ›"), "the key is where it is needed:\n{}", screen.text());
    screen.keys("L").unwrap();
    let text = screen.text();
    assert!(!text.contains("pub const WORDS") && text.contains("word1"), "{text}");
    assert!(pane(&mut screen)[1].starts_with("▓1 "), "the numbers stay:\n{text}");
    screen.keys(&"L ".repeat(60)).unwrap();
    assert!(screen.text().contains("word90") && screen.text().contains("No line extends further"));
    screen.keys(&"H ".repeat(60)).unwrap();
    assert!(screen.text().contains("pub const WORDS"), "{}", screen.text());
    assert!(screen.text().contains("Already at the left edge"), "{}", screen.text());
    // The zoomed pane has nothing to fold, so the preview's keys also work here.
    screen.keys("z l").unwrap();
    assert!(!screen.text().contains("pub const WORDS") && !screen.text().contains("flat"), "{}", screen.text());
    screen.keys("h z").unwrap();
    assert!(screen.text().contains("pub const WORDS"), "{}", screen.text());
    // Another view starts at its top.
    screen.keys("L tab shift-tab").unwrap();
    assert!(screen.text().contains("pub const WORDS"), "{}", screen.text());
}

#[test]
fn a_zoomed_pane_scrolls_by_its_own_height() {
    let shop = Shop::with_teddy();
    let lines: Vec<String> = (1..=90).map(|number| format!("pub fn f{number}() {{}}")).collect();
    shop.write("src/stock.rs", &lines.join("\n"));
    let mut screen = on(&shop, "src/stock.rs", (80, 24));
    screen.keys("z J").unwrap();
    // Sixteen rows; the first describes the payload.
    assert!(pane(&mut screen)[0].starts_with("░ 8 pub"), "half a pane:\n{}", screen.text());
}
