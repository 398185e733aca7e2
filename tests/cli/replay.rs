//! Tests of `teddy replay`: identical bytes, or the names of changed sources.

use super::support::{Place, Ran, SESSION, TASK, ran, secret};

/// Runs teddy ten days later.
fn later(place: &Place, args: &[&str]) -> Ran {
    ran(place.teddy().args(args).env("SOURCE_DATE_EPOCH", "1770114600"))
}

/// A file that is too long for the budget, so that only an excerpt is included.
fn long_module() -> String {
    let mut text = String::from("\"\"\"Payment reports.\"\"\"\n\nfrom src.payment import PaymentService\n\n");
    for number in 0..120 {
        text.push_str(&format!(
            "\ndef report_{number}(service: PaymentService) -> str:\n    \"\"\"Report {number} of payments.\"\"\"\n"
        ));
        for line in 0..8 {
            text.push_str(&format!("    value_{line} = service.charge(\"card {number}\", {line} + 1)\n"));
        }
        text.push_str("    return value_0\n\n");
    }
    text.push_str("def refund_capability(service: PaymentService) -> None:\n    \"\"\"Adds a refund capability.\"\"\"\n    return None\n");
    text
}

#[test]
fn every_format_and_form_is_rebuilt_byte_for_byte_at_any_time() {
    let key = secret();
    for format in ["hybrid", "invocation"] {
        let place = Place::repository();
        place.write("src/refund_payment.py", &long_module());
        place.write("src/keys.py", &format!("aws_access_key_id = \"{key}\"\n"));
        place.write("src/crlf.py", "a = 1\r\nb = 2\r\nno_end = 3");
        place.write("src/empty.py", "");
        place.write("src/twin.py", "a = 1\r\nb = 2\r\nno_end = 3");
        place.commit("More");
        place.ok(&["memo", "add", "Cents only"]);
        place.write("src/mailer.py", "# dirty\n");
        let args = [
            "plan", TASK, "--format", format, "--budget", "5000", "--fill", "--pin", "src/keys.py", "--pin",
            "src/twin.py",
        ];
        let payload = place
            .ok(&[&args[..], &["--pin", "src/crlf.py", "--pin", "src/empty.py", "--exclude", "docs"]].concat())
            .out;
        assert!(payload.contains("… (") || payload.contains("..."), "something is cut: {payload}");
        let done = later(&place, &["replay", "01"]);
        assert_eq!(done.code, 0, "{format}: {done:?}");
        assert!(done.out.contains("01/payload.md is rebuilt byte for byte from "), "{}", done.out);
        // Memos, index and history do not affect a replay.
        place.ok(&["memo", "add", "Another"]);
        place.write("src/unrelated.py", "x = 1\n");
        place.commit("Unrelated, and what was dirty");
        place.ok(&["plan", "--session", SESSION, "-m", "more"]);
        let again = later(&place, &["replay", &format!("{SESSION}/01"), "--stdout"]);
        assert_eq!((again.code, again.out == payload), (0, true), "{format}: {}", again.err);
        let record = place.read_session("01/replay.json");
        assert!(!record.contains(&key) && !again.out.contains(&key));
        assert!(!record.contains("def charge"), "the record does not hold the sources: {record}");
        std::fs::remove_file(place.session("01/payload.md")).unwrap();
        let gone = later(&place, &["replay", &format!("{SESSION}/01"), "-o", "again.md"]);
        assert_eq!(gone.code, 0, "{gone:?}");
        assert_eq!(place.read("again.md"), payload);
    }
}

