//! `--line-numbers`: the numbers are correct in every text format and counted as tokens, and such payloads can be
//! verified and replayed.

use super::support::{Place, SESSION, TASK, json};

const FORMATS: [&str; 4] = ["hybrid", "xml", "invocation", "prompt"];
const PATH: &str = "src/pay.py";

fn place() -> Place {
    let place = Place::repository();
    let bodies =
        (1..40).map(|number| format!("def step{number}(order):\n    value = {number}\n\n    return value\n\n\n"));
    place.write(PATH, &format!("\"\"\"Pays.\"\"\"\n{}", bodies.collect::<String>()));
    place
}

#[test]
fn lines_have_their_numbers_in_every_text_format() {
    for format in FORMATS {
        let place = place();
        let made = place.ok(&["plan", TASK, "--format", format, "--line-numbers", "--pin", PATH]).out;
        assert!(
            made.contains("\n  1: \"\"\"Pays.\"\"\"\n  2: def step1(order):\n  3:     value = 1\n  4:\n"),
            "{format}: {made}"
        );
        assert!(made.contains("\n233:     return value\n"), "{format}: {made}");
        let replayed = place.ok(&["replay", "--stdout"]).out;
        assert_eq!(replayed, made, "{format}");
        if matches!(format, "hybrid" | "xml") {
            place.ok(&["verify"]);
            place.write(PATH, "\"\"\"Changed.\"\"\"\n");
            place.refused(&["verify"], 1, &[PATH]);
        }
    }
}

#[test]
fn excerpts_have_the_numbers_of_the_file() {
    for format in FORMATS {
        let place = place();
        let pin = format!("{PATH}:8-11");
        let made = place.ok(&["plan", TASK, "--format", format, "--line-numbers", "--pin", &pin]).out;
        let shown = "# … (7 lines)\n  8: def step2(order):\n  9:     value = 2\n 10:\n 11:     return value\n# … (";
        assert!(made.contains(shown), "{format}: {made}");
        assert_eq!(place.ok(&["replay", "--stdout"]).out, made, "{format}");
    }
}

#[test]
fn numbers_are_counted() {
    let used = |flags: &[&str]| {
        let all = [&["plan", TASK, "--pin", PATH, "--dry-run", "--json"][..], flags].concat();
        let object = json(&place().ok(&all).out);
        object["budget"]["used"].as_u64().unwrap()
    };
    let (without, with) = (used(&[]), used(&["--line-numbers"]));
    assert!(with > without + 235, "{with} is not more than {without}");
    let place = place();
    let made = place.ok(&["plan", TASK, "--pin", PATH, "--line-numbers", "--dry-run"]);
    assert!(made.out.contains(&teddy::text::thousands(with as usize)), "{}", made.out);
}

#[test]
fn the_configuration_and_the_turn_keep_the_choice() {
    let place = place();
    place.write_own_config("line_numbers: true\n");
    let made = place.ok(&["plan", TASK, "--pin", PATH, "--dry-run"]).out;
    assert!(made.contains("  2: def step1"), "{made}");
    let fetched = place.ok(&["fetch", &format!("{PATH}:2-3")]).out;
    assert!(fetched.contains("  2: def step1(order):\n  3:     value = 1\n"), "{fetched}");
    place.write_own_config("line_numbers: false\n");
    place.ok(&["plan", TASK, "--pin", PATH, "--line-numbers"]);
    assert!(place.read_session("01/turn.yaml").contains("line_numbers: true"));
    let again = place.ok(&["resume", SESSION, "--stdout"]).out;
    assert!(again.contains("  2: def step1"), "{again}");
}
