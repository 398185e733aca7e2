//! `-v` and `TEDDY_LOG`: what was done, in a file; never contents or secrets.

use super::support::{Place, TASK, ran, secret};

#[test]
fn a_run_is_traced_into_the_file_that_is_named() {
    let place = Place::repository();
    let log = place.outside().join("trace.log");
    let token = secret();
    let task = format!("{TASK} with {token}");
    let run = |args: &[&str]| ran(place.teddy().args(args).env("TEDDY_LOG", &log));
    assert_eq!(run(&["plan", &task]).code, 0);
    assert_eq!(run(&["explain", &token]).code, 2);
    let text = std::fs::read_to_string(&log).unwrap();
    for word in ["teddy 0.1.0 plan", "gather: ", " files, ", "score and place: ", "hybrid ", "done\n", "exit 2: "] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains(&token) && !text.contains("refund") && !text.contains("def charge"), "{text}");
    assert_eq!(text.matches(" teddy 0.1.0 ").count(), 2, "the file is added to: {text}");
}

#[test]
fn verbose_names_its_file_and_without_it_there_is_none() {
    let place = Place::repository();
    let state = place.outside().join("state");
    let run = |args: &[&str]| ran(place.teddy().args(args).env("TEDDY_STATE_DIR", &state));
    let quiet = run(&["sessions"]);
    assert_eq!((quiet.code, state.join("teddy.log").exists()), (0, false), "{quiet:?}");
    let told = run(&["-v", "doctor"]);
    assert!(told.err.contains(&format!("traced in {}\n", state.join("teddy.log").display())), "{told:?}");
    assert!(std::fs::read_to_string(state.join("teddy.log")).unwrap().contains("gather: "));
}

#[test]
fn a_log_that_cannot_be_written_is_said_before_anything_is_done() {
    let place = Place::repository();
    let before = place.listing();
    let failed = ran(place.teddy().args(["plan", TASK]).env("TEDDY_LOG", place.path("none/trace.log")));
    assert_eq!(failed.code, 3, "{failed:?}");
    assert!(failed.err.contains("none/trace.log"), "{failed:?}");
    super::support::assert_same(&before, &place.listing());
}

#[test]
fn progress_is_for_terminals_only() {
    let place = Place::repository();
    for number in 0..300 {
        place.write(&format!("src/many/file_{number}.py"), "def refund():\n    pass\n");
    }
    let ran = place.ok(&["plan", TASK]);
    assert!(!ran.err.contains('\r') && !ran.err.contains("reading files"), "{}", ran.err);
}
