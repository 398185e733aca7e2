//! Tests of wrong usage: a message, exit code 2, and no change on disk.

use super::support::{Place, SESSION, TASK, assert_same, ran, secret, skip};

#[test]
fn wrong_flags_and_missing_tasks_are_reported() {
    let place = Place::repository();
    for (args, needles) in [
        (&["plan", TASK, "--bugdet", "5"][..], &["--bugdet", "--budget"][..]),
        (&["plna", TASK], &["plna", "plan"]),
        (&["plan"], &["no task was given", "teddy plan \""]),
        (&["plan", ""], &["the task is empty"]),
        (&["plan", " \n\t "], &["the task is empty"]),
        (&["plan", TASK, "--task-file", "x"], &["--task-file"]),
        (&["plan", "-m", "more"], &["--session"]),
        (&["plan", TASK, "--format", "pdf"], &["pdf", "hybrid", "invocation"]),
        (&["plan", TASK, "--tokenizer", "o200k"], &["unknown tokenizer `o200k`", "o200k_base", "estimate"]),
        (&["plan", TASK, "--model", "no-such-model"], &["no-such-model", "--tokenizer"]),
        (&["plan", TASK, "--task-type", "debugging"], &["debugging", "debug", "analyze"]),
        (&["plan", TASK, "--complexity", "hard"], &["hard", "simple", "complex"]),
        (&["plan", TASK, "--budget", "5k", "--window", "9k"], &["--window"]),
        (&["completions", "fishy"], &["fishy", "fish"]),
        (&["memo", "add", ""], &["empty"]),
        (&["--theme", "darc", "sessions"], &["unknown theme `darc`", "high-contrast"]),
    ] {
        place.refused(args, 2, needles);
    }
}

#[test]
fn invalid_budgets_are_rejected() {
    let place = Place::repository();
    for (budget, needle) in [
        ("0", "a budget of 0 tokens is too small"),
        ("999", "a budget of 999 tokens is too small"),
        ("abc", "such as 25000 or 25k"),
        ("-5", "such as 25000 or 25k"),
        ("1e99", "such as 25000 or 25k"),
        ("", "such as 25000 or 25k"),
    ] {
        place.refused(&["plan", TASK, "--budget", budget], 2, &[needle]);
        place.refused(&["plan", TASK, &format!("--budget={budget}")], 2, &[needle]);
    }
    place.refused(&["plan", TASK, "--window", "1500"], 2, &["--window"]);
    place.ok(&["plan", TASK, "--budget", "1000", "--dry-run"]);
}

#[test]
fn an_unknown_path_suggests_the_nearest() {
    let place = Place::repository();
    for flag in ["--pin", "--demote", "--exclude", "--link"] {
        place.refused(
            &["plan", TASK, flag, "src/paymnet.py"],
            2,
            &["file `src/paymnet.py` not found", "did you mean `src/payment.py`?"],
        );
    }
    place.refused(&["plan", TASK, "--pin", "payment.py"], 2, &["did you mean `src/payment.py`?"]);
    place.refused(&["plan", TASK, "--pin", "**/*.zig"], 2, &["`**/*.zig`"]);
    place.refused(&["plan", TASK, "--pin", "src/[a"], 2, &["is not a glob"]);
    for outside in ["../home", "/etc/passwd"] {
        place.refused(&["plan", TASK, "--pin", outside], 2, &["is outside the project"]);
    }
    for (one, other) in [("--pin", "--exclude"), ("--link", "--pin"), ("--demote", "--pin")] {
        let says = format!("{one} and {other} both name `README.md`");
        place.refused(&["plan", TASK, one, "README.md", other, "README.md"], 2, &[&says, "remove one of them"]);
    }
    // One invalid pattern among valid ones changes nothing.
    place.refused(&["plan", TASK, "--pin", "README.md", "--exclude", "nowhere.txt"], 2, &["`nowhere.txt`"]);
}

#[test]
fn skipped_files_cannot_be_pinned_and_say_why() {
    let place = Place::repository();
    std::fs::write(place.path("logo.png"), [0x89, b'P', b'N', b'G', 0, 1, 2]).unwrap();
    place.refused(&["plan", TASK, "--pin", "logo.png"], 2, &["`logo.png` was skipped by the scan", "binary"]);
}

#[test]
fn unreadable_task_files_are_rejected() {
    let place = Place::repository();
    place.write("huge.txt", &"refund ".repeat(200_000));
    std::fs::write(place.path("latin.txt"), b"caf\xe9").unwrap();
    for (file, needles) in [
        ("nowhere.txt", &["file `nowhere.txt` not found"][..]),
        ("src", &["src is a directory"]),
        ("huge.txt", &["huge.txt is larger than 1,000,000 bytes", "shorten it"]),
        ("latin.txt", &["latin.txt:1:4: not valid UTF-8"]),
        #[cfg(unix)]
        ("/dev/null", &["the task is empty"]),
    ] {
        place.refused(&["plan", "--task-file", file], 2, needles);
    }
    let before = place.listing();
    for (file, needle) in [("huge.txt", "standard input is larger than"), ("latin.txt", "standard input")] {
        let input = std::fs::File::open(place.path(file)).unwrap();
        let answer = ran(place.teddy().args(["plan", "--task-file", "-"]).stdin(input));
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains(needle), "{answer:?}");
    }
    assert_same(&before, &place.listing());
}

