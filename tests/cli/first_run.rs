//! Tests of the first command in a project: created files and messages.

use std::process::Stdio;

use super::support::{Place, SESSION, TASK, json};

const STARTERS: [&str; 5] =
    [".teddy", ".teddy/sessions", ".teddy/.gitignore", ".teddy/global.context", ".teddy/memos.yaml"];

#[test]
fn a_fresh_clone_needs_no_setup() {
    let place = Place::repository();
    let ran = place.ok(&["plan", TASK]);
    assert!(ran.out.starts_with("# Context Payload: Add refund capability to the payment service\n"), "{}", ran.out);
    assert_eq!(ran.out, place.read_session("01/payload.md"));
    for made in STARTERS {
        assert!(ran.err.contains(&format!("created {made}\n")), "{made} is not said: {}", ran.err);
        assert!(place.path(made).exists(), "{made}");
    }
    for file in ["session.yaml", "01/turn.yaml", "01/turn.context", "01/payload.md", "01/checkpoint.json"] {
        assert!(place.session(file).is_file(), "{file}");
    }
    assert!(ran.err.contains("written to standard output\n"), "{}", ran.err);
    assert!(ran.err.contains(&format!("saved in .teddy/sessions/{SESSION}/01/payload.md\n")), "{}", ran.err);
    assert!(!ran.err.contains("# Context Payload"), "{}", ran.err);
    assert_eq!(place.read(".teddy/context-budget-log.jsonl").lines().count(), 1);
}

#[test]
fn a_repeated_task_gets_a_numbered_session() {
    let place = Place::repository();
    let first = place.ok(&["plan", TASK]);
    assert!(first.err.contains(&format!("session {SESSION}, turn 01\n")), "{}", first.err);
    let second = place.ok(&["plan", TASK]);
    assert!(!second.err.contains("created .teddy"), "{}", second.err);
    assert!(second.err.contains(&format!("session {SESSION}-2, turn 01\n")), "{}", second.err);
    let saved = place.read(&format!(".teddy/sessions/{SESSION}-2/01/payload.md"));
    assert_eq!(second.out, saved);
    assert!(saved.contains(&format!("session `{SESSION}-2`")), "the payload names another session:\n{saved}");
    place.ok(&["plan", TASK]);
    assert!(place.path(&format!(".teddy/sessions/{SESSION}-3/01/payload.md")).is_file());
}

#[test]
fn concurrent_plans_get_a_session_each() {
    let place = Place::repository();
    let start =
        || place.teddy().args(["plan", TASK, "--json"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut running = [start(), start(), start()];
    for child in &mut running {
        assert!(child.wait().unwrap().success());
    }
    for name in [SESSION.to_owned(), format!("{SESSION}-2"), format!("{SESSION}-3")] {
        let payload = place.read(&format!(".teddy/sessions/{name}/01/payload.md"));
        assert!(payload.contains(&format!("of session `{name}`")), "{name}:\n{payload}");
    }
}

#[test]
fn session_names_do_not_end_in_small_words() {
    let place = Place::repository();
    for (task, name) in [
        ("Fix the login of the", "20260124-fix-the-login"),
        ("Why is it so", "20260124-why-is-it-so"),
        ("to the", "20260124-to-the"),
        ("返金の台帳を修正する", "20260124-返金の台帳を修正する"),
    ] {
        place.ok(&["plan", task]);
        assert!(place.path(&format!(".teddy/sessions/{name}")).is_dir(), "{task}");
    }
}

#[test]
fn a_definition_of_done_and_the_goal_are_kept() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--done", "tests pass", "--done", "docs say so"]);
    let meta = place.read_session("session.yaml");
    assert!(meta.contains("goal: Add refund capability to the payment service\n"), "{meta}");
    assert!(meta.contains("- tests pass\n- docs say so\n"), "{meta}");
    let shown = place.ok(&["show"]).out;
    assert!(shown.contains("acceptance criterion: tests pass") && shown.contains("01  delivered"), "{shown}");
}

#[test]
fn init_lists_what_it_created() {
    let place = Place::repository();
    let first = place.ok(&["init"]);
    for made in STARTERS {
        assert!(first.err.contains(&format!("created {made}\n")), "{}", first.err);
    }
    let again = place.listing();
    let second = place.ok(&["init"]);
    assert!(second.err.contains("nothing was changed"), "{}", second.err);
    super::support::assert_same(&again, &place.listing());
}

#[test]
fn a_task_can_come_from_a_file_or_from_standard_input() {
    let place = Place::repository();
    place.write("task.txt", "Add refund capability to the payment service\n\nKeep the ledger true.\n");
    let from_file = place.ok(&["plan", "--task-file", "task.txt", "--dry-run"]);
    assert!(from_file.out.contains("Keep the ledger true."), "{}", from_file.out);
    let mut command = place.teddy();
    let input = std::fs::File::open(place.path("task.txt")).unwrap();
    let ran = super::support::ran(command.args(["plan", "--task-file", "-", "--dry-run"]).stdin(input));
    assert_eq!((ran.code, ran.out), (0, from_file.out));
}

#[test]
fn the_payload_is_written_to_the_requested_destination() {
    let place = Place::repository();
    let ran = place.ok(&["plan", TASK, "-o", "out.md"]);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("written to out.md\n"), "{}", ran.err);
    assert_eq!(place.read("out.md"), place.read_session("01/payload.md"));
    let both = place.ok(&["plan", TASK, "-o", "../beside.md", "--stdout"]);
    assert!(both.err.contains("written to ../beside.md\n"), "{}", both.err);
    assert_eq!(both.out, std::fs::read_to_string(place.outside().join("beside.md")).unwrap());
    let printed = place.ok(&["plan", TASK, "--json"]);
    let value = json(&printed.out);
    assert_eq!(value["task"]["payload"], format!(".teddy/sessions/{SESSION}-3/01/payload.md"));
}

#[test]
fn the_output_file_is_not_a_candidate() {
    let place = Place::repository();
    let first = place.ok(&["plan", TASK, "-o", "out.md", "--stdout", "--dry-run"]);
    place.write("out.md", "an older payload about refund capability in the payment service\n");
    let second = place.ok(&["plan", TASK, "-o", "out.md", "--stdout", "--dry-run"]);
    assert_eq!(first.out, second.out);
}