#[test]
fn changed_sources_are_named_and_restored_from_git() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--pin", "src/ledger.py", "--link", "src/mailer.py"]);
    let payload = place.read_session("01/payload.md");
    place.write("src/payment.py", "# rewritten\n");
    std::fs::remove_file(place.path("src/ledger.py")).unwrap();
    place.write("src/mailer.py", "# rewritten too\n");
    let before = place.listing();
    let ran = place.run(&["replay"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
    for line in [
        "changed: src/payment.py\n",
        "missing: src/ledger.py: ",
        "changed: src/mailer.py (linked)\n",
        "3 of 4 sources changed",
        "--at-delivery",
    ] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
    super::support::assert_same(&before, &place.listing());
    let then = place.ok(&["replay", "--at-delivery", "--stdout"]);
    assert_eq!(then.out, payload);
    place.commit("All of it");
    assert_eq!(place.ok(&["replay", "01", "--at-delivery", "--stdout"]).out, payload);
}

#[test]
fn uncommitted_sources_cannot_be_restored() {
    let place = Place::repository();
    place.write("src/payment.py", &place.read("src/payment.py").replace("nothing", "not a cent"));
    place.ok(&["plan", TASK]);
    place.write("src/payment.py", "# lost\n");
    let ran = place.run(&["replay", "--at-delivery"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("missing: src/payment.py: git does not have the delivered text"), "{}", ran.err);
    let plain = Place::plain();
    plain.ok(&["plan", TASK]);
    plain.ok(&["replay"]);
    plain.ok(&["replay", "--at-delivery"]);
    plain.write("src/payment.py", "# lost\n");
    let ran = plain.run(&["replay", "--at-delivery"]);
    assert!(ran.code == 1 && ran.err.contains("there is no repository"), "{ran:?}");
}

#[test]
fn tampering_is_distinguished_from_changes() {
    let place = Place::planned();
    let payload = place.read_session("01/payload.md");
    place.write_session("01/payload.md", &payload.replace("Charges cards", "Charges nobody"));
    let ran = place.run(&["replay"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("was changed after it was delivered"), "{}", ran.err);
    let record = place.read_session("01/replay.json");
    place.write_session("01/replay.json", &record.replace("Payload Map", "Payload Mop"));
    place.refused(&["replay"], 2, &["does not reproduce its payload"]);
    place.write_session("01/replay.json", "{\n\"version\": 1,\n");
    place.refused(&["replay"], 2, &["01/replay.json:", "not a replay record"]);
    place.write_session("01/replay.json", &record.replacen("\"version\": 1", "\"version\": 9", 1));
    place.refused(&["replay"], 2, &["another version of teddy"]);
    place.write_session("01/replay.json", &record.replace("\"file\": \"src/payment.py\"", "\"file\": \"../home/x\""));
    let outside = place.run(&["replay"]);
    assert!(outside.code == 1 && outside.err.contains("outside the project"), "{outside:?}");
    std::fs::remove_file(place.session("01/replay.json")).unwrap();
    place.refused(&["replay", "01"], 1, &["has no replay.json", "teddy resume"]);
}

#[test]
fn changed_redaction_rules_are_reported() {
    let place = Place::repository();
    place.write("src/payment.py", &format!("{}\n# reference ABCXYZ-123456\n", place.read("src/payment.py")));
    place.ok(&["plan", TASK]);
    let home = place.outside().join("home");
    let rules = home.join("rules.yaml");
    std::fs::write(&rules, "rules:\n  - id: reference\n    regex: 'ABCXYZ-[0-9]{6}'\n").unwrap();
    let own = home.join("config");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("config.yaml"), format!("redact:\n  rules_file: {}\n", rules.display())).unwrap();
    let ran = ran(place.teddy().args(["replay"]).env("TEDDY_CONFIG_DIR", &own));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.contains("different: src/payment.py: unchanged, but the redaction or excerpt rules changed"),
        "{}",
        ran.err
    );
}

#[test]
fn a_pack_is_replayed_or_its_changed_source_is_named() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "--format", "pack", "-o", "pack.json"]);
    let said = place.ok(&["replay"]).out;
    assert!(said.contains("pack.json is identical to the delivered payload") && said.contains("unchanged"), "{said}");
    place.write("src/payment.py", "def refund():\n    return 0\n");
    let run = place.run(&["replay"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(format!("{run:?}").contains("changed: src/payment.py"), "{run:?}");
}
