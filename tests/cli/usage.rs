//! Items that were used: `teddy show` and `teddy stats` after an answer and a report.

use super::support::{Place, json};

/// The lines of `teddy show` on the use of a turn's items.
fn used(place: &Place) -> Vec<String> {
    let shown = place.ok(&["show"]).out;
    let from = shown.lines().skip_while(|line| !line.trim_start().starts_with("used "));
    from.map(|line| line.trim().to_owned()).take_while(|line| !line.is_empty()).collect()
}

/// A repository with a turn that has `src/payment.py` and `src/mailer.py` in RAW, `src/ledger.py` linked and the rest
/// absent.
fn delivered() -> Place {
    let place = Place::repository();
    let exclude = ["tests/**", "docs/**", "README.md"].map(|glob| ["--exclude", glob]).concat();
    let tiers = ["--pin", "src/payment.py", "--pin", "src/mailer.py", "--link", "src/ledger.py"];
    place.ok(&[&["plan", "Refund a payment"][..], &tiers, &exclude].concat());
    place
}

fn answer(place: &Place, text: &str) {
    place.write("answer.txt", text);
    place.ok(&["answer", "answer.txt"]);
    std::fs::remove_file(place.path("answer.txt")).unwrap();
}

fn report(place: &Place) {
    place.write("report.txt", "Done.\n");
    place.ok(&["answer", "--report", "report.txt"]);
    std::fs::remove_file(place.path("report.txt")).unwrap();
}

