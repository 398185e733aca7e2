//! Tests that the terminal is restored and decisions are on disk, however the program ends.

use crate::terminal::{PLAN, Project, Terminal, has_ended, is_restored, wait_until};

fn with_override(project: &Project, env: &[(&str, &str)]) -> Terminal {
    let mut screen = Terminal::start(&project.root(), PLAN, (120, 40), env);
    screen.wait_for_items(61);
    screen.send("/other\rp");
    screen.wait_for("Pinned src/other.rs");
    screen
}

#[test]
fn the_terminal_is_restored_after_every_signal() {
    for signal in ["TERM", "HUP", "INT"] {
        let project = Project::with_teddy();
        let screen = with_override(&project, &[]);
        screen.signal(signal);
        let (raw, status) = screen.end();
        assert!(is_restored(&raw), "{signal}: {:?}", String::from_utf8_lossy(&raw));
        assert!(!status.success() && String::from_utf8_lossy(&raw).contains("everything is saved"), "{signal}");
        assert!(project.turn_yaml().contains("ruling: pin"), "{signal}");
    }
}

#[test]
fn overrides_survive_a_kill() {
    let project = Project::with_teddy();
    let screen = with_override(&project, &[]);
    // The message and the file are written in any order.
    wait_until("the pin on disk", || project.turn_yaml().contains("ruling: pin"));
    screen.signal("KILL");
    screen.end();
    let mut again = Terminal::start(&project.root(), &["resume"], (120, 40), &[]);
    again.wait("the pin", |text| text.lines().any(|line| line.contains("P RAW") && line.contains("other.rs  src")));
    again.send("q");
    assert!(again.end().1.success());
}

#[test]
fn the_terminal_is_restored_after_a_panic() {
    for place in ["screen", "job"] {
        let project = Project::with_teddy();
        let mut screen = with_override(&project, &[("TEDDY_TEST_PANIC", place)]);
        screen.send("\x1b[24~");
        let (raw, status) = screen.end();
        let said = String::from_utf8_lossy(&raw).into_owned();
        assert!(is_restored(&raw), "{place}: {said:?}");
        assert!(
            !status.success() && said.contains("a panic on purpose") && said.contains("teddy resume"),
            "{place}: {said:?}"
        );
        assert!(project.turn_yaml().contains("ruling: pin"), "{place}");
    }
}

#[test]
fn the_screen_returns_after_a_stop() {
    let project = Project::with_teddy();
    // Without a shell with job control, the system would not let the program stop.
    let script = "\"$TEDDY\" plan 'Rename refund_07 in the refund ledger'; echo NOW STOPPED; read line; fg";
    let mut screen = Terminal::shell(&project.root(), script, (120, 40));
    screen.wait_for_items(61);
    screen.send("/other\rp");
    screen.wait_for("Pinned src/other.rs");
    screen.send("\x1a");
    let stopped = screen.wait_for("NOW STOPPED");
    assert!(!stopped.contains("1 of 61 items"), "{stopped}");
    screen.send("\n");
    screen.wait("the screen to be back", |text| text.contains("1 of 61 items"));
    screen.send("u");
    screen.wait_for("Undid: pin src/other.rs");
    screen.send("q");
    assert!(screen.end().1.success());
}

#[test]
fn a_closed_window_ends_the_program() {
    let project = Project::with_teddy();
    let screen = with_override(&project, &[]);
    let pid = screen.pid();
    screen.close(|screen| screen.send("?"));
    has_ended(pid);
    assert!(project.turn_yaml().contains("ruling: pin"));
}

#[test]
fn a_closed_window_without_a_signal_ends_the_program() {
    let project = Project::with_teddy();
    // The system notifies only the session leader, which is a shell that ignores the signal, and nothing is typed.
    let script = "trap '' HUP; (while [ ! -e ../close ]; do sleep .1; done; printf ' ') & \
                  \"$TEDDY\" plan 'Rename refund_07 in the refund ledger'; echo $? >../ended";
    let mut screen = Terminal::shell(&project.root(), script, (120, 40));
    screen.wait_for_items(61);
    screen.send("/other\rp");
    screen.wait_for("Pinned src/other.rs");
    let close = project.root().join("../close");
    screen.close(|_| std::fs::write(close, "").unwrap());
    wait_until("the program to end without a terminal", || project.root().join("../ended").exists());
    assert!(project.turn_yaml().contains("ruling: pin"));
}
