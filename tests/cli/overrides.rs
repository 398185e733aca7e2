//! Tests of override flags, and of `--dry-run`, which writes only the cache.

use super::support::{Place, SESSION, TASK, assert_same, item, ran};

#[test]
fn a_dry_run_writes_nothing_but_the_cache() {
    let place = Place::repository();
    let before = place.everything();
    for more in [&[][..], &["--json"], &["--fill", "--pin", "README.md"], &["--format", "invocation"]] {
        let ran = place.ok(&[&["plan", TASK, "--dry-run"], more].concat());
        assert!(!ran.out.is_empty());
        assert!(!ran.err.contains("saved in") && !ran.err.contains("created"), "{}", ran.err);
    }
    assert_same(&before, &place.everything());
    assert!(place.outside().join("home/.cache").is_dir(), "the next run knows nothing of this one");
    place.ok(&["plan", TASK]);
    let before = place.everything();
    place.ok(&["resume", "--dry-run", "--pin", "README.md"]);
    place.ok(&["plan", "--session", SESSION, "-m", "more", "--dry-run"]);
    for args in [&["sessions"][..], &["show"], &["doctor"], &["memo", "list"], &["verify"], &["completions", "bash"]] {
        place.ok(args);
    }
    assert_same(&before, &place.everything());
}

#[test]
fn a_dry_run_with_a_file_does_not_write_it() {
    let place = Place::repository();
    let before = place.everything();
    let ran = place.ok(&["plan", TASK, "--dry-run", "-o", "out.md"]);
    assert_same(&before, &place.everything());
    assert!(ran.err.contains("would write out.md"), "{}", ran.err);
    let copy = place.ok(&["plan", TASK, "--dry-run", "--copy"]);
    assert!(copy.err.contains("would copy to the clipboard"), "{}", copy.err);
}

#[test]
fn pin_demote_exclude_and_link() {
    let place = Place::repository();
    let plain = place.placed(&[]);
    assert_eq!(item(&plain, "src/payment.py")["tier"], "raw");
    assert_eq!(item(&plain, "src/payment.py")["ruling"], serde_json::Value::Null);
    assert_ne!(item(&plain, "src/mailer.py")["tier"], "raw");

    let ruled = place.placed(&["--pin", "src/mailer.py", "--demote", "src/payment.py", "--exclude", "docs/**"]);
    let pinned = item(&ruled, "src/mailer.py");
    assert_eq!((&pinned["tier"], &pinned["ruling"], &pinned["form"]), (&"raw".into(), &"pin".into(), &"whole".into()));
    let demoted = item(&ruled, "src/payment.py");
    assert_eq!((&demoted["tier"], &demoted["ruling"]), (&"linked".into(), &"demote".into()));
    let excluded = item(&ruled, "docs/refunds.md");
    assert_eq!((&excluded["tier"], &excluded["ruling"]), (&"out".into(), &"exclude".into()));
    let linked = place.placed(&["--link", "src/payment.py"]);
    assert_eq!(item(&linked, "src/payment.py")["tier"], "linked");

    let payload = place.ok(&["plan", TASK, "--exclude", "src/", "--dry-run"]).out;
    assert!(!payload.contains("ledger.py") && !payload.contains("src/mailer.py"), "{payload}");
}

#[test]
fn patterns_are_relative_to_the_current_directory() {
    let place = Place::repository();
    place.write("mailer.py", "# another one\n");
    let plan = |pattern: &str| -> serde_json::Value {
        let args = ["plan", TASK, "--dry-run", "--json", "--pin", pattern];
        let answer = ran(place.teddy_in(&place.path("src")).args(args));
        assert_eq!(answer.code, 0, "{pattern}: {answer:?}");
        serde_json::from_str(&answer.out).unwrap()
    };
    for pattern in ["mailer.py", "./mailer.py", "src/mailer.py", "../src/mailer.py", "mail*.py"] {
        let placed = plan(pattern);
        assert_eq!(item(&placed, "src/mailer.py")["ruling"], "pin", "{pattern}");
        assert_eq!(item(&placed, "mailer.py")["ruling"], serde_json::Value::Null, "{pattern}");
    }
    let absolute = place.path("docs/refunds.md");
    assert_eq!(item(&plan(absolute.to_str().unwrap()), "docs/refunds.md")["ruling"], "pin");
    assert_eq!(item(&plan("../README.md"), "README.md")["ruling"], "pin");
}

#[test]
fn pins_over_the_budget_are_kept_and_reported() {
    let place = Place::repository();
    place.write("src/big.py", &"def something(a, b, c):\n    return a + b + c\n".repeat(400));
    let ran = place.ok(&["plan", TASK, "--budget", "2000", "--pin", "src/big.py"]);
    assert!(ran.err.contains("pins exceed the budget by "), "{}", ran.err);
    assert!(ran.out.contains("file: src/big.py (lines 1-800)"), "{}", ran.out);
    let within = place.ok(&["plan", TASK, "--budget", "2000", "--dry-run"]);
    assert!(!within.err.contains("over"), "{}", within.err);
}

#[test]
fn items_that_a_format_cannot_include_are_reported() {
    let place = Place::repository();
    place.ok(&["memo", "add", "Use pnpm"]);
    let ran = place.ok(&["plan", TASK, "--pin", "memo:1", "--format", "invocation"]);
    assert!(ran.err.contains("`memo:1` cannot be included in the invocation format"), "{}", ran.err);
    assert!(!ran.err.contains("cannot be read"), "{}", ran.err);
    assert!(ran.out.contains("- Use pnpm\n"), "{}", ran.out);
}

#[test]
fn fill_window_type_and_complexity() {
    let place = Place::repository();
    let filled = place.placed(&["--fill"]);
    assert_eq!(item(&filled, "src/mailer.py")["tier"], "raw");
    assert_eq!(place.placed(&["--window", "128k"])["budget"]["limit"], 64_000);
    assert_eq!(place.placed(&["--budget", "1.5k"])["budget"]["limit"], 1_500);
    for (complexity, limit) in [("simple", 25_000), ("medium", 70_000), ("complex", 100_000)] {
        let plan = place.placed(&["--complexity", complexity, "--task-type", "debug"]);
        assert_eq!(plan["budget"]["limit"], limit);
        assert_eq!((&plan["task"]["complexity"], &plan["task"]["type"]), (&complexity.into(), &"debug".into()));
    }
    let estimate = place.placed(&["--tokenizer", "estimate"]);
    assert_eq!(estimate["task"]["tokenizer"], "estimate");
    assert_eq!(place.placed(&["--model", "gpt-4"])["task"]["tokenizer"], "cl100k_base");
}
