//! Tests of items that did not fit, redactions and stale items, in text and in lists.

use crate::project::{Shop, in_row, token};

/// In two parts, so that this file contains no secret.
fn secret() -> String {
    ["qZ7vT2mXw9", "Lk4RbP"].concat()
}

#[test]
fn items_that_did_not_fit_are_listed_with_a_reason() {
    let shop = Shop::with_teddy();
    shop.write("src/pay/ledger.rs", &format!("//! The payment ledger.\n{}", "pub fn refund() {}\n".repeat(400)));
    let mut screen = shop.workbench((120, 40));
    screen.keys("t tab tab tab ctrl-u <1200> esc").unwrap();
    let text = screen.text();
    assert!(text.contains("no longer fits"), "the ruling says what it cost:\n{text}");
    assert!(text.contains("didn't fit"), "{text}");
    screen.keys("b").unwrap();
    let text = screen.text();
    assert!(
        text.contains("Items that didn't fit ") && text.contains("belong in a higher tier but did not fit"),
        "{text}"
    );
    assert!(text.contains("it does not fit") || text.contains("is full; F or --fill adds more"), "{text}");
    let first = text.lines().skip_while(|line| !line.contains("but did not fit")).nth(2).unwrap().to_owned();
    screen.keys("enter").unwrap();
    let text = screen.text();
    let under = text.lines().find(|line| line.contains('▌')).unwrap();
    let path = first.split_whitespace().find(|word| word.contains('.')).unwrap();
    assert!(under.contains(&in_row(path)) && under.contains('↓'), "{path}:\n{text}");
}

#[test]
fn changed_lines_are_marked_in_the_gutter_during_a_review() {
    let shop = Shop::with_teddy();
    shop.commit("Start");
    shop.write("src/stock.rs", "//! What is in store, by article.\n\npub fn left(article: &str) -> usize {\n}\n");
    let reviewed = std::process::Command::new(env!("CARGO_BIN_EXE_teddy"))
        .args(["review", "HEAD"])
        .current_dir(shop.root())
        .env("TEDDY_CONFIG_DIR", shop.root().join("../config"))
        .env("TEDDY_CACHE_DIR", shop.root().join("../cache"))
        .output()
        .unwrap();
    assert!(reviewed.status.success(), "{reviewed:?}");
    let name = shop.session().file_name().unwrap().to_string_lossy().into_owned();
    let mut screen = shop.drive(Some(teddy::app::backend::OpenTarget::Resume(name)), (120, 40));
    screen.keys("/ <stock.rs> enter g g tab").unwrap();
    let text = screen.text();
    let marked = |line: &str| text.lines().any(|row| row.contains(line));
    assert!(marked("+1 //! What is in store, by article."), "{text}");
    assert!(marked("-3 pub fn left("), "{text}");
    assert!(marked(" 4 }"), "{text}");
}

#[test]
fn a_narrow_screen_shows_the_reason_if_there_is_no_figure() {
    let shop = Shop::with_teddy();
    for number in 0..60 {
        shop.write(&format!("src/pay/refund_{number}.rs"), "//! Refunds.\npub fn refund() {}\n");
    }
    let mut screen = shop.workbench((80, 24));
    screen.keys("t tab tab tab ctrl-u <1200> esc b G").unwrap();
    let text = screen.text();
    let row = text.lines().find(|line| line.contains("tests/ledger_test.rs")).unwrap();
    assert!(row.contains("adds more"), "{text}");
}

#[test]
fn items_of_excluded_files_are_not_listed_as_unfitted() {
    let shop = Shop::with_teddy();
    shop.write("src/pay/refund.rs", "//! Refunds of payments, by the ledger.\npub fn refund() {}\n");
    let mut screen = shop.workbench((160, 40));
    assert!(screen.text().contains("changes:refund.rs  src/pay"), "{}", screen.text());
    screen.keys("/ <refund.rs> enter").unwrap();
    while !screen.text().lines().any(|line| line.contains('▌') && line.contains("refund.rs  src/pay")) {
        screen.keys("j").unwrap();
    }
    screen.keys("x").unwrap();
    let text = screen.text();
    assert!(text.contains("Excluded") && !text.contains("changes:refund.rs n"), "{text}");
    // Pinning an item that belongs to the file would do nothing.
    screen.keys("j").unwrap();
    for key in ["p", "D"] {
        screen.keys(key).unwrap();
        let text = screen.text();
        let said = "changes:src/pay/refund.rs belongs to src/pay/refund.rs, which is excluded";
        assert!(text.contains(said) && !text.contains("Pinned changes:"), "{key}: {text}");
    }
}

