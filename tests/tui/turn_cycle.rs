//! From a payload to the next turn: the answer, its acknowledgement, "What next?", and turns that are only viewed.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

#[cfg(unix)]
use crate::project::clipboard;
use crate::project::{Shop, at_three_sizes};

const ANSWER: &str = "# Plan\n\n1. Book a negative amount.\n2. Test it.\n";

fn name(shop: &Shop) -> String {
    shop.session().file_name().unwrap().to_str().unwrap().to_owned()
}

/// The screen on a session whose turn was delivered and answered.
fn answered(shop: &Shop, size: (u16, u16)) -> Driver {
    let mut screen = shop.workbench(size);
    screen.keys("w q").unwrap();
    drop(screen);
    std::fs::write(shop.session().join("01/plan.md"), ANSWER).unwrap();
    shop.drive(Some(OpenTarget::Resume(name(shop))), size)
}

/// A session with a finished first turn.
fn finished(shop: &Shop) {
    drop(answered(shop, (120, 40)));
    std::fs::write(shop.session().join("01/report.md"), "Done.\n").unwrap();
}

#[cfg(unix)]
fn acknowledgement(shop: &Shop, fingerprint: Option<&str>) -> String {
    let payload = std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    let read = teddy::render::parse(&payload).unwrap();
    let mut groups: Vec<&str> = read.linked.iter().map(|link| link.label.as_str()).collect();
    groups.dedup();
    let (raw, linked) = (read.raw.len(), groups.len());
    let fingerprint = fingerprint.unwrap_or(&read.meta.fingerprint[..16]);
    format!(
        "PAYLOAD_ACK:\n  fingerprint: {fingerprint}\n  raw_sections: {raw} / {raw}\n  linked_sections: {linked} / {linked}\n  status: complete\n  missing: []\n"
    )
}

#[cfg(unix)]
#[test]
fn three_keys_lead_to_the_next_turn() {
    let shop = Shop::with_teddy();
    let directory = tempfile::tempdir().unwrap();
    let held = directory.path().join("held");
    let mut screen = shop.drive_with(clipboard(directory.path()), (120, 40));
    screen.keys("y").unwrap();
    std::fs::write(&held, format!("{}\n{ANSWER}", acknowledgement(&shop, None))).unwrap();
    screen.keys("A").unwrap();
    let text = screen.text();
    assert!(text.contains("What next?") && text.contains("is acknowledged"), "{text}");
    assert!(text.contains(" items ") && text.contains("ledger.rs"), "the items stay visible:\n{text}");
    insta::assert_snapshot!("what_next", at_three_sizes(&mut screen));
    screen.keys("<Now write the docs> enter").unwrap();
    let text = screen.text();
    assert!(text.contains("› turn 02") && !text.contains("What next?"), "{text}");
    let turn = std::fs::read_to_string(shop.session().join("02/turn.yaml")).unwrap();
    assert!(turn.contains("message: Now write the docs"), "{turn}");
    assert!(!shop.session().join("01/report.md").exists(), "the report is optional");
    screen.keys("y").unwrap();
    let payload = std::fs::read_to_string(&held).unwrap();
    assert!(payload.contains("Now write the docs") && payload.contains("Book a negative amount"), "{payload}");
}

