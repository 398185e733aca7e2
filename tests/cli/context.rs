//! Tests of `.context` files at three levels, manual edits, and entries that lead outside the project.

use super::support::{Place, SESSION, TASK, item, json};

fn resumed(place: &Place) -> serde_json::Value {
    serde_json::from_str(&place.ok(&["resume", "--json", "--dry-run"]).out).unwrap()
}

#[test]
fn lower_levels_override_higher_ones() {
    let place = Place::planned();
    place.write(".teddy/global.context", "# for all\ndocs/\nsrc/mailer.py\nREADME.md\n");
    place.write_session("session.context", "!src/mailer.py\nsrc/ledger.py:4-8\n");
    let plan = resumed(&place);
    assert_eq!(item(&plan, "docs/refunds.md")["ruling"], "pin");
    assert_eq!(item(&plan, "README.md")["tier"], "raw");
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], serde_json::Value::Null);
    let part = item(&plan, "src/ledger.py");
    assert_eq!((&part["form"], &part["ruling"]), (&"spans".into(), &"pin".into()));
    assert_eq!(part["spans"], serde_json::json!([[4, 8]]));
    let own = place.read_session("01/turn.context");
    place.write_session("01/turn.context", &format!("{own}!README.md\nsrc/mailer.py\n"));
    let plan = resumed(&place);
    assert_eq!(item(&plan, "README.md")["ruling"], serde_json::Value::Null);
    assert_eq!(item(&plan, "src/mailer.py")["ruling"], "pin");
    let ran = place.ok(&["resume"]);
    assert!(ran.out.contains("file: src/ledger.py (lines 4-8 of 13)"), "{}", ran.out);
    // Files of the higher levels are not repeated in the turn's list, which keeps the person's lines.
    let own = place.read_session("01/turn.context");
    assert!(
        !own.contains("docs/refunds.md") && own.contains("src/mailer.py\n") && own.contains("!README.md\n"),
        "{own}"
    );
}

#[test]
fn the_global_list_applies_to_new_sessions() {
    let place = Place::planned();
    place.write(".teddy/global.context", "docs/*.md\n");
    let plan = place.placed(&[]);
    assert_eq!(item(&plan, "docs/refunds.md")["ruling"], "pin");
}

#[test]
fn manual_edits_between_runs_are_applied() {
    let place = Place::planned();
    let own = place.read_session("01/turn.context");
    assert!(own.contains("\nsrc/payment.py\n"), "{own}");
    place.write_session(
        "01/turn.context",
        &own.replace("\nsrc/payment.py\n", "\n# my own words\ndocs/refunds.md\nsrc/mailer.py:1-3\n"),
    );
    for round in 0..3 {
        let ran = place.ok(&["resume"]);
        assert!(ran.out.contains("# Refunds\n"), "round {round}: {}", ran.out);
        assert!(!ran.out.contains("def charge"), "round {round}: what was taken out is back");
        assert!(ran.out.contains("file: src/mailer.py (lines 1-3 of 6)"), "round {round}: {}", ran.out);
        let now = place.read_session("01/turn.context");
        assert!(now.contains("# my own words\n"), "round {round}: the person's comment is gone:\n{now}");
        assert!(now.contains("src/mailer.py:1-3\n"), "round {round}: the span is gone:\n{now}");
        assert!(!now.contains("src/payment.py"), "round {round}: {now}");
    }
}

#[test]
fn entries_outside_the_project_are_rejected_individually() {
    let place = Place::planned();
    std::fs::write(place.outside().join("secret.txt"), "the secret outside\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.txt", place.path("leak.txt")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", place.path("up")).unwrap();
    place.write(
        ".teddy/global.context",
        "/etc/passwd\n../secret.txt\nleak.txt\nup/secret.txt\nnowhere.md\ndocs/refunds.md\n~/x\n",
    );
    let ran = place.ok(&["resume"]);
    for (line, entry) in
        [(1, "/etc/passwd"), (2, "../secret.txt"), (3, "leak.txt"), (4, "up/secret.txt"), (5, "nowhere.md"), (7, "~/x")]
    {
        assert!(ran.err.contains(&format!("note: global.context:{line}: `{entry}`: ")), "{entry}: {}", ran.err);
    }
    assert!(
        ran.err.contains("`/etc/passwd`: it is absolute") && ran.err.contains("it is outside the project"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("A refund pays a charge back"), "{}", ran.out);
    assert!(!ran.out.contains("the secret outside"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_context_file_that_links_outside_the_project_is_rejected() {
    let place = Place::planned();
    std::fs::write(place.outside().join("list"), "README.md\n").unwrap();
    std::fs::remove_file(place.path(".teddy/global.context")).unwrap();
    std::os::unix::fs::symlink("../../list", place.path(".teddy/global.context")).unwrap();
    place.refused(&["plan", TASK], 2, &["global.context", "outside the project"]);
}

#[test]
fn a_context_file_that_is_a_directory_is_reported() {
    let place = Place::planned();
    std::fs::create_dir(place.session("session.context")).unwrap();
    place.refused(&["resume", SESSION], 2, &["session.context is not a regular file"]);
}

#[test]
fn an_entry_with_a_symbol_pins_that_definition() {
    let place = Place::repository();
    place.write(
        ".teddy/global.context",
        "src/ledger.py#Ledger # the whole class\nsrc/payment.py#nothing_like_this\nREADME.md#usage\n#src/mailer.py\n",
    );
    place.write("src/ledger.py", "import os\n\n\nclass Ledger:\n    def add(self, cents):\n        return cents\n\n\ndef other():\n    return 1\n");
    let ran = place.ok(&["plan", TASK, "--dry-run", "--json"]);
    assert!(ran.err.contains("no definition `nothing_like_this` in this file"), "{}", ran.err);
    let plan = json(&ran.out);
    let ledger = item(&plan, "src/ledger.py");
    assert_eq!((&ledger["ruling"], &ledger["tier"]), (&"pin".into(), &"raw".into()), "{ledger}");
    assert_eq!(ledger["spans"], serde_json::json!([[4, 6]]), "{ledger}");
    assert!(item(&plan, "src/mailer.py")["ruling"].is_null());
}
