//! Tests of `--task-type`: a given type takes precedence, and an inferred one has a reason.

use serde_json::Value;

use super::support::*;

fn planned(place: &Place, args: &[&str]) -> Value {
    let mut all = vec!["plan", "--dry-run", "--no-tui", "--json"];
    all.extend(args);
    serde_json::from_str(&place.ok(&all).out).unwrap()
}

fn rank(plan: &Value, path: &str) -> f64 {
    let items = plan["items"].as_array().unwrap();
    items.iter().find(|item| item["path"] == path).unwrap()["rank"].as_f64().unwrap()
}

#[test]
fn a_given_type_decides_the_instructions_and_the_ranks() {
    let place = Place::repository();
    let task = "Refunds of payments";
    for kind in ["review", "docs"] {
        let plan = planned(&place, &[task, "--task-type", kind]);
        assert_eq!((&plan["task"]["type"], &plan["task"]["type_reason"]), (&kind.into(), &"chosen by you".into()));
        let payload = place.ok(&["plan", task, "--task-type", kind, "--format", "prompt", "--dry-run"]).out;
        assert!(payload.contains(&format!("As a {kind} task, please")), "{payload}");
    }
    let docs = rank(&planned(&place, &[task, "--task-type", "docs"]), "docs/refunds.md");
    let debug = rank(&planned(&place, &[task, "--task-type", "debug"]), "docs/refunds.md");
    assert!(docs > debug, "{docs} {debug}");
}

#[test]
fn a_changed_file_ranks_higher_in_a_review() {
    let place = Place::repository();
    place.write("src/ledger.py", "def book(amount):\n    return amount + 1\n");
    let ranked = |kind: &str| rank(&planned(&place, &["Refunds of payments", "--task-type", kind]), "src/ledger.py");
    assert!(ranked("review") > ranked("analyze"));
}

#[test]
fn inferred_values_have_reasons_and_an_empty_task_has_none() {
    let place = Place::repository();
    let task = &planned(&place, &["The payment crashes on empty names"])["task"];
    assert_eq!(task["type"], "debug");
    assert!(task["type_reason"].as_str().unwrap().contains("'crashes'"), "{task}");
    let task = &planned(&place, &["do some stuff"])["task"];
    assert_eq!((&task["type"], &task["complexity"]), (&Value::Null, &Value::Null));
    let notes = task["notes"].to_string();
    assert!(notes.contains("the task has too little detail to choose files"), "{notes}");
}

#[test]
fn auto_fill_is_suggested_only_where_it_helps() {
    let place = library();
    let suggests = |args: &[&str]| {
        let ran = place.ok(&[&["plan", "--dry-run", "Return the total of a Basket"][..], args].concat());
        assert!(ran.err.contains(" of 25,000"), "{}", ran.err);
        ran.err.contains("tokens free: --fill adds the next-best items")
    };
    assert!(suggests(&[]));
    assert!(!suggests(&["--fill"]));
}

/// Paths of the files in RAW.
fn raw_files(plan: &Value) -> Vec<&str> {
    let items = plan["items"].as_array().unwrap();
    let is_raw_file = |item: &&Value| item["tier"] == "raw" && item["kind"] == "file";
    items.iter().filter(is_raw_file).map(|item| item["path"].as_str().unwrap()).collect()
}

#[test]
fn a_task_without_content_inlines_nothing() {
    let place = Place::repository();
    for args in [&["do something"][..], &["do something", "--fill"], &["please continue", "--task-type", "debug"]] {
        let plan = planned(&place, args);
        assert!(raw_files(&plan).is_empty(), "{args:?}: {:?}", raw_files(&plan));
        assert_eq!(plan["task"]["targets"], Value::Array(Vec::new()));
    }
}

#[test]
fn a_task_without_content_keeps_pins_context_and_evidence() {
    let place = Place::repository();
    assert_eq!(raw_files(&planned(&place, &["do something", "--pin", "src/ledger.py"])), ["src/ledger.py"]);
    place.write("trace.txt", "Traceback (most recent call last):\n  File \"src/payment.py\", line 3, in charge\n");
    let plan = planned(&place, &["do something", "--evidence", "trace.txt"]);
    // The file that the trace points to, and its test.
    assert_eq!(raw_files(&plan), ["src/payment.py", "tests/test_payment.py"]);
    place.write(".teddy/global.context", "src/mailer.py\n");
    assert_eq!(raw_files(&planned(&place, &["do something"])), ["src/mailer.py"]);
}

