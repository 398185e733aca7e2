//! Snapshots of every screen at four sizes, with styles.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::{Shop, TASK, steady};

const SIZES: [(u16, u16); 4] = [(50, 15), (80, 24), (120, 40), (200, 60)];

/// Makes a snapshot of `screen` at every size.
fn at_every_size(name: &str, screen: impl Fn((u16, u16)) -> String) {
    let all: Vec<String> = SIZES.iter().map(|size| format!("=== {}x{}\n{}", size.0, size.1, screen(*size))).collect();
    insta::assert_snapshot!(name, steady(&all.concat()));
}

/// Presses `keys` on a fresh workbench at every size.
fn pressed(name: &str, keys: &str) {
    at_every_size(name, |size| {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench(size);
        screen.keys(keys).unwrap();
        screen.styled()
    });
}

#[test]
fn the_workbench() {
    pressed("workbench", "");
}

#[test]
fn estimates_are_marked() {
    let claude = || {
        let shop = Shop::with_teddy();
        shop.write(".teddy/config.yaml", "model: claude-sonnet-4\n");
        shop
    };
    at_every_size("estimated", |size| claude().workbench(size).styled());
    at_every_size("estimated_payload", |size| {
        let mut screen = claude().workbench(size);
        screen.keys("v").unwrap();
        screen.styled()
    });
    let shop = claude();
    let mut screen = shop.workbench((200, 60));
    for (keys, said) in [
        ("T g g", " 0 RAW 0 LINK 0 SUM      ≈0 "),
        ("T g g t tab tab tab ctrl-u <1000> esc p j p j p j p j p j p j p j p", "pins exceed the budget by ≈"),
        ("b", "Pins exceed the budget by ≈"),
        ("esc w", "payload.md (≈"),
    ] {
        screen.keys(keys).unwrap();
        assert!(screen.text().contains(said), "{keys}: no `{said}` in {}", screen.text());
    }
    drop(screen);
    let sessions = shop.drive(None, (120, 40)).text();
    assert!(sessions.lines().any(|line| line.contains("delivered") && line.contains('≈')), "{sessions}");
}

#[test]
fn overrides_selected_items_and_a_filter() {
    pressed("ruled", "j p j d G x g g space j space / <s> enter");
}

#[test]
fn a_filter_being_typed() {
    pressed("filter", "/ <tier:raw ~ldgr>");
}

#[test]
fn the_tree() {
    pressed("tree", "T g g j");
}

#[test]
fn the_views_of_the_pane() {
    for (name, keys) in
        [("content", "tab"), ("skeleton", "tab tab"), ("diff", "tab tab tab"), ("neighbours", "shift-tab")]
    {
        at_every_size(&format!("pane_{name}"), |size| {
            let shop = Shop::with_teddy();
            let ledger = std::fs::read_to_string(shop.root().join("src/pay/ledger.rs")).unwrap();
            shop.write("src/pay/ledger.rs", &ledger.replace("oldest first", "newest first"));
            let mut screen = shop.workbench(size);
            screen.keys(keys).unwrap();
            if size.0 < 80 {
                screen.keys("z").unwrap();
            }
            screen.styled()
        });
    }
}

#[test]
fn the_preview_of_a_narrow_terminal() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((60, 20));
    screen.keys("enter").unwrap();
    assert!(!screen.text().contains(" items ") && screen.text().contains("src/pay/ledger.rs"), "{}", screen.text());
    screen.keys("esc").unwrap();
    assert!(screen.text().contains(" items "));
}

#[test]
fn the_task() {
    pressed("task", "t");
}

#[test]
fn help() {
    pressed("help", "?");
}

#[test]
fn the_palette() {
    pressed("palette", ": <un>");
}

#[test]
fn the_memos() {
    pressed("memos", "m a <Use pnpm for everything> enter a <Amounts are whole cents> enter");
}

#[test]
fn the_log() {
    pressed("log", "p u !");
}

#[test]
fn the_turn() {
    pressed("turn", "i");
}

#[test]
fn nothing_matches() {
    pressed("nothing", "/ <zzz> enter");
}

#[test]
fn a_budget_that_is_too_small() {
    pressed("dropped", "t tab tab tab ctrl-u <1200> esc b");
}

#[test]
fn pins_over_the_budget() {
    pressed("over", "t tab tab tab ctrl-u <1000> esc p j p j p j p j p j p");
}

#[test]
fn the_payload() {
    pressed("payload", "v ] ]");
}

#[test]
fn the_secrets() {
    at_every_size("redactions", |size| {
        let shop = Shop::with_teddy();
        let secret = ["qZ7vT2mXw9", "Lk4RbP"].concat();
        for name in ["settings", "staging"] {
            let text = format!("//! Settings of the ledger.\npub const PASSWORD: &str = \"{secret}{name}\";\n");
            shop.write(&format!("src/{name}.rs"), &text);
        }
        let mut screen = shop.workbench(size);
        screen.keys("/ <settings> enter p / ctrl-u <staging> enter p esc r a").unwrap();
        screen.styled()
    });
}

