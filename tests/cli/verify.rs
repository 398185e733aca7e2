//! `teddy verify`: 0 fresh, 1 stale, 2 damaged.

use std::process::Stdio;

use super::support::{Place, TASK, ran};

#[test]
fn fresh_stale_and_damaged_payloads_are_distinguished() {
    let place = Place::repository();
    place.ok(&["plan", TASK, "-o", "../out.md"]);
    let fresh = place.ok(&["verify", "../out.md"]);
    assert!(fresh.out.starts_with("../out.md is intact; "), "{}", fresh.out);
    place.ok(&["verify"]);

    let payload = std::fs::read_to_string(place.outside().join("out.md")).unwrap();
    std::fs::write(place.outside().join("bad.md"), payload.replace("def charge", "def steal")).unwrap();
    place.refused(&["verify", "../bad.md"], 2, &["../bad.md was changed after it was created", "damaged: "]);

    place.write("src/payment.py", "def charge():\n    return 2\n");
    std::fs::remove_file(place.path("src/ledger.py")).unwrap();
    place.refused(
        &["verify", "../out.md"],
        1,
        &["../out.md is stale", "changed: src/payment.py\n", "missing: src/ledger.py"],
    );
    place.refused(&["verify", "../bad.md"], 2, &["damaged: ", "changed: src/payment.py\n"]);
}

#[test]
fn standard_input_is_verified_and_other_texts_are_rejected() {
    let place = Place::planned();
    let open = |name: &str| Stdio::from(std::fs::File::open(place.path(name)).unwrap());
    let session = place.session("01/payload.md");
    let fresh = ran(place.teddy().args(["verify", "-"]).stdin(std::fs::File::open(&session).unwrap()));
    assert_eq!((fresh.code, &fresh.out[..14]), (0, "standard input"), "{fresh:?}");
    let nothing = ran(place.teddy().args(["verify", "-"]).stdin(open("README.md")));
    assert_eq!(nothing.code, 2, "{nothing:?}");
    place.refused(&["verify", "README.md"], 2, &["README.md"]);
    place.refused(&["verify", "nowhere.md"], 2, &["file `nowhere.md` not found"]);
    place.refused(&["verify", "src"], 2, &["src is a directory"]);
    place.ok(&["plan", TASK, "--format", "invocation"]);
    place.refused(&["verify"], 2, &["invocation", "no hashes"]);
}

#[test]
fn a_payload_of_several_megabytes_is_verified() {
    let place = Place::repository();
    for number in 0..5 {
        let text = format!("number {number}\n{}", "some words that make a line of text\n".repeat(20_000));
        place.write(&format!("data/{number}.txt"), &text);
    }
    let ran =
        place.ok(&["plan", TASK, "--pin", "data/", "--tokenizer", "estimate", "--budget", "5M", "-o", "../big.md"]);
    assert!(std::fs::metadata(place.outside().join("big.md")).unwrap().len() > 3_000_000, "{}", ran.err);
    place.ok(&["verify", "../big.md"]);
    place.ok(&["verify"]);
    assert!(place.ok(&["show", "--payload"]).out.len() > 3_000_000);
}

#[test]
fn a_payload_can_be_verified_from_a_subdirectory() {
    let place = Place::planned();
    let below = ran(place.teddy_in(&place.path("src")).arg("verify"));
    assert_eq!(below.code, 0, "{below:?}");
}
