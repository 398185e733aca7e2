//! Tests of `teddy redactions`: the list, and allowing false positives.

use super::support::{Place, TASK, json};

fn secret(tail: &str) -> String {
    ["qZ7vT2mXw9", tail].concat()
}

#[test]
fn a_false_positive_is_listed_allowed_and_revoked() {
    let place = Place::repository();
    place.write("src/settings.py", &format!("X = 1\npassword = \"{}\"\n", secret("Lk4RbP")));
    place.write("src/more.py", &format!("password = \"{}\"\n", secret("Hs8NcD")));
    let listed = place.run(&["redactions"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let first = "redacted  src/settings.py:2  password: a value named like a password or secret\n";
    assert!(listed.out.contains(first) && listed.out.contains("src/more.py:1"), "{listed:?}");
    assert!(!listed.out.contains("qZ7vT2mXw9") && !listed.err.contains("qZ7vT2mXw9"));

    let allowed = place.run(&["redactions", "allow", "src/settings.py:2"]);
    assert!(allowed.code == 0 && allowed.err.contains("allowed src/settings.py:2"), "{allowed:?}");
    let plan = place.run(&["plan", TASK, "--pin", "src/*.py", "--stdout", "--dry-run"]);
    assert!(plan.out.contains(&secret("Lk4RbP")) && !plan.out.contains(&secret("Hs8NcD")), "{}", plan.out);
    let printed = place.run(&["redactions", "--json"]);
    let value = json(&printed.out);
    let rows = value["redactions"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row["allowed"] == true).count(), 1, "{}", printed.out);

    // The project does not change, and the value is stored nowhere.
    assert!(!place.path(".teddy").exists(), "nothing was made in the project");
    let forgotten = place.run(&["redactions", "forget", "src/settings.py:2"]);
    assert!(forgotten.code == 0 && forgotten.err.contains("redacted again"), "{forgotten:?}");
    let plan = place.run(&["plan", TASK, "--pin", "src/*.py", "--stdout", "--dry-run"]);
    assert!(!plan.out.contains("qZ7vT2mXw9"), "{}", plan.out);
}

#[cfg(unix)]
#[test]
fn control_characters_in_script_names_are_escaped() {
    let place = Place::repository();
    place.write("src/\u{202e}yp.sgnittes\u{7f}.py", &format!("password = \"{}\"\n", secret("Lk4RbP")));
    let json = place.ok(&["redactions", "--json"]);
    assert!(json.out.contains("src/\\u202eyp.sgnittes\\u007f.py"), "{}", json.out);
    assert!(!json.out.contains(['\u{202e}', '\u{7f}']), "{}", json.out);
}

#[test]
fn missing_files_are_reported() {
    let place = Place::repository();
    for (arguments, code, said) in [
        (["redactions", "allow", "src/payment.py:1"], 1, "nothing is redacted in src/payment.py:1"),
        (["redactions", "forget", "src/payment.py:1"], 1, "nothing is allowed"),
        (["redactions", "allow", "src/payment.py"], 2, "is not a file and line"),
        (["redactions", "allow", "../other.py:1"], 2, "outside the project"),
        (["redactions", "allow", "src/none.py:1"], 2, "is not a file of the project"),
    ] {
        let ran = place.run(&arguments);
        assert!(ran.code == code && ran.err.contains(said), "{arguments:?}: {ran:?}");
    }
}
