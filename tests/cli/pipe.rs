//! Tests of `--pipe`: a program that the user configured reads the payload, and its output is saved as the answer.

#![cfg(unix)]

use std::time::Duration;

use super::support::{Place, Ran, SESSION, TASK, secret};

fn with_pipes(text: &str) -> Place {
    let place = Place::repository();
    place.write_own_config(&format!("pipes:\n{text}"));
    place
}

/// Checks that the turn is delivered and has no answer.
fn assert_no_plan(place: &Place, ran: &Ran) {
    assert!(place.session("01/payload.md").is_file(), "{ran:?}");
    assert!(!place.session("01/plan.md").exists(), "{ran:?}");
}

#[test]
fn the_answer_is_saved_as_the_plan() {
    let place = with_pipes(
        "- {name: count, run: \"echo 'thinking' >&2; printf '# Plan\\\\n\\\\nread %s lines\\\\n' $(wc -l)\"}\n",
    );
    let ran = place.ok(&["plan", TASK, "--pipe", "count"]);
    let lines = place.read_session("01/payload.md").lines().count();
    let plan = format!("# Plan\n\nread {lines} lines\n");
    assert_eq!(place.read_session("01/plan.md"), plan);
    assert_eq!(ran.out, plan);
    assert!(ran.err.contains("count: thinking\n"), "{}", ran.err);
    assert!(
        ran.err.contains(&format!("saved the answer of turn 01 as .teddy/sessions/{SESSION}/01/plan.md\n")),
        "{}",
        ran.err
    );
    assert!(place.ok(&["show"]).out.contains("planned"));
}

#[test]
fn a_secret_in_the_answer_is_replaced() {
    let token = secret();
    let place = with_pipes(&format!("- {{name: leak, run: 'echo use {token}'}}\n"));
    let ran = place.ok(&["plan", TASK, "--pipe", "leak"]);
    assert!(!place.read_session("01/plan.md").contains(&token) && !ran.out.contains(&token), "{ran:?}");
    assert!(ran.out.contains("[REDACTED:"), "{ran:?}");
}

#[test]
fn a_program_that_only_the_repository_names_is_refused() {
    let place = with_pipes("- {name: mine, run: cat}\n");
    place
        .write(".teddy/config.yaml", "pipes: [{name: theirs, run: 'touch owned'}, {name: mine, run: 'touch owned'}]\n");
    place.refused(
        &["plan", TASK, "--pipe", "theirs"],
        2,
        &["`theirs` is only in this repository's configuration", "your own config.yaml"],
    );
    place.refused(&["plan", TASK, "--pipe", "mien"], 2, &["unknown pipe `mien`", "did you mean `mine`?"]);
    // If two pipes have the same name, the user's own runs.
    place.ok(&["plan", TASK, "--pipe", "mine"]);
    assert!(!place.path("owned").exists());
}

#[test]
fn failing_slow_and_silent_programs_leave_the_turn_delivered() {
    let place = with_pipes(
        "- {name: fails, run: 'echo half an answer; exit 7'}\n- {name: hangs, run: 'sleep 600 & echo $! > child; wait', timeout_seconds: 1}\n- {name: silent, run: 'cat > /dev/null'}\n- {name: gone, run: 'no-such-program-here'}\n- {name: deaf, run: 'echo done'}\n",
    );
    let cases = [
        ("fails", "fails: failed (exit status: 7)"),
        ("hangs", "hangs: took more than 1 s"),
        ("silent", "silent: printed nothing"),
        ("gone", "gone: failed (exit status: 127)"),
    ];
    for (name, says) in cases {
        let command = if name == "fails" { vec!["plan", TASK] } else { vec!["resume"] };
        let ran = place.run(&[command, vec!["--pipe", name]].concat());
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains(says) && ran.err.contains(&format!("teddy resume --pipe {name}")), "{ran:?}");
        assert_no_plan(&place, &ran);
    }
    // On a busy machine, the time limit of one second may pass before the shell starts anything.
    let child = std::fs::read_to_string(place.path("child")).unwrap_or_default();
    assert!(child.is_empty() || !runs(&child), "the process that the shell started is still running");
    // A program that does not read its input is not an error.
    place.ok(&["resume", "--pipe", "deaf"]);
    assert_eq!(place.read_session("01/plan.md"), "done\n");
}

/// Returns true if a process still exists.
fn runs(pid: &str) -> bool {
    let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

#[test]
fn an_interrupt_stops_the_program_and_saves_nothing() {
    let place = with_pipes("- {name: slow, run: 'echo started > started; sleep 600'}\n");
    let mut command = place.teddy();
    command.args(["plan", TASK, "--pipe", "slow"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !place.path("started").is_file() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("slow: stopped by Ctrl-C; nothing was saved"), "{err}");
    assert!(!place.session("01/plan.md").exists());
}

#[test]
fn a_dry_run_delivers_nothing() {
    let place = with_pipes("- {name: mine, run: 'touch ran; cat'}\n");
    let ran = place.ok(&["plan", TASK, "--pipe", "mine", "--dry-run"]);
    assert!(ran.err.contains("dry run: would pipe the payload to mine"), "{}", ran.err);
    assert!(!place.path("ran").exists());
}