#[test]
fn the_preview_says_how_much_of_the_last_payload_is_reusable() {
    let shop = Shop::with_teddy();
    shop.write(".teddy/config.yaml", "format: xml\n");
    let mut screen = answered(&shop, (120, 40));
    screen.keys("v").unwrap();
    assert!(!screen.text().contains("reusable"), "{}", screen.text());
    screen.keys("esc n <Now write the docs> enter v").unwrap();
    let text = screen.text();
    assert!(text.contains(" tokens reusable"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_wrong_fingerprint_is_reported_and_the_answer_can_be_undone() {
    let shop = Shop::with_teddy();
    let directory = tempfile::tempdir().unwrap();
    let held = directory.path().join("held");
    let mut screen = shop.drive_with(clipboard(directory.path()), (160, 40));
    screen.keys("y").unwrap();
    std::fs::write(&held, format!("{}\n{ANSWER}", acknowledgement(&shop, Some("0123456789abcdef")))).unwrap();
    screen.keys("A").unwrap();
    let text = screen.text();
    assert!(text.contains("the acknowledgement is for another payload: `0123456789abcdef`"), "{text}");
    screen.keys("esc u").unwrap();
    assert!(screen.text().contains(" items ") && !screen.text().contains("read-only"), "{}", screen.text());
    assert!(!shop.session().join("01/plan.md").exists() && shop.session().join("01/plan.undone.md").exists());
    // The turn is open again, so its payload can be changed.
    screen.keys("x w").unwrap();
    assert!(screen.text().contains("Wrote "), "{}", screen.text());
}

#[test]
fn the_pane_is_filled_in_every_turn() {
    let shop = Shop::with_teddy();
    let mut screen = answered(&shop, (120, 40));
    screen.keys("home n enter").unwrap();
    let text = screen.text();
    assert!(text.contains("› turn 02") && text.contains("of 10  rank 1 of "), "{text}");
    // An item with the same number in another turn is a different item.
    screen.keys("S").unwrap();
    screen.keys("enter home").unwrap();
    assert!(screen.text().contains("of 10  rank 1 of "), "{}", screen.text());
}

#[test]
fn carried_over_files_are_marked_until_a_person_pins_them() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <src/pay/refund.rs> enter").unwrap();
    assert!(screen.text().contains("▌  RAW "), "in RAW because of its score:\n{}", screen.text());
    screen.keys("w q").unwrap();
    drop(screen);
    std::fs::write(shop.session().join("01/plan.md"), ANSWER).unwrap();
    std::fs::write(shop.session().join("01/report.md"), "Done.\n").unwrap();
    let mut screen = shop.drive(Some(OpenTarget::Resume(name(&shop))), (120, 40));
    assert!(screen.text().contains("› turn 02"), "{}", screen.text());
    screen.keys("/ <is:carried src/pay/refund.rs> enter").unwrap();
    let text = screen.text();
    assert!(text.contains("▌c RAW ") && text.contains("carried over from the previous turn"), "{text}");
    insta::assert_snapshot!("carried_over", at_three_sizes(&mut screen));
    screen.keys("M").unwrap();
    assert!(screen.text().contains(" c RAW "), "{}", screen.text());
    screen.keys("esc esc / ctrl-u <is:pinned> enter").unwrap();
    assert!(screen.text().contains("0 of "), "nothing was pinned by a person:\n{}", screen.text());
    screen.keys("/ ctrl-u <src/pay/refund.rs> enter p").unwrap();
    let text = screen.text();
    assert!(text.contains("▌P RAW ") && !text.contains("carried over"), "{text}");
}

#[test]
fn a_report_is_saved_with_the_turn_that_it_is_about() {
    let shop = Shop::with_teddy();
    let mut screen = answered(&shop, (120, 40));
    let text = screen.text();
    assert!(text.contains("answered, read-only") && text.contains("Turn 01 has its answer"), "{text}");
    screen.keys("i").unwrap();
    assert!(screen.text().contains("Book a negative amount"), "{}", screen.text());
    screen.keys("esc n <Go on> tab <Booked and tested.> shift-tab enter").unwrap();
    assert!(screen.text().contains("› turn 02"), "{}", screen.text());
    assert_eq!(std::fs::read_to_string(shop.session().join("01/report.md")).unwrap(), "Booked and tested.\n");
}

#[test]
fn the_turn_page_shows_which_items_were_used() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("w q").unwrap();
    drop(screen);
    std::fs::write(shop.session().join("01/plan.md"), "Change src/pay/ledger.rs and `refund(ledger, 5)`.\n").unwrap();
    shop.write("src/pay/ledger.rs", "pub struct Ledger;\n");
    shop.write("src/stock.rs", "pub fn left() {}\n");
    let mut screen = shop.drive(Some(OpenTarget::Resume(name(&shop))), (120, 40));
    screen.keys("i").unwrap();
    assert!(screen.text().contains("Items that were used in turn 01"), "{}", screen.text());
    insta::assert_snapshot!("items_that_were_used", at_three_sizes(&mut screen));
    // The page of the next turn also lists the items that were used in turn 01.
    screen.keys("esc n <Go on> enter i").unwrap();
    let text = screen.text();
    assert!(text.contains("› turn 02") && text.contains("Items that were used in turn 01"), "{text}");
}

#[test]
fn the_report_can_be_written_in_the_editor_and_a_failed_start_keeps_what_was_typed() {
    let shop = Shop::with_teddy();
    let mut screen = answered(&shop, (120, 40));
    screen.editor_writes("Booked and tested.\n");
    let lock = teddy::project::lock::Lock::acquire(&shop.session()).unwrap();
    screen.keys("n <Go on> tab ctrl-e shift-tab enter").unwrap();
    let text = screen.text();
    assert!(text.contains("What next?") && text.contains("Go on") && text.contains("Booked and tested."), "{text}");
    assert!(!shop.session().join("01/report.md").exists() && !shop.session().join("02").exists());
    drop(lock);
    screen.keys("enter").unwrap();
    assert!(screen.text().contains("› turn 02"), "{}", screen.text());
    assert_eq!(std::fs::read_to_string(shop.session().join("01/report.md")).unwrap(), "Booked and tested.\n");
}

#[test]
fn an_empty_task_repeats_the_goal_and_esc_starts_nothing() {
    let shop = Shop::with_teddy();
    let mut screen = answered(&shop, (80, 24));
    screen.keys("n esc").unwrap();
    assert!(!shop.session().join("02").exists() && screen.text().contains("› turn 01"), "{}", screen.text());
    screen.keys("n enter").unwrap();
    let turn = std::fs::read_to_string(shop.session().join("02/turn.yaml")).unwrap();
    assert!(turn.contains(&format!("message: {}", crate::project::TASK)), "{turn}");
}

#[test]
fn a_finished_turn_is_viewed_and_changes_nothing() {
    let shop = Shop::with_teddy();
    finished(&shop);
    let payload = std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap();
    let record = shop.turn_yaml();
    let mut screen = shop.drive(Some(OpenTarget::Resume(format!("{}/01", name(&shop)))), (120, 40));
    let text = screen.text();
    assert!(text.contains("finished, read-only") && text.contains("› turn 01"), "{text}");
    insta::assert_snapshot!("finished_turn", at_three_sizes(&mut screen));
    for key in ["p", "x", "d", "+", "t", "w", "F", "u"] {
        screen.keys(key).unwrap();
        assert!(screen.text().contains("Turn 01 is finished and read-only; n starts"), "{key}: {}", screen.text());
    }
    screen.keys("M x").unwrap();
    assert!(screen.text().contains("Turn 01 is finished and read-only; n starts"), "{}", screen.text());
    screen.keys("M").unwrap();
    // The payload is shown as delivered, although a file has changed since.
    shop.write("src/pay/ledger.rs", "pub struct Ledger;\n");
    screen.changed(&["src/pay/ledger.rs"]);
    screen.keys("v").unwrap();
    assert!(screen.text().contains("Payload hybrid"), "{}", screen.text());
    screen.keys("f").unwrap();
    assert!(screen.text().contains("read-only"), "{}", screen.text());
    screen.keys("/ <oldest first> enter").unwrap();
    assert!(screen.text().contains("Match 1 of"), "{}", screen.text());
    screen.keys("esc q").unwrap();
    assert_eq!(std::fs::read_to_string(shop.session().join("01/payload.md")).unwrap(), payload);
    assert_eq!(shop.turn_yaml(), record);
    assert!(!shop.session().join("02").exists(), "no turn was started");
}

#[test]
fn the_next_turn_starts_from_a_viewed_one() {
    let shop = Shop::with_teddy();
    finished(&shop);
    let mut screen = shop.drive(Some(OpenTarget::Resume(format!("{}/01", name(&shop)))), (120, 40));
    screen.keys("n <Now the docs> enter").unwrap();
    assert!(screen.text().contains("› turn 02") && !screen.text().contains("read-only"), "{}", screen.text());
    let turn = std::fs::read_to_string(shop.session().join("02/turn.yaml")).unwrap();
    assert!(turn.contains("message: Now the docs"), "{turn}");
    // A turn that another one continues is finished, even without a report.
    drop(screen);
    std::fs::remove_file(shop.session().join("01/report.md")).unwrap();
    let mut screen = shop.drive(Some(OpenTarget::Resume(format!("{}/01", name(&shop)))), (120, 40));
    assert!(screen.text().contains("finished, read-only"), "{}", screen.text());
}

#[test]
fn the_sessions_screen_opens_any_turn() {
    let shop = Shop::with_teddy();
    finished(&shop);
    let mut screen = shop.drive(Some(OpenTarget::Resume(name(&shop))), (120, 40));
    screen.keys("w S l").unwrap();
    let text = screen.text();
    assert!(text.contains("turn 01") && text.contains("turn 02"), "{text}");
    insta::assert_snapshot!("sessions_with_turns", at_three_sizes(&mut screen));
    screen.keys("j enter").unwrap();
    assert!(screen.text().contains("› turn 01 finished, read-only"), "{}", screen.text());
    screen.keys("S h").unwrap();
    assert!(!screen.text().contains("turn 01"), "{}", screen.text());
}

#[test]
fn the_preview_of_a_session_shows_no_markup() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("w S").unwrap();
    let text = screen.text();
    assert!(
        text.contains("Payload Map") && !text.contains("###") && !text.contains("**") && !text.contains("| RAW"),
        "{text}"
    );
}

