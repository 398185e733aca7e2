//! A turn that has a plan: shown on the screen, and its report taken there.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::project::Shop;

const PLAN: &str = "# Plan\n\n1. Book a negative amount.\n2. Test it.\n";

/// The screen on a session whose turn was delivered and planned.
fn planned(shop: &Shop) -> Driver {
    let mut screen = shop.workbench((120, 40));
    screen.keys("w q").unwrap();
    drop(screen);
    std::fs::write(shop.session().join("01/plan.md"), PLAN).unwrap();
    let name = shop.session().file_name().unwrap().to_str().unwrap().to_owned();
    shop.drive(Some(OpenTarget::Resume(name)), (120, 40))
}

#[test]
fn the_plan_is_shown_and_the_report_written_in_the_editor() {
    let shop = Shop::with_teddy();
    let mut screen = planned(&shop);
    let text = screen.text();
    assert!(text.contains("Book a negative amount") && text.contains("Awaiting report"), "{text}");
    screen.editor_writes("\n");
    screen.keys("e").unwrap();
    assert!(screen.text().contains("The report is empty; nothing was saved"), "{}", screen.text());
    screen.editor_writes("Booked and tested.\n");
    screen.keys("e").unwrap();
    let kept = std::fs::read_to_string(shop.session().join("01/report.md")).unwrap();
    assert_eq!(kept, "Booked and tested.\n");
    assert!(screen.text().contains("/ 02"), "the next turn begins:\n{}", screen.text());
}

#[test]
fn the_report_can_be_a_file_and_a_wrong_path_is_said() {
    let shop = Shop::with_teddy();
    let mut screen = planned(&shop);
    screen.keys("f").unwrap();
    // The keys behind the question are still those of the screen.
    assert!(screen.text().contains("Awaiting report: e write, f load file"), "{}", screen.text());
    screen.keys("<nowhere.md> enter").unwrap();
    assert!(screen.text().contains("cannot read") && screen.text().contains("Awaiting report"), "{}", screen.text());
    // The typed text stays and can be corrected.
    assert!(screen.text().contains("Report file") && screen.text().contains("│ nowhere.md"), "{}", screen.text());
    shop.write("outcome.md", "It works.\n");
    screen.keys("ctrl-u <outcome.md> enter").unwrap();
    assert!(screen.text().contains("/ 02"), "{}", screen.text());
    assert_eq!(std::fs::read_to_string(shop.session().join("01/report.md")).unwrap(), "It works.\n");
}

#[test]
fn one_can_leave_it_for_the_sessions_and_come_back() {
    let shop = Shop::with_teddy();
    let mut screen = planned(&shop);
    screen.keys("S").unwrap();
    assert!(screen.text().contains("Sessions 1") && screen.text().contains("planned"), "{}", screen.text());
    screen.keys("enter").unwrap();
    assert!(screen.text().contains("Book a negative amount"), "{}", screen.text());
}

#[test]
fn a_plan_kept_by_mistake_is_taken_back() {
    let shop = Shop::with_teddy();
    let mut screen = planned(&shop);
    assert!(screen.text().contains("u undo answer"), "{}", screen.text());
    screen.keys("u").unwrap();
    let text = screen.text();
    assert!(text.contains(" items ") && text.contains("/ 01"), "the turn is open again:\n{text}");
    assert!(text.contains("undid the answer; it is kept as .teddy/sessions/"), "{text}");
    let turn = shop.session().join("01");
    assert!(!turn.join("plan.md").exists(), "{text}");
    assert_eq!(std::fs::read_to_string(turn.join("plan.undone.md")).unwrap(), PLAN);
    // It is as it was before: what goes out can be changed again.
    screen.keys("x w").unwrap();
    assert!(screen.text().contains("Wrote "), "{}", screen.text());
}

#[test]
fn a_report_that_could_not_be_kept_is_still_there_to_be_kept() {
    let shop = Shop::with_teddy();
    let mut screen = planned(&shop);
    let lock = teddy::project::lock::Lock::acquire(&shop.session()).unwrap();
    screen.editor_writes("Booked and tested.\n");
    screen.keys("e").unwrap();
    assert!(!shop.session().join("01/report.md").exists(), "{}", screen.text());
    drop(lock);
    // The editor shows what was written; it is left as it is and saved.
    screen.editor_keeps();
    screen.keys("e").unwrap();
    assert_eq!(std::fs::read_to_string(shop.session().join("01/report.md")).unwrap(), "Booked and tested.\n");
}
