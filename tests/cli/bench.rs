//! `teddy bench` replays commits at their parents and sees nothing else.

use serde_json::Value;

use super::support::{Place, json};

/// A repository with suitable and unsuitable commits.
fn history() -> Place {
    let place = Place::repository();
    let ledger = place.read("src/ledger.py");
    place.write("src/ledger.py", &format!("{ledger}\n\ndef close(book):\n    book.closed = True\n"));
    place.commit("Let a book of the ledger be closed");
    place.write(
        "src/mailer.py",
        &format!("{}\n\ndef receipt(payment):\n    return payment\n", place.read("src/mailer.py")),
    );
    place.write(
        "tests/test_mailer.py",
        "from mailer import receipt\n\n\ndef test_receipt():\n    assert receipt(1) == 1\n",
    );
    place.commit("Send a receipt for every payment");
    place.git(&["revert", "--no-edit", "HEAD"]);
    place.write("README.md", "# Payments\n\nNow with a ledger that can be closed.\n");
    place.commit("Describe how a ledger is closed");
    place.write("src/payment.py", &place.read("src/payment.py").replace("def ", "async def "));
    place.write("src/mailer.py", &format!("# Mail\n{}", place.read("src/mailer.py")));
    place.commit("Charge payments without blocking\n\nSigned-off-by: A <a@example.org>");
    place.write("VERSION", "1.2.0\n");
    place.commit("Bump version to 1.2.0");
    place
}