#[test]
fn the_first_run() {
    at_every_size("first", |size| Shop::new().workbench(size).styled());
}

#[test]
fn the_sessions() {
    let sessions = |size, keys: &str| {
        let shop = Shop::with_teddy();
        drop(shop.workbench((80, 24)));
        let mut other = shop.drive(Some(OpenTarget::Plan("Count the stock twice a day".to_owned())), (80, 24));
        other.keys("w q").unwrap();
        drop(other);
        let mut screen = shop.drive(None, size);
        screen.keys(keys).unwrap();
        screen.styled()
    };
    at_every_size("sessions", |size| sessions(size, ""));
    at_every_size("confirm", |size| sessions(size, "D"));
    at_every_size("new_session", |size| sessions(size, "n <Add refunds>"));
}

#[test]
fn no_sessions_yet() {
    at_every_size("no_sessions", |size| Shop::with_teddy().drive(None, size).styled());
}

#[test]
fn an_answered_turn() {
    at_every_size("answered", |size| {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench((80, 24));
        screen.keys("w q").unwrap();
        drop(screen);
        let plan = "# Plan\n\n1. Book a negative amount in the ledger, so that the sum of all bookings stays the balance.\n2. Test it.\n";
        std::fs::write(shop.session().join("01/plan.md"), plan).unwrap();
        let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
        shop.drive(Some(OpenTarget::Resume(name)), size).styled()
    });
}

#[test]
fn a_scan_under_way() {
    at_every_size("scanning", |size| {
        let shop = Shop::with_teddy();
        let frames = Driver::frames_of_the_scan(shop.desk(), OpenTarget::Plan(TASK.to_owned()), size).unwrap();
        // Everything is read, and nothing is scored yet.
        frames[frames.len() - 2].clone()
    });
    at_every_size("cancelled", |size| {
        let shop = Shop::with_teddy();
        let entry = Some(OpenTarget::Plan(TASK.to_owned()));
        Driver::open_and_press(shop.desk(), entry, "ansi", size, Some("esc")).unwrap().styled()
    });
}

#[test]
fn an_error_while_opening() {
    at_every_size("error", |size| {
        Shop::with_teddy().drive(Some(OpenTarget::Resume("20200101-nowhere".to_owned())), size).styled()
    });
}

#[test]
fn a_terminal_that_is_too_small_gets_a_message() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((49, 11));
    assert!(screen.text().contains("too small: 50x12 needed"), "{}", screen.text());
    screen.resize(30, 8);
    assert!(screen.text().contains("too small: 50x12 needed"), "{}", screen.text());
    screen.resize(49, 11);
    let keys = [
        "j", "t", "esc", "?", "esc", ":", "esc", "v", "esc", "T", "z", "z", "m", "esc", "/", "esc", "b", "esc", "r",
        "esc",
    ];
    for size in [(1, 1), (2, 1), (1, 40), (300, 1), (50, 12), (79, 13), (109, 12), (110, 12), (500, 200), (80, 24)] {
        screen.resize(size.0, size.1);
        for keys in keys {
            screen.keys(keys).unwrap();
            screen.text();
        }
    }
    assert!(screen.text().contains(" items "));
}

#[test]
fn help_lists_this_screens_keys_first_and_is_searched() {
    let shop = Shop::with_teddy();
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut screen = shop.workbench(size);
        screen.keys("?").unwrap();
        let text = screen.text();
        assert!(text.contains("Workbench: Move"), "{text}");
        screen.keys("/ <exclude>").unwrap();
        insta::assert_snapshot!(format!("help_search_{}", size.0), crate::project::steady(&screen.text()));
        assert!(screen.text().contains("Exclude") && !screen.text().contains("Demote one tier"), "{}", screen.text());
        screen.keys("esc").unwrap();
        assert!(screen.text().contains("Workbench: Move"), "Esc clears the search first: {}", screen.text());
        screen.keys("esc v ?").unwrap();
        let text = screen.text();
        assert!(text.contains("Payload preview: ") && text.contains("First line"), "{text}");
        screen.keys("/ <switch> enter").unwrap();
        let text = screen.text();
        assert!(text.contains("Switch to the next format"), "{text}");
    }
}

