//! Workflows in a real terminal.

use crate::terminal::{PLAN, Project, Terminal, is_restored, wait_until};

#[test]
fn a_session_from_first_task_to_second_turn() {
    let project = Project::new();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for("There is no .teddy/ here yet");
    screen.send("\r");
    screen.wait_for_items(61);
    screen.send("/other\r");
    screen.wait_for("1 of 61 items");
    screen.send("p");
    screen.wait_for("Pinned src/other.rs");
    screen.send("\x1b");
    screen.wait("the filter to go", |text| text.contains("╭ 61 items"));
    screen.send("/refund_07\r");
    screen.wait_for("1 of 61 items");
    screen.send("d");
    screen.wait_for("Demoted src/refund_07.rs");
    screen.send("x");
    screen.wait_for("Excluded src/refund_07.rs");
    screen.send("u");
    screen.wait_for("Undid: exclude src/refund_07.rs");
    screen.send("t");
    screen.wait_for("Acceptance criteria");
    screen.send(" and refund_08\x1b");
    screen.wait_for("as the session's goal?");
    screen.send("\r");
    screen.wait("the form to close", |text| !text.contains("Acceptance criteria") && !text.contains("scoring"));
    screen.send("w");
    screen.wait_for("Wrote ");
    screen.send("q");
    let (raw, status) = screen.end();
    assert!(status.success() && is_restored(&raw));
    let kept = project.turn_yaml();
    assert!(
        kept.contains("ruling: pin") && kept.contains("ruling: move:linked") && kept.contains("and refund_08"),
        "{kept}"
    );

    let mut again = Terminal::start(&project.root(), &["resume"], (120, 40), &[]);
    again.wait_for("/refund_07");
    again.wait_for("1 of 61 items");
    again.send("u");
    again.wait_for("Undid: src/refund_07.rs to LINKED");
    again.send("q");
    assert!(again.end().1.success());
}

#[test]
fn lines_are_chosen_in_the_pane_and_kept() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.send("/other\r");
    screen.wait_for("1 of 61 items");
    // Keys typed before the content has arrived are applied to it.
    screen.send("\r] ");
    screen.wait_for("Included nothing (line 1) of src/other.rs");
    screen.wait("the content", |text| text.contains("[content]") && text.contains("1 pub fn nothing()"));
    screen.send("\x1b");
    screen.wait("the list to have focus again", |text| text.contains("Space select"));
    screen.send("/\x15refund_07\r");
    screen.wait("the other file", |text| text.contains("┬ src/refund_07.rs") && text.contains("pub fn refund_7()"));
    screen.send("\r");
    screen.wait_for("include");
    screen.send("V");
    screen.send("x");
    screen.wait_for("Dropped line 1 of src/refund_07.rs");
    screen.send("q");
    let (raw, status) = screen.end();
    assert!(status.success() && is_restored(&raw));
    assert!(project.turn_yaml().contains("src/refund_07.rs:2"), "{}", project.turn_yaml());

    let mut again = Terminal::start(&project.root(), &["resume"], (120, 40), &[]);
    again.wait_for("1 of 61 items");
    again.send("u");
    again.wait_for("Undid: ");
    again.send("q");
    assert!(again.end().1.success());
}

#[test]
fn keys_in_a_burst_are_never_lost() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.send(&format!("/refund\r{}", "j".repeat(40)));
    screen.wait_for("60 of 61 items");
    screen.wait_for("41 of 60");
    // The whole burst is typed into one field.
    screen.send(&format!("/{}", "j".repeat(40)));
    screen.wait_for(&format!("/refund{}", "j".repeat(40)));
    screen.send("\x03");
    assert!(screen.end().1.success());
}