fn head(place: &Place) -> String {
    let output =
        std::process::Command::new("git").args(["rev-parse", "HEAD"]).current_dir(place.root()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn bench(place: &Place, args: &[&str]) -> Value {
    json(&place.ok(&[&["bench", "--json"][..], args].concat()).out)
}

fn subjects(report: &Value) -> Vec<&str> {
    let commits = report["commits"].as_array().unwrap().iter();
    commits.map(|commit| commit["task"].as_str().unwrap().lines().next().unwrap()).collect()
}

#[test]
fn suitable_commits_are_measured_and_others_counted_by_reason() {
    let place = history();
    let report = bench(&place, &[]);
    assert_eq!(
        subjects(&report),
        ["Charge payments without blocking", "Send a receipt for every payment", "Let a book of the ledger be closed"]
    );
    assert_eq!(report["skipped"], serde_json::json!({"no_parent": 1, "revert": 1, "version_bump": 1, "no_source": 1}));
    let first = &report["commits"][0];
    assert_eq!(first["task"], "Charge payments without blocking");
    let paths: Vec<&Value> = first["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["src/mailer.py", "src/payment.py"]);
    // The project is smaller than any budget, so every file is included.
    let full = &report["averages"]["teddy"]["limits"]["100000"];
    assert_eq!((&full["lines"], &full["functions"]), (&1.0.into(), &1.0.into()));
    assert!(full["useful"].as_f64().unwrap() > 0.0 && full["useful"].as_f64().unwrap() < 1.0);
    assert!(report["averages"]["BM25"]["mrr"].as_f64().unwrap() > 0.0);
    assert!(report["averages"]["BM25"]["limits"]["default"].is_null());
    let payloads = first["payloads"].as_array().unwrap();
    assert_eq!(payloads.len(), 5 + 5 + 4);
}

#[test]
fn only_existing_tests_count_as_changed() {
    let place = history();
    place.write("tests/test_payment.py", &place.read("tests/test_payment.py").replace("assert", "assert not"));
    place.write("src/payment.py", &place.read("src/payment.py").replace("async def ", "def "));
    place.commit("Block again while payments are charged");
    let report = bench(&place, &["-n", "3"]);
    let tests: Vec<&Value> = report["commits"].as_array().unwrap().iter().map(|commit| &commit["tests"]).collect();
    assert_eq!(tests, [&serde_json::json!(["tests/test_payment.py"]), &serde_json::json!([]), &serde_json::json!([])]);
    assert_eq!(report["averages"]["teddy"]["limits"]["13000"]["tests"], 1.0);
    assert!(place.ok(&["bench", "-n", "1", "--budgets", "2k"]).out.contains("changed tests in RAW"));
}

#[test]
fn a_measure_without_values_is_not_shown() {
    // None of these commits changes an existing test.
    let shown = history().ok(&["bench", "--budgets", "2k"]).out;
    assert!(shown.contains("changed lines in RAW") && !shown.contains("changed tests in RAW"), "{shown}");
}

/// Puts the answer wherever a leak could come from: in later commits, on disk, in caches and in `.teddy`.
fn plant_the_answer(place: &Place) {
    for _ in 0..3 {
        for path in ["src/ledger.py", "src/payment.py", "src/mailer.py"] {
            let message = "Let a book of the ledger be closed; charge payments without blocking; send a receipt for every payment";
            place.write(path, &format!("# {message}\n{}", place.read(path)));
            place.commit(message);
        }
    }
    place
        .write(".teddy/config.yaml", "boosts:\n  - glob: 'src/mailer.py'\n    points: 9\nignore: ['src/payment.py']\n");
    place.write(".teddy/global.context", "src/mailer.py\n");
    place.write(".teddy/memos.yaml", "- receipts, blocking and closing are in src/mailer.py\n");
    // Fills the caches of files and of history.
    place.ok(&["plan", "Let a book of the ledger be closed", "--dry-run"]);
    place.write(".gitignore", "src/ledger.py\n");
    place.write(".teddyignore", "tests/\n");
    place.write("Cargo.lock", "");
    place.write(".git/info/exclude", "README.md\n");
    place.write("src/ledger.py", "# send a receipt for every payment without blocking\n");
    place.write_own_config("weights:\n  whole: 0\n  title: 0\nbudget:\n  simple: 3000\n");
}

#[test]
fn nothing_later_than_the_parent_is_seen() {
    let place = history();
    let budgets = ["--budgets", "1500,3k,50k"];
    let before = bench(&place, &budgets);
    let head = head(&place);
    let task = ["plan", "Send a receipt for every payment", "--budget", "1500", "--dry-run", "--json"];
    let planned = place.ok(&task).out;
    plant_the_answer(&place);
    assert_ne!(place.ok(&task).out, planned, "what was planted changes a plan");
    let after = bench(&place, &[&budgets[..], &["--from", &head]].concat());
    assert_eq!(after, before);
    // The result is also the same if only the caches still contain traces of the later commits.
    place.git(&["reset", "-q", "--hard", &head]);
    assert_eq!(bench(&place, &budgets), before);
}

#[test]
fn a_benchmark_writes_nothing_but_its_chart() {
    let place = history();
    let before = place.everything();
    let ran = place.ok(&["bench", "--budgets", "2k"]);
    assert_eq!(place.everything(), before);
    for part in [
        "3 commits, ",
        "skipped 4: 1 without a parent, 1 revert, 1 version bump",
        "changed lines in RAW",
        "whole functions in RAW",
        "useful share of RAW's tokens",
        "without history",
        "first changed file, BM25",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    place.ok(&["bench", "--budgets", "2k", "--svg", "chart.svg"]);
    let chart = place.read("chart.svg");
    assert!(chart.starts_with("<svg ") && chart.contains("BM25") && chart.trim_end().ends_with("</svg>"));
}

#[test]
fn mistakes_have_a_hint() {
    let place = history();
    place.refused(&["bench", "--from", "nowhere"], 2, &["`nowhere` is not a commit"]);
    place.refused(&["bench", "--budgets", "10"], 2, &["too small"]);
    Place::plain().refused(&["bench"], 1, &["not a git repository"]);
    let young = Place::plain();
    young.git(&["init", "-q", "-b", "main"]);
    young.refused(&["bench"], 1, &["the current branch has no commits"]);
    Place::repository().refused(&["bench"], 1, &["no commit is suitable: 1 without a parent"]);
}

#[test]
fn a_bare_repository_has_the_same_result_as_its_clone() {
    let place = history();
    let bare = place.path("payments.git");
    place.git(&["clone", "-q", "--bare", ".", &bare.display().to_string()]);
    let args = ["-C", "payments.git", "bench", "--json", "--budgets", "2k"];
    assert_eq!(json(&place.ok(&args).out), bench(&place, &["--budgets", "2k"]));
}
