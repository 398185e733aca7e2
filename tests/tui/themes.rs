//! Tests of themes: every theme shows the same text, and colour is never the only difference.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::{Shop, TASK, token};

const THEMES: [&str; 14] = [
    "ansi", "catppuccin-latte", "catppuccin-mocha", "dark", "dracula", "gruvbox-dark", "gruvbox-light",
    "high-contrast", "light", "mono", "nord", "solarized-dark", "solarized-light", "tokyo-night",
];

/// A workbench with everything: a pin, a demotion, an exclusion, selected items, a secret.
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
fn colours_are_never_the_only_sign() {
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
    assert!(row(" stock.rs ").contains("⊘"), "{text}");
    for words in [" of ", " free"] {
        assert!(text.lines().take(3).any(|line| line.contains(words)), "{words}: {text}");
    }
}

#[test]
fn the_ascii_theme_uses_only_ascii() {
    let (_shop, mut screen) = busy("mono ascii");
    let text = screen.text();
    let odd: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(odd, "", "{text}");
    assert!(text.contains("P*RAW"), "{text}");
    // Overlays use no other symbols, and help explains those that are drawn.
    for keys in ["?", "G", "esc m", "esc /", "esc :", "esc w B", "esc b", "esc r", "esc t", "esc v"] {
        screen.keys(keys).unwrap();
        let text = screen.text();
        assert!(text.is_ascii(), "{keys}: {text}");
        assert!(keys != "G" || text.contains("* selected") && text.contains("_ didn't fit"), "{text}");
    }
    // Estimates also have a symbol in ASCII.
    let shop = Shop::with_teddy();
    shop.write(".teddy/config.yaml", "model: claude-sonnet-4\n");
    let mut screen =
        Driver::open(shop.desk(), Some(OpenTarget::Plan(TASK.to_owned())), "mono ascii", (120, 40)).unwrap();
    let text = screen.text();
    assert!(text.is_ascii() && text.contains('~'), "{text}");
}

#[test]
fn the_picker_previews_a_theme_and_esc_returns_to_the_old_one() {
    let (_shop, mut screen) = busy("ansi");
    let before = screen.styled();
    screen.keys("ctrl-t").unwrap();
    insta::assert_snapshot!("picker", crate::project::at_three_sizes(&mut screen));
    screen.resize(140, 40);
    screen.keys("j j").unwrap();
    assert!(screen.styled().contains("on #1e1e2e"), "{}", screen.styled());
    screen.keys("esc").unwrap();
    assert_eq!(screen.styled(), before);
    screen.keys("ctrl-t G k enter").unwrap();
    let text = screen.styled();
    assert!(text.contains("Theme solarized-light is used for this run") && text.contains("on #fdf6e3"), "{text}");
}

#[test]
fn the_terminals_background_chooses_between_dark_and_light() {
    let (_shop, mut screen) = busy("ansi");
    screen.background(true);
    assert!(screen.styled().contains("on #ffffff"), "{}", screen.styled());
    screen.background(false);
    assert!(screen.styled().contains("on #20242c"), "{}", screen.styled());
}