#[test]
fn keys_typed_before_the_first_frame_are_not_lost() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.send("?");
    screen.wait_for("Help");
    // Esc and a letter together would be Alt with that letter.
    screen.send("\x1b");
    screen.wait("help to close", |text| !text.contains("Help"));
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn pasted_text_is_complete_and_runs_no_commands() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.send("\x1b[200~xxq\nq\x1b[201~");
    screen.wait_for("does not run commands");
    screen.send("t\x1b[200~ then\rsecond line\r\nthird line\nfourth line\x1b[201~");
    screen.wait_for("fourth line");
    screen.send("\x1b");
    screen.wait_for("as the session's goal?");
    screen.send("\r");
    screen.wait("the form to close", |text| !text.contains("Acceptance criteria") && !text.contains("scoring"));
    screen.send("q");
    assert!(screen.end().1.success());
    let kept = project.turn_yaml();
    assert!(!kept.contains("ruling"), "{kept}");
    let lines: Vec<&str> = kept.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.ends_with(" then")).unwrap_or_else(|| panic!("{kept}"));
    assert_eq!(lines[at + 1..at + 4], ["second line", "third line", "fourth line"], "{kept}");
}

#[test]
fn many_resizes_are_harmless() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    for turn in 0..1_000u16 {
        screen.resize((1 + turn * 7 % 200, 1 + turn * 3 % 60));
    }
    screen.resize((1, 1));
    screen.resize((100, 30));
    screen.wait_for_items(61);
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn a_key_typed_during_a_resize_is_handled() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.wait_for("1 of 61");
    for turn in 0..60u16 {
        for step in 0..60 {
            screen.resize((100 + step % 7, 40));
            if step == turn {
                screen.send(if turn % 2 == 0 { "j" } else { "k" });
            }
        }
        screen.wait_for(if turn % 2 == 0 { "2 of 61" } else { "1 of 61" });
    }
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn the_terminal_is_restored_after_the_editor() {
    let project = Project::with_teddy();
    let editor = project.editor("Rewrite refund_09 entirely");
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[("EDITOR", &editor)]);
    screen.wait_for_items(61);
    screen.send("t\x05");
    screen.wait_for("Rewrite refund_09 entirely");
    screen.send("\x1b");
    screen.wait_for("as the session's goal?");
    screen.send("\r");
    screen.wait("the form to close", |text| !text.contains("Acceptance criteria") && !text.contains("scoring"));
    screen.send("jjq");
    assert!(screen.end().1.success());
    assert!(project.turn_yaml().contains("Rewrite refund_09 entirely"), "{}", project.turn_yaml());
}

#[test]
fn changes_by_other_programs_are_noticed() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    std::fs::write(project.root().join("src/refund_99.rs"), "pub fn refund_99() {}\n").unwrap();
    screen.wait_for(" 62 items");
    screen.send("/refund_99\r");
    screen.wait_for("1 of 62 items");
    std::fs::write(project.root().join(".teddy/global.context"), "src/refund_99.rs\n").unwrap();
    screen.wait("the pin from the list", |text| {
        text.lines().any(|line| line.contains("P RAW") && line.contains("refund_99"))
    });
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn an_idle_screen_sleeps() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.wait("the gauges", |text| text.contains("free") && !text.contains("reading"));
    let threads = format!("/proc/{}/task", screen.pid());
    // Voluntary context switches of each thread: their number grows whenever the thread wakes up and waits again.
    let wakes = || -> Vec<String> {
        let threads = std::fs::read_dir(&threads).unwrap().flatten();
        let statuses = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("status")).ok());
        let waits = |status: String| status.lines().find(|line| line.starts_with("voluntary")).map(ToOwned::to_owned);
        statuses.filter_map(waits).collect()
    };
    // Tokens are counted in the background first; a screen that redraws or polls would never become idle.
    let (mut before, mut quiet) = (wakes(), 0);
    wait_until("a hundred samples without a wake", || {
        let now = wakes();
        quiet = if now == before { quiet + 1 } else { 0 };
        before = now;
        quiet == 100
    });
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn no_color_is_used_without_color_support() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[("NO_COLOR", "1"), ("TEDDY_ASCII", "1")]);
    let text = screen.wait_for_items(61);
    assert!(text.is_ascii(), "{text}");
    screen.send("q");
    let (raw, _) = screen.end();
    let raw = String::from_utf8_lossy(&raw).into_owned();
    for colour in 31..=37 {
        assert!(!raw.contains(&format!("\x1b[{colour}m")) && !raw.contains(&format!("\x1b[38;5;{}m", colour - 30)));
    }
}

