//! A whole session: first run, plan, filter, pin, demote, exclude, undo, edit the task, write, quit, resume.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::{Shop, TASK, at_three_sizes, exists};

#[test]
fn from_the_first_run_to_resume() {
    let shop = Shop::new();
    let mut screen = shop.workbench((120, 40));
    assert!(screen.text().contains("There is no .teddy/ here yet"), "{}", screen.text());
    assert!(!exists(&shop.root(), ".teddy"));
    screen.keys("enter").unwrap();
    assert!(exists(&shop.root(), ".teddy/memos.yaml"));
    assert!(screen.text().contains("add-refunds-to-the-payment"), "{}", screen.text());

    screen.keys("/ <stock.rs> enter").unwrap();
    assert!(screen.text().contains("╭ 1 of "), "{}", screen.text());
    screen.keys("p").unwrap();
    assert!(screen.text().contains("Pinned src/stock.rs (+"), "{}", screen.text());
    assert!(shop.turn_yaml().contains("ruling: pin") && shop.turn_yaml().contains("- src/stock.rs"));

    screen.keys("esc / <money> enter d").unwrap();
    assert!(screen.text().contains("Demoted src/money.rs"), "{}", screen.text());
    screen.keys("esc / <docs/> enter x").unwrap();
    assert!(shop.turn_yaml().contains("ruling: exclude"));
    screen.keys("u").unwrap();
    let undone = shop.turn_yaml();
    assert!(undone.find("undone:").unwrap() < undone.find("ruling: exclude").unwrap(), "{undone}");
    screen.keys("ctrl-r").unwrap();
    assert!(screen.text().contains("Redid: exclude docs/stock.md"), "{}", screen.text());

    screen.keys("t < and write a test> esc").unwrap();
    assert!(shop.turn_yaml().contains("Add refunds to the payment ledger and write a test"), "{}", shop.turn_yaml());

    screen.keys("esc w").unwrap();
    assert!(screen.text().contains("Wrote "), "{}", screen.text());
    let payload = std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    assert!(payload.contains("pub fn left(article: &str)") && !payload.contains("docs/stock.md"), "{payload}");
    screen.keys("g g j j").unwrap();
    let before = screen.text();
    screen.keys("q").unwrap();
    assert!(screen.has_left());
    drop(screen);

    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    let mut again = shop.drive(Some(OpenTarget::Resume(name)), (120, 40));
    // The screen is the same, except for the last message.
    let same = |text: &str| text.lines().take(36).map(ToOwned::to_owned).collect::<Vec<_>>();
    assert_eq!(same(&again.text()), same(&before));
    again.keys("u").unwrap();
    assert!(again.text().contains("Undid: exclude docs/stock.md"), "{}", again.text());
}

#[test]
fn the_payload_can_be_seen_in_every_format() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("v").unwrap();
    assert!(screen.text().contains("Payload hybrid"), "{}", screen.text());
    for (format, words) in [
        ("xml", "<context_payload>"),
        ("invocation", "## 1. System Information"),
        ("pack", "\"packId\":\""),
        ("prompt", "Here is the relevant context for your task:"),
        ("hybrid", "# Context Payload: "),
        ("xml", "<raw>"),
        ("invocation", "# Agent Invocation Payload"),
        ("pack", "\"docRefs\":["),
    ] {
        screen.keys("f").unwrap();
        let text = screen.text();
        assert!(text.contains(&format!("Payload {format}")) && text.contains(words), "{format}: {text}");
    }
    // A pack is small, and its fields are its sections.
    assert!(
        screen.text().contains(" of 4,000 tokens") || screen.text().contains(" of 6,000 tokens"),
        "{}",
        screen.text()
    );
    screen.keys("]").unwrap();
    assert!(screen.text().contains(" \"runId\":"), "{}", screen.text());
    screen.keys("w").unwrap();
    assert!(exists(&shop.session(), "01/pack.json") && !exists(&shop.session(), "01/payload.md"));
    assert!(shop.turn_yaml().contains("format: pack"), "{}", shop.turn_yaml());
}

#[test]
fn the_farewell_has_the_current_session_name() {
    let shop = Shop::with_teddy();
    let desk = shop.desk();
    let mut screen = Driver::open(desk.clone(), Some(OpenTarget::Plan(TASK.to_owned())), "ansi", (120, 40)).unwrap();
    assert!(desk.farewell().unwrap().contains("-add-refunds-to-the-payment is saved"), "{:?}", desk.farewell());
    screen.keys("p S r ctrl-u <refunds> enter").unwrap();
    assert_eq!(desk.farewell().unwrap(), "refunds is saved; continue with: teddy resume");
    screen.keys("D y").unwrap();
    assert_eq!(desk.farewell(), None);
}

