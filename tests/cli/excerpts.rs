//! Tests of excerpts: the included parts of a file that is too large for the budget.

use super::support::{Place, item, json};

/// A module with many functions of a dozen lines, of which one is about refunds.
fn long_module() -> String {
    let mut text = "import decimal\nfrom src.ledger import Ledger\n\n\n".to_owned();
    for number in 0..60 {
        let name = if number == 30 { "refund_payment".to_owned() } else { format!("step_{number}") };
        text.push_str(&format!("def {name}(ledger: Ledger, cents: int) -> int:\n"));
        for line in 0..12 {
            text.push_str(&format!("    cents = cents * {number} + {line} - len(ledger.entries)\n"));
        }
        text.push_str("    return cents\n\n\n");
    }
    text
}

#[test]
fn an_excerpt_keeps_imports_and_signatures_of_what_it_omits_and_counts_the_lines() {
    let place = Place::repository();
    place.write("src/steps.py", &long_module());
    place.commit("Add the steps");
    let args = ["plan", "Change refund_payment in src/steps.py", "--dry-run", "--budget", "3000"];
    let plan = json(&place.ok(&[&args[..], &["--json"]].concat()).out);
    assert_eq!(item(&plan, "src/steps.py")["form"], "skeleton");
    let payload = place.ok(&args).out;
    let at = payload.find("# file: src/steps.py (lines ").unwrap();
    let excerpt = payload[at..].split("\n```").next().unwrap();
    assert!(excerpt.contains("import decimal\nfrom src.ledger import Ledger\n"), "{excerpt}");
    // The definition that the task is about is complete.
    assert_eq!(excerpt.matches("    cents = cents * 30 + ").count(), 12, "{excerpt}");
    // Nearby functions keep their signatures, the nearest first; their bodies are replaced by the number of omitted
    // lines.
    for near in ["def step_27(", "def step_33("] {
        assert!(excerpt.contains(near), "{near}: {excerpt}");
    }
    assert!(excerpt.contains("# … (15 lines)"), "{excerpt}");
    // A gap with several definitions shows their number, so that it does not look like one long body.
    let several = excerpt.lines().filter(|line| line.contains(" definitions)"));
    let counts: Vec<u32> = several.map(|line| line.rsplit(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert!(!counts.is_empty() && counts.iter().all(|count| (2..60).contains(count)), "{excerpt}");
    let first = excerpt.lines().next().unwrap();
    assert!(first.ends_with("with nearby signatures)") && first.contains(" of 964"), "{first}");
}