#[test]
fn esc_cancels_the_first_scan_and_another_can_be_started() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    // The key arrives before the first frame, so it is applied before the first file arrives.
    screen.send("\x1b");
    screen.wait_for("Scan cancelled");
    assert!(!project.root().join(".teddy/sessions").read_dir().is_ok_and(|mut all| all.next().is_some()));
    screen.send("R");
    screen.wait_for_items(61);
    screen.wait_for("free");
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn the_environment_overrides_the_configured_theme() {
    let project = Project::with_teddy();
    let config = project.root().join("../config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.yaml"), "theme: dark\n").unwrap();
    let colours = |env: &[(&str, &str)]| {
        let mut screen = Terminal::start(&project.root(), &[], (120, 40), env);
        screen.wait_for("Sessions");
        screen.send("q");
        let raw = String::from_utf8_lossy(&screen.end().0).into_owned();
        // Text colour of dark, then of light.
        (raw.contains("38;2;216;222;233"), raw.contains("38;2;46;52;64"))
    };
    assert_eq!(colours(&[]), (true, false));
    assert_eq!(colours(&[("TEDDY_THEME", "light")]), (false, true));
    assert_eq!(colours(&[("NO_COLOR", "1")]), (false, false));
}

#[test]
fn keys_before_the_first_frame_are_applied_once_items_arrive() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.send(&format!("/refund\r{}", "j".repeat(40)));
    screen.wait_for("60 of 61 items · by score");
    let text = screen.wait_for("of 60");
    // Files arrive in any order, but none of the forty steps is lost.
    assert!(text.contains("/refund"), "{text}");
    screen.send("gg");
    screen.wait_for("1 of 60");
    screen.send(&"j".repeat(40));
    screen.wait_for("41 of 60");
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn a_turn_cycle_from_copying_to_the_next_turn_and_back() {
    let project = Project::with_teddy();
    let bin = project.root().join("../bin");
    let held = project.clipboard(&bin);
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let env = [("WAYLAND_DISPLAY", "wayland-0"), ("PATH", path.as_str())];
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &env);
    screen.wait_for_items(61);
    screen.send("y");
    screen.wait_for("also in ");
    assert!(std::fs::read_to_string(&held).unwrap().contains("refund_07"));
    std::fs::write(&held, "Rename it everywhere.\n").unwrap();
    screen.send("A");
    screen.wait_for("What next?");
    screen.wait_for("it has no acknowledgement");
    screen.send("Now the docs of refund_08\tRenamed.\x1b[Z\r");
    screen.wait_for("› turn 02");
    screen.wait_for_items(63);
    screen.send("y");
    screen.wait_for("also in ");
    let payload = std::fs::read_to_string(&held).unwrap();
    assert!(payload.contains("Now the docs of refund_08") && payload.contains("Rename it everywhere."), "{payload}");
    screen.send("q");
    assert!(screen.end().1.success());
    let session = std::fs::read_dir(project.root().join(".teddy/sessions")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(std::fs::read_to_string(session.join("01/report.md")).unwrap(), "Renamed.\n");
    let first = format!("{}/01", session.file_name().unwrap().to_str().unwrap());
    let mut screen = Terminal::start(&project.root(), &["resume", &first], (120, 40), &[]);
    screen.wait_for("finished, read-only");
    screen.send("p");
    screen.wait_for("n starts the next turn");
    screen.send("q");
    assert!(screen.end().1.success());
    assert!(!session.join("03").exists());
}

