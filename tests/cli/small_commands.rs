//! Tests of memo, explain, sessions and doctor, and of the output stream for help.

use super::support::{Place, SESSION, TASK, ran};

#[test]
fn memos_are_added_listed_and_removed() {
    let place = Place::repository();
    let first = place.ok(&["memo", "add", "Use pnpm"]);
    assert!(first.err.contains("created .teddy\n") && first.err.contains("memo 1 added\n"), "{}", first.err);
    place.ok(&["memo", "add", "All amounts are in cents: never floats"]);
    assert_eq!(place.ok(&["memo", "list"]).out, "  1  Use pnpm\n  2  All amounts are in cents: never floats\n");
    let payload = place.ok(&["plan", TASK, "--dry-run"]).out;
    assert!(payload.contains("never floats"), "{payload}");
    place.refused(&["memo", "rm", "3"], 2, &["3"]);
    place.refused(&["memo", "rm", "Use npm"], 2, &["Use pnpm"]);
    assert!(place.ok(&["memo", "rm", "1"]).err.contains("removed: Use pnpm"));
    place.ok(&["memo", "rm", "All amounts"]);
    let none = place.ok(&["memo", "list"]);
    assert!(none.out.is_empty() && none.err.contains("no memos yet"), "{none:?}");
    assert!(place.read(".teddy/memos.yaml").starts_with("# Facts"), "comments stay");
}

#[test]
fn explain_lists_reasons_and_ways_to_raise_the_score() {
    let place = Place::planned();
    let high = place.ok(&["explain", "src/payment.py"]).out;
    assert!(high.starts_with("src/payment.py  ") && high.contains("+3  named"), "{high}");
    assert!(!high.contains("would raise the score"), "{high}");
    let low = place.ok(&["explain", "src/mailer.py"]).out;
    assert!(low.contains("would raise the score:\n"), "{low}");
    let other = place.ok(&["explain", "src/mailer.py", "--task", "Send mail as HTML in src/mailer.py"]).out;
    assert!(other.contains("+3  named"), "{other}");
    let named = place.ok(&["explain", "src/payment.py", "--session", SESSION]).out;
    assert_eq!(named, high);
    place.refused(&["explain", "src/paymant.py"], 2, &["did you mean `src/payment.py`?"]);
    place.refused(&["explain", "src/"], 2, &["names 3 files", "one file at a time"]);
    place.refused(&["explain", "../home"], 2, &["outside the project"]);
    place.refused(&["explain", "src/payment.py", "--task", " "], 2, &["the task is empty"]);
}

#[test]
fn explain_accepts_paths_relative_to_the_current_directory() {
    let place = Place::planned();
    place.write("payment.py", "# not this one\n");
    let high = place.ok(&["explain", "src/payment.py"]).out;
    for path in ["payment.py", "./payment.py", "../src/payment.py", "src/payment.py"] {
        let below = ran(place.teddy_in(&place.path("src")).args(["explain", path]));
        assert_eq!(below.out, high, "{path}: {}", below.err);
    }
    let up = ran(place.teddy_in(&place.path("src")).args(["explain", "../README.md"]));
    assert!(up.out.starts_with("README.md  "), "{up:?}");
    let absolute = place.path("src/payment.py");
    assert_eq!(place.ok(&["explain", absolute.to_str().unwrap()]).out, high);
}

#[test]
fn sessions_are_listed_by_last_change_also_without_a_command() {
    let place = Place::repository();
    let nothing = place.ok(&["sessions"]);
    assert!(nothing.out.is_empty() && nothing.err.contains("teddy plan"), "{nothing:?}");
    place.ok(&["plan", TASK]);
    make_older(&place.path(&format!(".teddy/sessions/{SESSION}")), 2);
    place.ok(&["plan", "Write the docs"]);
    let listed = place.ok(&["sessions"]).out;
    let names: Vec<&str> = listed.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["20260124-write-the-docs", SESSION]);
    assert_eq!(place.ok(&[]).out, listed);
    make_older(&place.path(".teddy/sessions/20260124-write-the-docs"), 1);
    place.ok(&["resume", SESSION]);
    assert!(place.ok(&["sessions"]).out.starts_with(SESSION));
}

#[test]
fn columns_of_sessions_are_aligned_in_every_script() {
    let place = Place::repository();
    place.ok(&["plan", TASK]);
    place.ok(&["plan", "修正退款账本的错误"]);
    let listed = place.ok(&["sessions"]).out;
    let start = |line: &str| unicode_width::UnicodeWidthStr::width(line.split("1 turn").next().unwrap());
    let starts: Vec<usize> = listed.lines().map(start).collect();
    assert!(starts.len() == 2 && starts[0] == starts[1], "{listed}");
}

/// Moves the times of everything in a directory to this many hours ago.
fn make_older(directory: &std::path::Path, hours: u64) {
    let time = std::time::SystemTime::now() - std::time::Duration::from_hours(hours);
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            make_older(&path, hours);
        } else {
            std::fs::File::open(path).unwrap().set_modified(time).unwrap();
        }
    }
    std::fs::File::open(directory).unwrap().set_modified(time).unwrap();
}

#[test]
fn doctor_reports_the_setup() {
    let place = Place::planned();
    place.write(".gitignore", "*.log\n");
    place.write("x.log", "x");
    std::fs::write(place.path("logo.png"), [0x89, b'P', b'N', b'G', 0, 1, 2]).unwrap();
    let said = place.ok(&["doctor"]).out;
    for needle in [
        "(1 session)",
        "main at ",
        "1 commit read",
        "7 text, 1 skipped, 1 ignored",
        "logo.png: ",
        "config.yaml (not found; using defaults)",
        "memos        0",
        "tokens       o200k_base",
        "cl100k_base",
        "clipboard    ",
    ] {
        assert!(said.contains(needle), "{needle}: {said}");
    }
    for number in 0..9 {
        std::fs::write(place.path(&format!("logo{number}.png")), [0, 1, 2]).unwrap();
    }
    assert!(place.ok(&["doctor"]).out.contains("5 more: teddy doctor --skipped"));
    assert_eq!(place.ok(&["doctor", "--skipped"]).out.matches(".png: ").count(), 10);
}

#[test]
fn help_and_version_go_to_standard_output() {
    let place = Place::empty();
    for args in [&["--help"][..], &["plan", "--help"], &["-h"], &["--version"], &["plan", "--version"]] {
        let ran = place.ok(args);
        assert!(ran.out.contains("teddy") && ran.err.is_empty(), "{ran:?}");
    }
    assert!(place.ok(&["--help"]).out.contains("Exit codes"));
}
