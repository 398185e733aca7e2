//! Tests that the screen handles keys and exits cleanly while thirty thousand files are read.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::terminal::{PLAN, Terminal, has_ended, is_restored};

/// A directory tree that takes a while to read. It is created once, and the last test removes it.
fn tree() -> &'static Path {
    static TREE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let dir = TREE.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("shop");
        std::thread::scope(|scope| {
            for half in 0..2 {
                let root = root.clone();
                scope.spawn(move || {
                    for directory in (half..300).step_by(2) {
                        let inside = root.join(format!("src/part_{directory:03}"));
                        std::fs::create_dir_all(&inside).unwrap();
                        for number in 0..100 {
                            let text = format!("pub fn refund_{directory}_{number}() {{ ledger::write({number}) }}\n");
                            std::fs::write(inside.join(format!("refund_{number:02}.rs")), text).unwrap();
                        }
                    }
                });
            }
        });
        teddy::project::Project::init(&root).unwrap();
        dir
    });
    dir.path()
}

fn root() -> PathBuf {
    tree().join("shop")
}

/// The screen during its first scan.
fn reading() -> Terminal {
    let screen = Terminal::start(&root(), PLAN, (120, 40), &[]);
    screen.wait_for("reading");
    screen
}

fn sessions() -> PathBuf {
    root().join(".teddy/sessions")
}

fn is_kept() -> bool {
    sessions().read_dir().is_ok_and(|mut all| all.next().is_some())
}

/// Checks that there is no session, since nothing was decided.
#[track_caller]
fn assert_nothing_was_saved() {
    assert!(!is_kept());
}

#[test]
fn a_scan_of_thirty_thousand_files_does_not_block_keys() {
    for signal in ["TERM", "HUP", "INT"] {
        let screen = reading();
        screen.signal(signal);
        let (raw, status) = screen.end();
        assert!(is_restored(&raw) && !status.success(), "{signal}: {:?}", String::from_utf8_lossy(&raw));
        assert_nothing_was_saved();
    }
    assert_nothing_was_saved();

    // The terminal closes at the first output after the key. If the list was complete before that, there is a
    // session, and the test is repeated.
    let kept = (0..6).all(|_| {
        let _ = std::fs::remove_dir_all(sessions());
        let screen = reading();
        let pid = screen.pid();
        screen.close(|screen| screen.send("?"));
        has_ended(pid);
        is_kept()
    });
    assert!(!kept, "a session is kept whenever the terminal goes");
    assert_nothing_was_saved();

    let mut screen = reading();
    for turn in 0..200u16 {
        screen.resize((1 + turn * 7 % 200, 1 + turn * 3 % 60));
    }
    screen.resize((100, 30));
    screen.wait_for("by score");
    // A key is handled while files are read.
    screen.send("?");
    screen.wait_for("Help");
    screen.send("\x1b");
    screen.wait("help to close", |text| !text.contains("Help"));
    screen.send("\x03");
    let (raw, status) = screen.end();
    assert!(is_restored(&raw) && status.success(), "{:?}", String::from_utf8_lossy(&raw));
}