#[test]
fn a_handoff_is_written_on_the_screen() {
    let shop = Shop::with_teddy();
    let mut screen = answered(&shop, (100, 30));
    screen.keys("O").unwrap();
    assert!(screen.text().contains("Handoff") && screen.text().contains("# goal"), "{}", screen.text());
    insta::assert_snapshot!("handoff", at_three_sizes(&mut screen));
    screen.keys("esc").unwrap();
    assert!(screen.text().contains("unchanged") && !shop.session().join("01/handoff.json").exists());
    screen.editor_writes("# decisions_made\n\n- Round half up\n");
    screen.keys("O ctrl-e").unwrap();
    screen.paste("# open_risks\r\r- Keep cents\r\r");
    screen.keys("esc").unwrap();
    assert!(screen.text().contains("Wrote the handoff of turn 01"), "{}", screen.text());
    let kept = std::fs::read_to_string(shop.session().join("01/handoff.json")).unwrap();
    assert!(kept.contains("Round half up") && kept.contains("Keep cents"), "{kept}");
}

#[test]
fn a_pin_is_stored_for_the_session_or_the_project_and_removed_again() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("/ <stock.rs> enter a s").unwrap();
    assert!(screen.text().contains("Only pinned files can be stored; p pins"), "{}", screen.text());
    screen.keys("p a s a p").unwrap();
    assert!(screen.text().contains("Stored the pin of src/stock.rs in .teddy/global.context"), "{}", screen.text());
    let session = shop.session().join("session.context");
    let global = shop.root().join(".teddy/global.context");
    for file in [&session, &global] {
        assert!(std::fs::read_to_string(file).unwrap().lines().any(|line| line == "src/stock.rs"));
    }
    screen.keys("a p").unwrap();
    assert!(screen.text().contains("Removed the pin of src/stock.rs from .teddy/global.context"), "{}", screen.text());
    assert!(!std::fs::read_to_string(&global).unwrap().contains("src/stock.rs"));
}