/// A file of the first turn: its path and text.
fn session_file(place: &Place, name: &str) -> (std::path::PathBuf, String) {
    let session = std::fs::read_dir(place.path(".teddy/sessions")).unwrap().next().unwrap().unwrap().path();
    let path = session.join("01").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

fn append(place: &Place, path: &str, text: &str) {
    place.write(path, &format!("{}{text}", place.read(path)));
}

#[test]
fn changed_cited_and_unused_items_are_told_apart() {
    let place = delivered();
    assert_eq!(used(&place), Vec::<String>::new(), "there is no answer yet");
    answer(&place, "Change `PaymentService.charge`, then src/ledger.py.\n");
    let lines = used(&place);
    assert!(lines[0].starts_with("used 1 of 2 files in RAW, ") && lines[0].ends_with(" tokens, so far"), "{lines:?}");
    assert_eq!(lines[1], "only cited: src/payment.py (`PaymentService`)");
    assert!(lines[2].starts_with("not used: src/mailer.py (") && lines.len() == 3, "{lines:?}");
    append(&place, "src/payment.py", "\n\ndef refund():\n    pass\n");
    place.commit("Refund payments");
    append(&place, "src/ledger.py", "\n\ndef undo():\n    pass\n");
    std::fs::remove_file(place.path("docs/refunds.md")).unwrap();
    place.write("src/refund.py", "x = 1\n");
    place.git(&["add", "src/refund.py"]);
    let lines = used(&place);
    assert_eq!(lines[1], "changed: src/payment.py");
    assert!(lines[2].starts_with("not used: src/mailer.py ("), "{lines:?}");
    assert_eq!(lines[3], "changed outside RAW: src/ledger.py (linked), docs/refunds.md (not in the payload)");
    assert_eq!(lines[4..], ["new: src/refund.py"]);
}

#[test]
fn the_share_is_that_of_the_used_tokens() {
    let place = delivered();
    answer(&place, "Nothing to see.\n");
    append(&place, "src/mailer.py", "\nx = 1\n");
    let checkpoint = json(&session_file(&place, "checkpoint.json").1);
    let tokens = |path: &str| {
        let artifacts = checkpoint["artifacts"].as_array().unwrap().iter();
        artifacts.clone().find(|one| one["path"] == path).unwrap()["tokens"].as_u64().unwrap()
    };
    let (mailer, payment) = (tokens("src/mailer.py"), tokens("src/payment.py"));
    let share = mailer * 100 / (mailer + payment);
    let first = &used(&place)[0];
    let near = [share, share + 1]
        .map(|share| format!("used 1 of 2 files in RAW, {share}% of their {} tokens", mailer + payment));
    assert!(near.iter().any(|text| first.starts_with(text.as_str())), "{first} {near:?}");
}

#[test]
fn what_happens_after_the_report_or_the_next_payload_has_no_influence() {
    let place = delivered();
    append(&place, "src/payment.py", "\nx = 1\n");
    report(&place);
    let reported = used(&place);
    assert!(reported[0].starts_with("used 1 of 2") && !reported[0].contains("so far"), "{reported:?}");
    append(&place, "src/mailer.py", "\nx = 1\n");
    place.commit("Change the mailer");
    assert_eq!(used(&place), reported);
    // Without the record, the next payload ends the turn.
    std::fs::remove_file(session_file(&place, "changes.json").0).unwrap();
    assert!(used(&place)[0].starts_with("used 2 of 2") && used(&place)[0].contains("so far"));
    place.ok(&["resume", "-m", "Now the documents"]);
    append(&place, "src/ledger.py", "\nx = 1\n");
    let ended = used(&place);
    assert!(ended[0].starts_with("used 2 of 2") && !ended[0].contains("so far"), "{ended:?}");
    assert_eq!(ended[1..], ["changed: src/payment.py, src/mailer.py"]);
}

#[test]
fn contents_are_compared_and_not_times() {
    let place = delivered();
    answer(&place, "Wait.\n");
    // The files are changed, committed and changed back, so their times are new, but their contents are not.
    for path in ["src/payment.py", "src/mailer.py", "src/ledger.py"] {
        let text = place.read(path);
        place.write(path, &format!("{text}# more\n"));
        place.commit("Change it");
        place.write(path, &text);
        place.commit("Change it back");
    }
    let lines = used(&place);
    assert!(lines[0].starts_with("used 0 of 2 files in RAW, 0%") && lines.len() == 2, "{lines:?}");
}

#[test]
fn outside_a_repository_files_are_compared_by_their_hashes() {
    let place = Place::plain();
    place.ok(&["plan", "Refund a payment", "--pin", "src/payment.py", "--exclude", "docs/**"]);
    append(&place, "src/payment.py", "\nx = 1\n");
    append(&place, "docs/refunds.md", "More.\n");
    report(&place);
    let lines = used(&place);
    assert!(lines.contains(&"changed: src/payment.py".to_owned()), "{lines:?}");
    assert!(lines.contains(&"changed outside RAW: docs/refunds.md (not in the payload)".to_owned()), "{lines:?}");
}

#[test]
fn stats_turn_the_use_of_items_into_advice() {
    let place = Place::repository();
    place.write("legacy/old.py", "def charge_old():\n    pass\n");
    place.commit("Add old code");
    for turn in 0..3 {
        if turn == 0 {
            place.ok(&[
                "plan", "Refund a payment", "--pin", "legacy/", "--link", "src/ledger.py", "--pin", "src/payment.py",
            ]);
        } else {
            place.ok(&["resume", "-m", "Refund more", "--pin", "legacy/", "--link", "src/ledger.py"]);
        }
        append(&place, "src/payment.py", &format!("\nx = {turn}\n"));
        append(&place, "src/ledger.py", &format!("\nx = {turn}\n"));
        report(&place);
        let told = json(&place.ok(&["stats", "--json"]).out);
        assert_eq!(told["use"]["turns"], turn + 1);
    }
    let text = place.ok(&["stats"]).out;
    for part in [
        "RAW in 3 turns with a known outcome: ",
        "budget: in 3 of 3 turns a changed file was only linked; try a larger --budget",
        "tiers: in 3 of 3 turns, files in src/ changed without being in RAW",
        ".teddyignore: legacy/ was in RAW in 3 turns with ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let told = json(&place.ok(&["stats", "--json"]).out);
    assert_eq!(told["use"]["unused_directories"][0]["path"], "legacy/");
    assert_eq!(told["use"]["turns_linked"], 3);
}