#[test]
fn an_override_reports_gains_and_losses() {
    let shop = Shop::with_teddy();
    shop.write(
        "src/pay/book.rs",
        &format!("//! Refunds in the payment ledger.\n{}", "pub fn refund_ledger() {}\n".repeat(300)),
    );
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut screen = shop.workbench(size);
        screen.keys("t tab tab tab ctrl-u <2500> esc / <ledger.rs> enter").unwrap();
        screen.keys("x").unwrap();
        let text = screen.text();
        assert!(text.contains("Excluded src/pay/ledger.rs (−"), "{text}");
        screen.keys("u").unwrap();
        assert!(screen.text().contains("Undid: exclude src/pay/ledger.rs (+"), "{}", screen.text());
        screen.keys("p").unwrap();
        insta::assert_snapshot!(format!("override_{}", size.0), crate::project::steady(&screen.text()));
        screen.keys("c").unwrap();
        assert!(screen.text().contains("Reset src/pay/ledger.rs"), "{}", screen.text());
    }
}

#[test]
fn the_filter_searches_contents_and_matches_fuzzily() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    let rows = |screen: &mut Driver| -> Vec<String> {
        let text = screen.text();
        let row = |line: &str| {
            line.split_whitespace().find(|word| word.contains(".rs") || word.contains(".md")).map(ToOwned::to_owned)
        };
        text.lines().skip(4).take(28).filter_map(|line| row(line.split("││").next().unwrap_or(line))).collect()
    };
    screen.keys("/ <text:BOOK>").unwrap();
    assert!(rows(&mut screen).is_empty(), "a capital letter matches case: {}", screen.text());
    screen.keys("ctrl-u <text:book(>").unwrap();
    assert_eq!(rows(&mut screen), ["ledger.rs", "refund.rs"], "{}", screen.text());
    screen.keys("ctrl-u <text:\"goes back\"> enter").unwrap();
    assert_eq!(rows(&mut screen), ["refund.rs"], "{}", screen.text());
    // A newer scan searches again.
    shop.write("src/stock.rs", "//! What goes back on the shelf.\n");
    screen.keys("R").unwrap();
    let found = rows(&mut screen);
    assert!(found.contains(&"stock.rs".to_owned()) && found.contains(&"refund.rs".to_owned()), "{found:?}");
    screen.keys("esc / <pyldgr> enter").unwrap();
    let found = rows(&mut screen);
    assert!(!found.is_empty() && found.iter().all(|path| path.contains("ledger.rs")), "{}", screen.text());
    screen.keys("esc / <sym:Ledg> enter").unwrap();
    assert_eq!(rows(&mut screen).first().map(String::as_str), Some("ledger.rs"), "{}", screen.text());
}

#[test]
fn the_last_change_is_shown_before_and_after() {
    for size in [(80, 24), (120, 40)] {
        let shop = crate::large_shop::large_shop();
        let mut screen = shop.workbench(size);
        screen.keys("o").unwrap();
        assert!(screen.text().contains("Nothing changed yet"), "{}", screen.text());
        screen.keys(&crate::large_shop::budget(6_000)).unwrap();
        screen.keys("/ <settlement> enter x esc o").unwrap();
        insta::assert_snapshot!(format!("last_change_{}", size.0), steady(&screen.text()));
        assert!(screen.text().contains("→  not included"), "{}", screen.text());
        screen.keys("esc u o").unwrap();
        let text = screen.text();
        let row = text.lines().find(|line| line.contains("settlement.rs") && line.contains('→')).unwrap_or_default();
        assert!(text.contains("Undid: exclude") && row.contains("not included ") && row.contains("RAW"), "{text}");
    }
}

#[test]
fn a_price_shows_the_cost() {
    let shop = Shop::with_teddy();
    shop.write(".teddy/config.yaml", "price_per_million: 2500\n");
    let mut screen = shop.workbench((120, 40));
    let bar = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(bar.contains(" · $"), "{bar}");
    shop.write(".teddy/config.yaml", "price_per_million: -1\n");
    let error = teddy::app::backend::ProjectBackend::open(Some(&shop.root())).map(drop).unwrap_err();
    assert!(error.to_string().contains("a price in dollars"), "{error}");
}

#[test]
fn a_prefix_lists_the_keys_that_can_follow() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((80, 24));
    screen.keys("j g").unwrap();
    let text = screen.text();
    assert!(text.lines().any(|line| line.contains("g First line")), "{text}");
    screen.keys("g").unwrap();
    assert!(!screen.text().contains("First line"), "{}", screen.text());
}

#[test]
fn the_row_under_the_cursor_keeps_the_colour_of_its_tier() {
    let shop = Shop::with_teddy();
    for theme in ["ansi", "dark"] {
        let mut screen = Driver::open(shop.desk(), Some(OpenTarget::Plan(TASK.to_owned())), theme, (80, 24)).unwrap();
        let colour = screen.style_of("RAW").unwrap_or_default();
        let expected = if theme == "ansi" { "green" } else { "#a3be8c" };
        assert!(colour.contains(expected), "{theme}: {colour}");
    }
}