/// A library with a core module, its tests with fixtures, an error module and files that use the core.
fn library() -> Place {
    let place = Place::empty();
    let filler = |name: &str| format!("def {name}():\n    return '{name}'\n\n\n").repeat(12);
    place.write("README.md", "# Shop\n\nSells things.\n");
    place.write("shop/__main__.py", "from shop.basket import Basket\n\nBasket()\n");
    place.write("shop/basket.py", &format!("from shop.faults import BasketError\n\n\nclass Basket:\n    def total(self):\n        raise BasketError\n\n\n{}", filler("weigh")));
    place.write("shop/faults.py", "class OtherFault(Exception):\n    pass\n");
    place.write("shop/errors.py", "class BasketError(Exception):\n    pass\n");
    for user in ["checkout", "wishlist", "invoice"] {
        place.write(
            &format!("front/{user}.py"),
            &format!("from shop.basket import Basket\n\n\ndef {user}():\n    return Basket()\n"),
        );
    }
    place.write("front/colours.py", "def colours():\n    return ['red']\n");
    place.write("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef till():\n    return 1\n");
    place.write(
        "tests/test_basket.py",
        "from shop.basket import Basket\n\n\ndef test_total(till):\n    assert Basket\n",
    );
    place.write(
        "tests/test_colours.py",
        "from front.colours import colours\n\n\ndef test_colours():\n    assert colours()\n",
    );
    place.git(&["init", "-q", "-b", "main"]);
    place.commit("Sell things");
    place
}

const ABOUT_BASKETS: &str = "Look at the total of Basket in shop/basket.py";

fn of_type(place: &Place, kind: &str) -> Value {
    planned(place, &[ABOUT_BASKETS, "--task-type", kind])
}

fn signal<'a>(plan: &'a Value, path: &str, name: &str) -> Option<&'a str> {
    let signals = item(plan, path)["signals"].as_array().unwrap();
    signals.iter().find(|signal| signal["name"] == name).map(|signal| signal["why"].as_str().unwrap())
}

#[test]
fn a_test_task_gets_the_module_its_tests_and_their_fixtures() {
    let place = library();
    let plan = of_type(&place, "test");
    let raw = raw_files(&plan);
    for path in ["shop/basket.py", "tests/test_basket.py", "tests/conftest.py"] {
        assert!(raw.contains(&path), "{path}: {raw:?}");
    }
    assert_eq!(signal(&plan, "tests/conftest.py", "task type"), Some("fixtures of tests/test_basket.py"));
    assert!(!raw.contains(&"tests/test_colours.py"), "{raw:?}");
    let other = of_type(&place, "implement");
    assert!(!raw_files(&other).contains(&"tests/conftest.py"), "{:?}", raw_files(&other));
    assert_eq!(signal(&other, "tests/conftest.py", "task type"), None);
}

#[test]
fn a_refactoring_gets_the_files_that_depend_on_its_target() {
    let place = library();
    let plan = of_type(&place, "refactor");
    for user in ["front/checkout.py", "front/wishlist.py", "front/invoice.py"] {
        assert_eq!(item(&plan, user)["tier"], "raw", "{user}");
        assert_eq!(signal(&plan, user, "task type"), Some("depends on shop/basket.py"));
    }
    // Few of these files change, so an inferred type only links to them.
    let inferred = planned(&place, &["Refactor the total of Basket in shop/basket.py"]);
    assert_eq!(inferred["task"]["type"], "refactor");
    let linked = |user: &str| item(&inferred, user)["score"].as_u64().unwrap();
    assert!((4..7).contains(&linked("front/wishlist.py")), "{inferred}");
    let other = of_type(&place, "implement");
    let score = |plan: &Value| item(plan, "front/wishlist.py")["score"].as_u64().unwrap();
    assert!(score(&plan) >= 7 && score(&other) < 7, "{} {}", score(&plan), score(&other));
    assert!(rank(&plan, "front/checkout.py") > rank(&plan, "front/colours.py") + 150.0);
}