#[cfg(unix)]
#[test]
fn a_task_can_come_through_a_named_pipe() {
    let place = Place::repository();
    let script = "\"$0\" plan --task-file <(echo Add refunds to src/payment.py) --dry-run";
    let mut bash = std::process::Command::new("bash");
    place.set_environment(&mut bash);
    let answer = ran(bash.args(["-c", script, env!("CARGO_BIN_EXE_teddy")]).current_dir(place.root()));
    if answer.code == 127 || answer.code == -1 {
        return skip("a shell with process substitution");
    }
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.out.starts_with("# Context Payload: Add refunds to src/payment.py\n"), "{}", answer.out);
}

#[test]
fn invalid_destinations_are_rejected() {
    let place = Place::repository();
    place.refused(&["plan", TASK, "-o", "missing/out.md"], 2, &["missing does not exist", "-o"]);
    place.refused(&["plan", TASK, "-o", "src"], 2, &["src is a directory", "-o"]);
    place.refused(&["plan", TASK, "-o", "README.md/out.md"], 2, &["README.md is not a directory"]);
    place.refused(&["plan", TASK, "-o", ""], 2, &["-o"]);
    place.refused(&["plan", TASK, "-o", "new/"], 2, &["new"]);
}

#[test]
fn an_invalid_clock_is_reported() {
    let place = Place::repository();
    let before = place.everything();
    for wrong in ["", "soon", "-1", "1.5", "999999999999999"] {
        let answer = ran(place.teddy().args(["plan", TASK]).env("SOURCE_DATE_EPOCH", wrong));
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains("SOURCE_DATE_EPOCH") && answer.err.contains("hint: "), "{}", answer.err);
    }
    assert_same(&before, &place.everything());
}

#[test]
fn an_unknown_session_suggests_the_nearest() {
    let place = Place::planned();
    let nearest = format!("did you mean `{SESSION}`?");
    let wrong = "20260124-add-refund-capabilty";
    for args in [
        &["plan", "--session", wrong, "-m", "more"][..],
        &["resume", wrong],
        &["show", wrong],
        &["explain", "README.md", "--session", wrong],
        &["resume", "add-refund-capabilty"],
    ] {
        place.refused(args, 2, &["session `", "not found", &nearest]);
    }
    place.refused(&["resume", &format!("{SESSION}/07")], 2, &["turn `", "07` not found"]);
    place.refused(&["resume", "zzz"], 2, &["session `zzz` not found", "teddy sessions"]);
}

#[test]
fn commands_that_need_a_session_explain_how_to_start_one() {
    let place = Place::repository();
    for args in [&["resume"][..], &["show"], &["verify"]] {
        place.refused(args, 1, &["teddy plan"]);
    }
    place.refused(&["explain", "README.md"], 2, &["no task was given", "--task"]);
    place.refused(&["plan", "--session", "x"], 1, &["teddy plan"]);
    place.ok(&["init"]);
    for args in [&["resume"][..], &["show"], &["verify"]] {
        place.refused(args, 1, &["there are no sessions yet", "teddy plan"]);
    }
}

#[test]
fn a_secret_in_the_task_does_not_appear_in_reasons() {
    let place = Place::repository();
    let secret = secret();
    place.write("src/payment.py", &format!("# see {secret}\ndef refund():\n    pass\n"));
    let shown = place.ok(&["plan", &format!("Refund fails with {secret}"), "--json", "--dry-run"]).out;
    assert!(shown.contains("src/payment.py") && !shown.contains(&secret[4..]), "{shown}");
}

#[test]
fn an_unknown_name_gives_a_hint() {
    let place = Place::planned();
    place.refused(&["verify", "nope.md"], 2, &["file `nope.md` not found", "check the name"]);
    place.refused(&["memo", "rm", "5"], 2, &["memo `5` not found", "teddy memo list"]);
    // A number is a turn, not a session.
    place.refused(&["replay", "07"], 2, &["turn `", "/07` not found", "did you mean `01`?"]);
    place.refused(&["resume", "nowhere-at-all"], 2, &["session `nowhere-at-all` not found", "teddy sessions"]);
    let ran = place.run(&["plan", TASK, "--phase", "9"]);
    assert!(ran.code == 2 && ran.err.contains("unknown phase `9`; use 1 (discovery), 2"), "{ran:?}");
}