#[test]
fn over_the_budget_the_pins_are_listed_first() {
    let shop = Shop::with_teddy();
    shop.write("src/huge.rs", &"pub const WORDS: &str = \"one two three four five\";\n".repeat(400));
    let mut screen = shop.workbench((120, 40));
    screen.keys("t tab tab tab ctrl-u <2000> esc / <huge> enter p b").unwrap();
    let text = screen.text();
    assert!(text.contains("Pins exceed the budget by"), "{text}");
    let first = text.lines().skip_while(|line| !line.contains("They are listed first")).nth(2).unwrap();
    assert!(first.contains("src/huge.rs") && first.contains("pinned"), "{text}");
}

#[test]
fn a_false_positive_is_allowed_and_revoked() {
    let shop = Shop::with_teddy();
    shop.write("src/settings.rs", &format!("//! Settings.\npub const PASSWORD: &str = \"{}\";\n", secret()));
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <settings> enter p tab").unwrap();
    let text = screen.text();
    assert!(text.contains("[REDACTED:") && text.contains('⊘') && !text.contains(&secret()), "{text}");
    screen.keys("r").unwrap();
    let text = screen.text();
    assert!(text.contains("Redactions 1") && text.contains("redacted src/settings.rs:2"), "{text}");
    screen.keys("a").unwrap();
    assert!(screen.text().contains("allowed  src/settings.rs:2"), "{}", screen.text());
    screen.keys("esc").unwrap();
    assert!(screen.text().contains(&secret()), "{}", screen.text());
    let state = shop.root().join("../state/allowed");
    let kept = std::fs::read_dir(state).unwrap().next().unwrap().unwrap().path();
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(kept.contains("src/settings.rs") && !kept.contains(&secret()), "{kept}");
    screen.keys("r a").unwrap();
    assert!(screen.text().contains("redacted src/settings.rs:2"), "{}", screen.text());
    screen.keys("enter").unwrap();
    let text = screen.text();
    assert!(text.contains("[REDACTED:") && !text.contains(&secret()), "{text}");
    // The right pane also shows this as text, not only by colour.
    screen.keys("shift-tab").unwrap();
    assert!(screen.text().contains("redacted: ") && screen.text().contains("on line 2"), "{}", screen.text());
}

#[test]
fn files_changed_after_writing_are_stale() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((200, 40));
    screen.keys("/ <money> enter p w").unwrap();
    shop.write("src/money.rs", "//! Amounts of money, in a ledger.\npub type Amount = i128;\n");
    screen.changed(&["src/money.rs"]);
    let text = screen.text();
    assert!(text.contains("≠ stale") && text.contains("Δ changed"), "{text}");
    assert!(text.contains("stale: changed after this turn's payload was written"), "{text}");
    assert!(text.contains("changed since the last commit"), "{text}");
    std::fs::remove_file(shop.root().join("src/stock.rs")).unwrap();
    screen.keys("esc / <stock.rs> enter p").unwrap();
    let text = screen.text();
    assert!(text.contains("gone"), "{text}");
    assert!(text.contains("missing: deleted since the scan"), "{text}");
}

#[test]
fn a_typed_secret_is_reported_and_stored_nowhere() {
    let shop = Shop::with_teddy();
    let token = token();
    let mut screen = shop.workbench((140, 40));
    screen.keys(&format!("m a <Sign in with {token}> enter")).unwrap();
    let text = screen.text();
    assert!(text.contains("memo added") && text.contains("the memo contained a secret (github-token)"), "{text}");
    assert!(text.contains("[REDACTED:github-token]"), "{text}");
    screen.keys(&format!("esc / <{token}> enter")).unwrap();
    assert!(screen.text().contains("The filter contains a secret"), "{}", screen.text());
    screen.keys("/ ctrl-u <ledger> enter").unwrap();
    assert!(!screen.text().contains("The filter contains a secret"), "{}", screen.text());
    let memos = std::fs::read_to_string(shop.root().join(".teddy/memos.yaml")).unwrap();
    assert!(!memos.contains(&token) && !shop.turn_yaml().contains(&token), "{memos}");
}

#[test]
fn a_secret_that_is_allowed_stays_under_the_cursor() {
    let shop = Shop::with_teddy();
    let text = |number: usize| format!("pub const PASSWORD_{number}: &str = \"{}{number}x\";\n", secret());
    shop.write("src/settings.rs", &format!("//! Settings of the ledger.\n{}{}{}", text(1), text(2), text(3)));
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <settings> enter p esc r j").unwrap();
    let is_under = |text: &str, place: &str| text.lines().any(|line| line.contains('▌') && line.contains(place));
    for said in ["settings.rs:3 (password) in this project", "settings.rs:3 is redacted again"] {
        screen.keys("a").unwrap();
        let text = screen.text();
        assert!(text.contains(said) && is_under(&text, "settings.rs:3"), "{text}");
    }
}