#[test]
fn plan_without_a_task_opens_the_form() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), &["plan", "--pin", "src/other.rs"], (120, 40), &[]);
    screen.wait_for("New session");
    screen.send("\x1b[200~Rename refund_07\rin the ledger\x1b[201~");
    screen.wait_for("in the ledger");
    screen.send("\r");
    screen.wait_for_items(61);
    screen.send("q");
    assert!(screen.end().1.success());
    let kept = project.turn_yaml();
    assert!(kept.contains("Rename refund_07\n") && kept.contains("- src/other.rs"), "{kept}");
}

#[test]
fn the_tour_notices_each_key_and_leaves_nothing() {
    let project = Project::new();
    let mut screen = Terminal::start(&project.root(), &["tour"], (120, 40), &[]);
    screen.wait_for("Tour 1 of 5");
    let text = screen.wait_for(" free");
    assert!(text.contains("goes to the next item"), "{text}");
    screen.send("j");
    screen.wait_for("Tour 2 of 5");
    screen.send("p");
    screen.wait_for("Tour 3 of 5");
    screen.wait_for("Pinned tests/test_service.py");
    screen.send("o");
    screen.wait_for("Tour 4 of 5");
    screen.wait_for("Last change");
    screen.send("\x1b");
    screen.wait("the view to close", |text| !text.contains("Last change"));
    screen.send("u");
    screen.wait_for("Tour 5 of 5");
    screen.send("v");
    screen.wait_for("Tour finished");
    screen.wait_for("Context Payload");
    screen.send("\x1b");
    screen.wait("the payload to close", |text| !text.contains("Context Payload"));
    screen.send("q");
    let (_, status) = screen.end();
    assert!(status.success());
    assert!(!project.root().join(".teddy").exists());
}

#[test]
fn a_misplaced_report_gives_the_same_error_with_and_without_the_screen() {
    let project = Project::with_teddy();
    let root = project.root();
    std::fs::write(root.join("report.md"), "It works.\n").unwrap();
    let said = |arguments: &[&str]| {
        let (raw, status) = Terminal::start(&root, arguments, (160, 40), &[]).end();
        (String::from_utf8_lossy(&raw).into_owned(), status.exit_code())
    };
    let compare = |expected: &str| {
        let screen = said(&["resume", "--report", "report.md"]);
        assert_eq!(screen, said(&["resume", "--report", "report.md", "--no-tui"]));
        assert!(screen.1 == 2 && screen.0.contains(expected), "{screen:?}");
    };
    assert_eq!(said(&["plan", PLAN[1], "--no-tui", "-o", "out.md"]).1, 0);
    compare("--report is given, but turn 01 has no answer yet");
    std::fs::write(root.join("other.md"), "Another report.\n").unwrap();
    assert_eq!(said(&["answer", "--report", "other.md"]).1, 0);
    compare("--report is given, but turn 01 has its report");
}

#[test]
fn the_tour_can_be_skipped() {
    let project = Project::new();
    let mut screen = Terminal::start(&project.root(), &["tour"], (80, 24), &[]);
    screen.wait_for("Tour 1 of 5");
    screen.wait_for("didn't fit");
    screen.send("\x1b");
    let text = screen.wait_for("Tour skipped");
    assert!(!text.contains("of 5"), "{text}");
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn the_token_map_acts_on_the_block_under_the_cursor() {
    let project = Project::with_teddy();
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), &[]);
    screen.wait_for_items(61);
    screen.send("M");
    screen.wait_for("Token map");
    screen.wait_for("zoom in");
    screen.send("\r");
    screen.wait_for("show in list");
    screen.send("x");
    screen.wait_for("Excluded src/refund_");
    screen.send("u");
    screen.wait_for("Undid: exclude src/refund_");
    screen.send("\x1b");
    screen.wait_for("zoom in");
    screen.send("\x1b");
    screen.wait("the map to close", |text| !text.contains("Token map"));
    screen.send("q");
    assert!(screen.end().1.success());
    assert!(!project.turn_yaml().contains("rulings:"), "{}", project.turn_yaml());
}
