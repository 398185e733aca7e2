//! Tests of the item that lists the changes since the last delivered payload.

use super::support::{Place, SESSION, TASK, item, json, secret};

/// Text of an item in a hybrid payload.
fn block<'a>(payload: &'a str, label: &str) -> &'a str {
    let head = format!("# item: {label} (");
    let at = payload.find(&head).unwrap_or_else(|| panic!("no {label} in {payload}"));
    let body = &payload[at..];
    &body[..=body.find("\n```\n").unwrap()]
}

fn done(place: &Place) {
    place.write_session("01/report.md", "# Report\n");
}

#[test]
fn the_delta_has_the_diff_from_the_delivered_text() {
    let place = Place::planned();
    place.write("src/payment.py", &place.read("src/payment.py").replace("nothing to charge", "no amount"));
    place.write("src/refund.py", "def refund():\n    return 1\n");
    place.git(&["mv", "src/mailer.py", "src/mail.py"]);
    std::fs::remove_file(place.path("docs/refunds.md")).unwrap();
    place.commit("Refund");
    // Committing the change makes no difference.
    place.write("src/ledger.py", &place.read("src/ledger.py").replace("in order", "by date"));
    done(&place);
    let ran = place.ok(&["resume", "-m", "Go on"]);
    let delta = block(&ran.out, "delta:01");
    assert!(delta.contains("Since turn 01 was delivered: 2 changed, 1 added, 1 removed, 1 renamed.\n"), "{delta}");
    for line in [
        "changed src/payment.py\n",
        "changed src/ledger.py\n",
        "added src/refund.py (2 lines)\n",
        "removed docs/refunds.md\n",
        "renamed src/mailer.py -> src/mail.py\n",
        "-            raise ValueError(\"nothing to charge\")\n+            raise ValueError(\"no amount\")\n",
        "+    \"\"\"Every payment, by date.\"\"\"\n",
    ] {
        assert!(delta.contains(line), "{line:?} is not in {delta}");
    }
    assert!(ran.out.contains("### RAW:changes"), "{}", ran.out);
    assert!(!ran.out.contains("# item: changes:src/ledger.py"), "the same difference is told once: {}", ran.out);
    let plan = json(&place.ok(&["resume", "--json", "--dry-run"]).out);
    assert_eq!(item(&plan, "delta:01")["kind"], "delta");
    place.ok(&["verify"]);
}

#[test]
fn unchanged_projects_and_first_turns_have_no_delta() {
    let place = Place::planned();
    assert!(!place.read_session("01/payload.md").contains("delta:"));
    done(&place);
    let next = place.ok(&["resume"]);
    assert!(!next.out.contains("delta:"), "{}", next.out);
}

#[test]
fn uncommitted_files_are_compared_with_the_delivered_text() {
    let place = Place::repository();
    place.write("src/mailer.py", "# dirty when delivered\n");
    place.write("untracked.py", "x = 1\n");
    place.ok(&["plan", TASK, "--pin", "src/mailer.py"]);
    done(&place);
    assert!(!place.ok(&["resume", "--dry-run"]).out.contains("delta:"), "dirty as before is no change");
    place.write("src/mailer.py", "# another text\n");
    place.write("untracked.py", "x = 2\n");
    let delta = place.ok(&["resume", "--dry-run"]).out;
    let delta = block(&delta, "delta:01");
    assert!(delta.contains("changed src/mailer.py (no diff: the delivered version is not in git)\n"), "{delta}");
    assert!(delta.contains("changed untracked.py (no diff"), "{delta}");
    // Reverting to the head commit is also a change.
    place.git(&["checkout", "src/mailer.py"]);
    let delta = place.ok(&["resume", "--dry-run"]).out;
    assert!(block(&delta, "delta:01").contains("changed src/mailer.py"), "{delta}");
}

#[test]
fn outside_a_repository_contents_are_compared() {
    let place = Place::plain();
    place.ok(&["plan", TASK]);
    place.write("src/ledger.py", "entries = []\n");
    place.write("src/new.py", "y = 1\n");
    std::fs::rename(place.path("src/mailer.py"), place.path("src/mail.py")).unwrap();
    done(&place);
    let ran = place.ok(&["resume"]);
    let delta = block(&ran.out, "delta:01");
    for line in
        ["changed src/ledger.py (no diff", "added src/new.py (1 line)\n", "renamed src/mailer.py -> src/mail.py\n"]
    {
        assert!(delta.contains(line), "{delta}");
    }
}

#[test]
fn secrets_and_excluded_files_are_not_in_the_delta() {
    let place = Place::planned();
    let key = secret();
    place.write("src/payment.py", &format!("{}\naws_access_key_id = \"{key}\"\n", place.read("src/payment.py")));
    place.write("src/ledger.py", "entries = []\n");
    std::fs::remove_file(place.path("docs/refunds.md")).unwrap();
    done(&place);
    let ran = place.ok(&["resume", "--exclude", "src/ledger.py"]);
    assert!(!ran.out.contains(&key) && ran.out.contains("[REDACTED:"), "{}", ran.out);
    assert!(!ran.out.contains("src/ledger.py"), "{}", ran.out);
    for file in ["02/checkpoint.json", "02/payload.md"] {
        assert!(!place.read_session(file).contains(&key), "{file}");
    }
}

#[test]
fn branches_and_undelivered_turns_are_compared_with_the_last_payload() {
    let place = Place::planned();
    done(&place);
    place.write("src/ledger.py", "entries = []\n");
    place.ok(&["resume", "-m", "second"]);
    place.ok(&["branch", "02"]);
    let branch = place.ok(&["resume", &format!("{SESSION}/02-branch-01")]).out;
    assert!(block(&branch, "delta:01").contains("changed src/ledger.py"), "{branch}");
    std::fs::create_dir(place.session("03")).unwrap();
    place.write_session("03/report.md", "x\n");
    std::fs::remove_dir_all(place.session("02-branch-01")).unwrap();
    place.write("src/mailer.py", "# new\n");
    let next = place.ok(&["resume"]).out;
    assert!(
        block(&next, "delta:02").contains("changed src/mailer.py") && !block(&next, "delta:02").contains("ledger"),
        "{next}"
    );
}

#[test]
fn a_missing_commit_leaves_the_recorded_hashes_for_comparison() {
    let place = Place::planned();
    place.git(&["checkout", "-q", "--orphan", "other"]);
    place.write("src/payment.py", "# rewritten\n");
    place.commit("Start again");
    place.git(&["branch", "-D", "main"]);
    place.git(&["reflog", "expire", "--expire=now", "--all"]);
    place.git(&["gc", "-q", "--prune=now"]);
    done(&place);
    let ran = place.ok(&["resume"]);
    let delta = block(&ran.out, "delta:01");
    assert!(delta.contains("changed src/payment.py (no diff") && !delta.contains("added"), "{delta}");
}

#[test]
fn a_file_in_utf16_is_compared_by_its_text() {
    let place = Place::repository();
    let write = |text: &str| {
        let wide = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes);
        std::fs::write(place.path("src/wide.py"), wide.collect::<Vec<u8>>()).unwrap();
    };
    write("def refund():\n    return 1\n");
    place.commit("Write it in another encoding");
    place.ok(&["plan", TASK, "--pin", "src/wide.py"]);
    done(&place);
    write("def refund():\n    return 2\n");
    let ran = place.ok(&["resume"]);
    assert!(block(&ran.out, "delta:01").contains("\n-    return 1\n+    return 2\n"), "{}", ran.out);
}
