//! The looks: every theme shows the same text, and nothing is told by colour alone.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::{Shop, TASK, token};

const THEMES: [&str; 5] = ["ansi", "dark", "light", "mono", "high-contrast"];

/// A workbench with something of everything on it: a pin, a demotion, an exclusion, marks, a secret.
fn busy(theme: &str) -> (Shop, Driver) {
    let shop = Shop::with_teddy();
    shop.write("src/stock.rs", &format!("const TOKEN: &str = \"{}\";\npub fn refund_payment_ledger() {{}}\n", token()));
    let mut screen = Driver::open(shop.desk(), Some(OpenTarget::Plan(TASK.to_owned())), theme, (140, 40)).unwrap();
    screen.keys("p j d j j x g g space j space").unwrap();
    (shop, screen)
}

#[test]
fn every_theme_shows_the_same_text() {
    let (_shop, mut expected) = busy("mono");
    let expected = crate::project::steady(&expected.text());
    for theme in THEMES {
        let (_shop, mut screen) = busy(theme);
        assert_eq!(crate::project::steady(&screen.text()), expected, "{theme}");
    }
}

#[test]
fn what_colours_say_words_and_signs_say_too() {
    let (_shop, mut screen) = busy("mono");
    insta::assert_snapshot!("mono", crate::project::steady(&screen.styled()));
    let text = screen.text();
    let row = |path: &str| {
        text.lines().find(|line| line.contains(path)).unwrap_or_else(|| panic!("{path}: {text}")).to_owned()
    };
    let rows: Vec<&str> = text.lines().filter(|line| line.contains(".rs") || line.contains(".md")).collect();
    for (sign, what) in
        [("P●RAW", "pinned and selected"), ("~ ", "demoted"), ("x ", "excluded"), ("●", "selected"), ("⊘", "a secret")]
    {
        assert!(rows.iter().any(|row| row.contains(sign)), "{what} has no sign `{sign}`: {text}");
    }
    for tier in ["RAW", "LINK"] {
        assert!(rows.iter().any(|row| row.contains(tier)), "{tier} is no word: {text}");
    }
    assert!(row("src/stock.rs").contains("⊘"), "{text}");
    for words in [" of ", " free"] {
        assert!(text.lines().take(3).any(|line| line.contains(words)), "{words}: {text}");
    }
}

#[test]
fn plain_characters_are_plain() {
    let (_shop, mut screen) = busy("mono ascii");
    let text = screen.text();
    let odd: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(odd, "", "{text}");
    assert!(text.contains("P*RAW"), "{text}");
    // Nor has any overlay other signs, and help explains those that are drawn.
    for keys in ["?", "G", "esc m", "esc /", "esc :", "esc w B", "esc b", "esc r", "esc t", "esc v"] {
        screen.keys(keys).unwrap();
        let text = screen.text();
        assert!(text.is_ascii(), "{keys}: {text}");
        assert!(keys != "G" || text.contains("* selected") && text.contains("_ didn't fit"), "{text}");
    }
    // Estimates have their sign in plain characters, too.
    let shop = Shop::with_teddy();
    shop.write(".teddy/config.yaml", "model: claude-sonnet-4\n");
    let mut screen =
        Driver::open(shop.desk(), Some(OpenTarget::Plan(TASK.to_owned())), "mono ascii", (120, 40)).unwrap();
    let text = screen.text();
    assert!(text.is_ascii() && text.contains('~'), "{text}");
}