#[test]
fn enter_starts_a_session_if_there_is_none() {
    let shop = Shop::new();
    let mut screen = shop.drive(None, (120, 40));
    screen.keys("enter").unwrap();
    assert!(screen.text().contains("New session"), "the first screen leads to the first task:\n{}", screen.text());
    screen.keys("esc enter <Count the stock twice> enter").unwrap();
    assert!(screen.text().contains("count-the-stock-twice › turn 01"), "{}", screen.text());
}

#[test]
fn a_person_can_start_from_the_list_of_sessions() {
    let shop = Shop::with_teddy();
    let mut screen = shop.drive(None, (120, 40));
    screen.keys("n <Count the stock twice> enter").unwrap();
    assert!(screen.text().contains("count-the-stock-twice › turn 01"), "{}", screen.text());
    screen.keys("p S").unwrap();
    assert!(screen.text().contains("Sessions 1"), "{}", screen.text());
    screen.keys("b").unwrap();
    assert!(screen.text().contains("Branched as") && screen.text().contains("01-branch-01"), "{}", screen.text());
    screen.keys("r ctrl-u <stock/twice> enter").unwrap();
    let text = screen.text();
    assert!(text.contains("Rename session") && text.contains("│ stock/twice"), "the name can be corrected:\n{text}");
    screen.keys("ctrl-u <stock-twice> enter").unwrap();
    assert!(screen.text().contains("Renamed to stock-twice"), "{}", screen.text());
    screen.keys("D enter").unwrap();
    assert!(
        screen.text().contains("Nothing was deleted") && screen.text().contains("stock-twice"),
        "{}",
        screen.text()
    );
    screen.keys("D y").unwrap();
    assert!(
        screen.text().contains("Deleted stock-twice") && screen.text().contains("No session yet"),
        "{}",
        screen.text()
    );
}

#[test]
fn a_failed_copy_is_reported_and_loses_nothing() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((200, 40));
    screen.keys("y").unwrap();
    let text = screen.text();
    let said = text.lines().nth_back(1).unwrap();
    assert!(said.contains("cannot copy to the clipboard (the payload was saved to .teddy/sessions/"), "{text}");
    assert!(exists(&shop.session(), "01/payload.md"));
}

#[test]
fn two_screens_cannot_have_one_session() {
    let shop = Shop::with_teddy();
    let first = shop.workbench((120, 40));
    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    let mut second = shop.drive(Some(OpenTarget::Resume(name)), (120, 40));
    assert!(second.text().contains("another teddy"), "{}", second.text());
    drop(first);
}

#[test]
fn changed_files_are_read_again_and_overrides_stay() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <refund.rs> enter x esc").unwrap();
    shop.write("src/pay/fees.rs", "//! Fees on refunds of the payment ledger.\npub fn fee() {}\n");
    shop.write("src/pay/refund.rs", "//! Refunds.\npub fn refund_all() {}\n");
    screen.changed(&["src/pay/fees.rs"]);
    assert!(screen.text().contains("Rescanned 11 files (1 more)"), "{}", screen.text());
    screen.keys("/ <fees> enter").unwrap();
    assert!(screen.text().contains("src/pay/fees.rs"), "{}", screen.text());
    screen.keys("esc / <is:excluded> enter").unwrap();
    assert!(screen.text().contains("src/pay/refund.rs"), "{}", screen.text());
    screen.keys("esc / <is:changed> enter").unwrap();
    assert!(screen.text().contains("╭ 2 of "), "{}", screen.text());
}

#[test]
fn the_editor_changes_the_task() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.editor_writes("Count the stock\n");
    screen.keys("t ctrl-e esc").unwrap();
    assert!(shop.turn_yaml().contains("message: Count the stock"), "{}", shop.turn_yaml());
    assert!(screen.text().contains("stock.rs  src"));
}

#[test]
fn the_next_turn_shows_what_changed_since_the_last_payload() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("w q").unwrap();
    drop(screen);
    for (name, text) in [("plan.md", "Do it.\n"), ("report.md", "Done.\n")] {
        std::fs::write(shop.session().join("01").join(name), text).unwrap();
    }
    let ledger = std::fs::read_to_string(shop.root().join("src/pay/ledger.rs")).unwrap();
    shop.write("src/pay/ledger.rs", &ledger.replace("oldest first", "newest first"));
    shop.commit("Turn the ledger round");
    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    let mut screen = shop.drive(Some(OpenTarget::Resume(name)), (120, 40));
    screen.keys("/ <ledger.rs> enter tab tab tab").unwrap();
    let text = screen.text();
    assert!(text.contains("› turn 02") && text.contains("Changed since turn 01"), "{text}");
    assert!(text.contains("-/// All bookings, oldest first.") && text.contains("+/// All bookings, newest"), "{text}");
    screen.keys("/ ctrl-u <is:changed> enter").unwrap();
    assert!(screen.text().contains("╭ 1 of "), "{}", screen.text());
    screen.keys("/ ctrl-u <money.rs> enter").unwrap();
    assert!(screen.text().contains("Unchanged since turn 01"), "{}", screen.text());
}