#[test]
fn a_trial_leaves_no_session_and_a_decision_keeps_it() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    screen.keys("j j s v esc q").unwrap();
    assert_eq!(shop.sessions(), 0);
    for keys in ["p q", "p u q", "+ q", "t < twice> esc q", "w q"] {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench((120, 40));
        screen.keys(keys).unwrap();
        assert_eq!(shop.sessions(), 1, "{keys}");
    }
}

#[test]
fn the_first_screen_keeps_teddy_out_of_git() {
    for (keys, kept_out) in [("g enter", true), ("enter", false), ("g g enter", false)] {
        let shop = Shop::new();
        let mut screen = shop.drive(None, (100, 30));
        screen.keys(keys).unwrap();
        let status =
            std::process::Command::new("git").args(["status", "--porcelain"]).current_dir(shop.root()).output();
        let status = String::from_utf8(status.unwrap().stdout).unwrap();
        assert_eq!(!status.contains(".teddy"), kept_out, "{keys}: {status}");
    }
}

#[test]
fn rank_1_is_the_first_row() {
    let shop = Shop::with_teddy();
    let mut screen = shop.workbench((120, 40));
    for rank in 1..=13 {
        assert!(screen.text().contains(&format!("rank {rank} of 13")), "{}", screen.text());
        screen.keys("j").unwrap();
    }
}

#[cfg(unix)]
#[test]
fn the_copy_message_fits_the_width() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let shop = Shop::with_teddy();
        let directory = tempfile::tempdir().unwrap();
        let mut screen = shop.drive_with(clipboard(directory.path()), size);
        screen.keys("y").unwrap();
        assert!(screen.text().contains("(confirmed); also in 01/payload.md"), "{}", screen.text());
    }
}

#[test]
fn evidence_phase_and_format_are_set_in_the_form() {
    let shop = Shop::with_teddy();
    shop.write("build.log", "thread 'main' panicked at src/pay/ledger.rs:12:9:\nboom\n");
    let mut screen = shop.drive(None, (120, 40));
    screen
        .keys("n <Fix the crash> tab tab tab tab right right tab right tab <build.log> tab <No crash> tab enter")
        .unwrap();
    let kept = shop.turn_yaml();
    for part in ["format: xml", "phase: 1", "- build.log"] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    let meta = std::fs::read_to_string(shop.session().join("session.yaml")).unwrap();
    assert!(meta.contains("No crash"), "{meta}");
    assert!(shop.session().join("01/evidence-01.log").is_file());
    // In the form for the open turn, the same fields change that turn.
    shop.write("more.log", "thread 'main' panicked at src/stock.rs:1:1:\nboom\n");
    screen.keys("t tab tab tab tab right tab right tab <more.log> esc").unwrap();
    let kept = shop.turn_yaml();
    for part in ["format: invocation", "phase: 2", "- more.log"] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    screen.keys("t").unwrap();
    assert!(screen.text().contains("in the turn: build.log, more.log"), "{}", screen.text());
}
