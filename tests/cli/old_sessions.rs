//! Tests of sessions written by earlier versions, stored as fixtures.

use std::fs;
use std::path::Path;

use super::support::Place;

const OLD: &str = "20260124-add-refunds-to-payments";

/// A repository with the session in `tests/fixtures/session-0.1.0`.
fn place() -> Place {
    let place = Place::empty();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/session-0.1.0");
    copy(&from.join("teddy"), &place.path(".teddy"));
    copy(&from.join("src"), &place.path("src"));
    fs::copy(from.join("README.md"), place.path("README.md")).unwrap();
    place.git(&["init", "-q"]);
    place.commit("Add payments");
    place
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_session_of_version_0_1_0_opens_with_all_its_decisions() {
    let place = place();
    let shown = place.ok(&["show"]).out;
    for part in ["implement · simple", "pin README.md", "exclude src/payment.py", "phase 2 implementation", "planned"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let before = place.read(&format!(".teddy/sessions/{OLD}/01/turn.yaml"));
    place.ok(&["answer", "--report", "README.md"]);
    assert_eq!(place.read(&format!(".teddy/sessions/{OLD}/01/turn.yaml")), before);
    let next = place.ok(&["resume", "--stdout"]);
    assert!(next.out.contains("# Shop"), "{}", next.out);
    let record = place.read(&format!(".teddy/sessions/{OLD}/02/turn.yaml"));
    assert!(record.contains("phase: 2\n") && record.contains("format: invocation\n"), "{record}");
}

#[test]
fn a_turn_of_version_0_1_0_is_restored_from_its_checkpoint() {
    let place = place();
    let record = format!(".teddy/sessions/{OLD}/01/turn.yaml");
    fs::remove_file(place.path(&record)).unwrap();
    let shown = place.ok(&["show"]).out;
    assert!(shown.contains("pin README.md") && shown.contains("exclude src/payment.py"), "{shown}");
    // A well-formed file with a value from a newer version is an error, and the checkpoint must not replace it.
    place.write(&record, "message: x\nformat: hologram\n");
    place.refused(&["show"], 2, &["01/turn.yaml:2:9: ", "hologram", "fix the file or move it aside"]);
}