#[test]
fn a_pasted_task_keeps_its_line_breaks() {
    for (ends, size) in [("\r", (80, 24)), ("\r\n", (120, 40)), ("\n", (200, 60))] {
        let shop = Shop::with_teddy();
        let mut screen = shop.drive(None, size);
        screen.keys("n").unwrap();
        screen.paste(&format!("Fix the ledger:{ends}Traceback{ends}  src/pay/ledger.rs:12{ends}"));
        let text = screen.text();
        assert!(text.contains("New session") && text.contains("Traceback"), "{text}");
        screen.keys("tab tab tab <9k> shift-tab shift-tab shift-tab enter").unwrap();
        let kept = shop.turn_yaml();
        assert!(kept.contains("Fix the ledger:\n") && kept.contains("src/pay/ledger.rs:12"), "{kept}");
        assert!(kept.contains("budget: 9000"), "the form's budget holds: {kept}");
        assert!(screen.text().contains("of 9k"), "{}", screen.text());
    }
}

#[test]
fn the_new_session_form_can_be_cancelled() {
    let shop = Shop::with_teddy();
    let mut screen = shop.drive(None, (100, 30));
    screen.keys("n enter").unwrap();
    assert!(screen.text().contains("The task is empty"), "{}", screen.text());
    screen.keys("<Count> alt-enter <twice> esc").unwrap();
    assert!(!screen.text().contains("New session"), "{}", screen.text());
    assert_eq!(shop.sessions(), 0);
}

#[test]
fn another_task_can_be_undone_and_become_the_sessions_goal() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("t home <Stock and > esc").unwrap();
    insta::assert_snapshot!("goal_offer", at_three_sizes(&mut screen));
    screen.keys("enter").unwrap();
    assert!(
        screen.text().contains("Task changed; the session keeps its goal and name (ag updates"),
        "{}",
        screen.text()
    );
    assert!(shop.turn_yaml().contains("Stock and Add refunds"), "{}", shop.turn_yaml());
    screen.keys("p").unwrap();
    screen.keys("u u").unwrap();
    assert!(screen.text().contains(&format!("Undid: the task is “{TASK}”")), "{}", screen.text());
    assert!(!shop.turn_yaml().contains("Stock and"), "{}", shop.turn_yaml());
    screen.keys("u").unwrap();
    assert!(screen.text().contains("Nothing to undo"), "{}", screen.text());
    screen.keys("ctrl-r").unwrap();
    assert!(shop.turn_yaml().contains("Stock and Add refunds"), "{}", shop.turn_yaml());
    screen.keys("a g").unwrap();
    assert!(screen.text().contains("the session is now 20261116-stock-and"), "{}", screen.text());
    let goal = std::fs::read_to_string(shop.session().join("session.yaml")).unwrap();
    assert!(goal.contains("goal: Stock and Add refunds to the payment ledger"), "{goal}");
    // The turn is still open and locked under its new name.
    screen.keys("p q").unwrap();
    assert!(shop.turn_yaml().contains("ruling: pin"), "{}", shop.turn_yaml());
    assert_eq!(shop.sessions(), 1);
}

#[test]
fn a_new_task_becomes_the_goal_at_once_if_that_is_confirmed() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("t home <Stock and > esc y").unwrap();
    assert!(screen.text().contains("the session is now 20261116-stock-and"), "{}", screen.text());
    let record = std::fs::read_to_string(shop.session().join("session.yaml")).unwrap();
    assert!(record.contains("goal: Stock and Add refunds to the payment ledger"), "{record}");
    // The goal has changed, so another change to the task prompts again. A change to the budget does not.
    screen.keys("t tab tab tab ctrl-u <9k> esc").unwrap();
    assert!(!screen.text().contains("goal?"), "{}", screen.text());
    screen.keys("t home <Twice: > esc").unwrap();
    assert!(screen.text().contains("goal?"), "{}", screen.text());
}

#[test]
fn prefixes_list_the_keys_that_follow() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("a").unwrap();
    let text = screen.text();
    assert!(text.contains("s Pin in every turn") && text.contains("g Use the task as the session's goal"), "{text}");
    insta::assert_snapshot!("which_key", at_three_sizes(&mut screen));
    screen.keys("esc").unwrap();
    assert!(!screen.text().contains("s Pin in every turn"), "{}", screen.text());
}

#[test]
fn contents_and_definitions_are_found_by_the_filter() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    // Only these files contain the word, and no path does.
    screen.keys("/ <text:bookings>").unwrap();
    insta::assert_snapshot!("text_filter", at_three_sizes(&mut screen));
    let text = screen.text();
    assert!(text.contains("ledger.rs  src/pay") && !text.contains("stock.rs  "), "{text}");
    screen.keys("ctrl-u <sym:refund> enter").unwrap();
    let text = screen.text();
    assert!(text.contains("refund.rs  src/pay") && !text.contains("stock.rs  "), "{text}");
}
