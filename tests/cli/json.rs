//! Tests of `--json`: the structure that scripts rely on.

use serde_json::Value;

use super::support::{Place, TASK, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_plan_is_one_object_of_a_fixed_shape() {
    let place = Place::repository();
    place.write("src/big_refund.py", &long_module());
    std::fs::write(place.path("logo.png"), [0x89, b'P', b'N', b'G', 0, 1, 2]).unwrap();
    place.write("task.txt", TASK);
    let flags = ["--task-file", "task.txt", "--budget", "3000", "--fill", "--dry-run", "--no-tui", "--json"];
    let ran = place.ok(&[&["plan"][..], &flags, &["--demote", "src/mailer.py"]].concat());
    assert_eq!(ran.out.lines().count(), 1, "one object on one line");
    let plan = json(&ran.out);
    assert_eq!(keys(&plan), ["version", "task", "budget", "items", "skipped"]);
    assert_eq!(plan["version"], 1);
    assert_eq!(plan["task"]["text"], TASK);
    assert_eq!(keys(&plan["budget"]), ["limit", "raw", "linked", "summary", "used", "free"]);
    let number = |key: &str| plan["budget"][key].as_u64().unwrap();
    assert_eq!(number("limit"), 3000);
    assert_eq!(number("used") + number("free"), 3000);
    assert!(number("raw") + number("linked") + number("summary") <= number("used"));
    let items = plan["items"].as_array().unwrap();
    let order = ["raw", "linked", "summary", "out"];
    let mut tiers = Vec::new();
    let mut cut = 0;
    for item in items {
        let form = item["form"].as_str().unwrap_or("none");
        let is_cut = matches!(form, "spans" | "skeleton");
        let mut expected = vec!["path", "kind", "score", "rank", "tier", "form"];
        expected.extend(is_cut.then_some("spans"));
        expected.extend(["tokens", "ruling", "signals", "priority"]);
        assert_eq!(keys(item), expected, "{item}");
        if is_cut {
            cut += 1;
            for span in item["spans"].as_array().unwrap() {
                let (first, last) = (span[0].as_u64().unwrap(), span[1].as_u64().unwrap());
                assert!(0 < first && first <= last, "{item}");
            }
        }
        assert!(item["score"].as_u64().unwrap() <= 10, "{item}");
        assert!(item["rank"].is_number() && item["tokens"].is_u64(), "{item}");
        for signal in item["signals"].as_array().unwrap() {
            assert_eq!(keys(signal), ["name", "points", "why"]);
        }
        tiers.push(order.iter().position(|tier| item["tier"] == *tier).unwrap());
    }
    assert!(cut > 0, "nothing was cut: {plan:#}");
    assert!(tiers.contains(&0) && items.iter().any(|item| item["ruling"] == "demote"));
    let skipped = plan["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!((&skipped[0]["path"], keys(&skipped[0])), (&"logo.png".into(), vec!["path", "why"]));
    assert!(skipped[0]["why"].as_str().unwrap().contains("binary"));
}

#[test]
fn items_are_listed_in_the_order_of_placement() {
    let place = Place::repository();
    let plan = place.placed(&["--pin", "README.md"]);
    let items = plan["items"].as_array().unwrap();
    assert_eq!((&items[0]["path"], &items[0]["ruling"]), (&"README.md".into(), &"pin".into()));
    let tiers: Vec<&str> = items.iter().map(|item| item["tier"].as_str().unwrap()).collect();
    assert_eq!(tiers[1], "raw", "{tiers:?}");
    assert_eq!(items[1]["path"], "src/payment.py");
}

#[test]
fn the_other_commands_print_json_too() {
    let place = Place::planned();
    let sessions = json(&place.ok(&["sessions", "--json"]).out);
    assert_eq!(keys(&sessions[0]), ["name", "goal", "turns", "state", "touched"]);
    assert_eq!((&sessions[0]["goal"], &sessions[0]["state"]), (&TASK.into(), &"delivered".into()));
    let doctor = json(&place.ok(&["doctor", "--json"]).out);
    assert_eq!(doctor["git"]["branch"], "main");
    assert_eq!(doctor["files"]["text"], 6);
    let explained = json(&place.ok(&["explain", "src/payment.py", "--json"]).out);
    assert_eq!(explained["path"], "src/payment.py");
    assert!(explained["score"].as_u64().unwrap() >= 7, "{explained}");
    let nothing = json(&Place::empty().ok(&["sessions", "--json"]).out);
    assert_eq!(nothing, serde_json::json!([]));
}

fn long_module() -> String {
    let mut text = String::from("\"\"\"Refunds of payments.\"\"\"\n\n");
    for number in 0..120 {
        text.push_str(&format!(
            "def step_{number}(amount: int, reason: str) -> int:\n    \"\"\"Step {number}.\"\"\"\n    total = amount * {number}\n    for index in range(total):\n        total += index\n    return total\n\n\n"
        ));
    }
    text.push_str("def refund(payment: str) -> str:\n    \"\"\"Refunds a payment.\"\"\"\n    return payment\n");
    text
}

#[test]
fn every_file_is_counted_on_demand() {
    let place = Place::repository();
    let ran = place.ok(&["plan", TASK, "--dry-run", "--json", "--count-all"]);
    let plan = json(&ran.out);
    let mut total = 0;
    for item in plan["items"].as_array().unwrap() {
        let path = item["path"].as_str().unwrap();
        let Ok(text) = std::fs::read_to_string(place.path(path)) else {
            assert!(item.get("file_tokens").is_none(), "{item}");
            continue;
        };
        let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len();
        assert_eq!(item["file_tokens"], tokens, "{path}");
        total += tokens;
    }
    assert!(ran.err.contains(&format!(" by o200k_base: {total} tokens")), "{total}: {}", ran.err);
    let without = json(&place.ok(&["plan", TASK, "--dry-run", "--json"]).out);
    assert!(without["items"].as_array().unwrap().iter().all(|item| item.get("file_tokens").is_none()));
}