#[test]
fn a_debug_task_ranks_errors_and_recent_changes_higher() {
    let place = library();
    // Only one file, next to the target, changed recently.
    let old = |place: &Place| {
        super::support::git_at(
            place.root(),
            "2025-06-01T09:00:00Z",
            &["commit", "-q", "--amend", "-m", "Sell things", "--reset-author"],
        );
    };
    old(&place);
    place.write("shop/faults.py", "class OtherFault(Exception):\n    code = 1\n");
    place.commit("Give the fault a code");
    let (debug, analyze) = (of_type(&place, "debug"), of_type(&place, "analyze"));
    for (path, why) in [("shop/errors.py", "defines errors"), ("shop/faults.py", "next to a likely target and changed")]
    {
        let gain = rank(&debug, path) - rank(&analyze, path);
        assert!(gain >= 290.0, "{path}: {gain}");
        assert!(signal(&debug, path, "task type").is_none_or(|said| said.starts_with(why)), "{debug}");
    }
    assert_ne!(item(&debug, "shop/errors.py")["tier"], "out");
}

#[test]
fn an_analysis_gets_the_structure_and_the_entry_points() {
    let place = library();
    for (format, heading) in [("hybrid", "### Project Structure\n"), ("xml", "<project_structure>\n")] {
        let payload = |kind: &str| {
            place
                .ok(&[
                    "plan", ABOUT_BASKETS, "--task-type", kind, "--format", format, "--dry-run", "--exclude", "front/",
                ])
                .out
        };
        let analysis = payload("analyze");
        let (_, structure) = analysis.split_once(heading).unwrap_or_else(|| panic!("{analysis}"));
        assert!(structure.contains("── test_basket.py") && !structure.contains("wishlist"), "{structure}");
        assert!(!payload("implement").contains(heading));
    }
    let plan = of_type(&place, "analyze");
    assert_eq!(signal(&plan, "README.md", "task type"), Some("describes the project"));
    assert!(["raw", "linked"].contains(&item(&plan, "shop/__main__.py")["tier"].as_str().unwrap()));
    place.ok(&["plan", ABOUT_BASKETS, "--task-type", "analyze"]);
    assert!(place.ok(&["verify"]).out.contains("is intact"));
}

#[test]
fn a_review_gets_the_changed_files() {
    let place = library();
    place.write("front/colours.py", "def colours():\n    return ['blue']\n");
    let plan = planned(&place, &["Review the uncommitted changes", "--task-type", "review"]);
    assert_eq!(item(&plan, "front/colours.py")["tier"], "raw");
    assert_eq!(item(&plan, "changes:front/colours.py")["tier"], "raw");
}

#[test]
fn priority_classes_are_shown_and_their_boosts_can_be_set() {
    let place = library();
    let explained = |path: &str| place.ok(&["explain", path, "--task", ABOUT_BASKETS]).out;
    assert!(explained("shop/basket.py").contains(", high priority\n"), "{}", explained("shop/basket.py"));
    assert!(explained("tests/conftest.py").contains(", minimal priority\n"));
    let plan = of_type(&place, "debug");
    assert_eq!(
        (&item(&plan, "shop/basket.py")["priority"], &item(&plan, "tests/conftest.py")["priority"]),
        (&"high".into(), &"minimal".into())
    );
    place.write(".teddy/config.yaml", "weights: {high: 900, minimal: 50, debug_boost: 0}\n");
    let changed = of_type(&place, "debug");
    let moved = |path: &str| (rank(&changed, path) - rank(&plan, path)).round();
    assert_eq!((moved("shop/basket.py"), moved("tests/conftest.py")), (-200.0, -50.0));
    place.write(".teddy/config.yaml", "weights: {hihg: 900}\n");
    place.refused(&["plan", ABOUT_BASKETS], 2, &["unknown weight `hihg`", "did you mean `high`?"]);
}

#[test]
fn files_of_the_same_owners_rank_higher() {
    let place = library();
    let ranks = |place: &Place| {
        let plan = of_type(place, "implement");
        (rank(&plan, "front/colours.py"), rank(&plan, "tests/test_colours.py"))
    };
    let before = ranks(&place);
    place.write("CODEOWNERS", "/front/colours.py @baskets\n/shop/basket.py @baskets\n");
    let after = ranks(&place);
    assert!(after.0 > before.0 + 1.0, "{before:?} {after:?}");
    // A rule that covers every file has no effect.
    place.write("CODEOWNERS", "* @all\n");
    assert!((ranks(&place).0 - before.0).abs() < 1.0);
}
